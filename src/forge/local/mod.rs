//! The forge in files: threads and reviews of a branch, for work without GitHub.
//!
//! The same facts as GitHub's, with two differences: a comment keeps the line it was made on
//! (nothing is ever outdated), and a reply makes no review of its own. The pull request is
//! synthetic, number 1: whoever starts the run says what its head and base are.

use std::collections::BTreeSet;

use rereview_core::ids::{Account, AccountKind, NodeId, PrNumber, ReviewId, Sha};
use rereview_core::model::{PullRequest, PullState, Snapshot, Viewer};
use rereview_core::writes::{CommentEdit, NewReview, ThreadChange, ThreadWrite};

use super::{Forge, ForgeError, Glance, Permission, ShownLines, Step, ThreadOutcome};

mod document;
mod people;
mod store;

pub use store::{Home, LocalError};

use document::Document;

/// The one pull request there is.
pub const PULL: PrNumber = PrNumber(1);

/// Who rereview is in the files.
pub fn viewer() -> Viewer {
    Viewer(Account::new("rereview", AccountKind::Bot))
}

/// What the caller knows about this run's pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalPull {
    /// Tip of the branch under review.
    pub head: Sha,
    /// Tip of the branch it goes to.
    pub base: Sha,
    /// Name of the branch it goes to.
    pub base_ref: String,
    /// Who made it.
    pub author: Option<Account>,
}

/// What rereview may do on a branch; less than everything is for showing what happens then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rights {
    /// Everything.
    #[default]
    Full,
    /// Replies only, as with a token that lacks `contents: write`.
    NoResolving,
}

/// A branch's threads as a forge; holds the branch's lock.
#[derive(Debug)]
pub struct LocalForge {
    home: Home,
    pull: LocalPull,
    maintainers: BTreeSet<Account>,
    now: String,
    rights: Rights,
    gone: BTreeSet<Sha>,
}

impl LocalForge {
    /// A forge for one run. `now` (RFC 3339, UTC) is the time of everything it writes;
    /// `maintainers` may do everything, all others nothing.
    pub fn new(
        home: Home,
        pull: LocalPull,
        maintainers: BTreeSet<Account>,
        now: impl Into<String>,
    ) -> Self {
        let (rights, gone) = (Rights::default(), BTreeSet::new());
        Self { home, pull, maintainers, now: now.into(), rights, gone }
    }

    /// The branch's file, for what people do on it.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// A new push, at a new time.
    pub fn push(&mut self, head: Sha, now: impl Into<String>) {
        self.pull.head = head;
        self.now = now.into();
    }

    /// Commits that history was rewritten without: threads made on them are orphaned.
    pub fn forget(&mut self, commits: impl IntoIterator<Item = Sha>) {
        self.gone.extend(commits);
    }

    /// See [`Rights`].
    pub fn set_rights(&mut self, rights: Rights) {
        self.rights = rights;
    }

    fn load(&self, pull: PrNumber) -> Result<Document, ForgeError> {
        if pull != PULL {
            return Err(ForgeError::NotFound { what: format!("pull request {pull}") });
        }
        Ok(self.home.load()?)
    }

    /// Everything `write` does, or nothing: a refusal or a full disk leaves the file as it was.
    fn change<T>(
        &self,
        pull: PrNumber,
        write: impl FnOnce(&mut Document) -> Result<T, ForgeError>,
    ) -> Result<T, ForgeError> {
        let mut document = self.load(pull)?;
        let answer = write(&mut document)?;
        self.home.save(&document)?;
        Ok(answer)
    }
}

impl Forge for LocalForge {
    async fn read(&self, pull: PrNumber) -> Result<Snapshot, ForgeError> {
        let document = self.load(pull)?;
        let pull = PullRequest {
            number: PULL,
            node: NodeId::new("pull-1"),
            url: document.url(),
            state: PullState::Open,
            draft: false,
            author: self.pull.author.clone(),
            head: self.pull.head.clone(),
            base: self.pull.base.clone(),
            base_ref: self.pull.base_ref.clone(),
        };
        let (mut threads, reviews) = (document.threads(), document.reviews());
        for thread in &mut threads {
            let gone = |commit: &Sha| !self.gone.contains(commit);
            thread.commit = thread.commit.take().filter(gone);
            thread.original_commit = thread.original_commit.take().filter(gone);
            let can = self.rights == Rights::Full;
            (thread.viewer_can_resolve, thread.viewer_can_unresolve) = (can, can);
        }
        Ok(Snapshot { viewer: viewer(), pull, threads, reviews })
    }

    async fn glance(&self, pull: PrNumber, reviews: &[NodeId]) -> Result<Glance, ForgeError> {
        let shown = self.load(pull)?.reviews();
        let body = |node: &NodeId| {
            shown.iter().find(|review| review.node == *node).map(|review| review.body.clone())
        };
        Ok(Glance {
            head: self.pull.head.clone(),
            state: PullState::Open,
            bodies: reviews.iter().map(body).collect(),
        })
    }

    async fn write_threads(
        &self,
        pull: PrNumber,
        writes: &[ThreadWrite],
    ) -> Result<Vec<ThreadOutcome>, ForgeError> {
        self.change(pull, |document| {
            let outcomes = writes.iter().map(|write| match self.rights {
                Rights::Full => document.write_thread(write, &self.now),
                Rights::NoResolving => {
                    let reply = ThreadWrite { change: ThreadChange::Keep, ..write.clone() };
                    let outcome = document.write_thread(&reply, &self.now);
                    let refused = Step::Refused("the token lacks `contents: write`".to_owned());
                    let asked = write.change != ThreadChange::Keep;
                    ThreadOutcome {
                        change: if asked { refused } else { Step::NotAsked },
                        ..outcome
                    }
                }
            });
            Ok(outcomes.collect())
        })
    }

    async fn submit_review(
        &self,
        pull: PrNumber,
        review: &NewReview,
    ) -> Result<ReviewId, ForgeError> {
        self.change(pull, |document| document.add_review(review, &self.now))
    }

    async fn update_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError> {
        self.change(pull, |document| document.set_review_body(review, body))
    }

    async fn edit_comment(&self, pull: PrNumber, edit: &CommentEdit) -> Result<(), ForgeError> {
        self.change(pull, |document| document.set_comment_body(edit))
    }

    async fn delete_pending_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
    ) -> Result<(), ForgeError> {
        self.load(pull)?;
        Err(ForgeError::NotFound { what: format!("a pending review {review}") })
    }

    async fn shown_lines(&self, pull: PrNumber) -> Result<ShownLines, ForgeError> {
        // A file takes every comment: nothing is ever refused.
        self.load(pull).map(|_| ShownLines::new())
    }

    async fn permission(&self, account: &Account) -> Result<Permission, ForgeError> {
        let known = self.maintainers.contains(account);
        Ok(if known { Permission::Maintain } else { Permission::None })
    }

    fn requests(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests;
