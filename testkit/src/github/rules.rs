//! What GitHub allows, and what it answers when it does not.

use rereview::forge::Permission;
use rereview_core::ids::{Account, CommentId, PrNumber, ReviewId, ThreadId};

use super::{Access, Comment, GitHub, Pull, Review, Standing, Thread, Token, User};

/// Why GitHub says no.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 401.
    #[error("Bad credentials")]
    Unauthorized,
    /// 403.
    #[error("{message}")]
    Forbidden {
        /// What it would take, as a workflow names it.
        permission: &'static str,
        /// GitHub's words.
        message: String,
    },
    /// 404.
    #[error("{0} was not found")]
    NotFound(String),
    /// 422.
    #[error("{0}")]
    Unprocessable(String),
}

/// Somebody at work: a person in the browser, or a job with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub account: Account,
    rights: Rights,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    Person,
    Token { pull_requests: Access, contents: Access },
}

impl Actor {
    /// A person: everything their role allows.
    pub fn person(login: &str) -> Self {
        Self { account: Account::from_login(login), rights: Rights::Person }
    }
}

pub(super) fn bad<T>(message: &str) -> Result<T, Refusal> {
    Err(Refusal::Unprocessable(message.to_owned()))
}

pub(super) fn not_accessible<T>(permission: &'static str) -> Result<T, Refusal> {
    let message = "Resource not accessible by integration".to_owned();
    Err(Refusal::Forbidden { permission, message })
}

impl GitHub {
    /// Whom a token writes as, and with which rights.
    pub fn actor(&self, secret: &str) -> Result<Actor, Refusal> {
        let token = self.tokens.get(secret).ok_or(Refusal::Unauthorized)?;
        let Token { account, pull_requests, contents } = token.clone();
        Ok(Actor { account, rights: Rights::Token { pull_requests, contents } })
    }

    /// Whether somebody may resolve a pull request's threads.
    pub fn can_resolve(&self, actor: &Actor, pull: &Pull) -> bool {
        match actor.rights {
            Rights::Token { pull_requests, contents } => {
                pull_requests >= Access::Write && contents >= Access::Write
            }
            Rights::Person => {
                pull.author == actor.account || self.role(&actor.account) >= Permission::Write
            }
        }
    }

    pub(super) fn check_text(&self, body: &str) -> Result<(), Refusal> {
        if body.trim().is_empty() { bad("Body can't be blank") } else { self.check_length(body) }
    }

    pub(super) fn check_length(&self, body: &str) -> Result<(), Refusal> {
        if body.chars().count() > self.body_limit { bad("Body is too long") } else { Ok(()) }
    }

    pub(super) fn own_or_maintained(&self, actor: &Actor, author: &Account) -> Result<(), Refusal> {
        let maintains =
            actor.rights == Rights::Person && self.role(&actor.account) >= Permission::Write;
        if *author == actor.account || maintains {
            Ok(())
        } else {
            not_accessible("pull-requests: write")
        }
    }

    pub(crate) fn find_pull(&self, number: PrNumber) -> Result<&Pull, Refusal> {
        let missing = || Refusal::NotFound(format!("pull request {number}"));
        self.pulls.get(&number).ok_or_else(missing)
    }

    pub(crate) fn find_pull_mut(&mut self, number: PrNumber) -> Result<&mut Pull, Refusal> {
        let missing = || Refusal::NotFound(format!("pull request {number}"));
        self.pulls.get_mut(&number).ok_or_else(missing)
    }

    pub(super) fn find_thread(&self, number: PrNumber, id: &ThreadId) -> Result<&Thread, Refusal> {
        let missing = || Refusal::NotFound(format!("thread {id}"));
        self.find_pull(number)?.threads.iter().find(|t| t.id == *id).ok_or_else(missing)
    }

    pub(super) fn find_thread_mut(
        &mut self,
        number: PrNumber,
        id: &ThreadId,
    ) -> Result<&mut Thread, Refusal> {
        let missing = || Refusal::NotFound(format!("thread {id}"));
        let threads = &mut self.find_pull_mut(number)?.threads;
        threads.iter_mut().find(|t| t.id == *id).ok_or_else(missing)
    }

    pub(super) fn find_review_mut(
        &mut self,
        number: PrNumber,
        id: ReviewId,
    ) -> Result<&mut Review, Refusal> {
        let missing = || Refusal::NotFound(format!("review {id}"));
        let reviews = &mut self.find_pull_mut(number)?.reviews;
        reviews.iter_mut().find(|r| r.id == id).ok_or_else(missing)
    }

    pub(crate) fn find_comment_mut(
        &mut self,
        number: PrNumber,
        id: CommentId,
    ) -> Result<&mut Comment, Refusal> {
        let missing = || Refusal::NotFound(format!("comment {id}"));
        let threads = &mut self.find_pull_mut(number)?.threads;
        let mut comments = threads.iter_mut().flat_map(|t| &mut t.comments);
        comments.find(|c| c.id == id).ok_or_else(missing)
    }

    /// The account as the API shows it: nobody when it was deleted.
    pub(crate) fn shown_account(&self, account: &Account) -> Option<Account> {
        match self.users.get(account) {
            Some(User { standing: Standing::Ghost, .. }) => None,
            Some(User { standing: Standing::Active, .. }) | None => Some(account.clone()),
        }
    }
}

pub(super) fn may_write(actor: &Actor) -> Result<(), Refusal> {
    match actor.rights {
        Rights::Token { pull_requests: Access::None | Access::Read, .. } => {
            not_accessible("pull-requests: write")
        }
        Rights::Token { pull_requests: Access::Write, .. } | Rights::Person => Ok(()),
    }
}
