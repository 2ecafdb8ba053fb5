//! Reports of other tools: from their bytes to findings (spec 40 §2). Pure but for [`globs`].

use std::path::{Path, PathBuf};

use serde::de::{Deserialize, DeserializeOwned, Deserializer};

mod cargo;
mod checkstyle;
mod detect;
mod fix;
pub mod globs;
mod head_map;
pub mod native;
mod paths;
mod rdjson;
mod report;
mod sarif;
mod text;

pub use detect::{Format, detect};
pub use fix::{ColumnUnit, Fix, to_suggestion};
pub use head_map::{FileAt, Mapping, map_to_head};
pub use paths::{NotOurs, Roots};
pub use report::{Outcome, Region, Report, ReportResult};
pub use text::Position;

/// Bytes that a report may have.
pub const LARGEST: usize = 100 * 1024 * 1024;

/// What a report's paths are understood by.
#[derive(Clone, Copy, Debug)]
pub struct ParseContext<'a> {
    /// Where the repository is checked out: absolute paths below it are its files.
    pub workspace: &'a Path,
    /// What the same folder was called where the report was made.
    pub roots: &'a [PathBuf],
}

/// Why a report cannot be used: file, place and reason. May quote untrusted text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {reason}", .position.map(|p| format!(":{p}")).unwrap_or_default())]
pub struct ReportError {
    /// The name of the file as it was given.
    pub file: String,
    /// Where in it, if that can be said.
    pub position: Option<Position>,
    /// What is wrong, in words.
    pub reason: String,
}

/// Reads a report: one [`Report`] for each run of a tool in it, in order. None at all: the file
/// speaks for no tool, and proves nothing about any. Without a format the content tells.
pub fn parse(
    format: Option<Format>,
    name: &str,
    bytes: &[u8],
    context: ParseContext<'_>,
) -> Result<Vec<Report>, ReportError> {
    let fail =
        |Broken { position, reason }| ReportError { file: name.to_owned(), position, reason };
    if bytes.len() > LARGEST {
        let reason = format!("larger than {} MiB", LARGEST / 1024 / 1024);
        return Err(fail(Broken::whole(reason)));
    }
    let text = text::decode(bytes).map_err(|(position, reason)| {
        fail(Broken { position: Some(position), reason: format!("the text {reason}") })
    })?;
    let roots = Roots::new(context.workspace, context.roots);
    let reports = match format.or_else(|| detect(&text)) {
        Some(Format::Sarif) => sarif::parse(&text, &roots),
        Some(Format::Rdjson) => rdjson::parse(&text, &roots),
        Some(Format::Rdjsonl) => rdjson::parse_lines(&text, &roots),
        Some(Format::Checkstyle) => checkstyle::parse(&text, &roots),
        Some(Format::Cargo) => cargo::parse(&text, &roots),
        Some(Format::Native) => native::parse(&text, &roots),
        None => Err(Broken::whole(unknown(&text))),
    };
    let reports = reports.map_err(fail)?;
    Ok(reports.into_iter().map(Report::said_once).collect())
}

fn unknown(text: &str) -> String {
    let formats = Format::ALL.map(Format::as_str).join(", ");
    if text.trim().is_empty() {
        format!("the file is empty; if that means no findings, name its `format`: {formats}")
    } else {
        format!("not a known kind of report; known are {formats}")
    }
}

/// A [`ReportError`] before it knows its file.
#[derive(Debug)]
struct Broken {
    position: Option<Position>,
    reason: String,
}

impl Broken {
    fn whole(reason: impl Into<String>) -> Self {
        Self { position: None, reason: reason.into() }
    }
}

/// One JSON document of known shape; `line` is where it begins in the report.
fn json<T: DeserializeOwned>(text: &str, line: usize) -> Result<T, Broken> {
    let mut document = serde_json::Deserializer::from_str(text);
    let broken = |at: &str, e: &serde_json::Error| {
        let position = Position { line: line + e.line().max(1) - 1, column: e.column() };
        // The place is told apart from the reason.
        let reason = e.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let at = if at == "." { String::new() } else { format!(" (in `{at}`)") };
        Broken { position: Some(position), reason: format!("{reason}{at}") }
    };
    let value = serde_path_to_error::deserialize(&mut document)
        .map_err(|e| broken(&e.path().to_string(), e.inner()))?;
    document.end().map_err(|e| broken(".", &e))?;
    Ok(value)
}

/// For `#[serde(deserialize_with)]`: many producers write `null` for "nothing".
fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests;
