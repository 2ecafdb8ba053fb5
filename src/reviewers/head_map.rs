//! From the lines of the tree that a report was made on to those of the head (spec 40 §2 "On
//! which commit").

use git2::{DiffOptions, Patch};
use rereview_core::model::LineSpan;

use super::fix::Fix;
use super::report::{Region, ReportResult};

/// What is known of a result's file at the commit that the report was made on.
#[derive(Clone, Copy, Debug)]
pub enum FileAt<'a> {
    /// It is the head's, byte for byte.
    SameAsHead,
    /// It has this content.
    Content(&'a [u8]),
    /// That commit does not have it.
    Missing,
    /// That commit is not known, or cannot be had.
    UnknownCommit,
}

/// Where a result stands at the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// There.
    Mapped {
        /// `None`: about the whole file.
        lines: Option<LineSpan>,
        /// Its fix in the head's lines, if these are unchanged.
        fix: Option<Fix>,
    },
    /// What it is about is not the head's: a merge brought it from the base.
    NotOurs {
        /// In words.
        reason: String,
    },
    /// It cannot be placed without guessing.
    Skip {
        /// In words.
        reason: String,
    },
}

/// Places a result in its file at the head (`None`: the head has no such file).
pub fn map_to_head(result: &ReportResult, then: FileAt<'_>, head: Option<&[u8]>) -> Mapping {
    let Some(head) = head else {
        return match then {
            FileAt::Content(_) => not_ours("the head has no such file"),
            FileAt::SameAsHead | FileAt::Missing | FileAt::UnknownCommit => {
                skip("there is no such file")
            }
        };
    };
    let here = |region: Option<Region>| Mapping::Mapped {
        lines: region.map(|region| region.lines()),
        fix: result.fix.clone(),
    };
    let Some(region) = result.region else {
        return match then {
            FileAt::Missing => skip("the commit of the report has no such file"),
            FileAt::Content(_) => Mapping::Mapped { lines: None, fix: None },
            FileAt::SameAsHead | FileAt::UnknownCommit => here(None),
        };
    };
    match then {
        FileAt::Missing => skip("the commit of the report has no such file"),
        FileAt::SameAsHead => match beyond(region, head) {
            Some(reason) => skip(&reason),
            None => here(Some(clipped(region, head))),
        },
        FileAt::Content(then) => match beyond(region, then) {
            Some(reason) => skip(&reason),
            None => through_diff(clipped(region, then), result.fix.clone(), then, head),
        },
        FileAt::UnknownCommit => match (beyond(region, head), &result.snippet) {
            (Some(reason), _) => skip(&reason),
            (None, Some(quoted)) if agrees(quoted, region.lines(), head) => {
                here(Some(clipped(region, head)))
            }
            (None, Some(_)) => {
                skip("the commit of the report is unknown, and the line is not what it quotes")
            }
            (None, None) => {
                skip("the commit of the report is unknown, and it does not quote the line")
            }
        },
    }
}

fn skip(reason: &str) -> Mapping {
    Mapping::Skip { reason: reason.to_owned() }
}

fn not_ours(reason: &str) -> Mapping {
    Mapping::NotOurs { reason: reason.to_owned() }
}

fn line_count(content: &[u8]) -> u32 {
    let breaks = content.iter().filter(|byte| **byte == b'\n').count();
    let unfinished = content.last().is_some_and(|byte| *byte != b'\n');
    u32::try_from(breaks + usize::from(unfinished)).unwrap_or(u32::MAX)
}

fn beyond(region: Region, content: &[u8]) -> Option<String> {
    let (line, count) = (region.start_line, line_count(content));
    (line > count).then(|| format!("line {line} is beyond the file's end: it has {count}"))
}

/// Some tools let the last line of a region be the one behind the file's end.
fn clipped(region: Region, content: &[u8]) -> Region {
    let count = line_count(content);
    if region.end_line <= count {
        return region;
    }
    Region { end_line: count.max(region.start_line), end_column: None, ..region }
}

/// Whether the lines hold what the report quotes: the quote may begin and end within a line.
fn agrees(quoted: &str, lines: LineSpan, head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let skip = usize::try_from(lines.first - 1).unwrap_or(usize::MAX);
    let mut text = head.lines().skip(skip);
    let mut said = false;
    let same = quoted.lines().all(|part| {
        said |= !part.trim().is_empty();
        text.next().is_some_and(|line| line.contains(part.trim()))
    });
    said && same
}

fn through_diff(region: Region, fix: Option<Fix>, then: &[u8], head: &[u8]) -> Mapping {
    let Some(hunks) = hunks(then, head) else {
        return skip("the two versions of the file cannot be compared");
    };
    let span = region.lines();
    let Some(first) = at_head(&hunks, span.first) else {
        return not_ours("the head does not have the line: a merge brought it from the base");
    };
    // A last line that is gone ends the span at the last one that is left.
    let last = (span.first..=span.last).rev().find_map(|line| at_head(&hunks, line));
    let lines = Some(LineSpan::new(first, last.unwrap_or(first)));
    let fix = fix.and_then(|fix| {
        let touched = fix.span();
        let unchanged = hunks.iter().all(|hunk| !hunk.changes(touched));
        let first = at_head(&hunks, touched.first).filter(|_| unchanged)?;
        Some(fix.at(first))
    });
    Mapping::Mapped { lines, fix }
}

/// Old lines `first .. first + old` became `new` lines; with none old, they came behind `first`.
struct Hunk {
    first: u32,
    old: u32,
    new: u32,
}

impl Hunk {
    /// Whether it replaces a line of the span, or puts lines between two of them.
    fn changes(&self, span: LineSpan) -> bool {
        match self.old {
            0 => span.first <= self.first && self.first < span.last,
            old => self.first <= span.last && span.first < self.first + old,
        }
    }
}

/// Where an old line is now; `None`: it is not.
fn at_head(hunks: &[Hunk], line: u32) -> Option<u32> {
    let mut now = i64::from(line);
    for hunk in hunks {
        if hunk.changes(LineSpan::line(line)) {
            return None;
        }
        if hunk.first < line {
            now += i64::from(hunk.new) - i64::from(hunk.old);
        }
    }
    u32::try_from(now).ok()
}

/// The changes between two contents. Whether the last line has its break is none.
fn hunks(then: &[u8], head: &[u8]) -> Option<Vec<Hunk>> {
    let finished = |content: &[u8]| {
        let mut content = content.to_owned();
        if content.last().is_some_and(|byte| *byte != b'\n') {
            content.push(b'\n');
        }
        content
    };
    let (then, head) = (finished(then), finished(head));
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).force_text(true).indent_heuristic(true);
    let patch = Patch::from_buffers(&then, None, &head, None, Some(&mut options)).ok()?;
    (0..patch.num_hunks())
        .map(|index| {
            let (hunk, _) = patch.hunk(index).ok()?;
            Some(Hunk { first: hunk.old_start(), old: hunk.old_lines(), new: hunk.new_lines() })
        })
        .collect()
}

#[cfg(test)]
mod tests;
