//! What goes wrong between the run and GitHub: a plan of faults, and a log of every request.

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Everything.
    Read,
    /// The head and a few bodies.
    Glance,
    /// What an account may do.
    Permission,
    /// Where comments are taken.
    ShownLines,
    /// Replies, resolves, un-resolves.
    WriteThreads,
    /// A review.
    SubmitReview,
    /// A review's new body.
    UpdateReview,
    /// A comment's new text.
    EditComment,
    /// Away with a draft.
    DeletePendingReview,
}

impl Kind {
    /// Whether it changes something.
    pub fn is_write(self) -> bool {
        match self {
            Self::Read | Self::Glance | Self::Permission | Self::ShownLines => false,
            Self::WriteThreads
            | Self::SubmitReview
            | Self::UpdateReview
            | Self::EditComment
            | Self::DeletePendingReview => true,
        }
    }
}

/// How much of a write took effect all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The first so many steps of a batch (a reply and a change are a step each); all of
    /// a write that is one step.
    Steps(usize),
    /// All of it.
    Everything,
}

/// What happens to a request. A read takes effect nowhere: what is dropped is unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A definite no (403), of every step of a batch.
    Refused,
    /// No answer comes.
    Dropped(Effect),
    /// It never goes out.
    Unavailable,
    /// The limit is used up.
    RateLimited {
        /// Until it ends.
        seconds: u64,
    },
    /// The process ends here; every later request fails until a restart.
    Killed(Effect),
}

/// Which request a fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// By its index in the log, from 0.
    Request(usize),
    /// The n-th of a kind, from 0.
    Nth(Kind, usize),
    /// The n-th that changes something, from 0.
    Write(usize),
}

/// A request that went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it asked for.
    pub kind: Kind,
    /// For people and assertions: "2 comments on head 1a2b3c", "resolve PRRT_1".
    pub summary: String,
    /// What happened to it.
    pub fault: Option<Fault>,
}

/// The way to GitHub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    plan: Vec<(When, Fault)>,
    log: Vec<Request>,
    life: Life,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Alive,
    Killed,
}

/// The process is dead: nothing goes out any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dead;

impl Wire {
    /// A fresh way with faults on it.
    pub fn new(plan: Vec<(When, Fault)>) -> Self {
        Self { plan, ..Self::default() }
    }

    /// Everything that went out, in order.
    pub fn log(&self) -> &[Request] {
        &self.log
    }

    /// How many requests read.
    pub fn reads(&self) -> usize {
        self.log.iter().filter(|request| !request.kind.is_write()).count()
    }

    /// How many requests wrote.
    pub fn writes(&self) -> usize {
        self.log.iter().filter(|request| request.kind.is_write()).count()
    }

    /// How many requests of a kind there were.
    pub fn count(&self, kind: Kind) -> usize {
        self.log.iter().filter(|request| request.kind == kind).count()
    }

    /// Sends a request: into the log, with the first fault of the plan that hits it.
    pub(crate) fn send(&mut self, kind: Kind, summary: String) -> Result<Option<Fault>, Dead> {
        match self.life {
            Life::Alive => {}
            Life::Killed => return Err(Dead),
        }
        let hit = |when: When| match when {
            When::Request(n) => self.log.len() == n,
            When::Nth(of, n) => kind == of && self.count(of) == n,
            When::Write(n) => kind.is_write() && self.writes() == n,
        };
        let fault = self.plan.iter().find(|(when, _)| hit(*when)).map(|(_, fault)| *fault);
        if let Some(Fault::Killed(_)) = fault {
            self.life = Life::Killed;
        }
        self.log.push(Request { kind, summary, fault });
        Ok(fault)
    }
}
