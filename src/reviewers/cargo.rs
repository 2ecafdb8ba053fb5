//! What cargo writes with `--message-format=json`: rustc's and clippy's messages, one a line.

use rereview_core::ids::FindingClass;
use rereview_core::model::{Confidence, Level, Severity};
use serde::Deserialize;

use super::fix::{ColumnUnit, Fix};
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json, null_is_default};

#[derive(Deserialize)]
struct Line {
    #[serde(default, deserialize_with = "null_is_default")]
    reason: String,
    #[serde(default)]
    message: Option<Diagnostic>,
    #[serde(default)]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct Diagnostic {
    #[serde(default, deserialize_with = "null_is_default")]
    message: String,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default, deserialize_with = "null_is_default")]
    level: String,
    #[serde(default, deserialize_with = "null_is_default")]
    spans: Vec<Span>,
    #[serde(default, deserialize_with = "null_is_default")]
    children: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Code {
    #[serde(default, deserialize_with = "null_is_default")]
    code: String,
}

#[derive(Deserialize)]
struct Span {
    #[serde(default, deserialize_with = "null_is_default")]
    file_name: String,
    line_start: Option<i64>,
    line_end: Option<i64>,
    column_start: Option<i64>,
    column_end: Option<i64>,
    #[serde(default, deserialize_with = "null_is_default")]
    is_primary: bool,
    #[serde(default)]
    suggested_replacement: Option<String>,
    #[serde(default)]
    suggestion_applicability: Option<String>,
    #[serde(default)]
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

impl Span {
    /// Inside a macro of another crate the call of the macro is the place.
    fn outermost(&self) -> &Self {
        let mut span = self;
        while let Some(expansion) = &span.expansion {
            span = &expansion.span;
        }
        span
    }

    fn region(&self) -> Option<Region> {
        Region::new(self.line_start, self.column_start, self.line_end, self.column_end)
    }
}

/// Reads a build's messages; lines of other kinds say nothing about findings.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut report = Report::new(None);
    let mut finished = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        // Tests and build scripts print between the messages.
        if !line.starts_with('{') {
            continue;
        }
        let line: Line = json(line, at + 1)?;
        match (line.reason.as_str(), line.message) {
            ("compiler-message", Some(message)) => add(&mut report, &message, roots),
            ("build-finished", _) => finished = line.success,
            (_, _) => {}
        }
    }
    report.tool = Some("cargo".to_owned());
    if finished == Some(false) {
        report.fail("the build did not finish: what was not compiled was not checked");
    }
    Ok(vec![report])
}

fn add(report: &mut Report, message: &Diagnostic, roots: &Roots) {
    let code = message.code.as_ref().map(|code| code.code.as_str()).unwrap_or_default();
    let Some(primary) = message.spans.iter().find(|span| span.is_primary) else {
        // "3 warnings emitted" and the like.
        return report.skip(format!("{code} {}", message.message), "it has no place in a file");
    };
    let span = primary.outermost();
    let class = FindingClass::from_rule(if code.is_empty() { "rustc" } else { code });
    let path = match roots.plain(&span.file_name) {
        Ok(path) => path,
        Err(why) => return report.skip(format!("{class} {}", span.file_name), why.to_string()),
    };
    let level = match message.level.as_str() {
        "error" | "error: internal compiler error" => Level::Error,
        "warning" => Level::Warning,
        _ => Level::Note,
    };
    let notes: Vec<String> = message
        .children
        .iter()
        .filter(|child| !child.message.starts_with("`#["))
        .map(|child| match suggested(child) {
            Some(text) => format!("{}: {}: `{text}`", child.level, child.message),
            None => format!("{}: {}", child.level, child.message),
        })
        .collect();
    let said = Message::from_parts(&message.message, &notes.join("\n"));
    report.add(ReportResult {
        path,
        region: span.region(),
        class,
        severity: Severity::Level(level),
        title: said.title,
        body: said.body,
        fix: only_fix(message),
        confidence: Confidence::Normal,
        snippet: None,
    });
}

fn suggested(child: &Diagnostic) -> Option<&str> {
    let text = child.spans.iter().find_map(|span| span.suggested_replacement.as_deref())?;
    (!text.contains('\n') && !text.is_empty()).then_some(text)
}

/// The one replacement that the compiler is sure of.
fn only_fix(message: &Diagnostic) -> Option<Fix> {
    let mut sure = message.children.iter().flat_map(|child| &child.spans).filter(|span| {
        span.suggested_replacement.is_some()
            && span.suggestion_applicability.as_deref() == Some("MachineApplicable")
    });
    match (sure.next(), sure.next()) {
        (Some(span), None) => {
            let text = span.suggested_replacement.as_deref().unwrap_or_default();
            Some(Fix::new(&span.region()?, ColumnUnit::Scalars, text))
        }
        (_, _) => None,
    }
}
