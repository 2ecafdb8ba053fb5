//! Each invariant holds where it should and is broken where it should be.

use rereview_core::ids::ThreadId;

use super::{finding, github, key, law, reply};
use crate::footers::{footer, footers, visible};
use crate::github::GitHub;
use crate::invariants::{Law, Resolving, changes, violations};

const BOT: &str = "bot[bot]";

/// What happened: a step at a thread by its number in the order it was opened.
enum Step {
    Open(&'static str),
    Say(usize, &'static str, &'static str),
    Resolve(usize, &'static str),
    Unresolve(usize, &'static str),
    Write(usize, &'static str, &'static str),
}

use Step::{Open, Resolve, Say, Unresolve, Write};

fn play(github: &mut GitHub, steps: &[Step]) {
    for step in steps {
        let id = |n: usize| -> ThreadId { github.pull(1).threads[n].id.clone() };
        match *step {
            Open(name) => {
                github.act(BOT, 1).comment("a.txt", 3, &finding(name)).unwrap();
            }
            Say(n, name, kind) => {
                let thread = id(n);
                github.act(BOT, 1).reply(&thread, &reply("lint", name, kind)).unwrap();
            }
            Resolve(n, who) => {
                let thread = id(n);
                // A job's token may; as a person the bot has no role.
                let role = rereview::forge::Permission::Write;
                let me = rereview_core::ids::Account::from_login(BOT);
                github.users.get_mut(&me).unwrap().role = role;
                github.act(who, 1).resolve(&thread).unwrap();
            }
            Unresolve(n, who) => {
                let thread = id(n);
                github.act(who, 1).unresolve(&thread).unwrap();
            }
            Write(n, who, body) => {
                let thread = id(n);
                github.act(who, 1).reply(&thread, body).unwrap();
            }
        }
    }
}

fn check(what: &str, steps: &[Step], run: &[Step], law: &Law, items: &[&str]) {
    let mut before = github();
    play(&mut before, steps);
    let mut after = before.clone();
    play(&mut after, run);
    let found = violations(&before, &after, 1, law);
    let numbers: Vec<&str> = found.iter().filter_map(|text| text.split(':').next()).collect();
    assert_eq!(numbers, items, "{what}: {found:#?}");
}

#[test]
fn what_holds_and_what_does_not() {
    let (none, k1) = (law(&[]), law(&["1"]));
    let refused = Law { resolving: Resolving::Refused, ..law(&[]) };
    let refused_k1 = Law { resolving: Resolving::Refused, ..law(&["1"]) };
    let open = [Open("1")];
    check("still open", &open, &[], &k1, &[]);
    check("twice", &[], &[Open("1"), Open("1")], &k1, &["1"]);
    check("two keys", &[], &[Open("1"), Open("2")], &law(&["1", "2"]), &[]);
    check("clean", &open, &[Say(0, "1", "resolution"), Resolve(0, BOT)], &none, &[]);
    check("resolved but present", &open, &[Resolve(0, BOT)], &k1, &["2"]);
    check("forgotten", &open, &[], &none, &["2", "2"]);
    check("resolve refused", &open, &[Say(0, "1", "resolution")], &refused, &[]);
    check("refused and silent", &open, &[], &refused, &["2"]);
    check("ruled", &[Open("1"), Resolve(0, "alice")], &[], &k1, &[]);
    let ruled = [Open("1"), Resolve(0, "alice")];
    check("ruling undone", &ruled, &[Unresolve(0, BOT)], &k1, &["3"]);
    check("ruling commented", &ruled, &[Say(0, "1", "concurrence")], &k1, &["3"]);
    check("reappeared", &[Open("1"), Resolve(0, BOT)], &[Open("1")], &k1, &[]);
    let superseded = [Open("1"), Say(0, "1", "superseded")];
    check("superseded", &open, &superseded, &k1, &["1"]);
    check("superseded, refused", &open, &superseded, &refused_k1, &[]);
    let no = "improper-resolution";
    let improper = [Unresolve(0, BOT), Say(0, "1", no)];
    check("improper", &[Open("1"), Resolve(0, "dev")], &improper, &k1, &[]);
    check(
        "improper twice",
        &[Open("1"), Resolve(0, "dev")],
        &[Say(0, "1", no), Say(0, "1", no)],
        &k1,
        &["4"],
    );
    check("disagreed", &open, &[Say(0, "1", "disagreement")], &k1, &[]);
    let twice = [Say(0, "1", "disagreement"), Say(0, "1", "disagreement")];
    check("disagreed twice", &open, &twice, &k1, &["4"]);
    let concur = [Say(0, "1", "concurrence"), Say(0, "1", "concurrence")];
    check("concurred twice", &open, &concur, &k1, &["4"]);
    check("pinged", &open, &[Write(0, BOT, "cc @alice look")], &k1, &["10"]);
    check("pinged in prose", &open, &[Write(0, BOT, "by @dev")], &k1, &["10"]);
    check("code pings nobody", &open, &[Write(0, BOT, "`@dev`, a@dev, @nobody")], &k1, &[]);
    let forged = Box::leak(finding("1").into_boxed_str());
    check("forged", &open, &[Write(0, "dev", forged)], &k1, &[]);
}

#[test]
fn only_the_last_lines_are_footers() {
    let (one, two) =
        (footer("lint", &key("1"), &key("s"), None), footer("lint", &key("2"), &key("s"), None));
    let table: [(String, &[&str]); 6] = [
        (format!("text\n\n{one}"), &["1"]),
        (format!("text\r\n{one}\r\n{two}\r\n"), &["1", "2"]),
        (format!("{one}\ntext"), &[]),
        (format!("```\n{one}\n```"), &[]),
        (format!("> {one}"), &[]),
        (format!("text\n<!-- rereview: {{}} -->\n{one}"), &["1"]),
    ];
    for (body, names) in table {
        let keys: Vec<String> = footers(&body).into_iter().map(|footer| footer.key).collect();
        assert_eq!(keys, names.iter().map(|name| key(name)).collect::<Vec<_>>(), "{body}");
    }
    assert_eq!(visible(&format!("one\n\ntwo\n\n{one}\n{two}\n")), "one\ntwo");
}

#[test]
fn changes_but_for_run() {
    let meta = |run: u32, verdict: &str| {
        format!("<!-- fprime-agent: lint v1 -->\n<!-- verdict: {verdict} -->\n<!-- run: {run} -->")
    };
    let mut before = github();
    let event = rereview_core::writes::ReviewEvent::Comment;
    let id = before.act(BOT, 1).submit(event, &meta(1, "Go")).unwrap();
    play(&mut before, &[Open("1")]);
    let table = [(meta(2, "Go"), 0), (meta(2, "No-Go"), 1)];
    for (body, count) in table {
        let mut after = before.clone();
        after.pulls.values_mut().flat_map(|p| &mut p.reviews).find(|r| r.id == id).unwrap().body =
            body;
        let found = changes(before.pull(1), after.pull(1));
        assert_eq!(found.len(), count, "{found:?}");
    }
    let mut after = before.clone();
    play(&mut after, &[Say(0, "1", "resolution")]);
    // The thread, and the review that the reply makes.
    assert_eq!(changes(before.pull(1), after.pull(1)).len(), 2);
}
