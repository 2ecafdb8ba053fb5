//! Which pull request an event is about (spec 00 "Events"): pure functions of its payload.

use std::path::Path;

use rereview_core::ids::{PrNumber, RepoSlug, Sha};
use serde_json::Value;

/// What a run is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One pull request; its head, where the event fixes it.
    Pull {
        /// Which.
        number: PrNumber,
        /// The event's head; else GitHub's.
        head: Option<Sha>,
    },
    /// The open pull request whose head this is (`workflow_run` of a fork).
    ByHead(Sha),
    /// Every open pull request that is no draft.
    AllOpen,
    /// None, and that is all right: the notice says why.
    Nothing(String),
}

/// Why an event says nothing: for the person who wrote the workflow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EventError(String);

const KNOWN: &str = "pull_request, pull_request_target, workflow_run, workflow_dispatch, \
                     schedule, issue_comment, merge_group";

/// Reads the event file.
///
/// # Errors
/// The path and the reason.
pub fn read(path: Option<&Path>) -> Result<Value, EventError> {
    let path = path.ok_or_else(|| EventError("GITHUB_EVENT_PATH is not set".to_owned()))?;
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| EventError(format!("the event file {shown} cannot be read: {error}")))?;
    serde_json::from_str(&text)
        .map_err(|error| EventError(format!("the event file {shown} is broken: {error}")))
}

/// What an event is about.
///
/// # Errors
/// An event that rereview has nothing to do with, or a payload without what it must have.
pub fn target(name: &str, payload: &Value) -> Result<Target, EventError> {
    let lacks = |what: &str| EventError(format!("the event `{name}` has no {what} in its file"));
    match name {
        "pull_request"
        | "pull_request_target"
        | "pull_request_review"
        | "pull_request_review_comment" => {
            let pull = &payload["pull_request"];
            let number = pull["number"].as_u64().ok_or_else(|| lacks("`pull_request.number`"))?;
            if pull["state"].as_str() == Some("closed") {
                return Ok(Target::Nothing(format!("pull request {number} is closed")));
            }
            let head = pull["head"]["sha"].as_str().and_then(|sha| Sha::new(sha).ok());
            Ok(Target::Pull { number: PrNumber(number), head })
        }
        "workflow_run" => {
            let run = &payload["workflow_run"];
            let head = run["head_sha"].as_str().ok_or_else(|| lacks("`workflow_run.head_sha`"))?;
            let head = Sha::new(head).map_err(|error| EventError(error.to_string()))?;
            let from_pull =
                matches!(run["event"].as_str(), Some(e) if e.starts_with("pull_request"));
            if !from_pull {
                return Ok(Target::Nothing(
                    "the workflow run is not one of a pull request".to_owned(),
                ));
            }
            match run["pull_requests"].as_array().map(Vec::as_slice) {
                Some([one]) => {
                    let number =
                        one["number"].as_u64().ok_or_else(|| lacks("pull request number"))?;
                    Ok(Target::Pull { number: PrNumber(number), head: Some(head) })
                }
                // Empty for forks, several for a head with several bases.
                Some(_) | None => Ok(Target::ByHead(head)),
            }
        }
        "issue_comment" => {
            let issue = &payload["issue"];
            let number = issue["number"].as_u64().ok_or_else(|| lacks("`issue.number`"))?;
            if !issue["pull_request"].is_object() {
                return Ok(Target::Nothing(format!("issue {number} is no pull request")));
            }
            Ok(Target::Pull { number: PrNumber(number), head: None })
        }
        "schedule" => Ok(Target::AllOpen),
        "merge_group" => Ok(Target::Nothing("a merge group has nothing to review".to_owned())),
        "workflow_dispatch" => Err(EventError(
            "`workflow_dispatch` needs the input `pull-request`: a number, #number or a URL"
                .to_owned(),
        )),
        "" => {
            Err(EventError("no pull request: give `--pull-request`, or run on an event".to_owned()))
        }
        other => Err(EventError(format!("the event `{other}` is unknown; allowed are {KNOWN}"))),
    }
}

/// Reads the input `pull-request`: a number, `#number`, or a URL of this repository.
///
/// # Errors
/// What was given and what is allowed.
pub fn pull_number(
    text: &str,
    repository: &RepoSlug,
    server: &str,
) -> Result<PrNumber, EventError> {
    let given = text.trim();
    let number = given.strip_prefix('#').unwrap_or(given);
    if let Ok(number) = number.parse::<u64>()
        && number > 0
    {
        return Ok(PrNumber(number));
    }
    let path = given.strip_prefix(server).map(|rest| rest.trim_start_matches('/'));
    let parts: Vec<&str> = path.unwrap_or_default().split('/').collect();
    if let [owner, name, "pull", number, ..] = parts.as_slice()
        && RepoSlug::new(&format!("{owner}/{name}")).is_ok_and(|slug| slug.same(repository))
        && let Ok(number) = number.parse::<u64>()
    {
        return Ok(PrNumber(number));
    }
    Err(EventError(format!(
        "input `pull-request`: {given:?} is neither a number, #number nor a URL of a pull request \
         of {repository}"
    )))
}

#[cfg(test)]
mod tests;
