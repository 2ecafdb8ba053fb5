//! From the lines of the tree that a report was made on to the lines of the head (spec 40 §2
//! "On which commit").

use rereview_core::model::LineSpan;

/// A file's text at the report's commit and at the head.
#[derive(Clone, Copy, Debug)]
pub struct FileAt<'a> {
    /// Where the report was made; `None`: not known, or not there.
    pub report: Option<&'a str>,
    /// At the head; `None`: it has no such file, or one without lines.
    pub head: Option<&'a str>,
}

/// Where a result stands at the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// On these lines; `None`: it is about the whole file.
    Lines(Option<LineSpan>),
    /// It cannot be told, or it is not this pull request's: why.
    Skip(&'static str),
}

/// Maps a result's lines. `snippet` is the text that the report quotes: the only evidence where
/// the report's own tree is not known.
pub fn map_to_head(lines: Option<LineSpan>, file: FileAt<'_>, snippet: Option<&str>) -> Mapping {
    let Some(head) = file.head else {
        return Mapping::Skip("the head has no such text file");
    };
    let Some(lines) = lines else { return Mapping::Lines(None) };
    let head: Vec<&str> = split(head);
    match file.report {
        Some(report) => {
            let report: Vec<&str> = split(report);
            if index(lines.first).is_none_or(|at| at >= report.len()) {
                return Mapping::Skip("the line is beyond the file's end");
            }
            let at =
                |line| if report == head { Some(line) } else { line_at_head(&report, &head, line) };
            match at(lines.first) {
                Some(first) => {
                    // An end that moved elsewhere, or is gone, does not widen the finding.
                    let last = at(lines.last).filter(|last| *last >= first);
                    let length = lines.last - lines.first;
                    Mapping::Lines(Some(LineSpan::new(
                        first,
                        last.unwrap_or(first).min(first.saturating_add(length)),
                    )))
                }
                None => Mapping::Skip("only the tree that the report was made on has that line"),
            }
        }
        None => {
            let Some(text) = index(lines.first).and_then(|at| head.get(at)) else {
                return Mapping::Skip("the line is beyond the file's end");
            };
            let quoted =
                snippet.and_then(|snippet| snippet.lines().map(str::trim).find(|l| !l.is_empty()));
            match quoted {
                Some(quoted) if text.contains(quoted) || quoted.contains(text.trim()) => {
                    Mapping::Lines(Some(lines))
                }
                Some(_) => {
                    Mapping::Skip("the line at the head is not the one that the report quotes")
                }
                None => Mapping::Skip("it is not known on which commit the report was made"),
            }
        }
    }
}

fn split(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn index(line: u32) -> Option<usize> {
    usize::try_from(line).ok()?.checked_sub(1)
}

/// Where an unchanged line stands in another text, by a line diff.
fn line_at_head(from: &[&str], to: &[&str], line: u32) -> Option<u32> {
    let at = index(line)?;
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, from, to);
    ops.iter().find_map(|op| match *op {
        similar::DiffOp::Equal { old_index, new_index, len }
            if (old_index..old_index + len).contains(&at) =>
        {
            u32::try_from(new_index + at - old_index + 1).ok()
        }
        similar::DiffOp::Equal { .. }
        | similar::DiffOp::Delete { .. }
        | similar::DiffOp::Insert { .. }
        | similar::DiffOp::Replace { .. } => None,
    })
}
