//! Writing: each once, and only what the answer shows is done (cases G02, G11, G17).

use rereview_core::footer::ReplyKind;
use rereview_core::ids::{CommentId, NodeId, PrNumber, RepoPath, ReviewId, Sha, ThreadId};
use rereview_core::key::FindingKey;
use rereview_core::writes::{
    CommentEdit, NewComment, NewReview, Reply as ThreadReply, ReviewEvent, ThreadChange,
    ThreadWrite,
};
use serde_json::{Value, json};

use super::{Reply, ok, scripted, sha, status};
use crate::forge::{Forge, ForgeError, Step};

const PULL: PrNumber = PrNumber(7);

fn key() -> FindingKey {
    serde_json::from_value(json!("0".repeat(64))).unwrap()
}

fn write(thread: &str, reply: Option<&str>, change: ThreadChange) -> ThreadWrite {
    let reply = reply.map(|body| ThreadReply {
        kind: ReplyKind::Resolution,
        key: key(),
        body: body.to_owned(),
    });
    ThreadWrite { thread: ThreadId::new(thread), reply, change }
}

pub(super) fn a_review(comments: Vec<NewComment>) -> NewReview {
    NewReview {
        commit: Sha::new(&sha('a')).unwrap(),
        event: ReviewEvent::Comment,
        body: String::new(),
        comments,
    }
}

fn refused(message: &str) -> Step {
    Step::Refused(message.to_owned())
}

#[tokio::test(start_paused = true)]
async fn a_review_is_bound_to_its_commit_and_a_range_of_one_line_is_a_line() {
    let (github, log) = scripted(vec![ok(&json!({ "id": 3_400_000_001_u64 }))]);
    let comment = |line, start_line| NewComment {
        key: key(),
        path: RepoPath::new("app.py").unwrap(),
        line,
        start_line,
        body: "text".to_owned(),
    };
    let review = a_review(vec![comment(35, Some(32)), comment(35, Some(35))]);
    assert_eq!(github.submit_review(PULL, &review).await.unwrap(), ReviewId(3_400_000_001));
    let seen = &log.all()[0];
    assert_eq!(seen.method, "POST");
    assert_eq!(seen.url, "https://api.github.com/repos/octo/demo/pulls/7/reviews");
    let expected = json!({
        "commit_id": sha('a'), "event": "COMMENT", "body": "",
        "comments": [
            { "path": "app.py", "line": 35, "side": "RIGHT", "body": "text",
              "start_line": 32, "start_side": "RIGHT" },
            { "path": "app.py", "line": 35, "side": "RIGHT", "body": "text" },
        ],
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test(start_paused = true)]
async fn a_write_without_an_answer_is_lost_and_sent_once() {
    let truncated = Reply::Answer(200, vec![], "{\"id\": 34".to_owned());
    for reply in [status(502, "Bad Gateway"), status(500, "oops"), Reply::Broken, truncated] {
        let (github, log) = scripted(vec![reply]);
        let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
        assert!(matches!(error, ForgeError::Lost { .. }), "{error:?}");
        assert_eq!(log.all().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_final_and_says_why() {
    let check = async |reply: Reply, expected: &str| {
        let (github, log) = scripted(vec![reply]);
        let error = github.submit_review(PULL, &a_review(vec![])).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(log.all().len(), 1);
    };
    let details = json!({
        "message": "Unprocessable Entity",
        "errors": ["Line could not be resolved", { "message": "two" }, { "field": "f", "code": "c" }],
    });
    check(
        Reply::Answer(422, vec![], details.to_string()),
        "GitHub refused to submit a review (422): \
         Unprocessable Entity; Line could not be resolved; two; f c",
    )
    .await;
    check(
        status(403, "Resource not accessible by integration"),
        "the token may not submit a review: it needs `pull-requests: write` \
         (Resource not accessible by integration)",
    )
    .await;
    check(
        super::with(
            status(403, "no\n::error::x"),
            "x-accepted-github-permissions",
            "pull_requests=write,contents=read; issues=write",
        ),
        "the token may not submit a review: it needs `pull-requests: write` and \
         `contents: read` or `issues: write` (no ::error::x)",
    )
    .await;
    check(
        status(404, "Not Found"),
        "the pull request was not found: it does not exist, or the token cannot see it",
    )
    .await;
    check(status(401, "Bad credentials"), &ForgeError::Unauthorized.to_string()).await;
}

#[tokio::test(start_paused = true)]
async fn the_other_writes_go_where_they_belong() {
    let (github, log) = scripted(vec![ok(&json!({}))]);
    github.update_review(PULL, ReviewId(9), "body").await.unwrap();
    let edit =
        CommentEdit { comment: CommentId(8), node: NodeId::new("x"), body: "text".to_owned() };
    github.edit_comment(PULL, &edit).await.unwrap();
    github.delete_pending_review(PULL, ReviewId(9)).await.unwrap();
    let seen: Vec<(String, String, Value)> = log
        .all()
        .into_iter()
        .map(|seen| (seen.method, seen.url.replace("https://api.github.com", ""), seen.body))
        .collect();
    let expected = [
        ("PUT", "/repos/octo/demo/pulls/7/reviews/9", json!({ "body": "body" })),
        ("PATCH", "/repos/octo/demo/pulls/comments/8", json!({ "body": "text" })),
        ("DELETE", "/repos/octo/demo/pulls/7/reviews/9", Value::Null),
    ];
    assert_eq!(seen, expected.map(|(m, u, b)| (m.to_owned(), u.to_owned(), b)));
}

#[tokio::test(start_paused = true)]
async fn unresolve_goes_before_the_reply_and_resolve_after_it() {
    let (github, log) = scripted(vec![ok(&json!({ "data": {
        "c0": { "thread": { "isResolved": false } }, "r0": { "comment": { "id": "x" } },
        "r1": { "comment": { "id": "y" } }, "c1": { "thread": { "isResolved": true } },
        "r2": { "comment": { "id": "z" } },
    } }))]);
    let writes = [
        write("A", Some("a"), ThreadChange::Unresolve),
        write("B", Some("b"), ThreadChange::Resolve),
        write("C", Some("c"), ThreadChange::Keep),
    ];
    let outcomes = github.write_threads(PULL, &writes).await.unwrap();
    let steps: Vec<_> = outcomes.into_iter().map(|o| (o.reply, o.change)).collect();
    let expected =
        [(Step::Done, Step::Done), (Step::Done, Step::Done), (Step::Done, Step::NotAsked)];
    assert_eq!(steps, expected);
    let query = log.all()[0].body["query"].as_str().unwrap().to_owned();
    let order: Vec<usize> = ["c0:", "r0:", "r1:", "c1:", "r2:"]
        .iter()
        .map(|alias| query.find(alias).unwrap())
        .collect();
    assert!(order.is_sorted(), "{query}");
    assert_eq!(log.variables("b1"), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn each_alias_stands_for_itself() {
    let no = "Resource not accessible by integration";
    let answer = json!({
        "data": {
            "r0": { "comment": { "id": "x" } }, "c0": null,
            "r1": null,
            "r2": { "comment": null }, "c2": { "thread": { "isResolved": false } },
        },
        "errors": [
            { "type": "FORBIDDEN", "path": ["c0"], "message": no },
            { "path": ["r1", "comment"], "message": "Something went wrong" },
        ],
    });
    let writes = [
        write("A", Some("a"), ThreadChange::Resolve),
        write("B", Some("b"), ThreadChange::Keep),
        write("C", Some("c"), ThreadChange::Resolve),
    ];
    let (github, log) = scripted(vec![ok(&answer)]);
    let outcomes = github.write_threads(PULL, &writes).await.unwrap();
    assert_eq!((&outcomes[0].reply, &outcomes[0].change), (&Step::Done, &refused(no)));
    assert_eq!(outcomes[1].reply, Step::Lost("Something went wrong".to_owned()));
    assert!(matches!(outcomes[2].reply, Step::Lost(_)), "no comment came back");
    assert!(matches!(outcomes[2].change, Step::Lost(_)), "the thread is still open");
    assert_eq!(log.all().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_came_too_quickly_alone_is_sent_again() {
    let error = json!({
        "type": "UNPROCESSABLE", "path": ["r1"], "message": "was submitted too quickly",
    });
    let first = json!({
        "data": {
            "r0": { "comment": { "id": "x" } }, "c0": { "thread": { "isResolved": true } },
            "r1": null, "c1": { "thread": { "isResolved": true } },
        },
        "errors": [error],
    });
    let second = json!({ "data": { "r0": { "comment": { "id": "y" } } } });
    let writes = ["A", "B"].map(|thread| write(thread, Some(thread), ThreadChange::Resolve));
    let (github, log) = scripted(vec![ok(&first), ok(&second)]);
    for outcome in github.write_threads(PULL, &writes).await.unwrap() {
        assert_eq!((outcome.reply, outcome.change), (Step::Done, Step::Done));
    }
    assert_eq!(log.variables("b0"), ["A", "B"]);
    assert_eq!(log.variables("t1")[1], Value::Null);
    assert!(log.seconds() >= 60.0);
}

#[tokio::test(start_paused = true)]
async fn a_token_that_may_not_resolve_resolves_nothing() {
    let no = "Resource not accessible by integration";
    let error = |n: usize| json!({ "type": "FORBIDDEN", "path": [format!("c{n}")], "message": no });
    let answer = json!({
        "data": { "c0": null, "c1": null, "c2": null },
        "errors": [error(0), error(1), error(2)],
    });
    let writes = ["A", "B", "C"].map(|thread| write(thread, None, ThreadChange::Resolve));
    let (github, _) = scripted(vec![ok(&answer)]);
    for outcome in github.write_threads(PULL, &writes).await.unwrap() {
        assert_eq!((outcome.reply, outcome.change), (Step::NotAsked, refused(no)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_batch_is_lost_and_no_other_is_tried() {
    let done = |n: usize| (format!("c{n}"), json!({ "thread": { "isResolved": true } }));
    let first: serde_json::Map<_, _> = (0..50).map(done).collect();
    let writes: Vec<_> =
        (0..120).map(|n| write(&format!("T{n}"), None, ThreadChange::Resolve)).collect();
    for broken in [Reply::Broken, status(502, "Bad Gateway"), status(403, "no")] {
        let (github, log) = scripted(vec![ok(&json!({ "data": first })), broken]);
        let outcomes = github.write_threads(PULL, &writes).await.unwrap();
        assert_eq!(log.all().len(), 2);
        assert_eq!(outcomes.len(), 120);
        assert!(outcomes[..50].iter().all(|outcome| outcome.change == Step::Done));
        assert!(outcomes[50..].iter().all(|outcome| matches!(outcome.change, Step::Lost(_))));
    }
    let (github, _) = scripted(vec![status(403, "no")]);
    let error = github.write_threads(PULL, &writes).await.unwrap_err();
    assert!(matches!(error, ForgeError::Forbidden { .. }), "nothing was tried: {error}");
}
