//! The books after a run: columns, outstanding, the six counters, the state (spec 20 §5, §6).

use std::collections::BTreeSet;

use crate::decide::{Act, Decision, Row, Said};
use crate::ids::{RepoPath, Sha, ThreadId};
use crate::inventory::{Home, Inventory, Prior, ThreadRef};
use crate::key::KeyPrefix;
use crate::model::{
    Agent, CiSafety, Counts, Finding, LiveEntry, Metadata, Note, NoteState, RunState, SinceLastRun,
    Tag, Verdict,
};

/// A must-fix finding that stands, for the summary's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outstanding {
    /// What it is about; untrusted.
    pub title: String,
    /// In which file.
    pub path: RepoPath,
    /// On which line; `None`: about the whole file.
    pub line: Option<u32>,
    /// The thread's page; `None`: a note, or not posted.
    pub url: Option<String>,
}

/// A run's books, closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// What the next run reads.
    pub metadata: Metadata,
    /// Why the verdict is No-Go: empty exactly when it is Go.
    pub must_fix: Vec<Outstanding>,
}

/// What the run did, as it turned out.
#[derive(Clone, Debug, Default)]
pub struct Aftermath {
    /// Findings that are told and not in the inventory that is counted: run 1 posts its comments
    /// and its books in one review. Indexes into [`Books::findings`].
    pub posted: Vec<usize>,
    /// Findings that became notes in this run, by index of their decision.
    pub noted: BTreeSet<usize>,
    /// Decisions whose comment did not come about.
    pub not_posted: BTreeSet<usize>,
    /// Threads whose un-resolve was refused in this run.
    pub unresolve_refused: BTreeSet<ThreadId>,
}

/// What the books are made from.
#[derive(Clone, Copy, Debug)]
pub struct Books<'a> {
    /// Whose.
    pub agent: &'a Agent,
    /// As it was when the run decided.
    pub before: &'a Inventory,
    /// As it is now: read again after the writes.
    pub after: &'a Inventory,
    /// What was decided.
    pub decisions: &'a [Decision],
    /// What they are about.
    pub findings: &'a [Finding],
    /// The analysed commit.
    pub head: &'a Sha,
    /// See [`Aftermath`].
    pub aftermath: &'a Aftermath,
}

/// Closes the books of a run.
pub fn close_books(books: &Books<'_>) -> Closed {
    let before = books.before.metadata.as_ref().map(|prior| &prior.metadata);
    let notes = books.notes();
    let shown = books.columns(&notes);
    let mut counts = before.map(|metadata| metadata.counts).unwrap_or_default();
    let resolved_before = counts.total().saturating_sub(counts.outstanding);
    for tag in Tag::ALL {
        let column = counts.column_mut(tag);
        *column = (*column).max(shown.column(tag));
    }
    let resolved = books.resolved(&notes);
    counts.outstanding = counts.total().saturating_sub(resolved);
    let since_last_run = match before {
        None => SinceLastRun { newly_added: books.newly_added(), ..SinceLastRun::default() },
        Some(_) => SinceLastRun {
            resolved: resolved.saturating_sub(resolved_before),
            still_open: books.count(|decision| decision.row == Row::StillOpen),
            newly_added: books.newly_added(),
            incorrect_fix: books
                .count(|d| d.row == Row::IncorrectFix && matches!(d.act, Act::Post { .. })),
            improperly_resolved: books
                .count(|decision| decision.act == Act::Reopen { said: Said::NotYet }),
            disagreements: books.count(|decision| decision.row == Row::Disagreement),
        },
    };
    let must_fix = books.must_fix(&notes);
    let verdict = if must_fix.is_empty() { Verdict::Go } else { Verdict::NoGo };
    let ci_safety = match books.agent.ci_safety {
        CiSafety::NotJudged => None,
        CiSafety::Judged => Some((verdict, rationale(verdict))),
    };
    let metadata = Metadata {
        agent: books.agent.name.clone(),
        counts,
        verdict,
        reviewed_head: Some(books.head.clone()),
        run: before.map_or(1, |metadata| metadata.run.saturating_add(1)),
        since_last_run,
        ci_safety,
        state: RunState {
            live: books.live(),
            unresolve_refused: books.unresolve_refused(),
            scoped_from: books.before.scope_from(books.head).cloned(),
            notes,
        },
        unknown: before.map(|metadata| metadata.unknown.clone()).unwrap_or_default(),
    };
    Closed { metadata, must_fix }
}

fn rationale(verdict: Verdict) -> String {
    match verdict {
        Verdict::Go => "no must-fix finding is outstanding".to_owned(),
        Verdict::NoGo => "a must-fix finding is outstanding".to_owned(),
    }
}

impl Books<'_> {
    fn count(&self, wanted: impl Fn(&Decision) -> bool) -> u32 {
        let count = self.decisions.iter().filter(|decision| wanted(decision)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn newly_added(&self) -> u32 {
        let added = self.decisions.iter().enumerate().filter(|(at, decision)| {
            !self.aftermath.not_posted.contains(at)
                && matches!(decision.act, Act::Post { .. } | Act::Concur { .. })
        });
        u32::try_from(added.count()).unwrap_or(u32::MAX)
    }

    /// Threads of this agent, own and shared, that count: a superseded one's finding counts
    /// where it is told now.
    fn threads(&self) -> impl Iterator<Item = &Prior> {
        self.after
            .priors
            .iter()
            .filter(|prior| !matches!(prior.home, Home::Note(_)) && !prior.facts.superseded)
    }

    fn columns(&self, notes: &[Note]) -> Counts {
        let mut counts = Counts::default();
        let threads = self.threads().map(|prior| prior.tag);
        let posted = self.posted().map(|finding| finding.tag);
        let noted = notes.iter().filter_map(|note| note.tag);
        for tag in threads.chain(posted).chain(noted) {
            let column = counts.column_mut(tag);
            *column = column.saturating_add(1);
        }
        counts
    }

    fn resolved(&self, notes: &[Note]) -> u32 {
        let threads = self.threads().filter(|prior| self.is_settled(prior)).count();
        let notes = notes.iter().filter(|note| note.state == NoteState::Settled).count();
        u32::try_from(threads + notes).unwrap_or(u32::MAX)
    }

    /// Whether a thread counts as resolved: R of spec 20 §5.
    fn is_settled(&self, prior: &Prior) -> bool {
        let Some(thread) = prior.thread() else { return false };
        let decision = self.decision_about(&thread.id);
        if decision.is_some_and(|decision| decision.row == Row::ImproperlyResolved) {
            // Un-resolved in this run, or tried to.
            return false;
        }
        let present = decision.is_some_and(|decision| decision.finding.is_some());
        if prior.facts.closed_as_duplicate && present {
            // Counts as its canonical thread does: open while the finding stands there.
            return self.canonical_is_settled(prior);
        }
        prior.facts.resolved || (prior.facts.fixed_by_us && !present)
    }

    fn canonical_is_settled(&self, duplicate: &Prior) -> bool {
        let canonical = self.after.priors.iter().find(|other| {
            !other.facts.closed_as_duplicate
                && other.keys.iter().any(|key| duplicate.keys.contains(key))
        });
        canonical.is_none_or(|canonical| canonical.facts.resolved)
    }

    fn decision_about(&self, thread: &ThreadId) -> Option<&Decision> {
        self.decisions.iter().find(|decision| {
            let prior = decision.prior.map(|at| &self.before.priors[at]);
            prior.and_then(Prior::thread).is_some_and(|known| known.id == *thread)
        })
    }

    fn posted(&self) -> impl Iterator<Item = &Finding> {
        self.aftermath.posted.iter().map(|at| &self.findings[*at])
    }

    fn must_fix(&self, notes: &[Note]) -> Vec<Outstanding> {
        let of_thread = |prior: &Prior| {
            let thread = prior.thread()?;
            let decision = self.decision_about(&thread.id);
            let found = decision.and_then(|decision| decision.finding).map(|at| &self.findings[at]);
            let (path, line) = match found {
                Some(finding) => (&finding.reported.path, first_line(finding)),
                None => (&prior.last.path, prior.last.line),
            };
            Some(Outstanding {
                title: prior.title.clone(),
                path: path.clone(),
                line,
                url: Some(thread.url.clone()),
            })
        };
        let threads = self
            .threads()
            .filter(|prior| prior.tag == Tag::MustFix && !self.is_settled(prior))
            .filter_map(of_thread);
        let posted = self.posted().filter(|finding| finding.tag == Tag::MustFix).map(|finding| {
            Outstanding {
                title: finding.reported.title.clone(),
                path: finding.reported.path.clone(),
                line: first_line(finding),
                url: None,
            }
        });
        let noted = notes
            .iter()
            .filter(|note| note.tag == Some(Tag::MustFix) && note.state == NoteState::Open)
            .filter_map(|note| {
                Some(Outstanding {
                    title: note.shown_title().to_owned(),
                    path: note.path.clone()?,
                    line: note.line,
                    url: None,
                })
            });
        threads.chain(posted).chain(noted).collect()
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        for (at, decision) in self.decisions.iter().enumerate() {
            let known = decision.prior.and_then(|prior| match &self.before.priors[prior].home {
                Home::Note(note) => Some(note),
                Home::Own(_) | Home::Shared(_) => None,
            });
            let found = decision.finding.map(|finding| &self.findings[finding]);
            match (known, &decision.act, found) {
                (Some(note), Act::SettleNote, _) => notes.push(settled(note)),
                // Told again after it went away: its old entry keeps its column.
                (Some(note), Act::Post { .. }, Some(_)) => notes.push(note.clone()),
                (Some(note), _, Some(finding)) => notes.push(open_note(
                    decision.name.as_ref().map_or(note.key, |(key, _)| key.prefix()),
                    decision,
                    finding,
                )),
                (Some(note), _, None) => notes.push(note.clone()),
                (None, _, _) => {}
            }
            if let (true, Some(finding), Some((key, _))) =
                (self.aftermath.noted.contains(&at), found, &decision.name)
            {
                notes.push(open_note(key.prefix(), decision, finding));
            }
        }
        notes
    }

    fn live(&self) -> Vec<LiveEntry> {
        let mut live = Vec::new();
        let mut told: BTreeSet<ThreadId> = BTreeSet::new();
        for decision in self.decisions {
            let (Some(at), Some((key, _))) = (decision.finding, &decision.name) else { continue };
            let finding = &self.findings[at];
            let known = decision
                .prior
                .map(|prior| &self.before.priors[prior])
                .filter(|_| !matches!(decision.act, Act::Post { .. } | Act::Repost))
                .and_then(Prior::thread);
            let prior = match known {
                Some(thread) => self.after_thread(&thread.id),
                None => self.after.priors.iter().rev().find(|prior| {
                    prior.thread().is_some() && prior.keys.iter().any(|known| known.names(key))
                }),
            };
            let Some(thread) = prior.and_then(Prior::thread) else { continue };
            if told.insert(thread.id.clone()) {
                live.push(entry(key.prefix(), thread, finding));
            }
        }
        // A thread that nobody looked at keeps what is known of it only while the head is the
        // same; else its place is found again from its own commit.
        let same_head = self.before.reviewed_head() == Some(self.head);
        let kept = self.before.metadata.iter().filter(|_| same_head).flat_map(|prior| {
            prior.metadata.state.live.iter().filter(|entry| self.is_unknown(entry)).cloned()
        });
        live.extend(kept);
        live
    }

    fn is_unknown(&self, entry: &LiveEntry) -> bool {
        self.decisions.iter().any(|decision| {
            let thread = decision.prior.and_then(|at| self.before.priors[at].thread());
            decision.row == Row::Unknown && thread.is_some_and(|t| t.root == entry.comment)
        })
    }

    fn after_thread(&self, id: &ThreadId) -> Option<&Prior> {
        self.after.priors.iter().find(|prior| prior.thread().is_some_and(|t| t.id == *id))
    }

    fn unresolve_refused(&self) -> Vec<ThreadId> {
        let still_tried = self.decisions.iter().filter_map(|decision| {
            let thread = decision.prior.and_then(|at| self.before.priors[at].thread())?;
            let refused = self.aftermath.unresolve_refused.contains(&thread.id);
            (decision.row == Row::ImproperlyResolved && refused).then(|| thread.id.clone())
        });
        still_tried.collect()
    }
}

fn first_line(finding: &Finding) -> Option<u32> {
    finding.reported.lines.map(|lines| lines.first)
}

fn entry(key: KeyPrefix, thread: &ThreadRef, finding: &Finding) -> LiveEntry {
    let path = &finding.reported.path;
    LiveEntry {
        key,
        comment: thread.root,
        line: first_line(finding),
        path: (thread.path != *path).then(|| path.clone()),
    }
}

fn settled(note: &Note) -> Note {
    Note {
        key: note.key,
        state: NoteState::Settled,
        site: None,
        path: None,
        line: None,
        tag: note.tag,
        symbol: None,
        class: None,
        title: None,
    }
}

fn open_note(key: KeyPrefix, decision: &Decision, finding: &Finding) -> Note {
    Note {
        key,
        state: NoteState::Open,
        site: Some(finding.site.prefix()),
        path: Some(finding.reported.path.clone()),
        line: first_line(finding),
        tag: Some(finding.tag),
        symbol: Some(finding.anchor.symbol.clone()),
        class: decision.name.as_ref().map(|(_, twin)| twin.to_string()),
        title: Some(finding.reported.title.clone()),
    }
}
