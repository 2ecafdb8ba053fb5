//! How two trees differ, file by file, and where a line of the old one stands in the new one.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Hunk, LineSet};
use crate::ids::RepoPath;

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// Only the new tree has it.
    Added,
    /// Both have it under one path.
    Modified,
    /// Only the old tree has it.
    Deleted,
    /// It moved, perhaps edited, and is at least half the same (spec 30).
    Renamed,
    /// It became another kind of thing: a file a link, a link a submodule.
    TypeChanged,
}

/// What is behind a path; only [`Content::Text`] has lines (spec 30, case G03).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Lines.
    Text,
    /// A NUL among the first 8,000 bytes of either side, as git decides.
    Binary,
    /// Another repository's commit.
    Submodule,
    /// A link; its target is never followed.
    Symlink,
    /// A git-lfs pointer, whatever a checkout shows in its place.
    LfsPointer,
    /// The same content with other permissions.
    ModeOnly,
}

/// How one file differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path in the old tree.
    pub old_path: Option<RepoPath>,
    /// Its path in the new tree.
    pub new_path: Option<RepoPath>,
    /// What happened to it.
    pub status: FileStatus,
    /// What it is.
    pub content: Content,
    /// The changes, in order, without context; none unless it is text.
    pub hunks: Vec<Hunk>,
    /// How many lines the new file has; 0 unless it is text.
    pub new_lines: u32,
}

/// Where an old line stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped<'a> {
    /// The line itself, at its new place.
    Same {
        /// The file's path in the new tree.
        path: &'a RepoPath,
        /// The line there.
        line: u32,
    },
    /// It was removed or rewritten by a hunk.
    Changed {
        /// The file's path in the new tree.
        path: &'a RepoPath,
        /// Index into [`FileDiff::hunks`].
        hunk: usize,
    },
    /// The file, or all that had lines in it, is gone.
    Gone,
}

impl FileDiff {
    /// The lines that are new: `pr_lines` and `delta_lines` of spec 30.
    pub fn added(&self) -> LineSet {
        self.hunks.iter().filter_map(Hunk::added).collect()
    }

    /// The runs of new lines that a diff with so much context shows, one for each of its hunks:
    /// where GitHub takes an inline comment on side RIGHT (with 3, spec 30).
    pub fn commentable(&self, context: u32) -> Vec<RangeInclusive<u32>> {
        let mut shown: Vec<RangeInclusive<u32>> = Vec::new();
        let mut previous: Option<&Hunk> = None;
        for hunk in &self.hunks {
            let start = hunk.new_start.saturating_sub(context).max(1);
            let end = hunk.new_end().saturating_sub(1).saturating_add(context).min(self.new_lines);
            // Git joins two changes when at most twice the context lies between them.
            let joins =
                previous.is_some_and(|p| hunk.old_start.saturating_sub(p.old_end()) <= 2 * context);
            match shown.last_mut() {
                Some(last) if joins => *last = *last.start()..=end,
                Some(_) | None => shown.push(start..=end),
            }
            previous = Some(hunk);
        }
        shown.retain(|range| !range.is_empty());
        shown
    }

    /// Where a line of its old version stands now.
    pub fn map_line(&self, line: u32) -> Mapped<'_> {
        let gone = match self.status {
            FileStatus::Deleted | FileStatus::TypeChanged => true,
            FileStatus::Added | FileStatus::Modified | FileStatus::Renamed => match self.content {
                Content::Text | Content::ModeOnly => false,
                Content::Binary | Content::Submodule | Content::Symlink | Content::LfsPointer => {
                    true
                }
            },
        };
        let Some(path) = self.new_path.as_ref().filter(|_| !gone) else { return Mapped::Gone };
        let next = self.hunks.partition_point(|hunk| hunk.old_end() <= line);
        if self.hunks.get(next).is_some_and(|hunk| hunk.removes(line)) {
            return Mapped::Changed { path, hunk: next };
        }
        let before = next.checked_sub(1).and_then(|last| self.hunks.get(last));
        let line = before.map_or(line, |hunk| line - hunk.old_end() + hunk.new_end());
        Mapped::Same { path, line }
    }
}

/// How one tree differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeDiff {
    files: Vec<FileDiff>,
    by_old: BTreeMap<RepoPath, usize>,
    by_new: BTreeMap<RepoPath, usize>,
}

impl TreeDiff {
    /// Takes the files; each path may be the old one of one file and the new one of one file.
    pub fn new(files: Vec<FileDiff>) -> Self {
        let index = |path: fn(&FileDiff) -> Option<&RepoPath>| {
            let paths = files.iter().enumerate();
            paths.filter_map(|(at, file)| Some((path(file)?.clone(), at))).collect()
        };
        let by_old = index(|file| file.old_path.as_ref());
        let by_new = index(|file| file.new_path.as_ref());
        Self { files, by_old, by_new }
    }

    /// All files that differ.
    pub fn files(&self) -> &[FileDiff] {
        &self.files
    }

    /// The file that had this path in the old tree, if it differs.
    pub fn by_old_path(&self, path: &RepoPath) -> Option<&FileDiff> {
        self.files.get(*self.by_old.get(path)?)
    }

    /// The file that has this path in the new tree, if it differs.
    pub fn by_new_path(&self, path: &RepoPath) -> Option<&FileDiff> {
        self.files.get(*self.by_new.get(path)?)
    }

    /// Where a line of the old tree stands now (spec 20 §4 step 1). A file that does not differ
    /// keeps its lines.
    pub fn map_line<'a>(&'a self, path: &'a RepoPath, line: u32) -> Mapped<'a> {
        match self.by_old_path(path) {
            Some(file) => file.map_line(line),
            None => Mapped::Same { path, line },
        }
    }

    /// The new lines of a file of the new tree; none if it does not differ.
    pub fn added(&self, path: &RepoPath) -> LineSet {
        self.by_new_path(path).map(FileDiff::added).unwrap_or_default()
    }
}
