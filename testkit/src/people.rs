//! What people do to a pull request: push, answer, resolve, delete, deceive.
//!
//! Everything goes through GitHub's rules; only a move of the head and a deleted account do not.

use rereview_core::ids::{Account, CommentId, PrNumber, ReviewId, Sha, ThreadId};
use rereview_core::writes::ReviewEvent;

use crate::code::Code;
use crate::github::{
    Actor, DraftComment, GitHub, Refusal, Resolution, ReviewCommits, Shown, Standing, shown_commits,
};

/// What becomes of the old head after a force-push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldHead {
    /// GitHub still has it.
    Kept,
    /// It is gone.
    Forgotten,
}

/// A person (or another bot) at one pull request.
#[derive(Debug)]
pub struct Person<'a> {
    github: &'a mut GitHub,
    pull: PrNumber,
    actor: Actor,
}

impl GitHub {
    /// Lets somebody act on a pull request.
    pub fn act(&mut self, login: &str, pull: u64) -> Person<'_> {
        Person { github: self, pull: PrNumber(pull), actor: Actor::person(login) }
    }

    /// Moves the head forward.
    ///
    /// # Panics
    /// When there is no such pull request, like every move of this kind.
    pub fn push(&mut self, pull: u64, head: &Sha, code: &dyn Code) {
        self.move_to(PrNumber(pull), None, head, code);
    }

    /// Puts another history in place of the old one.
    pub fn force_push(&mut self, pull: u64, head: &Sha, old: OldHead, code: &dyn Code) {
        let number = PrNumber(pull);
        let before = self.find_pull(number).expect("a pull request").head.clone();
        self.move_to(number, None, head, code);
        match old {
            OldHead::Kept => {}
            OldHead::Forgotten => self.forget(&before),
        }
        match self.review_commits {
            ReviewCommits::Stay => {}
            ReviewCommits::FollowForcePush => {
                let pull = self.find_pull_mut(number).expect("a pull request");
                pull.reviews.iter_mut().for_each(|review| review.commit = head.clone());
            }
        }
    }

    /// Moves the branch that the pull request goes to.
    pub fn push_base(&mut self, pull: u64, base: &Sha, code: &dyn Code) {
        let number = PrNumber(pull);
        let head = self.find_pull(number).expect("a pull request").head.clone();
        self.move_to(number, Some(base), &head, code);
    }

    /// Loses a commit.
    pub fn forget(&mut self, sha: &Sha) {
        self.forgotten.insert(sha.clone());
    }

    /// Deletes an account: all it wrote stays, by nobody.
    pub fn ghost(&mut self, login: &str) {
        let user = self.users.get_mut(&Account::from_login(login)).expect("no such user");
        user.standing = Standing::Ghost;
    }

    fn move_to(&mut self, number: PrNumber, base: Option<&Sha>, head: &Sha, code: &dyn Code) {
        self.clock += 1;
        let pull = self.find_pull_mut(number).expect("a pull request");
        head.clone_into(&mut pull.head);
        if let Some(base) = base {
            base.clone_into(&mut pull.base);
        }
        pull.commits = shown_commits(code, &pull.base, head);
        let hunks = code.hunks(&pull.base, head);
        let mut moves = std::collections::BTreeMap::new();
        for thread in &mut pull.threads {
            let from = &thread.original_commit;
            let moves = moves.entry(from.clone()).or_insert_with(|| code.moves(from, head));
            let inside = |(path, line): &(_, u32)| {
                hunks.get(path).is_some_and(|ranges| ranges.iter().any(|r| r.contains(line)))
            };
            let at = |line| moves.line(&thread.path, line);
            let start_stands = thread.original_start.is_none_or(|line| at(line).is_some());
            let now = at(thread.original_line).filter(inside).filter(|_| start_stands);
            thread.line = now.map(|(_, line)| line);
            if thread.line.is_some() {
                head.clone_into(&mut thread.commit);
            }
        }
    }
}

impl Person<'_> {
    /// Starts a thread on a line of the head.
    pub fn comment(&mut self, path: &str, line: u32, body: &str) -> Result<ThreadId, Refusal> {
        self.review(Some(ReviewEvent::Comment), "", &[(path, line, body)])?;
        let threads = &self.github.find_pull(self.pull)?.threads;
        Ok(threads.last().expect("just made").id.clone())
    }

    /// Approves, requests changes, comments.
    pub fn submit(&mut self, event: ReviewEvent, body: &str) -> Result<ReviewId, Refusal> {
        self.review(Some(event), body, &[])
    }

    /// Begins a review that nobody else sees.
    pub fn draft(
        &mut self,
        body: &str,
        comments: &[(&str, u32, &str)],
    ) -> Result<ReviewId, Refusal> {
        self.review(None, body, comments)
    }

    /// Submits the draft.
    pub fn submit_draft(&mut self, event: ReviewEvent) -> Result<ReviewId, Refusal> {
        self.github.submit_draft(&self.actor, self.pull, event)
    }

    /// Answers.
    pub fn reply(&mut self, thread: &ThreadId, body: &str) -> Result<CommentId, Refusal> {
        self.github.reply(&self.actor, self.pull, thread, body)
    }

    /// Resolves.
    pub fn resolve(&mut self, thread: &ThreadId) -> Result<(), Refusal> {
        self.github.set_resolution(&self.actor, self.pull, thread, Resolution::Resolved)
    }

    /// Opens again.
    pub fn unresolve(&mut self, thread: &ThreadId) -> Result<(), Refusal> {
        self.github.set_resolution(&self.actor, self.pull, thread, Resolution::Open)
    }

    /// Edits a comment.
    pub fn edit(&mut self, comment: CommentId, body: &str) -> Result<(), Refusal> {
        self.github.update_comment(&self.actor, self.pull, comment, body)
    }

    /// Deletes a comment.
    pub fn delete(&mut self, comment: CommentId) -> Result<(), Refusal> {
        self.github.delete_comment(&self.actor, self.pull, comment)
    }

    /// Deletes the comment a thread hangs on.
    pub fn delete_root(&mut self, thread: &ThreadId) -> Result<(), Refusal> {
        let threads = &self.github.find_pull(self.pull)?.threads;
        let thread = threads.iter().find(|t| t.id == *thread).expect("no such thread");
        let root = thread.comments.first().expect("never empty").id;
        self.delete(root)
    }

    /// Hides a comment.
    pub fn minimize(&mut self, comment: CommentId) -> Result<(), Refusal> {
        self.github.find_comment_mut(self.pull, comment)?.shown = Shown::Minimized;
        Ok(())
    }

    /// Dismisses a review.
    pub fn dismiss(&mut self, review: ReviewId) -> Result<(), Refusal> {
        self.github.dismiss_review(&self.actor, self.pull, review)
    }

    fn review(
        &mut self,
        event: Option<ReviewEvent>,
        body: &str,
        comments: &[(&str, u32, &str)],
    ) -> Result<ReviewId, Refusal> {
        let head = self.github.find_pull(self.pull)?.head.clone();
        let comments: Vec<DraftComment> = comments
            .iter()
            .map(|(path, line, body)| DraftComment {
                path: rereview_core::ids::RepoPath::new(path).expect("a path"),
                line: *line,
                start_line: None,
                body: (*body).to_owned(),
            })
            .collect();
        self.github.create_review(&self.actor, self.pull, &head, event, body, &comments)
    }
}
