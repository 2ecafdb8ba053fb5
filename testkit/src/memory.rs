//! The simulated GitHub as a forge, without any network in between.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rereview::forge::{Forge, ForgeError, Glance, Permission, Step, ThreadOutcome};
use rereview_core::ids::{Account, NodeId, PrNumber, ReviewId, ThreadId};
use rereview_core::model::Snapshot;
use rereview_core::writes::{CommentEdit, NewReview, ThreadChange, ThreadWrite};

use crate::code::Hunks;
use crate::faults::{Effect, Fault, Kind, When, Wire};
use crate::github::view::review_node;
use crate::github::{Actor, DraftComment, GitHub, Refusal, Resolution};

/// A token's view of a simulated GitHub; clones share GitHub and wire.
#[derive(Clone, Debug)]
pub struct MemoryForge {
    github: Arc<Mutex<GitHub>>,
    wire: Arc<Mutex<Wire>>,
    token: String,
}

impl MemoryForge {
    /// The forge of a job with this token.
    pub fn new(github: GitHub, token: &str) -> Self {
        Self { github: Arc::new(Mutex::new(github)), wire: Arc::default(), token: token.to_owned() }
    }

    /// The same GitHub through another token, over a wire of its own.
    pub fn with_token(&self, token: &str) -> Self {
        Self { github: Arc::clone(&self.github), wire: Arc::default(), token: token.to_owned() }
    }

    /// The state as it is now.
    pub fn github(&self) -> GitHub {
        lock(&self.github).clone()
    }

    /// Lets people act, or the world change.
    pub fn change<T>(&self, change: impl FnOnce(&mut GitHub) -> T) -> T {
        change(&mut lock(&self.github))
    }

    /// The log, as it is now.
    pub fn wire(&self) -> Wire {
        lock(&self.wire).clone()
    }

    /// A new process: alive, with an empty log, and with these faults on its way.
    pub fn restart(&self, plan: Vec<(When, Fault)>) {
        *lock(&self.wire) = Wire::new(plan);
    }

    fn send(&self, kind: Kind, task: &str, summary: String) -> Result<Option<Fault>, ForgeError> {
        lock(&self.wire).send(kind, summary).map_err(|_| unavailable(task, "killed"))
    }

    fn read_with<T>(
        &self,
        kind: Kind,
        summary: String,
        task: &str,
        read: impl FnOnce(&GitHub, &Actor) -> Result<T, Refusal>,
    ) -> Result<T, ForgeError> {
        match self.send(kind, task, summary)? {
            None => {
                let github = lock(&self.github);
                let actor = github.actor(&self.token).map_err(|refusal| error(task, refusal))?;
                read(&github, &actor).map_err(|refusal| error(task, refusal))
            }
            Some(Fault::Refused) => Err(error(task, refused())),
            Some(Fault::Dropped(_) | Fault::Unavailable) => Err(unavailable(task, "no answer")),
            Some(Fault::RateLimited { seconds }) => Err(ForgeError::RateLimited { seconds }),
            Some(Fault::Killed(_)) => Err(unavailable(task, "killed")),
        }
    }

    fn write_with<T>(
        &self,
        kind: Kind,
        summary: String,
        task: &str,
        write: impl FnOnce(&mut GitHub, &Actor) -> Result<T, Refusal>,
    ) -> Result<T, ForgeError> {
        let fault = self.send(kind, task, summary)?;
        let mut github = lock(&self.github);
        let actor = github.actor(&self.token).map_err(|refusal| error(task, refusal))?;
        let answer = match fault {
            None => return write(&mut github, &actor).map_err(|refusal| error(task, refusal)),
            Some(Fault::Refused) => error(task, refused()),
            Some(Fault::Unavailable) => unavailable(task, "no connection"),
            Some(Fault::RateLimited { seconds }) => ForgeError::RateLimited { seconds },
            Some(Fault::Dropped(effect)) => {
                take_effect(effect, || write(&mut github, &actor).is_ok());
                ForgeError::Lost { task: task.to_owned(), cause: "connection reset".to_owned() }
            }
            Some(Fault::Killed(effect)) => {
                take_effect(effect, || write(&mut github, &actor).is_ok());
                unavailable(task, "killed")
            }
        };
        Err(answer)
    }
}

impl Forge for MemoryForge {
    async fn read(&self, pull: PrNumber) -> Result<Snapshot, ForgeError> {
        self.read_with(Kind::Read, format!("pull {pull}"), "read the pull request", |github, me| {
            github.snapshot(me, pull)
        })
    }

    async fn glance(&self, pull: PrNumber, reviews: &[NodeId]) -> Result<Glance, ForgeError> {
        let summary = format!("pull {pull}, {} reviews", reviews.len());
        self.read_with(Kind::Glance, summary, "look at the head", |github, _| {
            let pull = github.find_pull(pull)?;
            let body = |node: &NodeId| {
                pull.reviews.iter().find(|r| review_node(r.id) == *node).map(|r| r.body.clone())
            };
            Ok(Glance {
                head: pull.head.clone(),
                state: pull.state,
                bodies: reviews.iter().map(body).collect(),
            })
        })
    }

    async fn write_threads(
        &self,
        pull: PrNumber,
        writes: &[ThreadWrite],
    ) -> Result<Vec<ThreadOutcome>, ForgeError> {
        let task = "write to threads";
        let summary = writes.iter().map(summarize).collect::<Vec<_>>().join(", ");
        let fault = self.send(Kind::WriteThreads, task, summary)?;
        let mut github = lock(&self.github);
        let me = github.actor(&self.token).map_err(|refusal| error(task, refusal))?;
        let mut batch = |left: usize, answer: Answer| {
            let mut batch = Batch { github: &mut github, me: &me, pull, left, answer };
            writes.iter().map(|write| batch.write(write)).collect::<Vec<_>>()
        };
        match fault {
            None => Ok(batch(usize::MAX, Answer::Comes)),
            Some(Fault::Refused) => Ok(batch(0, Answer::Refuses)),
            Some(Fault::Dropped(effect)) => Ok(batch(steps(effect), Answer::Lost)),
            Some(Fault::Killed(effect)) => {
                batch(steps(effect), Answer::Lost);
                Err(unavailable(task, "killed"))
            }
            Some(Fault::Unavailable) => Err(unavailable(task, "no connection")),
            Some(Fault::RateLimited { seconds }) => Err(ForgeError::RateLimited { seconds }),
        }
    }

    async fn submit_review(
        &self,
        pull: PrNumber,
        review: &NewReview,
    ) -> Result<ReviewId, ForgeError> {
        let summary = format!(
            "{:?} on {}: {} characters, {} comments",
            review.event,
            review.commit.short(),
            review.body.chars().count(),
            review.comments.len()
        );
        let comments: Vec<DraftComment> = review
            .comments
            .iter()
            .map(|comment| DraftComment {
                path: comment.path.clone(),
                line: comment.line,
                start_line: comment.start_line,
                body: comment.body.clone(),
            })
            .collect();
        self.write_with(Kind::SubmitReview, summary, "submit a review", |github, me| {
            let (event, body) = (Some(review.event), &review.body);
            github.create_review(me, pull, &review.commit, event, body, &comments)
        })
    }

    async fn update_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
        body: &str,
    ) -> Result<(), ForgeError> {
        let summary = format!("review {review}");
        self.write_with(Kind::UpdateReview, summary, "update a review", |github, me| {
            github.update_review(me, pull, review, body)
        })
    }

    async fn edit_comment(&self, pull: PrNumber, edit: &CommentEdit) -> Result<(), ForgeError> {
        let summary = format!("comment {}", edit.comment);
        self.write_with(Kind::EditComment, summary, "edit a comment", |github, me| {
            github.update_comment(me, pull, edit.comment, &edit.body)
        })
    }

    async fn delete_pending_review(
        &self,
        pull: PrNumber,
        review: ReviewId,
    ) -> Result<(), ForgeError> {
        let summary = format!("review {review}");
        self.write_with(Kind::DeletePendingReview, summary, "delete a draft", |github, me| {
            github.delete_draft(me, pull, review)
        })
    }

    async fn shown_lines(&self, pull: PrNumber) -> Result<Hunks, ForgeError> {
        self.read_with(Kind::ShownLines, format!("pull {pull}"), "list the diff", |github, _| {
            let pull = github.find_pull(pull)?;
            let mut hunks = pull.commits.get(&pull.head).cloned().unwrap_or_default();
            hunks.retain(|_, ranges| !ranges.is_empty());
            Ok(hunks)
        })
    }

    async fn permission(&self, account: &Account) -> Result<Permission, ForgeError> {
        self.read_with(
            Kind::Permission,
            account.to_string(),
            "ask for a permission",
            |github, _| Ok(github.role(account)),
        )
    }

    fn requests(&self) -> u64 {
        lock(&self.wire).log().len() as u64
    }
}

/// What comes back of a batch.
#[derive(Clone, Copy)]
enum Answer {
    Comes,
    Refuses,
    Lost,
}

/// A batch on its way: so many steps take effect, each by itself.
struct Batch<'a> {
    github: &'a mut GitHub,
    me: &'a Actor,
    pull: PrNumber,
    left: usize,
    answer: Answer,
}

impl Batch<'_> {
    /// An un-resolve goes before the reply, a resolve after it.
    fn write(&mut self, write: &ThreadWrite) -> ThreadOutcome {
        match write.change {
            ThreadChange::Keep => {
                ThreadOutcome { reply: self.reply(write), change: Step::NotAsked }
            }
            ThreadChange::Unresolve => {
                let change = self.change(&write.thread, Resolution::Open);
                ThreadOutcome { reply: self.reply(write), change }
            }
            ThreadChange::Resolve => {
                let reply = self.reply(write);
                let change = self.change(&write.thread, Resolution::Resolved);
                ThreadOutcome { reply, change }
            }
        }
    }

    fn reply(&mut self, write: &ThreadWrite) -> Step {
        let Some(reply) = &write.reply else { return Step::NotAsked };
        self.step(|github, me, pull| github.reply(me, pull, &write.thread, &reply.body).map(|_| ()))
    }

    fn change(&mut self, thread: &ThreadId, to: Resolution) -> Step {
        self.step(|github, me, pull| github.set_resolution(me, pull, thread, to))
    }

    fn step(
        &mut self,
        step: impl FnOnce(&mut GitHub, &Actor, PrNumber) -> Result<(), Refusal>,
    ) -> Step {
        let done = match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                step(self.github, self.me, self.pull)
            }
            None => Ok(()),
        };
        match (self.answer, done) {
            (Answer::Comes, Ok(())) => Step::Done,
            (Answer::Comes, Err(refusal)) => Step::Refused(refusal.to_string()),
            (Answer::Refuses, _) => Step::Refused(refused().to_string()),
            (Answer::Lost, _) => Step::Lost("connection reset".to_owned()),
        }
    }
}

fn steps(effect: Effect) -> usize {
    match effect {
        Effect::Nothing => 0,
        Effect::Steps(n) => n,
        Effect::Everything => usize::MAX,
    }
}

/// Whether GitHub refused what nobody hears of does not matter.
fn take_effect(effect: Effect, write: impl FnOnce() -> bool) {
    if steps(effect) > 0 {
        write();
    }
}

fn summarize(write: &ThreadWrite) -> String {
    let reply = write.reply.as_ref().map(|reply| reply.kind.as_str());
    let change = match write.change {
        ThreadChange::Keep => None,
        ThreadChange::Resolve => Some("resolve"),
        ThreadChange::Unresolve => Some("unresolve"),
    };
    let what: Vec<&str> = reply.into_iter().chain(change).collect();
    format!("{} {}", what.join(" + "), write.thread)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refused() -> Refusal {
    let message = "Resource not accessible by integration".to_owned();
    Refusal::Forbidden { permission: "pull-requests: write", message }
}

fn unavailable(task: &str, cause: &str) -> ForgeError {
    ForgeError::Unavailable { task: task.to_owned(), cause: cause.to_owned() }
}

fn error(task: &str, refusal: Refusal) -> ForgeError {
    let task = task.to_owned();
    match refusal {
        Refusal::Unauthorized => ForgeError::Unauthorized,
        Refusal::NotFound(what) => ForgeError::NotFound { what },
        Refusal::Unprocessable(message) => ForgeError::Unprocessable { task, message },
        Refusal::Forbidden { permission, message } => {
            ForgeError::Forbidden { task, permission: permission.to_owned(), message }
        }
    }
}
