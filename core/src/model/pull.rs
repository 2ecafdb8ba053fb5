//! The pull request as the forge shows it: comments, threads, reviews, people.

use std::collections::BTreeSet;

use crate::ids::{Account, CommentId, NodeId, PrNumber, RepoPath, ReviewId, Sha, ThreadId};

/// Open, closed or merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullState {
    /// Still under review.
    Open,
    /// Closed without merging.
    Closed,
    /// Landed.
    Merged,
}

/// A pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number.
    pub number: PrNumber,
    /// Its GraphQL id.
    pub node: NodeId,
    /// Its page.
    pub url: String,
    /// Open, closed, merged.
    pub state: PullState,
    /// Whether it is a draft.
    pub draft: bool,
    /// `None`: a deleted account.
    pub author: Option<Account>,
    /// Tip of the branch under review.
    pub head: Sha,
    /// Tip of the branch it goes to, as the forge knows it.
    pub base: Sha,
    /// Name of the branch it goes to.
    pub base_ref: String,
}

/// A review comment; all comments of a thread hang on its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// REST id.
    pub id: CommentId,
    /// GraphQL id.
    pub node: NodeId,
    /// `None`: a deleted account, never trusted (spec 10 §3).
    pub author: Option<Account>,
    /// Untrusted.
    pub body: String,
    /// RFC 3339, UTC: sorts as text.
    pub created_at: String,
    /// Its page.
    pub url: String,
    /// The review that brought it.
    pub review: Option<ReviewId>,
    /// Whether it answers another comment; a thread whose first comment does has lost its root.
    pub is_reply: bool,
}

/// A review thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// GraphQL id.
    pub id: ThreadId,
    /// File of the root comment.
    pub path: RepoPath,
    /// Its line at the current head; `None` when outdated.
    pub line: Option<u32>,
    /// Its line at `original_commit`.
    pub original_line: Option<u32>,
    /// The commit it was made on; `None` when that is gone (spec 20 §1 `orphaned`).
    pub original_commit: Option<Sha>,
    /// The newest commit it is shown on; `None` when that is gone.
    pub commit: Option<Sha>,
    /// Whether somebody resolved it.
    pub resolved: bool,
    /// Who did, if it was a user whose account still stands.
    pub resolved_by: Option<Account>,
    /// Whether the line it stands on changed since.
    pub outdated: bool,
    /// Whether the token may resolve it, as GitHub says (`viewerCanResolve`).
    pub viewer_can_resolve: bool,
    /// Whether the token may un-resolve it.
    pub viewer_can_unresolve: bool,
    /// Oldest first, never empty.
    pub comments: Vec<Comment>,
}

impl Thread {
    /// The comment that the thread hangs on; `None` when it was deleted.
    pub fn root(&self) -> Option<&Comment> {
        self.comments.first().filter(|comment| !comment.is_reply)
    }

    /// Everything after the first comment.
    pub fn replies(&self) -> impl Iterator<Item = &Comment> {
        let skip = usize::from(self.root().is_some());
        self.comments.iter().skip(skip)
    }
}

/// What a review says on the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewState {
    /// COMMENTED.
    Commented,
    /// APPROVED.
    Approved,
    /// CHANGES_REQUESTED.
    ChangesRequested,
    /// DISMISSED.
    Dismissed,
    /// PENDING: a draft that only its author sees.
    Pending,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// REST id.
    pub id: ReviewId,
    /// GraphQL id.
    pub node: NodeId,
    /// `None`: a deleted account.
    pub author: Option<Account>,
    /// Untrusted.
    pub body: String,
    /// Its event.
    pub state: ReviewState,
    /// The commit it is shown on; after a force-push that may be one it never saw (case G04).
    pub commit: Option<Sha>,
    /// RFC 3339; `None` while pending.
    pub submitted_at: Option<String>,
    /// Its page.
    pub url: String,
    /// Inline comments that a pending review of our own holds already.
    pub comment_count: u32,
}

/// The identity that the token writes as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer(pub Account);

/// Everything phase A reads, to the last page (spec 20 §1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Who we are.
    pub viewer: Viewer,
    /// What is reviewed.
    pub pull: PullRequest,
    /// Every thread.
    pub threads: Vec<Thread>,
    /// Every review that can be ours: metadata, summaries, pending drafts.
    pub reviews: Vec<Review>,
}

/// Whose footers, metadata and summaries count (spec 10 §3 "Whom to believe").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    viewer: Account,
    others: BTreeSet<Account>,
}

impl Trust {
    /// The token's identity and the config's `trusted-authors`.
    pub fn new(viewer: &Viewer, trusted_authors: impl IntoIterator<Item = Account>) -> Self {
        Self { viewer: viewer.0.clone(), others: trusted_authors.into_iter().collect() }
    }

    /// Whether what this account wrote is believed. Nobody is never trusted.
    pub fn trusts(&self, author: Option<&Account>) -> bool {
        author.is_some_and(|author| *author == self.viewer || self.others.contains(author))
    }

    /// Whether the token itself wrote it, so that it can be edited.
    pub fn is_viewer(&self, author: Option<&Account>) -> bool {
        author == Some(&self.viewer)
    }
}
