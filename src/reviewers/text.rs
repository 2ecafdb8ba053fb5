//! Texts of reports: bytes to text, and a message's title and body.

use std::borrow::Cow;
use std::fmt;

/// Characters of a title.
const TITLE: usize = 200;
/// Bytes of a body: what a comment can hold, and some.
const BODY: usize = 16 * 1024;

/// A place in a report, counted from 1; columns are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column; 0: unknown.
    pub column: usize,
}

impl Position {
    /// The place of a byte.
    pub(super) fn of(bytes: &[u8], offset: usize) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        Self { line, column: before.len() - line_start + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The text of a report: UTF-8 with or without a byte-order mark, or UTF-16 with one (what a
/// redirection in PowerShell makes). Any other encoding is refused, with the place.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, (Position, &'static str)> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        match String::from_utf16(&units) {
            Ok(text) if rest.is_empty() => Ok(Cow::Owned(text)),
            Ok(_) | Err(_) => Err((Position { line: 1, column: 0 }, "is not valid UTF-16")),
        }
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] | rest => match std::str::from_utf8(rest) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(e) => Err((
                Position::of(rest, e.valid_up_to()),
                "is neither UTF-8 nor UTF-16 with a byte-order mark",
            )),
        },
    }
}

/// A message as a finding shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) title: String,
    pub(super) body: String,
}

impl Message {
    /// Splits a plain text: the title is its first sentence or line, the body is the rest. A
    /// sentence too long for a title is cut there and stands in the body as a whole.
    pub(super) fn new(text: &str) -> Self {
        Self::split(text, sentence_end)
    }

    fn split(text: &str, title_end: fn(&str) -> usize) -> Self {
        let text = text.trim();
        let (line, more) = text.split_once('\n').unwrap_or((text, ""));
        let (sentence, rest) = line.split_at(title_end(line));
        let title = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.chars().count() > TITLE {
            return Self { title: cut_words(&title), body: bounded(text) };
        }
        let body = format!("{}\n{more}", rest.trim());
        Self { title, body: bounded(body.trim()) }
    }

    /// A plain text for the title and Markdown for the body, as SARIF offers both.
    pub(super) fn with_markdown(text: &str, markdown: &str) -> Self {
        if text.trim().is_empty() {
            return Self::new(markdown);
        }
        let plain = Self::new(text);
        let rest = markdown.trim();
        let rest = rest.strip_prefix(plain.title.as_str()).unwrap_or(rest);
        Self { body: bounded(rest.trim()), ..plain }
    }

    /// A title by itself, which may be several sentences, and a body by itself; without a title
    /// the body's first sentence is it.
    pub(super) fn from_parts(title: &str, body: &str) -> Self {
        if title.trim().is_empty() {
            return Self::new(body);
        }
        let head = Self::split(title, str::len);
        let body = format!("{}\n\n{}", head.body, body.trim());
        Self { body: bounded(body.trim()), ..head }
    }

    /// The class stands in for a message that is not there.
    pub(super) fn or_class(self, class: &str) -> Self {
        if self.title.is_empty() { Self { title: class.to_owned(), ..self } } else { self }
    }
}

/// Where the first sentence of a line ends. A full stop after a short or dotted word ("e.g.",
/// "v1.") or before a small letter or a bracket is no end.
fn sentence_end(line: &str) -> usize {
    line.match_indices(['.', '!', '?'])
        .map(|(at, _)| (at, at + 1))
        .find(|(at, end)| {
            let (before, after) = (&line[..*at], &line[*end..]);
            let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
            let whole_word = word.chars().count() > 2 && !word.contains('.');
            let mut next = after.chars();
            let gap = next.next().is_some_and(char::is_whitespace);
            let fresh =
                next.find(|c| !c.is_whitespace()).is_some_and(|c| c != '(' && !c.is_lowercase());
            whole_word && gap && fresh
        })
        .map_or(line.len(), |(_, end)| end)
}

/// As many whole words as a title holds.
fn cut_words(title: &str) -> String {
    let cut: String = title.chars().take(TITLE - 1).collect();
    let words = match cut.rsplit_once(' ') {
        Some((words, _)) if words.len() * 2 > cut.len() => words,
        Some(_) | None => cut.as_str(),
    };
    format!("{words}…")
}

fn bounded(text: &str) -> String {
    if text.len() <= BODY {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(BODY)])
}

#[cfg(test)]
mod tests;
