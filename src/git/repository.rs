//! A repository: where it is, what its HEAD is, and whether libgit2 can read it.

use std::path::{Path, PathBuf};

use git2::{ErrorCode, Oid};
use rereview_core::ids::Sha;
use tempfile::TempDir;

use super::error::{GitError, Unsupported};
use super::setup;

/// The objects of a checkout, of a temporary clone, or of both together.
pub struct Repository {
    /// Where objects are read from: the checkout, or the temporary clone over it.
    pub(super) objects: git2::Repository,
    /// The checkout, if there is one and `objects` is not it.
    pub(super) checkout: Option<git2::Repository>,
    /// The temporary clone's folder, which goes away with this value.
    pub(super) temporary: Option<TempDir>,
}

/// Where HEAD points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The commit.
    pub commit: Sha,
    /// The branch without `refs/heads/`; none when detached.
    pub branch: Option<String>,
}

impl Repository {
    /// Opens exactly this folder: a checkout, a linked worktree or a bare repository, whoever owns
    /// it.
    ///
    /// # Errors
    /// [`GitError::NotARepository`], [`GitError::Unsupported`].
    pub fn open(path: &Path) -> Result<Self, GitError> {
        let objects = setup::open_any_owner(path).map_err(|error| not_opened(path, error))?;
        if is_partial(&objects)? {
            let path = path.to_owned();
            return Err(GitError::Unsupported { path, kind: Unsupported::PartialClone });
        }
        Ok(Self { objects, checkout: None, temporary: None })
    }

    /// Opens the repository that a folder is somewhere inside of.
    ///
    /// # Errors
    /// As [`Repository::open`]; also if the repository belongs to another user.
    pub fn discover(folder: &Path) -> Result<Self, GitError> {
        setup::prepare();
        let found = git2::Repository::discover(folder).map_err(|e| not_opened(folder, e))?;
        Self::open(found.workdir().unwrap_or_else(|| found.path()))
    }

    /// An empty bare repository in a temporary folder, to fetch into where there is no checkout.
    ///
    /// # Errors
    /// [`GitError::Disk`].
    pub fn temporary() -> Result<Self, GitError> {
        setup::prepare();
        let folder = TempDir::with_prefix("rereview-")?;
        let mut bare = git2::RepositoryInitOptions::new();
        bare.bare(true).external_template(false);
        let objects = git2::Repository::init_opts(folder.path(), &bare)?;
        Ok(Self { objects, checkout: None, temporary: Some(folder) })
    }

    /// The git folder that all worktrees share, where the local forge keeps its files.
    pub fn common_dir(&self) -> PathBuf {
        self.checkout.as_ref().unwrap_or(&self.objects).commondir().to_owned()
    }

    /// The work tree of the checkout; none for a bare repository.
    pub fn workdir(&self) -> Option<PathBuf> {
        self.checkout.as_ref().unwrap_or(&self.objects).workdir().map(Path::to_owned)
    }

    /// HEAD of the checkout; none before the first commit, and in a temporary clone.
    ///
    /// # Errors
    /// [`GitError::Git`] if HEAD cannot be read.
    pub fn head(&self) -> Result<Option<Head>, GitError> {
        let head = match self.checkout.as_ref().unwrap_or(&self.objects).head() {
            Ok(head) => head,
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let branch = head.name_bytes().strip_prefix(b"refs/heads/");
        let branch = branch.map(|name| String::from_utf8_lossy(name).into_owned());
        Ok(Some(Head { commit: sha(head.peel_to_commit()?.id())?, branch }))
    }

    /// Whether the history at hand is cut somewhere.
    pub fn is_shallow(&self) -> bool {
        self.objects.is_shallow()
    }

    /// Whether a commit and its tree are at hand.
    pub fn has_commit(&self, sha: &Sha) -> bool {
        self.commit(sha).is_ok_and(|commit| commit.tree().is_ok())
    }

    /// Looks a commit up.
    pub(super) fn commit(&self, sha: &Sha) -> Result<git2::Commit<'_>, GitError> {
        let missing = || GitError::NoCommit { sha: sha.clone() };
        let id = Oid::from_str(sha.as_str()).map_err(|_| missing())?;
        self.objects.find_commit(id).map_err(|error| {
            if error.code() == ErrorCode::NotFound { missing() } else { error.into() }
        })
    }
}

/// An object's name as core knows it.
pub(super) fn sha(id: Oid) -> Result<Sha, GitError> {
    Sha::new(&id.to_string())
        .map_err(|invalid| GitError::Git(git2::Error::from_str(&invalid.to_string())))
}

/// Whether objects are missing on purpose: a remote promises them.
fn is_partial(repository: &git2::Repository) -> Result<bool, GitError> {
    let config = repository.config()?.snapshot()?;
    let mut promisors = config.entries(Some(r"^remote\..*\.promisor$"))?;
    let mut partial = false;
    while let Some(entry) = promisors.next() {
        let entry = entry?;
        partial |= entry.value().is_ok_and(|value| !matches!(value, "false" | "no" | "0"));
    }
    Ok(partial)
}

/// Why libgit2 did not open a folder. It tells its reasons in words only; the tests of this
/// module make each of these repositories with git and hold the words fast.
fn not_opened(path: &Path, error: git2::Error) -> GitError {
    let says = |word: &str| error.message().to_ascii_lowercase().contains(word);
    let path = path.to_owned();
    let kind = if says("partialclone") {
        Unsupported::PartialClone
    } else if says("objectformat") || says("object format") || says("sha256") {
        Unsupported::Sha256
    } else if says("refstorage") {
        Unsupported::Reftable
    } else if says("unsupported extension") {
        Unsupported::Extension
    } else if error.code() == ErrorCode::NotFound {
        return GitError::NotARepository { path };
    } else {
        return GitError::Git(error);
    };
    GitError::Unsupported { path, kind }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Repository({})", self.objects.path().display())
    }
}
