//! A second, naive reading of what rereview writes: its own code must not judge itself.

use std::collections::BTreeMap;

use rereview_core::ids::Account;

use crate::github::{Comment, Pull, Review, Thread};

/// A footer as it stands at the end of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// Whose.
    pub agent: String,
    /// 64 hex digits.
    pub key: String,
    /// Of a reply; a finding has none.
    pub kind: Option<String>,
}

/// Writes a footer as rereview does; also for those who forge one.
pub fn footer(agent: &str, key: &str, site: &str, kind: Option<&str>) -> String {
    let kind = kind.map(|kind| format!("; reply-kind: {kind}")).unwrap_or_default();
    format!("<!-- fprime-agent: {agent}; finding-key: {key}; site-key: {site}; v2{kind} -->")
}

/// The hidden lines at the end of a body, top down, without their markers.
fn hidden_lines(body: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = body
        .lines()
        .rev()
        .map(str::trim)
        .take_while(|line| line.is_empty() || (line.starts_with("<!--") && line.ends_with("-->")))
        .filter_map(|line| line.strip_prefix("<!--")?.strip_suffix("-->"))
        .map(str::trim)
        .collect();
    lines.reverse();
    lines
}

/// What people see of a body.
pub fn visible(body: &str) -> String {
    let hidden = hidden_lines(body).len();
    let lines: Vec<&str> = body.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect();
    lines[..lines.len() - hidden].join("\n")
}

/// The footers of a body, in order.
pub fn footers(body: &str) -> Vec<Footer> {
    let read = |line: &str| {
        let (first, rest) = line.split_once(';')?;
        let (word, agent) = first.split_once(':')?;
        let attributes: BTreeMap<&str, &str> = rest
            .split(';')
            .filter_map(|part| part.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim()))
            .collect();
        word.trim().ends_with("-agent").then_some(())?;
        Some(Footer {
            agent: agent.trim().to_owned(),
            key: (*attributes.get("finding-key")?).to_owned(),
            kind: attributes.get("reply-kind").map(|kind| (*kind).to_owned()),
        })
    };
    hidden_lines(body).into_iter().filter_map(read).collect()
}

/// The lines of a metadata body by their names; `None` when it is none of this agent.
pub fn metadata(body: &str, agent: &str) -> Option<BTreeMap<String, String>> {
    let lines: BTreeMap<String, String> = hidden_lines(body)
        .into_iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let marker = lines.iter().find(|(name, _)| name.ends_with("-agent"))?.1;
    (marker == &format!("{agent} v1")).then_some(lines)
}

/// The newest metadata that `me` wrote for an agent.
pub fn newest_metadata<'a>(
    pull: &'a Pull,
    me: &Account,
    agent: &str,
) -> Option<(&'a Review, BTreeMap<String, String>)> {
    let mine = pull.reviews.iter().rev().filter(|review| review.author == *me);
    mine.filter_map(|review| Some((review, metadata(&review.body, agent)?))).next()
}

/// A thread of ours, read from its footers.
#[derive(Clone, Debug)]
pub struct OwnThread<'a> {
    /// The thread.
    pub thread: &'a Thread,
    /// Whose finding it is.
    pub agent: String,
    /// Its key now: of the last footer.
    pub key: String,
    /// Our replies, in order.
    pub replies: Vec<OwnReply<'a>>,
}

/// A reply of ours.
#[derive(Clone, Debug)]
pub struct OwnReply<'a> {
    /// The comment.
    pub comment: &'a Comment,
    /// Which agent speaks.
    pub agent: String,
    /// Of which finding.
    pub key: String,
    /// What it says.
    pub kind: String,
}

impl OwnThread<'_> {
    /// Replies of a kind.
    pub fn of_kind<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'b OwnReply<'b>> {
        self.replies.iter().filter(move |reply| reply.kind == kind)
    }

    /// Whether a reply of a kind is there.
    pub fn has(&self, kind: &str) -> bool {
        self.of_kind(kind).next().is_some()
    }

    /// Whether an agent said "Fixed in".
    pub fn fixed_by(&self, agent: &str) -> bool {
        self.of_kind("resolution").any(|reply| reply.agent == agent)
    }

    /// Everybody who flags it: agent and key, the owner first.
    pub fn flagged_by(&self) -> Vec<(&str, &str)> {
        let others = self.of_kind("concurrence").map(|r| (r.agent.as_str(), r.key.as_str()));
        std::iter::once((self.agent.as_str(), self.key.as_str())).chain(others).collect()
    }

    /// Whether it is resolved.
    pub fn resolved(&self) -> bool {
        self.thread.resolved_by.is_some()
    }
}

/// The threads of a pull request that are ours, oldest first.
pub fn own_threads<'a>(pull: &'a Pull, me: &Account) -> Vec<OwnThread<'a>> {
    let read = |thread: &'a Thread| {
        let root = thread.comments.first().filter(|c| c.reply_to.is_none() && c.author == *me)?;
        let footer = footers(&root.body).pop().filter(|footer| footer.kind.is_none())?;
        let replies = thread.comments.iter().skip(1).filter(|c| c.author == *me);
        let replies = replies
            .filter_map(|comment| {
                let Footer { agent, key, kind } = footers(&comment.body).pop()?;
                Some(OwnReply { comment, agent, key, kind: kind? })
            })
            .collect();
        Some(OwnThread { thread, agent: footer.agent, key: footer.key, replies })
    };
    pull.threads.iter().filter_map(read).collect()
}
