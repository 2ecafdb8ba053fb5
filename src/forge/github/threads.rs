//! Replies, resolves and un-resolves: up to fifty threads in one aliased mutation.

use std::fmt::Write as _;

use rereview_core::writes::{ThreadChange, ThreadWrite};
use serde_json::{Map, Value};

use super::client::Client;
use crate::forge::{ForgeError, Step, ThreadOutcome};

/// Threads per request (spec 80 §4).
const BATCH: usize = 50;

pub(super) async fn write(
    client: &Client,
    writes: &[ThreadWrite],
) -> Result<Vec<ThreadOutcome>, ForgeError> {
    let mut outcomes = Vec::with_capacity(writes.len());
    for batch in writes.chunks(BATCH) {
        let (document, variables) = document(batch);
        match client.mutate(&document, variables, "write to review threads").await {
            Ok((data, errors)) => {
                let read = |(at, write)| outcome(at, write, &data, &errors);
                outcomes.extend(batch.iter().enumerate().map(read));
            }
            Err(ForgeError::Lost { cause, .. }) => {
                outcomes.extend(batch.iter().map(|write| all(write, &Step::Lost(cause.clone()))));
            }
            Err(ForgeError::Forbidden { permission, message, .. }) => {
                let refused = Step::Refused(format!("it needs `{permission}` ({message})"));
                outcomes.extend(batch.iter().map(|write| all(write, &refused)));
            }
            // Nothing of this batch happened; of an earlier one something may have.
            Err(error) if outcomes.is_empty() => return Err(error),
            Err(error) => {
                let lost = Step::Lost(error.to_string());
                outcomes.extend(batch.iter().map(|write| all(write, &lost)));
            }
        }
    }
    Ok(outcomes)
}

fn all(write: &ThreadWrite, step: &Step) -> ThreadOutcome {
    ThreadOutcome {
        reply: if write.reply.is_some() { step.clone() } else { Step::NotAsked },
        change: match write.change {
            ThreadChange::Keep => Step::NotAsked,
            ThreadChange::Resolve | ThreadChange::Unresolve => step.clone(),
        },
    }
}

/// Un-resolve before the reply, resolve after it: aliases run in order.
fn document(writes: &[ThreadWrite]) -> (String, Value) {
    let (mut head, mut body) = (String::new(), String::new());
    let mut variables = Map::new();
    for (at, write) in writes.iter().enumerate() {
        let _ = write!(head, "$t{at}: ID!, ");
        variables.insert(format!("t{at}"), write.thread.as_str().into());
        if write.change == ThreadChange::Unresolve {
            let _ = writeln!(
                body,
                "  c{at}: unresolveReviewThread(input: {{threadId: $t{at}}}) \
                 {{ thread {{ id isResolved }} }}"
            );
        }
        if let Some(reply) = &write.reply {
            let _ = write!(head, "$b{at}: String!, ");
            variables.insert(format!("b{at}"), reply.body.as_str().into());
            let _ = writeln!(
                body,
                "  r{at}: addPullRequestReviewThreadReply(input: \
                 {{pullRequestReviewThreadId: $t{at}, body: $b{at}}}) {{ comment {{ id }} }}"
            );
        }
        if write.change == ThreadChange::Resolve {
            let _ = writeln!(
                body,
                "  c{at}: resolveReviewThread(input: {{threadId: $t{at}}}) \
                 {{ thread {{ id isResolved }} }}"
            );
        }
    }
    let head = head.trim_end_matches(", ");
    (format!("mutation Threads({head}) {{\n{body}}}"), Value::Object(variables))
}

fn outcome(at: usize, write: &ThreadWrite, data: &Value, errors: &[Value]) -> ThreadOutcome {
    let step = |alias: String, done: bool| {
        let error = errors.iter().find(|error| error["path"][0].as_str() == Some(&alias));
        match (done, error) {
            (true, _) => Step::Done,
            (false, Some(error)) => Step::Refused(reason(error)),
            (false, None) => Step::Lost("the answer does not speak of it".to_owned()),
        }
    };
    let wanted = write.change == ThreadChange::Resolve;
    let resolved = data[format!("c{at}")]["thread"]["isResolved"].as_bool();
    ThreadOutcome {
        reply: match write.reply {
            None => Step::NotAsked,
            Some(_) => {
                let alias = format!("r{at}");
                let done = data[&alias]["comment"]["id"].is_string();
                step(alias, done)
            }
        },
        change: match write.change {
            ThreadChange::Keep => Step::NotAsked,
            ThreadChange::Resolve | ThreadChange::Unresolve => {
                step(format!("c{at}"), resolved == Some(wanted))
            }
        },
    }
}

fn reason(error: &Value) -> String {
    let message = error["message"].as_str().unwrap_or("no reason given");
    if error["type"].as_str() == Some("FORBIDDEN") {
        format!("the token lacks `contents: write` ({message})")
    } else {
        message.to_owned()
    }
}
