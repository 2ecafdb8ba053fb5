//! One pull request, whole: every agent in config order, then the summary.

use rereview_core::decide::{Equivalence, Policy};
use rereview_core::footer::Marker;
use rereview_core::ids::{Account, PrNumber, Sha};
use rereview_core::inventory::{Beliefs, Oddity, people_to_judge};
use rereview_core::maintainers::{Maintainers, Origin};
use rereview_core::model::{
    Agent, AgentRun, NoteState, PullState, ReviewState, Snapshot, Trust, Verdict,
};
use rereview_core::render;
use rereview_core::summary::{AgentRow, AgentStatus, MustFix, NoteLine, Summary, Warning};
use rereview_core::writes::{NewReview, ReviewEvent};
use tracing::{info, warn};

use super::agent::{AgentEnd, AgentOutcome, Context, Mode, Seen, read, run_agent};
use super::execute::Executor;
use super::trees::Trees;
use crate::error::Error;
use crate::forge::{Forge, ForgeError, Permission};

/// Where the summary lives (spec 50).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gate {
    /// A COMMENT review's body; the exit status is the gate.
    #[default]
    Check,
    /// The step summary only.
    None,
}

/// What a run on one pull request is asked to do.
#[derive(Clone, Debug)]
pub struct Job {
    /// How footers are spelled.
    pub marker: Marker,
    /// The config's `trusted-authors`.
    pub trusted: Vec<Account>,
    /// All but the permissions, which are asked for as needed.
    pub maintainers: Maintainers,
    /// The config's `equivalent-classes`.
    pub equivalence: Equivalence,
    /// Most new comments per agent and run.
    pub max_new_comments: usize,
    /// See [`Gate`].
    pub gate: Gate,
    /// See [`Mode`].
    pub mode: Mode,
}

/// An agent and what its reviewer said.
#[derive(Clone, Debug)]
pub struct Voice {
    /// Who.
    pub agent: Agent,
    /// What.
    pub run: AgentRun,
}

/// What became of an agent.
#[derive(Clone, Debug)]
pub struct AgentReport {
    /// Who.
    pub agent: Agent,
    /// All that was found and done; `None`: it failed or did not run.
    pub outcome: Option<Box<AgentOutcome>>,
    /// Results that its reviewer's answer holds and that are not findings.
    pub skipped: Vec<rereview_core::model::Skipped>,
}

/// What a run on one pull request came to.
#[derive(Clone, Debug)]
pub struct PullReport {
    /// Which.
    pub pull: PrNumber,
    /// The analysed commit.
    pub head: Sha,
    /// In config order.
    pub agents: Vec<AgentReport>,
    /// The page.
    pub summary: Summary,
    /// The page's address, if it stands on the pull request.
    pub summary_url: Option<String>,
    /// Set when the token may not write: the sentence for people.
    pub read_only: Option<String>,
    /// Set when a newer head made this run's work stale: nothing was written.
    pub stale: Option<Sha>,
}

impl PullReport {
    /// Go or No-Go, for the gate.
    pub fn verdict(&self) -> Verdict {
        self.summary.verdict()
    }
}

/// Runs every voice on one pull request, in order, each seeing what the earlier ones posted.
pub async fn review_pull<F: Forge>(
    forge: &F,
    job: &Job,
    voices: &[Voice],
    trees: &Trees<'_>,
    seen: &mut Seen,
) -> Result<PullReport, Error> {
    let pull = seen.snapshot.pull.number;
    let trust = Trust::new(&seen.snapshot.viewer, job.trusted.iter().cloned());
    let mut run = PullRun {
        forge,
        job,
        trees,
        pull,
        trust,
        rows: Vec::new(),
        reports: Vec::new(),
        warnings: Vec::new(),
        mode: job.mode,
        read_only: None,
        stale: None,
    };
    if seen.snapshot.pull.head != *trees.head() {
        run.is_stale(seen.snapshot.pull.head.clone());
    } else if seen.snapshot.pull.state == PullState::Open {
        run.clear_drafts(&seen.snapshot).await?;
    }
    for voice in voices {
        run.hear(voice, seen).await?;
    }
    run.conclude(seen).await
}

struct PullRun<'a, F> {
    forge: &'a F,
    job: &'a Job,
    trees: &'a Trees<'a>,
    pull: PrNumber,
    trust: Trust,
    rows: Vec<AgentRow>,
    reports: Vec<AgentReport>,
    warnings: Vec<Warning>,
    mode: Mode,
    read_only: Option<String>,
    stale: Option<Sha>,
}

impl<F: Forge> PullRun<'_, F> {
    /// A newer run writes; this one only says what it found.
    fn is_stale(&mut self, newer: Sha) {
        if self.stale.is_none() {
            warn!("a newer head exists: {newer}; nothing is written for {}", self.trees.head());
            self.warnings.push(Warning::NewerHead(newer.clone()));
            self.stale = Some(newer);
        }
        self.mode = Mode::DryRun;
    }

    /// A pending review of our own identity blocks every post (spec 20 §6).
    async fn clear_drafts(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let drafts = snapshot.reviews.iter().filter(|review| {
            review.state == ReviewState::Pending && self.trust.is_viewer(review.author.as_ref())
        });
        for draft in drafts {
            if draft.comment_count > 0 || !draft.body.trim().is_empty() {
                return Err(Error::set_up(
                    format!(
                        "{} has a pending review with content on this pull request, and GitHub \
                         takes no other review beside it",
                        snapshot.viewer.0
                    ),
                    "submit or discard that draft, or run rereview with a token of its own",
                ));
            }
            if self.mode == Mode::Write {
                self.forge.delete_pending_review(self.pull, draft.id).await?;
                info!("deleted an empty pending review of our own");
            }
        }
        Ok(())
    }

    async fn hear(&mut self, voice: &Voice, seen: &mut Seen) -> Result<(), Error> {
        let agent = &voice.agent;
        let (reported, analysed, skipped) = match &voice.run {
            AgentRun::Ran { reported, analysed, skipped } => (reported, analysed, skipped),
            AgentRun::Failed(failure) => {
                warn!("{}: FAILED: {}", agent.name, failure.reason);
                let reason = failure.reason.clone();
                self.note(agent, AgentStatus::Failed { reason }, None, Vec::new());
                return Ok(());
            }
            AgentRun::DidNotRun(why) => {
                info!("{}: did not run: {}", agent.name, why.reason);
                let reason = why.reason.clone();
                self.note(agent, AgentStatus::DidNotRun { reason }, None, Vec::new());
                return Ok(());
            }
        };
        let beliefs = self.beliefs(&seen.snapshot).await?;
        let policy = Policy {
            equivalence: self.job.equivalence.clone(),
            max_new_comments: self.job.max_new_comments,
        };
        let context = Context {
            forge: self.forge,
            pull: self.pull,
            beliefs: &beliefs,
            policy: &policy,
            trees: self.trees,
            mode: self.mode,
        };
        let planned = Context { mode: Mode::DryRun, ..context };
        let end = match run_agent(&context, agent, reported, analysed, seen).await {
            Err(Error::Forge(error @ ForgeError::Forbidden { .. })) => {
                self.is_read_only(&error);
                run_agent(&planned, agent, reported, analysed, seen).await?
            }
            end => end?,
        };
        let outcome = match end {
            AgentEnd::Done(outcome) => outcome,
            AgentEnd::Stale { newer } => {
                self.is_stale(newer);
                match run_agent(&planned, agent, reported, analysed, seen).await? {
                    AgentEnd::Done(outcome) => outcome,
                    AgentEnd::Stale { .. } => return Ok(()),
                }
            }
        };
        self.warn_of(&outcome);
        let metadata = &outcome.metadata;
        let status = AgentStatus::Ran {
            counts: metadata.counts,
            since: metadata.since_last_run,
            verdict: metadata.verdict,
            run: metadata.run,
        };
        self.note(agent, status, Some(outcome), skipped.clone());
        Ok(())
    }

    /// Everything is still computed and said in the log, the step summary and the exit status.
    fn is_read_only(&mut self, error: &ForgeError) {
        let sentence = format!("nothing could be posted: {error}");
        warn!("{sentence}");
        self.warnings.push(Warning::Refused(sentence.clone()));
        self.read_only = Some(sentence);
        self.mode = Mode::DryRun;
    }

    fn warn_of(&mut self, outcome: &AgentOutcome) {
        for what in &outcome.refused {
            warn!("{what}");
            self.warn_once(Warning::Refused(what.clone()));
        }
        for oddity in &outcome.before.oddities {
            let warning = match oddity {
                Oddity::ForgedFooter { by, url } => Warning::ForgedFooter {
                    by: by
                        .as_ref()
                        .map_or_else(|| "a deleted account".to_owned(), Account::to_string),
                    url: url.clone(),
                },
                Oddity::BrokenMetadata { url, reason } => {
                    Warning::BrokenMetadata { url: url.clone(), reason: reason.clone() }
                }
            };
            self.warn_once(warning);
        }
    }

    fn warn_once(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn note(
        &mut self,
        agent: &Agent,
        status: AgentStatus,
        outcome: Option<Box<AgentOutcome>>,
        skipped: Vec<rereview_core::model::Skipped>,
    ) {
        self.rows.push(AgentRow {
            name: agent.name.clone(),
            label: agent.label.clone(),
            ci_safety: agent.ci_safety,
            status,
        });
        self.reports.push(AgentReport { agent: agent.clone(), outcome, skipped });
    }

    /// Whose words count on this pull request; asks for permissions that matter and are unknown.
    async fn beliefs(&self, snapshot: &Snapshot) -> Result<Beliefs, Error> {
        let mut maintainers = self.job.maintainers.clone();
        maintainers.author = snapshot.pull.author.clone();
        let mut beliefs =
            Beliefs { marker: self.job.marker.clone(), trust: self.trust.clone(), maintainers };
        if !beliefs.maintainers.from.contains(&Origin::Permission) {
            return Ok(beliefs);
        }
        let people = people_to_judge(snapshot, &self.trust, &self.job.marker);
        for account in people {
            let known = snapshot
                .threads
                .iter()
                .all(|thread| beliefs.maintainers.rules(&account, &thread.path));
            if !known && self.forge.permission(&account).await? >= Permission::Maintain {
                beliefs.maintainers.permitted.insert(account);
            }
        }
        Ok(beliefs)
    }

    async fn conclude(mut self, seen: &mut Seen) -> Result<PullReport, Error> {
        let mut summary = Summary {
            head: self.trees.head().clone(),
            agents: std::mem::take(&mut self.rows),
            must_fix: self.must_fix(),
            notes: self.notes(),
            warnings: self.warnings.clone(),
        };
        let summary_url = match (self.job.gate, self.mode) {
            (Gate::Check, Mode::Write) => match self.publish(&summary, seen).await {
                Ok(url) => url,
                Err(Error::Forge(error @ ForgeError::Forbidden { .. })) => {
                    self.is_read_only(&error);
                    summary.warnings.clone_from(&self.warnings);
                    None
                }
                Err(error) => return Err(error),
            },
            (Gate::Check, Mode::DryRun) | (Gate::None, _) => None,
        };
        Ok(PullReport {
            pull: self.pull,
            head: self.trees.head().clone(),
            agents: self.reports,
            summary,
            summary_url,
            read_only: self.read_only,
            stale: self.stale,
        })
    }

    fn must_fix(&self) -> Vec<MustFix> {
        let of = |(report, outcome): (&AgentReport, &AgentOutcome)| {
            let label = report.agent.label.clone();
            let found = outcome.must_fix.clone().into_iter();
            found.map(move |finding| MustFix { label: label.clone(), finding })
        };
        self.outcomes().flat_map(of).collect()
    }

    fn notes(&self) -> Vec<NoteLine> {
        let of = |(report, outcome): (&AgentReport, &AgentOutcome)| {
            let label = report.agent.label.clone();
            let notes = outcome.metadata.state.notes.clone().into_iter();
            let open = notes.filter(|note| note.state == NoteState::Open);
            open.map(move |note| NoteLine { label: label.clone(), note })
        };
        self.outcomes().flat_map(of).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = (&AgentReport, &AgentOutcome)> {
        self.reports.iter().filter_map(|report| Some((report, report.outcome.as_deref()?)))
    }

    /// Creates the summary the first time there is something to say, then keeps it in place and
    /// writes it only when its content changed (spec 50).
    async fn publish(&self, summary: &Summary, seen: &mut Seen) -> Result<Option<String>, Error> {
        let marker = &self.job.marker;
        let executor = Executor { forge: self.forge, pull: self.pull, trust: &self.trust, marker };
        let standing = seen
            .snapshot
            .reviews
            .iter()
            .filter(|review| {
                self.trust.is_viewer(review.author.as_ref())
                    && review.state != ReviewState::Pending
                    && render::summary::is_summary(&review.body, marker)
            })
            .max_by_key(|review| (review.submitted_at.clone(), review.id));
        let Some(standing) = standing else {
            if !summary.has_something_to_say() {
                return Ok(None);
            }
            let review = NewReview {
                commit: self.trees.head().clone(),
                event: ReviewEvent::Comment,
                body: render::summary::body(summary, marker, None),
                comments: Vec::new(),
            };
            let id = executor.review(&review, &seen.snapshot).await?;
            let page = &seen.snapshot.pull.url;
            return Ok(id.map(|id| format!("{page}#pullrequestreview-{id}")));
        };
        let body = render::summary::body(summary, marker, Some(&standing.body));
        if body.trim() != standing.body.replace("\r\n", "\n").trim() {
            executor.body(standing.id, &body).await?;
        }
        Ok(Some(standing.url.clone()))
    }
}

/// Reads a pull request for a run.
pub async fn look<F: Forge>(forge: &F, pull: PrNumber) -> Result<Seen, Error> {
    Ok(read(forge, pull).await?)
}
