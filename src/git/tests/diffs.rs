//! Tree diffs: every kind of file, and agreement with git's own diff.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use git2::FileMode::{Blob, BlobExecutable, Commit, Link};
use proptest::prelude::*;
use rereview_core::ids::Sha;
use rereview_core::lines::{FileDiff, Mapped, TreeDiff};

use super::world::{Entry, World, git, path};

/// One line for each file: status, content, paths, changes, and where comments can stand.
fn shown(diff: &TreeDiff) -> String {
    let mut text = String::new();
    for file in diff.files() {
        let name = |path: &Option<rereview_core::ids::RepoPath>| {
            path.as_ref().map_or("-".to_owned(), |path| path.as_str().to_owned())
        };
        let hunks: Vec<String> = file
            .hunks
            .iter()
            .map(|hunk| format!("-{:?} +{:?}", hunk.old_text, hunk.new_text))
            .collect();
        text += &format!(
            "{:?} {:?} {:?} {:?} {hunks:?} {:?}\n",
            file.status,
            file.content,
            name(&file.old_path),
            name(&file.new_path),
            file.commentable(3),
        );
    }
    text
}

/// The difference of two trees, in the words of [`shown`].
fn check(old: &[Entry<'_>], new: &[Entry<'_>], expected: &str) {
    let world = World::new();
    let (old, new) = (world.commit(&[], old), world.commit(&[], new));
    let diff = world.open().tree_diff(&old, &new).expect("a diff");
    assert_eq!(shown(&diff).trim_end(), expected);
}

#[test]
fn text_that_looks_like_a_header() {
    let body =
        "select 1;\nselect 2;\nselect 3;\nselect 4;\nselect 5;\nselect 6;\nselect 7;\nselect 8;\n";
    let old = format!("-- old note\n{body}select 9;\n");
    let new = format!("-- new note\n{body}select 99;\n++ n\n");
    check(
        &[("q.sql", Blob, old.as_bytes()), ("docs b/my file.txt", Blob, b"one\ntwo\n")],
        &[("q.sql", Blob, new.as_bytes()), ("docs b/my file.txt", Blob, b"one\ntwo\nthree\n")],
        r#"Modified Text "docs b/my file.txt" "docs b/my file.txt" ["-[] +[\"three\"]"] [1..=3]
Modified Text "q.sql" "q.sql" ["-[\"-- old note\"] +[\"-- new note\"]", "-[\"select 9;\"] +[\"select 99;\", \"++ n\"]"] [1..=4, 7..=11]"#,
    );
}

#[test]
fn files_without_lines() {
    let pointer = |digit: char| {
        let oid = digit.to_string().repeat(64);
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 9\n")
    };
    let (lfs_old, lfs_new) = (pointer('a'), pointer('b'));
    let (one, two) = ("1".repeat(40), "2".repeat(40));
    check(
        &[
            ("a.txt", Blob, b"moved\n"),
            ("b.bin", Blob, b"\0old"),
            ("dep", Commit, one.as_bytes()),
            ("gone.txt", Blob, b"x\ny\n"),
            ("link", Link, b"run.sh"),
            ("model.dat", Blob, lfs_old.as_bytes()),
            ("run.sh", Blob, b"echo\n"),
            ("was-file", Blob, b"x\n"),
            ("was-link", Link, b"run.sh"),
        ],
        &[
            ("b.bin", Blob, b"\0new"),
            ("b.txt", Blob, b"moved\n"),
            ("dep", Commit, two.as_bytes()),
            ("empty.txt", Blob, b""),
            ("link", Link, b"../../etc/passwd"),
            ("model.dat", Blob, lfs_new.as_bytes()),
            ("run.sh", BlobExecutable, b"echo\n"),
            ("vendor/lib", Commit, one.as_bytes()),
            ("was-file", Link, b"run.sh"),
            ("was-link", Blob, b"run.sh"),
        ],
        r#"Modified Binary "b.bin" "b.bin" [] []
Renamed Text "a.txt" "b.txt" [] []
Modified Submodule "dep" "dep" [] []
Added Text "-" "empty.txt" [] []
Deleted Text "gone.txt" "-" ["-[\"x\", \"y\"] +[]"] []
Modified Symlink "link" "link" [] []
Modified LfsPointer "model.dat" "model.dat" [] []
Modified ModeOnly "run.sh" "run.sh" [] []
Added Submodule "-" "vendor/lib" [] []
TypeChanged Symlink "was-file" "was-file" [] []
TypeChanged Text "was-link" "was-link" ["-[] +[\"run.sh\"]"] [1..=1]"#,
    );
}

#[test]
fn ordinary_oddities() {
    check(
        &[
            ("bom", Blob, b"\xef\xbb\xbfone\ntwo\n"),
            ("crlf", Blob, b"one\r\ntwo\r\n"),
            ("end", Blob, b"one\ntwo"),
            ("latin", Blob, b"caf\xe9\n"),
            ("to-crlf", Blob, b"one\n"),
        ],
        &[
            ("bom", Blob, b"\xef\xbb\xbfone\n2\n"),
            ("crlf", Blob, b"one\r\n2\r\n"),
            ("end", Blob, b"one\ntwo\n"),
            ("latin", Blob, b"caf\xe8\n"),
            ("to-crlf", Blob, b"one\r\n"),
            ("\u{fc}\"q\"\t\u{1f600}", Blob, b"x\n"),
        ],
        r#"Modified Text "bom" "bom" ["-[\"two\"] +[\"2\"]"] [1..=2]
Modified Text "crlf" "crlf" ["-[\"two\"] +[\"2\"]"] [1..=2]
Modified Text "end" "end" ["-[\"two\"] +[\"two\"]"] [1..=2]
Modified Text "latin" "latin" ["-[\"caf�\"] +[\"caf�\"]"] [1..=1]
Modified Text "to-crlf" "to-crlf" ["-[\"one\"] +[\"one\"]"] [1..=1]
Added Text "-" "ü\"q\"\t😀" ["-[] +[\"x\"]"] [1..=1]"#,
    );
}

#[test]
fn attributes_hide_nothing() {
    let attributes: Entry<'_> = (".gitattributes", Blob, b"* -diff -text binary\n");
    check(
        &[attributes, ("a.rs", Blob, b"one\n")],
        &[attributes, ("a.rs", Blob, b"two\n")],
        r#"Modified Text "a.rs" "a.rs" ["-[\"one\"] +[\"two\"]"] [1..=1]"#,
    );
}

#[test]
fn one_long_line() {
    let world = World::new();
    let (old, new) = ("a".repeat(400_000), "b".repeat(400_000));
    let (old, new) =
        (world.texts(&[], &[("big.json", &old)]), world.texts(&[], &[("big.json", &new)]));
    let diff = world.open().tree_diff(&old, &new).expect("a diff");
    assert_eq!(diff.files()[0].commentable(3), [1..=1]);
    assert_eq!(diff.files()[0].hunks[0].new_text[0].len(), 4096);
}

#[test]
fn three_dots_leave_out_what_the_base_did() {
    // Case G05 (a): the branch merges main, which gained base.py.
    let world = World::new();
    let root = world.texts(&[], &[("app.py", "1\n2\n3\n")]);
    let topic = world.texts(&[&root], &[("app.py", "1\n2\nthree\n")]);
    let main = world.texts(&[&root], &[("app.py", "1\n2\n3\n"), ("base.py", "x\ny\n")]);
    let both = [("app.py", "1\n2\nthree\n"), ("base.py", "x\ny\n")];
    let head = world.texts(&[&topic, &main], &both);
    let diff = world.open().three_dot(&main, &head).expect("a diff");
    assert_eq!(diff.files().len(), 1);
    assert_eq!(diff.added(&path("app.py")).ranges(), [3..=3]);
}

#[test]
fn lines_of_a_test_merge_lead_to_the_head() {
    // Case G05 (b): the report was made on the merge, where main has three more lines on top.
    let world = World::new();
    let head = world.texts(&[], &[("app.py", "a\nb\nflagged\n")]);
    let merge = world.texts(&[], &[("app.py", "x\ny\nz\na\nb\nflagged\n")]);
    let diff = world.open().tree_diff(&merge, &head).expect("a diff");
    let app = path("app.py");
    assert_eq!(diff.map_line(&app, 6), Mapped::Same { path: &app, line: 3 });
    assert_eq!(diff.map_line(&app, 2), Mapped::Changed { path: &app, hunk: 0 });
}

#[test]
fn thousands_of_files() {
    let world = World::new();
    let texts: Vec<(String, String, String)> = (0..3000)
        .map(|at| (format!("f{at}"), format!("{at}\nkept\n"), format!("{at}\nkept\nnew\n")))
        .collect();
    let old: Vec<_> = texts.iter().map(|(path, old, _)| (path.as_str(), old.as_str())).collect();
    let new: Vec<_> = texts.iter().map(|(path, _, new)| (path.as_str(), new.as_str())).collect();
    let (old, new) = (world.texts(&[], &old), world.texts(&[], &new));
    let diff = world.open().tree_diff(&old, &new).expect("a diff");
    assert_eq!(diff.files().len(), 3000);
    assert!(diff.files().iter().all(|file| file.added().ranges() == [3..=3]));
}

/// The new-side ranges of the hunk headers that `git diff` prints, by path.
fn git_ranges(world: &World, old: &Sha, new: &Sha) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
    let arguments = ["diff", "-U3", "--no-renames", "--no-prefix", old.as_str(), new.as_str()];
    let printed = git(&world.root(), &arguments);
    let mut ranges: BTreeMap<String, Vec<_>> = BTreeMap::new();
    let mut path = String::new();
    for line in String::from_utf8_lossy(&printed).lines() {
        if let Some(paths) = line.strip_prefix("diff --git ") {
            path = paths.split(' ').next().expect("a path").to_owned();
        } else if let Some(header) = line.strip_prefix("@@ ") {
            let new = header.split(' ').nth(1).expect("a range").trim_start_matches('+');
            let (start, count) = new.split_once(',').unwrap_or((new, "1"));
            let (start, count): (u32, u32) =
                (start.parse().expect("a line"), count.parse().expect("a count"));
            if count > 0 {
                ranges.entry(path.clone()).or_default().push(start..=start + count - 1);
            }
        }
    }
    ranges
}

/// The same from libgit2 with three lines of context.
fn libgit2_ranges(old: &str, new: &str) -> Vec<RangeInclusive<u32>> {
    let mut options = git2::DiffOptions::new();
    options.context_lines(3).indent_heuristic(true);
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let patch = git2::Patch::from_buffers(old, None, new, None, Some(&mut options));
    let patch = patch.expect("a patch");
    (0..patch.num_hunks())
        .map(|at| patch.hunk(at).expect("a hunk").0)
        .filter(|hunk| hunk.new_lines() > 0)
        .map(|hunk| hunk.new_start()..=hunk.new_start() + hunk.new_lines() - 1)
        .collect()
}

/// What is not removed keeps its text and its order, and the rest of the new file is added.
fn check_map(file: &FileDiff, old: &str, new: &str) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut kept = BTreeSet::new();
    for (at, text) in (1..).zip(&old) {
        match file.map_line(at) {
            Mapped::Same { line, .. } => {
                assert_eq!(new[line as usize - 1], *text);
                assert!(kept.last().is_none_or(|last| *last < line));
                kept.insert(line);
            }
            Mapped::Changed { hunk, .. } => {
                let hunk = &file.hunks[hunk];
                assert_eq!(hunk.old_text[(at - hunk.old_start) as usize], *text);
            }
            Mapped::Gone => assert!(file.new_path.is_none()),
        }
    }
    let added = file.added();
    for (at, text) in (1..).zip(&new) {
        assert_ne!(kept.contains(&at), added.contains(at), "line {at}: {text}");
        if let Some(hunk) = file.hunks.iter().find(|hunk| hunk.adds(at)) {
            assert_eq!(hunk.new_text[(at - hunk.new_start) as usize], *text);
        }
    }
}

/// Few different lines, so that changes meet, repeat and slide; some without an end.
fn some_text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec!["", "a", "b", "  c", "    d", "}", "e\r"]);
    (prop::collection::vec(line, 0..40), any::<bool>()).prop_map(|(lines, open)| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if open { text.trim_end_matches('\n').to_owned() } else { text }
    })
}

/// A text and one with a few edits: a place, how many lines go, and what comes.
fn edited() -> impl Strategy<Value = (String, String)> {
    let edit = (0usize..60, 0usize..4, prop::collection::vec("[a-c}]{0,1}", 0..3));
    (some_text(), prop::collection::vec(edit, 1..5)).prop_map(|(old, edits)| {
        let mut lines: Vec<String> = old.split_inclusive('\n').map(str::to_owned).collect();
        for (at, removed, added) in edits {
            let at = at.min(lines.len());
            let to = (at + removed).min(lines.len());
            lines.splice(at..to, added.into_iter().map(|line| format!("{line}\n")));
        }
        (old, lines.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn runs_and_maps_agree_with_git(pairs in prop::collection::vec(edited(), 1..40)) {
        let world = World::new();
        let names: Vec<String> = (0..pairs.len()).map(|at| format!("f{at:02}")).collect();
        let side = |pick: fn(&(String, String)) -> &String| {
            let files: Vec<_> = names.iter().zip(&pairs).map(|(n, p)| (n.as_str(), pick(p).as_str())).collect();
            world.texts(&[], &files)
        };
        let (old, new) = (side(|pair| &pair.0), side(|pair| &pair.1));
        let diff = world.open().tree_diff(&old, &new).expect("a diff");
        let printed = git_ranges(&world, &old, &new);
        for (name, (old, new)) in names.iter().zip(&pairs) {
            let Some(file) = diff.by_new_path(&path(name)) else {
                prop_assert_eq!(old, new);
                continue;
            };
            let runs = file.commentable(3);
            prop_assert_eq!(&runs, &printed.get(name).cloned().unwrap_or_default(), "{:?} {:?}", old, new);
            prop_assert_eq!(&runs, &libgit2_ranges(old, new));
            check_map(file, old, new);
        }
    }

    /// Files with few lines, moved and edited: every rename that git finds, and no other.
    #[test]
    fn renames_agree_with_git(
        pairs in prop::collection::vec(edited(), 1..12),
        keeps_name in prop::collection::vec(any::<bool>(), 12),
    ) {
        let world = World::new();
        let name = |at: usize, folder: &str, keeps: bool| {
            format!("{folder}/{}{at}", if keeps { "same" } else { folder })
        };
        let names: Vec<(String, String)> = (0..pairs.len())
            .map(|at| (name(at, "old", keeps_name[at]), name(at, "new", keeps_name[at])))
            .collect();
        let old: Vec<_> = names.iter().zip(&pairs).map(|(n, p)| (n.0.as_str(), p.0.as_str())).collect();
        let new: Vec<_> = names.iter().zip(&pairs).map(|(n, p)| (n.1.as_str(), p.1.as_str())).collect();
        let (old, new) = (world.texts(&[], &old), world.texts(&[], &new));
        let diff = world.open().tree_diff(&old, &new).expect("a diff");
        let ours: BTreeSet<String> = diff.files().iter().filter_map(|file| {
            Some(format!("{}\t{}", file.old_path.as_ref()?, file.new_path.as_ref()?))
        }).collect();
        let arguments = ["diff", "-M50%", "--name-status", "--diff-filter=R", old.as_str(), new.as_str()];
        let printed = String::from_utf8(git(&world.root(), &arguments)).expect("UTF-8");
        let theirs: BTreeSet<String> = printed.lines()
            .filter_map(|line| Some(line.split_once('\t')?.1.to_owned())).collect();
        prop_assert_eq!(ours, theirs);
    }
}
