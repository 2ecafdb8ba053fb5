//! Untrusted text, made harmless at the place where it is used (spec 80 §3).
//!
//! What comes out of here renders as the text that went in: no mention, no cross-reference, no
//! closing keyword, no HTML, no image, no block of its own, nothing invisible.

use serde::Serialize;

/// GitHub's limit for a body.
pub const LIMIT: usize = 65_536;

/// Breaks up what GitHub would link; renders as nothing.
const JOINER: char = '\u{200d}';

/// The length of a body as GitHub counts it, or more: UTF-16 units are never fewer than
/// characters.
pub fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// One line of Markdown that shows `text`, at most `max` characters of it.
pub fn inline(text: &str, max: usize) -> String {
    escape(&one_line(text, max))
}

/// One line of Markdown that shows `text`, with its code spans as code; not for tables.
pub fn title(text: &str, max: usize) -> String {
    prose(&one_line(text, max))
}

/// Up to `max_lines` lines of Markdown that show `text`; code spans and fences stay code.
pub fn block(text: &str, max_lines: usize, max: usize) -> String {
    let shown = shorten(&visible(text, Breaks::Keep), max);
    let mut out: Vec<String> = Vec::new();
    let mut code: Option<Vec<&str>> = None;
    let mut cut = false;
    let mut lines = 0;
    for line in shown.lines().map(str::trim_end).skip_while(|line| line.is_empty()) {
        if lines == max_lines {
            cut = true;
            break;
        }
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        match (&mut code, is_fence) {
            (None, true) => code = Some(Vec::new()),
            (None, false) => {
                if !line.is_empty() || out.last().is_some_and(|last| !last.is_empty()) {
                    out.push(prose(line));
                }
                lines += usize::from(!line.is_empty());
            }
            (Some(inside), true) => {
                out.push(fence("text", &inside.join("\n")));
                code = None;
            }
            (Some(inside), false) => {
                inside.push(line);
                lines += 1;
            }
        }
    }
    if let Some(inside) = code {
        out.push(fence("text", &inside.join("\n")));
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    if cut {
        out.push("…".to_owned());
    }
    out.join("\n")
}

/// A code span that shows `text`: a path, a class, a login.
pub fn code(text: &str) -> String {
    let text = one_line(text, 300);
    if text.is_empty() {
        return "` `".to_owned();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A fenced block, longer than any run of backticks inside (case G10).
pub fn fence(info: &str, content: &str) -> String {
    let ticks = "`".repeat(longest_run(content).max(2) + 1);
    if content.is_empty() {
        format!("{ticks}{info}\n{ticks}")
    } else {
        format!("{ticks}{info}\n{content}\n{ticks}")
    }
}

/// A block that replaces exactly the anchored lines; the content is code and stays as it is.
pub fn suggestion(replacement: &str) -> String {
    fence("suggestion", replacement.strip_suffix('\n').unwrap_or(replacement))
}

/// JSON that can stand in an HTML comment: no `--`, no `<`, no `>` in it.
pub fn hidden_json<T: Serialize>(value: &T) -> String {
    // Plain data with text keys: writing it to memory cannot fail.
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '-' if out.ends_with('-') => out.push_str("\\u002d"),
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            _ => out.push(c),
        }
    }
    out
}

/// One line that can stand in an HTML comment.
pub fn comment_safe(text: &str) -> String {
    let line = one_line(text, 1000);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if c == '-' && out.ends_with('-') {
            out.push(' ');
        }
        match c {
            '<' => out.push('‹'),
            '>' => out.push('›'),
            _ => out.push(c),
        }
    }
    out
}

/// What [`inline`] was given, read back from what it made.
pub fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut chars = markdown.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(char::is_ascii_punctuation) => {
                out.extend(chars.next());
            }
            JOINER => {}
            _ => out.push(c),
        }
    }
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// One line, white space collapsed, nothing invisible, at most `max` characters.
pub fn one_line(text: &str, max: usize) -> String {
    let shown = visible(text, Breaks::Fold);
    let words: Vec<&str> = shown.split_whitespace().collect();
    shorten(&words.join(" "), max)
}

/// At most `max` characters; a cut is shown.
pub fn shorten(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Keep,
    Fold,
}

/// Control, bidi and zero-width characters as `⟨U+202E⟩`; tabs and, if asked, breaks as spaces.
fn visible(text: &str, breaks: Breaks) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' if breaks == Breaks::Keep => out.push('\n'),
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_invisible(c) => {
                out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// Characters that show nothing, or change how their neighbours show.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Markdown's and GitHub's own characters made literal.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '!' | '$' | '^' => {
                out.push('\\');
                out.push(c);
            }
            // Mentions, issue references, `GH-1`, e-mail autolinks.
            '@' => out.extend(['@', JOINER]),
            '#' => out.extend(['\\', '#', JOINER]),
            '-' if out.to_ascii_lowercase().ends_with("gh") => out.extend(['-', JOINER]),
            // A link to an issue or pull request makes a reference on it.
            '/' if previous == ':' => out.extend(['/', JOINER]),
            c => out.push(c),
        }
        previous = c;
    }
    out.replace("www.", "www\u{200d}.")
}

/// A line of prose: code spans stay, the rest is escaped, and it begins no block.
fn prose(line: &str) -> String {
    let line = line.trim();
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        out.push_str(&escape(&rest[..at]));
        let run = rest[at..].chars().take_while(|c| *c == '`').count();
        let after = &rest[at + run..];
        match closing(after, run) {
            Some(end) if !after[..end].trim().is_empty() => {
                out.push_str(&code(&after[..end]));
                rest = &after[end + run..];
            }
            Some(_) | None => {
                out.push_str(&"\\`".repeat(run));
                rest = after;
            }
        }
    }
    out.push_str(&escape(rest));
    let digits = out.len() - out.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match out.get(digits..).and_then(|rest| rest.chars().next()) {
        Some('.' | ')') if digits > 0 => out.insert(digits, '\\'),
        Some('-' | '+' | '=') if digits == 0 => out.insert(0, '\\'),
        Some(_) | None => {}
    }
    out
}

/// Where the next run of exactly `run` backticks begins.
fn closing(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let length = text[start..].chars().take_while(|c| *c == '`').count();
        if length == run {
            return Some(start);
        }
        at = start + length;
    }
    None
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests;
