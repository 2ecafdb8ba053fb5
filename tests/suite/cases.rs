//! Small inputs from public bug reports of tools like this one; the names are those reports' kinds.

use rereview::error::Error;
use rereview_core::footer::{Footer, Marker};
use rereview_core::writes::ReviewEvent;
use rereview_testkit::findings::found;
use rereview_testkit::github::Access;
use rereview_testkit::repo::Change;

use crate::world::{World, error, write};

fn numbered(lines: std::ops::RangeInclusive<u32>) -> String {
    lines.map(|n| format!("line {n}\n")).collect()
}

#[test]
fn g01_text_that_looks_like_a_diff_header() {
    let old = "-- old note\nselect 1;\nselect 2;\nselect 3;\nselect 4;\nselect 5;\nselect 6;\n\
               select 7;\nselect 8;\nselect 9;\n";
    let new = old.replace("-- old note", "-- new note").replace("select 9;", "select 99;");
    let world = World::new(
        &[("q.sql", old), ("docs b/my file.txt", "one\ntwo\n"), ("plus.txt", "a\nb\n")],
        &[
            write("q.sql", &new),
            write("docs b/my file.txt", "one\ntwo\nthree\n"),
            write("plus.txt", "a\n++ n\nb\nc\n"),
        ],
    );
    world.run(&[
        error("q.sql", 10, "x"),
        error("docs b/my file.txt", 3, "x"),
        error("plus.txt", 4, "x"),
    ]);
    let places: Vec<String> = world
        .threads()
        .iter()
        .map(|thread| format!("{}:{}", thread.path, thread.original_line))
        .collect();
    assert_eq!(places, ["docs b/my file.txt:3", "plus.txt:4", "q.sql:10"]);
}

#[test]
fn g02_one_comment_outside_a_hunk_does_not_lose_the_others() {
    let base = numbered(1..=40);
    let head = base.replace("line 5\n", "LINE 5\n").replace("line 35\n", "LINE 35\n");
    let world = World::new(&[("a.txt", &base)], &[write("a.txt", &head)]);
    world.run(&[error("a.txt", 5, "f1"), error("a.txt", 20, "f3"), error("a.txt", 35, "f4")]);
    assert_eq!(world.outline().len(), 3);
    let again =
        world.run(&[error("a.txt", 5, "f1"), error("a.txt", 20, "f3"), error("a.txt", 35, "f4")]);
    assert_eq!(again.summary.since().newly_added, 0);
    assert_eq!(world.outline().len(), 3);
}

#[test]
fn g03_changed_files_without_lines_lose_nothing() {
    let gitlink = rereview_core::ids::Sha::new(&"a".repeat(40)).expect("sha");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    let mut world = World::new(
        &[
            ("run.sh", "echo\n"),
            ("a.txt", "one\n"),
            ("b.bin", "\u{0}\u{1}"),
            ("gone.txt", "x\ny\n"),
            ("ok.txt", "a\n"),
            ("model.dat", "old\n"),
        ],
        &[write("ok.txt", "a\nb\n"), write("gone.txt", "x\nz\n"), Change::Rename("a.txt", "c.txt")],
    );
    world.run(&[error("ok.txt", 2, "x"), error("gone.txt", 2, "x")]);
    assert_eq!(world.outline(), ["gone.txt open 1", "ok.txt open 1"]);
    world.push(&[
        Change::Executable("run.sh"),
        Change::Write("b.bin", b"\x00\x02"),
        Change::Delete("gone.txt"),
        Change::Write("empty.txt", b""),
        Change::Symlink("link", "../../etc/passwd"),
        Change::Submodule("vendor/lib", &gitlink),
        Change::Write("model.dat", pointer.as_bytes()),
        Change::Write("big.json", &[b'x'; 400_000]),
    ]);
    let report = world.run(&[
        error("ok.txt", 2, "x"),
        error("run.sh", 1, "x"),
        error("gone.txt", 1, "x"),
        error("link", 1, "x"),
        error("vendor/lib", 1, "x"),
        error("model.dat", 50, "x"),
    ]);
    // The old thread is settled, nothing new stands on what has no lines.
    assert_eq!(world.outline(), ["gone.txt resolved 2", "ok.txt open 1"]);
    assert!(report.summary.agents.len() == 1);
}

#[test]
fn g04_after_a_force_push_everything_is_reviewed_again() {
    let mut world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    world.forge.change(|github| {
        github.review_commits = rereview_testkit::github::ReviewCommits::FollowForcePush;
    });
    world.run(&[error("a.py", 2, "x")]);
    world.force_push(&[write("a.py", "a = 1\nb = 2\nc = 3\n")]);
    world.run(&[error("a.py", 2, "x"), found("a.py", 3, "y", "note", "Minor.")]);
    let threads = world.threads();
    let open: Vec<u32> =
        threads.iter().filter(|t| t.resolved_by.is_none()).map(|t| t.original_line).collect();
    assert_eq!(open, [2, 3], "the orphan is superseded, the minor finding is told");
}

#[test]
fn g06_a_deleted_account_is_nobody() {
    let world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    world.run(&[error("a.py", 2, "x")]);
    let thread = world.threads()[0].id.clone();
    world.forge.change(|github| {
        github.act("dev", 1).resolve(&thread).expect("resolved");
        github.ghost("dev");
    });
    let report = world.run(&[error("a.py", 2, "x")]);
    assert_eq!(report.summary.since().improperly_resolved, 1);
    assert_eq!(world.outline(), ["a.py open 2"]);
}

/// The footer of the only thread, as anybody can copy it.
fn footer_of(world: &World) -> String {
    let body = world.threads()[0].comments[0].body.clone();
    body.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn g08_g09_a_pasted_footer_mutes_nothing() {
    let mut world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    world.run(&[error("a.py", 2, "x")]);
    let footer = footer_of(&world);
    assert_eq!(Footer::parse_all(&footer, &Marker::default()).len(), 1);
    world.push(&[write("a.py", "a = 1\n")]);
    world.run(&[]);
    assert_eq!(world.outline(), ["a.py resolved 2"]);
    // A user called like the bot pastes the footer before the finding is back.
    world.push(&[write("a.py", "a = 1\nb = 2\n")]);
    world.forge.change(|github| {
        let body = format!("mine\n\n{footer}");
        github.act("rr-demo", 1).comment("a.py", 2, &body).expect("comment");
    });
    let report = world.run(&[error("a.py", 2, "x")]);
    assert_eq!(report.summary.since().newly_added, 1);
    let forged = |warning: &rereview_core::summary::Warning| {
        matches!(warning, rereview_core::summary::Warning::ForgedFooter { .. })
    };
    assert!(report.summary.warnings.iter().any(forged));
}

#[test]
fn g09_a_footer_in_a_message_is_text() {
    let world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    let message =
        format!("Bad.\n<!-- fprime-agent: lint; finding-key: {}; v1 -->", "ab".repeat(32));
    world.run(&[found("a.py", 2, "x", "error", &message)]);
    let body = world.threads()[0].comments[0].body.clone();
    assert_eq!(Footer::parse_all(&body, &Marker::default()).len(), 1);
    assert_eq!(body.matches("<!--").count(), 2, "{body}");
}

#[test]
fn a_persons_draft_stops_the_run() {
    let world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    world.forge.change(|github| {
        let comments = [];
        github.act("rr-demo[bot]", 1).draft("I am not done", &comments).expect("draft");
    });
    let result = world.try_run(&[error("a.py", 2, "x")]);
    assert!(matches!(result, Err(Error::SetUp { .. })), "{result:?}");
    assert!(world.outline().is_empty());
    world.forge.change(|github| {
        github.act("rr-demo[bot]", 1).submit_draft(ReviewEvent::Comment).expect("submitted");
    });
    world.run(&[error("a.py", 2, "x")]);
    assert_eq!(world.outline(), ["a.py open 1"]);
}

#[test]
fn g19_identical_lines_in_one_function() {
    let base = "def other():\n    pass\n";
    let first = "def sync(a, b):\n    a.close()\n    retry()\n    b.flush()\n    retry()\n";
    for order in [[3, 5], [5, 3]] {
        let mut world = World::new(&[("m.py", base)], &[write("m.py", first)]);
        world.run(&order.map(|line| error("m.py", line, "retry")));
        let lines = |world: &World| -> Vec<(u32, bool)> {
            world.threads().iter().map(|t| (t.original_line, t.resolved_by.is_some())).collect()
        };
        assert_eq!(lines(&world), [(3, false), (5, false)]);
        world.push(&[write("m.py", &first.replacen("retry()", "retry_safe()", 1))]);
        world.run(&[error("m.py", 5, "retry")]);
        assert_eq!(lines(&world), [(3, true), (5, false)]);
        let third = first.replacen("retry()", "retry_safe()", 1).replacen(
            "    a.close()\n",
            "    retry()\n    a.close()\n",
            1,
        );
        world.push(&[write("m.py", &third)]);
        world.run(&[error("m.py", 2, "retry"), error("m.py", 6, "retry")]);
        assert_eq!(lines(&world), [(3, true), (5, false), (2, false)]);
    }
}

#[test]
fn g20_one_method_name_on_two_types() {
    let text = "struct Cache; struct Disk;\nimpl Cache {\n    fn load(&self) {\n        let v = \
                read().unwrap();\n    }\n}\nimpl Store for Disk {\n    fn load(&self) {\n        \
                let v = read().unwrap();\n    }\n}\n#[cfg(unix)]\nfn open() {\n        let v = \
                read().unwrap();\n}\n#[cfg(windows)]\nfn open() {\n        let v = \
                read().unwrap();\n}\n";
    let mut world = World::new(&[("lib.rs", "\n")], &[write("lib.rs", text)]);
    world.run(&[4, 9, 14, 18].map(|line| error("lib.rs", line, "unwrap")));
    assert_eq!(world.outline(), vec!["lib.rs open 1"; 4]);
    let less = text.replacen(
        "impl Cache {\n    fn load(&self) {\n        let v = read().unwrap();\n    }\n}\n",
        "",
        1,
    );
    world.push(&[write("lib.rs", &less)]);
    world.run(&[4, 9, 13].map(|line| error("lib.rs", line, "unwrap")));
    let resolved: Vec<u32> = world
        .threads()
        .iter()
        .filter(|t| t.resolved_by.is_some())
        .map(|t| t.original_line)
        .collect();
    assert_eq!(resolved, [4]);
    world.push(&[write("lib.rs", &format!("// A remark.\n{less}"))]);
    let report = world.run(&[5, 10, 14].map(|line| error("lib.rs", line, "unwrap")));
    assert_eq!((report.summary.since().newly_added, report.summary.since().still_open), (0, 3));
}

#[test]
fn g21_markdown_that_is_no_heading_changes_no_key() {
    let text = "---\ntitle: Guide\nowner: team\n---\n\n# Install\n\n```sh\n# set the path\nrun it\n\
                ```\n- step one\n---\nCall the old API here.\n";
    let mut world = World::new(&[("guide.md", "\n")], &[write("guide.md", text)]);
    world.run(&[error("guide.md", 14, "old-api")]);
    let changed = text
        .replace("owner: team", "owner: us")
        .replace("# set the path", "# set it")
        .replace("step one", "step two");
    world.push(&[write("guide.md", &changed)]);
    world.run(&[error("guide.md", 14, "old-api")]);
    assert_eq!(world.outline(), ["guide.md open 1"]);
    let body = world.threads()[0].comments[0].body.clone();
    assert_eq!(Footer::parse_all(&body, &Marker::default()).len(), 1, "no second name");
    assert!(body.contains("\"symbol\":\"Install\""));
}

#[test]
fn g17_a_refused_un_resolve_is_said_once_and_still_blocks() {
    let world = World::new(&[("a.py", "a = 1\n")], &[write("a.py", "a = 1\nb = 2\n")]);
    world.run(&[error("a.py", 2, "x")]);
    let thread = world.threads()[0].id.clone();
    world.forge.change(|github| {
        github.act("dev", 1).resolve(&thread).expect("resolved");
        github.token("token", "rr-demo[bot]", Access::Write, Access::Read);
    });
    for _ in 0..3 {
        let report = world.run(&[error("a.py", 2, "x")]);
        assert_eq!(report.verdict(), rereview_core::model::Verdict::NoGo);
        // The list says what the verdict is about.
        assert_eq!(report.summary.must_fix.len(), 1);
        assert_eq!(world.outline(), ["a.py resolved 2"]);
    }
}
