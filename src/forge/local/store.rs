//! Where a branch's threads are kept: found, locked, read, replaced as a whole.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

use super::document::Document;
use crate::forge::ForgeError;

/// Everything but letters, digits and these is escaped in a file name.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// File systems allow 255 bytes; `.json`, `.lock` and a temporary name's ending must fit too.
const LONGEST_NAME: usize = 200;

/// Why a branch's threads cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// Two runs at once.
    #[error("another run is at work on this branch (it holds {})", path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
    },
    /// The file system said no.
    #[error("could not {task} {}: {cause}", path.display())]
    Io {
        /// "read", "write", …
        task: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is not what rereview writes. It is never overwritten.
    #[error("{} is broken: {cause}; mend it, or remove it to forget its threads", path.display())]
    Broken {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, and where.
        cause: String,
    },
    /// A person named a thread that is not there.
    #[error("there is no thread {thread:?} on this branch")]
    NoThread {
        /// As given.
        thread: String,
    },
    /// A person wrote nothing.
    #[error("a reply needs a text")]
    EmptyReply,
}

impl From<LocalError> for ForgeError {
    fn from(error: LocalError) -> Self {
        let task = "use the branch's threads".to_owned();
        let cause = error.to_string();
        match error {
            LocalError::Broken { .. } => Self::Garbled { task, cause },
            LocalError::Busy { .. }
            | LocalError::Io { .. }
            | LocalError::NoThread { .. }
            | LocalError::EmptyReply => Self::Unavailable { task, cause },
        }
    }
}

/// How often a lock is tried, and how long is waited in between.
const TRIES: u32 = 20;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(25);

/// The file of a branch, locked against a second run until it is dropped.
#[derive(Debug)]
pub struct Home {
    branch: String,
    path: PathBuf,
    _lock: File,
}

impl Home {
    /// Opens `<git common dir>/rereview/<branch>.json` and locks it; the file itself comes with
    /// the first write. The system lets go of the lock when the process ends, however it ends.
    pub fn open(git_common_dir: &Path, branch: &str) -> Result<Self, LocalError> {
        let directory = git_common_dir.join("rereview");
        fs::create_dir_all(&directory).map_err(io_error("make", &directory))?;
        let name = file_name(branch);
        let lock_path = directory.join(format!("{name}.lock"));
        let lock = File::create(&lock_path).map_err(io_error("open", &lock_path))?;
        // A child that was just forked holds every lock until it runs its program.
        for attempt in 1..=TRIES {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if attempt == TRIES => {
                    return Err(LocalError::Busy { path: lock_path });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(cause)) => return Err(io_error("lock", &lock_path)(cause)),
            }
        }
        let path = directory.join(format!("{name}.json"));
        Ok(Self { branch: branch.to_owned(), path, _lock: lock })
    }

    /// Where the threads are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn load(&self) -> Result<Document, LocalError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Document::new(&self.branch));
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(self.broken("not UTF-8"));
            }
            Err(error) => return Err(io_error("read", &self.path)(error)),
        };
        let document = Document::parse(&text).map_err(|cause| self.broken(cause))?;
        if document.branch() == self.branch {
            Ok(document)
        } else {
            Err(self.broken(format!("it is of the branch {:?}", document.branch())))
        }
    }

    /// Replaces the file: whoever reads it sees the old one or the new one, never a part.
    pub(super) fn save(&self, document: &Document) -> Result<(), LocalError> {
        let failed = io_error("write", &self.path);
        self.replace(document).map_err(failed)
    }

    fn replace(&self, document: &Document) -> io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        let mut fresh = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer_pretty(&mut fresh, document)?;
        fresh.write_all(b"\n")?;
        fresh.as_file().sync_all()?;
        fresh.persist(&self.path)?;
        Ok(())
    }

    fn broken(&self, cause: impl Into<String>) -> LocalError {
        LocalError::Broken { path: self.path.clone(), cause: cause.into() }
    }
}

fn io_error(task: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LocalError {
    let path = path.to_owned();
    move |cause| LocalError::Io { task, path, cause }
}

/// A branch as one file name; a very long one is cut, and its hash keeps it apart from others.
pub(super) fn file_name(branch: &str) -> String {
    let mut name = utf8_percent_encode(branch, ESCAPED).to_string();
    if name.len() > LONGEST_NAME {
        let digest = Sha256::digest(branch.as_bytes());
        name.truncate(LONGEST_NAME - 17);
        name.push('~');
        name.extend(digest.iter().take(8).map(|byte| format!("{byte:02x}")));
    }
    name
}
