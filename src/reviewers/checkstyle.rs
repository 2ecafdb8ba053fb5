//! Checkstyle's XML, which many linters can write.
//!
//! Entities that a document declares are never expanded: one that is used breaks the report.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use rereview_core::ids::FindingClass;
use rereview_core::model::{Confidence, Level, Severity};

use super::Broken;
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::{Message, Position};

/// Reads a document. The format does not say which tool wrote it, and many tools list only the
/// files with errors, so neither the tool nor the analysed files are known.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut reader = Reader::from_str(text);
    let mut report = Report::new(None);
    let mut file = None;
    let mut open: Vec<String> = Vec::new();
    let mut exception = false;
    let broken = |at: u64, reason: String| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        Broken { position: Some(Position::of(text.as_bytes(), at)), reason }
    };
    loop {
        let before = reader.buffer_position();
        let event =
            reader.read_event().map_err(|e| broken(reader.error_position(), e.to_string()))?;
        match event {
            Event::Start(element) => {
                open.push(element.name().as_ref().to_owned());
                exception = element.name().as_ref() == "exception";
                take(&element, &mut file, &mut report, roots).map_err(|e| broken(before, e))?;
            }
            Event::Empty(element) => {
                take(&element, &mut file, &mut report, roots).map_err(|e| broken(before, e))?;
            }
            Event::End(element) => {
                open.pop();
                if element.name().as_ref() == "file" {
                    file = None;
                }
                if element.name().as_ref() == "exception" {
                    report.fail("the tool stopped with an exception");
                }
                exception = false;
            }
            Event::Text(content) if exception => fail(&mut report, &content),
            Event::CData(content) if exception => fail(&mut report, &content),
            Event::Eof => break,
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
    match open.pop() {
        Some(element) => {
            let end = u64::try_from(text.len()).unwrap_or(u64::MAX);
            Err(broken(end, format!("the file ends inside the element `{element}`")))
        }
        None => Ok(vec![report]),
    }
}

/// An `<exception>` is how Checkstyle says that it could not check a file.
fn fail(report: &mut Report, stack_trace: &str) {
    if let Some(line) = stack_trace.lines().map(str::trim).find(|line| !line.is_empty()) {
        report.fail(format!("the tool stopped with an exception: {line}"));
    }
}

/// Enters a `file`, or reads an `error` in it.
fn take(
    element: &BytesStart<'_>,
    file: &mut Option<String>,
    report: &mut Report,
    roots: &Roots,
) -> Result<(), String> {
    match element.name().as_ref() {
        "file" => *file = attributes(element)?.name,
        "error" => {
            let attributes = attributes(element)?;
            match read(&attributes, file.as_deref(), roots) {
                Ok(result) => report.add(result),
                Err((what, why)) => report.skip(what, why),
            }
        }
        _ => {}
    }
    Ok(())
}

#[derive(Default)]
struct Attributes {
    name: Option<String>,
    line: Option<i64>,
    column: Option<i64>,
    severity: Option<String>,
    message: String,
    source: String,
}

fn attributes(element: &BytesStart<'_>) -> Result<Attributes, String> {
    let mut read = Attributes::default();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|e| e.to_string())?
            .into_owned();
        match attribute.key.as_ref() {
            "name" => read.name = Some(value),
            "line" => read.line = value.trim().parse().ok(),
            "column" => read.column = value.trim().parse().ok(),
            "severity" => read.severity = Some(value),
            "message" => read.message = value,
            "source" => read.source = value,
            _ => {}
        }
    }
    Ok(read)
}

fn read(
    error: &Attributes,
    file: Option<&str>,
    roots: &Roots,
) -> Result<ReportResult, (String, String)> {
    let class = FindingClass::from_rule(error.source.trim());
    let region = Region::new(error.line, error.column, None, None);
    let what = || match region {
        Some(region) => format!("{class} {}:{}", file.unwrap_or("?"), region.start_line),
        None => format!("{class} {}", file.unwrap_or("?")),
    };
    let level = match error.severity.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("error") => Level::Error,
        Some("info" | "note") => Level::Note,
        Some("ignore") => return Err((what(), "severity `ignore`".to_owned())),
        Some(_) | None => Level::Warning,
    };
    let Some(file) = file else {
        return Err((what(), "it names no file".to_owned()));
    };
    let path = roots.plain(file).map_err(|why| (what(), why.to_string()))?;
    let message = Message::new(&error.message).or_class(class.as_str());
    Ok(ReportResult {
        path,
        region,
        class,
        severity: Severity::Level(level),
        title: message.title,
        body: message.body,
        fix: None,
        confidence: Confidence::Normal,
        snippet: None,
    })
}

#[cfg(test)]
mod tests;
