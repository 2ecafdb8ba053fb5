//! Headings, keys and tables: a symbol reaches from its own line to the next one's.

use rereview_core::model::Definition;
use tree_sitter::{Node, Parser, Tree};

use super::language::Sections;
use super::{Outline, line};

/// Reads a file; `None`: it cannot be parsed at all.
pub(super) fn outline(language: Sections, bytes: &[u8]) -> Option<Outline> {
    let (grammar, wanted): (tree_sitter::Language, fn(Node<'_>) -> Option<Mark>) = match language {
        Sections::Markdown => (tree_sitter_md::LANGUAGE.into(), heading),
        Sections::Yaml => (tree_sitter_yaml::LANGUAGE.into(), yaml_key),
        Sections::Toml => (tree_sitter_toml_ng::LANGUAGE.into(), table),
        Sections::Json => (tree_sitter_json::LANGUAGE.into(), json_key),
    };
    let mut parser = Parser::new();
    parser.set_language(&grammar).ok()?;
    let tree = parser.parse(bytes, None)?;
    let text = String::from_utf8_lossy(bytes);
    let rows = text.lines().count().max(1);
    let marks = marks(&tree, wanted);
    let mut outline = Outline::default();
    for (at, mark) in marks.iter().enumerate() {
        let next = marks.get(at + 1).map_or(rows, |next| next.row);
        let end = mark.end.map_or(next, |end| end.min(next)).max(mark.row + 1);
        let Some(name) = mark.name(bytes).filter(|_| !mark.is_boundary) else { continue };
        let lines = line(mark.row)..=line(end - 1);
        outline.definitions.push(Definition {
            name,
            header: line(mark.row)..=line(mark.row),
            lines,
        });
    }
    Some(outline)
}

/// Where a section begins.
struct Mark {
    row: usize,
    /// First row after it, where that is not the next mark.
    end: Option<usize>,
    name: Vec<std::ops::Range<usize>>,
    is_boundary: bool,
}

impl Mark {
    fn name(&self, bytes: &[u8]) -> Option<String> {
        let mut name = String::new();
        for range in &self.name {
            name.push_str(&String::from_utf8_lossy(bytes.get(range.clone())?));
            name.push(' ');
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        // A heading may be closed by `#`s after a space.
        let open = name.trim_end_matches('#');
        let name = if open.ends_with(' ') { open.trim_end().to_owned() } else { name };
        (!name.is_empty()).then_some(name)
    }
}

fn marks(tree: &Tree, wanted: fn(Node<'_>) -> Option<Mark>) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    'walk: loop {
        let mark = wanted(cursor.node());
        let is_mark = mark.is_some();
        found.extend(mark);
        // Nothing inside a key or heading begins a section of its own.
        if !is_mark && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    found.sort_by_key(|mark| mark.row);
    found
}

/// Headings by node: the grammar puts two setext headings into one section.
fn heading(node: Node<'_>) -> Option<Mark> {
    let inline = match node.kind() {
        "atx_heading" => node.child_by_field_name("heading_content"),
        "setext_heading" => {
            let paragraph = node.child_by_field_name("heading_content");
            paragraph.or_else(|| node.named_child(0))
        }
        _ => return None,
    };
    let name = inline.map(|inline| inline.byte_range()).into_iter().collect();
    Some(Mark { row: node.start_position().row, end: None, name, is_boundary: inline.is_none() })
}

/// A top-level key of a document; the next document begins anew.
fn yaml_key(node: Node<'_>) -> Option<Mark> {
    let row = node.start_position().row;
    match node.kind() {
        "block_mapping_pair" | "flow_pair" => {
            let key = node.child_by_field_name("key")?;
            let name = trim_quotes(key);
            Some(Mark { row, end: None, name: vec![name], is_boundary: false })
        }
        "---" => Some(Mark { row, end: None, name: Vec::new(), is_boundary: true }),
        _ => None,
    }
}

fn table(node: Node<'_>) -> Option<Mark> {
    match node.kind() {
        "table" | "table_array_element" => {
            let name = node.named_child(0)?;
            let row = node.start_position().row;
            Some(Mark { row, end: None, name: vec![name.byte_range()], is_boundary: false })
        }
        _ => None,
    }
}

fn json_key(node: Node<'_>) -> Option<Mark> {
    if node.kind() != "pair" {
        return None;
    }
    let key = node.child_by_field_name("key")?;
    let row = node.start_position().row;
    let end = Some(node.end_position().row + 1);
    Some(Mark { row, end, name: vec![trim_quotes(key)], is_boundary: false })
}

/// A quoted key without its quotes.
fn trim_quotes(key: Node<'_>) -> std::ops::Range<usize> {
    let range = key.byte_range();
    let quoted = {
        let mut inner = key;
        while let Some(child) = inner.named_child(0).filter(|_| inner.named_child_count() == 1) {
            inner = child;
        }
        matches!(
            inner.kind(),
            "double_quote_scalar" | "single_quote_scalar" | "string" | "string_content"
        )
    };
    if quoted && range.len() >= 2 { range.start + 1..range.end - 1 } else { range }
}
