//! The forge: where threads and reviews live. Two homes: GitHub, and files (`local`).
//!
//! A forge reads whole or not at all, and never repeats a write: after [`ForgeError::Lost`] or
//! [`Step::Lost`] the caller reads again and looks whether the write happened (spec 80 §1).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rereview_core::ids::{Account, NodeId, PrNumber, RepoPath, ReviewId, Sha};
use rereview_core::model::{PullState, Snapshot};
use rereview_core::writes::{CommentEdit, NewReview, ThreadWrite};

pub mod error;
pub mod github;
pub mod local;

pub use error::ForgeError;

/// A short second look, right before the first write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The head now.
    pub head: Sha,
    /// Open, closed or merged now.
    pub state: PullState,
    /// The bodies of the reviews that were asked for, in that order; `None` when gone.
    pub bodies: Vec<Option<String>>,
}

/// What became of one half (reply or change) of a thread write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// There was none.
    NotAsked,
    /// It happened.
    Done,
    /// GitHub said no, and would again: the reason is for people.
    Refused(String),
    /// No answer came: it may have happened.
    Lost(String),
}

/// What became of a thread write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadOutcome {
    /// The reply.
    pub reply: Step,
    /// Resolve or un-resolve.
    pub change: Step,
}

/// Where GitHub takes inline comments: per file of the pull request's diff, the runs of lines that
/// it shows on the new side. A file that it shows nothing of is not in it.
pub type ShownLines = BTreeMap<RepoPath, Vec<RangeInclusive<u32>>>;

/// What an account may do in the repository, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Nothing beyond what everybody may.
    None,
    /// Read.
    Read,
    /// Triage.
    Triage,
    /// Write.
    Write,
    /// Maintain.
    Maintain,
    /// Admin.
    Admin,
}

/// Where threads and reviews live.
#[allow(async_fn_in_trait)]
pub trait Forge {
    /// Everything of phase A, to the last page (spec 20 §1).
    async fn read(&self, pull: PrNumber) -> Result<Snapshot, ForgeError>;

    /// The head, and the bodies of a few reviews, in one request.
    async fn glance(&self, pull: PrNumber, reviews: &[NodeId]) -> Result<Glance, ForgeError>;

    /// Replies, resolves and un-resolves, batched; one outcome per write, in order. An error
    /// means that nothing was tried.
    async fn write_threads(
        &self,
        pull: PrNumber,
        writes: &[ThreadWrite],
    ) -> Result<Vec<ThreadOutcome>, ForgeError>;

    /// Submits a review with its comments, all or nothing.
    async fn submit_review(
        &self,
        pull: PrNumber,
        review: &NewReview,
    ) -> Result<ReviewId, ForgeError>;

    /// Replaces a review's body; notifies nobody.
    async fn update_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError>;

    /// Replaces the text of a comment of our own; notifies nobody.
    async fn edit_comment(&self, pull: PrNumber, edit: &CommentEdit) -> Result<(), ForgeError>;

    /// Deletes a pending review of our own.
    async fn delete_pending_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
    ) -> Result<(), ForgeError>;

    /// Where inline comments are taken, as the forge itself says: asked for after a review was
    /// refused (spec 20 §6).
    async fn shown_lines(&self, pull: PrNumber) -> Result<ShownLines, ForgeError>;

    /// What an account may do; bots and unknown accounts may nothing.
    async fn permission(&self, account: &Account) -> Result<Permission, ForgeError>;

    /// How many requests went out so far; 0 where there are none.
    fn requests(&self) -> u64;
}
