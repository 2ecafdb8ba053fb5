//! The pull request as a token sees it.

use rereview_core::ids::{Account, NodeId, PrNumber, ReviewId};
use rereview_core::model::{self, PullRequest, ReviewState, Snapshot, Viewer};

use super::{Actor, Comment, GitHub, LostRoots, Pull, Refusal, Review, Thread};

/// The page of pull requests.
const PAGE: &str = "https://github.com/octo-org/demo/pull";

impl GitHub {
    /// Everything, as the first phase of a run reads it.
    pub fn snapshot(&self, actor: &Actor, number: PrNumber) -> Result<Snapshot, Refusal> {
        let pull = self.find_pull(number)?;
        let page = format!("{PAGE}/{number}");
        let threads =
            pull.threads.iter().filter_map(|t| self.show_thread(actor, pull, t, &page)).collect();
        let reviews = pull
            .reviews
            .iter()
            .filter(|r| r.state != ReviewState::Pending || r.author == actor.account)
            .map(|r| self.show_review(pull, r, &page))
            .collect();
        let shown = PullRequest {
            number,
            node: NodeId::new(format!("PR_{number}")),
            url: page,
            state: pull.state,
            draft: false,
            author: self.shown_account(&pull.author),
            head: pull.head.clone(),
            base: pull.base.clone(),
            base_ref: pull.base_ref.clone(),
        };
        let viewer = Viewer(actor.account.clone());
        Ok(Snapshot { viewer, pull: shown, threads, reviews })
    }

    fn show_thread(
        &self,
        actor: &Actor,
        pull: &Pull,
        thread: &Thread,
        page: &str,
    ) -> Option<model::Thread> {
        let comments: Vec<_> = thread
            .comments
            .iter()
            .filter(|c| c.author == actor.account || !pending(pull, c.review))
            .map(|c| self.show_comment(thread, c, page))
            .collect();
        if comments.is_empty() {
            return None;
        }
        let may = self.can_resolve(actor, pull);
        let resolved = thread.resolved_by.is_some();
        let known = |sha: &rereview_core::ids::Sha| !self.forgotten.contains(sha);
        Some(model::Thread {
            id: thread.id.clone(),
            path: thread.path.clone(),
            line: thread.line,
            original_line: Some(thread.original_line),
            original_commit: Some(thread.original_commit.clone()).filter(known),
            commit: Some(thread.commit.clone()).filter(known),
            resolved,
            resolved_by: thread.resolved_by.as_ref().and_then(|who| self.shown_user(who)),
            outdated: thread.line.is_none(),
            viewer_can_resolve: may && !resolved,
            viewer_can_unresolve: may && resolved,
            comments,
        })
    }

    fn show_comment(&self, thread: &Thread, comment: &Comment, page: &str) -> model::Comment {
        let root_stands = |id| thread.comments.iter().any(|c| c.id == id);
        let is_reply = comment.reply_to.is_some_and(|root| match self.lost_roots {
            LostRoots::StayReplies => true,
            LostRoots::LookLikeRoots => root_stands(root),
        });
        model::Comment {
            id: comment.id,
            node: NodeId::new(format!("PRRC_{}", comment.id)),
            author: self.shown_account(&comment.author),
            body: comment.body.clone(),
            created_at: rfc3339(comment.created),
            url: format!("{page}#discussion_r{}", comment.id),
            review: Some(comment.review),
            is_reply,
        }
    }

    fn show_review(&self, pull: &Pull, review: &Review, page: &str) -> model::Review {
        let count = match review.state {
            ReviewState::Pending => {
                let comments = pull.threads.iter().flat_map(|t| &t.comments);
                comments.filter(|c| c.review == review.id).count()
            }
            ReviewState::Commented
            | ReviewState::Approved
            | ReviewState::ChangesRequested
            | ReviewState::Dismissed => 0,
        };
        model::Review {
            id: review.id,
            node: review_node(review.id),
            author: self.shown_account(&review.author),
            body: review.body.clone(),
            state: review.state,
            commit: Some(review.commit.clone()).filter(|sha| !self.forgotten.contains(sha)),
            submitted_at: review.submitted.map(rfc3339),
            url: format!("{page}#pullrequestreview-{}", review.id),
            comment_count: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }

    /// `resolvedBy` is a user: a bot shows as nobody.
    fn shown_user(&self, account: &Account) -> Option<Account> {
        let user = account.kind() == rereview_core::ids::AccountKind::User;
        self.shown_account(account).filter(|_| user)
    }
}

/// The GraphQL id of a review.
pub(crate) fn review_node(id: ReviewId) -> NodeId {
    NodeId::new(format!("PRR_{id}"))
}

fn pending(pull: &Pull, review: ReviewId) -> bool {
    pull.reviews.iter().any(|r| r.id == review && r.state == ReviewState::Pending)
}

/// Seconds since 1970 as the API writes them.
pub fn rfc3339(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}
