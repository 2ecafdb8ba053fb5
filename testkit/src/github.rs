//! The simulated GitHub as plain data: users, tokens, pull requests, threads, reviews, a clock.
//!
//! What it allows is in `reviews` and `threads`; how a token sees it is in [`view`]; what people do
//! to it is in [`crate::people`].

use std::collections::{BTreeMap, BTreeSet};

use rereview::forge::Permission;
use rereview_core::ids::{Account, CommentId, PrNumber, RepoPath, ReviewId, Sha, ThreadId};
use rereview_core::model::{PullState, ReviewState};

use crate::code::{Code, Hunks};

mod reviews;
mod rules;
mod threads;
pub mod view;

pub use reviews::DraftComment;
pub use rules::{Actor, Refusal};

/// 2026-01-01T00:00:00Z.
pub const START: u64 = 1_767_225_600;

/// One repository and everybody around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitHub {
    /// Seconds since 1970; one more with every write.
    pub clock: u64,
    /// Everybody.
    pub users: BTreeMap<Account, User>,
    /// What tokens may do, by their secret.
    pub tokens: BTreeMap<String, Token>,
    /// The pull requests.
    pub pulls: BTreeMap<PrNumber, Pull>,
    /// Commits that are gone.
    pub forgotten: BTreeSet<Sha>,
    /// Code points that a body may have.
    pub body_limit: usize,
    /// See [`ReviewCommits`].
    pub review_commits: ReviewCommits,
    /// See [`LostRoots`].
    pub lost_roots: LostRoots,
    next: NextIds,
}

/// The next free ids; reviews and comments are beyond 32 bits, as today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NextIds {
    thread: u64,
    comment: u64,
    review: u64,
}

/// Which commit a review shows after a force-push (case G04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewCommits {
    /// The one it was made on.
    Stay,
    /// The new head, which it never saw.
    FollowForcePush,
}

/// What the replies of a deleted root say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostRoots {
    /// That they answer something.
    StayReplies,
    /// Nothing: the link is null.
    LookLikeRoots,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// In the repository.
    pub role: Permission,
    /// Whether the account still stands.
    pub standing: Standing,
}

/// Whether an account still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Active,
    /// It was deleted: it shows as nobody.
    Ghost,
}

/// How far a token's permission goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Not at all.
    None,
    /// Reading.
    Read,
    /// Writing.
    Write,
}

/// A job's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Whom it writes as.
    pub account: Account,
    /// `pull-requests:`.
    pub pull_requests: Access,
    /// `contents:`.
    pub contents: Access,
}

/// A pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    /// Who made it.
    pub author: Account,
    /// Open, closed, merged.
    pub state: PullState,
    /// Its tip.
    pub head: Sha,
    /// The tip it goes to.
    pub base: Sha,
    /// The branch it goes to.
    pub base_ref: String,
    /// Its own commits, and what its diff shows at each.
    pub commits: BTreeMap<Sha, Hunks>,
    /// Oldest first.
    pub threads: Vec<Thread>,
    /// Oldest first.
    pub reviews: Vec<Review>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its node id.
    pub id: ThreadId,
    /// Of the root comment, when it was made.
    pub path: RepoPath,
    /// Where it was made.
    pub original_line: u32,
    /// First line, when it has several.
    pub original_start: Option<u32>,
    /// Where it was made.
    pub original_commit: Sha,
    /// Its line at the head; `None` when outdated.
    pub line: Option<u32>,
    /// The last head that showed it.
    pub commit: Sha,
    /// Nobody while it is open.
    pub resolved_by: Option<Account>,
    /// Every resolve and un-resolve, oldest first.
    pub history: Vec<Turn>,
    /// Oldest first.
    pub comments: Vec<Comment>,
}

/// Somebody resolved or un-resolved a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// When.
    pub at: u64,
    /// Who.
    pub by: Account,
    /// What it is since then.
    pub to: Resolution,
}

/// Open or resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Open.
    Open,
    /// Resolved.
    Resolved,
}

/// A review comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// REST id.
    pub id: CommentId,
    /// Who wrote it.
    pub author: Account,
    /// Its text.
    pub body: String,
    /// Seconds since 1970.
    pub created: u64,
    /// The last edit.
    pub edited: Option<u64>,
    /// The review that brought it.
    pub review: ReviewId,
    /// The root it answers.
    pub reply_to: Option<CommentId>,
    /// Whether somebody hid it.
    pub shown: Shown,
}

/// Whether a comment is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It is not.
    Whole,
    /// It is; the API shows it all the same.
    Minimized,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// REST id.
    pub id: ReviewId,
    /// Who wrote it.
    pub author: Account,
    /// Its text.
    pub body: String,
    /// Its event, or that it is a draft.
    pub state: ReviewState,
    /// The commit it shows.
    pub commit: Sha,
    /// `None` while a draft.
    pub submitted: Option<u64>,
}

impl GitHub {
    /// An empty repository; `users` are logins (`name[bot]` for bots) with their roles.
    pub fn new(users: &[(&str, Permission)]) -> Self {
        let user = |(login, role): &(&str, Permission)| {
            (Account::from_login(login), User { role: *role, standing: Standing::Active })
        };
        Self {
            clock: START,
            users: users.iter().map(user).collect(),
            tokens: BTreeMap::new(),
            pulls: BTreeMap::new(),
            forgotten: BTreeSet::new(),
            body_limit: 65_536,
            review_commits: ReviewCommits::Stay,
            lost_roots: LostRoots::StayReplies,
            next: NextIds { thread: 1, comment: 5_400_000_000, review: 6_400_000_000 },
        }
    }

    /// Makes a token.
    pub fn token(&mut self, secret: &str, login: &str, pull_requests: Access, contents: Access) {
        let account = Account::from_login(login);
        self.tokens.insert(secret.to_owned(), Token { account, pull_requests, contents });
    }

    /// Opens a pull request against `main`.
    pub fn open(&mut self, number: u64, author: &str, base: &Sha, head: &Sha, code: &dyn Code) {
        let pull = Pull {
            author: Account::from_login(author),
            state: PullState::Open,
            head: head.clone(),
            base: base.clone(),
            base_ref: "main".to_owned(),
            commits: shown_commits(code, base, head),
            threads: Vec::new(),
            reviews: Vec::new(),
        };
        self.pulls.insert(PrNumber(number), pull);
    }

    /// A pull request of the test's own making.
    ///
    /// # Panics
    /// When there is none of that number.
    pub fn pull(&self, number: u64) -> &Pull {
        self.pulls.get(&PrNumber(number)).expect("no such pull request")
    }

    /// What an account may do: nothing when unknown, deleted or a bot.
    pub fn role(&self, account: &Account) -> Permission {
        match self.users.get(account) {
            Some(User { role, standing: Standing::Active }) => *role,
            Some(User { standing: Standing::Ghost, .. }) | None => Permission::None,
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

impl Pull {
    /// A thread by its root's or any comment's text.
    ///
    /// # Panics
    /// When no comment holds it.
    pub fn thread_with(&self, text: &str) -> &Thread {
        let holds = |thread: &&Thread| thread.comments.iter().any(|c| c.body.contains(text));
        self.threads.iter().find(holds).expect("no comment holds that text")
    }

    /// The draft of an account, if it has one.
    pub fn draft_of(&self, account: &Account) -> Option<&Review> {
        let theirs = |r: &&Review| r.author == *account && r.state == ReviewState::Pending;
        self.reviews.iter().find(theirs)
    }
}

/// Every commit of a pull request with what its diff shows there.
pub(crate) fn shown_commits(code: &dyn Code, base: &Sha, head: &Sha) -> BTreeMap<Sha, Hunks> {
    code.commits(base, head)
        .into_iter()
        .map(|commit| {
            let hunks = code.hunks(base, &commit);
            (commit, hunks)
        })
        .collect()
}
