//! From GitHub's answers to plain data. Every field may be null where the schema says so
//! (case G06); a null node is left out.

use std::ops::RangeInclusive;

use rereview_core::ids::{
    Account, AccountKind, CommentId, NodeId, PrNumber, RepoPath, ReviewId, Sha, ThreadId,
};
use rereview_core::model::{Comment, PullRequest, PullState, Review, ReviewState, Thread, Viewer};
use serde_json::Value;

use crate::forge::{ForgeError, Permission};

/// An answer that cannot be read.
pub(super) fn garbled(cause: &str) -> ForgeError {
    ForgeError::Garbled { task: "read the pull request".to_owned(), cause: cause.to_owned() }
}

/// The nodes of a connection that are there.
pub(super) fn nodes(connection: &Value) -> Vec<Value> {
    let nodes = connection["nodes"].as_array().cloned().unwrap_or_default();
    nodes.into_iter().filter(|node| !node.is_null()).collect()
}

/// The pull request in an answer.
pub(super) fn pull(data: &Value, number: PrNumber) -> Result<&Value, ForgeError> {
    let pull = &data["repository"]["pullRequest"];
    if pull.is_object() {
        Ok(pull)
    } else {
        Err(ForgeError::NotFound { what: format!("pull request {number}") })
    }
}

pub(super) fn sha(value: &Value) -> Result<Sha, ForgeError> {
    Sha::new(value.as_str().unwrap_or_default()).map_err(|error| garbled(&error.to_string()))
}

pub(super) fn viewer(data: &Value) -> Result<Viewer, ForgeError> {
    let login = data["viewer"]["login"].as_str().ok_or_else(|| garbled("no viewer"))?;
    // The viewer's type says `User` for an app as well: only the suffix tells (case G08).
    Ok(Viewer(Account::from_login(login)))
}

/// An author; `None`: a deleted account.
pub(super) fn account(actor: &Value) -> Option<Account> {
    let login = actor["login"].as_str()?;
    Some(match actor["__typename"].as_str() {
        Some("Bot") => Account::new(login, AccountKind::Bot),
        Some(_) => Account::new(login, AccountKind::User),
        None => Account::from_login(login),
    })
}

pub(super) fn state(pull: &Value) -> PullState {
    match pull["state"].as_str() {
        Some("CLOSED") => PullState::Closed,
        Some("MERGED") => PullState::Merged,
        Some(_) | None => PullState::Open,
    }
}

pub(super) fn pull_request(pull: &Value) -> Result<PullRequest, ForgeError> {
    let text = |name: &str| pull[name].as_str().unwrap_or_default().to_owned();
    Ok(PullRequest {
        number: PrNumber(pull["number"].as_u64().ok_or_else(|| garbled("no number"))?),
        node: NodeId::new(text("id")),
        url: text("url"),
        state: state(pull),
        draft: pull["isDraft"].as_bool().unwrap_or(false),
        author: account(&pull["author"]),
        head: sha(&pull["headRefOid"])?,
        base: sha(&pull["baseRefOid"])?,
        base_ref: text("baseRefName"),
    })
}

/// A 64-bit id, sent as text.
fn id(node: &Value) -> Option<u64> {
    let id = &node["fullDatabaseId"];
    id.as_u64().or_else(|| id.as_str()?.parse().ok())
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

/// A thread; `None`: it has no comment, or no path we could name.
pub(super) fn thread(node: &Value) -> Option<Thread> {
    let comments: Vec<Comment> = nodes(&node["comments"]).iter().filter_map(comment).collect();
    if comments.is_empty() {
        return None;
    }
    let root = &node["root"]["nodes"][0];
    let commit = |name: &str| Sha::new(root[name]["oid"].as_str()?).ok();
    let resolved_by = node["resolvedBy"]["login"].as_str().map(Account::from_login);
    Some(Thread {
        id: ThreadId::new(node["id"].as_str()?),
        path: RepoPath::new(node["path"].as_str()?).ok()?,
        line: number(&node["line"]),
        original_line: number(&node["originalLine"]),
        original_commit: commit("originalCommit"),
        commit: commit("commit"),
        resolved: node["isResolved"].as_bool().unwrap_or(false),
        resolved_by,
        outdated: node["isOutdated"].as_bool().unwrap_or(false),
        viewer_can_resolve: node["viewerCanResolve"].as_bool().unwrap_or(true),
        viewer_can_unresolve: node["viewerCanUnresolve"].as_bool().unwrap_or(true),
        comments,
    })
}

fn comment(node: &Value) -> Option<Comment> {
    let text = |name: &str| node[name].as_str().unwrap_or_default().to_owned();
    Some(Comment {
        id: CommentId(id(node)?),
        node: NodeId::new(node["id"].as_str()?),
        author: account(&node["author"]),
        body: text("body"),
        created_at: text("createdAt"),
        url: text("url"),
        review: id(&node["pullRequestReview"]).map(ReviewId),
        is_reply: node["replyTo"].is_object(),
    })
}

pub(super) fn review(node: &Value) -> Option<Review> {
    let text = |name: &str| node[name].as_str().unwrap_or_default().to_owned();
    Some(Review {
        id: ReviewId(id(node)?),
        node: NodeId::new(node["id"].as_str()?),
        author: account(&node["author"]),
        body: text("body"),
        state: match node["state"].as_str() {
            Some("APPROVED") => ReviewState::Approved,
            Some("CHANGES_REQUESTED") => ReviewState::ChangesRequested,
            Some("DISMISSED") => ReviewState::Dismissed,
            Some("PENDING") => ReviewState::Pending,
            Some(_) | None => ReviewState::Commented,
        },
        commit: Sha::new(node["commit"]["oid"].as_str().unwrap_or_default()).ok(),
        submitted_at: node["submittedAt"].as_str().map(str::to_owned),
        url: text("url"),
        comment_count: number(&node["comments"]["totalCount"]).unwrap_or(0),
    })
}

pub(super) fn permission(answer: &Value) -> Permission {
    let name = answer["role_name"].as_str().or_else(|| answer["permission"].as_str());
    let legacy = answer["permission"].as_str().unwrap_or_default();
    match name.unwrap_or_default() {
        "admin" => Permission::Admin,
        "maintain" => Permission::Maintain,
        "write" => Permission::Write,
        "triage" => Permission::Triage,
        "read" => Permission::Read,
        // A custom role: the legacy field says what it comes to.
        _ => match legacy {
            "admin" => Permission::Admin,
            "write" => Permission::Write,
            "read" => Permission::Read,
            _ => Permission::None,
        },
    }
}

/// The runs of new lines that a patch shows, by its hunk headers and their counts: a line of the
/// text may look like a header (case G01).
pub(super) fn patch_ranges(patch: &str) -> Vec<RangeInclusive<u32>> {
    let mut ranges = Vec::new();
    let (mut old_left, mut new_left) = (0_u32, 0_u32);
    for line in patch.split('\n') {
        if old_left > 0 || new_left > 0 {
            match line.as_bytes().first() {
                Some(b'-') => old_left = old_left.saturating_sub(1),
                Some(b'+') => new_left = new_left.saturating_sub(1),
                Some(b'\\') => {}
                Some(_) | None => {
                    old_left = old_left.saturating_sub(1);
                    new_left = new_left.saturating_sub(1);
                }
            }
            continue;
        }
        let Some((old, new)) = header(line) else { continue };
        (old_left, new_left) = (old.1, new.1);
        if new.1 > 0 {
            ranges.push(new.0..=new.0 + new.1 - 1);
        }
    }
    ranges
}

type Span = (u32, u32);

fn header(line: &str) -> Option<(Span, Span)> {
    let (spans, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = spans.split_once(" +")?;
    let span = |text: &str| -> Option<Span> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    Some((span(old)?, span(new)?))
}
