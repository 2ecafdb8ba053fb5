//! Phase A: what did we, and others, say before, and what became of it (spec 20 §1).

use std::collections::{BTreeMap, BTreeSet};

use crate::footer::{Footer, HiddenLine, Marker, ReplyKind};
use crate::ids::{Account, AgentName, CommentId, NodeId, RepoPath, ReviewId, Sha, ThreadId};
use crate::key::{FindingKey, KeyPrefix, SiteKey, Twin};
use crate::maintainers::Maintainers;
use crate::metadata;
use crate::model::{
    Comment, LiveEntry, Metadata, Note, Review, ReviewState, Snapshot, Tag, Thread, Trust,
};
use crate::render::comment::visible_tag;

/// Whose words count for what (spec 10 §3, 40 §5).
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// How footers are spelled.
    pub marker: Marker,
    /// Whose footers count.
    pub trust: Trust,
    /// Whose resolve is a ruling.
    pub maintainers: Maintainers,
}

/// The facts of 20 §1 about a thread, as one agent sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Facts {
    /// Somebody resolved it.
    pub resolved: bool,
    /// … and that was a core maintainer.
    pub resolved_by_maintainer: bool,
    /// An own `resolution` reply is in it.
    pub fixed_by_us: bool,
    /// Somebody who is neither trusted nor a maintainer answered.
    pub has_contributor_replies: bool,
    /// A human was called already, or the last word of the contributor is answered.
    pub has_prior_disagreement_reply: bool,
    /// This agent concurred in it.
    pub has_own_concurrence_reply: bool,
    /// The summary closed it in favour of another thread.
    pub closed_as_duplicate: bool,
    /// Its commit is gone.
    pub orphaned: bool,
    /// An own `superseded` reply is in it: its finding was posted afresh elsewhere.
    pub superseded: bool,
}

/// The key a prior finding is known by: whole from a footer, its beginning from the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KnownKey {
    /// From a footer.
    Whole(FindingKey),
    /// From the metadata: the footer is gone, or there never was a comment.
    Prefix(KeyPrefix),
}

impl KnownKey {
    /// Whether this names that finding.
    pub fn names(&self, key: &FindingKey) -> bool {
        match self {
            Self::Whole(whole) => whole == key,
            Self::Prefix(prefix) => *prefix == key.prefix(),
        }
    }

    /// Its first 16 digits.
    pub fn prefix(&self) -> KeyPrefix {
        match self {
            Self::Whole(whole) => whole.prefix(),
            Self::Prefix(prefix) => *prefix,
        }
    }
}

/// Where a prior finding was when it was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSeen {
    /// On which commit; `None`: not known any more.
    pub commit: Option<Sha>,
    /// In which file there.
    pub path: RepoPath,
    /// On which line there; `None`: about the whole file.
    pub line: Option<u32>,
}

/// Where a prior finding is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// On a thread of this agent's own.
    Own(ThreadRef),
    /// On another agent's thread, by a concurrence.
    Shared(ThreadRef),
    /// In the metadata's notes.
    Note(Note),
}

/// A thread as decisions name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRef {
    /// Which thread.
    pub id: ThreadId,
    /// Its root comment.
    pub root: CommentId,
    /// Its root comment, for GraphQL.
    pub root_node: NodeId,
    /// The root comment's page.
    pub url: String,
    /// The root comment's text, when the token wrote it and may edit it.
    pub editable_body: Option<String>,
    /// The agents that speak in it: root first, then concurrences.
    pub agents: Vec<AgentName>,
    /// Those of them that said "Fixed in".
    pub satisfied: BTreeSet<AgentName>,
    /// The file that the root comment stands on.
    pub path: RepoPath,
    /// Of the last own `Fixed in` reply.
    pub fixed_in: Option<String>,
    /// An improper-resolution reply stands after the contributor's last word.
    pub told_improper: bool,
    /// Whether GitHub lets the token un-resolve it.
    pub can_unresolve: bool,
    /// Whether GitHub lets the token resolve it.
    pub can_resolve: bool,
}

/// A finding that this agent said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prior {
    /// Where it is told.
    pub home: Home,
    /// All names it went by, oldest first; empty when its footer is lost.
    pub keys: Vec<KnownKey>,
    /// Its place, as its footer names it.
    pub site: Option<SiteKey>,
    /// Its class and twin number; `None`: written by a program that does not say.
    pub class: Option<Twin>,
    /// Its symbol, when known.
    pub symbol: Option<String>,
    /// Its weight, in this agent's words.
    pub tag: Tag,
    /// Its title, untrusted.
    pub title: String,
    /// When it was made; notes come first.
    pub created_at: String,
    /// See [`LastSeen`].
    pub last: LastSeen,
    /// Whether it was there at the last reviewed head (in the metadata's `live`).
    pub was_live: bool,
    /// See [`Facts`]; of a note: `resolved` when settled.
    pub facts: Facts,
    /// Whether no newer thread carries one of its keys.
    pub newest: bool,
}

impl Prior {
    /// The thread it is told on.
    pub fn thread(&self) -> Option<&ThreadRef> {
        match &self.home {
            Home::Own(thread) | Home::Shared(thread) => Some(thread),
            Home::Note(_) => None,
        }
    }

    /// Whether the comment lost its footer, so that only its id says that it is ours.
    pub fn is_nameless(&self) -> bool {
        !self.keys.iter().any(|key| matches!(key, KnownKey::Whole(_)))
            && matches!(self.home, Home::Own(_))
    }
}

/// Another agent's thread, for concurrence (spec 20 §3, row 13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthersThread {
    /// Which.
    pub thread: ThreadRef,
    /// Whose.
    pub agent: AgentName,
    /// About what place.
    pub site: SiteKey,
    /// What class.
    pub class: Option<Twin>,
    /// How it weighs there.
    pub tag: Tag,
    /// See [`Facts`].
    pub facts: Facts,
}

/// Something about the pull request that people should know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// A footer in a comment by somebody who is not trusted.
    ForgedFooter {
        /// Who; `None`: a deleted account.
        by: Option<Account>,
        /// The comment's page.
        url: String,
    },
    /// A metadata review that cannot be read.
    BrokenMetadata {
        /// Its page.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The metadata review an agent goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorMetadata {
    /// REST id, to update it.
    pub review: ReviewId,
    /// GraphQL id, to look at it again.
    pub node: NodeId,
    /// What it says.
    pub metadata: Metadata,
    /// The head that was last analysed: from the state, else the review's commit.
    pub reviewed_head: Option<Sha>,
}

/// What one agent knows before it looks at the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// Whose inventory.
    pub agent: AgentName,
    /// Every finding it said, oldest first.
    pub priors: Vec<Prior>,
    /// Other agents' threads by place.
    pub others: BTreeMap<SiteKey, Vec<OthersThread>>,
    /// `None`: this is its first run.
    pub metadata: Option<PriorMetadata>,
    /// See [`Oddity`].
    pub oddities: BTreeSet<Oddity>,
}

impl Inventory {
    /// Reads one agent's past from the pull request.
    pub fn take(agent: &AgentName, snapshot: &Snapshot, beliefs: &Beliefs) -> Self {
        let mut oddities = BTreeSet::new();
        let metadata = find_metadata(agent, &snapshot.reviews, beliefs, &mut oddities);
        let mut priors = Vec::new();
        let mut others: BTreeMap<SiteKey, Vec<OthersThread>> = BTreeMap::new();
        for thread in &snapshot.threads {
            note_forgeries(thread, beliefs, &mut oddities);
            let reader = Reader { agent, beliefs, thread, metadata: metadata.as_ref() };
            match reader.read() {
                Reading::Mine(prior) => priors.push(*prior),
                Reading::Theirs(other, mine) => {
                    priors.extend(mine.map(|prior| *prior));
                    others.entry(other.site).or_default().push(*other);
                }
                Reading::Nobodys => {}
            }
        }
        let notes = metadata.iter().flat_map(|prior| {
            let head = prior.reviewed_head.as_ref();
            prior.metadata.state.notes.iter().filter_map(move |note| note_as_prior(note, head))
        });
        priors.extend(notes);
        priors.sort_by(|a, b| a.created_at.cmp(&b.created_at));
        mark_newest(&mut priors);
        Self { agent: agent.clone(), priors, others, metadata, oddities }
    }

    /// The head that the last run of this agent analysed.
    pub fn reviewed_head(&self) -> Option<&Sha> {
        self.metadata.as_ref().and_then(|prior| prior.reviewed_head.as_ref())
    }

    /// The head that this run's scope begins at: the last reviewed one, and on a second run on the
    /// same head the one before, so that running again finds nothing more (spec 80 §2, item 6).
    pub fn scope_from(&self, head: &Sha) -> Option<&Sha> {
        match self.reviewed_head() {
            Some(last) if last == head => {
                self.metadata.as_ref().and_then(|prior| prior.metadata.state.scoped_from.as_ref())
            }
            last => last,
        }
    }

    /// The commits that prior findings must be mapped from (spec 20 §4, step 1).
    pub fn commits_to_map(&self) -> BTreeSet<Sha> {
        self.priors.iter().filter_map(|prior| prior.last.commit.clone()).collect()
    }

    /// Threads whose un-resolve was refused on an earlier run.
    pub fn unresolve_refused(&self) -> &[ThreadId] {
        self.metadata.as_ref().map_or(&[], |prior| &prior.metadata.state.unresolve_refused)
    }
}

/// Accounts whose word may matter as a maintainer's: whoever resolved a thread that a trusted
/// identity began, and whoever answered in one that is open and where no human was called yet.
/// The shell asks what they may do before the inventory is taken.
pub fn people_to_judge(snapshot: &Snapshot, trust: &Trust, marker: &Marker) -> BTreeSet<Account> {
    let mut people = BTreeSet::new();
    for thread in &snapshot.threads {
        let Some(root) = thread.root().filter(|root| trust.trusts(root.author.as_ref())) else {
            continue;
        };
        if Footer::parse_all(&root.body, marker).is_empty() {
            continue;
        }
        if thread.resolved {
            people.extend(thread.resolved_by.clone());
            continue;
        }
        let called = thread
            .replies()
            .filter(|reply| trust.trusts(reply.author.as_ref()))
            .flat_map(|reply| Footer::parse_all(&reply.body, marker))
            .any(|footer| footer.kind == Some(ReplyKind::Disagreement));
        if !called {
            people.extend(thread.replies().filter_map(|reply| reply.author.clone()));
        }
    }
    people.retain(|account| !trust.trusts(Some(account)));
    people
}

/// The commits that our own threads and metadata speak of, so that lines can be mapped from them.
/// What a stranger wrote names none: it would be fetched.
pub fn earlier_heads(snapshot: &Snapshot, trust: &Trust, marker: &Marker) -> Vec<Sha> {
    let ours = |author: Option<&Account>| trust.trusts(author);
    let threads = snapshot
        .threads
        .iter()
        .filter(|thread| thread.root().is_some_and(|root| ours(root.author.as_ref())))
        .filter_map(|thread| thread.original_commit.clone());
    let metadata = snapshot
        .reviews
        .iter()
        .filter(|review| ours(review.author.as_ref()))
        .filter_map(|review| metadata::parse(&review.body, marker).ok())
        .flat_map(|read| read.reviewed_head.into_iter().chain(read.state.scoped_from));
    threads.chain(metadata).collect::<BTreeSet<Sha>>().into_iter().collect()
}

fn find_metadata(
    agent: &AgentName,
    reviews: &[Review],
    beliefs: &Beliefs,
    oddities: &mut BTreeSet<Oddity>,
) -> Option<PriorMetadata> {
    let mut found: Vec<(&Review, Metadata)> = Vec::new();
    for review in reviews {
        let named = metadata::agent_of(&review.body, &beliefs.marker);
        if named.as_ref() != Some(agent) || review.state == ReviewState::Pending {
            continue;
        }
        if !beliefs.trust.trusts(review.author.as_ref()) {
            oddities.insert(Oddity::ForgedFooter {
                by: review.author.clone(),
                url: review.url.clone(),
            });
            continue;
        }
        match metadata::parse(&review.body, &beliefs.marker) {
            Ok(metadata) => found.push((review, metadata)),
            Err(reason) => {
                oddities.insert(Oddity::BrokenMetadata {
                    url: review.url.clone(),
                    reason: reason.to_string(),
                });
            }
        }
    }
    let newest = found
        .into_iter()
        .max_by_key(|(review, metadata)| (review.submitted_at.clone(), metadata.run, review.id));
    newest.map(|(review, metadata)| PriorMetadata {
        review: review.id,
        node: review.node.clone(),
        reviewed_head: metadata.reviewed_head.clone().or_else(|| review.commit.clone()),
        metadata,
    })
}

fn note_forgeries(thread: &Thread, beliefs: &Beliefs, oddities: &mut BTreeSet<Oddity>) {
    for comment in &thread.comments {
        if beliefs.trust.trusts(comment.author.as_ref()) {
            continue;
        }
        if !Footer::parse_all(&comment.body, &beliefs.marker).is_empty() {
            oddities.insert(Oddity::ForgedFooter {
                by: comment.author.clone(),
                url: comment.url.clone(),
            });
        }
    }
}

fn note_as_prior(note: &Note, head: Option<&Sha>) -> Option<Prior> {
    let settled = match note.state {
        crate::model::NoteState::Open => false,
        crate::model::NoteState::Settled => true,
    };
    // A settled note has no place any more: it only counts, and its name stays taken.
    let path = match &note.path {
        Some(path) => path.clone(),
        None if settled => RepoPath::new("-").ok()?,
        None => return None,
    };
    Some(Prior {
        keys: vec![KnownKey::Prefix(note.key)],
        site: None,
        class: note.class.as_deref().map(Twin::parse),
        symbol: note.symbol.clone(),
        tag: note.tag.unwrap_or(Tag::FutureWork),
        title: note.title.clone().unwrap_or_default(),
        created_at: String::new(),
        last: LastSeen { commit: head.cloned(), path, line: note.line },
        was_live: !settled,
        facts: Facts { resolved: settled, fixed_by_us: settled, ..Facts::default() },
        newest: true,
        home: Home::Note(note.clone()),
    })
}

/// Of several threads with a common key the last is the finding's home, the others only count.
fn mark_newest(priors: &mut [Prior]) {
    let mut taken: BTreeSet<KeyPrefix> = BTreeSet::new();
    for prior in priors.iter_mut().rev() {
        let names: Vec<KeyPrefix> = prior.keys.iter().map(KnownKey::prefix).collect();
        prior.newest = !names.iter().any(|name| taken.contains(name));
        if !prior.facts.superseded {
            taken.extend(names);
        }
    }
}

enum Reading {
    Mine(Box<Prior>),
    Theirs(Box<OthersThread>, Option<Box<Prior>>),
    Nobodys,
}

/// Reads one thread with one agent's eyes.
struct Reader<'a> {
    agent: &'a AgentName,
    beliefs: &'a Beliefs,
    thread: &'a Thread,
    metadata: Option<&'a PriorMetadata>,
}

impl Reader<'_> {
    fn read(&self) -> Reading {
        let Some(root) = self.thread.root() else { return Reading::Nobodys };
        if !self.beliefs.trust.trusts(root.author.as_ref()) {
            return Reading::Nobodys;
        }
        let footers: Vec<Footer> = Footer::parse_all(&root.body, &self.beliefs.marker)
            .into_iter()
            .filter(|footer| footer.kind.is_none())
            .collect();
        let Some(first) = footers.first() else { return self.read_nameless(root) };
        let hidden = HiddenLine::parse(&root.body).unwrap_or_default();
        if first.agent == *self.agent {
            let keys = footers
                .iter()
                .filter(|footer| footer.agent == *self.agent)
                .map(|footer| KnownKey::Whole(footer.key))
                .collect();
            return Reading::Mine(Box::new(self.prior(root, keys, &hidden, Home::Own)));
        }
        let mine = self.concurrence(root);
        let Some(site) = footers.iter().rev().find_map(|footer| footer.site) else {
            return Reading::Nobodys;
        };
        let other = OthersThread {
            thread: self.thread_ref(root, &first.agent),
            agent: first.agent.clone(),
            site,
            class: hidden.class.as_deref().map(Twin::parse),
            tag: hidden.tag.or_else(|| visible_tag(&root.body)).unwrap_or(Tag::CouldFix),
            facts: self.facts(root),
        };
        Reading::Theirs(Box::new(other), mine.map(Box::new))
    }

    /// A comment of ours whose footer somebody removed: known by its id from the metadata, or
    /// by the metadata review it hangs on (spec 10 §3, 20 §6).
    fn read_nameless(&self, root: &Comment) -> Reading {
        let Some(metadata) = self.metadata else { return Reading::Nobodys };
        let live = self.live(root);
        let hangs_on_metadata = root.review == Some(metadata.review);
        if live.is_none() && !hangs_on_metadata {
            return Reading::Nobodys;
        }
        let keys = live.iter().map(|entry| KnownKey::Prefix(entry.key)).collect();
        let hidden = HiddenLine::parse(&root.body).unwrap_or_default();
        Reading::Mine(Box::new(self.prior(root, keys, &hidden, Home::Own)))
    }

    /// This agent's concurrence on somebody else's thread, as a prior finding of its own.
    fn concurrence(&self, root: &Comment) -> Option<Prior> {
        let (reply, footer) = self.own_replies(ReplyKind::Concurrence).last()?;
        let hidden = HiddenLine::parse(&reply.body).unwrap_or_default();
        let keys = vec![KnownKey::Whole(footer.key)];
        Some(self.prior(root, keys, &hidden, Home::Shared))
    }

    fn prior(
        &self,
        root: &Comment,
        keys: Vec<KnownKey>,
        hidden: &HiddenLine,
        home: fn(ThreadRef) -> Home,
    ) -> Prior {
        let live = self.live(root);
        let reviewed = self.metadata.and_then(|metadata| metadata.reviewed_head.clone());
        let last = match live {
            Some(entry) => LastSeen {
                commit: reviewed,
                path: entry.path.clone().unwrap_or_else(|| self.thread.path.clone()),
                line: entry.line,
            },
            None => LastSeen {
                commit: self.thread.original_commit.clone(),
                path: self.thread.path.clone(),
                line: match hidden.lines {
                    Some(lines) => Some(lines.first),
                    // Written by rereview without lines: about the whole file.
                    None if hidden.class.is_some() => None,
                    None => self.thread.original_line,
                },
            },
        };
        let footers = Footer::parse_all(&root.body, &self.beliefs.marker);
        let site = footers.iter().find_map(|footer| footer.site);
        let first = footers.into_iter().next();
        let owner = first.map_or_else(|| self.agent.clone(), |footer| footer.agent);
        Prior {
            home: home(self.thread_ref(root, &owner)),
            keys,
            site,
            class: hidden.class.as_deref().map(Twin::parse),
            symbol: hidden.symbol.clone(),
            tag: hidden.tag.or_else(|| visible_tag(&root.body)).unwrap_or(Tag::CouldFix),
            title: crate::render::comment::visible_title(&root.body).unwrap_or_default(),
            created_at: root.created_at.clone(),
            last,
            was_live: live.is_some(),
            facts: self.facts(root),
            newest: true,
        }
    }

    fn live(&self, root: &Comment) -> Option<&LiveEntry> {
        self.metadata?.metadata.state.live.iter().find(|entry| entry.comment == root.id)
    }

    fn thread_ref(&self, root: &Comment, owner: &AgentName) -> ThreadRef {
        let mut agents = vec![owner.clone()];
        let mut satisfied = BTreeSet::new();
        for (_, footer) in self.trusted_replies() {
            match footer.kind {
                Some(ReplyKind::Concurrence) if !agents.contains(&footer.agent) => {
                    agents.push(footer.agent.clone());
                }
                Some(ReplyKind::Resolution) => {
                    satisfied.insert(footer.agent.clone());
                }
                Some(_) | None => {}
            }
        }
        let fixed_in = self
            .own_replies(ReplyKind::Resolution)
            .last()
            .and_then(|(reply, _)| crate::render::reply::fixed_in(&reply.body));
        ThreadRef {
            id: self.thread.id.clone(),
            root: root.id,
            root_node: root.node.clone(),
            url: root.url.clone(),
            editable_body: self
                .beliefs
                .trust
                .is_viewer(root.author.as_ref())
                .then(|| root.body.clone()),
            agents,
            satisfied,
            path: self.thread.path.clone(),
            fixed_in,
            told_improper: self.told_improper(),
            can_unresolve: self.thread.viewer_can_unresolve,
            can_resolve: self.thread.viewer_can_resolve,
        }
    }

    fn facts(&self, root: &Comment) -> Facts {
        let thread = self.thread;
        let by_maintainer = thread
            .resolved_by
            .as_ref()
            .is_some_and(|account| self.beliefs.maintainers.rules(account, &thread.path));
        let any = |kind| self.trusted_replies().any(|(_, footer)| footer.kind == Some(kind));
        let own = |kind| self.own_replies(kind).next().is_some();
        Facts {
            resolved: thread.resolved,
            resolved_by_maintainer: thread.resolved && by_maintainer,
            fixed_by_us: own(ReplyKind::Resolution),
            has_contributor_replies: self.contributor_replies(root).next().is_some(),
            has_prior_disagreement_reply: any(ReplyKind::Disagreement) || self.told_improper(),
            has_own_concurrence_reply: own(ReplyKind::Concurrence),
            closed_as_duplicate: any(ReplyKind::DuplicateClose),
            orphaned: thread.commit.is_none() && thread.original_commit.is_none(),
            superseded: any(ReplyKind::Superseded),
        }
    }

    /// An improper-resolution reply newer than the contributor's last comment has answered it.
    fn told_improper(&self) -> bool {
        let position = |comment: &Comment| {
            self.thread.comments.iter().position(|other| other.id == comment.id)
        };
        let told = self
            .trusted_replies()
            .filter(|(_, footer)| footer.kind == Some(ReplyKind::ImproperResolution))
            .filter_map(|(reply, _)| position(reply))
            .max();
        let said = self
            .thread
            .root()
            .and_then(|root| self.contributor_replies(root).filter_map(position).max());
        told.is_some() && told > said
    }

    fn contributor_replies(&self, root: &Comment) -> impl Iterator<Item = &Comment> {
        let root = root.id;
        self.thread.comments.iter().filter(move |comment| {
            let author = comment.author.as_ref();
            comment.id != root
                && !self.beliefs.trust.trusts(author)
                && !author
                    .is_some_and(|author| self.beliefs.maintainers.rules(author, &self.thread.path))
        })
    }

    fn trusted_replies(&self) -> impl Iterator<Item = (&Comment, Footer)> {
        self.thread
            .replies()
            .filter(|reply| self.beliefs.trust.trusts(reply.author.as_ref()))
            .flat_map(|reply| {
                let footers = Footer::parse_all(&reply.body, &self.beliefs.marker);
                footers.into_iter().filter(|f| f.kind.is_some()).map(move |footer| (reply, footer))
            })
    }

    fn own_replies(&self, kind: ReplyKind) -> impl Iterator<Item = (&Comment, Footer)> {
        self.trusted_replies()
            .filter(move |(_, footer)| footer.kind == Some(kind) && footer.agent == *self.agent)
    }
}
