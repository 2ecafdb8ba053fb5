//! A branch's threads and reviews as a forge shows them.

use rereview_core::ids::{CommentId, NodeId, ReviewId};
use rereview_core::model::{Comment, Review, ReviewState, Thread};

use super::{Document, StoredComment, StoredEvent, StoredReview, StoredThread, thread_id};
use crate::forge::local::store::file_name;
use crate::forge::local::viewer;

impl Document {
    /// Names the branch; there is no page.
    pub(in crate::forge::local) fn url(&self) -> String {
        format!("local:{}", file_name(&self.branch))
    }

    /// Every thread, as a forge shows it.
    pub(in crate::forge::local) fn threads(&self) -> Vec<Thread> {
        self.threads.iter().map(|thread| self.show_thread(thread)).collect()
    }

    fn show_thread(&self, thread: &StoredThread) -> Thread {
        let show = |(i, comment): (usize, &StoredComment)| Comment {
            id: CommentId(comment.id),
            node: NodeId::new(format!("comment-{}", comment.id)),
            author: comment.author.clone(),
            body: comment.body.clone(),
            created_at: comment.created_at.clone(),
            url: format!("{}#comment-{}", self.url(), comment.id),
            review: (i == 0).then_some(ReviewId(thread.review)),
            is_reply: i > 0,
        };
        let resolved = thread.resolved_by.is_some();
        Thread {
            id: thread_id(thread.id),
            path: thread.path.clone(),
            line: Some(thread.line),
            original_line: Some(thread.line),
            original_commit: Some(thread.commit.clone()),
            commit: Some(thread.commit.clone()),
            resolved,
            // As GitHub: nobody, when it was a bot.
            resolved_by: thread.resolved_by.clone().filter(|who| *who != viewer().0),
            outdated: false,
            viewer_can_resolve: !resolved,
            viewer_can_unresolve: resolved,
            comments: thread.comments.iter().enumerate().map(show).collect(),
        }
    }

    /// Every review, as a forge shows it.
    pub(in crate::forge::local) fn reviews(&self) -> Vec<Review> {
        let show = |review: &StoredReview| Review {
            id: ReviewId(review.id),
            node: NodeId::new(format!("review-{}", review.id)),
            author: Some(viewer().0),
            body: review.body.clone(),
            state: match review.event {
                StoredEvent::Commented => ReviewState::Commented,
                StoredEvent::Approved => ReviewState::Approved,
                StoredEvent::ChangesRequested => ReviewState::ChangesRequested,
            },
            commit: Some(review.commit.clone()),
            submitted_at: Some(review.submitted_at.clone()),
            url: format!("{}#review-{}", self.url(), review.id),
            comment_count: 0,
        };
        self.reviews.iter().map(show).collect()
    }
}
