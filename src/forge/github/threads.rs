//! Thread writes: one aliased GraphQL mutation for up to 50 of them, each alias by itself.

use rereview_core::writes::{ThreadChange, ThreadWrite};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::GitHub;
use super::client::Answer;
use super::graphql::{self, GraphQlError};
use super::retry::{Patience, Task, Trouble, shorten, speaks_of_limit};
use crate::forge::{ForgeError, Step, ThreadOutcome};

const AT_ONCE: usize = 50;
const WRITE: Task = Task {
    name: "answer and resolve review threads",
    subject: "the pull request",
    permission: "pull-requests: write",
};

/// Carries the writes out in order. Once a batch got no answer the others are not tried, and
/// are lost as well: the caller has to look again anyway.
pub(super) async fn write(
    github: &GitHub,
    writes: &[ThreadWrite],
) -> Result<Vec<ThreadOutcome>, ForgeError> {
    let mut outcomes = Vec::with_capacity(writes.len());
    let mut pending = writes.chunks(AT_ONCE);
    while let Some(batch) = pending.next() {
        let cause = match send(github, batch).await {
            Ok(mut some) => {
                again_after_limit(github, batch, &mut some).await;
                outcomes.extend(some);
                continue;
            }
            Err(ForgeError::Lost { cause, .. }) => cause,
            Err(error) if outcomes.is_empty() => return Err(error),
            Err(error) => error.to_string(),
        };
        let untried = pending.by_ref().flatten();
        outcomes.extend(batch.iter().chain(untried).map(|write| lost(write, &cause)));
    }
    Ok(outcomes)
}

async fn send(github: &GitHub, batch: &[ThreadWrite]) -> Result<Vec<ThreadOutcome>, ForgeError> {
    let created = batch.iter().filter(|write| write.reply.is_some()).count();
    let answer = github.mutate(&body(batch), created, WRITE).await?;
    outcomes_of(batch, &answer)
        .map_err(|cause| ForgeError::Lost { task: WRITE.name.to_owned(), cause })
}

/// GitHub refuses single aliases that come too quickly: only those go out again, later.
async fn again_after_limit(github: &GitHub, batch: &[ThreadWrite], done: &mut [ThreadOutcome]) {
    let mut patience = Patience::new(WRITE, github.deadline);
    loop {
        let limited: Vec<(&mut ThreadOutcome, ThreadWrite)> = done
            .iter_mut()
            .zip(batch)
            .filter_map(|(outcome, write)| limited_half(outcome, write).map(|half| (outcome, half)))
            .collect();
        if limited.is_empty() || patience.wait(Trouble::Limited(None)).await.is_err() {
            return;
        }
        let (outcomes, halves): (Vec<_>, Vec<_>) = limited.into_iter().unzip();
        let news = match send(github, &halves).await {
            Ok(news) => news,
            Err(ForgeError::Lost { cause, .. }) => {
                halves.iter().map(|half| lost(half, &cause)).collect()
            }
            Err(_) => return,
        };
        for (outcome, new) in outcomes.into_iter().zip(news) {
            renew(&mut outcome.reply, new.reply);
            renew(&mut outcome.change, new.change);
        }
    }
}

/// What of a write was refused for coming too quickly.
fn limited_half(outcome: &ThreadOutcome, write: &ThreadWrite) -> Option<ThreadWrite> {
    let limited = |step: &Step| matches!(step, Step::Refused(why) if speaks_of_limit(why));
    let half = ThreadWrite {
        thread: write.thread.clone(),
        reply: write.reply.clone().filter(|_| limited(&outcome.reply)),
        change: if limited(&outcome.change) { write.change } else { ThreadChange::Keep },
    };
    (half.reply.is_some() || half.change != ThreadChange::Keep).then_some(half)
}

fn renew(step: &mut Step, newer: Step) {
    if newer != Step::NotAsked {
        *step = newer;
    }
}

/// Whether a mutation's answer says that nothing of it was carried out.
pub(super) fn refused_whole(answer: &Answer) -> Option<Trouble> {
    let errors = graphql::errors(answer).ok()?;
    let first = errors.first()?;
    let nothing = errors.iter().all(|error| error.path.is_empty());
    let told = graphql::trouble(first, &errors, answer, WRITE);
    Some(told).filter(|told| nothing && !matches!(told, Trouble::NoAnswer(_)))
}

fn lost(write: &ThreadWrite, cause: &str) -> ThreadOutcome {
    let step = |asked: bool| if asked { Step::Lost(cause.to_owned()) } else { Step::NotAsked };
    ThreadOutcome {
        reply: step(write.reply.is_some()),
        change: step(write.change != ThreadChange::Keep),
    }
}

/// The request's body. Fields of a mutation are carried out in the order of the document.
fn body(batch: &[ThreadWrite]) -> String {
    let (mut declared, mut fields, mut variables) = (String::new(), String::new(), Map::new());
    for (n, write) in batch.iter().enumerate() {
        declared.push_str(&format!("$t{n}: ID!, "));
        variables.insert(format!("t{n}"), write.thread.as_str().into());
        if write.change == ThreadChange::Unresolve {
            fields.push_str(&change(n, "unresolveReviewThread"));
        }
        if let Some(reply) = &write.reply {
            declared.push_str(&format!("$b{n}: String!, "));
            variables.insert(format!("b{n}"), reply.body.as_str().into());
            fields.push_str(&format!(
                "r{n}: addPullRequestReviewThreadReply(\
                 input: {{pullRequestReviewThreadId: $t{n}, body: $b{n}}}) {{ comment {{ id }} }}\n"
            ));
        }
        if write.change == ThreadChange::Resolve {
            fields.push_str(&change(n, "resolveReviewThread"));
        }
    }
    let query = format!("mutation Threads({}) {{\n{fields}}}\n", declared.trim_end_matches(", "));
    serde_json::json!({ "query": query, "variables": variables }).to_string()
}

fn change(n: usize, name: &str) -> String {
    format!("c{n}: {name}(input: {{threadId: $t{n}}}) {{ thread {{ isResolved }} }}\n")
}

#[derive(Deserialize)]
struct Data {
    data: Option<Map<String, Value>>,
}

fn outcomes_of(batch: &[ThreadWrite], answer: &Answer) -> Result<Vec<ThreadOutcome>, String> {
    let unreadable = |error: serde_json::Error| format!("the answer cannot be read: {error}");
    let data: Data = serde_json::from_slice(&answer.body).map_err(unreadable)?;
    let errors = graphql::errors(answer).unwrap_or_default();
    let data = data.data.unwrap_or_default();
    let step = |alias: String, done: &dyn Fn(&Value) -> bool| step(&data, &errors, &alias, done);
    Ok(batch
        .iter()
        .enumerate()
        .map(|(n, write)| ThreadOutcome {
            reply: write.reply.as_ref().map_or(Step::NotAsked, |_| {
                step(format!("r{n}"), &|it| it.pointer("/comment/id").is_some_and(Value::is_string))
            }),
            change: resolved_after(write.change).map_or(Step::NotAsked, |wanted| {
                step(format!("c{n}"), &|it| {
                    it.pointer("/thread/isResolved").and_then(Value::as_bool) == Some(wanted)
                })
            }),
        })
        .collect())
}

fn resolved_after(change: ThreadChange) -> Option<bool> {
    match change {
        ThreadChange::Keep => None,
        ThreadChange::Resolve => Some(true),
        ThreadChange::Unresolve => Some(false),
    }
}

/// What became of one alias. Only what the answer shows counts as done (case G17).
fn step(
    data: &Map<String, Value>,
    errors: &[GraphQlError],
    alias: &str,
    done: &dyn Fn(&Value) -> bool,
) -> Step {
    let error = errors.iter().find(|error| error.root() == Some(alias));
    match (error, data.get(alias)) {
        (Some(error), _) if error.is_refusal() => Step::Refused(shorten(&error.message)),
        (Some(error), _) => Step::Lost(shorten(&error.message)),
        (None, Some(it)) if done(it) => Step::Done,
        (None, _) => Step::Lost(
            errors
                .first()
                .map_or_else(|| "the answer does not show it".to_owned(), |e| shorten(&e.message)),
        ),
    }
}
