//! Definitions and calls from a tree, by the language's table.

use std::ops::RangeInclusive;

use rereview_core::model::{Call, Definition};
use tree_sitter::{Node, Parser};

use super::language::{Code, Docs, Name};
use super::{Outline, line};

/// Below this nothing is looked at: finding a node's parent costs its depth.
const DEEPEST: u32 = 256;
/// Test blocks that name themselves by a text.
const TEST_CALLS: [&str; 9] =
    ["describe", "it", "test", "context", "suite", "specify", "feature", "scenario", "bench"];
/// Macros of C++ test frameworks whose last argument is the test's name.
const TEST_MACROS: [&str; 6] =
    ["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "TEST_METHOD"];
/// Fields that lead from a callee or declarator to the name at its end.
const DOWN: [&str; 9] = [
    "property",
    "field",
    "attribute",
    "declarator",
    "name",
    "method",
    "function",
    "constructor",
    "type",
];

/// Reads a file; `None`: it cannot be parsed at all.
pub(super) fn outline(code: &'static Code, bytes: &[u8]) -> Option<Outline> {
    let mut parser = Parser::new();
    parser.set_language(&(code.grammar)()).ok()?;
    let tree = parser.parse(bytes, None)?;
    let reader = Reader { code, bytes };
    let mut outline = Outline::default();
    let mut cursor = tree.walk();
    let mut depth = 0_u32;
    // Pre-order without recursion: nesting is up to the pull request.
    'walk: loop {
        let node = cursor.node();
        if node.is_named() && depth < DEEPEST {
            outline.definitions.extend(reader.definition(node));
            outline.calls.extend(reader.call(node));
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
            depth -= 1;
        }
    }
    Some(outline)
}

struct Reader<'a> {
    code: &'static Code,
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn definition(&self, node: Node<'_>) -> Option<Definition> {
        let rule = self.code.definitions.iter().find(|(kind, _)| *kind == node.kind())?.1;
        let name = self.name(node, rule)?;
        let name_at = name_row(node, rule);
        let outer = self.outermost(node);
        let body = node.child_by_field_name("body").or_else(|| node.child_by_field_name("value"));
        let end = last_row(outer);
        let header_end = body.map_or(end, |body| body.start_position().row);
        let first = self.attached_from(outer);
        let lines: RangeInclusive<u32> = line(first)..=line(end);
        let header = line(name_at)..=line(header_end.clamp(name_at, end));
        Some(Definition { name, lines, header })
    }

    fn name(&self, node: Node<'_>, rule: Name) -> Option<String> {
        let spans = node.start_position().row < last_row(node);
        let name = match rule {
            Name::Field(field) => self.leaf(node.child_by_field_name(field)?),
            Name::WithBody(field) => {
                has_body(node).then_some(())?;
                match node.child_by_field_name(field) {
                    Some(name) => self.leaf(name),
                    None => self.bound(node),
                }
            }
            Name::Spanning(field) if spans => self.leaf(node.child_by_field_name(field)?),
            Name::Spanning(_) => None,
            Name::ImplType => self.impl_type(node.child_by_field_name("type")?),
            Name::Declarator => self.function_name(node),
            Name::Bound => self.bound(node).filter(|_| spans || is_function(node)),
            Name::TestCall => self.test_name(node),
        }?;
        let name = name.trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// The name at the end of a path: `a::b::c` → `c`.
    fn leaf(&self, node: Node<'_>) -> Option<String> {
        let mut node = node;
        for _ in 0..64 {
            match node.kind() {
                "operator_name" | "operator_cast" | "destructor_name" | "conversion_operator" => {
                    break;
                }
                "string" | "string_literal" | "interpreted_string_literal" => {
                    return Some(self.text(node).trim_matches(['"', '\'', '`']).to_owned());
                }
                _ => {}
            }
            let next =
                DOWN.iter().find_map(|field| node.child_by_field_name(field)).or_else(|| {
                    // A path without fields, or a declarator in parentheses.
                    if node.kind() == "generic_type" || node.kind() == "generic_name" {
                        return node.named_child(0);
                    }
                    let last = u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?;
                    let wraps = matches!(
                        node.kind(),
                        "parenthesized_declarator"
                            | "reference_declarator"
                            | "pointer_declarator"
                            | "nested_namespace_specifier"
                            | "qualified_name"
                            | "namespace_name"
                            | "nested_type_identifier"
                            | "scoped_type_identifier"
                            | "nested_identifier"
                            | "command_name"
                            | "parenthesized_expression"
                            | "dotted_name"
                    );
                    wraps.then(|| node.named_child(last)).flatten()
                });
            match next {
                Some(next) if next.id() != node.id() => node = next,
                Some(_) | None => break,
            }
        }
        let text = self.text(node);
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.strip_prefix('$').unwrap_or(&text).to_owned();
        // What is no name (`(f || g)()`) names nothing.
        (text.chars().count() <= 120).then_some(text)
    }

    fn impl_type(&self, node: Node<'_>) -> Option<String> {
        let mut node = node;
        while let Some(inner) = match node.kind() {
            "generic_type" | "reference_type" | "pointer_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            _ => None,
        } {
            node = inner;
        }
        Some(self.text(node).to_owned())
    }

    fn function_name(&self, node: Node<'_>) -> Option<String> {
        let declarator = node.child_by_field_name("declarator")?;
        let name = self.leaf(declarator)?;
        if !TEST_MACROS.contains(&name.as_str()) {
            return Some(name);
        }
        let arguments = self.text(declarator).split_once('(')?.1.trim_end_matches(')');
        Some(arguments.rsplit(',').next()?.trim().to_owned())
    }

    /// The variable, property, field or type that an anonymous thing is bound to.
    fn bound(&self, node: Node<'_>) -> Option<String> {
        let mut child = node;
        let mut parent = node.parent()?;
        while matches!(
            parent.kind(),
            "parenthesized_expression"
                | "expression_list"
                | "as_expression"
                | "satisfies_expression"
                | "equals_value_clause"
                | "literal_element"
        ) {
            child = parent;
            parent = parent.parent()?;
        }
        let field = match parent.kind() {
            "variable_declarator" | "var_spec" | "field_definition" | "public_field_definition" => {
                let field =
                    if parent.child_by_field_name("name").is_some() { "name" } else { "property" };
                // C#'s declarator has its name as the first child.
                return match parent.child_by_field_name(field) {
                    Some(name) => self.leaf(name),
                    None => self.leaf(parent.named_child(0)?),
                };
            }
            "assignment"
            | "assignment_expression"
            | "assignment_statement"
            | "short_var_declaration" => "left",
            "pair" | "keyed_element" => "key",
            "let_declaration" => "pattern",
            "init_declarator" | "type_definition" | "field_declaration" => "declarator",
            _ => return None,
        };
        let name = parent.child_by_field_name(field)?;
        let is_value = name.id() != child.id();
        is_value.then(|| self.leaf(name)).flatten()
    }

    fn test_name(&self, node: Node<'_>) -> Option<String> {
        let callee =
            node.child_by_field_name("function").or_else(|| node.child_by_field_name("method"))?;
        let callee = self.text(callee);
        let first = callee.split(['.', '(']).next().unwrap_or(callee);
        if !TEST_CALLS.contains(&first) {
            return None;
        }
        let text = node.child_by_field_name("arguments")?.named_child(0)?;
        let is_text = matches!(text.kind(), "string" | "template_string" | "string_literal");
        if !is_text {
            return None;
        }
        let name = self.text(text).trim_matches(['"', '\'', '`']);
        Some(name.chars().take(120).collect())
    }

    fn call(&self, node: Node<'_>) -> Option<Call> {
        let (_, field) = self.code.calls.iter().find(|(kind, _)| *kind == node.kind())?;
        let callee = match *field {
            // The grammar gives the class no field.
            "" => node.named_child(0)?,
            field => node.child_by_field_name(field)?,
        };
        let name = self.leaf(callee)?;
        let plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '!' | '?' | '-' | '~'));
        let at = callee.end_position().row;
        (plain && !name.is_empty()).then(|| Call { name, line: line(at) })
    }

    /// The definition with what wraps it: decorators, `export`, `template<…>`. A wrapper of
    /// several definitions belongs to none.
    fn outermost<'n>(&self, node: Node<'n>) -> Node<'n> {
        let mut outer = node;
        while let Some(parent) = outer.parent() {
            let carries = matches!(
                parent.kind(),
                "variable_declarator"
                    | "assignment"
                    | "pair"
                    | "init_declarator"
                    | "let_declaration"
                    | "assignment_expression"
                    | "expression_statement"
                    | "public_field_definition"
                    | "field_definition"
                    | "short_var_declaration"
                    | "var_spec"
                    | "keyed_element"
                    | "assignment_statement"
            ) && parent.start_position().row == outer.start_position().row
                || parent.kind() == "expression_statement";
            let wraps =
                self.code.wrappers.contains(&parent.kind()) && is_only_definition(parent, outer);
            if !(carries || wraps) {
                break;
            }
            outer = parent;
        }
        outer
    }

    /// The first row of the attributes and doc comments directly above.
    fn attached_from(&self, node: Node<'_>) -> usize {
        let mut first = node.start_position().row;
        let mut head = node;
        // The first of a body: what stands above may hang on the body's parent.
        while let Some(parent) = head.parent().filter(|parent| {
            head.prev_sibling().is_none() && parent.start_byte() == head.start_byte()
        }) {
            head = parent;
        }
        let mut before = head.prev_sibling();
        while let Some(sibling) = before {
            let end = last_row(sibling);
            if end + 1 < first || end > first || !self.belongs(sibling) {
                break;
            }
            // A comment behind code on its own line is that code's.
            let trails = sibling
                .prev_sibling()
                .is_some_and(|other| last_row(other) == sibling.start_position().row);
            if trails && self.code.comments.contains(&sibling.kind()) {
                break;
            }
            first = sibling.start_position().row;
            before = sibling.prev_sibling();
        }
        first
    }

    fn belongs(&self, sibling: Node<'_>) -> bool {
        if self.code.attached.contains(&sibling.kind()) {
            return true;
        }
        let is_comment = self.code.comments.contains(&sibling.kind());
        is_comment
            && match self.code.docs {
                Docs::Any => !self.text(sibling).starts_with("#!"),
                Docs::Marked(marks) => {
                    marks.iter().any(|mark| self.text(sibling).starts_with(mark))
                }
                Docs::No => false,
            }
    }

    fn text(&self, node: Node<'_>) -> &str {
        let bytes = self.bytes.get(node.byte_range()).unwrap_or_default();
        // A grammar that cuts a character in two has no name for us.
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function"
            | "function_expression"
            | "generator_function"
            | "lambda"
            | "lambda_expression"
            | "closure_expression"
            | "func_literal"
            | "anonymous_function"
    )
}

fn has_body(node: Node<'_>) -> bool {
    node.child_by_field_name("body").is_some()
}

fn is_only_definition(wrapper: Node<'_>, inner: Node<'_>) -> bool {
    let mut cursor = wrapper.walk();
    let same =
        wrapper.named_children(&mut cursor).filter(|child| child.kind() == inner.kind()).count();
    same <= 1
}

fn name_row(node: Node<'_>, rule: Name) -> usize {
    let field = match rule {
        Name::Field(field) | Name::WithBody(field) | Name::Spanning(field) => field,
        Name::ImplType => "type",
        Name::Declarator => "declarator",
        Name::Bound | Name::TestCall => "",
    };
    node.child_by_field_name(field).unwrap_or(node).start_position().row
}

/// The last row with something of the node on it: a node that ends at a line's beginning ends on
/// the line before.
fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    let start = node.start_position().row;
    if end.column == 0 && end.row > start { end.row - 1 } else { end.row }
}
