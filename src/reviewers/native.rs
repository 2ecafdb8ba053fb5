//! rereview's own findings JSON: for scripts, and for models that write files.

use std::collections::BTreeSet;

use rereview_core::ids::{FindingClass, RepoPath};
use rereview_core::model::{Confidence, Level, LineSpan, Severity, Tag};
use schemars::JsonSchema;
use serde::Deserialize;

use super::fix::Fix;
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json};

/// Below this a finding is one that maintainers are asked to confirm.
const LOW: f64 = 0.5;

/// A report in rereview's own format.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Who made it; the agent's name where the config has none.
    #[serde(default)]
    pub tool: Option<String>,
    /// The files that were looked at, from the repository root. Without it the agent's
    /// `coverage` says what silence means.
    #[serde(default)]
    pub analyzed: Option<BTreeSet<String>>,
    /// What was found.
    pub findings: Vec<Item>,
}

/// One finding.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The file, from the repository root.
    pub path: String,
    /// The first line, counted from 1; without it the finding is about the whole file.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub line: Option<u32>,
    /// The last line.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub end_line: Option<u32>,
    /// What kind of defect it is.
    #[schemars(length(min = 1, max = 120))]
    pub class: String,
    /// How it weighs; over `level`.
    #[serde(default)]
    pub tag: Option<Tag>,
    /// How it weighs, as SARIF says it; `warning` if neither is given.
    #[serde(default)]
    pub level: Option<Level>,
    /// One line that names the defect.
    pub title: String,
    /// More about it.
    #[serde(default)]
    pub body: String,
    /// What the lines `line` to `end_line` become.
    #[serde(default)]
    pub suggestion: Option<String>,
    /// From 0 to 1; below 0.5 maintainers are asked to confirm.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
}

/// The schema of [`Document`], for editors and checks.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document).to_value()
}

/// Reads a document.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let document: Document = json(text, 1)?;
    let mut report = Report::new(document.tool.filter(|name| !name.trim().is_empty()));
    let analysed: Option<BTreeSet<RepoPath>> = document
        .analyzed
        .map(|files| files.iter().filter_map(|file| roots.plain(file).ok()).collect());
    for item in document.findings {
        let class = FindingClass::from_rule(&item.class);
        let path = match roots.plain(&item.path) {
            Ok(path) => path,
            Err(why) => {
                report.skip(format!("{class} {}", item.path), why.to_string());
                continue;
            }
        };
        let region =
            Region::new(item.line.map(i64::from), None, item.end_line.map(i64::from), None);
        let fix = region.zip(item.suggestion).map(|(region, text)| Fix::WholeLines {
            span: LineSpan::new(region.start_line, region.end_line),
            text: text.strip_suffix('\n').unwrap_or(&text).to_owned(),
        });
        let severity = match item.tag {
            Some(tag) => Severity::Tag(tag),
            None => Severity::Level(item.level.unwrap_or(Level::Warning)),
        };
        let message = Message::from_parts(&item.title, &item.body).or_class(class.as_str());
        report.add(ReportResult {
            path,
            region,
            class,
            severity,
            title: message.title,
            body: message.body,
            fix,
            confidence: match item.confidence {
                Some(confidence) if confidence < LOW => Confidence::Low,
                Some(_) | None => Confidence::Normal,
            },
            snippet: None,
        });
    }
    report.analysed = analysed;
    Ok(vec![report])
}
