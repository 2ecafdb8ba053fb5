//! What the simulated GitHub asks about code: which lines a diff shows, where a line went.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rereview_core::ids::{RepoPath, Sha};

/// The lines of the new side that a diff shows, one range per hunk.
pub type Hunks = BTreeMap<RepoPath, Vec<RangeInclusive<u32>>>;

/// A repository's answers.
pub trait Code {
    /// What the pull request's diff shows at `head`: from where it left `base`, with three
    /// lines of context.
    fn hunks(&self, base: &Sha, head: &Sha) -> Hunks;

    /// The pull request's own commits: reachable from `head`, not from `base`.
    fn commits(&self, base: &Sha, head: &Sha) -> Vec<Sha>;

    /// Where the lines of one commit stand in another.
    fn moves(&self, from: &Sha, to: &Sha) -> Moves;
}

/// How files and lines moved between two commits; a file that is not named stayed as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves(pub BTreeMap<RepoPath, FileMove>);

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// Its path now; `None` when it was deleted or its lines cannot be followed.
    pub to: Option<RepoPath>,
    /// The changes, top down.
    pub edits: Vec<Edit>,
}

/// One change, without context, as a hunk header gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// First old line; the line before, when nothing was removed.
    pub start: u32,
    /// Lines removed.
    pub removed: u32,
    /// Lines added.
    pub added: u32,
}

impl Moves {
    /// Where a line stands now; `None` when it was changed or is gone.
    pub fn line(&self, path: &RepoPath, line: u32) -> Option<(RepoPath, u32)> {
        let Some(file) = self.0.get(path) else { return Some((path.clone(), line)) };
        let to = file.to.clone()?;
        let mut moved = i64::from(line);
        for edit in &file.edits {
            let last = if edit.removed == 0 { edit.start } else { edit.start + edit.removed - 1 };
            if edit.removed > 0 && (edit.start..=last).contains(&line) {
                return None;
            }
            if line > last {
                moved += i64::from(edit.added) - i64::from(edit.removed);
            }
        }
        Some((to, u32::try_from(moved).ok()?))
    }
}
