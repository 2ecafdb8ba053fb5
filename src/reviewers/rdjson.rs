//! reviewdog's diagnostics: one document (rdjson), or one a line (rdjsonl).

use rereview_core::ids::FindingClass;
use rereview_core::model::{Confidence, Level, Severity};
use serde::Deserialize;

use super::fix::{ColumnUnit, Fix};
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json, null_is_default};

#[derive(Deserialize)]
struct Document {
    #[serde(default, deserialize_with = "null_is_default")]
    source: Source,
    #[serde(default, deserialize_with = "null_is_default")]
    severity: SeverityName,
    #[serde(default, deserialize_with = "null_is_default")]
    diagnostics: Vec<Diagnostic>,
}

#[derive(Default, Deserialize)]
struct Source {
    #[serde(default, deserialize_with = "null_is_default")]
    name: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    #[serde(default, deserialize_with = "null_is_default")]
    message: String,
    #[serde(default, deserialize_with = "null_is_default")]
    location: Location,
    #[serde(default, deserialize_with = "null_is_default")]
    severity: SeverityName,
    #[serde(default)]
    source: Option<Source>,
    #[serde(default, deserialize_with = "null_is_default")]
    code: Code,
    #[serde(default, deserialize_with = "null_is_default")]
    suggestions: Vec<Suggestion>,
}

#[derive(Default, Deserialize)]
struct Location {
    #[serde(default, deserialize_with = "null_is_default")]
    path: String,
    #[serde(default)]
    range: Option<Range>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Range {
    #[serde(default)]
    start: Option<Point>,
    #[serde(default)]
    end: Option<Point>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Point {
    #[serde(default)]
    line: Option<i64>,
    #[serde(default)]
    column: Option<i64>,
}

impl Range {
    fn region(self) -> Option<Region> {
        let (start, end) = (self.start.unwrap_or_default(), self.end.unwrap_or_default());
        Region::new(start.line, start.column, end.line, end.column)
    }
}

#[derive(Default, Deserialize)]
struct Code {
    #[serde(default, deserialize_with = "null_is_default")]
    value: String,
}

#[derive(Deserialize)]
struct Suggestion {
    #[serde(default)]
    range: Option<Range>,
    #[serde(default, deserialize_with = "null_is_default")]
    text: String,
}

/// The name, or the number of the protocol's enum.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum SeverityName {
    Name(String),
    Number(u8),
    #[default]
    Unknown,
}

impl SeverityName {
    fn level(&self) -> Option<Level> {
        match self {
            Self::Name(name) => match name.to_ascii_uppercase().as_str() {
                "ERROR" => Some(Level::Error),
                "WARNING" => Some(Level::Warning),
                "INFO" => Some(Level::Note),
                _ => None,
            },
            Self::Number(1) => Some(Level::Error),
            Self::Number(2) => Some(Level::Warning),
            Self::Number(3) => Some(Level::Note),
            Self::Number(_) | Self::Unknown => None,
        }
    }
}

/// Reads one document.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let document: Document = json(text, 1)?;
    let name = document.source.name.trim();
    let mut report = Report::new((!name.is_empty()).then(|| name.to_owned()));
    for diagnostic in &document.diagnostics {
        add(&mut report, diagnostic, document.severity.level(), roots);
    }
    Ok(vec![report])
}

/// Reads one document a line; blank lines are none.
pub(super) fn parse_lines(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut report = Report::new(None);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let diagnostic: Diagnostic = json(line, at + 1)?;
        if report.tool.is_none() {
            report.tool = diagnostic.source.as_ref().map(|source| source.name.clone());
        }
        add(&mut report, &diagnostic, None, roots);
    }
    report.tool = report.tool.filter(|name| !name.trim().is_empty());
    Ok(vec![report])
}

fn add(report: &mut Report, diagnostic: &Diagnostic, default: Option<Level>, roots: &Roots) {
    let class = FindingClass::from_rule(&diagnostic.code.value);
    let region = diagnostic.location.range.and_then(Range::region);
    let path = match roots.plain(&diagnostic.location.path) {
        Ok(path) => path,
        Err(why) => {
            let what = format!("{class} {}", diagnostic.location.path);
            return report.skip(what, why.to_string());
        }
    };
    let fix = match diagnostic.suggestions.as_slice() {
        [one] => one
            .range
            .and_then(Range::region)
            .map(|region| Fix::new(&region, ColumnUnit::Bytes, &one.text)),
        [] | [_, _, ..] => None,
    };
    let message = Message::new(&diagnostic.message).or_class(class.as_str());
    let level = diagnostic.severity.level().or(default).unwrap_or(Level::Warning);
    report.add(ReportResult {
        path,
        region,
        class,
        severity: Severity::Level(level),
        title: message.title,
        body: message.body,
        fix,
        confidence: Confidence::Normal,
        snippet: None,
    });
}
