//! Checkstyle's XML, which many tools write. Entities beyond XML's own five are not expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rereview_core::ids::FindingClass;
use rereview_core::model::{Confidence, Level, Severity};

use super::Broken;
use super::paths::Roots;
use super::report::{Region, Report, ReportResult};
use super::text::{Message, Position};

/// Reads a document.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let mut reader = Reader::from_str(text);
    let mut report = Report::new(None);
    let mut file = String::new();
    let mut depth = 0_usize;
    let mut is_report = false;
    loop {
        let broken = |reader: &Reader<&[u8]>, reason: String| {
            let offset = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            Broken { position: Some(Position::of(text.as_bytes(), offset)), reason }
        };
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Err(broken(&reader, error.to_string())),
        };
        match event {
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == "checkstyle" =>
            {
                is_report = true;
                depth += 1;
            }
            Event::Start(element) if element.local_name().as_ref() == "file" => {
                file = attribute(&element, "name")
                    .map_err(|e| broken(&reader, e))?
                    .unwrap_or_default();
            }
            Event::Start(element) | Event::Empty(element)
                if element.local_name().as_ref() == "error" =>
            {
                add(&mut report, &element, &file, roots).map_err(|e| broken(&reader, e))?;
            }
            Event::End(element) if element.local_name().as_ref() == "checkstyle" => {
                depth = depth.saturating_sub(1);
            }
            Event::Eof if is_report && (depth == 0 || text.trim_end().ends_with("/>")) => break,
            Event::Eof => {
                let end = Position::of(text.as_bytes(), text.len());
                let reason = "the document ends before `</checkstyle>`".to_owned();
                return Err(Broken { position: Some(end), reason });
            }
            Event::Start(_)
            | Event::Empty(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
    Ok(vec![report])
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let attribute = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let Some(attribute) = attribute else { return Ok(None) };
    let text = attribute.value.into_owned();
    // An entity that XML does not define stays as it is written.
    let plain = quick_xml::escape::unescape(&text).map(std::borrow::Cow::into_owned);
    Ok(Some(plain.unwrap_or(text)))
}

fn add(
    report: &mut Report,
    element: &BytesStart<'_>,
    file: &str,
    roots: &Roots,
) -> Result<(), String> {
    let number = |name: &str| -> Result<Option<i64>, String> {
        Ok(attribute(element, name)?.and_then(|text| text.trim().parse().ok()))
    };
    let source = attribute(element, "source")?.unwrap_or_default();
    // Checkstyle's own sources are Java classes: the last part is the rule.
    let rule = match source.strip_prefix("com.puppycrawl.tools.checkstyle.checks.") {
        Some(rest) => rest.rsplit('.').next().unwrap_or(rest),
        None => &source,
    };
    let class = FindingClass::from_rule(rule);
    let region = Region::new(number("line")?, number("column")?, None, None);
    let path = match roots.uri(file) {
        Ok(path) => path,
        Err(why) => {
            report.skip(format!("{class} {file}"), why.to_string());
            return Ok(());
        }
    };
    let severity = attribute(element, "severity")?.unwrap_or_default();
    let level = match severity.to_ascii_lowercase().as_str() {
        "error" | "fatal" => Level::Error,
        "info" | "style" => Level::Note,
        "ignore" => {
            report.skip(format!("{class} {path}"), "its severity is `ignore`");
            return Ok(());
        }
        _ => Level::Warning,
    };
    let message = attribute(element, "message")?.unwrap_or_default();
    let message = Message::new(&message).or_class(class.as_str());
    report.add(ReportResult {
        path,
        region,
        class,
        severity: Severity::Level(level),
        title: message.title,
        body: message.body,
        fix: None,
        confidence: Confidence::Normal,
        snippet: None,
    });
    Ok(())
}
