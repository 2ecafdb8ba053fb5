//! reviewdog's diagnostics: one document (`rdjson`) or one a line (`rdjsonl`).
//!
//! Lines and columns count from 1, columns in bytes of UTF-8, and a range ends behind its last
//! character. Names may be in snake case or, as protobuf's JSON has it, in camel case.

use rereview_core::ids::FindingClass;
use rereview_core::model::{Confidence, Level, Severity};
use serde::Deserialize;
use serde_json::Value;

use super::fix::{ColumnUnit, Fix};
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json, null_is_default};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    #[serde(deserialize_with = "null_is_default")]
    diagnostics: Vec<Diagnostic>,
    source: Option<Source>,
    severity: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Diagnostic {
    #[serde(deserialize_with = "null_is_default")]
    message: String,
    #[serde(deserialize_with = "null_is_default")]
    location: Location,
    severity: Value,
    source: Option<Source>,
    code: Option<Code>,
    #[serde(deserialize_with = "null_is_default")]
    suggestions: Vec<Suggestion>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Location {
    #[serde(deserialize_with = "null_is_default")]
    path: String,
    range: Option<Range>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Range {
    start: Option<Spot>,
    end: Option<Spot>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Spot {
    line: Option<i64>,
    column: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Source {
    #[serde(deserialize_with = "null_is_default")]
    name: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Code {
    #[serde(deserialize_with = "null_is_default")]
    value: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Suggestion {
    range: Option<Range>,
    #[serde(deserialize_with = "null_is_default")]
    text: String,
}

/// Reads one document. What it says of source and severity holds for diagnostics that do not say.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let document: Document = json(text, 1)?;
    let mut reports = Reports::new(document.source.as_ref(), &document.severity);
    for diagnostic in document.diagnostics {
        reports.take(diagnostic, roots);
    }
    Ok(reports.done())
}

/// Reads one diagnostic a line; empty lines are nothing.
pub(super) fn parse_lines(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut reports = Reports::new(None, &Value::Null);
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() {
            reports.take(json(line, number)?, roots);
        }
    }
    Ok(reports.done())
}

/// The reports of the sources so far, in the order they first speak.
struct Reports {
    source: Option<String>,
    level: Level,
    by_source: Vec<Report>,
}

impl Reports {
    fn new(source: Option<&Source>, severity: &Value) -> Self {
        let source = source.and_then(named);
        let level = level(severity).unwrap_or(Level::Warning);
        // The document's own source has spoken even if it found nothing.
        let by_source = source.iter().map(|name| Report::new(Some(name.clone()))).collect();
        Self { source, level, by_source }
    }

    fn take(&mut self, diagnostic: Diagnostic, roots: &Roots) {
        let tool = diagnostic.source.as_ref().and_then(named).or_else(|| self.source.clone());
        let level = level(&diagnostic.severity).unwrap_or(self.level);
        let read = read(diagnostic, tool.as_deref(), level, roots);
        let known = self.by_source.iter().position(|report| report.tool == tool);
        let at = known.unwrap_or_else(|| {
            self.by_source.push(Report::new(tool));
            self.by_source.len() - 1
        });
        if let Some(report) = self.by_source.get_mut(at) {
            match read {
                Ok(result) => report.add(result),
                Err((what, why)) => report.skip(what, why),
            }
        }
    }

    fn done(self) -> Vec<Report> {
        if self.by_source.is_empty() { vec![Report::new(self.source)] } else { self.by_source }
    }
}

fn named(source: &Source) -> Option<String> {
    let name = source.name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A severity by name or by its number in the protocol; unknown is not said.
fn level(severity: &Value) -> Option<Level> {
    match (severity.as_str(), severity.as_u64()) {
        (Some("ERROR"), _) | (_, Some(1)) => Some(Level::Error),
        (Some("WARNING"), _) | (_, Some(2)) => Some(Level::Warning),
        (Some("INFO"), _) | (_, Some(3)) => Some(Level::Note),
        (_, _) => None,
    }
}

fn read(
    diagnostic: Diagnostic,
    tool: Option<&str>,
    level: Level,
    roots: &Roots,
) -> Result<ReportResult, (String, String)> {
    let code = diagnostic.code.map(|code| code.value).filter(|code| !code.trim().is_empty());
    // Without a rule the tool's name tells at least whose finding it is.
    let class = FindingClass::from_rule(code.as_deref().or(tool).unwrap_or_default());
    let written = diagnostic.location.path;
    if written.is_empty() {
        return Err((class.to_string(), "it names no file".to_owned()));
    }
    let path =
        roots.plain(&written).map_err(|why| (format!("{class} {written}"), why.to_string()))?;
    let fix = match diagnostic.suggestions.as_slice() {
        [only] => region(only.range.as_ref())
            .map(|region| Fix::new(&region, ColumnUnit::Bytes, &only.text)),
        [] | [_, _, ..] => None,
    };
    let message = Message::new(&diagnostic.message).or_class(class.as_str());
    Ok(ReportResult {
        path,
        region: region(diagnostic.location.range.as_ref()),
        class,
        severity: Severity::Level(level),
        title: message.title,
        body: message.body,
        fix,
        confidence: Confidence::Normal,
        snippet: None,
    })
}

fn region(range: Option<&Range>) -> Option<Region> {
    let range = range?;
    let spot = |spot: &Option<Spot>| spot.as_ref().map_or((None, None), |s| (s.line, s.column));
    let ((start_line, start_column), (end_line, end_column)) =
        (spot(&range.start), spot(&range.end));
    Region::new(start_line, start_column, end_line, end_column)
}

#[cfg(test)]
mod tests;
