use rereview_core::ids::{FindingClass, RepoPath};
use rereview_core::model::{Confidence, Level, Severity};

use super::*;

fn result(lines: Option<(u32, u32)>, snippet: Option<&str>) -> ReportResult {
    let region = lines.map(|(start_line, end_line)| Region {
        start_line,
        end_line,
        start_column: None,
        end_column: None,
    });
    ReportResult {
        path: RepoPath::new("app.py").unwrap(),
        region,
        class: FindingClass::from_rule("c"),
        severity: Severity::Level(Level::Warning),
        title: String::new(),
        body: String::new(),
        fix: region.map(|r| Fix::WholeLines { span: r.lines(), text: "x".to_owned() }),
        confidence: Confidence::Normal,
        snippet: snippet.map(str::to_owned),
    }
}

#[track_caller]
fn check(result: &ReportResult, then: FileAt<'_>, head: Option<&str>, expected: &str) {
    let shown = match map_to_head(result, then, head.map(str::as_bytes)) {
        Mapping::Mapped { lines, fix } => {
            let lines = lines.map_or("file".to_owned(), |l| format!("{}-{}", l.first, l.last));
            let fix = fix.map_or(String::new(), |fix| format!(", fix at {}", fix.span().first));
            format!("{lines}{fix}")
        }
        Mapping::NotOurs { reason } => format!("not ours: {reason}"),
        Mapping::Skip { reason } => format!("skip: {reason}"),
    };
    assert_eq!(shown, expected);
}

const HEAD: &str = "a\nb\nc\nd\ne\n";
const NO_LINE: &str = "not ours: the head does not have the line: a merge brought it from the base";

#[test]
fn the_same_file_has_the_same_lines() {
    let same = FileAt::SameAsHead;
    check(&result(Some((2, 3)), None), same, Some(HEAD), "2-3, fix at 2");
    check(&result(Some((5, 9)), None), same, Some(HEAD), "5-5, fix at 5");
    check(
        &result(Some((6, 6)), None),
        same,
        Some(HEAD),
        "skip: line 6 is beyond the file's end: it has 5",
    );
    check(&result(None, None), same, Some(HEAD), "file");
    check(&result(None, None), same, None, "skip: there is no such file");
}

/// Case G05 (b): the base added three lines at the top.
#[test]
fn lines_of_a_merge_are_mapped() {
    let merge = "1\n2\n3\na\nb\nc\nNEW\nd\ne";
    let then = FileAt::Content(merge.as_bytes());
    check(&result(Some((4, 4)), None), then, Some(HEAD), "1-1, fix at 1");
    check(&result(Some((2, 2)), None), then, Some(HEAD), NO_LINE);
    check(&result(Some((7, 7)), None), then, Some(HEAD), NO_LINE);
    check(&result(Some((5, 8)), None), then, Some(HEAD), "2-4");
    check(&result(Some((5, 7)), None), then, Some(HEAD), "2-3");
    check(&result(Some((9, 9)), None), then, Some(HEAD), "5-5, fix at 5");
    check(
        &result(Some((10, 10)), None),
        then,
        Some(HEAD),
        "skip: line 10 is beyond the file's end: it has 9",
    );
    check(&result(None, None), then, Some(HEAD), "file");
    check(&result(Some((1, 1)), None), then, None, "not ours: the head has no such file");
}

#[test]
fn lines_that_the_merge_took_away_are_counted() {
    let then = FileAt::Content(b"a\nd\ne\n");
    check(&result(Some((2, 2)), None), then, Some(HEAD), "4-4, fix at 4");
    check(&result(Some((1, 2)), None), then, Some(HEAD), "1-4");
    check(
        &result(Some((1, 1)), None),
        FileAt::Content(b""),
        Some(HEAD),
        "skip: line 1 is beyond the file's end: it has 0",
    );
}

#[test]
fn without_a_commit_the_quote_decides() {
    let unknown = FileAt::UnknownCommit;
    let other = "skip: the commit of the report is unknown, and the line is not what it quotes";
    let head = Some("def f():\n    return eval(x)  # why\n");
    check(&result(Some((2, 2)), Some("eval(x)")), unknown, head, "2-2, fix at 2");
    check(&result(Some((1, 2)), Some("def f():\n    return")), unknown, head, "1-2, fix at 1");
    check(&result(Some((1, 1)), Some("eval(x)")), unknown, head, other);
    check(&result(Some((2, 2)), Some("  \n")), unknown, head, other);
    check(&result(Some((2, 2)), Some("return\nmore")), unknown, head, other);
    check(
        &result(Some((2, 2)), None),
        unknown,
        head,
        "skip: the commit of the report is unknown, and it does not quote the line",
    );
    check(
        &result(Some((7, 7)), Some("x")),
        unknown,
        head,
        "skip: line 7 is beyond the file's end: it has 2",
    );
    check(&result(None, None), unknown, head, "file");
    check(
        &result(Some((2, 2)), None),
        FileAt::Missing,
        head,
        "skip: the commit of the report has no such file",
    );
}
