//! From the reports of other tools to what each agent says at the head (spec 40 §2).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rereview_core::ids::{AgentName, Label, RepoPath, Sha};
use rereview_core::model::{
    Agent, AgentRun, Analysed, DidNotRun, Failure, LineSpan, Reported, Skipped,
};
use tracing::info;

use super::pull::Voice;
use super::trees::Trees;
use crate::error::Error;
use crate::git::{BlobKind, GitError, Repository};
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
    let split: Vec<String> = patterns
        .iter()
        .flat_map(|pattern| pattern.split(['\n', ',']))
        .map(str::trim)
        .filter(|pattern| !pattern.is_empty())
        .map(str::to_owned)
        .collect();
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
    let bytes = std::fs::read(file).map_err(|error| format!("{name}: {error}"))?;
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
            Err(why) => skipped.push(Skipped { what: result.what(), why: why.to_owned() }),
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
) -> Result<Result<Reported, &'static str>, Error> {
    let head = trees.source(&result.path)?;
    let lines = result.region.map(|region| region.lines());
    let there = text_at(reports, &result.path)?;
    let file = FileAt { report: there.as_deref(), head: head.as_ref().map(|source| source.text()) };
    let exists = trees.exists(&result.path)?;
    let lines = match map_to_head(lines, file, result.snippet.as_deref()) {
        Mapping::Lines(lines) => lines,
        // A finding about the whole of a file without lines.
        Mapping::Skip(_) if lines.is_none() && exists => None,
        Mapping::Skip(why) => return Ok(Err(why)),
    };
    if let (Some(lines), Some(source)) = (lines, &head)
        && lines.first > source.line_count()
    {
        return Ok(Err("the line is beyond the file's end"));
    }
    let fix =
        lines.zip(result.fix.as_ref()).zip(head.as_ref()).and_then(|((lines, fix), source)| {
            let from = result.region.map_or(lines.first, |region| region.start_line);
            let first = fix.span().first.checked_sub(from)?.checked_add(lines.first)?;
            to_suggestion(&fix.clone().at(first), &|line| source.line(line), lines)
        });
    let (lines, suggestion) = match (lines, fix) {
        (Some(_), Some((span, text))) => (Some(span), Some(text)),
        (lines, _) => (lines, None),
    };
    let last = head.as_ref().map_or(u32::MAX, |source| source.line_count());
    Ok(Ok(Reported {
        path: result.path.clone(),
        lines: lines.map(|lines| LineSpan::new(lines.first, lines.last.min(last))),
        column: result.region.and_then(|region| region.start_column),
        class: result.class.clone(),
        severity: result.severity,
        title: result.title.clone(),
        body: result.body.clone(),
        suggestion,
        confidence: result.confidence,
    }))
}

/// The file's text where the report was made; `None`: not known, or not there.
fn text_at(reports: &Reports<'_>, path: &RepoPath) -> Result<Option<String>, Error> {
    let Some(commit) = &reports.commit else { return Ok(None) };
    match reports.repository.blob(commit, path) {
        Ok(Some(blob)) => Ok(match blob.kind {
            BlobKind::File | BlobKind::Executable => {
                Some(String::from_utf8_lossy(&blob.bytes).into_owned())
            }
            BlobKind::Symlink | BlobKind::Submodule => None,
        }),
        Ok(None) | Err(GitError::NoCommit { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
