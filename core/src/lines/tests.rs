//! Line sets against a plain set, maps against a naive model of edits.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::ids::RepoPath;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("a path")
}

fn file(hunks: &[(u32, u32, u32, u32)], new_lines: u32) -> FileDiff {
    FileDiff {
        old_path: Some(path("old")),
        new_path: Some(path("new")),
        status: FileStatus::Renamed,
        content: Content::Text,
        hunks: hunks.iter().map(|&(a, b, c, d)| Hunk::from_git(a, b, c, d)).collect(),
        new_lines,
    }
}

#[test]
fn a_side_without_lines_stands_before_a_line() {
    let added = Hunk::from_git(0, 0, 1, 3);
    assert_eq!((added.old_start, added.removed(), added.added()), (1, None, Some(1..=3)));
    let removed = Hunk::from_git(4, 2, 3, 0);
    assert_eq!((removed.new_start, removed.removed(), removed.added()), (4, Some(4..=5), None));
}

#[test]
fn a_kept_line_is_short_and_has_no_end() {
    let check = |line: &[u8], kept: &str| assert_eq!(Hunk::kept(line), kept);
    check(b"a\r\n", "a");
    check(b"a\n", "a");
    check(b"a", "a");
    check(b"a\r", "a\r");
    check(b"\r\n", "");
    check(b"\xff\n", "\u{fffd}");
    check(&[b'x'; 10_000], &"x".repeat(4096));
}

#[test]
fn commentable_runs() {
    let check = |hunks: &[(u32, u32, u32, u32)], lines: u32, runs: &[RangeInclusive<u32>]| {
        assert_eq!(file(hunks, lines).commentable(3), runs);
    };
    // Case G02: lines 5 and 35 of 40.
    check(&[(5, 1, 5, 1), (35, 1, 35, 1)], 40, &[2..=8, 32..=38]);
    // Case G01: lines 1 and 10 of 10.
    check(&[(1, 1, 1, 1), (10, 1, 10, 1)], 10, &[1..=4, 7..=10]);
    // Six lines between join, seven do not.
    check(&[(1, 1, 1, 1), (8, 1, 8, 1)], 20, &[1..=11]);
    check(&[(1, 1, 1, 1), (9, 1, 9, 1)], 20, &[1..=4, 6..=12]);
    check(&[(0, 0, 1, 5)], 5, &[1..=5]);
    check(&[(4, 1, 3, 0)], 9, &[1..=6]);
    check(&[(1, 9, 0, 0)], 0, &[]);
    check(&[], 9, &[]);
}

#[test]
fn lines_without_a_new_place() {
    let check = |change: fn(&mut FileDiff)| {
        let mut changed = file(&[], 9);
        change(&mut changed);
        assert_eq!(changed.map_line(2), Mapped::Gone, "{changed:?}");
    };
    check(|file| file.status = FileStatus::Deleted);
    check(|file| file.status = FileStatus::TypeChanged);
    check(|file| file.content = Content::Binary);
    check(|file| file.content = Content::Submodule);
    check(|file| file.content = Content::Symlink);
    check(|file| file.content = Content::LfsPointer);
}

#[test]
fn a_file_outside_the_diff_keeps_its_lines() {
    let diff = TreeDiff::new(vec![file(&[(1, 0, 2, 2)], 9)]);
    let (old, new, other) = (path("old"), path("new"), path("other"));
    assert_eq!(diff.map_line(&other, 7), Mapped::Same { path: &other, line: 7 });
    assert_eq!(diff.map_line(&old, 7), Mapped::Same { path: &new, line: 9 });
    assert_eq!(diff.added(&new).ranges(), [2..=3]);
    assert!(diff.added(&old).is_empty());
    assert!(diff.by_old_path(&new).is_none());
}

proptest! {
    #[test]
    fn a_line_set_is_a_set(ranges in prop::collection::vec((1u32..60, 0u32..9), 0..12)) {
        let set: LineSet = ranges.iter().map(|&(start, more)| start..=start + more).collect();
        let model: BTreeSet<u32> =
            ranges.iter().flat_map(|&(start, more)| start..=start + more).collect();
        prop_assert!(set.ranges().windows(2).all(|w| *w[0].end() + 1 < *w[1].start()));
        prop_assert!((0..80).all(|line| set.contains(line) == model.contains(&line)));
        prop_assert_eq!(set.lines().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
        let part: Vec<u32> = set.within(&(10..=30)).lines().collect();
        prop_assert_eq!(part, model.range(10..=30).copied().collect::<Vec<_>>());
    }

    /// Each entry: unchanged lines before the change, removed lines, added lines.
    #[test]
    fn mapping_agrees_with_counting(
        edits in prop::collection::vec((1u32..12, 0u32..4, 0u32..4), 0..8),
        tail in 0u32..9,
    ) {
        let (mut old, mut new) = (1, 1);
        let (mut hunks, mut expected) = (Vec::new(), Vec::new());
        for (keep, removed, added) in edits {
            for _ in 0..keep {
                expected.push((old, Some(new)));
                (old, new) = (old + 1, new + 1);
            }
            if removed + added > 0 {
                let git = |start: u32, lines: u32| if lines == 0 { start - 1 } else { start };
                hunks.push((git(old, removed), removed, git(new, added), added));
            }
            expected.extend((old..old + removed).map(|line| (line, None)));
            (old, new) = (old + removed, new + added);
        }
        for more in 0..tail {
            expected.push((old + more, Some(new + more)));
        }
        let file = file(&hunks, new - 1 + tail);
        for (line, place) in expected {
            match (file.map_line(line), place) {
                (Mapped::Same { line: got, .. }, Some(place)) => prop_assert_eq!(got, place),
                (Mapped::Changed { hunk, .. }, None) => {
                    prop_assert!(file.hunks[hunk].removes(line));
                }
                (got, place) => prop_assert!(false, "{line}: {got:?} instead of {place:?}"),
            }
        }
    }
}
