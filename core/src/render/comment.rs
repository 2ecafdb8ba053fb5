//! A finding's own comment.

use crate::decide::Form;
use crate::footer::{Footer, HiddenLine, Marker};
use crate::ids::{AgentName, Label, Mention};
use crate::key::{FindingKey, Twin};
use crate::model::{Confidence, Finding, Place, Tag};
use crate::text;

/// Characters of a title.
const TITLE: usize = 250;
/// Lines and characters of the text below it.
const BODY: (usize, usize) = (5, 2_000);
/// A suggestion block beyond this is left out.
const SUGGESTION: usize = 30_000;

/// What a comment is made from.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// Whose footer.
    pub agent: &'a AgentName,
    /// Shown first.
    pub label: &'a Label,
    /// What it says.
    pub finding: &'a Finding,
    /// How it begins.
    pub form: &'a Form,
    /// Its name.
    pub key: FindingKey,
    /// Its class and number.
    pub twin: &'a Twin,
    /// Called when the reviewer is not sure.
    pub ping: &'a [Mention],
    /// How the footer is spelled.
    pub marker: &'a Marker,
}

/// The whole comment, footer and all.
pub fn body(text: &Text<'_>) -> String {
    let finding = text.finding;
    let reported = &finding.reported;
    let mut parts = vec![first_line(text)];
    if let Place::ReAnchored { line, wanted } = finding.place {
        let side = if line > wanted { "below" } else { "above" };
        parts[0].push_str(&format!(
            "\n(Anchored {side} the offending line; the diff does not include line {wanted}.)"
        ));
    }
    let prose = text::block(&reported.body, BODY.0, BODY.1);
    if !prose.is_empty() {
        parts.push(prose);
    }
    parts.extend(offered(finding).map(text::suggestion));
    let unsure = match reported.confidence {
        Confidence::Normal => None,
        Confidence::Low => super::cc(text.ping, "low-confidence finding, please confirm."),
    };
    parts.extend(unsure);
    let footer = Footer::finding(text.agent.clone(), text.key, finding.site);
    let hidden = HiddenLine::of(finding, text.twin);
    super::with_footer(&parts.join("\n\n"), Some(&hidden), &footer, text.marker)
}

/// The replacement, if it fits where the comment stands: exactly the anchored lines.
fn offered(finding: &Finding) -> Option<&str> {
    let exact = match finding.place {
        Place::Inline(lines) => Some(lines) == finding.reported.lines,
        Place::ReAnchored { .. } | Place::File { .. } | Place::Note(_) => false,
    };
    let wanted = exact && finding.tag != Tag::FutureWork;
    finding.reported.suggestion.as_deref().filter(|fix| wanted && text::length(fix) <= SUGGESTION)
}

fn first_line(text: &Text<'_>) -> String {
    let Text { label, finding, .. } = text;
    let tag = finding.tag;
    let title = text::title(&finding.reported.title, TITLE);
    match text.form {
        Form::Fresh => format!("[{label}] **{tag}** {title}"),
        Form::FollowUp { to } => format!("[{label}] **{tag}** Follow-up to {to}: {title}"),
        Form::Reintroduced { fixed_in } => {
            let on = fixed_in.as_ref().map(|sha| format!(" on {sha}")).unwrap_or_default();
            format!(
                "[{label}] (This issue was previously resolved{on} and was re-introduced.) \
                 **{tag}** {title}"
            )
        }
    }
}

/// The tag that a comment shows, for comments without a hidden line.
pub fn visible_tag(body: &str) -> Option<Tag> {
    split(body).map(|(tag, _)| tag)
}

/// The title that a comment shows, as the reviewer gave it.
pub fn visible_title(body: &str) -> Option<String> {
    let (_, title) = split(body)?;
    let title = title
        .strip_prefix("Follow-up to ")
        .and_then(|rest| rest.split_once(": "))
        .map_or(title, |(_, title)| title);
    Some(text::plain(title.trim()))
}

fn split(body: &str) -> Option<(Tag, &str)> {
    let first = body.lines().next()?;
    let (_, rest) = first.split_once("**")?;
    let (tag, title) = rest.split_once("**")?;
    Some((Tag::parse(tag.trim())?, title.trim_start()))
}
