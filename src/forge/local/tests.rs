//! The local forge: what it remembers, what it refuses, what it never destroys.

use std::fs;
use std::path::Path;

use rereview_core::footer::ReplyKind;
use rereview_core::ids::{CommentId, FindingClass, RepoPath, ThreadId};
use rereview_core::key::{Anchor, FindingKey, Twin};
use rereview_core::model::{ReviewState, Thread};
use rereview_core::writes::{NewComment, Reply, ReviewEvent, ThreadChange};

use super::*;
use crate::forge::Step;

const NOW: &str = "2026-01-01T00:00:00Z";
const LATER: &str = "2026-01-02T00:00:00Z";

fn sha(digit: char) -> Sha {
    Sha::new(&digit.to_string().repeat(40)).unwrap()
}

fn key() -> FindingKey {
    FindingKey::new(
        &rereview_core::ids::AgentName::new("lint").unwrap(),
        &RepoPath::new("a.rs").unwrap(),
        &Anchor::new(None, Some("x")),
        &Twin::first(FindingClass::from_rule("unused")),
    )
}

fn forge(directory: &Path, branch: &str) -> LocalForge {
    let pull = LocalPull { head: sha('a'), base: sha('b'), base_ref: "main".into(), author: None };
    let maintainers = BTreeSet::from([Account::from_login("alice")]);
    LocalForge::new(Home::open(directory, branch).unwrap(), pull, maintainers, NOW)
}

fn review(body: &str, comments: &[&str]) -> NewReview {
    let comment = |body: &&str| NewComment {
        key: key(),
        path: RepoPath::new("a.rs").unwrap(),
        line: 3,
        start_line: Some(2),
        body: (*body).to_owned(),
    };
    NewReview {
        commit: sha('a'),
        event: ReviewEvent::Comment,
        body: body.to_owned(),
        comments: comments.iter().map(comment).collect(),
    }
}

fn write(thread: &Thread, reply: Option<&str>, change: ThreadChange) -> ThreadWrite {
    let reply =
        reply.map(|body| Reply { kind: ReplyKind::Resolution, key: key(), body: body.to_owned() });
    ThreadWrite { thread: thread.id.clone(), reply, change }
}

#[tokio::test]
async fn what_is_written_is_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let local = forge(directory.path(), "topic/x");
    let id = local.submit_review(PULL, &review("meta", &["one", "two"])).await.unwrap();
    let snapshot = local.read(PULL).await.unwrap();
    assert_eq!(snapshot.viewer, viewer());
    assert_eq!(snapshot.pull.head, sha('a'));
    let [meta] = snapshot.reviews.as_slice() else { panic!("{:?}", snapshot.reviews) };
    assert_eq!((meta.id, meta.body.as_str(), meta.state), (id, "meta", ReviewState::Commented));
    let [one, two] = snapshot.threads.as_slice() else { panic!("{:?}", snapshot.threads) };
    assert_eq!(one.root().unwrap().body, "one");
    assert_eq!(one.root().unwrap().review, Some(id));
    assert_eq!((one.line, one.original_commit.clone()), (Some(3), Some(sha('a'))));
    assert!(one.viewer_can_resolve && !one.resolved);

    let writes = [
        write(one, Some("Fixed"), ThreadChange::Resolve),
        write(two, None, ThreadChange::Keep),
        ThreadWrite {
            thread: ThreadId::new("thread-99"),
            ..write(two, Some("?"), ThreadChange::Resolve)
        },
    ];
    let outcomes = local.write_threads(PULL, &writes).await.unwrap();
    assert_eq!(outcomes[0], ThreadOutcome { reply: Step::Done, change: Step::Done });
    assert_eq!(outcomes[1], ThreadOutcome { reply: Step::NotAsked, change: Step::NotAsked });
    assert!(matches!(outcomes[2].reply, Step::Refused(_)));

    local.update_review(PULL, id, "meta 2").await.unwrap();
    let root = one.root().unwrap();
    let edit = CommentEdit { comment: root.id, node: root.node.clone(), body: "one!".into() };
    local.edit_comment(PULL, &edit).await.unwrap();
    drop(local);

    let again = forge(directory.path(), "topic/x");
    let snapshot = again.read(PULL).await.unwrap();
    let one = &snapshot.threads[0];
    assert!(one.resolved && one.viewer_can_unresolve && one.resolved_by.is_none());
    let bodies: Vec<_> = one.comments.iter().map(|c| (c.body.as_str(), c.is_reply)).collect();
    assert_eq!(bodies, [("one!", false), ("Fixed", true)]);
    let gone = NodeId::new("review-77");
    let glance = again.glance(PULL, &[snapshot.reviews[0].node.clone(), gone]).await.unwrap();
    assert_eq!(glance.bodies, [Some("meta 2".to_owned()), None]);
}

#[tokio::test]
async fn people_answer_and_resolve() {
    let directory = tempfile::tempdir().unwrap();
    let local = forge(directory.path(), "topic");
    local.submit_review(PULL, &review("", &["one"])).await.unwrap();
    let thread = local.read(PULL).await.unwrap().threads[0].id.clone();
    let (alice, bot) = (Account::from_login("Alice"), Account::from_login("rereview[bot]"));
    local.home.reply(&thread, &alice, "why?", LATER).unwrap();
    local.home.resolve(&thread, &alice).unwrap();
    local.home.resolve(&thread, &bot).unwrap();
    let seen = local.read(PULL).await.unwrap().threads.remove(0);
    assert_eq!(seen.resolved_by, Some(alice.clone()));
    let reply = seen.replies().next().unwrap();
    assert_eq!((reply.author.as_ref(), reply.created_at.as_str()), (Some(&alice), LATER));
    let edit = CommentEdit { comment: reply.id, node: reply.node.clone(), body: "x".into() };
    assert!(matches!(local.edit_comment(PULL, &edit).await, Err(ForgeError::Forbidden { .. })));

    local.home.unresolve(&thread, &alice).unwrap();
    assert!(!local.read(PULL).await.unwrap().threads[0].resolved);
    let nowhere = ThreadId::new("thread-9");
    let refused = local.home.resolve(&nowhere, &alice);
    assert!(matches!(refused, Err(LocalError::NoThread { .. })));
    assert!(matches!(local.home.reply(&thread, &alice, " ", NOW), Err(LocalError::EmptyReply)));
}

#[tokio::test]
async fn refusals_write_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let local = forge(directory.path(), "topic");
    let empty = local.submit_review(PULL, &review(" ", &[])).await;
    assert!(matches!(empty, Err(ForgeError::Unprocessable { .. })));
    let edit = CommentEdit { comment: CommentId(4), node: NodeId::new("x"), body: "x".into() };
    assert!(matches!(local.edit_comment(PULL, &edit).await, Err(ForgeError::NotFound { .. })));
    let other = PrNumber(2);
    assert!(matches!(local.read(other).await, Err(ForgeError::NotFound { .. })));
    let pending = local.delete_pending_review(PULL, ReviewId(1)).await;
    assert!(matches!(pending, Err(ForgeError::NotFound { .. })));
    assert!(!local.home.path().exists());
    for (login, may) in [("Alice", Permission::Maintain), ("alice[bot]", Permission::None)] {
        assert_eq!(local.permission(&Account::from_login(login)).await.unwrap(), may, "{login}");
    }
}

#[tokio::test]
async fn a_broken_file_is_named_and_kept() {
    let sha = "a".repeat(40);
    let thread = |extra: &str| {
        format!(
            r#"{{"version":1,"branch":"topic","next_id":3,"reviews":[],"threads":[{{"id":1,"review":9,"path":"a","line":1,"commit":"{sha}","comments":[{extra}]}}]}}"#
        )
    };
    let comment = |id: u32| {
        format!(r#"{{"id":{id},"author":null,"created_at":"2026-01-01T00:00:00Z","body":""}}"#)
    };
    let table = [
        ("{\"version\": 1, ", "EOF"),
        ("[]", "expected"),
        ("{\"version\": 2, \"else\": []}", "version 2"),
        ("{\"version\":1,\"branch\":\"main\",\"next_id\":1,\"reviews\":[],\"threads\":[]}", "main"),
        (&thread(""), "no comment"),
        (&thread(&comment(1)), "one id"),
        (&thread(&comment(3)), "in use"),
        (&thread(&comment(2)).replace(&sha, "abc"), "commit SHA"),
        (&thread(&comment(2)).replace("\"a\"", "\"../a\""), "path"),
    ];
    for (text, cause) in table {
        let directory = tempfile::tempdir().unwrap();
        let local = forge(directory.path(), "topic");
        fs::write(local.home.path(), text).unwrap();
        let read = local.read(PULL).await.unwrap_err();
        let message = read.to_string();
        assert!(matches!(read, ForgeError::Garbled { .. }), "{text}: {message}");
        assert!(message.contains(cause) && message.contains("topic.json"), "{text}: {message}");
        local.submit_review(PULL, &review("meta", &["one"])).await.unwrap_err();
        assert_eq!(fs::read_to_string(local.home.path()).unwrap(), text);
    }
}

#[tokio::test]
async fn a_failed_write_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let local = forge(directory.path(), "topic");
    local.submit_review(PULL, &review("meta", &["one"])).await.unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(directory.path().join("rereview"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["topic.json", "topic.lock"], "no temporary file is left");
    // A reader that opened the old file keeps all of it: the new one takes its name, not its place.
    let mut old = fs::File::open(local.home.path()).unwrap();
    let before = fs::read_to_string(local.home.path()).unwrap();
    local.submit_review(PULL, &review("more", &["two"])).await.unwrap();
    let mut seen = String::new();
    std::io::Read::read_to_string(&mut old, &mut seen).unwrap();
    assert_eq!(seen, before);
    // A directory in the file's place: reading fails, writing fails, nothing is removed.
    fs::remove_file(local.home.path()).unwrap();
    fs::create_dir(local.home.path()).unwrap();
    let failed = local.submit_review(PULL, &review("meta", &[])).await;
    assert!(matches!(failed, Err(ForgeError::Unavailable { .. })));
    assert_eq!(names(), ["topic.json", "topic.lock"]);
}

#[test]
fn one_run_at_a_time_and_branch() {
    let directory = tempfile::tempdir().unwrap();
    let first = Home::open(directory.path(), "topic").unwrap();
    assert!(matches!(Home::open(directory.path(), "topic"), Err(LocalError::Busy { .. })));
    Home::open(directory.path(), "other").unwrap();
    drop(first);
    Home::open(directory.path(), "topic").unwrap();
}

#[test]
fn every_branch_has_a_file_name_of_its_own() {
    let long = "x/".repeat(150) + "a";
    let longer = "x/".repeat(150) + "b";
    let table = [
        ("main", "main.json"),
        ("topic/x", "topic%2Fx.json"),
        ("topic%2Fx", "topic%252Fx.json"),
        ("grün", "gr%C3%BCn.json"),
    ];
    for (branch, file) in table {
        let directory = tempfile::tempdir().unwrap();
        let home = Home::open(directory.path(), branch).unwrap();
        assert_eq!(home.path(), directory.path().join("rereview").join(file));
    }
    let directory = tempfile::tempdir().unwrap();
    let (one, two) = (Home::open(directory.path(), &long), Home::open(directory.path(), &longer));
    assert_ne!(one.unwrap().path(), two.unwrap().path());
}
