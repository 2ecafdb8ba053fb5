//! Workflow commands. The runner reads stdout and stderr alike: `::x::` at a line's beginning and
//! `##[x]` anywhere, so every other line goes through [`tame`].

use std::fmt::Write as _;

use rereview_core::text::shorten;

/// Annotations of a kind that the runner shows per step.
const MOST: usize = 10;
/// Characters of an annotation's text.
const LONGEST: usize = 4_000;

/// What an annotation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// How it weighs.
    pub level: AnnotationLevel,
    /// In which file.
    pub path: String,
    /// On which line.
    pub line: Option<u32>,
    /// Its heading. Untrusted.
    pub title: String,
    /// Its text. Untrusted.
    pub message: String,
}

/// The kinds of annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnnotationLevel {
    /// Red.
    Error,
    /// Yellow.
    Warning,
    /// Grey.
    Notice,
}

impl AnnotationLevel {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// The commands for annotations: at most ten of a kind, then one line that says how many more.
pub fn annotations(all: &[Annotation]) -> Vec<String> {
    let mut lines = Vec::new();
    for level in [AnnotationLevel::Error, AnnotationLevel::Warning, AnnotationLevel::Notice] {
        let of_level: Vec<&Annotation> = all.iter().filter(|a| a.level == level).collect();
        lines.extend(of_level.iter().take(MOST).map(|annotation| one(annotation)));
        if let Some(more) = of_level.len().checked_sub(MOST).filter(|more| *more > 0) {
            lines.push(format!("{more} more of kind {} are in the step summary", level.name()));
        }
    }
    lines
}

fn one(annotation: &Annotation) -> String {
    let mut command = format!("::{} file={}", annotation.level.name(), property(&annotation.path));
    if let Some(line) = annotation.line {
        let _ = write!(command, ",line={line}");
    }
    let title = property(&shorten(&annotation.title, 200));
    let _ = write!(command, ",title={title}::{}", data(&shorten(&annotation.message, LONGEST)));
    command
}

/// Hides a secret in all that follows.
pub fn mask(secret: &str) -> String {
    format!("::add-mask::{}", data(secret))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line of output that the runner takes for text, whatever stands in it.
pub fn tame(line: &str) -> String {
    let line = line.replace("##[", "#\u{200b}#[").replace(['\r', '\n'], " ");
    let trimmed = line.trim_start();
    if trimmed.starts_with("::") {
        let indent = &line[..line.len() - trimmed.len()];
        return format!("{indent}\u{200b}{trimmed}");
    }
    line
}

#[cfg(test)]
mod tests;
