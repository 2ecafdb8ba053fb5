//! How two commits' trees differ, as core wants to know it.
//!
//! libgit2 pairs the trees and diffs buffers; what a file is, and what was renamed, is decided
//! here by content. `.gitattributes` and configuration have no say: a pull request must not be
//! able to hide a file by calling it binary.

use git2::{Delta, DiffOptions, FileMode, Oid, Patch};
use rereview_core::ids::{RepoPath, Sha};
use rereview_core::lines::{Content, FileDiff, FileStatus, Hunk, TreeDiff};

use super::error::GitError;
use super::renames;
use super::repository::Repository;

/// One side of a changed file.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) path: RepoPath,
    pub(super) id: Oid,
    pub(super) mode: FileMode,
}

/// A changed file before its content was looked at.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) old: Option<Side>,
    pub(super) new: Option<Side>,
}

impl Repository {
    /// The difference of two commits' trees (two dots): without context, with renames.
    ///
    /// A path that is not UTF-8 has no name on GitHub and is left out.
    ///
    /// # Errors
    /// [`GitError::NoCommit`], and [`GitError::Git`] for an object that is missing or broken.
    pub fn tree_diff(&self, old: &Sha, new: &Sha) -> Result<TreeDiff, GitError> {
        let (old, new) = (self.commit(old)?.tree()?, self.commit(new)?.tree()?);
        let mut options = DiffOptions::new();
        options.include_typechange(true).skip_binary_check(true);
        let diff = self.objects.diff_tree_to_tree(Some(&old), Some(&new), Some(&mut options))?;
        let changes = diff.deltas().map(|delta| {
            let (old, new) = (side(&delta.old_file()), side(&delta.new_file()));
            Change {
                old: old.filter(|_| delta.status() != Delta::Added),
                new: new.filter(|_| delta.status() != Delta::Deleted),
            }
        });
        let changes = renames::pair(&self.objects, changes.collect())?;
        let files = changes.into_iter().filter_map(|change| self.file_diff(change).transpose());
        Ok(TreeDiff::new(files.collect::<Result<_, _>>()?))
    }

    /// What a branch did since it left another (three dots): merge base → head.
    ///
    /// # Errors
    /// [`GitError::NoMergeBase`], which callers take as "widen", and those of
    /// [`Repository::tree_diff`].
    pub fn three_dot(&self, base: &Sha, head: &Sha) -> Result<TreeDiff, GitError> {
        self.tree_diff(&self.merge_base(base, head)?, head)
    }

    fn file_diff(&self, change: Change) -> Result<Option<FileDiff>, GitError> {
        let Change { old, new } = change;
        let status = match (&old, &new) {
            (None, None) => return Ok(None),
            (None, Some(_)) => FileStatus::Added,
            (Some(_), None) => FileStatus::Deleted,
            (Some(old), Some(new)) if thing(old.mode) != thing(new.mode) => FileStatus::TypeChanged,
            (Some(old), Some(new)) if old.path != new.path => FileStatus::Renamed,
            (Some(_), Some(_)) => FileStatus::Modified,
        };
        let (content, hunks, new_lines) = self.content(status, old.as_ref(), new.as_ref())?;
        let (old_path, new_path) = (old.map(|side| side.path), new.map(|side| side.path));
        Ok(Some(FileDiff { old_path, new_path, status, content, hunks, new_lines }))
    }

    fn content(
        &self,
        status: FileStatus,
        old: Option<&Side>,
        new: Option<&Side>,
    ) -> Result<(Content, Vec<Hunk>, u32), GitError> {
        let now = new.or(old).map_or(Thing::File, |side| thing(side.mode));
        match now {
            Thing::Link => return Ok((Content::Symlink, Vec::new(), 0)),
            Thing::Submodule => return Ok((Content::Submodule, Vec::new(), 0)),
            Thing::File => {}
        }
        // What was a link or a submodule has no lines that a file's could be compared with.
        let old = old.filter(|side| matches!(thing(side.mode), Thing::File));
        let same = old.zip(new).is_some_and(|(old, new)| old.id == new.id);
        if same && status == FileStatus::Modified {
            return Ok((Content::ModeOnly, Vec::new(), 0));
        }
        let (before, after) = (self.bytes(old)?, self.bytes(new)?);
        if is_binary(&before) || is_binary(&after) {
            return Ok((Content::Binary, Vec::new(), 0));
        }
        if is_lfs_pointer(if new.is_some() { &after } else { &before }) {
            return Ok((Content::LfsPointer, Vec::new(), 0));
        }
        let hunks = if same { Vec::new() } else { hunks(&before, &after)? };
        Ok((Content::Text, hunks, count_lines(&after)))
    }

    fn bytes(&self, side: Option<&Side>) -> Result<Vec<u8>, GitError> {
        match side {
            Some(side) => Ok(self.objects.find_blob(side.id)?.content().to_vec()),
            None => Ok(Vec::new()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    File,
    Link,
    Submodule,
}

pub(super) fn thing(mode: FileMode) -> Thing {
    match mode {
        FileMode::Link => Thing::Link,
        FileMode::Commit => Thing::Submodule,
        FileMode::Unreadable
        | FileMode::Tree
        | FileMode::Blob
        | FileMode::BlobGroupWritable
        | FileMode::BlobExecutable => Thing::File,
    }
}

fn side(file: &git2::DiffFile<'_>) -> Option<Side> {
    let path = std::str::from_utf8(file.path_bytes()?).ok()?;
    Some(Side { path: RepoPath::new(path).ok()?, id: file.id(), mode: file.mode() })
}

/// As git decides: a NUL among the first 8,000 bytes.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0)
}

/// By the LFS specification a pointer is below 1,024 bytes and names its version first.
fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.len() < 1024 && bytes.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// A last line without an end is a line.
fn count_lines(bytes: &[u8]) -> u32 {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let open = usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'));
    u32::try_from(ends + open).unwrap_or(u32::MAX)
}

/// The changes between two texts, with the algorithm and heuristic that git has by default.
fn hunks(old: &[u8], new: &[u8]) -> Result<Vec<Hunk>, GitError> {
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).indent_heuristic(true).force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let mut hunks = Vec::with_capacity(patch.num_hunks());
    for at in 0..patch.num_hunks() {
        let (range, lines) = patch.hunk(at)?;
        let (old_start, new_start) = (range.old_start(), range.new_start());
        let mut hunk = Hunk::from_git(old_start, range.old_lines(), new_start, range.new_lines());
        for line in 0..lines {
            let line = patch.line_in_hunk(at, line)?;
            match line.origin() {
                '-' => hunk.old_text.push(Hunk::kept(line.content())),
                '+' => hunk.new_text.push(Hunk::kept(line.content())),
                // "\ No newline at end of file"
                _ => {}
            }
        }
        hunks.push(hunk);
    }
    Ok(hunks)
}
