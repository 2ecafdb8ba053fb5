//! The writes that a decision comes to, as data: the shell carries them out in order.

use crate::footer::ReplyKind;
use crate::ids::{CommentId, NodeId, RepoPath, Sha, ThreadId};
use crate::key::FindingKey;

/// What becomes of a thread's resolved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadChange {
    /// Stays as it is.
    Keep,
    /// Is resolved.
    Resolve,
    /// Is opened again.
    Unresolve,
}

/// A reply to a thread. After a lost answer it is looked for by kind and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// In its footer.
    pub kind: ReplyKind,
    /// In its footer.
    pub key: FindingKey,
    /// All of it, footer and all.
    pub body: String,
}

/// One thread's writes; reply and change travel in one request (spec 20 §3, row 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadWrite {
    /// Which thread.
    pub thread: ThreadId,
    /// What is said in it.
    pub reply: Option<Reply>,
    /// What becomes of it. When both are there: an un-resolve goes before the reply, a resolve
    /// after it.
    pub change: ThreadChange,
}

/// A new text for a comment of our own; notifies nobody (spec 20 §4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentEdit {
    /// REST id.
    pub comment: CommentId,
    /// GraphQL id.
    pub node: NodeId,
    /// All of it.
    pub body: String,
}

/// A new inline comment, side RIGHT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewComment {
    /// In its footer; after a lost answer it is looked for by it.
    pub key: FindingKey,
    /// File at the head.
    pub path: RepoPath,
    /// Last line.
    pub line: u32,
    /// First line, when that is another one.
    pub start_line: Option<u32>,
    /// All of it, footer and all.
    pub body: String,
}

/// What a review says on the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReviewEvent {
    /// COMMENT.
    Comment,
    /// APPROVE.
    Approve,
    /// REQUEST_CHANGES.
    RequestChanges,
}

/// A review to submit. GitHub refuses a COMMENT review without body and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReview {
    /// The commit that was analysed.
    pub commit: Sha,
    /// See [`ReviewEvent`].
    pub event: ReviewEvent,
    /// May be empty when there are comments.
    pub body: String,
    /// Inline comments.
    pub comments: Vec<NewComment>,
}
