//! What can be done with threads: answered, resolved, edited, deleted.

use rereview_core::ids::{CommentId, PrNumber, ReviewId, ThreadId};
use rereview_core::model::ReviewState;
use rereview_core::writes::ReviewEvent;

use super::rules::{may_write, not_accessible};
use super::{Actor, Comment, GitHub, Refusal, Resolution, Shown, Turn};

impl GitHub {
    /// Answers in a thread. It makes a COMMENTED review of its own with an empty body; who has a
    /// draft answers into that.
    pub fn reply(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        thread: &ThreadId,
        body: &str,
    ) -> Result<CommentId, Refusal> {
        let root =
            self.find_thread(number, thread)?.comments.first().map(|c| c.reply_to.unwrap_or(c.id));
        may_write(actor)?;
        self.check_text(body)?;
        let pull = self.find_pull(number)?;
        let (draft, head) = (pull.draft_of(&actor.account).map(|r| r.id), pull.head.clone());
        let at = self.tick();
        let review = match draft {
            Some(review) => review,
            None => {
                let review = self.new_review(actor, &head, Some(ReviewEvent::Comment), "", at);
                let id = review.id;
                self.find_pull_mut(number)?.reviews.push(review);
                id
            }
        };
        let comment = self.new_comment(actor, body, review, root, at);
        let id = comment.id;
        self.find_thread_mut(number, thread)?.comments.push(comment);
        Ok(id)
    }

    /// Resolves a thread or opens it again; a resolved one stays with whoever did it first.
    pub fn set_resolution(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        thread: &ThreadId,
        to: Resolution,
    ) -> Result<(), Refusal> {
        self.find_thread(number, thread)?;
        may_write(actor)?;
        if !self.can_resolve(actor, self.find_pull(number)?) {
            return not_accessible("contents: write");
        }
        let at = self.tick();
        let by = actor.account.clone();
        let thread = self.find_thread_mut(number, thread)?;
        let was =
            if thread.resolved_by.is_some() { Resolution::Resolved } else { Resolution::Open };
        if was != to {
            thread.resolved_by = match to {
                Resolution::Resolved => Some(by.clone()),
                Resolution::Open => None,
            };
            thread.history.push(Turn { at, by, to });
        }
        Ok(())
    }

    /// Replaces the text of a comment: of one's own, or a maintainer anybody's.
    pub fn update_comment(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        comment: CommentId,
        body: &str,
    ) -> Result<(), Refusal> {
        let author = self.find_comment_mut(number, comment)?.author.clone();
        may_write(actor)?;
        self.own_or_maintained(actor, &author)?;
        self.check_text(body)?;
        let at = self.tick();
        let comment = self.find_comment_mut(number, comment)?;
        body.clone_into(&mut comment.body);
        comment.edited = Some(at);
        Ok(())
    }

    /// Removes a comment. Its replies stay; a thread without comments goes, and so does a review
    /// that said nothing else.
    pub fn delete_comment(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        comment: CommentId,
    ) -> Result<(), Refusal> {
        let found = self.find_comment_mut(number, comment)?;
        let (author, review) = (found.author.clone(), found.review);
        may_write(actor)?;
        self.own_or_maintained(actor, &author)?;
        self.tick();
        let pull = self.find_pull_mut(number)?;
        pull.threads.iter_mut().for_each(|t| t.comments.retain(|c| c.id != comment));
        pull.threads.retain(|thread| !thread.comments.is_empty());
        let in_use = pull.threads.iter().flat_map(|t| &t.comments).any(|c| c.review == review);
        pull.reviews.retain(|r| {
            r.id != review || in_use || !r.body.is_empty() || r.state != ReviewState::Commented
        });
        Ok(())
    }

    pub(super) fn new_comment(
        &mut self,
        actor: &Actor,
        body: &str,
        review: ReviewId,
        reply_to: Option<CommentId>,
        at: u64,
    ) -> Comment {
        let id = CommentId(self.next.comment);
        self.next.comment += 1;
        Comment {
            id,
            author: actor.account.clone(),
            body: body.to_owned(),
            created: at,
            edited: None,
            review,
            reply_to,
            shown: Shown::Whole,
        }
    }
}
