//! An error in the config, shown with its line.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// What is wrong with a config file; `Display` shows the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rendered}")]
pub struct ConfigError {
    rendered: String,
    /// Counted from 1; `None`: the file as a whole.
    pub line: Option<usize>,
}

impl ConfigError {
    pub(super) fn whole(name: &str, message: &str) -> Self {
        Self { rendered: format!("error: {message}\n --> {name}"), line: None }
    }

    pub(super) fn from_yaml(name: &str, text: &str, path: &str, error: &serde_yaml::Error) -> Self {
        let message = error.to_string();
        // The place is shown with its line, so it need not be in the sentence.
        let message = message.split(" at line ").next().unwrap_or(&message);
        let message = message.strip_prefix(&format!("{path}: ")).unwrap_or(message);
        let message = match suggestion(message) {
            Some(meant) => format!("{message}; did you mean `{meant}`?"),
            None => message.to_owned(),
        };
        let message = if path == "." { message } else { format!("`{path}`: {message}") };
        let unknown = message.split('`').collect::<Vec<_>>();
        let field = message.contains("unknown field").then(|| {
            let at = unknown.iter().position(|part| part.ends_with("unknown field "));
            at.and_then(|at| unknown.get(at + 1)).copied()
        });
        match (field.flatten(), error.location()) {
            // serde speaks of the mapping; the person looks for the key.
            (Some(field), location) => {
                let from = location.map_or(0, |location| location.index());
                let start = find_key(text, field, from).or_else(|| find_key(text, field, 0));
                match start {
                    Some(start) => Self::show(name, text, start..start + field.len(), &message),
                    None => Self::whole(name, &message),
                }
            }
            (None, Some(location)) => {
                let start = location.index().min(text.len());
                Self::show(name, text, word(text, start), &message)
            }
            (None, None) => Self::at(name, text, path, &message),
        }
    }

    /// At a path such as `agents[1].name`.
    pub(super) fn at(name: &str, text: &str, path: &str, message: &str) -> Self {
        let message = format!("`{path}`: {message}");
        match locate(text, path) {
            Some(range) => Self::show(name, text, range, &message),
            None => Self::whole(name, &message),
        }
    }

    fn show(name: &str, text: &str, range: std::ops::Range<usize>, message: &str) -> Self {
        let line = text.get(..range.start).unwrap_or(text).matches('\n').count() + 1;
        let snippet =
            Snippet::source(text).path(name).annotation(AnnotationKind::Primary.span(range));
        let report = [Level::ERROR.primary_title(message).element(snippet)];
        Self { rendered: Renderer::plain().render(&report), line: Some(line) }
    }
}

/// The nearest of what is allowed: `unknown field \`x\`, expected one of \`a\`, \`b\``.
fn suggestion(message: &str) -> Option<String> {
    let (wrong, allowed) = message.split_once(", expected")?;
    let wrong = wrong.split('`').nth_back(1)?;
    let allowed = allowed.split('`').skip(1).step_by(2);
    let near = allowed.map(|name| (distance(wrong, name), name)).min()?;
    (near.0 <= 3 && near.0 < wrong.chars().count()).then(|| near.1.to_owned())
}

/// Edits between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn find_key(text: &str, key: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.match_indices(key)
        .find(|(at, _)| {
            let before = rest[..*at].chars().next_back();
            let after = rest[*at + key.len()..].trim_start_matches(['"', '\'', ' ']);
            before.is_none_or(|c| c.is_whitespace() || matches!(c, '{' | ',' | '"' | '\''))
                && after.starts_with(':')
        })
        .map(|(at, _)| from + at)
}

fn word(text: &str, start: usize) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(start);
    let rest = &text[start..];
    let end = rest.find(['\n', ',', '}', ']']).unwrap_or(rest.len());
    start..start + rest[..end].trim_end().len().max(1).min(rest.len().max(1))
}

/// Where a path's last key is written: keys and list entries, one after another.
fn locate(text: &str, path: &str) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    let mut found = None;
    for part in path.split('.') {
        let (key, index) = match part.split_once('[') {
            Some((key, index)) => (key, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (part, None),
        };
        let Some(start) = find_key(text, key, at) else { break };
        found = Some(start..start + key.len());
        at = start + key.len();
        if let Some(index) = index {
            let entries = text.get(at..)?.match_indices("- ").filter(|(dash, _)| {
                let line = text[at..at + dash].rsplit('\n').next().unwrap_or_default();
                line.trim().is_empty() && {
                    let indent = line.len();
                    indent <= first_indent(text, at)
                }
            });
            if let Some((dash, _)) = entries.into_iter().nth(index) {
                at += dash;
            }
        }
    }
    found
}

/// How deep the first list entry after a place stands.
fn first_indent(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let first = rest.lines().skip(1).find(|line| line.trim_start().starts_with("- "));
    first.map_or(0, |line| line.len() - line.trim_start().len())
}
