//! What GitHub's GraphQL answers look like, and their way into the model. Whatever the schema
//! lets be null may be: deleted accounts, lost commits, nodes of lists (case G06).

use rereview_core::ids::{CommentId, NodeId, PrNumber, RepoPath, ReviewId, ThreadId};
use rereview_core::model::{Comment, PullRequest, PullState, Review, ReviewState, Thread};
use serde::Deserialize;

use super::nodes::{Actor, Commit, DatabaseId, Login, Page, database_id, sha};

#[derive(Debug, Deserialize)]
pub(super) struct Inventory {
    pub(super) viewer: Login,
    pub(super) repository: Option<Repository<PullNode>>,
    pub(super) nodes: Vec<Option<ReviewNode>>,
}

/// A repository, asked for one pull request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Repository<P> {
    pub(super) pull_request: Option<P>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PullNode {
    id: String,
    number: u64,
    url: String,
    state: PullStateName,
    is_draft: bool,
    head_ref_oid: String,
    base_ref_oid: String,
    base_ref_name: String,
    author: Option<Actor>,
    pub(super) review_threads: Option<Page<ThreadNode>>,
    pub(super) oldest: Option<Page<ReviewNode>>,
    pub(super) newest: Option<Page<ReviewNode>>,
    pub(super) pending: Option<Page<ReviewNode>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum PullStateName {
    Open,
    Closed,
    Merged,
}

impl From<PullStateName> for PullState {
    fn from(name: PullStateName) -> Self {
        match name {
            PullStateName::Open => Self::Open,
            PullStateName::Closed => Self::Closed,
            PullStateName::Merged => Self::Merged,
        }
    }
}

impl PullNode {
    pub(super) fn pull(&self) -> Result<PullRequest, String> {
        Ok(PullRequest {
            number: PrNumber(self.number),
            node: NodeId::new(&self.id),
            url: self.url.clone(),
            state: self.state.into(),
            draft: self.is_draft,
            author: self.author.as_ref().map(Actor::account),
            head: sha(&self.head_ref_oid)?,
            base: sha(&self.base_ref_oid)?,
            base_ref: self.base_ref_name.clone(),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadNode {
    id: String,
    path: String,
    line: Option<u32>,
    original_line: Option<u32>,
    is_resolved: bool,
    is_outdated: bool,
    viewer_can_resolve: bool,
    viewer_can_unresolve: bool,
    resolved_by: Option<Login>,
    root: Page<RootNode>,
    comments: Page<CommentNode>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RootNode {
    commit: Option<Commit>,
    original_commit: Option<Commit>,
    pull_request_review: Option<Id>,
}

#[derive(Debug, Deserialize)]
struct Id {
    id: String,
}

/// A thread as far as it was read.
#[derive(Debug)]
pub(super) struct PartOfThread {
    pub(super) thread: Thread,
    /// Where its comments go on, if they do.
    pub(super) more: Option<String>,
    /// The review that its first comment came with.
    pub(super) review: Option<NodeId>,
}

impl ThreadNode {
    pub(super) fn part(self) -> Result<PartOfThread, String> {
        let root = self.root.nodes.into_iter().next().flatten();
        let (commit, original, review) = root.map_or((None, None, None), |root| {
            (root.commit, root.original_commit, root.pull_request_review)
        });
        let (comments, more) = self.comments.comments()?;
        let thread = Thread {
            id: ThreadId::new(self.id),
            path: RepoPath::new(&self.path).map_err(|error| error.to_string())?,
            line: self.line,
            original_line: self.original_line,
            original_commit: original.map(|commit| sha(&commit.oid)).transpose()?,
            commit: commit.map(|commit| sha(&commit.oid)).transpose()?,
            resolved: self.is_resolved,
            resolved_by: self.resolved_by.as_ref().map(Login::account),
            outdated: self.is_outdated,
            viewer_can_resolve: self.viewer_can_resolve,
            viewer_can_unresolve: self.viewer_can_unresolve,
            comments,
        };
        Ok(PartOfThread { thread, more, review: review.map(|review| NodeId::new(review.id)) })
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentNode {
    id: String,
    full_database_id: Option<DatabaseId>,
    body: String,
    created_at: String,
    url: String,
    author: Option<Actor>,
    reply_to: Option<Id>,
    pull_request_review: Option<Numbered>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Numbered {
    full_database_id: Option<DatabaseId>,
}

impl Page<CommentNode> {
    /// The comments, and the cursor of the next page.
    pub(super) fn comments(self) -> Result<(Vec<Comment>, Option<String>), String> {
        let comments =
            self.nodes.into_iter().flatten().map(CommentNode::comment).collect::<Result<_, _>>()?;
        Ok((comments, self.page_info.next()?))
    }
}

impl CommentNode {
    fn comment(self) -> Result<Comment, String> {
        let review = self.pull_request_review.and_then(|review| review.full_database_id);
        Ok(Comment {
            id: CommentId(database_id(self.full_database_id)?),
            node: NodeId::new(self.id),
            author: self.author.as_ref().map(Actor::account),
            body: self.body,
            created_at: self.created_at,
            url: self.url,
            review: review.map(|id| database_id(Some(id))).transpose()?.map(ReviewId),
            is_reply: self.reply_to.is_some(),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewNode {
    id: String,
    full_database_id: Option<DatabaseId>,
    body: String,
    state: ReviewStateName,
    submitted_at: Option<String>,
    url: String,
    author: Option<Actor>,
    commit: Option<Commit>,
    comments: Option<Total>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Total {
    total_count: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ReviewStateName {
    Commented,
    Approved,
    ChangesRequested,
    Dismissed,
    Pending,
}

impl ReviewNode {
    pub(super) fn review(self) -> Result<Review, String> {
        Ok(Review {
            id: ReviewId(database_id(self.full_database_id)?),
            node: NodeId::new(self.id),
            author: self.author.as_ref().map(Actor::account),
            body: self.body,
            state: match self.state {
                ReviewStateName::Commented => ReviewState::Commented,
                ReviewStateName::Approved => ReviewState::Approved,
                ReviewStateName::ChangesRequested => ReviewState::ChangesRequested,
                ReviewStateName::Dismissed => ReviewState::Dismissed,
                ReviewStateName::Pending => ReviewState::Pending,
            },
            commit: self.commit.map(|commit| sha(&commit.oid)).transpose()?,
            submitted_at: self.submitted_at,
            url: self.url,
            comment_count: self.comments.map_or(0, |comments| comments.total_count),
        })
    }
}

/// A thread's further comments.
#[derive(Debug, Deserialize)]
pub(super) struct MoreComments {
    pub(super) comments: Page<CommentNode>,
}
