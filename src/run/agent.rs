//! One agent's run on one pull request: phases A to D, top to bottom.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rereview_core::decide::{Act, Case, Decision, Policy, decide};
use rereview_core::ids::{PrNumber, ReviewId, Sha};
use rereview_core::inventory::{Beliefs, Inventory};
use rereview_core::matching::match_up;
use rereview_core::metadata;
use rereview_core::model::{
    Agent, Analysed, Metadata, NoteReason, Place, Reported, Snapshot, TreeFacts,
};
use rereview_core::record::{
    Aftermath, Books, Closed, NewFinding, Outstanding, Plan, close_books, plan, point_to_newer,
};
use rereview_core::scope::{Analysis, DropReason, Dropped, analyse};
use rereview_core::writes::{NewReview, ReviewEvent, ThreadChange, ThreadWrite};
use tracing::{debug, info, warn};

use super::execute::Executor;
use super::trees::Trees;
use crate::error::Error;
use crate::forge::{Forge, ForgeError, Step, ThreadOutcome};

/// How old an inventory may be when the first write is made on its word (spec 80 §1).
const FRESH: Duration = Duration::from_secs(10);
/// How often a run starts over because another run wrote in between.
const RESTARTS: u32 = 3;

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything is carried out.
    Write,
    /// Everything is computed, nothing is written.
    DryRun,
}

/// A snapshot and when it was read.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What the forge showed.
    pub snapshot: Snapshot,
    /// When it was read.
    pub at: Instant,
}

/// What an agent's run needs beside its own findings.
#[derive(Debug)]
pub struct Context<'a, F> {
    /// Where threads live.
    pub forge: &'a F,
    /// Which pull request.
    pub pull: PrNumber,
    /// Whose words count.
    pub beliefs: &'a Beliefs,
    /// Beyond the facts.
    pub policy: &'a Policy,
    /// The trees at the head.
    pub trees: &'a Trees<'a>,
    /// See [`Mode`].
    pub mode: Mode,
}

/// What an agent's run came to.
#[derive(Clone, Debug)]
pub struct AgentOutcome {
    /// What was known before.
    pub before: Inventory,
    /// What was true on the head.
    pub analysis: Analysis,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// What was to be written.
    pub plan: Plan,
    /// What is known after; equal to `before` on a dry run.
    pub after: Inventory,
    /// The books.
    pub metadata: Metadata,
    /// What GitHub refused, in words.
    pub refused: Vec<String>,
    /// The must-fix findings that stand.
    pub must_fix: Vec<Outstanding>,
}

/// How an agent's run ended.
#[derive(Clone, Debug)]
pub enum AgentEnd {
    /// All four phases.
    Done(Box<AgentOutcome>),
    /// The head moved: the newer head's run writes, this one did not.
    Stale {
        /// The newer head.
        newer: Sha,
    },
}

/// Runs phases A to D for one agent whose reviewer answered. `seen` is brought up to date.
pub async fn run_agent<F: Forge>(
    context: &Context<'_, F>,
    agent: &Agent,
    reported: &[Reported],
    analysed: &Analysed,
    seen: &mut Seen,
) -> Result<AgentEnd, Error> {
    for attempt in 0..RESTARTS {
        let desk = Desk::prepare(context, agent, reported, analysed, &seen.snapshot)?;
        if context.mode == Mode::DryRun {
            return Ok(AgentEnd::Done(Box::new(desk.into_planned())));
        }
        match desk.check(seen, attempt).await? {
            Check::Go => {
                return desk.carry_out(seen).await.map(|done| AgentEnd::Done(Box::new(done)));
            }
            Check::Moved(newer) => return Ok(AgentEnd::Stale { newer }),
            Check::Again => {
                info!("{}: reading the pull request again before the first write", agent.name);
                *seen = read(context.forge, context.pull).await?;
            }
        }
    }
    Err(Error::set_up(
        "another run keeps writing to this pull request at the same time",
        "give the workflow a concurrency group, as the README shows",
    ))
}

/// Reads the pull request, and notes when.
pub async fn read<F: Forge>(forge: &F, pull: PrNumber) -> Result<Seen, ForgeError> {
    let snapshot = forge.read(pull).await?;
    Ok(Seen { snapshot, at: Instant::now() })
}

enum Check {
    Go,
    Moved(Sha),
    Again,
}

/// One agent's phases A to C, done: everything is decided before the first write.
struct Desk<'a, F> {
    context: &'a Context<'a, F>,
    agent: &'a Agent,
    before: Inventory,
    trees: TreeFacts,
    maps: rereview_core::model::CommitMaps,
    analysis: Analysis,
    matches: rereview_core::matching::Matches,
    decisions: Vec<Decision>,
    plan: Plan,
}

impl<'a, F: Forge> Desk<'a, F> {
    fn prepare(
        context: &'a Context<'a, F>,
        agent: &'a Agent,
        reported: &[Reported],
        analysed: &Analysed,
        snapshot: &Snapshot,
    ) -> Result<Self, Error> {
        let before = Inventory::take(&agent.name, snapshot, context.beliefs);
        let trees = context.trees.facts(reported, before.scope_from(context.trees.head()))?;
        let maps = context.trees.maps(&before.commits_to_map())?;
        let analysis = analyse(agent, reported, analysed, &trees);
        let matches =
            match_up(agent.identity, &before.priors, &analysis.findings, &maps, &trees.files);
        let mut desk = Self {
            context,
            agent,
            before,
            trees,
            maps,
            analysis,
            matches,
            decisions: Vec::new(),
            plan: Plan::default(),
        };
        desk.decisions = decide(&desk.case());
        desk.plan = plan(&desk.case(), &desk.decisions, &context.beliefs.marker);
        desk.note_dropped();
        Ok(desk)
    }

    fn case(&self) -> Case<'_> {
        Case {
            agent: self.agent,
            inventory: &self.before,
            analysis: &self.analysis,
            trees: &self.trees,
            maps: &self.maps,
            matches: &self.matches,
            policy: self.context.policy,
            maintainers: &self.context.beliefs.maintainers,
        }
    }

    /// Findings outside the scope of this run are counted nowhere, but said in the log.
    fn note_dropped(&mut self) {
        for decision in &self.decisions {
            if let (Act::Drop, Some(at)) = (&decision.act, decision.finding) {
                let reported = self.analysis.findings[at].reported.clone();
                self.analysis.dropped.push(Dropped { reported, why: DropReason::OutOfScope });
            }
        }
        let mut counts: BTreeMap<DropReason, u32> = BTreeMap::new();
        for dropped in &self.analysis.dropped {
            *counts.entry(dropped.why).or_default() += 1;
        }
        for (why, count) in counts {
            info!("{}: {count} not told: {}", self.agent.name, why.as_str());
        }
    }

    /// The last look before the first write. A run that only brings its books up to date on a
    /// fresh inventory needs none.
    async fn check(&self, seen: &Seen, attempt: u32) -> Result<Check, Error> {
        let fresh = seen.at.elapsed() < FRESH;
        if fresh && self.plan.is_quiet() {
            return Ok(Check::Go);
        }
        if !fresh && attempt == 0 {
            // Decisions on an old list are not carried out: read it all again, once. A pull
            // request that takes longer than that to read and decide on is never fresher.
            return Ok(Check::Again);
        }
        let reviews: Vec<_> = self.before.metadata.iter().map(|m| m.node.clone()).collect();
        let glance = self.context.forge.glance(self.context.pull, &reviews).await?;
        if glance.head != self.trees.head {
            return Ok(Check::Moved(glance.head));
        }
        let marker = &self.context.beliefs.marker;
        let run_now = glance
            .bodies
            .first()
            .and_then(|body| metadata::parse(body.as_deref()?, marker).ok())
            .map(|metadata| metadata.run);
        let run_then = self.before.metadata.as_ref().map(|prior| prior.metadata.run);
        Ok(if run_now > run_then { Check::Again } else { Check::Go })
    }

    fn into_planned(self) -> AgentOutcome {
        let mut aftermath = Aftermath { posted: self.posted(), ..Aftermath::default() };
        aftermath.noted.extend(self.plan.notes.iter().map(|note| note.decision));
        let Closed { metadata, must_fix } = self.books(&self.before, &aftermath);
        AgentOutcome {
            after: self.before.clone(),
            before: self.before,
            analysis: self.analysis,
            decisions: self.decisions,
            plan: self.plan,
            metadata,
            refused: Vec::new(),
            must_fix,
        }
    }

    /// What is posted counts once: what replaces an orphan counts as that one does until the new
    /// thread is there.
    fn posted(&self) -> Vec<usize> {
        let fresh = self.plan.comments.iter().filter(|new| new.replaces.is_none());
        fresh.map(|new| new.finding).collect()
    }

    fn books(&self, after: &Inventory, aftermath: &Aftermath) -> Closed {
        close_books(&Books {
            agent: self.agent,
            before: &self.before,
            after,
            decisions: &self.decisions,
            findings: &self.analysis.findings,
            head: &self.trees.head,
            aftermath,
        })
    }

    async fn carry_out(mut self, seen: &mut Seen) -> Result<AgentOutcome, Error> {
        let (forge, pull) = (self.context.forge, self.context.pull);
        let beliefs = self.context.beliefs;
        let executor = Executor { forge, pull, trust: &beliefs.trust, marker: &beliefs.marker };
        let mut aftermath = Aftermath::default();
        aftermath.noted.extend(self.plan.notes.iter().map(|note| note.decision));
        let mut refused = Vec::new();
        let mut wrote = false;

        // 1. Replies, resolves, un-resolves; further names of threads.
        if !self.plan.threads.is_empty() {
            let outcomes = executor.threads(&self.plan.threads, &seen.snapshot).await?;
            note_refusals(&self.plan.threads, &outcomes, &mut aftermath, &mut refused);
            wrote = true;
        }
        for edit in &self.plan.edits {
            match executor.edit(edit).await {
                Ok(()) => wrote = true,
                // The key of an earlier run stays its only name: matching finds it by its line.
                Err(error @ (ForgeError::Forbidden { .. } | ForgeError::NotFound { .. })) => {
                    warn!("{}: {error}", self.agent.name);
                }
                Err(error) => return Err(error.into()),
            }
        }

        // 2. New comments: on the first run together with the metadata, later alone.
        let first_run = self.before.metadata.is_none();
        if first_run && wrote {
            *seen = read(forge, pull).await?;
        }
        if first_run || !self.plan.comments.is_empty() {
            self.post(&executor, seen, first_run, &mut aftermath).await?;
            wrote = true;
        }
        if wrote {
            *seen = read(forge, pull).await?;
        }
        if self.close_replaced(&executor, seen).await? {
            *seen = read(forge, pull).await?;
        }

        // 3. The books.
        let after = Inventory::take(&self.agent.name, &seen.snapshot, beliefs);
        // What is in the inventory by now is counted there.
        aftermath.posted.clear();
        let Closed { metadata, must_fix } = self.books(&after, &aftermath);
        if let Some(prior) = &self.before.metadata {
            let written = metadata::write(&metadata, &beliefs.marker);
            say_cut(&self.agent.name, &written.dropped);
            self.update(&executor, prior.review, &written.body, seen).await?;
        }
        Ok(AgentOutcome {
            before: self.before,
            analysis: self.analysis,
            decisions: self.decisions,
            plan: self.plan,
            after,
            metadata,
            refused,
            must_fix,
        })
    }

    /// Posts the new comments in one review. What GitHub refuses becomes a note, and the rest is
    /// posted once more (spec 20 §6).
    async fn post(
        &mut self,
        executor: &Executor<'_, F>,
        seen: &Seen,
        first_run: bool,
        aftermath: &mut Aftermath,
    ) -> Result<(), Error> {
        for attempt in 0..3 {
            aftermath.posted = self.posted();
            let body = if first_run {
                let now = Inventory::take(&self.agent.name, &seen.snapshot, self.context.beliefs);
                let Closed { metadata, .. } = self.books(&now, aftermath);
                metadata::write(&metadata, &self.context.beliefs.marker).body
            } else {
                String::new()
            };
            if body.is_empty() && self.plan.comments.is_empty() {
                return Ok(());
            }
            let review = NewReview {
                commit: self.trees.head.clone(),
                event: ReviewEvent::Comment,
                body,
                comments: self.plan.comments.iter().map(|new| new.comment.clone()).collect(),
            };
            match executor.review(&review, &seen.snapshot).await {
                Ok(_) => return Ok(()),
                Err(ForgeError::Unprocessable { task, message })
                    if !self.plan.comments.is_empty() =>
                {
                    warn!("{}: GitHub refused to {task}: {message}", self.agent.name);
                    let shown = self.context.forge.shown_lines(self.context.pull).await?;
                    self.turn_refused_into_notes(attempt, &shown, aftermath);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Forge(ForgeError::Unprocessable {
            task: "submit a review".to_owned(),
            message: "it was refused even without inline comments".to_owned(),
        }))
    }

    /// The first time those outside what GitHub shows, the second time all.
    fn turn_refused_into_notes(
        &mut self,
        attempt: u32,
        shown: &crate::forge::ShownLines,
        aftermath: &mut Aftermath,
    ) {
        let comments = std::mem::take(&mut self.plan.comments);
        for new in comments {
            let comment = &new.comment;
            let runs = shown.get(&comment.path).map(Vec::as_slice).unwrap_or_default();
            let first = comment.start_line.unwrap_or(comment.line);
            let fits = runs.iter().any(|run| run.contains(&first) && run.contains(&comment.line));
            if attempt == 0 && fits {
                self.plan.comments.push(new);
                continue;
            }
            self.analysis.findings[new.finding].place = Place::Note(NoteReason::Refused);
            if new.replaces.is_none() {
                aftermath.noted.insert(new.decision);
            } else {
                aftermath.not_posted.insert(new.decision);
            }
        }
    }

    /// Row 5, when the new thread exists: the old one points to it and is closed.
    async fn close_replaced(&self, executor: &Executor<'_, F>, seen: &Seen) -> Result<bool, Error> {
        let replaced: Vec<&NewFinding> =
            self.plan.comments.iter().filter(|new| new.replaces.is_some()).collect();
        if replaced.is_empty() {
            return Ok(false);
        }
        let now = Inventory::take(&self.agent.name, &seen.snapshot, self.context.beliefs);
        let case = self.case();
        let writes: Vec<ThreadWrite> = replaced
            .into_iter()
            .filter_map(|new| {
                let prior = self.decisions[new.decision].prior.map(|at| &self.before.priors[at])?;
                let old = prior.thread()?;
                let newer = now.priors.iter().rev().find_map(|candidate| {
                    let thread = candidate.thread()?;
                    let named = candidate.keys.iter().any(|key| key.names(&new.comment.key));
                    (named && thread.id != old.id).then_some(thread)
                })?;
                point_to_newer(&case, prior, old, &newer.url, &self.context.beliefs.marker)
            })
            .collect();
        executor.threads(&writes, &seen.snapshot).await?;
        Ok(!writes.is_empty())
    }

    /// Writes the books into the metadata review; if another identity wrote that, a fresh one.
    async fn update(
        &self,
        executor: &Executor<'_, F>,
        review: ReviewId,
        body: &str,
        seen: &mut Seen,
    ) -> Result<(), Error> {
        match executor.body(review, body).await {
            Ok(()) => Ok(()),
            Err(ForgeError::NotFound { .. } | ForgeError::Forbidden { .. }) => {
                debug!("{}: the metadata review cannot be edited; a fresh one", self.agent.name);
                let fresh = NewReview {
                    commit: self.trees.head.clone(),
                    event: ReviewEvent::Comment,
                    body: body.to_owned(),
                    comments: Vec::new(),
                };
                executor.review(&fresh, &seen.snapshot).await?;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn note_refusals(
    writes: &[ThreadWrite],
    outcomes: &[ThreadOutcome],
    aftermath: &mut Aftermath,
    refused: &mut Vec<String>,
) {
    let mut reasons: BTreeSet<(&str, String)> = BTreeSet::new();
    for (write, outcome) in writes.iter().zip(outcomes) {
        if let Step::Refused(reason) = &outcome.change {
            match write.change {
                ThreadChange::Unresolve => {
                    aftermath.unresolve_refused.insert(write.thread.clone());
                    reasons.insert(("un-resolve", reason.clone()));
                }
                ThreadChange::Resolve => {
                    reasons.insert(("resolve", reason.clone()));
                }
                ThreadChange::Keep => {}
            }
        }
        if let Step::Refused(reason) = &outcome.reply {
            reasons.insert(("reply to", reason.clone()));
        }
    }
    let asked = writes.iter().filter(|write| write.change == ThreadChange::Resolve).count();
    let done = writes
        .iter()
        .zip(outcomes)
        .filter(|(write, outcome)| {
            write.change == ThreadChange::Resolve && outcome.change == Step::Done
        })
        .count();
    for (what, reason) in reasons {
        let count = if what == "resolve" {
            format!(" ({done} of {asked} resolved)")
        } else {
            String::new()
        };
        refused.push(format!("GitHub refused to {what} threads{count}: {reason}"));
    }
}

fn say_cut(agent: &rereview_core::ids::AgentName, dropped: &[String]) {
    for what in dropped {
        warn!("{agent}: the metadata is full; {what}");
    }
}
