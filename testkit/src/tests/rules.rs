//! The rules that the simulated GitHub holds everybody to.

use crate::github::{Access, GitHub, LostRoots, Refusal, ReviewCommits};
use crate::memory::MemoryForge;
use crate::people::OldHead;
use crate::repo::RepoBuilder;
use rereview::forge::{Forge, ForgeError, Permission, Step};
use rereview_core::footer::ReplyKind;
use rereview_core::ids::{
    Account, AgentName, FindingClass, NodeId, PrNumber, RepoPath, ReviewId, Sha, ThreadId,
};
use rereview_core::key::{Anchor, FindingKey, Twin};
use rereview_core::model::{ReviewState, Thread};
use rereview_core::writes::{
    CommentEdit, NewComment, NewReview, Reply, ReviewEvent, ThreadChange, ThreadWrite,
};

const PULL: PrNumber = PrNumber(1);

/// `a.txt` has 40 lines, of which the head changes 5 and 35: 2–8 and 32–38 are in the diff.
struct World {
    repo: RepoBuilder,
    base: Sha,
    head: Sha,
    forge: MemoryForge,
}

fn lines(changed: &[(u32, &str)]) -> String {
    (1..=40)
        .map(|n| match changed.iter().find(|(line, _)| *line == n) {
            Some((_, text)) => format!("{text}\n"),
            None => format!("line {n}\n"),
        })
        .collect()
}

fn world() -> World {
    let mut repo = RepoBuilder::new();
    let base = repo.commit(&[("a.txt", &lines(&[])), ("b.txt", "b\n")]);
    let head = repo.branch("topic").commit(&[("a.txt", &lines(&[(5, "five"), (35, "x")]))]);
    let people = [
        ("bot[bot]", Permission::None),
        ("other[bot]", Permission::None),
        ("dev", Permission::Read),
        ("alice", Permission::Maintain),
    ];
    let mut github = GitHub::new(&people);
    github.token("full", "bot[bot]", Access::Write, Access::Write);
    github.token("no-contents", "bot[bot]", Access::Write, Access::Read);
    github.token("fork", "bot[bot]", Access::Read, Access::Read);
    github.token("other", "other[bot]", Access::Write, Access::Write);
    github.open(1, "dev", &base, &head, &repo);
    World { repo, base, head, forge: MemoryForge::new(github, "full") }
}

fn key() -> FindingKey {
    FindingKey::new(
        &AgentName::new("lint").unwrap(),
        &RepoPath::new("a.txt").unwrap(),
        &Anchor::new(None, Some("five")),
        &Twin::first(FindingClass::from_rule("c")),
    )
}

fn comment(path: &str, start_line: Option<u32>, line: u32, body: &str) -> NewComment {
    let path = RepoPath::new(path).unwrap();
    NewComment { key: key(), path, line, start_line, body: body.to_owned() }
}

fn review(commit: &Sha, body: &str, comments: Vec<NewComment>) -> NewReview {
    let (commit, body) = (commit.clone(), body.to_owned());
    NewReview { commit, event: ReviewEvent::Comment, body, comments }
}

fn write(thread: &ThreadId, reply: Option<&str>, change: ThreadChange) -> ThreadWrite {
    let reply =
        reply.map(|body| Reply { kind: ReplyKind::Resolution, key: key(), body: body.to_owned() });
    ThreadWrite { thread: thread.clone(), reply, change }
}

impl World {
    async fn thread(&self) -> Thread {
        let new = review(&self.head, "", vec![comment("a.txt", None, 5, "finding")]);
        self.forge.submit_review(PULL, &new).await.unwrap();
        self.threads().await.pop().unwrap()
    }

    async fn threads(&self) -> Vec<Thread> {
        self.forge.read(PULL).await.unwrap().threads
    }
}

#[tokio::test]
async fn which_comments_are_taken() {
    let World { base, head, forge, .. } = world();
    let (longest, longer) = ("ü".repeat(65_536), "ü".repeat(65_537));
    let elsewhere = Sha::new(&"e".repeat(40)).unwrap();
    let table = [
        ("in a hunk", &head, comment("a.txt", None, 5, "x"), None),
        ("context counts", &head, comment("a.txt", None, 2, "x"), None),
        ("several lines", &head, comment("a.txt", Some(33), 38, "x"), None),
        ("longest body", &head, comment("a.txt", None, 5, &longest), None),
        ("outside the hunks", &head, comment("a.txt", None, 20, "x"), Some("Line")),
        ("beyond the context", &head, comment("a.txt", None, 9, "x"), Some("Line")),
        ("untouched file", &head, comment("b.txt", None, 1, "x"), Some("Path")),
        ("start is the line", &head, comment("a.txt", Some(5), 5, "x"), Some("precede")),
        ("two hunks", &head, comment("a.txt", Some(5), 35, "x"), Some("same hunk")),
        ("no text", &head, comment("a.txt", None, 5, " \n"), Some("blank")),
        ("body too long", &head, comment("a.txt", None, 5, &longer), Some("too long")),
        ("the base's commit", &base, comment("a.txt", None, 5, "x"), Some("not part")),
        ("an unknown commit", &elsewhere, comment("a.txt", None, 5, "x"), Some("not part")),
    ];
    for (what, commit, comment, refusal) in table {
        let fine = self::comment("a.txt", None, 6, "fine");
        let before = forge.github();
        let answer = forge.submit_review(PULL, &review(commit, "", vec![fine, comment])).await;
        match (refusal, answer) {
            (None, Ok(_)) => assert_eq!(forge.github().pull(1).threads.len(), 2, "{what}"),
            (Some(words), Err(ForgeError::Unprocessable { message, .. })) => {
                assert!(message.contains(words), "{what}: {message}");
                assert_eq!(forge.github(), before, "{what}: all or nothing");
            }
            (_, answer) => panic!("{what}: {answer:?}"),
        }
        forge.change(|github| *github = before);
    }
}

#[tokio::test]
async fn which_reviews_are_taken() {
    let World { head, forge, .. } = world();
    let refused = |answer: Result<ReviewId, ForgeError>, words: &str| match answer {
        Err(ForgeError::Unprocessable { message, .. }) => {
            assert!(message.contains(words), "{message}");
        }
        other => panic!("{words}: {other:?}"),
    };
    refused(forge.submit_review(PULL, &review(&head, " ", vec![])).await, "body is required");
    let approval = NewReview { event: ReviewEvent::Approve, ..review(&head, "", vec![]) };
    let id = forge.submit_review(PULL, &approval).await.unwrap();
    assert_eq!(forge.read(PULL).await.unwrap().reviews[0].state, ReviewState::Approved);
    let own = forge.change(|github| github.act("dev", 1).submit(ReviewEvent::Approve, ""));
    assert!(matches!(own, Err(Refusal::Unprocessable(_))));
    forge.change(|github| github.act("alice", 1).dismiss(id).unwrap());
    let again = forge.change(|github| github.act("alice", 1).dismiss(id));
    assert!(again.is_err(), "dismissed already");

    let draft = [("a.txt", 5, "mine")];
    forge.change(|github| github.act("bot[bot]", 1).draft("", &draft).unwrap());
    refused(forge.submit_review(PULL, &approval).await, "one pending review");
    let snapshot = forge.read(PULL).await.unwrap();
    let draft = snapshot.reviews.last().unwrap();
    assert_eq!((draft.state, draft.comment_count), (ReviewState::Pending, 1));
    assert_eq!((draft.submitted_at.as_ref(), snapshot.threads.len()), (None, 1));
    let others = forge.with_token("other").read(PULL).await.unwrap();
    assert_eq!((others.reviews.len(), others.threads.len()), (1, 0), "drafts are private");
    let foreign = forge.with_token("other").delete_pending_review(PULL, draft.id).await;
    assert!(matches!(foreign, Err(ForgeError::NotFound { .. })));
    forge.delete_pending_review(PULL, draft.id).await.unwrap();
    assert_eq!(forge.read(PULL).await.unwrap().threads, []);
    let submitted = forge.delete_pending_review(PULL, id).await;
    assert!(matches!(submitted, Err(ForgeError::Unprocessable { .. })));
}

#[tokio::test]
async fn a_reply_makes_a_review_of_its_own_and_bots_resolve_as_nobody() {
    let world = world();
    let thread = world.thread().await;
    let before = thread.comments[0].created_at.clone();
    let writes = [write(&thread.id, Some("Fixed"), ThreadChange::Resolve)];
    let done = world.forge.write_threads(PULL, &writes).await.unwrap();
    assert_eq!((&done[0].reply, &done[0].change), (&Step::Done, &Step::Done));
    let snapshot = world.forge.read(PULL).await.unwrap();
    let now = &snapshot.threads[0];
    assert!(now.resolved && now.resolved_by.is_none());
    assert!(now.viewer_can_unresolve && !now.viewer_can_resolve);
    assert!(now.comments[1].is_reply && now.comments[1].created_at > before);
    let made = snapshot.reviews.iter().find(|r| Some(r.id) == now.comments[1].review).unwrap();
    assert_eq!((made.body.as_str(), made.state), ("", ReviewState::Commented));

    world.forge.change(|github| github.act("alice", 1).resolve(&thread.id).unwrap());
    assert_eq!(world.threads().await[0].resolved_by, None, "who was first");
    world.forge.change(|github| github.act("alice", 1).unresolve(&thread.id).unwrap());
    world.forge.change(|github| github.act("alice", 1).resolve(&thread.id).unwrap());
    assert_eq!(world.threads().await[0].resolved_by, Some(Account::from_login("alice")));
    world.forge.change(|github| github.ghost("alice"));
    assert_eq!(world.threads().await[0].resolved_by, None, "a deleted account");
}

#[tokio::test]
async fn what_a_token_may_do() {
    let world = world();
    let thread = world.thread().await;
    let root = &thread.comments[0];
    let edit = CommentEdit { comment: root.id, node: root.node.clone(), body: "new".into() };
    let both = [write(&thread.id, Some("Fixed"), ThreadChange::Resolve)];

    let weak = world.forge.with_token("no-contents");
    let outcome = weak.write_threads(PULL, &both).await.unwrap().remove(0);
    assert_eq!(outcome.reply, Step::Done, "each step by itself");
    assert!(matches!(outcome.change, Step::Refused(_)));
    assert!(!weak.read(PULL).await.unwrap().threads[0].viewer_can_resolve);

    let fork = world.forge.with_token("fork");
    let outcome = fork.write_threads(PULL, &both).await.unwrap().remove(0);
    assert!(matches!((outcome.reply, outcome.change), (Step::Refused(_), Step::Refused(_))));
    let denied = fork.submit_review(PULL, &review(&world.head, "x", vec![])).await;
    assert!(matches!(denied, Err(ForgeError::Forbidden { permission, .. })
        if permission == "pull-requests: write"));

    let other = world.forge.with_token("other");
    assert!(matches!(other.edit_comment(PULL, &edit).await, Err(ForgeError::Forbidden { .. })));
    let review = root.review.unwrap();
    let denied = other.update_review(PULL, review, "x").await;
    assert!(matches!(denied, Err(ForgeError::Forbidden { .. })));
    let missing = other.update_review(PULL, ReviewId(1), "x").await;
    assert!(matches!(missing, Err(ForgeError::NotFound { .. })));
    world.forge.edit_comment(PULL, &edit).await.unwrap();
    assert_eq!(world.threads().await[0].comments[0].body, "new");

    let stranger = world.forge.with_token("nonsense").read(PULL).await;
    assert_eq!(stranger, Err(ForgeError::Unauthorized));
    assert!(matches!(world.forge.read(PrNumber(2)).await, Err(ForgeError::NotFound { .. })));
    let unknown = write(&ThreadId::new("PRRT_99"), Some("?"), ThreadChange::Keep);
    let outcome = world.forge.write_threads(PULL, &[unknown]).await.unwrap().remove(0);
    assert!(matches!((outcome.reply, outcome.change), (Step::Refused(_), Step::NotAsked)));
    for (login, role) in
        [("ALICE", Permission::Maintain), ("dev", Permission::Read), ("nobody", Permission::None)]
    {
        let asked = world.forge.permission(&Account::from_login(login)).await.unwrap();
        assert_eq!(asked, role, "{login}");
    }
}

#[tokio::test]
async fn threads_follow_their_line() {
    let mut world = world();
    let thread = world.thread().await;
    let topic = |changed: &[(u32, &str)], above: &str| above.to_owned() + &lines(changed);
    let both = [(5, "five"), (35, "x")];
    // What is pushed, where the thread stands then.
    let table = [
        ("two lines above", topic(&both, "n\nn\n"), Some(7)),
        ("its line edited", topic(&[(5, "FIVE"), (35, "x")], ""), None),
        ("back again", topic(&both, ""), Some(5)),
        ("no longer in the diff", topic(&[(35, "x")], ""), None),
    ];
    for (what, text, line) in table {
        let head = world.repo.commit(&[("a.txt", &text)]);
        world.forge.change(|github| github.push(1, &head, &world.repo));
        let now = world.threads().await.remove(0);
        assert_eq!((now.line, now.outdated), (line, line.is_none()), "{what}");
        assert_eq!(now.original_line, Some(5), "{what}");
        assert_eq!(now.commit == Some(head), line.is_some(), "{what}");
    }
    assert_eq!(thread.path, world.threads().await[0].path);
}

#[tokio::test]
async fn a_force_push_orphans_threads_and_moves_reviews() {
    let mut world = world();
    world.thread().await;
    let first = world.head.clone();
    world.forge.change(|github| github.review_commits = ReviewCommits::FollowForcePush);
    world.repo.reset(&world.base.clone());
    let head = world.repo.commit(&[("a.txt", &lines(&[(30, "thirty")]))]);
    world.forge.change(|github| github.force_push(1, &head, OldHead::Forgotten, &world.repo));
    let snapshot = world.forge.read(PULL).await.unwrap();
    let thread = &snapshot.threads[0];
    assert_eq!((&thread.commit, &thread.original_commit), (&None, &None));
    assert_eq!((thread.line, thread.original_line), (None, Some(5)));
    assert_eq!(snapshot.reviews[0].commit, Some(head));
    let old = review(&first, "x", vec![]);
    let refused = world.forge.submit_review(PULL, &old).await;
    assert!(matches!(refused, Err(ForgeError::Unprocessable { .. })));
}

#[tokio::test]
async fn a_deleted_root_leaves_its_replies() {
    let world = world();
    let thread = world.thread().await;
    world.forge.change(|github| github.act("dev", 1).reply(&thread.id, "why?").unwrap());
    let denied = world.forge.change(|github| github.act("dev", 1).delete_root(&thread.id));
    assert!(matches!(denied, Err(Refusal::Forbidden { .. })), "not their comment");
    world.forge.change(|github| github.act("alice", 1).delete_root(&thread.id).unwrap());
    for (roots, is_reply) in [(LostRoots::StayReplies, true), (LostRoots::LookLikeRoots, false)] {
        world.forge.change(|github| github.lost_roots = roots);
        let threads = world.threads().await;
        assert_eq!(threads[0].comments.len(), 1);
        assert_eq!(threads[0].comments[0].is_reply, is_reply, "{roots:?}");
    }
    let reply = world.threads().await[0].comments[0].id;
    world.forge.change(|github| github.act("dev", 1).delete(reply).unwrap());
    assert_eq!(world.threads().await, []);
    assert_eq!(world.forge.github().pull(1).reviews, [], "they said nothing else");
}

#[tokio::test]
async fn a_glance_shows_head_and_bodies() {
    let world = world();
    let id = world.forge.submit_review(PULL, &review(&world.head, "one", vec![])).await.unwrap();
    world.forge.update_review(PULL, id, "two").await.unwrap();
    let node = world.forge.read(PULL).await.unwrap().reviews[0].node.clone();
    let glance = world.forge.glance(PULL, &[NodeId::new("gone"), node]).await.unwrap();
    assert_eq!(glance.bodies, [None, Some("two".to_owned())]);
    assert_eq!(glance.head, world.head);
    let shown = world.forge.shown_lines(PULL).await.unwrap();
    assert_eq!(shown, [(RepoPath::new("a.txt").unwrap(), vec![2..=8, 32..=38])].into());
}
