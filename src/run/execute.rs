//! Carries out writes, and never twice: after a lost answer it looks before it repeats
//! (spec 80 §1).

use rereview_core::footer::{Footer, Marker, ReplyKind};
use rereview_core::ids::{PrNumber, ReviewId};
use rereview_core::key::FindingKey;
use rereview_core::metadata;
use rereview_core::model::{Review, Snapshot, Thread, Trust};
use rereview_core::writes::{CommentEdit, NewReview, ThreadChange, ThreadWrite};

use crate::forge::{Forge, ForgeError, Step, ThreadOutcome};

/// How often a write whose answer was lost is looked for and, if it is not there, sent again.
const TRIES: u32 = 3;

/// Writes to one pull request.
#[derive(Debug)]
pub(super) struct Executor<'a, F> {
    /// Where to.
    pub(super) forge: &'a F,
    /// Which pull request.
    pub(super) pull: PrNumber,
    /// Whose footers count when we look for our own.
    pub(super) trust: &'a Trust,
    /// How they are spelled.
    pub(super) marker: &'a Marker,
}

impl<F: Forge> Executor<'_, F> {
    /// Replies, resolves and un-resolves; one outcome per write, never [`Step::Lost`].
    pub(super) async fn threads(
        &self,
        writes: &[ThreadWrite],
        before: &Snapshot,
    ) -> Result<Vec<ThreadOutcome>, ForgeError> {
        let none = ThreadOutcome { reply: Step::NotAsked, change: Step::NotAsked };
        let mut outcomes = vec![none; writes.len()];
        let mut open: Vec<(usize, ThreadWrite)> = writes.iter().cloned().enumerate().collect();
        for _ in 0..TRIES {
            if open.is_empty() {
                return Ok(outcomes);
            }
            let batch: Vec<ThreadWrite> = open.iter().map(|(_, write)| write.clone()).collect();
            let answers = self.forge.write_threads(self.pull, &batch).await?;
            let mut lost = Vec::new();
            for ((at, write), answer) in open.into_iter().zip(answers) {
                settle(&mut outcomes[at].reply, answer.reply);
                settle(&mut outcomes[at].change, answer.change);
                if is_lost(&outcomes[at]) {
                    lost.push((at, write));
                }
            }
            if lost.is_empty() {
                return Ok(outcomes);
            }
            let now = self.forge.read(self.pull).await?;
            open = lost
                .into_iter()
                .filter_map(|(at, write)| {
                    let rest = self.still_to_do(&write, before, &now, &mut outcomes[at])?;
                    Some((at, rest))
                })
                .collect();
        }
        match open.first() {
            None => Ok(outcomes),
            Some(_) => Err(ForgeError::Lost {
                task: "write to review threads".to_owned(),
                cause: "the answers were lost several times".to_owned(),
            }),
        }
    }

    /// Submits a review; `Ok(None)`: its answer was lost, and it is there.
    pub(super) async fn review(
        &self,
        review: &NewReview,
        before: &Snapshot,
    ) -> Result<Option<ReviewId>, ForgeError> {
        let mut last = None;
        for _ in 0..TRIES {
            match self.forge.submit_review(self.pull, review).await {
                Ok(id) => return Ok(Some(id)),
                Err(ForgeError::Lost { task, cause }) => {
                    let now = self.forge.read(self.pull).await?;
                    if self.is_there(review, before, &now) {
                        return Ok(None);
                    }
                    last = Some(ForgeError::Lost { task, cause });
                }
                Err(
                    error @ (ForgeError::NotFound { .. }
                    | ForgeError::Unauthorized
                    | ForgeError::Forbidden { .. }
                    | ForgeError::Unprocessable { .. }
                    | ForgeError::Unavailable { .. }
                    | ForgeError::RateLimited { .. }
                    | ForgeError::Garbled { .. }),
                ) => return Err(error),
            }
        }
        Err(last.unwrap_or(ForgeError::Lost {
            task: "submit a review".to_owned(),
            cause: "no answer".to_owned(),
        }))
    }

    /// Replaces a review's body. The same body twice is the same state, so a lost answer needs
    /// no look.
    pub(super) async fn body(&self, review: ReviewId, body: &str) -> Result<(), ForgeError> {
        self.idempotent(|| self.forge.update_review(self.pull, review, body)).await
    }

    /// Replaces a comment's text; as [`Executor::body`].
    pub(super) async fn edit(&self, edit: &CommentEdit) -> Result<(), ForgeError> {
        self.idempotent(|| self.forge.edit_comment(self.pull, edit)).await
    }

    async fn idempotent<T>(
        &self,
        write: impl Fn() -> T,
    ) -> Result<(), ForgeError>
    where
        T: Future<Output = Result<(), ForgeError>>,
    {
        let mut answer = write().await;
        for _ in 1..TRIES {
            if !matches!(answer, Err(ForgeError::Lost { .. })) {
                break;
            }
            answer = write().await;
        }
        answer
    }

    /// What of a write did not happen, by what the pull request shows now.
    fn still_to_do(
        &self,
        write: &ThreadWrite,
        before: &Snapshot,
        now: &Snapshot,
        outcome: &mut ThreadOutcome,
    ) -> Option<ThreadWrite> {
        let find = |snapshot: &Snapshot| {
            snapshot.threads.iter().find(|thread| thread.id == write.thread).cloned()
        };
        let (was, is) = (find(before), find(now)?);
        let mut rest = ThreadWrite { change: ThreadChange::Keep, reply: None, ..write.clone() };
        if matches!(outcome.reply, Step::Lost(_))
            && let Some(reply) = &write.reply
        {
            let count = |thread: &Thread| self.replies(thread, reply.kind, &reply.key);
            if count(&is) > was.as_ref().map_or(0, count) {
                outcome.reply = Step::Done;
            } else {
                rest.reply = Some(reply.clone());
            }
        }
        if matches!(outcome.change, Step::Lost(_)) {
            let wanted = match write.change {
                ThreadChange::Keep => is.resolved,
                ThreadChange::Resolve => true,
                ThreadChange::Unresolve => false,
            };
            if is.resolved == wanted {
                outcome.change = Step::Done;
            } else {
                rest.change = write.change;
            }
        }
        (rest.reply.is_some() || rest.change != ThreadChange::Keep).then_some(rest)
    }

    fn replies(&self, thread: &Thread, kind: ReplyKind, key: &FindingKey) -> usize {
        thread
            .replies()
            .filter(|reply| self.trust.is_viewer(reply.author.as_ref()))
            .flat_map(|reply| Footer::parse_all(&reply.body, self.marker))
            .filter(|footer| footer.kind == Some(kind) && footer.key == *key)
            .count()
    }

    /// Whether a review with this content came about since `before`: known by a comment's key in
    /// a thread that is new, or by its body when it has no comments.
    fn is_there(&self, review: &NewReview, before: &Snapshot, now: &Snapshot) -> bool {
        let ours = |candidate: &&Review| self.trust.is_viewer(candidate.author.as_ref());
        let new_threads = now
            .threads
            .iter()
            .filter(|thread| before.threads.iter().all(|known| known.id != thread.id));
        let keys: Vec<FindingKey> = new_threads
            .filter_map(Thread::root)
            .filter(|root| self.trust.is_viewer(root.author.as_ref()))
            .flat_map(|root| Footer::parse_all(&root.body, self.marker))
            .map(|footer| footer.key)
            .collect();
        if let Some(first) = review.comments.first() {
            // A review is made whole or not at all.
            return keys.contains(&first.key);
        }
        let agent = metadata::agent_of(&review.body, self.marker);
        now.reviews.iter().filter(ours).any(|candidate| {
            let new = before.reviews.iter().all(|known| known.id != candidate.id);
            let same_agent =
                agent.is_some() && metadata::agent_of(&candidate.body, self.marker) == agent;
            new && (same_agent || candidate.body.trim() == review.body.trim())
        })
    }
}

/// Takes an answer unless there is a final one already.
fn settle(known: &mut Step, answer: Step) {
    match known {
        Step::NotAsked | Step::Lost(_) => {
            if answer != Step::NotAsked {
                *known = answer;
            }
        }
        Step::Done | Step::Refused(_) => {}
    }
}

fn is_lost(outcome: &ThreadOutcome) -> bool {
    matches!(outcome.reply, Step::Lost(_)) || matches!(outcome.change, Step::Lost(_))
}
