//! Seeded histories of a pull request: pushes, people, reviewers' whims, runs, faults.
//!
//! A history is plain data, so that a failing one replays from its seed and shrinks by leaving
//! steps out. Numbers in steps are taken modulo what is there when the step comes.

use crate::faults::{Effect, Fault, When};
use crate::people::OldHead;

mod world;

pub use world::{LINTER, Ran, Simulation};

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// `dev`, the pull request's author.
    Author,
    /// `alice`, a core maintainer.
    Maintainer,
}

/// A change of a file; files and lines by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A new line of the pool before a line.
    Insert(u32, u32, u32),
    /// Away with a line.
    Delete(u32, u32),
    /// A line of the pool in place of a line.
    Replace(u32, u32, u32),
    /// A line goes elsewhere in its file.
    Move(u32, u32, u32),
    /// A file gets another name.
    Rename(u32, u32),
}

/// One step of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The author pushes.
    Push(Vec<Edit>),
    /// The author pushes another history with these changes in it.
    ForcePush(Vec<Edit>, OldHead),
    /// The base branch goes on, and is merged into the pull request's.
    MergeBase,
    /// Somebody answers in a thread.
    Reply(Who, u32),
    /// Somebody resolves a thread.
    Resolve(Who, u32),
    /// Somebody opens a thread again.
    Unresolve(Who, u32),
    /// The author pastes a thread's footer into a new thread, and a forged "fixed" into it.
    ForgeFooter(u32),
    /// The reviewer stops reporting a class, or reports it again.
    ReportChanges(u32),
    /// rereview runs.
    Run,
    /// It runs again on the same state, which must change nothing.
    RunTwice,
    /// It runs into a fault, then once more without: as if there had been none.
    Fault(When, Fault),
}

/// Splitmix64: small, seeded, the same everywhere.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn number(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    fn below(&mut self, end: u32) -> u32 {
        self.number() % end
    }

    fn edit(&mut self) -> Edit {
        let (file, line, other) = (self.number(), self.number(), self.number());
        match self.below(12) {
            0..=3 => Edit::Insert(file, line, other),
            4..=6 => Edit::Delete(file, line),
            7..=8 => Edit::Replace(file, line, other),
            9..=10 => Edit::Move(file, line, other),
            _ => Edit::Rename(file, other),
        }
    }

    fn edits(&mut self) -> Vec<Edit> {
        (0..=self.below(5)).map(|_| self.edit()).collect()
    }

    fn who(&mut self) -> Who {
        if self.below(3) == 0 { Who::Maintainer } else { Who::Author }
    }

    fn fault(&mut self) -> Step {
        let effect = match self.below(3) {
            0 => Effect::Nothing,
            1 => Effect::Steps(1 + self.below(3) as usize),
            _ => Effect::Everything,
        };
        let fault = match self.below(6) {
            0 => Fault::Unavailable,
            1 => Fault::RateLimited { seconds: 600 },
            2 | 3 => Fault::Dropped(effect),
            // Who is killed never learns how far a request came, and GitHub keeps no record of an
            // un-resolve: a server that stops between row 4's un-resolve and its reply loses the
            // reply for good. A request that came through is carried out whole.
            _ => Fault::Killed(match effect {
                Effect::Nothing => Effect::Nothing,
                Effect::Steps(_) | Effect::Everything => Effect::Everything,
            }),
        };
        Step::Fault(When::Request(self.below(7) as usize), fault)
    }

    fn step(&mut self) -> Step {
        let thread = self.number();
        match self.below(30) {
            0..=5 => Step::Push(self.edits()),
            6 => Step::ForcePush(
                self.edits(),
                if self.below(2) == 0 { OldHead::Kept } else { OldHead::Forgotten },
            ),
            7 => Step::MergeBase,
            8..=10 => Step::Reply(self.who(), thread),
            11..=13 => Step::Resolve(self.who(), thread),
            14 => Step::Unresolve(self.who(), thread),
            15 => Step::ForgeFooter(thread),
            16..=17 => Step::ReportChanges(thread),
            18..=24 => Step::Run,
            25..=26 => Step::RunTwice,
            _ => self.fault(),
        }
    }
}

/// The history of a seed; it begins with a push and ends with a run.
pub fn history(seed: u64, length: usize) -> Vec<Step> {
    let mut random = Random(seed);
    let mut steps = vec![Step::Push((0..8).map(|_| random.edit()).collect()), Step::Run];
    steps.extend((0..length).map(|_| random.step()));
    steps.push(Step::RunTwice);
    steps
}

/// A history that still fails, and from which no step can be left out.
pub fn shrink(mut steps: Vec<Step>, mut fails: impl FnMut(&[Step]) -> bool) -> Vec<Step> {
    let mut i = 0;
    while i < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(i);
        if fails(&fewer) {
            steps = fewer;
            i = 0;
        } else {
            i += 1;
        }
    }
    steps
}
