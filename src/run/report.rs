//! What a run leaves for machines: outputs, the JSON report, annotations (spec 50).

use rereview_core::decide::Act;
use rereview_core::model::{Tag, Verdict};
use serde_json::{Value, json};

use super::pull::PullReport;
use crate::actions::commands::{Annotation, AnnotationLevel};
use crate::settings::cli::FailOn;

/// The JSON report: every finding with its key, what was done and why.
pub fn to_json(pulls: &[PullReport], requests: u64, milliseconds: u128) -> Value {
    json!({
        "version": 1,
        "requests": requests,
        "milliseconds": u64::try_from(milliseconds).unwrap_or(u64::MAX),
        "pull_requests": pulls.iter().map(pull).collect::<Vec<_>>(),
    })
}

fn pull(report: &PullReport) -> Value {
    let agents: Vec<Value> = report
        .agents
        .iter()
        .zip(&report.summary.agents)
        .map(|(agent, row)| {
            let skipped: Vec<Value> = agent
                .skipped
                .iter()
                .map(|skipped| json!({ "what": skipped.what, "why": skipped.why }))
                .collect();
            let Some(outcome) = &agent.outcome else {
                return json!({ "name": row.name, "status": status(&row.status), "skipped": skipped });
            };
            let decisions: Vec<Value> = outcome
                .decisions
                .iter()
                .map(|decision| {
                    let finding = decision.finding.map(|at| &outcome.analysis.findings[at]);
                    let prior = decision.prior.map(|at| &outcome.before.priors[at]);
                    json!({
                        "row": decision.row.number(),
                        "name": decision.row.name(),
                        "action": act(&decision.act),
                        "reason": decision.row.reason(),
                        "key": decision.name.as_ref().map(|(key, _)| key.to_string()),
                        "class": decision.name.as_ref().map(|(_, twin)| twin.to_string()),
                        "path": finding.map(|f| f.reported.path.as_str())
                            .or(prior.map(|p| p.last.path.as_str())),
                        "line": finding.and_then(|f| f.reported.lines).map(|lines| lines.first),
                        "tag": finding.map(|f| f.tag.as_str()).or(prior.map(|p| p.tag.as_str())),
                        "title": finding.map(|f| f.reported.title.as_str()),
                        "thread": prior.and_then(|p| p.thread()).map(|thread| thread.url.as_str()),
                    })
                })
                .collect();
            let dropped: Vec<Value> = outcome
                .analysis
                .dropped
                .iter()
                .map(|dropped| {
                    json!({
                        "path": dropped.reported.path,
                        "class": dropped.reported.class,
                        "line": dropped.reported.lines.map(|lines| lines.first),
                        "why": dropped.why.as_str(),
                    })
                })
                .collect();
            json!({
                "name": row.name,
                "status": status(&row.status),
                "counts": outcome.metadata.counts,
                "since_last_run": outcome.metadata.since_last_run,
                "run": outcome.metadata.run,
                "verdict": outcome.metadata.verdict,
                "findings": decisions,
                "dropped": dropped,
                "skipped": skipped,
            })
        })
        .collect();
    json!({
        "number": report.pull,
        "head": report.head,
        "verdict": report.verdict(),
        "ci_safety": report.summary.ci_safety(),
        "summary_url": report.summary_url,
        "read_only": report.read_only,
        "agents": agents,
    })
}

fn status(status: &rereview_core::summary::AgentStatus) -> Value {
    use rereview_core::summary::AgentStatus;
    match status {
        AgentStatus::Ran { .. } => json!({ "ran": true }),
        AgentStatus::Failed { reason } => json!({ "failed": reason }),
        AgentStatus::DidNotRun { reason } => json!({ "did_not_run": reason }),
    }
}

fn act(act: &Act) -> &'static str {
    match act {
        Act::Leave => "nothing",
        Act::Post { .. } => "post",
        Act::Reopen { .. } => "un-resolve",
        Act::Repost => "post afresh",
        Act::PointToNewer { .. } => "point to the newer thread",
        Act::Escalate => "call a human",
        Act::Close { .. } => "resolve",
        Act::CloseAgain { .. } => "resolve again",
        Act::SettleNote => "settle the note",
        Act::Concur { .. } => "concur",
        Act::Drop => "out of scope",
    }
}

/// The step outputs of spec 50, over all pull requests of the run.
pub fn outputs(pulls: &[PullReport], report: &str) -> Vec<(&'static str, String)> {
    let verdict = overall(pulls);
    let judged: Vec<Verdict> = pulls.iter().filter_map(|pull| pull.summary.ci_safety()).collect();
    let ci_safety = match (judged.is_empty(), judged.contains(&Verdict::NoGo)) {
        (true, _) => "",
        (false, true) => Verdict::NoGo.as_str(),
        (false, false) => Verdict::Go.as_str(),
    };
    let sum = |count: fn(&PullReport) -> u32| -> String {
        pulls.iter().map(count).fold(0_u32, u32::saturating_add).to_string()
    };
    let must_fix: usize = pulls.iter().map(|pull| pull.summary.must_fix.len()).sum();
    let url = pulls.iter().find_map(|pull| pull.summary_url.clone()).unwrap_or_default();
    let run = pulls.iter().map(|pull| pull.summary.run()).max().unwrap_or(0);
    vec![
        ("verdict", verdict.as_str().to_owned()),
        ("ci-safety", ci_safety.to_owned()),
        ("merge-readiness", verdict.as_str().to_owned()),
        ("must-fix", must_fix.to_string()),
        ("outstanding", sum(|pull| pull.summary.totals().outstanding)),
        ("new", sum(|pull| pull.summary.since().newly_added)),
        ("resolved", sum(|pull| pull.summary.since().resolved)),
        ("improperly-resolved", sum(|pull| pull.summary.since().improperly_resolved)),
        ("disagreements", sum(|pull| pull.summary.since().disagreements)),
        ("run", run.to_string()),
        ("summary-url", url),
        ("report", report.to_owned()),
    ]
}

/// No-Go if any pull request is.
pub fn overall(pulls: &[PullReport]) -> Verdict {
    let go = pulls.iter().all(|pull| pull.verdict() == Verdict::Go);
    if go { Verdict::Go } else { Verdict::NoGo }
}

/// 0 or 1, by the input `fail-on`.
pub fn exit_code(pulls: &[PullReport], fail_on: FailOn) -> u8 {
    let outstanding = pulls.iter().any(|pull| pull.summary.totals().outstanding > 0);
    let no_go = overall(pulls) == Verdict::NoGo;
    match fail_on {
        FailOn::Never => 0,
        FailOn::MustFix => u8::from(no_go),
        FailOn::Any => u8::from(no_go || outstanding),
    }
}

/// What has no thread: findings outside the diff, and all new ones when nothing could be posted.
pub fn annotations(pulls: &[PullReport]) -> Vec<Annotation> {
    let mut all = Vec::new();
    for report in pulls {
        for agent in &report.agents {
            let Some(outcome) = &agent.outcome else { continue };
            let unposted = report.read_only.is_some() || report.stale.is_some();
            for decision in &outcome.decisions {
                let Some(finding) = decision.finding.map(|at| &outcome.analysis.findings[at])
                else {
                    continue;
                };
                let new = matches!(decision.act, Act::Post { .. } | Act::Repost);
                let note =
                    outcome.plan.notes.iter().any(|note| Some(note.finding) == decision.finding);
                let untold = note || (unposted && new);
                if !untold {
                    continue;
                }
                all.push(Annotation {
                    level: match finding.tag {
                        Tag::MustFix => AnnotationLevel::Error,
                        Tag::Suggestion | Tag::CouldFix => AnnotationLevel::Warning,
                        Tag::FutureWork => AnnotationLevel::Notice,
                    },
                    path: finding.reported.path.as_str().to_owned(),
                    line: finding.reported.lines.map(|lines| lines.first),
                    title: format!("[{}] {}", agent.agent.label, finding.tag),
                    message: finding.reported.title.clone(),
                });
            }
        }
    }
    all
}
