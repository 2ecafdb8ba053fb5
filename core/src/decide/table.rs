//! The table of phase C (spec 20 §3): which row a situation meets.

use std::fmt;

/// Whether a prior finding is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// A finding of today is the same one.
    Present,
    /// The reviewer looked and did not find it.
    Absent,
    /// The reviewer did not look there, or nobody can tell.
    Unknown,
}

/// How a thread was closed, as the table distinguishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closing {
    /// It is open.
    Open,
    /// By a core maintainer: a ruling.
    Maintainer,
    /// By anybody else, also a deleted account or a bot.
    Other,
}

/// Whether this is the home of its finding, or an older thread of the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Age {
    /// No newer thread carries its key.
    Newest,
    /// A newer one does; this one only counts.
    Older,
}

/// The facts of a prior finding's thread that the table looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadFacts {
    /// See [`Closing`].
    pub closing: Closing,
    /// The summary closed it in favour of another.
    pub duplicate: bool,
    /// An own `Fixed in` reply is in it.
    pub fixed_by_us: bool,
    /// Its commit is gone.
    pub orphaned: bool,
    /// See [`Age`].
    pub age: Age,
    /// A contributor answered.
    pub answered: bool,
    /// A human was called already.
    pub escalated: bool,
}

/// The facts of a finding without a past that the table looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewFacts {
    /// A prior finding of another class in the same symbol went away with this push.
    pub neighbour_went_away: bool,
    /// Another agent's open thread at this place is about the same issue.
    pub same_issue_elsewhere: bool,
}

/// What the table is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Situation {
    /// A finding that was told before.
    Prior(Presence, ThreadFacts),
    /// A finding that was not.
    New(NewFacts),
}

/// The rows of the table, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// 1: the finding lives on the canonical thread.
    Duplicate,
    /// 2: a maintainer has ruled.
    Adjudicated,
    /// 3: fixed once, here again.
    Reintroduced,
    /// 4: resolved over a live finding.
    ImproperlyResolved,
    /// 5: its thread lost its commit, or a newer thread took over.
    Superseded,
    /// 6: somebody disagrees, and no human was called yet.
    Disagreement,
    /// 7: nothing new.
    StillOpen,
    /// 8: the code shows the fix.
    CleanResolution,
    /// 9: we said so, and could not close it.
    ResolveAgain,
    /// 10: gone and closed.
    Settled,
    /// 11: nobody looked.
    Unknown,
    /// 12: another defect where one was just fixed.
    IncorrectFix,
    /// 13: another agent says the same.
    Concur,
    /// 14: new.
    New,
}

impl Row {
    /// All rows in the order of their numbers.
    pub const ALL: [Self; 14] = [
        Self::Duplicate,
        Self::Adjudicated,
        Self::Reintroduced,
        Self::ImproperlyResolved,
        Self::Superseded,
        Self::Disagreement,
        Self::StillOpen,
        Self::CleanResolution,
        Self::ResolveAgain,
        Self::Settled,
        Self::Unknown,
        Self::IncorrectFix,
        Self::Concur,
        Self::New,
    ];

    /// Its number in the table.
    pub fn number(self) -> u32 {
        match self {
            Self::Duplicate => 1,
            Self::Adjudicated => 2,
            Self::Reintroduced => 3,
            Self::ImproperlyResolved => 4,
            Self::Superseded => 5,
            Self::Disagreement => 6,
            Self::StillOpen => 7,
            Self::CleanResolution => 8,
            Self::ResolveAgain => 9,
            Self::Settled => 10,
            Self::Unknown => 11,
            Self::IncorrectFix => 12,
            Self::Concur => 13,
            Self::New => 14,
        }
    }

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "closed as duplicate",
            Self::Adjudicated => "adjudicated",
            Self::Reintroduced => "re-introduced",
            Self::ImproperlyResolved => "improperly resolved",
            Self::Superseded => "superseded",
            Self::Disagreement => "disagreement",
            Self::StillOpen => "still open",
            Self::CleanResolution => "clean resolution",
            Self::ResolveAgain => "resolve again",
            Self::Settled => "already settled",
            Self::Unknown => "not analysed",
            Self::IncorrectFix => "incorrect-fix follow-up",
            Self::Concur => "concur",
            Self::New => "new",
        }
    }

    /// Why this row does what it does, for the log, the report and `--dry-run`.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Duplicate => "the finding lives on the canonical thread",
            Self::Adjudicated => "a maintainer resolved it: the ruling stands",
            Self::Reintroduced => "it was fixed and is here again",
            Self::ImproperlyResolved => "somebody resolved it while it still applies",
            Self::Superseded => "its thread is not its home any more",
            Self::Disagreement => "somebody answered and it still applies: a human decides",
            Self::StillOpen => "it still applies and its thread is open",
            Self::CleanResolution => "the code shows the fix",
            Self::ResolveAgain => "it is fixed and said so, but the thread was not closed",
            Self::Settled => "it is gone and its thread is closed",
            Self::Unknown => "the reviewer did not look there",
            Self::IncorrectFix => "another defect where one was just fixed",
            Self::Concur => "another agent's open thread says the same",
            Self::New => "nobody said it before",
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.number())
    }
}

/// The row that a situation meets. Total: every situation meets one.
pub fn row_of(situation: Situation) -> Row {
    let (presence, facts) = match situation {
        Situation::Prior(presence, facts) => (presence, facts),
        Situation::New(facts) => return row_of_new(facts),
    };
    match (presence, facts.closing) {
        (Presence::Unknown, _) => Row::Unknown,
        (Presence::Absent, Closing::Maintainer | Closing::Other) => Row::Settled,
        (Presence::Absent, Closing::Open) if facts.fixed_by_us => Row::ResolveAgain,
        (Presence::Absent, Closing::Open) => Row::CleanResolution,
        (Presence::Present, _) if facts.duplicate => Row::Duplicate,
        (Presence::Present, closing) => match (closing, facts.age) {
            (Closing::Maintainer, _) => Row::Adjudicated,
            // Its finding is told on a newer thread.
            (Closing::Other, Age::Older) => Row::Settled,
            (Closing::Other, Age::Newest) if facts.fixed_by_us => Row::Reintroduced,
            (Closing::Other, Age::Newest) => Row::ImproperlyResolved,
            (Closing::Open, Age::Older) => Row::Superseded,
            (Closing::Open, Age::Newest) if facts.orphaned => Row::Superseded,
            (Closing::Open, Age::Newest) if facts.answered && !facts.escalated => Row::Disagreement,
            (Closing::Open, Age::Newest) => Row::StillOpen,
        },
    }
}

fn row_of_new(facts: NewFacts) -> Row {
    match (facts.neighbour_went_away, facts.same_issue_elsewhere) {
        (true, _) => Row::IncorrectFix,
        (false, true) => Row::Concur,
        (false, false) => Row::New,
    }
}

#[cfg(test)]
mod tests;
