//! Phase C: one action per finding (spec 20 §3). A pure function of phases A and B.

mod names;
mod table;

use std::collections::{BTreeMap, BTreeSet};

pub use names::Names;
pub use table::{Age, Closing, NewFacts, Presence, Row, Situation, ThreadFacts, row_of};

use crate::ids::{FindingClass, RepoPath, ThreadId};
use crate::inventory::{Home, Inventory, Prior};
use crate::key::{FILE_SYMBOL, FindingKey, Twin};
use crate::maintainers::Maintainers;
use crate::matching::Matches;
use crate::model::{Agent, CommitMaps, Finding, IdentityRule, NoteReason, Place, Tag, TreeFacts};
use crate::scope::Analysis;

/// Which classes of different agents name one issue (the config's `equivalent-classes`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equivalence(pub Vec<BTreeSet<FindingClass>>);

impl Equivalence {
    /// Whether both classes name the same issue; in doubt they do not.
    pub fn same_issue(&self, a: &FindingClass, b: &FindingClass) -> bool {
        a == b || self.0.iter().any(|group| group.contains(a) && group.contains(b))
    }
}

/// What is decided beyond the facts.
#[derive(Clone, Debug)]
pub struct Policy {
    /// See [`Equivalence`].
    pub equivalence: Equivalence,
    /// Most new comments per agent and run; the rest become notes (spec 30).
    pub max_new_comments: usize,
}

/// How a new comment introduces its finding (spec 10 §5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nobody said it before.
    Fresh,
    /// A follow-up to the thread at this address.
    FollowUp {
        /// The prior thread's page.
        to: String,
    },
    /// It was resolved on a commit and is here again.
    Reintroduced {
        /// As our `Fixed in` reply names it; `None`: not known any more.
        fixed_in: Option<String>,
    },
}

/// Where a finding is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// By an inline comment.
    Comment,
    /// By a line in the summary.
    Note(NoteReason),
}

/// What is done about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    /// A new finding is told.
    Post {
        /// See [`Form`].
        form: Form,
        /// See [`Telling`].
        telling: Telling,
    },
    /// Un-resolve, and say why unless that was said already.
    Reopen {
        /// Whether the reply was given on an earlier run.
        said: Said,
    },
    /// Posted afresh, then the old thread points there and is closed.
    Repost,
    /// A newer thread of the key is there: the old one points to it and is closed.
    PointToNewer {
        /// The newer thread's page.
        to: String,
    },
    /// One reply that calls a human.
    Escalate,
    /// `Fixed in`, and resolve.
    Close {
        /// See [`Closer`].
        closer: Closer,
    },
    /// Resolve only: the reply is there.
    CloseAgain {
        /// See [`Closer`].
        closer: Closer,
    },
    /// The note's finding went away.
    SettleNote,
    /// One reply on another agent's thread.
    Concur {
        /// Which.
        thread: ThreadId,
        /// The tag it has there.
        their_tag: Tag,
    },
    /// Outside this run's scope: counted nowhere.
    Drop,
}

/// Whether the improper-resolution reply is still to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It is.
    NotYet,
    /// An earlier run gave it and could not un-resolve: only that is tried again, silently.
    Already,
}

/// Whether this agent is the last on a thread to be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closer {
    /// All others are: it resolves the thread.
    Last,
    /// Others still flag it: the thread stays open.
    NotLast,
}

/// One row of the table, met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which row.
    pub row: Row,
    /// Index into [`Inventory::priors`].
    pub prior: Option<usize>,
    /// Index into [`Analysis::findings`].
    pub finding: Option<usize>,
    /// What is done.
    pub act: Act,
    /// The finding's name from now on; set whenever there is a finding that is told.
    pub name: Option<(FindingKey, Twin)>,
    /// Whether the thread's comment gets the name as a further footer (spec 20 §4).
    pub rename: bool,
}

/// Everything phase C looks at.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// Who decides.
    pub agent: &'a Agent,
    /// Phase A.
    pub inventory: &'a Inventory,
    /// Phase B.
    pub analysis: &'a Analysis,
    /// The trees.
    pub trees: &'a TreeFacts,
    /// From earlier heads to this one.
    pub maps: &'a CommitMaps,
    /// Which finding is which prior.
    pub matches: &'a Matches,
    /// The rest.
    pub policy: &'a Policy,
    /// Who is called.
    pub maintainers: &'a Maintainers,
}

/// Decides about every prior and every finding.
pub fn decide(case: &Case<'_>) -> Vec<Decision> {
    let mut names = Names::new(case.agent, case.inventory);
    let mut decisions: Vec<Decision> =
        (0..case.inventory.priors.len()).map(|at| case.about_prior(at, &mut names)).collect();
    let gone = case.neighbours_that_went_away(&decisions);
    let mut concurred: BTreeSet<ThreadId> = BTreeSet::new();
    for (at, finding) in case.analysis.findings.iter().enumerate() {
        if case.matches.prior_of(at).is_none() {
            let decision = case.about_new(at, finding, &gone, &mut concurred, &mut names);
            decisions.push(decision);
        }
    }
    case.cap(&mut decisions);
    decisions
}

/// Where a prior went away: file at the head, symbol, class, and the page of its thread.
struct Gone<'a> {
    path: RepoPath,
    symbol: &'a str,
    class: &'a FindingClass,
    url: &'a str,
}

impl<'a> Case<'a> {
    fn about_prior(&self, at: usize, names: &mut Names) -> Decision {
        let prior = &self.inventory.priors[at];
        let finding = self.matches.finding_of(at);
        let presence = self.presence(prior, finding);
        let row = row_of(Situation::Prior(presence, thread_facts(prior)));
        let found = finding.map(|at| &self.analysis.findings[at]);
        let name = found.map(|finding| names.of_known(prior, finding));
        let act = self.act_on_prior(row, prior, found);
        // A ruling follows its finding, so its comment is renamed too.
        let rename = match (&name, &prior.home, self.agent.identity) {
            (Some((key, _)), Home::Own(_) | Home::Shared(_), IdentityRule::Lines) => {
                !matches!(act, Act::Post { .. } | Act::Repost)
                    && !prior.keys.iter().any(|known| known.names(key))
            }
            (_, Home::Own(_) | Home::Shared(_) | Home::Note(_), _) => false,
        };
        Decision { row, prior: Some(at), finding, act, name, rename }
    }

    fn presence(&self, prior: &Prior, finding: Option<usize>) -> Presence {
        if finding.is_some() || self.lives_on_newer(prior) {
            return Presence::Present;
        }
        let diff = prior.last.commit.as_ref().and_then(|commit| self.maps.0.get(commit));
        let file = diff.and_then(|diff| diff.by_old_path(&prior.last.path));
        let deleted = file.is_some_and(|file| file.new_path.is_none());
        let now = file.and_then(|file| file.new_path.as_ref()).unwrap_or(&prior.last.path);
        // Without its footer a comment has no key: its silence proves nothing.
        if prior.is_nameless() {
            Presence::Unknown
        } else if deleted || self.analysis.speaks_for(now, &self.trees.pr) {
            Presence::Absent
        } else {
            Presence::Unknown
        }
    }

    /// An older thread's finding is there when the newest thread of its key has it.
    fn lives_on_newer(&self, prior: &Prior) -> bool {
        !prior.newest && self.newer_home(prior).is_some_and(|(_, found)| found)
    }

    /// The newest thread that shares a key with an older one, and whether its finding is there.
    fn newer_home(&self, older: &Prior) -> Option<(&'a Prior, bool)> {
        self.inventory.priors.iter().enumerate().rev().find_map(|(at, newer)| {
            let shares = newer.newest
                && !newer.facts.superseded
                && newer
                    .keys
                    .iter()
                    .any(|key| older.keys.iter().any(|k| k.prefix() == key.prefix()));
            shares.then(|| (newer, self.matches.finding_of(at).is_some()))
        })
    }

    fn act_on_prior(&self, row: Row, prior: &Prior, found: Option<&Finding>) -> Act {
        let note = match &prior.home {
            Home::Note(_) => true,
            Home::Own(_) | Home::Shared(_) => false,
        };
        match row {
            Row::Duplicate | Row::Adjudicated | Row::StillOpen | Row::Settled | Row::Unknown => {
                Act::Leave
            }
            Row::Reintroduced => {
                let fixed_in = prior.thread().and_then(|thread| thread.fixed_in.clone());
                let form = if note { Form::Fresh } else { Form::Reintroduced { fixed_in } };
                Act::Post { form, telling: telling(found) }
            }
            Row::ImproperlyResolved => {
                let said = prior.thread().is_some_and(|thread| {
                    self.inventory.unresolve_refused().contains(&thread.id)
                        || (thread.told_improper && !thread.can_unresolve)
                });
                Act::Reopen { said: if said { Said::Already } else { Said::NotYet } }
            }
            Row::Superseded => match (prior.newest, self.newer_home(prior)) {
                (false, Some((newer, _))) => match newer.thread() {
                    Some(thread) => Act::PointToNewer { to: thread.url.clone() },
                    None => Act::Leave,
                },
                (true | false, _) => match telling(found) {
                    Telling::Comment => Act::Repost,
                    Telling::Note(_) => Act::Leave,
                },
            },
            Row::Disagreement => Act::Escalate,
            Row::CleanResolution if note => Act::SettleNote,
            Row::CleanResolution => Act::Close { closer: self.closer(prior) },
            Row::ResolveAgain => Act::CloseAgain { closer: self.closer(prior) },
            // Rows of findings without a past.
            Row::IncorrectFix | Row::Concur | Row::New => Act::Leave,
        }
    }

    fn closer(&self, prior: &Prior) -> Closer {
        let others_flag_it = prior.thread().is_some_and(|thread| {
            thread
                .agents
                .iter()
                .any(|agent| *agent != self.agent.name && !thread.satisfied.contains(agent))
        });
        if others_flag_it { Closer::NotLast } else { Closer::Last }
    }

    fn neighbours_that_went_away(&self, decisions: &[Decision]) -> Vec<Gone<'a>> {
        decisions
            .iter()
            .filter_map(|decision| {
                let prior = &self.inventory.priors[decision.prior?];
                let settled_since =
                    decision.row == Row::Settled && prior.was_live && decision.finding.is_none();
                let with_this_push = settled_since
                    || matches!(decision.row, Row::CleanResolution | Row::ResolveAgain);
                if !with_this_push {
                    return None;
                }
                let diff = prior.last.commit.as_ref().and_then(|commit| self.maps.0.get(commit));
                let file = diff.and_then(|diff| diff.by_old_path(&prior.last.path));
                let path = file.and_then(|file| file.new_path.as_ref()).unwrap_or(&prior.last.path);
                Some(Gone {
                    path: path.clone(),
                    symbol: prior.symbol.as_deref()?,
                    class: prior.class.as_ref()?.class(),
                    url: &prior.thread()?.url,
                })
            })
            .collect()
    }

    fn about_new(
        &self,
        at: usize,
        finding: &Finding,
        gone: &[Gone<'_>],
        concurred: &mut BTreeSet<ThreadId>,
        names: &mut Names,
    ) -> Decision {
        let class = &finding.reported.class;
        let neighbour = gone.iter().find(|gone| {
            // Outside any definition "the same symbol" is the whole file: only a line of this
            // push can be its incorrect fix.
            gone.path == finding.reported.path
                && gone.symbol == finding.anchor.symbol
                && gone.class != class
                && (gone.symbol != FILE_SYMBOL || finding.in_delta)
        });
        let out_of_scope = neighbour.is_none() && finding.tag != Tag::MustFix && !finding.in_delta;
        let elsewhere = self.inventory.others.get(&finding.site).into_iter().flatten().find(|o| {
            let same = o
                .class
                .as_ref()
                .is_some_and(|theirs| self.policy.equivalence.same_issue(theirs.class(), class));
            let open = !o.facts.resolved && !o.facts.closed_as_duplicate && !o.facts.superseded;
            let spoken = o.facts.has_own_concurrence_reply || concurred.contains(&o.thread.id);
            same && open && !spoken
        });
        let row = row_of(Situation::New(NewFacts {
            neighbour_went_away: neighbour.is_some(),
            same_issue_elsewhere: elsewhere.is_some(),
        }));
        if out_of_scope {
            return Decision {
                row,
                prior: None,
                finding: Some(at),
                act: Act::Drop,
                name: None,
                rename: false,
            };
        }
        let act = match (row, neighbour, elsewhere) {
            (Row::IncorrectFix, Some(gone), _) => Act::Post {
                form: Form::FollowUp { to: gone.url.to_owned() },
                telling: telling(Some(finding)),
            },
            (Row::Concur, _, Some(other)) => {
                concurred.insert(other.thread.id.clone());
                Act::Concur { thread: other.thread.id.clone(), their_tag: other.tag }
            }
            (_, _, _) => Act::Post { form: Form::Fresh, telling: telling(Some(finding)) },
        };
        let name = Some(names.of_new(finding));
        Decision { row, prior: None, finding: Some(at), act, name, rename: false }
    }

    /// The cap on new comments: must fix first, then by tag and position (spec 30).
    fn cap(&self, decisions: &mut [Decision]) {
        let mut posts: BTreeMap<(Tag, usize), usize> = BTreeMap::new();
        for (at, decision) in decisions.iter().enumerate() {
            let commented =
                matches!(decision.act, Act::Post { telling: Telling::Comment, .. } | Act::Repost);
            if let Some(finding) = decision.finding.filter(|_| commented) {
                // Findings are sorted by position.
                posts.insert((self.analysis.findings[finding].tag, finding), at);
            }
        }
        for at in posts.into_values().skip(self.policy.max_new_comments) {
            let act = &mut decisions[at].act;
            if let Act::Post { telling, .. } = act {
                *telling = Telling::Note(NoteReason::OverTheCap);
            } else {
                // An orphan is posted afresh on a later run.
                *act = Act::Leave;
            }
        }
    }
}

fn telling(found: Option<&Finding>) -> Telling {
    match found.map(|finding| finding.place) {
        Some(Place::Note(reason)) => Telling::Note(reason),
        Some(Place::Inline(_) | Place::ReAnchored { .. } | Place::File { .. }) => Telling::Comment,
        None => Telling::Note(NoteReason::OutsideDiff),
    }
}

fn thread_facts(prior: &Prior) -> ThreadFacts {
    let facts = prior.facts;
    ThreadFacts {
        closing: match (facts.resolved, facts.resolved_by_maintainer) {
            (false, _) => Closing::Open,
            (true, true) => Closing::Maintainer,
            (true, false) => Closing::Other,
        },
        duplicate: facts.closed_as_duplicate,
        fixed_by_us: facts.fixed_by_us,
        orphaned: facts.orphaned,
        age: if prior.newest { Age::Newest } else { Age::Older },
        answered: facts.has_contributor_replies,
        escalated: facts.has_prior_disagreement_reply,
    }
}
