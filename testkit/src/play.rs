//! rereview itself as the runner of a simulated history.

use std::collections::{BTreeMap, BTreeSet};

use rereview::error::Error;
use rereview::git::Repository;
use rereview::run::agent::Mode;
use rereview::run::pull::{Gate, Job, PullReport, Voice, look, review_pull};
use rereview::run::trees::Trees;
use rereview_core::decide::{Act, Equivalence};
use rereview_core::footer::Marker;
use rereview_core::ids::{AgentName, FindingClass, Label, PrNumber, RepoPath, Sha};
use rereview_core::inventory::KnownKey;
use rereview_core::maintainers::{Maintainers, Origin};
use rereview_core::model::{
    Agent, AgentRun, Analysed, Confidence, Level, LineSpan, NoteState, Reported, Severity,
};

use crate::findings::Found;
use crate::invariants::{Analysis, Truth};
use crate::memory::MemoryForge;
use crate::simulate::{LINTER, Ran, Simulation};

/// One run on the simulated pull request, as the binary would make it.
pub fn rereview(sim: &Simulation) -> Ran {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let Ok(runtime) = runtime else { return Ran::Died };
    match runtime.block_on(run(sim)) {
        Ok(report) if report.stale.is_none() && report.read_only.is_none() => {
            Ran::Ended(BTreeMap::from([(LINTER.to_owned(), truth(&report))]))
        }
        Ok(_) | Err(_) => Ran::Died,
    }
}

async fn run(sim: &Simulation) -> Result<PullReport, Error> {
    let found = sim.report();
    let reported: Vec<Reported> = found.iter().filter_map(reported).collect();
    let place = Place { path: sim.repo.path(), base: &sim.base, head: &sim.head };
    review(&sim.forge, place, reported).await
}

/// Where a run reads the code.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The repository.
    pub path: &'a std::path::Path,
    /// What the pull request goes to.
    pub base: &'a Sha,
    /// The commit under review.
    pub head: &'a Sha,
}

/// A finding of the simulated reviewer as rereview takes it.
pub fn reported(found: &Found<'_>) -> Option<Reported> {
    Some(Reported {
        path: RepoPath::new(found.path).ok()?,
        lines: found.line.map(LineSpan::line),
        column: None,
        class: FindingClass::from_rule(found.class),
        severity: Severity::Level(match found.level {
            "error" => Level::Error,
            "warning" => Level::Warning,
            _ => Level::Note,
        }),
        title: found.message.to_owned(),
        body: String::new(),
        suggestion: None,
        confidence: Confidence::Normal,
    })
}

/// One agent's run, called `lint`, on the pull request number 1 of a forge.
pub async fn review(
    forge: &MemoryForge,
    place: Place<'_>,
    reported: Vec<Reported>,
) -> Result<PullReport, Error> {
    let internal = |error: &dyn std::fmt::Display| Error::Internal(error.to_string());
    let repository = Repository::open(place.path)?;
    let mut seen = look(forge, PrNumber(1)).await?;
    let trees = Trees::new(&repository, place.base, place.head)?;
    let name = AgentName::new(LINTER).map_err(|e| internal(&e))?;
    let label = Label::new("Lint").map_err(|e| internal(&e))?;
    let voice = Voice {
        agent: Agent::plain(name, label),
        run: AgentRun::Ran { reported, analysed: Analysed::Everything, skipped: Vec::new() },
    };
    let job = Job {
        marker: Marker::default(),
        trusted: Vec::new(),
        maintainers: Maintainers { from: vec![Origin::Permission], ..Maintainers::default() },
        equivalence: Equivalence::default(),
        max_new_comments: 60,
        gate: Gate::Check,
        mode: Mode::Write,
    };
    review_pull(forge, &job, &[voice], &trees, &mut seen).await
}

/// What the run found: the names of every finding with a thread, and those it went by before.
fn truth(report: &PullReport) -> Truth {
    let outcomes = report.agents.iter().filter_map(|agent| agent.outcome.as_ref());
    let mut present = BTreeSet::new();
    for outcome in outcomes {
        let notes = outcome.metadata.state.notes.iter();
        let noted: BTreeSet<String> = notes
            .filter(|note| note.state == NoteState::Open)
            .map(|note| note.key.to_string())
            .collect();
        for decision in outcome.decisions.iter().filter(|decision| decision.finding.is_some()) {
            // A finding that is a note lives in the metadata: no thread is its home.
            let name = decision.name.as_ref().map(|(key, _)| key.prefix().to_string());
            if name.is_none_or(|name| noted.contains(&name)) {
                continue;
            }
            present.extend(decision.name.iter().map(|(key, _)| key.to_string()));
            // What was told anew leaves its old names with the old thread.
            let told_anew = matches!(decision.act, Act::Post { .. } | Act::Repost);
            let keeps = !told_anew && !decision.rename;
            let prior = decision.prior.filter(|_| keeps).map(|at| &outcome.before.priors[at]);
            // Its last footer is its name now, for whoever does not ask rereview.
            for key in prior.iter().filter_map(|prior| prior.keys.last()) {
                match key {
                    KnownKey::Whole(key) => {
                        present.insert(key.to_string());
                    }
                    KnownKey::Prefix(_) => {}
                }
            }
        }
    }
    Truth { present, analysis: Analysis::Complete }
}
