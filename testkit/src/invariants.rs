//! What must hold after a run (spec 80 §2), checked naively over the plain state.
//!
//! Every check gives the violations in words; none means that it holds. They are for runs that
//! ended: a killed run may leave anything that the next one repairs.

use std::collections::{BTreeMap, BTreeSet};

use rereview_core::ids::Account;

use crate::footers::{OwnThread, own_threads, visible};
use crate::github::{Comment, GitHub, Pull, Resolution, Thread};

/// What a check has to know besides the state.
#[derive(Clone, Debug)]
pub struct Law {
    /// Who rereview writes as.
    pub me: Account,
    /// The core maintainers.
    pub maintainers: BTreeSet<Account>,
    /// What is true of the head, by agent.
    pub truth: BTreeMap<String, Truth>,
    /// See [`Resolving`].
    pub resolving: Resolving,
}

/// What an agent's reviewer found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The keys that are there, in hex.
    pub present: BTreeSet<String>,
    /// Whether what is not there is known to be gone.
    pub analysis: Analysis,
}

/// How far an analysis came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Analysis {
    /// It saw everything.
    #[default]
    Complete,
    /// It proves nothing absent.
    Failed,
}

/// Whether the token may resolve threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolving {
    /// It may.
    Allowed,
    /// GitHub refuses it.
    Refused,
}

impl Law {
    fn present(&self, agent: &str, key: &str) -> bool {
        self.truth.get(agent).is_some_and(|truth| truth.present.contains(key))
    }

    fn absent(&self, agent: &str, key: &str) -> bool {
        self.truth.get(agent).is_some_and(|truth| {
            truth.analysis == Analysis::Complete && !truth.present.contains(key)
        })
    }
}

/// Items 1 to 4 and 10 at once; `before` is the state that the run began with.
pub fn violations(before: &GitHub, after: &GitHub, number: u64, law: &Law) -> Vec<String> {
    let (old, new) = (before.pull(number), after.pull(number));
    let mut found = one_open_thread_per_key(new, law);
    found.extend(threads_tell_the_truth(new, law));
    found.extend(rulings_are_left_alone(old, new, law));
    found.extend(nothing_is_said_twice(new, law));
    found.extend(pings_are_called_for(after, new, law));
    found
}

/// Item 1: no two open threads of one agent with the same key. One that was closed over, but
/// whose resolve GitHub refuses, does not count.
pub fn one_open_thread_per_key(pull: &Pull, law: &Law) -> Vec<String> {
    let mut open: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for own in own_threads(pull, &law.me) {
        let over = own.has("superseded") || own.has("duplicate-close");
        let closed = own.resolved() || (over && law.resolving == Resolving::Refused);
        if !closed {
            let id = own.thread.id.to_string();
            open.entry((own.agent, own.key)).or_default().push(id);
        }
    }
    open.into_iter()
        .filter(|(_, threads)| threads.len() > 1)
        .map(|((agent, key), threads)| {
            format!("1: {} of {agent} are open with the key {}", threads.join(", "), short(&key))
        })
        .collect()
}

/// Item 2: no thread resolved by us whose key is present (the newest of its key speaks); none
/// left open that nobody flags any more, unless the resolve was refused: then all have said so.
pub fn threads_tell_the_truth(pull: &Pull, law: &Law) -> Vec<String> {
    let own = own_threads(pull, &law.me);
    let mut found = Vec::new();
    for (i, it) in own.iter().enumerate() {
        let id = &it.thread.id;
        let newest = !own[i + 1..].iter().any(|t| t.agent == it.agent && t.key == it.key);
        let by_us = it.thread.resolved_by.as_ref() == Some(&law.me);
        let elsewhere = it.has("duplicate-close");
        if newest && by_us && !elsewhere && law.present(&it.agent, &it.key) {
            found.push(format!("2: {id} is resolved by us, {} is present", short(&it.key)));
        }
        if it.resolved() || elsewhere {
            continue;
        }
        let flagged = it.flagged_by();
        let gone = |(agent, key): &&(&str, &str)| law.absent(agent, key);
        for (agent, key) in flagged.iter().filter(gone) {
            if !it.fixed_by(agent) {
                found.push(format!("2: {id} is open, {agent}'s {} is absent", short(key)));
            }
        }
        let all_gone = flagged.iter().all(|flag| gone(&flag));
        if all_gone && law.resolving == Resolving::Allowed {
            found.push(format!("2: {id} is open, nobody flags it any more"));
        }
    }
    found
}

/// Item 3: nothing is done to a thread that a core maintainer resolved. A further hidden line in
/// the root, by which the ruling follows its finding, is nothing that anybody sees.
pub fn rulings_are_left_alone(before: &Pull, after: &Pull, law: &Law) -> Vec<String> {
    let seen = |thread: &Thread| {
        let said: Vec<_> = thread.comments.iter().map(|c| (c.id, visible(&c.body))).collect();
        (thread.resolved_by.clone(), thread.history.len(), said)
    };
    let ruled = before
        .threads
        .iter()
        .filter(|t| t.resolved_by.as_ref().is_some_and(|who| law.maintainers.contains(who)));
    ruled
        .filter(|old| {
            let now = after.threads.iter().find(|t| t.id == old.id);
            now.is_none_or(|now| seen(now) != seen(old))
        })
        .map(|old| format!("3: {}, resolved by a maintainer, was changed", old.id))
        .collect()
}

/// Item 4: at most one disagreement, one concurrence per agent, one duplicate-close, one
/// superseded in a thread, ever; one improper-resolution reply per resolution.
pub fn nothing_is_said_twice(pull: &Pull, law: &Law) -> Vec<String> {
    let mut found = Vec::new();
    for own in own_threads(pull, &law.me) {
        let id = &own.thread.id;
        let mut at_most = |most: usize, count: usize, what: &str| {
            if count > most {
                found.push(format!("4: {id} has {count} {what} replies, {most} at most"));
            }
        };
        for kind in ["disagreement", "duplicate-close", "superseded"] {
            at_most(1, own.of_kind(kind).count(), kind);
        }
        let mut concurring: BTreeMap<&str, usize> = BTreeMap::new();
        own.of_kind("concurrence").for_each(|r| *concurring.entry(&r.agent).or_default() += 1);
        for (agent, count) in concurring {
            at_most(1, count, &format!("{agent}'s concurrence"));
        }
        let by_others =
            |turn: &&crate::github::Turn| turn.to == Resolution::Resolved && turn.by != law.me;
        let resolutions = own.thread.history.iter().filter(by_others).count();
        at_most(resolutions, own.of_kind("improper-resolution").count(), "improper-resolution");
    }
    found
}

/// Item 10: only a `cc` line pings, at most one in a comment, and only in a finding of low
/// confidence, an improper-resolution or a disagreement reply.
pub fn pings_are_called_for(github: &GitHub, pull: &Pull, law: &Law) -> Vec<String> {
    let own = own_threads(pull, &law.me);
    let comments = pull.threads.iter().flat_map(|thread| &thread.comments);
    let mut found = Vec::new();
    for comment in comments.filter(|comment| comment.author == law.me) {
        let text = visible(&comment.body);
        let mut calls = 0;
        for line in text.lines().filter(|line| pings(line, github)) {
            if line.starts_with("cc @") {
                calls += 1;
            } else {
                found.push(format!("10: comment {} pings outside its cc line", comment.id));
            }
        }
        if calls > 1 || (calls == 1 && !called_for(comment, &own)) {
            found.push(format!("10: comment {} pings without need", comment.id));
        }
    }
    for review in pull.reviews.iter().filter(|review| review.author == law.me) {
        if visible(&review.body).lines().any(|line| pings(line, github)) {
            found.push(format!("10: review {} pings", review.id));
        }
    }
    found
}

fn called_for(comment: &Comment, own: &[OwnThread<'_>]) -> bool {
    let reply = own.iter().flat_map(|t| &t.replies).find(|r| r.comment.id == comment.id);
    match reply {
        Some(reply) => matches!(reply.kind.as_str(), "improper-resolution" | "disagreement"),
        None => comment.reply_to.is_none() && comment.body.contains("low-confidence"),
    }
}

/// Whether GitHub would notify somebody: an `@login` outside code, not within a word.
fn pings(line: &str, github: &GitHub) -> bool {
    let outside_code = line.split('`').step_by(2);
    let mut parts = outside_code.flat_map(|text| {
        text.match_indices('@').map(|(at, _)| (text[..at].chars().next_back(), &text[at + 1..]))
    });
    parts.any(|(before, rest)| {
        let login: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let starts = before.is_none_or(|c| !c.is_alphanumeric());
        starts && github.users.contains_key(&Account::from_login(&login))
    })
}

/// Item 6: what differs between two states of a pull request, but for clocks and the metadata's
/// `run` and `since_last_run`.
pub fn changes(before: &Pull, after: &Pull) -> Vec<String> {
    let threads = |pull: &Pull| -> BTreeMap<String, String> {
        let said = |thread: &Thread| -> Vec<String> {
            thread.comments.iter().map(|c| format!("{}: {}", c.id, c.body)).collect()
        };
        let show = |t: &Thread| {
            let seen = format!("{:?} {:?} {:?}", t.resolved_by, t.history.len(), said(t));
            (t.id.to_string(), seen)
        };
        pull.threads.iter().map(show).collect()
    };
    let reviews = |pull: &Pull| -> BTreeMap<String, String> {
        let steady = |line: &&str| {
            !line.starts_with("<!-- run:") && !line.starts_with("<!-- since_last_run:")
        };
        let body = |body: &str| body.lines().filter(steady).collect::<Vec<_>>().join("\n");
        let show = |r: &crate::github::Review| {
            (format!("review {}", r.id), format!("{:?} {}", r.state, body(&r.body)))
        };
        pull.reviews.iter().map(show).collect()
    };
    let (mut old, mut new) = (threads(before), threads(after));
    old.extend(reviews(before));
    new.extend(reviews(after));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    names
        .into_iter()
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| format!("6: {name}: {:?} became {:?}", old.get(name), new.get(name)))
        .collect()
}

/// Item 8: what a pull request comes to, whatever ids and times it has: threads with their keys,
/// replies and resolution, and what the metadata counts.
pub fn outline(pull: &Pull, me: &Account) -> Vec<String> {
    let show = |own: &OwnThread<'_>| {
        let replies: Vec<String> =
            own.replies.iter().map(|r| format!("{} by {}", r.kind, r.agent)).collect();
        let OwnThread { thread, agent, key, .. } = own;
        let (path, by) = (&thread.path, &thread.resolved_by);
        format!("{agent} {} {path}: {replies:?}, resolved by {by:?}", short(key))
    };
    let mut all: Vec<String> = own_threads(pull, me).iter().map(show).collect();
    let mine = pull.reviews.iter().filter(|review| review.author == *me);
    let counts = mine.flat_map(|review| review.body.lines());
    all.extend(counts.filter(|line| line.starts_with("<!-- counts:")).map(str::to_owned));
    all.sort();
    all
}

fn short(key: &str) -> &str {
    key.get(..8).unwrap_or(key)
}
