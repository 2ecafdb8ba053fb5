//! Phase B: which of the reviewer's findings belong to this pull request and this run, how they
//! are named, and where their comments can stand (spec 30).

mod place;
mod reach;

use std::collections::BTreeSet;

use crate::ids::RepoPath;
use crate::key::{Anchor, FindingKey, SiteKey, Twin};
use crate::lines::{FileStatus, TreeDiff};
use crate::model::{
    Agent, Analysed, Coverage, Delta, FileFacts, Finding, Latent, LineSpan, NoteReason, Origin,
    Place, Reported, Tag, TreeFacts,
};
use crate::policy;

/// A finding that is not told, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Which.
    pub reported: Reported,
    /// See [`DropReason`].
    pub why: DropReason,
}

/// Why a finding is not told; it is counted nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// It was there before, in a file that the pull request does not touch.
    Latent,
    /// Below must fix, new to us, and nothing near it changed since the last run.
    OutOfScope,
    /// The file it speaks of is not at the head, or ends before its line.
    NotAtHead,
}

impl DropReason {
    /// For the log and the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Latent => "pre-existing, in a file that the pull request does not touch",
            Self::OutOfScope => "below must fix and outside what changed since the last run",
            Self::NotAtHead => "the head has no such line",
        }
    }
}

/// What is true on this head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Everything that may be told, in order of file, line and class.
    pub findings: Vec<Finding>,
    /// The rest.
    pub dropped: Vec<Dropped>,
    /// What the reviewer's silence proves.
    pub analysed: Analysed,
}

impl Analysis {
    /// Whether the reviewer looked at this file of the head, so that silence means absence.
    pub fn speaks_for(&self, path: &RepoPath, pr: &TreeDiff) -> bool {
        match &self.analysed {
            Analysed::Everything => true,
            // A file that is gone from the head has no findings, whoever looks.
            Analysed::ChangedFiles => {
                pr.by_new_path(path).is_some() || pr.by_old_path(path).is_some()
            }
            Analysed::Files(files) => files.contains(path),
        }
    }
}

/// Names, classifies and places what the reviewer reported.
pub fn analyse(
    agent: &Agent,
    reported: &[Reported],
    analysed: &Analysed,
    trees: &TreeFacts,
) -> Analysis {
    let judge = Judge::new(agent, trees);
    let mut findings = Vec::new();
    let mut dropped = Vec::new();
    for report in reported {
        match judge.judge(report) {
            Ok(finding) => findings.push(finding),
            Err(why) => dropped.push(Dropped { reported: report.clone(), why }),
        }
    }
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    let analysed = match (analysed, agent.coverage) {
        (Analysed::Everything, Coverage::Changed) => Analysed::ChangedFiles,
        (Analysed::Everything | Analysed::ChangedFiles | Analysed::Files(_), _) => analysed.clone(),
    };
    Analysis { findings, dropped, analysed }
}

/// The order in which findings are told, whatever the report's order.
fn order(finding: &Finding) -> impl Ord + '_ {
    let reported = &finding.reported;
    (&reported.path, reported.lines, reported.column, &reported.class, &reported.title)
}

struct Judge<'a> {
    agent: &'a Agent,
    trees: &'a TreeFacts,
    reached: BTreeSet<&'a str>,
    newly_reached: BTreeSet<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(agent: &'a Agent, trees: &'a TreeFacts) -> Self {
        let newly_reached = match &trees.delta {
            Delta::Everything { .. } => BTreeSet::new(),
            Delta::Since(delta) => reach::reached(delta, &trees.files),
        };
        Self { agent, trees, reached: reach::reached(&trees.pr, &trees.files), newly_reached }
    }

    fn judge(&self, reported: &Reported) -> Result<Finding, DropReason> {
        let trees = self.trees;
        let path = &reported.path;
        let file = trees.files.get(path).ok_or(DropReason::NotAtHead)?;
        let lines = self.agent.lines_of(&reported.class, reported.lines);
        let text = match lines {
            Some(lines) => Some(file.lines.get(&lines.first).ok_or(DropReason::NotAtHead)?),
            None => None,
        };
        let symbol = lines.and_then(|lines| file.symbol(lines.first));
        let origin = self.origin(path, lines, symbol);
        let untouched = trees.pr.by_new_path(path).is_none();
        let tag = match (origin, self.agent.latent) {
            (Origin::PreExisting, Latent::Hide) if untouched => return Err(DropReason::Latent),
            (Origin::PreExisting, Latent::Hide | Latent::Report) => Tag::FutureWork,
            (Origin::Introduced | Origin::Reached, Latent::Hide | Latent::Report) => {
                let fix = policy::Replacement::of(reported.suggestion.as_deref());
                policy::tag(&self.agent.tags, reported.severity, &reported.class, fix)
            }
        };
        let place = self.place(path, lines, file);
        let anchor = Anchor::new(symbol, text.map(String::as_str));
        let twin = Twin::first(reported.class.clone());
        Ok(Finding {
            tag: offered(tag, place, lines),
            key: FindingKey::new(&self.agent.name, path, &anchor, &twin),
            site: SiteKey::new(path, &anchor),
            origin,
            in_delta: self.in_delta(path, lines, symbol),
            place,
            anchor,
            reported: Reported { lines, ..reported.clone() },
        })
    }

    fn origin(&self, path: &RepoPath, lines: Option<LineSpan>, symbol: Option<&str>) -> Origin {
        let file = self.trees.pr.by_new_path(path);
        let introduced = match lines {
            Some(lines) => touches(&self.trees.pr, path, lines),
            None => file.is_some_and(|file| file.status == FileStatus::Added),
        };
        if introduced {
            Origin::Introduced
        } else if symbol.is_some_and(|symbol| self.reached.contains(symbol)) {
            Origin::Reached
        } else {
            Origin::PreExisting
        }
    }

    fn in_delta(&self, path: &RepoPath, lines: Option<LineSpan>, symbol: Option<&str>) -> bool {
        match &self.trees.delta {
            Delta::Everything { .. } => true,
            Delta::Since(delta) => {
                let touched = match lines {
                    Some(lines) => touches(delta, path, lines),
                    None => delta.by_new_path(path).is_some(),
                };
                touched || symbol.is_some_and(|symbol| self.newly_reached.contains(symbol))
            }
        }
    }

    fn place(&self, path: &RepoPath, lines: Option<LineSpan>, file: &FileFacts) -> Place {
        let shown = self.trees.pr.by_new_path(path).map(|diff| diff.commentable(place::CONTEXT));
        match shown {
            Some(shown) => place::stand(&shown, lines, file),
            None => Place::Note(NoteReason::OutsideDiff),
        }
    }
}

/// A suggestion needs a block, and a block stands on exactly the lines it replaces (spec 10 §5).
fn offered(tag: Tag, place: Place, lines: Option<LineSpan>) -> Tag {
    match (tag, place) {
        (Tag::Suggestion, Place::Inline(shown)) if Some(shown) == lines => tag,
        (Tag::Suggestion, _) => Tag::CouldFix,
        (Tag::MustFix | Tag::CouldFix | Tag::FutureWork, _) => tag,
    }
}

/// Whether any line of the span is new in the diff.
fn touches(diff: &TreeDiff, path: &RepoPath, lines: LineSpan) -> bool {
    !diff.added(path).within(&(lines.first..=lines.last)).is_empty()
}
