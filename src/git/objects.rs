//! Files of a commit, read from git objects.

use std::path::Path;

use git2::{ErrorCode, ObjectType, TreeWalkMode, TreeWalkResult};
use rereview_core::ids::{RepoPath, Sha};

use super::error::GitError;
use super::repository::Repository;

/// What a path of a commit holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// What kind of thing it is.
    pub kind: BlobKind,
    /// The bytes of a file; the target of a link; nothing for a submodule.
    pub bytes: Vec<u8>,
}

/// The kinds of things a path can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobKind {
    /// A file.
    File,
    /// A file that may be run.
    Executable,
    /// A link: never followed.
    Symlink,
    /// Another repository's commit.
    Submodule,
}

impl Repository {
    /// What a path holds in a commit; none if there is nothing, or a folder.
    ///
    /// # Errors
    /// [`GitError::NoCommit`], and [`GitError::Git`] for an object that is missing or broken.
    pub fn blob(&self, commit: &Sha, path: &RepoPath) -> Result<Option<Blob>, GitError> {
        let tree = self.commit(commit)?.tree()?;
        let entry = match tree.get_path(Path::new(path.as_str())) {
            Ok(entry) => entry,
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(kind) = kind(entry.filemode()) else { return Ok(None) };
        let bytes = match kind {
            BlobKind::Submodule => Vec::new(),
            BlobKind::File | BlobKind::Executable | BlobKind::Symlink => {
                self.objects.find_blob(entry.id())?.content().to_vec()
            }
        };
        Ok(Some(Blob { kind, bytes }))
    }

    /// Every path of a commit that is no folder, in git's order. A path that is not UTF-8, or that
    /// could lead out of the repository, has no name on GitHub and is left out.
    ///
    /// # Errors
    /// [`GitError::NoCommit`], and [`GitError::Git`] for a tree that is missing or broken.
    pub fn paths(&self, commit: &Sha) -> Result<Vec<(RepoPath, BlobKind)>, GitError> {
        let mut paths = Vec::new();
        self.commit(commit)?.tree()?.walk(TreeWalkMode::PreOrder, |folder, entry| {
            if entry.kind() != Some(ObjectType::Tree)
                && let Ok(name) = entry.name()
                && let Some(kind) = kind(entry.filemode())
                && let Ok(path) = RepoPath::new(&format!("{folder}{name}"))
            {
                paths.push((path, kind));
            }
            TreeWalkResult::Ok
        })?;
        Ok(paths)
    }
}

/// By the modes that git writes into trees; none for a folder.
fn kind(mode: i32) -> Option<BlobKind> {
    match mode {
        0o100_644 | 0o100_664 => Some(BlobKind::File),
        0o100_755 => Some(BlobKind::Executable),
        0o120_000 => Some(BlobKind::Symlink),
        0o160_000 => Some(BlobKind::Submodule),
        _ => None,
    }
}
