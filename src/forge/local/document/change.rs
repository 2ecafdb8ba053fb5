//! What can happen on a branch: reviews, replies, resolves.

use rereview_core::ids::{Account, ReviewId, ThreadId};
use rereview_core::writes::{CommentEdit, NewReview, ReviewEvent, ThreadChange, ThreadWrite};

use super::{Document, StoredComment, StoredEvent, StoredReview, StoredThread, thread_id};
use crate::forge::local::viewer;
use crate::forge::{ForgeError, Step, ThreadOutcome};

impl Document {
    /// Adds a review of our own with its threads.
    pub(in crate::forge::local) fn add_review(
        &mut self,
        review: &NewReview,
        now: &str,
    ) -> Result<ReviewId, ForgeError> {
        let event = match review.event {
            ReviewEvent::Comment => StoredEvent::Commented,
            ReviewEvent::Approve => StoredEvent::Approved,
            ReviewEvent::RequestChanges => StoredEvent::ChangesRequested,
        };
        let says_nothing = review.body.trim().is_empty() && review.comments.is_empty();
        if says_nothing && event != StoredEvent::Approved {
            return Err(ForgeError::Unprocessable {
                task: "submit a review".to_owned(),
                message: "it has neither a body nor comments".to_owned(),
            });
        }
        let id = self.take_id();
        self.reviews.push(StoredReview {
            id,
            event,
            body: review.body.clone(),
            commit: review.commit.clone(),
            submitted_at: now.to_owned(),
        });
        for comment in &review.comments {
            let thread = StoredThread {
                id: self.take_id(),
                review: id,
                path: comment.path.clone(),
                line: comment.line,
                start_line: comment.start_line,
                commit: review.commit.clone(),
                resolved_by: None,
                comments: vec![self.comment(&viewer().0, &comment.body, now)],
            };
            self.threads.push(thread);
        }
        Ok(ReviewId(id))
    }

    /// Replaces the body of a review.
    pub(in crate::forge::local) fn set_review_body(
        &mut self,
        id: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError> {
        let review = self.reviews.iter_mut().find(|review| review.id == id.0);
        let review = review.ok_or(ForgeError::NotFound { what: format!("review {id}") })?;
        body.clone_into(&mut review.body);
        Ok(())
    }

    /// Replaces the body of a comment of our own.
    pub(in crate::forge::local) fn set_comment_body(
        &mut self,
        edit: &CommentEdit,
    ) -> Result<(), ForgeError> {
        let mut comments = self.threads.iter_mut().flat_map(|thread| &mut thread.comments);
        let comment = comments.find(|comment| comment.id == edit.comment.0);
        let comment = comment
            .ok_or_else(|| ForgeError::NotFound { what: format!("comment {}", edit.comment) })?;
        if comment.author.as_ref() != Some(&viewer().0) {
            return Err(ForgeError::Forbidden {
                task: "edit a comment".to_owned(),
                permission: "pull-requests: write".to_owned(),
                message: "somebody else wrote it".to_owned(),
            });
        }
        edit.body.clone_into(&mut comment.body);
        Ok(())
    }

    /// Carries out one thread's writes as rereview: un-resolve, reply, resolve.
    pub(in crate::forge::local) fn write_thread(
        &mut self,
        write: &ThreadWrite,
        now: &str,
    ) -> ThreadOutcome {
        let me = viewer().0;
        let step = |done: Option<()>| match done {
            Some(()) => Step::Done,
            None => Step::Refused(format!("there is no thread {}", write.thread)),
        };
        let change = match write.change {
            ThreadChange::Keep => Step::NotAsked,
            // Reply and change are saved together: their order shows nowhere.
            change @ (ThreadChange::Resolve | ThreadChange::Unresolve) => {
                step(self.change(&write.thread, change, &me))
            }
        };
        let reply = match &write.reply {
            None => Step::NotAsked,
            Some(reply) => step(self.reply(&write.thread, &me, &reply.body, now)),
        };
        ThreadOutcome { reply, change }
    }

    /// Adds a reply; `None` when there is no such thread.
    pub(in crate::forge::local) fn reply(
        &mut self,
        thread: &ThreadId,
        who: &Account,
        body: &str,
        now: &str,
    ) -> Option<()> {
        let i = self.position(thread)?;
        let comment = self.comment(who, body, now);
        self.threads.get_mut(i)?.comments.push(comment);
        Some(())
    }

    /// Resolves or opens a thread; `None` when there is no such thread.
    pub(in crate::forge::local) fn change(
        &mut self,
        thread: &ThreadId,
        change: ThreadChange,
        who: &Account,
    ) -> Option<()> {
        let i = self.position(thread)?;
        let thread = self.threads.get_mut(i)?;
        match change {
            ThreadChange::Keep => {}
            ThreadChange::Resolve => {
                thread.resolved_by.get_or_insert_with(|| who.clone());
            }
            ThreadChange::Unresolve => thread.resolved_by = None,
        }
        Some(())
    }

    fn position(&self, id: &ThreadId) -> Option<usize> {
        self.threads.iter().position(|thread| thread_id(thread.id) == *id)
    }

    fn comment(&mut self, who: &Account, body: &str, now: &str) -> StoredComment {
        StoredComment {
            id: self.take_id(),
            author: Some(who.clone()),
            created_at: now.to_owned(),
            body: body.to_owned(),
        }
    }

    fn take_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}
