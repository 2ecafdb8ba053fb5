//! The naive recount, on hand-made threads.

use rereview_core::ids::ThreadId;
use rereview_core::writes::ReviewEvent;

use super::{finding, github, law, reply};
use crate::footers::footer;
use crate::github::GitHub;
use crate::recount::{History, Notes, recount, wrong_counters};

const BOT: &str = "bot[bot]";

fn open(github: &mut GitHub, name: &str) -> ThreadId {
    github.act(BOT, 1).comment("a.txt", 3, &finding(name)).unwrap()
}

fn say(github: &mut GitHub, thread: &ThreadId, agent: &str, name: &str, kind: &str) {
    github.act(BOT, 1).reply(thread, &reply(agent, name, kind)).unwrap();
}

#[test]
fn what_counts_as_settled() {
    let mut github = github();
    let threads: Vec<_> = ["1", "2", "3", "4", "5"].map(|name| open(&mut github, name)).into();
    let count = |github: &GitHub| {
        let count = recount(github.pull(1), "lint", &law(&["1", "4"]));
        (count.columns.get("must_fix").copied().unwrap_or(0), count.resolved)
    };
    assert_eq!(count(&github), (5, 0));
    say(&mut github, &threads[1], "lint", "2", "resolution");
    assert_eq!(count(&github), (5, 1), "replied, the resolve was refused");
    github.act("alice", 1).resolve(&threads[2]).unwrap();
    assert_eq!(count(&github), (5, 2), "resolved");
    say(&mut github, &threads[4], "lint", "5", "superseded");
    github.act("alice", 1).resolve(&threads[4]).unwrap();
    assert_eq!(count(&github), (4, 2), "another took its place");
    github.act("dev", 1).resolve(&threads[3]).unwrap();
    assert_eq!(count(&github), (4, 3), "resolved, however badly");
    say(&mut github, &threads[3], "lint", "4", "improper-resolution");
    assert_eq!(count(&github), (4, 2), "answered; the un-resolve was refused");

    let canonical = github.pull(1).threads[2].comments[0].id;
    let link = format!("https://github.com/octo-org/demo/pull/1#discussion_r{canonical}");
    let close = footer("summary", "0", "0", Some("duplicate-close"));
    github.act(BOT, 1).reply(&threads[0], &format!("See {link}\n\n{close}")).unwrap();
    assert_eq!(count(&github), (4, 3), "as its canonical thread, which is resolved");
}

#[test]
fn a_concurrence_counts_for_both() {
    let mut github = github();
    let thread = open(&mut github, "1");
    let concur = format!(
        "[Sec] **Concur** — also in scope for x: y; severity from my scope: **could fix**.\n\n{}",
        footer("sec", "9", "9", Some("concurrence"))
    );
    github.act(BOT, 1).reply(&thread, &concur).unwrap();
    let columns = |agent| recount(github.pull(1), agent, &law(&[])).columns;
    assert_eq!(columns("lint"), [("must_fix", 1)].into());
    assert_eq!(columns("sec"), [("could_fix", 1)].into());
}

#[test]
fn metadata_is_held_against_the_threads() {
    let mut world = github();
    let event = ReviewEvent::Comment;
    let meta = |must_fix: u32, outstanding: u32| {
        format!(
            "<!-- fprime-agent: lint v1 -->\n<!-- counts: {{\"must_fix\": {must_fix}, \"outstanding\": {outstanding}}} -->"
        )
    };
    world.act(BOT, 1).submit(event, &meta(1, 1)).unwrap();
    open(&mut world, "1");
    let before = world.clone();
    let notes = Notes { open: 1, settled: 1 };
    let (none, whole) = (Notes::default(), History::Whole);
    let table = [
        (meta(1, 1), none, whole, 0),
        (meta(0, 0), none, whole, 3),
        (meta(1, 0), none, whole, 1),
        (meta(2, 2), none, whole, 1),
        (meta(2, 2), none, History::Torn, 0),
        (meta(3, 2), notes, whole, 0),
        ("<!-- fprime-agent: lint v1 -->\n<!-- run: 2 -->".to_owned(), none, whole, 1),
    ];
    for (body, notes, history, count) in table {
        let mut after = before.clone();
        after.act(BOT, 1).submit(event, &body).unwrap();
        let found =
            wrong_counters(before.pull(1), after.pull(1), "lint", &law(&["1"]), notes, history);
        assert_eq!(found.len(), count, "{body}: {found:?}");
    }
}
