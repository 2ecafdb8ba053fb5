//! From the reports of other tools to what each agent says at the head (spec 40 §2).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rereview_core::ids::{AgentName, Label, Sha};
use rereview_core::model::{Agent, AgentRun, Analysed, DidNotRun, Failure, Reported, Skipped};
use tracing::info;

use super::pull::Voice;
use super::trees::Trees;
use crate::error::Error;
use crate::git::{GitError, Repository};
use crate::reviewers::{
    self, FileAt, Mapping, Outcome, ParseContext, Report, ReportResult, globs, map_to_head,
    to_suggestion,
};
use crate::settings::config::{AgentSpec, Source};

/// Where reports are looked for, and what they speak of.
#[derive(Debug)]
pub struct Reports<'a> {
    /// The checkout.
    pub workspace: &'a Path,
    /// The input `reports`.
    pub globs: &'a [String],
    /// The commit they were made on; `None`: not known.
    pub commit: Option<Sha>,
    /// Its objects.
    pub repository: &'a Repository,
}

/// One voice for each agent of the config, or for each tool in the reports without one.
///
/// # Errors
/// An unusable glob, or objects that cannot be read. What is wrong with a report fails its agent.
pub fn voices(
    specs: &[AgentSpec],
    reports: &Reports<'_>,
    trees: &Trees<'_>,
) -> Result<Vec<Voice>, Error> {
    if specs.is_empty() {
        return by_tool(reports, trees);
    }
    specs
        .iter()
        .map(|spec| {
            let run = hear(&spec.source, reports, trees)?;
            Ok(Voice { agent: spec.agent.clone(), run })
        })
        .collect()
}

fn hear(source: &Source, reports: &Reports<'_>, trees: &Trees<'_>) -> Result<AgentRun, Error> {
    let patterns = if source.reports.is_empty() { reports.globs } else { &source.reports };
    let files = expand(reports.workspace, patterns)?;
    if files.is_empty() {
        let reason = format!("no file matches {}", patterns.join(", "));
        return Ok(if source.optional {
            AgentRun::DidNotRun(DidNotRun { reason })
        } else {
            AgentRun::Failed(Failure { reason })
        });
    }
    let mut merged: Option<Report> = None;
    for file in &files {
        let read = match parse(file, source.format, reports) {
            Ok(read) => read,
            Err(reason) => return Ok(AgentRun::Failed(Failure { reason })),
        };
        let wanted = read.into_iter().filter(|report| match (&source.tool, &report.tool) {
            (Some(wanted), Some(tool)) => tool.eq_ignore_ascii_case(wanted),
            (Some(_), None) => false,
            (None, _) => true,
        });
        for report in wanted {
            merged = Some(match merged {
                Some(known) => known.merge(report),
                None => report,
            });
        }
    }
    match merged {
        Some(report) => at_head(report, reports, trees),
        None => {
            let reason = "the report speaks for no tool".to_owned();
            Ok(AgentRun::Failed(Failure { reason }))
        }
    }
}

/// Zero config: an agent named after each tool (spec 40 §3).
fn by_tool(reports: &Reports<'_>, trees: &Trees<'_>) -> Result<Vec<Voice>, Error> {
    let mut tools: BTreeMap<AgentName, (String, Report)> = BTreeMap::new();
    let mut voices = Vec::new();
    let files = expand(reports.workspace, reports.globs)?;
    if files.is_empty() && !reports.globs.is_empty() {
        let reason = format!("no file matches {}", reports.globs.join(", "));
        voices.push(Voice {
            agent: plain(AgentName::from_tool("reports"), "reports"),
            run: AgentRun::Failed(Failure { reason }),
        });
    }
    for file in files {
        match parse(&file, None, reports) {
            Err(reason) => {
                let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let name = stem.unwrap_or_else(|| "reports".to_owned());
                voices.push(Voice {
                    agent: plain(AgentName::from_tool(&name), &name),
                    run: AgentRun::Failed(Failure { reason }),
                });
            }
            Ok(read) => {
                for report in read {
                    let tool = report.tool.clone().unwrap_or_else(|| "reports".to_owned());
                    let name = AgentName::from_tool(&tool);
                    let merged = match tools.remove(&name) {
                        Some((_, known)) => known.merge(report),
                        None => report,
                    };
                    tools.insert(name, (tool, merged));
                }
            }
        }
    }
    for (name, (tool, report)) in tools {
        let run = at_head(report, reports, trees)?;
        voices.push(Voice { agent: plain(name, &tool), run });
    }
    voices.sort_by(|a, b| a.agent.name.cmp(&b.agent.name));
    Ok(voices)
}

fn plain(name: AgentName, tool: &str) -> Agent {
    let label = Label::new(tool.trim()).or_else(|_| Label::new(name.as_str()));
    let label = label.unwrap_or_else(|_| Label::fallback());
    Agent::plain(name, label)
}

fn expand(workspace: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, Error> {
    let split: Vec<String> = patterns.iter().flat_map(|text| globs::patterns(text)).collect();
    globs::expand(workspace, &split)
        .map_err(|error| Error::set_up(error.to_string(), "mend the pattern in `reports`"))
}

fn parse(
    file: &Path,
    format: Option<reviewers::Format>,
    reports: &Reports<'_>,
) -> Result<Vec<Report>, String> {
    let below = file.strip_prefix(reports.workspace).unwrap_or(file);
    let name = below.to_string_lossy().into_owned();
    let bytes = globs::read(reports.workspace, file).map_err(|error| format!("{name}: {error}"))?;
    let roots = [PathBuf::from("/github/workspace")];
    let context = ParseContext { workspace: reports.workspace, roots: &roots };
    reviewers::parse(format, &name, &bytes, context).map_err(|error| error.to_string())
}

/// The report's results in lines of the head; what has no place there is skipped by name.
fn at_head(report: Report, reports: &Reports<'_>, trees: &Trees<'_>) -> Result<AgentRun, Error> {
    if let Outcome::Failed { reason } = report.outcome {
        return Ok(AgentRun::Failed(Failure { reason }));
    }
    let mut reported = Vec::new();
    let mut skipped = report.skipped;
    for result in report.results {
        match one_at_head(&result, reports, trees)? {
            Ok(finding) => reported.push(finding),
            Err(why) => skipped.push(Skipped { what: result.what(), why }),
        }
    }
    info!("{} findings, {} results skipped", reported.len(), skipped.len());
    let analysed = match report.analysed {
        Some(files) => Analysed::Files(files),
        None => Analysed::Everything,
    };
    Ok(AgentRun::Ran { reported, analysed, skipped })
}

fn one_at_head(
    result: &ReportResult,
    reports: &Reports<'_>,
    trees: &Trees<'_>,
) -> Result<Result<Reported, String>, Error> {
    let head = reports.repository.blob(trees.head(), &result.path)?;
    let source = trees.source(&result.path)?;
    let there = match &reports.commit {
        None => None,
        Some(commit) if commit == trees.head() => Some(head.clone()),
        Some(commit) => match reports.repository.blob(commit, &result.path) {
            Ok(blob) => Some(blob),
            Err(GitError::NoCommit { .. }) => None,
            Err(error) => return Err(error.into()),
        },
    };
    let then = match &there {
        None => FileAt::UnknownCommit,
        Some(None) => FileAt::Missing,
        Some(blob) if *blob == head => FileAt::SameAsHead,
        Some(Some(blob)) => FileAt::Content(&blob.bytes),
    };
    let (lines, fix) = match map_to_head(result, then, head.as_ref().map(|blob| &*blob.bytes)) {
        Mapping::Mapped { lines, fix } => (lines, fix),
        Mapping::NotOurs { reason } | Mapping::Skip { reason } => return Ok(Err(reason)),
    };
    // A file without lines of its own: a link, a submodule, a binary.
    let lines = lines.filter(|_| source.is_some());
    let suggested = lines
        .zip(fix)
        .zip(source.as_ref())
        .and_then(|((lines, fix), source)| to_suggestion(&fix, &|line| source.line(line), lines));
    let (lines, suggestion) = match suggested {
        Some((span, text)) => (Some(span), Some(text)),
        None => (lines, None),
    };
    Ok(Ok(Reported {
        path: result.path.clone(),
        lines,
        column: result.region.and_then(|region| region.start_column),
        class: result.class.clone(),
        severity: result.severity,
        title: result.title.clone(),
        body: result.body.clone(),
        suggestion,
        confidence: result.confidence,
    }))
}
