//! Diffs as plain data: line sets, hunks, and where an old line stands now.

mod diff;
mod set;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

pub use diff::{Content, FileDiff, FileStatus, Mapped, TreeDiff};
pub use set::LineSet;

/// One change without context: `old` lines of the old file gave way to `new` lines of the new.
///
/// Lines are 1-based. A side without lines has count 0 and stands before the line `start`; git
/// writes the line *before* it there, which [`Hunk::from_git`] alone knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The first removed line.
    pub old_start: u32,
    /// How many lines were removed.
    pub old_lines: u32,
    /// The first added line.
    pub new_start: u32,
    /// How many lines were added.
    pub new_lines: u32,
    /// The removed lines without their ends, as far as they were kept (see [`Hunk::kept`]).
    pub old_text: Vec<String>,
    /// The added lines likewise.
    pub new_text: Vec<String>,
}

/// What is kept of one line's text, in bytes: enough to tell lines apart, never a minified file.
const KEPT_BYTES: usize = 4096;

impl Hunk {
    /// Takes the numbers of a zero-context `@@ -a,b +c,d @@` as git writes them.
    pub fn from_git(old_start: u32, old_lines: u32, new_start: u32, new_lines: u32) -> Self {
        let first =
            |start: u32, lines: u32| if lines == 0 { start.saturating_add(1) } else { start };
        Self {
            old_start: first(old_start, old_lines),
            old_lines,
            new_start: first(new_start, new_lines),
            new_lines,
            ..Self::default()
        }
    }

    /// A line as it is kept in a hunk: lossy UTF-8, without its end, cut at 4 KiB.
    pub fn kept(line: &[u8]) -> String {
        let ended = line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n"));
        let line = ended.unwrap_or(line);
        String::from_utf8_lossy(line.get(..KEPT_BYTES).unwrap_or(line)).into_owned()
    }

    /// The removed lines; none for a pure addition.
    pub fn removed(&self) -> Option<RangeInclusive<u32>> {
        lines(self.old_start, self.old_lines)
    }

    /// The added lines; none for a pure removal.
    pub fn added(&self) -> Option<RangeInclusive<u32>> {
        lines(self.new_start, self.new_lines)
    }

    /// Whether it removed this line of the old file.
    pub fn removes(&self, line: u32) -> bool {
        self.removed().is_some_and(|range| range.contains(&line))
    }

    /// Whether it added this line of the new file.
    pub fn adds(&self, line: u32) -> bool {
        self.added().is_some_and(|range| range.contains(&line))
    }

    /// The first old line after it.
    fn old_end(&self) -> u32 {
        self.old_start.saturating_add(self.old_lines)
    }

    /// The first new line after it.
    fn new_end(&self) -> u32 {
        self.new_start.saturating_add(self.new_lines)
    }
}

/// `count` lines from `start` on.
fn lines(start: u32, count: u32) -> Option<RangeInclusive<u32>> {
    count.checked_sub(1).map(|more| start..=start.saturating_add(more))
}
