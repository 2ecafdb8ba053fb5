//! From bytes to symbols: the named definitions of a file, and the names it calls (spec 10 §2).
//!
//! Each file is parsed once, by tree-sitter where a grammar exists and by a small scanner for FPP.
//! A parse error spoils its own region only; a file that is too large, or in a language that is
//! not known, has no symbols.

mod fpp;
mod language;
mod sections;
mod tree;

use rereview_core::model::{Call, Definition};

use language::Language;

/// A larger file is not parsed: a tree takes about 28 times the source's memory.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// A file's definitions and calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    definitions: Vec<Definition>,
    calls: Vec<Call>,
}

impl Outline {
    /// Reads a file; never fails.
    pub fn parse(path: &str, bytes: &[u8]) -> Self {
        if bytes.len() > MOST_BYTES {
            return Self::default();
        }
        let outline = match Language::of(path, bytes) {
            Some(Language::Fpp) => fpp::outline(&String::from_utf8_lossy(bytes)),
            Some(Language::Sections(grammar)) => sections::outline(grammar, bytes),
            Some(Language::Code(grammar)) => tree::outline(grammar, bytes),
            None => None,
        };
        let mut outline = outline.unwrap_or_default();
        outline.definitions.sort_by_key(|d| (*d.lines.start(), std::cmp::Reverse(*d.lines.end())));
        outline.calls.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
        outline.calls.dedup();
        outline
    }

    /// Every named definition, in the order they begin.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Every identifier in call position, in order.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The bare name of the deepest definition that a line is in; lines are counted from 1.
    pub fn symbol(&self, line: u32) -> Option<&str> {
        self.definitions
            .iter()
            .filter(|definition| definition.lines.contains(&line))
            .min_by_key(|definition| definition.lines.end() - definition.lines.start())
            .map(|definition| definition.name.as_str())
    }
}

/// A tree-sitter row as a line.
fn line(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX - 1).saturating_add(1)
}

#[cfg(test)]
mod tests;
