//! The replies of spec 10 §5. All texts without their footers.

use crate::ids::{Label, Mention, Sha};
use crate::model::{Agent, Reported, Tag};
use crate::text;

/// Lines and characters that say why.
const WHY: (usize, usize) = (3, 1_000);

/// The code shows the fix.
pub fn fixed(label: &Label, head: &Sha) -> String {
    format!("[{label}] Fixed in {head}.")
}

/// The commit that a `Fixed in` reply names.
pub fn fixed_in(body: &str) -> Option<String> {
    let (_, rest) = body.lines().next()?.split_once("Fixed in ")?;
    let sha = rest.trim_end().strip_suffix('.').unwrap_or(rest);
    Sha::new(sha.trim()).ok().map(|sha| sha.as_str().to_owned())
}

/// Somebody resolved the thread over a live finding.
pub fn improperly_resolved(
    label: &Label,
    head: &Sha,
    reported: &Reported,
    ping: &[Mention],
) -> String {
    let first = format!("[{label}] **Improperly resolved.** This finding still applies on {head}.");
    let why = "contributor resolved without addressing; please adjudicate.";
    joined(first, reported, super::cc(ping, why))
}

/// Somebody answered, and the finding still applies.
pub fn disagreement(label: &Label, head: &Sha, reported: &Reported, ping: &[Mention]) -> String {
    let first = format!(
        "[{label}] **Disagreement — escalating.** I still flag this on {head}; the \
         contributor's response above indicates we disagree."
    );
    joined(first, reported, super::cc(ping, "needs human adjudication."))
}

fn joined(first: String, reported: &Reported, cc: Option<String>) -> String {
    let why = if reported.body.trim().is_empty() { &reported.title } else { &reported.body };
    let why = text::block(why, WHY.0, WHY.1);
    let parts = [Some(first), Some(why).filter(|why| !why.is_empty()), cc];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// Another agent flags the same issue; `own_tag` when it is stricter than the thread's.
pub fn concur(agent: &Agent, reported: &Reported, own_tag: Option<Tag>) -> String {
    let scope = text::inline(agent.scope.as_deref().unwrap_or(agent.label.as_str()), 200);
    let line = text::title(&reported.title, 250);
    let line = line.trim_end_matches('.');
    let severity =
        own_tag.map(|tag| format!("; severity from my scope: **{tag}**")).unwrap_or_default();
    format!("[{}] **Concur** — also in scope for {scope}: {line}{severity}.", agent.label)
}

/// The finding was posted afresh.
pub fn superseded(label: &Label, to: &str) -> String {
    format!("[{label}] Superseded by {to}.")
}
