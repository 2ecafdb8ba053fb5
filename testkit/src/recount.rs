//! Item 5 of spec 80 §2: the counters, counted again from the threads by a naive model.

use std::collections::BTreeMap;

use crate::footers::{OwnThread, newest_metadata, own_threads, visible};
use crate::github::{Pull, Resolution};
use crate::invariants::Law;

/// The tags as bodies show them, and as the metadata's columns call them.
const TAGS: [(&str, &str); 4] = [
    ("must fix", "must_fix"),
    ("suggestion", "suggestion"),
    ("could fix", "could_fix"),
    ("future work", "future_work"),
];

/// What the threads say about an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recount {
    /// Findings with a thread, by column.
    pub columns: BTreeMap<&'static str, u64>,
    /// How many of them are settled.
    pub resolved: u64,
}

/// Findings without a thread, which no thread shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Still there.
    pub open: u64,
    /// Gone.
    pub settled: u64,
}

/// Whether the threads still show everything that was ever posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// They do: the columns are exactly what they show.
    Whole,
    /// People deleted some: the columns remember more.
    Torn,
}

/// Counts an agent's threads, and those it concurs on.
pub fn recount(pull: &Pull, agent: &str, law: &Law) -> Recount {
    let own = own_threads(pull, &law.me);
    let mut count = Recount::default();
    for it in &own {
        let flagged = it.flagged_by();
        let Some((_, key)) = flagged.iter().find(|(who, _)| *who == agent) else { continue };
        // The thread that took its place is counted instead.
        if it.has("superseded") {
            continue;
        }
        if let Some(column) = column(it, agent) {
            *count.columns.entry(column).or_default() += 1;
        }
        let speaks = canonical(it, &own).unwrap_or(it);
        if settled(speaks, agent, key, law) {
            count.resolved += 1;
        }
    }
    count
}

/// Holds an agent's metadata against a recount, and against the metadata before the run.
pub fn wrong_counters(
    before: &Pull,
    after: &Pull,
    agent: &str,
    law: &Law,
    notes: Notes,
    history: History,
) -> Vec<String> {
    let counts = |pull: &Pull| {
        let (_, lines) = newest_metadata(pull, &law.me, agent)?;
        serde_json::from_str::<BTreeMap<String, u64>>(lines.get("counts")?).ok()
    };
    let Some(now) = counts(after) else {
        return vec![format!("5: {agent} has no metadata with counts")];
    };
    let old = counts(before).unwrap_or_default();
    let counted = recount(after, agent, law);
    let mut found = Vec::new();
    let column = |of: &BTreeMap<String, u64>, name: &str| of.get(name).copied().unwrap_or(0);
    for (_, name) in TAGS {
        let (was, is) = (column(&old, name), column(&now, name));
        let shown = counted.columns.get(name).copied().unwrap_or(0);
        if is < was {
            found.push(format!("5: {agent}'s {name} fell from {was} to {is}"));
        }
        if is < shown {
            found.push(format!("5: {agent}'s {name} is {is}, the threads show {shown}"));
        }
    }
    let total: u64 = TAGS.iter().map(|(_, name)| column(&now, name)).sum();
    let shown: u64 = counted.columns.values().sum::<u64>() + notes.open + notes.settled;
    if history == History::Whole && total != shown {
        found.push(format!("5: {agent}'s columns are {total} together, shown are {shown}"));
    }
    let outstanding = total.saturating_sub(counted.resolved + notes.settled);
    if column(&now, "outstanding") != outstanding {
        let said = column(&now, "outstanding");
        found.push(format!("5: {agent} has {said} outstanding, counted are {outstanding}"));
    }
    found
}

/// Resolved, or open with the agent's own "Fixed in" (the resolve was refused). A resolve that
/// was answered as improper since, over a finding that is still there, settles nothing.
fn settled(it: &OwnThread<'_>, agent: &str, key: &str, law: &Law) -> bool {
    if !it.resolved() {
        return it.fixed_by(agent);
    }
    let present = law.truth.get(agent).is_some_and(|truth| truth.present.contains(key));
    let resolved_at = it.thread.history.iter().rev().find(|turn| turn.to == Resolution::Resolved);
    let answered = it
        .of_kind("improper-resolution")
        .last()
        .is_some_and(|reply| resolved_at.is_none_or(|turn| reply.comment.created > turn.at));
    !(present && answered)
}

/// A thread closed as duplicate counts as the one that its closing reply links.
fn canonical<'a, 'b>(it: &OwnThread<'_>, own: &'b [OwnThread<'a>]) -> Option<&'b OwnThread<'a>> {
    let close = it.of_kind("duplicate-close").next()?;
    own.iter().find(|other| {
        let root = other.thread.comments.first();
        root.is_some_and(|root| close.comment.body.contains(&format!("discussion_r{}", root.id)))
    })
}

/// By the tag the agent gave: its own in a concurrence, else the root's.
fn column(it: &OwnThread<'_>, agent: &str) -> Option<&'static str> {
    let own = it.of_kind("concurrence").find(|reply| reply.agent == agent);
    let said = own.and_then(|reply| first_tag(&reply.comment.body));
    said.or_else(|| first_tag(&it.thread.comments.first()?.body))
}

fn first_tag(body: &str) -> Option<&'static str> {
    let text = visible(body);
    let line = text.lines().next()?;
    let at = |(shown, column): (&str, &'static str)| {
        line.find(&format!("**{shown}**")).map(|position| (position, column))
    };
    TAGS.into_iter().filter_map(at).min().map(|(_, column)| column)
}
