//! What an agent remembers in its metadata review (spec 10 §4, 20 §5 and §6).

use serde::{Deserialize, Serialize};

use super::Tag;
use crate::ids::{AgentName, CommentId, RepoPath, Sha, ThreadId};
use crate::key::KeyPrefix;

/// Go or No-Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Nothing must be fixed.
    Go,
    /// Something must be, or is not known.
    #[serde(rename = "No-Go")]
    NoGo,
}

impl Verdict {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Go => "Go",
            Self::NoGo => "No-Go",
        }
    }
}

/// The cumulative tag columns and what is still outstanding of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Ever posted as must fix.
    pub must_fix: u32,
    /// Ever posted as suggestion.
    pub suggestion: u32,
    /// Ever posted as could fix.
    pub could_fix: u32,
    /// Ever posted as future work.
    pub future_work: u32,
    /// Sum of the columns less what is resolved.
    pub outstanding: u32,
}

impl Counts {
    /// The column of a tag.
    pub fn column(&self, tag: Tag) -> u32 {
        match tag {
            Tag::MustFix => self.must_fix,
            Tag::Suggestion => self.suggestion,
            Tag::CouldFix => self.could_fix,
            Tag::FutureWork => self.future_work,
        }
    }

    /// The column of a tag, to write to.
    pub fn column_mut(&mut self, tag: Tag) -> &mut u32 {
        match tag {
            Tag::MustFix => &mut self.must_fix,
            Tag::Suggestion => &mut self.suggestion,
            Tag::CouldFix => &mut self.could_fix,
            Tag::FutureWork => &mut self.future_work,
        }
    }

    /// Everything ever posted.
    pub fn total(&self) -> u32 {
        Tag::ALL.into_iter().fold(0, |sum, tag| sum.saturating_add(self.column(tag)))
    }
}

/// The six counters of a run (spec 20 §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SinceLastRun {
    /// Became resolved, whoever did it.
    pub resolved: u32,
    /// Row 7.
    pub still_open: u32,
    /// Rows 3, 12, 13 and 14.
    pub newly_added: u32,
    /// Row 12.
    pub incorrect_fix: u32,
    /// Row 4.
    pub improperly_resolved: u32,
    /// Row 6.
    pub disagreements: u32,
}

/// Whether a note's finding still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoteState {
    /// It does; the summary lists it.
    Open,
    /// It went away; it counts as resolved and keeps its column.
    Settled,
}

/// A finding without a thread: one line in the summary (spec 30 "Standing place").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which finding.
    pub key: KeyPrefix,
    /// See [`NoteState`].
    pub state: NoteState,
    /// At which place; like the file, the line and the texts, kept for open ones only.
    pub site: Option<KeyPrefix>,
    /// In which file.
    pub path: Option<RepoPath>,
    /// On which line, at the last head it was seen on.
    pub line: Option<u32>,
    /// Its weight; kept when it is settled, so that the columns can be counted again.
    pub tag: Option<Tag>,
    /// Its symbol.
    pub symbol: Option<String>,
    /// Its class, with the twin's number.
    pub class: Option<String>,
    /// Its title, untrusted.
    pub title: Option<String>,
}

impl Note {
    /// Its title, or what stands for one that had to be cut from the metadata.
    pub fn shown_title(&self) -> &str {
        self.title.as_deref().unwrap_or("(title cut)")
    }
}

/// Where a finding with a thread stood at the reviewed head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveEntry {
    /// Which finding.
    pub key: KeyPrefix,
    /// The thread's root comment.
    pub comment: CommentId,
    /// Its line at the reviewed head; `None` for a whole-file finding.
    pub line: Option<u32>,
    /// Its file at the reviewed head, when that is no longer the comment's.
    pub path: Option<RepoPath>,
}

/// rereview's own state, in the hidden JSON line of the metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunState {
    /// Findings without a thread.
    pub notes: Vec<Note>,
    /// Findings with one that were there at the reviewed head.
    pub live: Vec<LiveEntry>,
    /// Threads whose un-resolve GitHub refused (spec 20 §3, row 4).
    pub unresolve_refused: Vec<ThreadId>,
    /// The head reviewed before this one: a second run on the same head has the same scope.
    pub scoped_from: Option<Sha>,
}

/// The metadata review's content (spec 10 §4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Whose.
    pub agent: AgentName,
    /// Columns and outstanding.
    pub counts: Counts,
    /// Of this agent.
    pub verdict: Verdict,
    /// The head that was analysed; `None` in metadata from before the field existed.
    pub reviewed_head: Option<Sha>,
    /// Ordinal of the run, from 1.
    pub run: u32,
    /// Of the last run.
    pub since_last_run: SinceLastRun,
    /// For agents with `ci-safety: true`: the verdict and one line why.
    pub ci_safety: Option<(Verdict, String)>,
    /// See [`RunState`].
    pub state: RunState,
    /// Lines that this version does not know, kept as they are.
    pub unknown: Vec<String>,
}
