use super::*;
use crate::reviewers::Region;

const FILE: [&str; 5] = ["import os", "x = f(\"😀\", 1)", "", "    return a;\r", "end"];

fn line(number: u32) -> Option<&'static str> {
    FILE.get(usize::try_from(number).unwrap().checked_sub(1)?).copied()
}

fn fix(region: [i64; 4], unit: ColumnUnit, text: &str) -> Fix {
    let [line, column, end_line, end_column] = region.map(|n| (n > 0).then_some(n));
    Fix::new(&Region::new(line, column, end_line, end_column).unwrap(), unit, text)
}

#[track_caller]
fn check(fix: &Fix, finding: (u32, u32), expected: Option<((u32, u32), &str)>) {
    let span = LineSpan::new(finding.0, finding.1);
    let expected =
        expected.map(|((first, last), text)| (LineSpan::new(first, last), text.to_owned()));
    assert_eq!(to_suggestion(fix, &line, span), expected, "{fix:?}");
}

#[test]
fn whole_lines_stay_whole() {
    let removed = fix([1, 1, 2, 1], ColumnUnit::Unstated, "");
    assert_eq!(removed, Fix::WholeLines { span: LineSpan::line(1), text: String::new() });
    check(&removed, (1, 1), Some(((1, 1), "")));
    check(
        &fix([1, 0, 0, 0], ColumnUnit::Utf16, "import re\r\n"),
        (1, 1),
        Some(((1, 1), "import re")),
    );
    check(&fix([1, 1, 3, 1], ColumnUnit::Utf16, "a\nb\n"), (1, 1), Some(((1, 2), "a\nb")));
    // The lines around it in the finding stay.
    check(&fix([2, 1, 3, 1], ColumnUnit::Utf16, ""), (1, 3), Some(((1, 3), "import os\n")));
}

#[test]
fn parts_of_lines_become_whole_lines() {
    let utf16 = fix([2, 13, 2, 14], ColumnUnit::Utf16, "2");
    check(&utf16, (2, 2), Some(((2, 2), "x = f(\"😀\", 2)")));
    let scalars = fix([2, 12, 2, 13], ColumnUnit::Scalars, "2");
    check(&scalars, (2, 2), Some(((2, 2), "x = f(\"😀\", 2)")));
    let bytes = fix([2, 15, 2, 16], ColumnUnit::Bytes, "2");
    check(&bytes, (2, 2), Some(((2, 2), "x = f(\"😀\", 2)")));
    check(&fix([4, 5, 4, 14], ColumnUnit::Scalars, "a"), (4, 4), Some(((4, 4), "    a")));
    check(&fix([4, 13, 0, 0], ColumnUnit::Scalars, ""), (4, 4), Some(((4, 4), "    return a")));
    check(
        &fix([1, 8, 2, 5], ColumnUnit::Scalars, ""),
        (1, 1),
        Some(((1, 2), "import f(\"😀\", 1)")),
    );
    check(&fix([5, 4, 5, 4], ColumnUnit::Scalars, "\nmore"), (5, 5), Some(((5, 5), "end\nmore")));
}

#[test]
fn what_cannot_be_told_is_no_suggestion() {
    // Behind the emoji, the two units differ; before it, they do not.
    check(&fix([2, 13, 2, 14], ColumnUnit::Unstated, "2"), (2, 2), None);
    check(
        &fix([2, 1, 2, 2], ColumnUnit::Unstated, "y"),
        (2, 2),
        Some(((2, 2), "y = f(\"😀\", 1)")),
    );
    // Within a character, behind the end, backwards, beyond the file.
    check(&fix([2, 9, 2, 10], ColumnUnit::Utf16, "a"), (2, 2), None);
    check(&fix([2, 9, 2, 10], ColumnUnit::Bytes, "a"), (2, 2), None);
    check(&fix([1, 3, 1, 40], ColumnUnit::Scalars, "a"), (1, 1), None);
    check(&fix([1, 5, 1, 3], ColumnUnit::Scalars, "a"), (1, 1), None);
    check(&fix([5, 1, 9, 2], ColumnUnit::Scalars, "a"), (5, 5), None);
    // Above the finding, away from it, no change at all.
    check(&fix([1, 1, 2, 1], ColumnUnit::Scalars, ""), (2, 2), None);
    check(&fix([4, 1, 5, 1], ColumnUnit::Scalars, ""), (2, 2), None);
    check(&fix([1, 0, 0, 0], ColumnUnit::Scalars, "import os"), (1, 1), None);
}

#[test]
fn a_fix_moves_with_its_lines() {
    let moved = fix([2, 13, 3, 1], ColumnUnit::Utf16, "x").at(10);
    assert_eq!(moved.span(), LineSpan::new(10, 11));
}
