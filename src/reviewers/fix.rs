//! A tool's replacement, and how it becomes one that a suggestion block can hold.

use rereview_core::model::LineSpan;

/// Lines that a suggestion may grow to beyond the finding's own.
const LONGEST: u32 = 60;

/// What a producer counts columns in; all count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    /// UTF-16 code units.
    Utf16,
    /// Unicode scalar values.
    Scalars,
    /// Bytes of UTF-8.
    Bytes,
    /// It does not say: UTF-16 and scalar values must agree, else the fix is not used.
    Unstated,
}

/// A replacement for a part of a file. The text is untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// For whole lines; the text has no last line break, and an empty one removes the lines.
    WholeLines {
        /// The lines to replace.
        span: LineSpan,
        /// What they become.
        text: String,
    },
    /// For a part of one line or of several.
    Columns {
        /// The lines that it touches.
        span: LineSpan,
        /// In the first line.
        start_column: u32,
        /// Just behind the last character, in the last line; `None`: to its end.
        end_column: Option<u32>,
        /// What both columns count.
        unit: ColumnUnit,
        /// What the part becomes.
        text: String,
    },
}

impl Fix {
    /// A replacement of a region, in its simplest form: one that begins and ends at line starts
    /// and brings whole lines replaces whole lines.
    pub fn new(region: &super::Region, unit: ColumnUnit, text: &str) -> Self {
        let text = text.replace("\r\n", "\n");
        let span = LineSpan::new(region.start_line, region.end_line);
        let whole = |span| {
            let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
            Self::WholeLines { span, text }
        };
        let from_start = matches!(region.start_column, None | Some(1));
        let brings_lines = text.is_empty() || text.ends_with('\n');
        match region.end_column {
            None if from_start => whole(span),
            Some(1) if from_start && brings_lines && region.end_line > region.start_line => {
                whole(region.lines())
            }
            end_column => Self::Columns {
                span,
                start_column: region.start_column.unwrap_or(1),
                end_column,
                unit,
                text,
            },
        }
    }

    /// The lines that it touches.
    pub fn span(&self) -> LineSpan {
        match self {
            Self::WholeLines { span, .. } | Self::Columns { span, .. } => *span,
        }
    }

    /// The same replacement in a file where these lines begin at another line.
    pub fn at(self, first: u32) -> Self {
        let moved = |span: LineSpan| LineSpan::new(first, first + (span.last - span.first));
        match self {
            Self::WholeLines { span, text } => Self::WholeLines { span: moved(span), text },
            Self::Columns { span, start_column, end_column, unit, text } => {
                Self::Columns { span: moved(span), start_column, end_column, unit, text }
            }
        }
    }
}

/// Makes of a fix the whole text of the finding's lines: the lines to put it on and their
/// replacement, without its last line break (empty: the lines go). `lines` gives a line of the
/// file, `span` the lines of the finding. The first line stays the finding's own, because the key
/// is made of it, so a fix that begins above it, or that does not touch the finding, is none; so
/// is one whose columns are not in the lines, and one that changes nothing.
pub fn to_suggestion<'a>(
    fix: &Fix,
    lines: &dyn Fn(u32) -> Option<&'a str>,
    span: LineSpan,
) -> Option<(LineSpan, String)> {
    let touched = fix.span();
    let whole = LineSpan::new(span.first, span.last.max(touched.last));
    let touches = (span.first..=span.last).contains(&touched.first);
    if !touches || whole.last - whole.first >= LONGEST {
        return None;
    }
    let line = |number| lines(number).map(|text: &str| text.trim_end_matches(['\n', '\r']));
    let replaced = match fix {
        Fix::WholeLines { text, .. } => text.clone(),
        Fix::Columns { start_column, end_column, unit, text, .. } => {
            let (first, last) = (line(touched.first)?, line(touched.last)?);
            let end = match end_column {
                Some(column) => byte_of(last, *column, *unit)?,
                None => last.len(),
            };
            let start = byte_of(first, *start_column, *unit)?;
            if touched.first == touched.last && end < start {
                return None;
            }
            format!("{}{text}{}", &first[..start], &last[end..])
        }
    };
    let mut after = Vec::new();
    for number in whole.first..touched.first {
        after.push(line(number)?);
    }
    if !replaced.is_empty() {
        after.push(&replaced);
    }
    for number in touched.last + 1..=whole.last {
        after.push(line(number)?);
    }
    let before: Option<Vec<&str>> = (whole.first..=whole.last).map(line).collect();
    let (before, after) = (before?.join("\n"), after.join("\n"));
    (before != after).then_some((whole, after))
}

/// The byte that a column begins at; the one behind the last character is in the line too.
fn byte_of(line: &str, column: u32, unit: ColumnUnit) -> Option<usize> {
    let wanted = usize::try_from(column.checked_sub(1)?).ok()?;
    let counted = |width: fn(char) -> usize| {
        let mut passed = 0;
        for (at, c) in line.char_indices() {
            if passed >= wanted {
                return (passed == wanted).then_some(at);
            }
            passed += width(c);
        }
        (passed == wanted).then_some(line.len())
    };
    match unit {
        ColumnUnit::Bytes => line.is_char_boundary(wanted).then_some(wanted),
        ColumnUnit::Utf16 => counted(char::len_utf16),
        ColumnUnit::Scalars => counted(|_| 1),
        ColumnUnit::Unstated => {
            counted(|_| 1).filter(|scalars| counted(char::len_utf16) == Some(*scalars))
        }
    }
}

#[cfg(test)]
mod tests;
