//! GitHub as a forge: GraphQL reads everything and answers threads, REST writes reviews.
//!
//! Reads are repeated until they succeed or the run's time is over; a write is repeated only
//! when GitHub surely did not do it (spec 80 §1).

use http::Method;
use rereview_core::ids::{Account, NodeId, PrNumber, RepoPath, RepoSlug, ReviewId, Sha};
use rereview_core::model::Snapshot;
use rereview_core::writes::{CommentEdit, NewReview, ThreadWrite};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Forge, ForgeError, Glance, Permission, ShownLines, ThreadOutcome};
use client::{Answer, Call, Client, JSON, Target};
use graphql::Tolerate;
use retry::{Pace, Patience, Task, Trouble, judge};

pub use config::{Config, SetupError, Token};

mod answers;
mod client;
mod config;
mod documents;
mod graphql;
mod look;
mod nodes;
mod patch;
mod read;
mod rest;
mod retry;
mod threads;
mod tls;

#[cfg(test)]
mod tests;

/// A pull request that waits for review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPull {
    /// Its number.
    pub number: PrNumber,
    /// Whether it is a draft.
    pub draft: bool,
    /// Tip of the branch under review.
    pub head: Sha,
    /// Tip of the branch it goes to.
    pub base: Sha,
    /// Name of the branch it goes to.
    pub base_ref: String,
}

/// A repository on GitHub.
#[derive(Debug)]
pub struct GitHub {
    client: Client,
    repo: RepoSlug,
    markers: Vec<String>,
    deadline: Instant,
    /// Held over a whole write: they go out one after the other.
    pace: Mutex<Pace>,
}

impl GitHub {
    /// Prepares the connection; nothing is sent yet. The time limit begins now. Must be called
    /// within a tokio runtime.
    pub fn new(config: &Config) -> Result<Self, SetupError> {
        Client::connect(config).map(|client| Self::over(client, config))
    }

    fn over(client: Client, config: &Config) -> Self {
        Self {
            client,
            repo: config.repo.clone(),
            markers: config.markers.clone(),
            deadline: Instant::now() + config.time_limit,
            pace: Mutex::default(),
        }
    }

    /// Every open pull request, drafts and all.
    pub async fn open_pulls(&self) -> Result<Vec<OpenPull>, ForgeError> {
        look::open_pulls(self).await
    }

    /// The open pull requests whose head this is: a `workflow_run` event of a fork names none
    /// (case G16), and the commit's own list leaves forks out.
    pub async fn pull_by_head(&self, head: &Sha) -> Result<Vec<PrNumber>, ForgeError> {
        let pulls = self.open_pulls().await?;
        Ok(pulls.into_iter().filter(|pull| pull.head == *head).map(|pull| pull.number).collect())
    }

    /// A file at a commit; `None` when there is none.
    pub async fn contents(&self, file: &RepoPath, at: &Sha) -> Result<Option<Vec<u8>>, ForgeError> {
        rest::contents(self, file, at).await
    }

    /// Says which pull request was not found.
    fn named(&self, error: ForgeError, pull: PrNumber) -> ForgeError {
        if let ForgeError::NotFound { .. } = error {
            ForgeError::NotFound { what: format!("pull request #{pull} of {}", self.repo) }
        } else {
            error
        }
    }

    /// A path below the repository's.
    fn path(&self, below: &str) -> String {
        format!("/repos/{}{below}", self.repo)
    }

    async fn get(
        &self,
        path: &str,
        accept: &'static str,
        task: Task,
    ) -> Result<Answer, ForgeError> {
        let call = Call { method: Method::GET, target: Target::Rest(path), accept, body: None };
        let mut patience = Patience::new(task, self.deadline);
        loop {
            match judge(self.client.send(&call, self.deadline).await, task) {
                Ok(answer) => return Ok(answer),
                Err(trouble) => patience.wait(trouble).await?,
            }
        }
    }

    /// Asks once.
    async fn try_query<D: DeserializeOwned>(
        &self,
        document: &str,
        variables: &Value,
        task: Task,
        tolerate: Tolerate,
    ) -> Result<D, Trouble> {
        let body = json!({ "query": document, "variables": variables }).to_string();
        let call = graphql_call(body);
        let answer = judge(self.client.send(&call, self.deadline).await, task)?;
        graphql::whole(&answer, task, tolerate)
    }

    /// Asks until there is an answer.
    async fn query<D: DeserializeOwned>(
        &self,
        document: &str,
        variables: &Value,
        task: Task,
        tolerate: Tolerate,
    ) -> Result<D, ForgeError> {
        let mut patience = Patience::new(task, self.deadline);
        loop {
            match self.try_query(document, variables, task, tolerate).await {
                Ok(data) => return Ok(data),
                Err(trouble) => patience.wait(trouble).await?,
            }
        }
    }

    async fn mutate(&self, body: &str, created: usize, task: Task) -> Result<Answer, ForgeError> {
        let call = graphql_call(body.to_owned());
        self.write(&call, created, task, threads::refused_whole).await
    }

    /// Sends a write that creates so much content. It goes out again only when the forge did
    /// nothing: there was no connection, or a rate limit. `refused` looks for a refusal in an
    /// answer that calls itself a success.
    async fn write(
        &self,
        call: &Call<'_>,
        created: usize,
        task: Task,
        refused: fn(&Answer) -> Option<Trouble>,
    ) -> Result<Answer, ForgeError> {
        let mut pace = self.pace.lock().await;
        let mut patience = Patience::new(task, self.deadline);
        loop {
            pace.admit(created, self.deadline).await?;
            let result = judge(self.client.send(call, self.deadline).await, task);
            let trouble = match result {
                Ok(answer) => match refused(&answer) {
                    None => return Ok(answer),
                    Some(trouble) => trouble,
                },
                Err(trouble) => trouble,
            };
            match trouble {
                Trouble::NoAnswer(cause) => {
                    return Err(ForgeError::Lost { task: task.name.to_owned(), cause });
                }
                Trouble::Final(_) | Trouble::Limited(_) | Trouble::NotSent(_) => {
                    patience.wait(trouble).await?;
                }
            }
        }
    }
}

fn graphql_call(body: String) -> Call<'static> {
    Call { method: Method::POST, target: Target::GraphQl, accept: JSON, body: Some(body) }
}

impl Forge for GitHub {
    async fn read(&self, pull: PrNumber) -> Result<Snapshot, ForgeError> {
        read::snapshot(self, pull).await.map_err(|error| self.named(error, pull))
    }

    async fn glance(&self, pull: PrNumber, reviews: &[NodeId]) -> Result<Glance, ForgeError> {
        look::glance(self, pull, reviews).await.map_err(|error| self.named(error, pull))
    }

    async fn write_threads(
        &self,
        _pull: PrNumber,
        writes: &[ThreadWrite],
    ) -> Result<Vec<ThreadOutcome>, ForgeError> {
        threads::write(self, writes).await
    }

    async fn submit_review(
        &self,
        pull: PrNumber,
        review: &NewReview,
    ) -> Result<ReviewId, ForgeError> {
        rest::submit_review(self, pull, review).await
    }

    async fn update_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError> {
        rest::update_review(self, pull, review, body).await
    }

    async fn edit_comment(&self, _pull: PrNumber, edit: &CommentEdit) -> Result<(), ForgeError> {
        rest::edit_comment(self, edit).await
    }

    async fn delete_pending_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
    ) -> Result<(), ForgeError> {
        rest::delete_pending_review(self, pull, review).await
    }

    async fn shown_lines(&self, pull: PrNumber) -> Result<ShownLines, ForgeError> {
        patch::shown_lines(self, pull).await
    }

    async fn permission(&self, account: &Account) -> Result<Permission, ForgeError> {
        rest::permission(self, account).await
    }

    fn requests(&self) -> u64 {
        self.client.sent()
    }
}
