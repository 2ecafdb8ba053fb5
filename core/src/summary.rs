//! The summary: one page for a person who has half a minute (spec 50), as data and verdicts.

use crate::ids::{AgentName, Label, Sha};
use crate::model::{CiSafety, Counts, Note, SinceLastRun, Verdict};
use crate::record::Outstanding;

/// What became of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentStatus {
    /// All phases.
    Ran {
        /// Its columns.
        counts: Counts,
        /// Of this run.
        since: SinceLastRun,
        /// Its verdict.
        verdict: Verdict,
        /// Ordinal of its run.
        run: u32,
    },
    /// Its reviewer gave no usable answer; untrusted text in the reason.
    Failed {
        /// One sentence.
        reason: String,
    },
    /// There was nothing for it to do.
    DidNotRun {
        /// One sentence.
        reason: String,
    },
}

/// One agent's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its name.
    pub name: AgentName,
    /// Its label.
    pub label: Label,
    /// Whether it has a say in CI safety.
    pub ci_safety: CiSafety,
    /// See [`AgentStatus`].
    pub status: AgentStatus,
}

/// A must-fix finding that stands, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MustFix {
    /// Whose.
    pub label: Label,
    /// What and where.
    pub finding: Outstanding,
}

/// An open note, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteLine {
    /// Whose.
    pub label: Label,
    /// What and where.
    pub note: Note,
}

/// What people should know before they believe the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// GitHub refused something; the sentence says what, and which permission.
    Refused(String),
    /// Somebody who is not trusted wrote a footer of ours.
    ForgedFooter {
        /// Who.
        by: String,
        /// Where.
        url: String,
    },
    /// An agent's metadata cannot be read.
    BrokenMetadata {
        /// Where.
        url: String,
        /// Why.
        reason: String,
    },
    /// The pull request moved on while this run was at work.
    NewerHead(Sha),
    /// Anything else.
    Other(String),
}

/// Everything the page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The analysed commit.
    pub head: Sha,
    /// In config order.
    pub agents: Vec<AgentRow>,
    /// Strictest agents first, as found.
    pub must_fix: Vec<MustFix>,
    /// Open notes.
    pub notes: Vec<NoteLine>,
    /// In the order in which they came up.
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// `Go` iff every configured agent ran and every verdict is `Go` (spec 50). An agent that had
    /// nothing to do (`optional`) does not block.
    pub fn verdict(&self) -> Verdict {
        let go = self.agents.iter().all(|agent| match &agent.status {
            AgentStatus::Ran { verdict, .. } => *verdict == Verdict::Go,
            AgentStatus::Failed { .. } => false,
            AgentStatus::DidNotRun { .. } => true,
        });
        if go { Verdict::Go } else { Verdict::NoGo }
    }

    /// `Go` iff every agent with `ci-safety: true` ran and says so; `None`: there is none.
    pub fn ci_safety(&self) -> Option<Verdict> {
        let mut judges = self.agents.iter().filter(|agent| match agent.ci_safety {
            CiSafety::Judged => true,
            CiSafety::NotJudged => false,
        });
        let first = judges.next()?;
        let go = std::iter::once(first).chain(judges).all(|agent| match &agent.status {
            AgentStatus::Ran { verdict, .. } => *verdict == Verdict::Go,
            AgentStatus::Failed { .. } | AgentStatus::DidNotRun { .. } => false,
        });
        Some(if go { Verdict::Go } else { Verdict::NoGo })
    }

    /// Columns over all agents that ran.
    pub fn totals(&self) -> Counts {
        let mut totals = Counts::default();
        for agent in &self.agents {
            if let AgentStatus::Ran { counts, .. } = &agent.status {
                for tag in crate::model::Tag::ALL {
                    *totals.column_mut(tag) += counts.column(tag);
                }
                totals.outstanding += counts.outstanding;
            }
        }
        totals
    }

    /// The run counters over all agents that ran.
    pub fn since(&self) -> SinceLastRun {
        let mut sum = SinceLastRun::default();
        for agent in &self.agents {
            if let AgentStatus::Ran { since, .. } = &agent.status {
                sum.resolved += since.resolved;
                sum.still_open += since.still_open;
                sum.newly_added += since.newly_added;
                sum.incorrect_fix += since.incorrect_fix;
                sum.improperly_resolved += since.improperly_resolved;
                sum.disagreements += since.disagreements;
            }
        }
        sum
    }

    /// The highest run ordinal.
    pub fn run(&self) -> u32 {
        let runs = self.agents.iter().filter_map(|agent| match &agent.status {
            AgentStatus::Ran { run, .. } => Some(*run),
            AgentStatus::Failed { .. } | AgentStatus::DidNotRun { .. } => None,
        });
        runs.max().unwrap_or(0)
    }

    /// Whether there is anything to tell anybody (spec 50 "Quiet by nature").
    pub fn has_something_to_say(&self) -> bool {
        !self.warnings.is_empty()
            || !self.notes.is_empty()
            || self.agents.iter().any(|agent| match &agent.status {
                AgentStatus::Ran { counts, .. } => counts.total() > 0,
                AgentStatus::Failed { .. } => true,
                AgentStatus::DidNotRun { .. } => false,
            })
    }

    /// Whether something happened in this run: only then are its counters shown anew.
    pub fn something_happened(&self) -> bool {
        let SinceLastRun {
            resolved,
            still_open: _,
            newly_added,
            incorrect_fix,
            improperly_resolved,
            disagreements,
        } = self.since();
        resolved + newly_added + incorrect_fix + improperly_resolved + disagreements > 0
    }
}
