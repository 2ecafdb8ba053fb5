//! Where GitHub lets a comment stand (spec 30 "Standing place").

use std::ops::RangeInclusive;

use crate::model::{FileFacts, LineSpan, NoteReason, Place};

/// Lines of context that GitHub shows, and takes comments on, around a change.
pub(super) const CONTEXT: u32 = 3;

/// The place for a finding's comment, given the runs of lines that take one.
pub(super) fn stand(
    shown: &[RangeInclusive<u32>],
    lines: Option<LineSpan>,
    file: &FileFacts,
) -> Place {
    let Some(first) = shown.first() else { return Place::Note(NoteReason::OutsideDiff) };
    let Some(lines) = lines else { return Place::File { line: *first.start() } };
    if let Some(run) = shown.iter().find(|run| run.contains(&lines.first)) {
        // A range needs both ends in one hunk: what lies beyond is cut (case G02).
        return Place::Inline(LineSpan::new(lines.first, lines.last.min(*run.end())));
    }
    let definition = file.definition(lines.first);
    let near = definition
        .and_then(|definition| nearest(shown, lines.first, &definition.header))
        .or_else(|| definition.and_then(|d| nearest(shown, lines.first, &d.lines)))
        .or_else(|| nearest(shown, lines.first, &(1..=u32::MAX)));
    match near {
        Some(line) => Place::ReAnchored { line, wanted: lines.first },
        None => Place::Note(NoteReason::OutsideDiff),
    }
}

/// The line of `within` that takes a comment and is nearest to `wanted`; above rather than below.
fn nearest(
    shown: &[RangeInclusive<u32>],
    wanted: u32,
    within: &RangeInclusive<u32>,
) -> Option<u32> {
    let parts: Vec<(u32, u32)> = shown
        .iter()
        .map(|run| (*run.start().max(within.start()), *run.end().min(within.end())))
        .filter(|(start, end)| start <= end)
        .collect();
    let above = parts.iter().rev().find(|(start, _)| *start <= wanted);
    let below = parts.iter().find(|(_, end)| *end >= wanted);
    match (above, below) {
        (Some((_, end)), _) => Some((*end).min(wanted)),
        (None, Some((start, _))) => Some((*start).max(wanted)),
        (None, None) => None,
    }
}
