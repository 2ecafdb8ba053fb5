//! What a result says: its own words, or the rule's with the result's arguments.

use super::document::{ResultMessage, Text};
use super::rules::Found;
use crate::reviewers::text::Message;

/// The message of a result. The rule's descriptions stand in for one that is missing.
pub(super) fn read(message: &ResultMessage, found: Found<'_>) -> Message {
    let by_id = || {
        let id = message.id.as_deref()?;
        found
            .rule
            .and_then(|rule| rule.message_strings.get(id))
            .or_else(|| found.component.global_message_strings.get(id))
    };
    let own = |text: &str| fill(text, &message.arguments);
    let (text, markdown) = match (&message.text, &message.markdown, by_id()) {
        (None, None, Some(Text { text, markdown })) => (own(text), markdown.as_deref().map(own)),
        (text, markdown, _) => {
            (text.as_deref().map(own).unwrap_or_default(), markdown.as_deref().map(own))
        }
    };
    let text = without_links(&text);
    let said = match markdown.filter(|markdown| markdown.trim() != text.trim()) {
        Some(markdown) => Message::with_markdown(&text, &without_links(&markdown)),
        None => Message::new(&text),
    };
    if !said.title.is_empty() {
        return said;
    }
    let described = found.rule.map(|rule| [&rule.short_description, &rule.full_description]);
    described
        .into_iter()
        .flatten()
        .map(|description| Message::new(&description.text))
        .find(|message| !message.title.is_empty())
        .unwrap_or(said)
}

/// Puts arguments into `{0}`, `{1}`, …; `{{` and `}}` are braces. Without arguments the text
/// stays as it is: producers forget to double their braces.
fn fill(text: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        return text.to_owned();
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        filled.push_str(before);
        let argument = brace.strip_prefix('{').and_then(|inner| {
            let (index, after) = inner.split_once('}')?;
            Some((arguments.get(index.parse::<usize>().ok()?)?, after))
        });
        if let Some((argument, after)) = argument {
            filled.push_str(argument);
            rest = after;
        } else {
            let doubled = brace.starts_with("{{") || brace.starts_with("}}");
            filled.push_str(&brace[..1]);
            rest = &brace[if doubled { 2 } else { 1 }..];
        }
    }
    filled.push_str(rest);
    filled
}

/// `[text](3)` points to another location of the result: only its text can be shown.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, bracket) = rest.split_at(at);
        plain.push_str(before);
        let link = bracket[1..].split_once("](").and_then(|(label, after)| {
            let (target, after) = after.split_once(')')?;
            let number = !target.is_empty() && target.bytes().all(|b| b.is_ascii_digit());
            (number && !label.contains(['[', ']'])).then_some((label, after))
        });
        if let Some((label, after)) = link {
            plain.push_str(label);
            rest = after;
        } else {
            plain.push('[');
            rest = &bracket[1..];
        }
    }
    plain.push_str(rest);
    plain
}
