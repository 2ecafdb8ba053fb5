//! rereview's own findings JSON, for scripts and programs that have no other format.

use rereview_core::ids::FindingClass;
use rereview_core::model::{self, LineSpan, Severity};
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use super::fix::Fix;
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json};

/// What a reviewer found, in rereview's own format.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "rereview findings")]
pub struct Findings {
    /// For editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What the reviewer calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Why the reviewer could not do its work: then the findings prove nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The files that were looked at, as in `path`. Without it the agent's `coverage` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analyzed: Option<Vec<String>>,
    /// The findings; none: nothing was found.
    pub findings: Vec<Finding>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The file, relative to the repository root, or absolute and below the workspace.
    pub path: String,
    /// The line, counted from 1. Without it the finding is about the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<u32>,
    /// The last line, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub end_line: Option<u32>,
    /// The first column, counted from 1: it orders findings on one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub column: Option<u32>,
    /// The kind of defect, such as a rule's id. The same defect has the same class in every run.
    pub class: String,
    /// How much it weighs; without it, `level` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Tag>,
    /// How serious it is; the config makes a tag of it. Without both: `warning`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<model::Level>,
    /// One line that names the defect.
    pub title: String,
    /// The consequence, and how to verify it. Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What the lines `line` to `end_line` should become; empty: they should go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// How sure the reviewer is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// Blocks the merge.
    #[serde(alias = "must fix")]
    MustFix,
    /// Comes with a concrete replacement.
    Suggestion,
    /// Worth doing.
    #[serde(alias = "could fix")]
    CouldFix,
    /// True, but not of this pull request.
    #[serde(alias = "future work")]
    FutureWork,
}

/// How sure a reviewer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// As sure as reviewers are.
    Normal,
    /// Maintainers are asked to confirm it.
    Low,
}

/// The JSON schema of [`Findings`], for editors and producers.
pub fn schema() -> Schema {
    schema_for!(Findings)
}

/// Reads a document; what the schema does not have is an error, so that typing mistakes show.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let document: Findings = json(text, 1)?;
    let mut report = Report::new(document.tool.filter(|tool| !tool.trim().is_empty()));
    if let Some(reason) = document.failed {
        report.fail(reason);
    }
    // A path that is not ours is never asked about.
    report.analysed = document
        .analyzed
        .map(|paths| paths.iter().filter_map(|path| roots.plain(path).ok()).collect());
    for (index, finding) in document.findings.into_iter().enumerate() {
        match read(finding, index, roots)? {
            Ok(result) => report.add(result),
            Err((what, why)) => report.skip(what, why),
        }
    }
    Ok(vec![report])
}

fn read(
    finding: Finding,
    index: usize,
    roots: &Roots,
) -> Result<Result<ReportResult, (String, String)>, Broken> {
    let wrong = |what: &str| Err(Broken::whole(format!("findings[{index}]: {what}")));
    let severity = match (finding.tag, finding.level) {
        (Some(_), Some(_)) => return wrong("`tag` and `level` exclude each other"),
        (Some(tag), None) => Severity::Tag(tag.into()),
        (None, level) => Severity::Level(level.unwrap_or(model::Level::Warning)),
    };
    let whole_file = finding.line.is_none();
    if whole_file && (finding.end_line.is_some() || finding.suggestion.is_some()) {
        return wrong("`end_line` and `suggestion` need a `line`");
    }
    if finding.line == Some(0) || finding.end_line.is_some_and(|end| Some(end) < finding.line) {
        return wrong("lines count from 1, and `end_line` is not before `line`");
    }
    let class = FindingClass::from_rule(finding.class.trim());
    let path = match roots.plain(&finding.path) {
        Ok(path) => path,
        Err(why) => return Ok(Err((format!("{class} {}", finding.path), why.to_string()))),
    };
    let number = |n: Option<u32>| n.map(i64::from);
    let region =
        Region::new(number(finding.line), number(finding.column), number(finding.end_line), None);
    let fix = region.zip(finding.suggestion).map(|(region, text)| {
        let span = LineSpan::new(region.start_line, region.end_line);
        let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
        Fix::WholeLines { span, text }
    });
    let body = finding.body.unwrap_or_default();
    let message = Message::from_parts(&finding.title, &body).or_class(class.as_str());
    Ok(Ok(ReportResult {
        path,
        region,
        class,
        severity,
        title: message.title,
        body: message.body,
        fix,
        confidence: finding.confidence.map_or(model::Confidence::Normal, Into::into),
        snippet: None,
    }))
}

impl From<Tag> for model::Tag {
    fn from(tag: Tag) -> Self {
        match tag {
            Tag::MustFix => Self::MustFix,
            Tag::Suggestion => Self::Suggestion,
            Tag::CouldFix => Self::CouldFix,
            Tag::FutureWork => Self::FutureWork,
        }
    }
}

impl From<Confidence> for model::Confidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Normal => Self::Normal,
            Confidence::Low => Self::Low,
        }
    }
}

#[cfg(test)]
mod tests;
