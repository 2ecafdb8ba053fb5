//! What can be done with reviews: submitted, drafted, edited, dismissed.

use rereview_core::ids::{PrNumber, RepoPath, ReviewId, Sha, ThreadId};
use rereview_core::model::ReviewState;
use rereview_core::writes::ReviewEvent;

use super::rules::{bad, may_write, not_accessible};
use super::{Actor, GitHub, Refusal, Review, Thread};
use crate::code::Hunks;

/// An inline comment as it is asked for, side RIGHT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftComment {
    /// At the review's commit.
    pub path: RepoPath,
    /// Last line.
    pub line: u32,
    /// First line, if it has several.
    pub start_line: Option<u32>,
    /// Its text.
    pub body: String,
}

impl GitHub {
    /// Submits a review, or keeps it as a draft when `event` is `None`. All or nothing.
    pub fn create_review(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        commit: &Sha,
        event: Option<ReviewEvent>,
        body: &str,
        comments: &[DraftComment],
    ) -> Result<ReviewId, Refusal> {
        may_write(actor)?;
        let pull = self.find_pull(number)?;
        if pull.draft_of(&actor.account).is_some() {
            return bad("User can only have one pending review per pull request");
        }
        self.check_length(body)?;
        let Some(hunks) = pull.commits.get(commit).filter(|_| !self.forgotten.contains(commit))
        else {
            return bad("Commit is not part of the pull request");
        };
        if let Some(event) = event {
            let nothing = body.trim().is_empty() && comments.is_empty();
            check_event(event, nothing, pull.author == actor.account)?;
        }
        let wrong: Vec<String> = comments
            .iter()
            .filter_map(|comment| self.check_comment(hunks, comment).err())
            .map(|refusal| refusal.to_string())
            .collect();
        if !wrong.is_empty() {
            return Err(Refusal::Unprocessable(wrong.join(", ")));
        }
        let at = self.tick();
        let review = self.new_review(actor, commit, event, body, at);
        let id = review.id;
        let threads: Vec<Thread> = comments
            .iter()
            .map(|comment| {
                let root = self.new_comment(actor, &comment.body, id, None, at);
                let thread = self.next.thread;
                self.next.thread += 1;
                Thread {
                    id: ThreadId::new(format!("PRRT_{thread}")),
                    path: comment.path.clone(),
                    original_line: comment.line,
                    original_start: comment.start_line,
                    original_commit: commit.clone(),
                    line: Some(comment.line),
                    commit: commit.clone(),
                    resolved_by: None,
                    history: Vec::new(),
                    comments: vec![root],
                }
            })
            .collect();
        let pull = self.find_pull_mut(number)?;
        pull.reviews.push(review);
        pull.threads.extend(threads);
        Ok(id)
    }

    /// Replaces the body of a review of one's own.
    pub fn update_review(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), Refusal> {
        let author = self.find_review_mut(number, review)?.author.clone();
        may_write(actor)?;
        if author != actor.account {
            return not_accessible("pull-requests: write");
        }
        self.check_length(body)?;
        self.tick();
        body.clone_into(&mut self.find_review_mut(number, review)?.body);
        Ok(())
    }

    /// Withdraws an approval or a request for changes.
    pub fn dismiss_review(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        review: ReviewId,
    ) -> Result<(), Refusal> {
        may_write(actor)?;
        match self.find_review_mut(number, review)?.state {
            ReviewState::Approved | ReviewState::ChangesRequested => {}
            ReviewState::Commented | ReviewState::Dismissed | ReviewState::Pending => {
                return bad("Can not dismiss this pull request review");
            }
        }
        self.tick();
        self.find_review_mut(number, review)?.state = ReviewState::Dismissed;
        Ok(())
    }

    /// Submits one's own draft.
    pub fn submit_draft(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        event: ReviewEvent,
    ) -> Result<ReviewId, Refusal> {
        may_write(actor)?;
        let pull = self.find_pull(number)?;
        let Some(draft) = pull.draft_of(&actor.account) else {
            return bad("Could not find a pending review to submit");
        };
        let (id, says_nothing) = (draft.id, draft.body.is_empty());
        let empty = !pull.threads.iter().flat_map(|t| &t.comments).any(|c| c.review == id);
        check_event(event, says_nothing && empty, pull.author == actor.account)?;
        let at = self.tick();
        let review = self.find_review_mut(number, id)?;
        review.state = state_of(event);
        review.submitted = Some(at);
        Ok(id)
    }

    /// Throws one's own draft away, with its comments.
    pub fn delete_draft(
        &mut self,
        actor: &Actor,
        number: PrNumber,
        review: ReviewId,
    ) -> Result<(), Refusal> {
        let (author, state) = {
            let review = self.find_review_mut(number, review)?;
            (review.author.clone(), review.state)
        };
        may_write(actor)?;
        if author != actor.account {
            return Err(Refusal::NotFound(format!("review {review}")));
        }
        if state != ReviewState::Pending {
            return bad("Can not delete a non-pending pull request review");
        }
        self.tick();
        let pull = self.find_pull_mut(number)?;
        pull.threads.iter_mut().for_each(|t| t.comments.retain(|c| c.review != review));
        pull.threads.retain(|thread| !thread.comments.is_empty());
        pull.reviews.retain(|r| r.id != review);
        Ok(())
    }

    fn check_comment(&self, hunks: &Hunks, comment: &DraftComment) -> Result<(), Refusal> {
        self.check_text(&comment.body)?;
        let Some(ranges) = hunks.get(&comment.path) else {
            return bad("Path could not be resolved");
        };
        let Some(hunk) = ranges.iter().find(|range| range.contains(&comment.line)) else {
            return bad("Line could not be resolved");
        };
        match comment.start_line {
            Some(start) if start >= comment.line => bad("Start line must precede the end line"),
            Some(start) if !hunk.contains(&start) => {
                bad("Start line must be part of the same hunk as the line")
            }
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn new_review(
        &mut self,
        actor: &Actor,
        commit: &Sha,
        event: Option<ReviewEvent>,
        body: &str,
        at: u64,
    ) -> Review {
        let id = ReviewId(self.next.review);
        self.next.review += 1;
        Review {
            id,
            author: actor.account.clone(),
            body: body.to_owned(),
            state: event.map_or(ReviewState::Pending, state_of),
            commit: commit.clone(),
            submitted: event.map(|_| at),
        }
    }
}

fn state_of(event: ReviewEvent) -> ReviewState {
    match event {
        ReviewEvent::Comment => ReviewState::Commented,
        ReviewEvent::Approve => ReviewState::Approved,
        ReviewEvent::RequestChanges => ReviewState::ChangesRequested,
    }
}

fn check_event(event: ReviewEvent, says_nothing: bool, own_pull: bool) -> Result<(), Refusal> {
    match event {
        ReviewEvent::Approve if own_pull => bad("Can not approve your own pull request"),
        ReviewEvent::RequestChanges if own_pull => {
            bad("Can not request changes on your own pull request")
        }
        ReviewEvent::Comment | ReviewEvent::RequestChanges if says_nothing => {
            bad("A body is required for this event")
        }
        ReviewEvent::Comment | ReviewEvent::Approve | ReviewEvent::RequestChanges => Ok(()),
    }
}
