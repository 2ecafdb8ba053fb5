//! Tiny repositories: what they hold, how they are checked out, what they know of lines.

use std::fs;

use crate::code::Code;
use crate::repo::{Change, Depth, RepoBuilder};
use rereview_core::ids::{RepoPath, Sha};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn numbered(range: std::ops::RangeInclusive<u32>) -> String {
    range.map(|n| format!("line {n}\n")).collect()
}

#[test]
fn the_same_calls_make_the_same_shas() {
    let make = || {
        let mut repo = RepoBuilder::new();
        let base = repo.commit(&[("a", "1\n")]);
        let side = repo.branch("side").commit(&[("b", "2\n")]);
        repo.switch("main").commit(&[("c", "3\n")]);
        let merged = repo.merge(&side);
        repo.reset(&base).commit(&[("a", "other\n")]);
        (merged, repo.tip())
    };
    assert_eq!(make(), make());
}

#[test]
fn everything_that_git_can_hold() {
    let mut repo = RepoBuilder::new();
    repo.commit(&[("run.sh", "#!/bin/sh\n"), ("dir/old.txt", "text\n"), ("gone", "x\n")]);
    let module = Sha::new(&"1".repeat(40)).unwrap();
    let head = repo.change(&[
        Change::Executable("run.sh"),
        Change::Rename("dir/old.txt", "new.txt"),
        Change::Delete("gone"),
        Change::Symlink("link", "../outside"),
        Change::Submodule("vendor/lib", &module),
        Change::Write("raw.bin", b"\0\xff"),
    ]);
    let place = repo.checkout(&head, Depth::Full);
    assert!(place.join("new.txt").is_file() && !place.join("dir").exists());
    assert!(!place.join("gone").exists());
    assert_eq!(fs::read_link(place.join("link")).unwrap().to_str(), Some("../outside"));
    assert_eq!(fs::read(place.join("raw.bin")).unwrap(), b"\0\xff");
    assert!(place.join("vendor/lib").is_dir());
    let mode = fs::metadata(place.join("run.sh")).unwrap().permissions();
    assert!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o100 != 0);
}

#[test]
fn checkouts_as_jobs_have_them() {
    let mut repo = RepoBuilder::new();
    let fork = repo.commit(&[("a", "1\n")]);
    let head = repo.branch("topic").commit(&[("b", "2\n")]);
    let base = repo.switch("main").commit(&[("c", "3\n")]);
    let merge = repo.test_merge(&base, &head);
    assert_eq!(repo.tip(), base, "the test merge is on no branch");
    for (commit, depth, knows_fork) in
        [(&head, Depth::Full, true), (&head, Depth::One, false), (&merge, Depth::One, false)]
    {
        let place = repo.checkout(commit, depth);
        let opened = git2::Repository::open(&place).unwrap();
        let at = opened.head().unwrap().target().unwrap().to_string();
        assert_eq!(at, commit.as_str());
        assert!(opened.head_detached().unwrap());
        let fork = git2::Oid::from_str(fork.as_str()).unwrap();
        assert_eq!(opened.find_commit(fork).is_ok(), knows_fork);
        assert_eq!(opened.is_shallow(), depth == Depth::One);
        assert_eq!(place.join("c").exists(), *commit == merge);
    }
}

#[test]
fn hunks_start_where_the_branches_parted() {
    let mut repo = RepoBuilder::new();
    repo.commit(&[("a", &numbered(1..=40)), ("gone", "x\n")]);
    let first = repo.branch("topic").commit(&[("new", "one\ntwo\n")]);
    let text = numbered(1..=40).replace("line 20\n", "").replace("line 40\n", "end\n");
    let head = repo.change(&[
        Change::Write("a", text.as_bytes()),
        Change::Delete("gone"),
        Change::Write("empty", b""),
    ]);
    let base = repo.switch("main").commit(&[("of-main", "x\n")]);
    let hunks = repo.hunks(&base, &head);
    assert_eq!(hunks[&path("a")], [17..=22, 36..=39]);
    assert_eq!(hunks[&path("new")], [1..=2]);
    assert_eq!(hunks[&path("empty")], []);
    assert_eq!(hunks.len(), 3, "neither of-main nor gone: {hunks:?}");
    assert_eq!(repo.commits(&base, &head), [first, head]);
}

#[test]
fn lines_move() {
    let mut repo = RepoBuilder::new();
    let from = repo.commit(&[("a", &numbered(1..=20)), ("gone", "x\n"), ("same", "x\n")]);
    let text = String::from("new\n")
        + &numbered(1..=20).replace("line 5\n", "").replace("line 9\n", "line nine\n");
    let to = repo.change(&[
        Change::Rename("a", "b"),
        Change::Write("b", text.as_bytes()),
        Change::Delete("gone"),
    ]);
    let moves = repo.moves(&from, &to);
    let table = [(1, Some(2)), (4, Some(5)), (5, None), (6, Some(6)), (9, None), (20, Some(20))];
    for (line, now) in table {
        let expected = now.map(|now| (path("b"), now));
        assert_eq!(moves.line(&path("a"), line), expected, "line {line}");
    }
    assert_eq!(moves.line(&path("gone"), 1), None);
    assert_eq!(moves.line(&path("same"), 1), Some((path("same"), 1)));
}
