//! A finding: as a reviewer reported it, and as the run sees it.

use super::{Severity, Tag};
use crate::ids::{FindingClass, RepoPath};
use crate::key::{Anchor, FindingKey, SiteKey};

/// Lines `first..=last` of a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpan {
    /// The line that the anchor is made of.
    pub first: u32,
    /// Not before `first`.
    pub last: u32,
}

impl LineSpan {
    /// One line.
    pub fn line(line: u32) -> Self {
        Self { first: line, last: line }
    }

    /// A span; an end before the beginning is taken as one line.
    pub fn new(first: u32, last: u32) -> Self {
        Self { first, last: last.max(first) }
    }
}

/// How sure the reviewer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confidence {
    /// As sure as reviewers are.
    #[default]
    Normal,
    /// Maintainers are asked to confirm it (spec 10 §5).
    Low,
}

/// What a reviewer said, in lines of the head commit. All texts are untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Where.
    pub path: RepoPath,
    /// `None`: about the whole file.
    pub lines: Option<LineSpan>,
    /// First column, counted from 1 in whatever unit the producer uses; orders findings only.
    pub column: Option<u32>,
    /// What kind of defect.
    pub class: FindingClass,
    /// How much it weighs, in the reviewer's words.
    pub severity: Severity,
    /// One line that names the defect.
    pub title: String,
    /// More about it; may be empty.
    pub body: String,
    /// Replacement for exactly the lines of `lines`, without the last line break.
    pub suggestion: Option<String>,
    /// See [`Confidence`].
    pub confidence: Confidence,
}

/// Whether the pull request brought the finding (spec 30 "Introduced or pre-existing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Its line is one that the pull request adds or changes.
    Introduced,
    /// The pull request adds a call that reaches its symbol.
    Reached,
    /// It was there before.
    PreExisting,
}

/// Why a finding cannot stand as an inline comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteReason {
    /// The file is not in the diff, or has no line a comment can stand on.
    OutsideDiff,
    /// More findings than `max-new-comments`.
    OverTheCap,
    /// GitHub refused the comment.
    Refused,
}

/// Where a finding's comment stands (spec 30 "Standing place").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// On its own lines.
    Inline(LineSpan),
    /// On another line of the file; the comment says so.
    ReAnchored {
        /// Where it stands.
        line: u32,
        /// Where the finding is.
        wanted: u32,
    },
    /// A whole-file finding, on the file's first commentable line.
    File {
        /// Where it stands.
        line: u32,
    },
    /// One line in the summary.
    Note(NoteReason),
}

/// A finding of this run: reported, named, classified and placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// As the reviewer said it.
    pub reported: Reported,
    /// After the agent's policy and the origin (spec 30 rule 3, 40 §2).
    pub tag: Tag,
    /// Symbol and fingerprint at the head.
    pub anchor: Anchor,
    /// The plain key: of the first of its twins.
    pub key: FindingKey,
    /// The place's key.
    pub site: SiteKey,
    /// See [`Origin`].
    pub origin: Origin,
    /// Whether the re-review's scope holds it (spec 30): its line is in the delta, or its
    /// symbol is newly reached from there. Always true on a run without scoping.
    pub in_delta: bool,
    /// See [`Place`].
    pub place: Place,
}
