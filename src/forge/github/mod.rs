//! The forge on GitHub: GraphQL for reading and for threads, REST for reviews (spec 80 §1).

mod client;
mod convert;
mod query;
mod retry;
mod threads;

use std::collections::{BTreeMap, BTreeSet};

use rereview_core::ids::{Account, CommentId, NodeId, PrNumber, RepoPath, RepoSlug, ReviewId, Sha};
use rereview_core::model::{Snapshot, Thread};
use rereview_core::writes::{CommentEdit, NewReview, ReviewEvent, ThreadWrite};
use serde_json::{Value, json};

pub use client::{Client, Endpoints};

use self::client::Method;
use super::{Forge, ForgeError, Glance, Permission, ShownLines, ThreadOutcome};

/// Threads per page; smaller when GitHub cannot answer so many at once (case G07).
const PAGES: [u32; 3] = [100, 50, 20];
/// Reviews read from each end (spec 80 §4).
const REVIEWS_AT_EACH_END: u32 = 30;

/// A repository on GitHub.
#[derive(Debug)]
pub struct GitHub {
    client: Client,
    repository: RepoSlug,
}

/// An open pull request, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPull {
    /// Its number.
    pub number: PrNumber,
    /// Its head.
    pub head: Sha,
    /// Whether it is a draft.
    pub draft: bool,
}

impl GitHub {
    /// A repository, over a client.
    pub fn new(client: Client, repository: RepoSlug) -> Self {
        Self { client, repository }
    }

    fn rest(&self, path: &str) -> String {
        format!("/repos/{}/{}{path}", self.repository.owner(), self.repository.name())
    }

    /// Every open pull request (for `schedule` and for `workflow_run` without pull requests).
    pub async fn open_pulls(&self) -> Result<Vec<ListedPull>, ForgeError> {
        let task = "list the open pull requests";
        let mut pulls = Vec::new();
        for page in 1..=100 {
            let path = self.rest(&format!("/pulls?state=open&per_page=100&page={page}"));
            let listed = self.client.get(&path, task).await?;
            let items = listed.as_array().cloned().unwrap_or_default();
            let count = items.len();
            pulls.extend(items.iter().filter_map(|pull| {
                Some(ListedPull {
                    number: PrNumber(pull["number"].as_u64()?),
                    head: Sha::new(pull["head"]["sha"].as_str()?).ok()?,
                    draft: pull["draft"].as_bool().unwrap_or(false),
                })
            }));
            if count < 100 {
                break;
            }
        }
        Ok(pulls)
    }

    /// A file at a commit; `None`: there is none.
    pub async fn contents(&self, path: &str, commit: &Sha) -> Result<Option<Vec<u8>>, ForgeError> {
        let url = self.rest(&format!("/contents/{path}?ref={commit}"));
        match self.client.get_raw(&url, "read a file").await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ForgeError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn variables(&self, pull: PrNumber) -> Value {
        json!({
            "owner": self.repository.owner(),
            "name": self.repository.name(),
            "number": pull.0,
        })
    }

    /// One query with the first page of threads; smaller pages when GitHub gives up.
    async fn first_page(&self, pull: PrNumber) -> Result<(Value, u32), ForgeError> {
        let mut last = None;
        for size in PAGES {
            let mut variables = self.variables(pull);
            variables["threads"] = size.into();
            variables["reviews"] = REVIEWS_AT_EACH_END.into();
            match self.client.query(query::READ, variables, "read the pull request").await {
                Ok(data) => return Ok((data, size)),
                Err(error @ ForgeError::Unavailable { .. }) => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| convert::garbled("no page")))
    }

    async fn more_threads(
        &self,
        pull: PrNumber,
        size: u32,
        threads: &mut Vec<Value>,
        page: &Value,
    ) -> Result<(), ForgeError> {
        let mut page = page.clone();
        while page["pageInfo"]["hasNextPage"].as_bool().unwrap_or(false) {
            let mut variables = self.variables(pull);
            variables["threads"] = size.into();
            variables["after"] = page["pageInfo"]["endCursor"].clone();
            let data = self.client.query(query::THREADS, variables, "read review threads").await?;
            page = convert::pull(&data, pull)?["reviewThreads"].clone();
            threads.extend(convert::nodes(&page));
        }
        Ok(())
    }

    /// Replies beyond the first page of a thread.
    async fn more_comments(&self, thread: &mut Value) -> Result<(), ForgeError> {
        while thread["comments"]["pageInfo"]["hasNextPage"].as_bool().unwrap_or(false) {
            let variables = json!({
                "id": thread["id"],
                "after": thread["comments"]["pageInfo"]["endCursor"],
            });
            let data = self.client.query(query::COMMENTS, variables, "read a thread").await?;
            let page = data["node"]["comments"].clone();
            if !page.is_object() {
                return Err(convert::garbled("a thread went away while it was read"));
            }
            if let Some(known) = thread["comments"]["nodes"].as_array_mut() {
                known.extend(convert::nodes(&page));
            }
            thread["comments"]["pageInfo"] = page["pageInfo"].clone();
        }
        Ok(())
    }

    /// Reviews between the two ends, when they did not meet and none of those read is our own
    /// with a body: our metadata may stand there.
    async fn reviews_between(
        &self,
        pull: PrNumber,
        page: &Value,
        reviews: &mut Vec<Value>,
    ) -> Result<(), ForgeError> {
        let mut page = page.clone();
        while page["pageInfo"]["hasNextPage"].as_bool().unwrap_or(false) {
            let mut variables = self.variables(pull);
            variables["after"] = page["pageInfo"]["endCursor"].clone();
            let data = self.client.query(query::REVIEWS, variables, "read reviews").await?;
            page = convert::pull(&data, pull)?["reviews"].clone();
            reviews.extend(convert::nodes(&page));
        }
        Ok(())
    }
}

impl Forge for GitHub {
    async fn read(&self, pull: PrNumber) -> Result<Snapshot, ForgeError> {
        let (data, size) = self.first_page(pull).await?;
        let shown = convert::pull(&data, pull)?;
        let mut threads = convert::nodes(&shown["reviewThreads"]);
        self.more_threads(pull, size, &mut threads, &shown["reviewThreads"]).await?;
        for thread in &mut threads {
            self.more_comments(thread).await?;
        }
        let viewer = convert::viewer(&data)?;
        let mut reviews = convert::nodes(&shown["oldest"]);
        reviews.extend(convert::nodes(&shown["newest"]));
        // Reviews that our own threads hang on come with the threads.
        for thread in &threads {
            let root = &thread["comments"]["nodes"][0]["pullRequestReview"];
            if root["body"].as_str().is_some_and(|body| !body.is_empty()) {
                reviews.push(root.clone());
            }
        }
        let total = shown["oldest"]["totalCount"].as_u64().unwrap_or(0);
        let ours = |review: &Value| {
            let said = review["body"].as_str().is_some_and(|body| body.contains("<!--"));
            said && convert::account(&review["author"]).as_ref() == Some(&viewer.0)
        };
        if total > u64::from(REVIEWS_AT_EACH_END) * 2 && !reviews.iter().any(ours) {
            self.reviews_between(pull, &shown["oldest"], &mut reviews).await?;
        }
        let threads: Vec<Thread> = threads.iter().filter_map(convert::thread).collect();
        let mut seen = BTreeSet::new();
        let reviews = reviews
            .iter()
            .filter_map(convert::review)
            .filter(|review| seen.insert(review.id))
            .collect();
        Ok(Snapshot { viewer, pull: convert::pull_request(shown)?, threads, reviews })
    }

    async fn glance(&self, pull: PrNumber, reviews: &[NodeId]) -> Result<Glance, ForgeError> {
        let mut variables = self.variables(pull);
        variables["ids"] = reviews.iter().map(NodeId::as_str).collect();
        let data = self.client.query(query::GLANCE, variables, "look at the head again").await?;
        let shown = convert::pull(&data, pull)?;
        let bodies = (0..reviews.len())
            .map(|at| data["nodes"][at]["body"].as_str().map(str::to_owned))
            .collect();
        Ok(Glance {
            head: convert::sha(&shown["headRefOid"])?,
            state: convert::state(shown),
            bodies,
        })
    }

    async fn write_threads(
        &self,
        _pull: PrNumber,
        writes: &[ThreadWrite],
    ) -> Result<Vec<ThreadOutcome>, ForgeError> {
        threads::write(&self.client, writes).await
    }

    async fn submit_review(
        &self,
        pull: PrNumber,
        review: &NewReview,
    ) -> Result<ReviewId, ForgeError> {
        let comments: Vec<Value> = review
            .comments
            .iter()
            .map(|comment| {
                let mut json = json!({
                    "path": comment.path,
                    "line": comment.line,
                    "side": "RIGHT",
                    "body": comment.body,
                });
                if let Some(start) = comment.start_line {
                    json["start_line"] = start.into();
                    json["start_side"] = "RIGHT".into();
                }
                json
            })
            .collect();
        let event = match review.event {
            ReviewEvent::Comment => "COMMENT",
            ReviewEvent::Approve => "APPROVE",
            ReviewEvent::RequestChanges => "REQUEST_CHANGES",
        };
        let body = json!({
            "commit_id": review.commit,
            "event": event,
            "body": review.body,
            "comments": comments,
        });
        let path = self.rest(&format!("/pulls/{pull}/reviews"));
        let made = self.client.write(Method::Post, &path, Some(&body), "submit a review").await?;
        made["id"].as_u64().map(ReviewId).ok_or_else(|| ForgeError::Lost {
            task: "submit a review".to_owned(),
            cause: "the answer has no id".to_owned(),
        })
    }

    async fn update_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError> {
        let path = self.rest(&format!("/pulls/{pull}/reviews/{review}"));
        let body = json!({ "body": body });
        self.client.write(Method::Put, &path, Some(&body), "update a review").await.map(drop)
    }

    async fn edit_comment(&self, _pull: PrNumber, edit: &CommentEdit) -> Result<(), ForgeError> {
        let CommentId(id) = edit.comment;
        let path = self.rest(&format!("/pulls/comments/{id}"));
        let body = json!({ "body": edit.body });
        self.client.write(Method::Patch, &path, Some(&body), "edit a comment").await.map(drop)
    }

    async fn delete_pending_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
    ) -> Result<(), ForgeError> {
        let path = self.rest(&format!("/pulls/{pull}/reviews/{review}"));
        self.client.write(Method::Delete, &path, None, "delete a pending review").await.map(drop)
    }

    async fn shown_lines(&self, pull: PrNumber) -> Result<ShownLines, ForgeError> {
        let mut shown: ShownLines = BTreeMap::new();
        for page in 1..=30 {
            let path = self.rest(&format!("/pulls/{pull}/files?per_page=100&page={page}"));
            let files = self.client.get(&path, "list the changed files").await?;
            let files = files.as_array().cloned().unwrap_or_default();
            for file in &files {
                let path = file["filename"].as_str().and_then(|path| RepoPath::new(path).ok());
                if let (Some(path), Some(patch)) = (path, file["patch"].as_str()) {
                    shown.insert(path, convert::patch_ranges(patch));
                }
            }
            if files.len() < 100 {
                break;
            }
        }
        Ok(shown)
    }

    async fn permission(&self, account: &Account) -> Result<Permission, ForgeError> {
        let path = self.rest(&format!("/collaborators/{}/permission", account.login()));
        match self.client.get(&path, "ask for a permission").await {
            Ok(answer) => Ok(convert::permission(&answer)),
            // Not a collaborator, or not ours to know.
            Err(ForgeError::NotFound { .. } | ForgeError::Forbidden { .. }) => Ok(Permission::None),
            Err(error) => Err(error),
        }
    }

    fn requests(&self) -> u64 {
        self.client.requests()
    }
}

#[cfg(test)]
mod tests;
