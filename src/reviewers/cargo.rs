//! What cargo writes with `--message-format=json`: one message a line, rustc's and clippy's
//! diagnostics among them.

use rereview_core::ids::{FindingClass, RepoPath};
use rereview_core::model::{Confidence, Level, Severity};
use serde::Deserialize;

use super::fix::{ColumnUnit, Fix};
use super::paths::{NotOurs, Roots};
use super::report::{Region, Report, ReportResult};
use super::text::Message;
use super::{Broken, json, null_is_default};

/// Macro expansions that a place is looked for through.
const DEEPEST: usize = 64;

#[derive(Deserialize)]
struct Line {
    #[serde(default, deserialize_with = "null_is_default")]
    reason: String,
    message: Option<Diagnostic>,
    success: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Diagnostic {
    #[serde(deserialize_with = "null_is_default")]
    message: String,
    code: Option<Code>,
    #[serde(deserialize_with = "null_is_default")]
    level: String,
    #[serde(deserialize_with = "null_is_default")]
    spans: Vec<Span>,
    #[serde(deserialize_with = "null_is_default")]
    children: Vec<Diagnostic>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Code {
    #[serde(deserialize_with = "null_is_default")]
    code: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Span {
    #[serde(deserialize_with = "null_is_default")]
    file_name: String,
    line_start: Option<i64>,
    line_end: Option<i64>,
    column_start: Option<i64>,
    column_end: Option<i64>,
    #[serde(deserialize_with = "null_is_default")]
    is_primary: bool,
    #[serde(deserialize_with = "null_is_default")]
    text: Vec<SourceLine>,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
    expansion: Option<Box<Expansion>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SourceLine {
    #[serde(deserialize_with = "null_is_default")]
    text: String,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

/// Reads the lines; those that are no JSON object are other programs' output. The tool is always
/// `cargo`: whether clippy spoke can be seen only if it found something.
///
/// The report has failed if `build-finished` is missing (the output was cut off), or says no
/// although no lint was denied: code that does not compile was not looked at.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut report = Report::new(Some("cargo".to_owned()));
    let mut success = None;
    let mut denied = false;
    let mut compile_error = None;
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim_start().starts_with('{') {
            continue;
        }
        let line: Line = json(line, number)?;
        success = line.success.filter(|_| line.reason == "build-finished").or(success);
        let Some(diagnostic) = line.message.filter(|_| line.reason == "compiler-message") else {
            continue;
        };
        match (is_error(&diagnostic), lint(&diagnostic)) {
            (true, Some(_)) => denied = true,
            (true, None) if !diagnostic.spans.is_empty() => {
                compile_error.get_or_insert_with(|| diagnostic.message.clone());
            }
            (true | false, _) => {}
        }
        match read(&diagnostic, roots) {
            Ok(result) => report.add(result),
            Err((what, why)) => report.skip(what, why),
        }
    }
    match (success, compile_error) {
        (None, _) => report.fail("cargo's output ends before its `build-finished` message"),
        (Some(false), Some(error)) => report.fail(format!("the code does not compile: {error}")),
        (Some(false), None) if !denied => report.fail("cargo says that the build failed"),
        (Some(_), _) => {}
    }
    Ok(vec![report])
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.level.starts_with("error")
}

/// The lint that a diagnostic is of; the compiler's own errors are called `E0308`.
fn lint(diagnostic: &Diagnostic) -> Option<&str> {
    let code = diagnostic.code.as_ref()?.code.as_str();
    let number = code.strip_prefix('E').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    (!code.is_empty() && !number).then_some(code)
}

fn read(diagnostic: &Diagnostic, roots: &Roots) -> Result<ReportResult, (String, String)> {
    let level = match diagnostic.level.as_str() {
        "warning" => Level::Warning,
        "note" | "help" | "failure-note" => Level::Note,
        _ => Level::Error,
    };
    let code = diagnostic.code.as_ref().map(|code| code.code.as_str()).filter(|c| !c.is_empty());
    let class = FindingClass::from_rule(code.unwrap_or("rustc"));
    let primary = diagnostic.spans.iter().find(|span| span.is_primary);
    let Some(primary) = primary.or_else(|| diagnostic.spans.first()) else {
        let what = Message::new(&diagnostic.message).title;
        return Err((what, "it names no file".to_owned()));
    };
    let (span, path) = in_repository(primary, roots).map_err(|why| {
        let line = primary.line_start.unwrap_or_default();
        (format!("{class} {}:{line}", primary.file_name), why.to_string())
    })?;
    let message = Message::from_parts(&diagnostic.message, &explained(diagnostic));
    let message = message.or_class(class.as_str());
    Ok(ReportResult {
        fix: fix(diagnostic, &path, roots),
        path,
        region: region(span),
        class,
        severity: Severity::Level(level),
        title: message.title,
        body: message.body,
        confidence: Confidence::Normal,
        snippet: quoted(span),
    })
}

/// The place itself, or the innermost macro call around it that is in the repository.
fn in_repository<'a>(primary: &'a Span, roots: &Roots) -> Result<(&'a Span, RepoPath), NotOurs> {
    let calls = std::iter::successors(Some(primary), |span| {
        span.expansion.as_ref().map(|expansion| &expansion.span)
    });
    calls
        .take(DEEPEST)
        .find_map(|span| roots.plain(&span.file_name).ok().map(|path| (span, path)))
        .ok_or(NotOurs::Outside)
}

/// The lines of the place, as the compiler quotes them.
fn quoted(span: &Span) -> Option<String> {
    let lines: Vec<&str> = span.text.iter().map(|line| line.text.as_str()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn region(span: &Span) -> Option<Region> {
    Region::new(span.line_start, span.column_start, span.line_end, span.column_end)
}

/// Notes and help, without the one on where the lint level comes from: that stands at the first
/// diagnostic of a lint only, so a finding would change when another one goes.
fn explained(diagnostic: &Diagnostic) -> String {
    let said = diagnostic.children.iter().filter(|child| !child.message.starts_with("`#["));
    said.map(with_replacement).collect::<Vec<_>>().join("\n")
}

/// "change this to" says nothing without what follows it.
fn with_replacement(help: &Diagnostic) -> String {
    match help.spans.as_slice() {
        [Span { suggested_replacement: Some(text), .. }]
            if !text.trim().is_empty() && !text.contains(['\n', '`']) =>
        {
            format!("{}: `{}`", help.message, text.trim())
        }
        _ => help.message.clone(),
    }
}

/// The one replacement that the compiler is sure of.
fn fix(diagnostic: &Diagnostic, path: &RepoPath, roots: &Roots) -> Option<Fix> {
    let spans = diagnostic.children.iter().flat_map(|child| &child.spans);
    let mut offered = spans.filter(|span| span.suggested_replacement.is_some());
    let (only, None) = (offered.next()?, offered.next()) else { return None };
    let sure = only.suggestion_applicability.as_deref() == Some("MachineApplicable");
    let same_file = roots.plain(&only.file_name).is_ok_and(|file| file == *path);
    let text = only.suggested_replacement.as_deref()?;
    let region = region(only).filter(|_| sure && same_file)?;
    Some(Fix::new(&region, ColumnUnit::Scalars, text))
}

#[cfg(test)]
mod tests;
