//! The metadata review of an agent: its memory, on the pull request itself (spec 10 §4).

mod state;

use std::fmt::Write as _;

use serde::Deserialize;

use crate::footer::Marker;
use crate::ids::{AgentName, Sha};
use crate::model::{Counts, Metadata, RunState, SinceLastRun, Verdict};
use crate::text::{LIMIT, length};

/// Why a metadata body cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line} {problem}")]
pub struct MetadataError {
    /// Which line of it.
    pub line: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

/// A body, and what had to be left out of it to stay under GitHub's limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Under 65,536 characters.
    pub body: String,
    /// In words, for people.
    pub dropped: Vec<String>,
}

/// Whose metadata a body is; `None`: it is none.
pub fn agent_of(body: &str, marker: &Marker) -> Option<AgentName> {
    comments(body).find_map(|comment| {
        let (word, rest) = comment.split_once(':')?;
        if !marker.is_agent_word(word.trim()) || rest.contains(';') {
            return None;
        }
        let (name, _version) = rest.trim().rsplit_once(char::is_whitespace)?;
        AgentName::new(name.trim()).ok()
    })
}

/// Reads a metadata body: lines in any order, unknown ones kept out of the way.
///
/// # Errors
/// Names the line that is missing or cannot be read.
pub fn parse(body: &str, marker: &Marker) -> Result<Metadata, MetadataError> {
    let agent = agent_of(body, marker).ok_or_else(|| error("the marker", "is missing"))?;
    let mut counts: Option<Counts> = None;
    let mut verdict = None;
    let mut reviewed_head = None;
    let mut run = None;
    let mut since = SinceLastRun::default();
    let mut ci_safety = None;
    let mut rationale = String::new();
    let mut state = RunState::default();
    let mut unknown = Vec::new();
    for comment in comments(body) {
        let (name, value) =
            comment.split_once(':').map_or((comment, ""), |(n, v)| (n.trim(), v.trim()));
        match name {
            word if marker.is_agent_word(word) => {}
            "counts" => counts = Some(json("counts", value)?),
            "verdict" => verdict = Some(read_verdict("verdict", value)?),
            "reviewed_head" => {
                let sha = Sha::new(value).map_err(|e| error("reviewed_head", &e.to_string()))?;
                reviewed_head = Some(sha);
            }
            "run" => {
                run = Some(value.parse().map_err(|_| error("run", "is not a number"))?);
            }
            "since_last_run" => since = json("since_last_run", value)?,
            "ci_safety" => ci_safety = Some(read_verdict("ci_safety", value)?),
            "ci_safety_rationale" => value.clone_into(&mut rationale),
            "rereview" => state = state::read(value).map_err(|e| error("rereview", &e))?,
            _ => unknown.push(comment.to_owned()),
        }
    }
    Ok(Metadata {
        agent,
        counts: counts.ok_or_else(|| error("counts", "is missing"))?,
        verdict: verdict.ok_or_else(|| error("verdict", "is missing"))?,
        reviewed_head,
        // Written before runs were numbered: at least one there was.
        run: run.unwrap_or(1),
        since_last_run: since,
        ci_safety: ci_safety.map(|verdict| (verdict, rationale)),
        state,
        unknown,
    })
}

/// Writes a metadata body under GitHub's limit. Prose goes before state: first the notes' titles
/// are cut, then notes' and live entries fall out, oldest first, and what fell out is said.
pub fn write(metadata: &Metadata, marker: &Marker) -> Written {
    let head = head(metadata, marker);
    let mut state = metadata.state.clone();
    let mut dropped = Vec::new();
    let room = LIMIT.saturating_sub(length(&head) + 1);
    let mut stages = state::STAGES.into_iter();
    loop {
        let line = format!("<!-- rereview: {} -->", state::write(&state));
        if length(&line) <= room {
            return Written { body: format!("{head}\n{line}"), dropped };
        }
        match stages.next() {
            Some(stage) => dropped.extend(stage(&mut state, room)),
            None => return Written { body: head, dropped },
        }
    }
}

fn head(metadata: &Metadata, marker: &Marker) -> String {
    let mut body = format!("<!-- {}: {} v1 -->", marker.agent_word(), metadata.agent);
    let c = metadata.counts;
    let _ = write!(
        body,
        "\n<!-- counts: {{\"must_fix\": {}, \"suggestion\": {}, \"could_fix\": {}, \
         \"future_work\": {}, \"outstanding\": {}}} -->",
        c.must_fix, c.suggestion, c.could_fix, c.future_work, c.outstanding
    );
    let _ = write!(body, "\n<!-- verdict: {} -->", metadata.verdict.as_str());
    if let Some(sha) = &metadata.reviewed_head {
        let _ = write!(body, "\n<!-- reviewed_head: {sha} -->");
    }
    let _ = write!(body, "\n<!-- run: {} -->", metadata.run);
    let s = metadata.since_last_run;
    let _ = write!(
        body,
        "\n<!-- since_last_run: {{\"resolved\": {}, \"still_open\": {}, \"newly_added\": {}, \
         \"incorrect_fix\": {}, \"improperly_resolved\": {}, \"disagreements\": {}}} -->",
        s.resolved,
        s.still_open,
        s.newly_added,
        s.incorrect_fix,
        s.improperly_resolved,
        s.disagreements
    );
    if let Some((verdict, rationale)) = &metadata.ci_safety {
        let rationale = crate::text::comment_safe(rationale);
        let _ = write!(body, "\n<!-- ci_safety: {} -->", verdict.as_str());
        let _ = write!(body, "\n<!-- ci_safety_rationale: {rationale} -->");
    }
    for line in metadata.unknown.iter().take(20) {
        let _ = write!(body, "\n<!-- {} -->", crate::text::comment_safe(line));
    }
    body
}

/// The insides of the one-line HTML comments of a body.
fn comments(body: &str) -> impl Iterator<Item = &str> {
    body.lines().filter_map(|line| {
        let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
        Some(inside.trim())
    })
}

fn read_verdict(line: &'static str, value: &str) -> Result<Verdict, MetadataError> {
    match value {
        "Go" => Ok(Verdict::Go),
        "No-Go" => Ok(Verdict::NoGo),
        _ => Err(error(line, "is neither Go nor No-Go")),
    }
}

fn json<T: for<'de> Deserialize<'de>>(line: &'static str, value: &str) -> Result<T, MetadataError> {
    serde_json::from_str(value).map_err(|e| error(line, &format!("cannot be read: {e}")))
}

fn error(line: &'static str, problem: &str) -> MetadataError {
    MetadataError { line, problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
