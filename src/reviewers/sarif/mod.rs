//! SARIF 2.1.0 of any producer.

mod document;
mod message;
mod places;
mod rules;

use rereview_core::ids::FindingClass;
use rereview_core::model::Severity;

use document::{Invocation, Log, Run, SarifFix, SarifResult, Suppression};

use super::fix::{ColumnUnit, Fix};
use super::paths::Roots;
use super::report::{Report, ReportResult};
use super::{Broken, json};

/// Reads a log; every run is a report.
pub(super) fn parse(text: &str, roots: &Roots) -> Result<Vec<Report>, Broken> {
    let log: Log = json(text, 1)?;
    // Drafts of 2.1.0 are close enough; other versions have their findings elsewhere.
    if !log.version.is_empty() && !log.version.starts_with("2.1.0") {
        return Err(Broken::whole(format!("SARIF {:?} is not SARIF 2.1.0", log.version)));
    }
    Ok(log.runs.iter().map(|run| read_run(run, roots)).collect())
}

fn read_run(run: &Run, roots: &Roots) -> Report {
    let name = run.tool.driver.name.trim();
    let mut report = Report::new((!name.is_empty()).then(|| name.to_owned()));
    for invocation in &run.invocations {
        if invocation.execution_successful == Some(false) {
            report.fail(why_failed(invocation));
        }
    }
    for result in &run.results {
        match read_result(run, result, roots) {
            Ok(result) => report.add(result),
            Err((what, why)) => report.skip(what, why),
        }
    }
    report
}

fn why_failed(invocation: &Invocation) -> String {
    let errors = invocation
        .tool_execution_notifications
        .iter()
        .filter(|notification| notification.level.as_deref() == Some("error"))
        .map(|notification| &notification.message.text);
    let why = invocation
        .process_start_failure_message
        .iter()
        .chain(errors)
        .chain(&invocation.exit_code_description)
        .find_map(|text| text.lines().map(str::trim).find(|line| !line.is_empty()));
    match why {
        Some(why) => format!("the tool says that it failed: {why}"),
        None => "the tool says that it failed (`executionSuccessful` is false)".to_owned(),
    }
}

/// A finding, or what it is and why it is none.
fn read_result(
    run: &Run,
    result: &SarifResult,
    roots: &Roots,
) -> Result<ReportResult, (String, String)> {
    let found = rules::find(&run.tool, result);
    let id = result.rule_id.as_deref().or(result.rule.id.as_deref());
    let id = id.or(found.rule.map(|rule| rule.id.as_str())).unwrap_or_default();
    let class = FindingClass::from_rule(id);

    let place = result
        .locations
        .iter()
        .map(|location| &location.physical_location)
        .find_map(|place| Some((place, places::address(run, &place.artifact_location)?)));
    let region = place.and_then(|(place, _)| places::region(&place.region));
    let skip = |why: String| {
        let at = match (place, region) {
            (Some((_, (uri, _))), Some(region)) => format!(" {uri}:{}", region.start_line),
            (Some((_, (uri, _))), None) => format!(" {uri}"),
            (None, _) => String::new(),
        };
        (format!("{class}{at}"), why)
    };
    if let Some(why) = no_finding(result) {
        return Err(skip(why.to_owned()));
    }
    let Some((place, address)) = place else {
        return Err(skip("it names no file".to_owned()));
    };
    let path = places::resolve(run, roots, address).map_err(|why| skip(why.to_string()))?;
    let fix = match result.fixes.as_slice() {
        [fix] => read_fix(run, fix, roots, &path),
        [] | [_, _, ..] => None,
    };
    let message = message::read(&result.message, found).or_class(class.as_str());
    Ok(ReportResult {
        path,
        region,
        severity: Severity::Level(rules::level(run, result, found)),
        confidence: rules::confidence(result, found.rule),
        class,
        title: message.title,
        body: message.body,
        fix,
        snippet: places::snippet(place),
    })
}

/// Why a result is not a finding, if it is none.
fn no_finding(result: &SarifResult) -> Option<&'static str> {
    match result.kind.as_deref() {
        Some("pass") => return Some("kind `pass`"),
        Some("notApplicable") => return Some("kind `notApplicable`"),
        Some("informational") => return Some("kind `informational`"),
        Some(_) | None => {}
    }
    if result.baseline_state.as_deref() == Some("absent") {
        return Some("baseline state `absent`: it is no longer there");
    }
    // One that was rejected, or is not decided upon, leaves the result a finding.
    let accepted = |suppression: &Suppression| {
        matches!(suppression.status.as_deref(), None | Some("accepted"))
    };
    let suppressed = !result.suppressions.is_empty() && result.suppressions.iter().all(accepted);
    suppressed.then_some("suppressed")
}

/// A fix of exactly one replacement in the result's own file.
fn read_fix(
    run: &Run,
    fix: &SarifFix,
    roots: &Roots,
    path: &rereview_core::ids::RepoPath,
) -> Option<Fix> {
    let [change] = fix.artifact_changes.as_slice() else { return None };
    let [replacement] = change.replacements.as_slice() else { return None };
    let file = places::address(run, &change.artifact_location)?;
    if places::resolve(run, roots, file).ok()? != *path {
        return None;
    }
    let unit = match run.column_kind.as_deref() {
        Some("utf16CodeUnits") => ColumnUnit::Utf16,
        Some("unicodeCodePoints") => ColumnUnit::Scalars,
        Some(_) | None => ColumnUnit::Unstated,
    };
    let region = places::region(&replacement.deleted_region)?;
    Some(Fix::new(&region, unit, &replacement.inserted_content.text))
}

#[cfg(test)]
mod tests;
