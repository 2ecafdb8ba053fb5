//! What a parser makes of a report: results in the report's own lines, and what it left out.

use std::collections::{BTreeSet, HashSet};

use rereview_core::ids::{FindingClass, RepoPath};
use rereview_core::model::{Confidence, LineSpan, Severity, Skipped};

use super::fix::Fix;

/// Whether the tool did what it was asked to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end: what it does not report is not there.
    #[default]
    Complete,
    /// It did not: the report proves nothing.
    Failed {
        /// In words, for people. Untrusted.
        reason: String,
    },
}

/// A place in a file, in lines and columns counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// Where it begins.
    pub start_line: u32,
    /// Not before `start_line`.
    pub end_line: u32,
    /// In whatever unit the producer uses.
    pub start_column: Option<u32>,
    /// Just behind the last character, likewise.
    pub end_column: Option<u32>,
}

impl Region {
    /// A region from raw numbers; without a first line (absent, zero, negative) there is none,
    /// and the result is about the whole file.
    pub fn new(
        start_line: Option<i64>,
        start_column: Option<i64>,
        end_line: Option<i64>,
        end_column: Option<i64>,
    ) -> Option<Self> {
        let start_line = counted(start_line)?;
        let (end_line, end_column) = match counted(end_line) {
            Some(line) if line < start_line => (start_line, None),
            Some(line) => (line, counted(end_column)),
            None => (start_line, counted(end_column)),
        };
        Some(Self { start_line, end_line, start_column: counted(start_column), end_column })
    }

    /// The lines that it holds characters of: one that ends before a line's first character does
    /// not hold that line.
    pub fn lines(&self) -> LineSpan {
        let ends_before = self.end_column == Some(1) && self.end_line > self.start_line;
        LineSpan::new(self.start_line, self.end_line - u32::from(ends_before))
    }
}

fn counted(number: Option<i64>) -> Option<u32> {
    number.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0)
}

/// A finding in the lines of the tree that the report was made on. All texts are untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportResult {
    /// In which file.
    pub path: RepoPath,
    /// `None`: about the whole file.
    pub region: Option<Region>,
    /// The rule.
    pub class: FindingClass,
    /// The tool's level, or a tag outright.
    pub severity: Severity,
    /// One line that names the defect.
    pub title: String,
    /// The rest of what the tool says; may be empty.
    pub body: String,
    /// A replacement, if the tool has exactly one.
    pub fix: Option<Fix>,
    /// See [`Confidence`].
    pub confidence: Confidence,
    /// The text that the region begins with, as the report quotes it.
    pub snippet: Option<String>,
}

impl ReportResult {
    /// Class and place, for the log. Untrusted.
    pub fn what(&self) -> String {
        match self.region {
            Some(region) => format!("{} {}:{}", self.class, self.path, region.start_line),
            None => format!("{} {}", self.class, self.path),
        }
    }
}

/// What one tool says in one report. Every result is either in `results` or in `skipped`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// As it calls itself; not every format says it.
    pub tool: Option<String>,
    /// The findings, in the order of the report.
    pub results: Vec<ReportResult>,
    /// The results that are not findings.
    pub skipped: Vec<Skipped>,
    /// See [`Outcome`].
    pub outcome: Outcome,
    /// The files that were looked at, where the report truly says so. SARIF's `artifacts` do not:
    /// many tools list only the files with results there.
    pub analysed: Option<BTreeSet<RepoPath>>,
    /// How many results the report holds: `results` and `skipped` together.
    pub total: usize,
}

impl Report {
    /// An empty one.
    pub fn new(tool: Option<String>) -> Self {
        Self { tool, ..Self::default() }
    }

    pub(super) fn add(&mut self, result: ReportResult) {
        self.total += 1;
        self.results.push(result);
    }

    pub(super) fn skip(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.total += 1;
        self.skipped.push(Skipped { what: what.into(), why: why.into() });
    }

    /// Keeps the first reason.
    pub(super) fn fail(&mut self, reason: impl Into<String>) {
        if self.outcome == Outcome::Complete {
            self.outcome = Outcome::Failed { reason: reason.into() };
        }
    }

    /// Takes in what another run of the same tool (or another file of the same agent) says.
    /// One failed run fails the whole; files are known to be analysed only if all runs say so.
    pub fn merge(mut self, other: Self) -> Self {
        self.tool = self.tool.or(other.tool);
        self.results.extend(other.results);
        self.skipped.extend(other.skipped);
        self.total += other.total;
        self.analysed = match (self.analysed, other.analysed) {
            (Some(mut one), Some(two)) => {
                one.extend(two);
                Some(one)
            }
            (Some(_) | None, None) | (None, Some(_)) => None,
        };
        if let Outcome::Failed { reason } = other.outcome {
            self.fail(reason);
        }
        self.said_once()
    }

    /// The same class, place and message twice is one finding (spec 40 §2).
    pub(super) fn said_once(mut self) -> Self {
        let mut seen = HashSet::new();
        let mut once = Vec::with_capacity(self.results.len());
        for result in self.results {
            let said = (
                result.path.clone(),
                result.region,
                result.class.clone(),
                result.title.clone(),
                result.body.clone(),
            );
            if seen.insert(said) {
                once.push(result);
            } else {
                let why = "said twice: the same class, place and message".to_owned();
                self.skipped.push(Skipped { what: result.what(), why });
            }
        }
        self.results = once;
        self
    }
}
