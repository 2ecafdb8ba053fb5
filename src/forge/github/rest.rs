//! What goes over REST: reviews and comments are written, permissions and files are read.

use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rereview_core::ids::{Account, AccountKind, PrNumber, RepoPath, ReviewId, Sha};
use rereview_core::writes::{CommentEdit, NewComment, NewReview, ReviewEvent};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::GitHub;
use super::client::{Answer, Call, JSON, RAW, Target};
use super::retry::Task;
use crate::forge::{ForgeError, Permission};

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// octocrab's builder of reviews cannot carry inline comments, so here is the request itself.
#[derive(Serialize)]
struct ReviewRequest<'a> {
    commit_id: &'a str,
    event: &'static str,
    body: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<CommentRequest<'a>>,
}

#[derive(Serialize)]
struct CommentRequest<'a> {
    path: &'a str,
    line: u32,
    side: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_side: Option<&'static str>,
    body: &'a str,
}

impl<'a> From<&'a NewComment> for CommentRequest<'a> {
    fn from(comment: &'a NewComment) -> Self {
        // A start that is not before the line gets the whole review refused (case G02).
        let start_line = comment.start_line.filter(|&start| start < comment.line);
        Self {
            path: comment.path.as_str(),
            line: comment.line,
            side: "RIGHT",
            start_line,
            start_side: start_line.map(|_| "RIGHT"),
            body: &comment.body,
        }
    }
}

#[derive(Deserialize)]
struct Created {
    id: u64,
}

pub(super) async fn submit_review(
    github: &GitHub,
    pull: PrNumber,
    review: &NewReview,
) -> Result<ReviewId, ForgeError> {
    let task = writing("submit a review", "the pull request");
    let request = ReviewRequest {
        commit_id: review.commit.as_str(),
        event: match review.event {
            ReviewEvent::Comment => "COMMENT",
            ReviewEvent::Approve => "APPROVE",
            ReviewEvent::RequestChanges => "REQUEST_CHANGES",
        },
        body: &review.body,
        comments: review.comments.iter().map(CommentRequest::from).collect(),
    };
    let answer = send(github, Method::POST, reviews(pull), &request, task).await?;
    // It is there, but nobody said under which name: as good as no answer.
    serde_json::from_slice::<Created>(&answer.body)
        .map(|created| ReviewId(created.id))
        .map_err(|error| ForgeError::Lost { task: task.name.to_owned(), cause: error.to_string() })
}

pub(super) async fn update_review(
    github: &GitHub,
    pull: PrNumber,
    review: ReviewId,
    body: &str,
) -> Result<(), ForgeError> {
    let task = writing("update a review", "the review");
    let path = format!("{}/{review}", reviews(pull));
    send(github, Method::PUT, path, &json!({ "body": body }), task).await.map(drop)
}

pub(super) async fn edit_comment(github: &GitHub, edit: &CommentEdit) -> Result<(), ForgeError> {
    let task = writing("edit a comment", "the comment");
    let path = format!("/pulls/comments/{}", edit.comment);
    send(github, Method::PATCH, path, &json!({ "body": edit.body }), task).await.map(drop)
}

pub(super) async fn delete_pending_review(
    github: &GitHub,
    pull: PrNumber,
    review: ReviewId,
) -> Result<(), ForgeError> {
    let task = writing("delete a pending review", "the review");
    let path = github.path(&format!("{}/{review}", reviews(pull)));
    let call =
        Call { method: Method::DELETE, target: Target::Rest(&path), accept: JSON, body: None };
    github.write(&call, 0, task, |_| None).await.map(drop)
}

#[derive(Deserialize)]
struct Collaborator {
    permission: String,
    role_name: Option<String>,
}

pub(super) async fn permission(
    github: &GitHub,
    account: &Account,
) -> Result<Permission, ForgeError> {
    match account.kind() {
        AccountKind::Bot => return Ok(Permission::None),
        AccountKind::User => {}
    }
    let task = Task {
        name: "ask for an account's permission",
        subject: "the account",
        permission: "metadata: read",
    };
    let login = utf8_percent_encode(account.login(), PLAIN);
    let path = github.path(&format!("/collaborators/{login}/permission"));
    match github.get(&path, JSON, task).await {
        Ok(answer) => {
            let who: Collaborator = serde_json::from_slice(&answer.body).map_err(|error| {
                ForgeError::Garbled { task: task.name.to_owned(), cause: error.to_string() }
            })?;
            // `permission` knows neither triage nor maintain; a custom role has another name.
            let role = who.role_name.as_deref().and_then(known_role);
            Ok(role.or_else(|| known_role(&who.permission)).unwrap_or(Permission::None))
        }
        Err(ForgeError::NotFound { .. } | ForgeError::Forbidden { .. }) => Ok(Permission::None),
        Err(error) => Err(error),
    }
}

fn known_role(name: &str) -> Option<Permission> {
    Some(match name {
        "admin" => Permission::Admin,
        "maintain" => Permission::Maintain,
        "write" | "push" => Permission::Write,
        "triage" => Permission::Triage,
        "read" | "pull" => Permission::Read,
        "none" => Permission::None,
        _ => return None,
    })
}

pub(super) async fn contents(
    github: &GitHub,
    file: &RepoPath,
    at: &Sha,
) -> Result<Option<Vec<u8>>, ForgeError> {
    let task =
        Task { name: "read a file", subject: "the repository", permission: "contents: read" };
    let parts: Vec<String> =
        file.as_str().split('/').map(|part| utf8_percent_encode(part, PLAIN).to_string()).collect();
    let path = github.path(&format!("/contents/{}?ref={at}", parts.join("/")));
    match github.get(&path, RAW, task).await {
        // A folder comes as JSON whatever was asked for.
        Ok(answer) => Ok(Some(answer).filter(is_raw).map(|answer| answer.body)),
        Err(ForgeError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_raw(answer: &Answer) -> bool {
    let kind = answer.headers.get(http::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.contains("raw"))
}

fn reviews(pull: PrNumber) -> String {
    format!("/pulls/{pull}/reviews")
}

fn writing(name: &'static str, subject: &'static str) -> Task {
    Task { name, subject, permission: "pull-requests: write" }
}

async fn send(
    github: &GitHub,
    method: Method,
    path: String,
    body: &impl Serialize,
    task: Task,
) -> Result<Answer, ForgeError> {
    let body = serde_json::to_string(body).map_err(|error| ForgeError::Unavailable {
        task: task.name.to_owned(),
        cause: error.to_string(),
    })?;
    let path = github.path(&path);
    let call = Call { method, target: Target::Rest(&path), accept: JSON, body: Some(body) };
    github.write(&call, 1, task, |_| None).await
}
