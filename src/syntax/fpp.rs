//! FPP, NASA's language of components and ports: a scanner for its definitions, since no grammar
//! exists as a crate.

use rereview_core::model::{Call, Definition};

use super::Outline;

/// Words that begin a definition with a name; some are preceded by `active`, `async`, ….
const KINDS: [&str; 22] = [
    "module",
    "component",
    "port",
    "topology",
    "enum",
    "struct",
    "array",
    "instance",
    "machine",
    "command",
    "event",
    "param",
    "telemetry",
    "constant",
    "type",
    "interface",
    "record",
    "container",
    "state",
    "action",
    "guard",
    "signal",
];
/// Words that may stand before one.
const BEFORE: [&str; 16] = [
    "active",
    "passive",
    "queued",
    "async",
    "sync",
    "guarded",
    "output",
    "input",
    "state",
    "product",
    "internal",
    "special",
    "external",
    "match",
    "dictionary",
    "initial",
];

/// Reads a file.
pub(super) fn outline(text: &str) -> Option<Outline> {
    let mut outline = Outline::default();
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut pending: Option<usize> = None;
    let mut annotated: Option<u32> = None;
    let (mut in_text, mut goes_on, mut brackets) = (false, false, 0_i32);
    for (number, raw) in (1_u32..).zip(text.lines()) {
        let was_text = in_text;
        let code = code_of(raw, &mut in_text);
        let trimmed = code.trim();
        if raw.trim_start().starts_with('@') && !raw.trim_start().starts_with("@<") && !was_text {
            annotated.get_or_insert(number);
            continue;
        }
        if trimmed.is_empty() && !was_text && !in_text {
            // A blank line parts an annotation from what follows.
            annotated = annotated.filter(|_| !raw.trim().is_empty());
            continue;
        }
        // A definition without a body goes on over `\`, open brackets and texts, or to its brace.
        let continues = goes_on || brackets > 0 || was_text || trimmed.starts_with('{');
        pending = pending.filter(|_| continues);
        if let Some(name) = definition(trimmed).filter(|_| brackets == 0 && !was_text) {
            let first = annotated.unwrap_or(number);
            outline.definitions.push(Definition {
                name,
                lines: first..=number,
                header: number..=number,
            });
            pending = Some(outline.definitions.len() - 1);
        }
        annotated = None;
        extend(&mut outline, pending, number);
        outline.calls.extend(calls(trimmed, number));
        for c in trimmed.chars() {
            match c {
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets -= 1,
                '{' => open.push(pending.take()),
                '}' => extend(&mut outline, open.pop().flatten(), number),
                _ => {}
            }
        }
        brackets = brackets.max(0);
        goes_on = trimmed.ends_with('\\') || trimmed.ends_with(',');
    }
    let last = u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX);
    for at in open {
        extend(&mut outline, at, last);
    }
    Some(outline)
}

fn extend(outline: &mut Outline, at: Option<usize>, line: u32) {
    if let Some(definition) = at.and_then(|at| outline.definitions.get_mut(at)) {
        definition.lines = *definition.lines.start()..=line.max(*definition.lines.end());
    }
}

/// A line without comments, annotations and texts.
fn code_of(line: &str, in_text: &mut bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    loop {
        if *in_text {
            match rest.find("\"\"\"") {
                Some(end) => {
                    *in_text = false;
                    rest = &rest[end + 3..];
                }
                None => return out,
            }
        }
        let Some(at) = rest.find(['#', '@', '"']) else {
            out.push_str(rest);
            return out;
        };
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        if let Some(text) = here.strip_prefix("\"\"\"") {
            *in_text = true;
            rest = text;
        } else if let Some(text) = here.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            match end {
                Some(end) => rest = &text[end + 1..],
                None => return out,
            }
        } else {
            return out;
        }
    }
}

fn definition(line: &str) -> Option<String> {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '{' | ':' | '(' | '=' | ','));
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    // `import`, `use` and connections define nothing.
    let mut kind = words.next()?;
    while BEFORE.contains(&kind) && words.peek().is_some_and(|next| is_word(next)) {
        if KINDS.contains(&kind) && !words.peek().is_some_and(|next| KINDS.contains(next)) {
            break;
        }
        kind = words.next()?;
    }
    if !KINDS.contains(&kind) {
        return None;
    }
    let name = words.next()?;
    is_word(name).then(|| name.rsplit('.').next().unwrap_or(name).to_owned())
}

fn is_word(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

/// Port connections: `a.out -> b.in` calls `in`.
fn calls(line: &str, number: u32) -> Vec<Call> {
    let mut calls = Vec::new();
    for (at, arrow) in line.match_indices("->") {
        let target = line[at + arrow.len()..].trim_start();
        let end = target
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
            .unwrap_or(target.len());
        let name = target[..end].rsplit('.').next().unwrap_or_default();
        if !name.is_empty() {
            calls.push(Call { name: name.to_owned(), line: number });
        }
    }
    calls
}
