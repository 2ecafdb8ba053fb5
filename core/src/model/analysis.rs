//! What the shell found out for phase B: the reviewer's answer, and the trees it speaks of.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Reported;
use crate::ids::{RepoPath, Sha};
use crate::lines::TreeDiff;

/// Which files a report speaks for (spec 20 §2: the others are unknown, never absent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysed {
    /// All of the tree.
    Everything,
    /// The files of the pull request's diff.
    ChangedFiles,
    /// Just these.
    Files(BTreeSet<RepoPath>),
}

/// A result that is not reported, with its reason, for the log and the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Which result: class and place as the report names them. Untrusted.
    pub what: String,
    /// Why, in words.
    pub why: String,
}

/// Why the reviewer's answer cannot be used; may quote untrusted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// One sentence.
    pub reason: String,
}

/// Why there was nothing to ask the reviewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DidNotRun {
    /// One sentence.
    pub reason: String,
}

/// What became of an agent's reviewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentRun {
    /// It answered.
    Ran {
        /// What it found, in lines of the head.
        reported: Vec<Reported>,
        /// What it looked at.
        analysed: Analysed,
        /// What of its answer is left out.
        skipped: Vec<Skipped>,
    },
    /// It proves nothing: no thread is touched (spec 20 §2).
    Failed(Failure),
    /// `optional: true` and no report (spec 40 §2): nothing is absent, nothing blocks.
    DidNotRun(DidNotRun),
}

/// A named definition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its bare name.
    pub name: String,
    /// All of it, with attached decorators, attributes and doc comments.
    pub lines: RangeInclusive<u32>,
    /// From its name to where its body begins.
    pub header: RangeInclusive<u32>,
}

/// An identifier in call position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The bare name that is called.
    pub name: String,
    /// Where.
    pub line: u32,
}

/// A file at the head commit, as far as the run needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// How many lines it has.
    pub line_count: u32,
    /// The text of the lines that findings stand on.
    pub lines: BTreeMap<u32, String>,
    /// Its definitions, in the order they begin.
    pub definitions: Vec<Definition>,
    /// Its calls, in order.
    pub calls: Vec<Call>,
}

impl FileFacts {
    /// The deepest definition that a line is in.
    pub fn definition(&self, line: u32) -> Option<&Definition> {
        self.definitions
            .iter()
            .filter(|definition| definition.lines.contains(&line))
            .min_by_key(|definition| definition.lines.end() - definition.lines.start())
    }

    /// The bare name of the deepest definition that a line is in.
    pub fn symbol(&self, line: u32) -> Option<&str> {
        self.definition(line).map(|definition| definition.name.as_str())
    }
}

/// What a re-review is scoped to (spec 30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// No scoping, and why.
    Everything {
        /// In words, for the log.
        why: String,
    },
    /// merge-base(last reviewed head, head) → head.
    Since(TreeDiff),
}

/// The trees of one run of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFacts {
    /// The commit under review.
    pub head: Sha,
    /// merge-base(base, head) → head.
    pub pr: TreeDiff,
    /// See [`Delta`]; it differs from agent to agent.
    pub delta: Delta,
    /// The files with findings, and the changed ones, at the head.
    pub files: BTreeMap<RepoPath, FileFacts>,
}

/// From each commit that a prior finding was last seen on to the head. A commit that cannot be
/// had is not in it: its threads are matched without their lines (spec 20 §4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitMaps(pub BTreeMap<Sha, TreeDiff>);
