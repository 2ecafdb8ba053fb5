//! Reading: to the last page, or not at all (cases G06, G07, G08).

use rereview_core::ids::{Account, NodeId, PrNumber, RepoPath, ReviewId, Sha};
use rereview_core::model::PullState;
use serde_json::{Value, json};

use super::{
    Reply, comment, forge, inventory, ok, review, scripted, sha, small, status, thread, us,
};
use crate::forge::{Forge, ForgeError, Permission};

const PULL: PrNumber = PrNumber(7);

#[tokio::test(start_paused = true)]
async fn deleted_accounts_lost_commits_and_null_nodes_are_read() {
    let mut settled = thread("PRRT_1", &[comment(1, &Value::Null, "ok?")], None);
    settled["isResolved"] = true.into();
    settled["root"] = json!({ "nodes": [{
        "commit": null, "originalCommit": null, "pullRequestReview": null,
    }] });
    settled["comments"]["nodes"][0]["pullRequestReview"] = Value::Null;
    let empty = thread("PRRT_2", &[Value::Null], None);
    let mut answer = small(&[Value::Null, settled, empty]);
    answer["data"]["repository"]["pullRequest"]["oldest"]["nodes"] =
        json!([null, review(81, &Value::Null, "")]);
    let (github, _) = scripted(vec![ok(&answer)]);

    let read = github.read(PULL).await.unwrap();
    let [thread] = &read.threads[..] else { panic!("one thread has comments") };
    assert!(thread.resolved);
    assert_eq!((&thread.resolved_by, &thread.original_commit), (&None, &None));
    let root = thread.root().unwrap();
    assert_eq!((&root.author, root.review), (&None, None));
    assert_eq!(read.reviews.iter().map(|r| r.id).collect::<Vec<_>>(), [ReviewId(81)]);
}

#[tokio::test(start_paused = true)]
async fn one_bot_in_three_spellings_and_its_namesakes() {
    let user = |login: &str| json!({ "__typename": "User", "login": login });
    let authors = [us(), user("rr-demo"), user("rr-demo-fan")];
    let threads: Vec<Value> =
        authors.iter().map(|who| thread(&who.to_string(), &[comment(1, who, "")], None)).collect();
    let (github, _) = scripted(vec![ok(&small(&threads))]);

    let read = github.read(PULL).await.unwrap();
    assert_eq!(read.viewer.0, Account::from_login("rr-demo[bot]"));
    let ours: Vec<bool> = read
        .threads
        .iter()
        .map(|thread| thread.comments[0].author.as_ref() == Some(&read.viewer.0))
        .collect();
    assert_eq!(ours, [true, false, false]);
}

#[tokio::test(start_paused = true)]
async fn threads_past_a_hundred_take_one_request_more() {
    let page = |from: u64, to: u64| -> Vec<Value> {
        (from..to).map(|n| thread(&format!("PRRT_{n}"), &[comment(n, &us(), "")], None)).collect()
    };
    let none = json!({ "pageInfo": { "hasNextPage": false }, "nodes": [] });
    let (github, log) = scripted(vec![
        ok(&inventory(&page(0, 100), Some("next"), &none, &none)),
        ok(&inventory(&page(99, 101), None, &Value::Null, &Value::Null)),
    ]);

    let read = github.read(PULL).await.unwrap();
    assert_eq!(read.threads.len(), 101);
    assert_eq!(log.variables("after"), [Value::Null, json!("next")]);
    assert_eq!(log.variables("reviews"), [true, false]);
    assert_eq!(github.requests(), 2);
}

#[tokio::test(start_paused = true)]
async fn comments_past_a_page_are_read() {
    let last = json!({ "data": { "t0": { "comments": {
        "pageInfo": { "hasNextPage": false, "endCursor": "z" },
        "nodes": [comment(2, &us(), "still broken")],
    } } } });
    let first = thread("PRRT_1", &[comment(1, &us(), "")], Some("c1"));
    let (github, log) = scripted(vec![ok(&small(std::slice::from_ref(&first))), ok(&last)]);
    let read = github.read(PULL).await.unwrap();
    assert_eq!(read.threads[0].comments[1].body, "still broken");
    assert_eq!(log.variables("c0")[1], "c1");

    let gone = json!({ "data": { "t0": null } });
    let (github, _) = scripted(vec![ok(&small(&[first])), ok(&gone)]);
    assert!(matches!(github.read(PULL).await, Err(ForgeError::Unavailable { .. })));
}

#[tokio::test(start_paused = true)]
async fn an_answer_with_errors_is_none() {
    let mut half = small(&[thread("PRRT_1", &[comment(1, &us(), "")], None)]);
    half["errors"] = json!([{ "message": "timeout" }]);
    let mut nothing = half.clone();
    nothing["data"]["repository"]["pullRequest"] = Value::Null;
    for answer in [half.clone(), nothing] {
        let (github, log) = scripted(vec![ok(&answer)]);
        let error = github.read(PULL).await.unwrap_err();
        assert_eq!(error.to_string(), "could not read the pull request: timeout");
        assert_eq!(log.all().len(), 5);
    }
    let (github, _) = scripted(vec![ok(&half), ok(&small(&[]))]);
    assert!(github.read(PULL).await.unwrap().threads.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_null_is_not_an_empty_one() {
    for name in ["reviewThreads", "oldest", "newest"] {
        let mut answer = small(&[]);
        answer["data"]["repository"]["pullRequest"][name] = Value::Null;
        let (github, _) = scripted(vec![ok(&answer)]);
        assert!(matches!(github.read(PULL).await, Err(ForgeError::Garbled { .. })), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_said() {
    let absent = json!({
        "data": { "viewer": { "login": "x" }, "nodes": [], "repository": { "pullRequest": null } },
        "errors": [{ "type": "NOT_FOUND", "path": ["repository", "pullRequest"], "message": "no" }],
    });
    let mut unsaid = absent.clone();
    unsaid["errors"] = json!([]);
    for answer in [absent, unsaid] {
        let (github, log) = scripted(vec![ok(&answer)]);
        let error = github.read(PULL).await.unwrap_err();
        assert_eq!(error, ForgeError::NotFound { what: "pull request #7 of octo/demo".to_owned() });
        assert_eq!(log.all().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn big_pages_that_fail_become_smaller_and_stay_so() {
    let none = json!({ "pageInfo": { "hasNextPage": false }, "nodes": [] });
    let (github, log) = forge(move |seen| {
        let variables = &seen.body["variables"];
        match (variables["page"].as_u64(), variables["after"].as_str()) {
            (Some(100 | 50), _) => status(502, "Bad Gateway"),
            (_, None) => ok(&inventory(&[], Some("next"), &none, &none)),
            (_, Some(_)) => ok(&inventory(&[], None, &Value::Null, &Value::Null)),
        }
    });
    github.read(PULL).await.unwrap();
    assert_eq!(log.variables("page"), [100, 50, 25, 25]);
}

/// The reviews 0 to `total` (100 at a time, from either end), the metadata at `metadata`.
fn long_history(total: u64, metadata: u64) -> impl Fn(&super::Seen) -> Reply {
    move |seen| {
        let at = |n: u64| {
            review(n, &us(), if n == metadata { "<!-- fprime-agent: ruff v1 -->" } else { "" })
        };
        let page = |from: u64, to: u64| {
            let cursor = |n: u64| n.to_string();
            json!({
                "pageInfo": {
                    "hasNextPage": to < total, "endCursor": cursor(to), "startCursor": cursor(from),
                },
                "nodes": (from..to).map(at).collect::<Vec<_>>(),
            })
        };
        let variables = &seen.body["variables"];
        let number = |name: &str| variables[name].as_str().and_then(|text| text.parse().ok());
        let low = number("oldest").unwrap_or(0);
        let high = number("newest").unwrap_or(total);
        let mut root = thread("PRRT_1", &[comment(1, &us(), "")], None);
        root["comments"]["nodes"][0]["pullRequestReview"]["fullDatabaseId"] =
            json!(metadata.to_string());
        root["root"]["nodes"][0]["pullRequestReview"]["id"] = json!(format!("PRR_{metadata}"));
        let mut answer = inventory(
            &[root],
            None,
            &page(low, (low + 100).min(total)),
            &page(high.saturating_sub(100), high),
        );
        let ids = variables["ids"].as_array().unwrap();
        let number = |id: &Value| id.as_str().unwrap()[4..].parse().unwrap();
        answer["data"]["nodes"] = ids.iter().map(|id| at(number(id))).collect();
        ok(&answer)
    }
}

#[tokio::test(start_paused = true)]
async fn metadata_is_found_at_both_ends_or_by_our_own_threads_without_paging_all() {
    for (metadata, requests, reviews) in [(50, 1, 200), (2950, 1, 200), (1500, 2, 401)] {
        let (github, _) = forge(long_history(3000, metadata));
        let read = github.read(PULL).await.unwrap();
        assert_eq!((github.requests(), read.reviews.len()), (requests, reviews), "{metadata}");
        assert!(read.reviews.iter().any(|review| review.id.0 == metadata));
        assert!(read.reviews.is_sorted_by_key(|review| review.id));
    }
}

#[tokio::test(start_paused = true)]
async fn without_markers_every_review_is_read_once() {
    let (mut github, _) = forge(long_history(450, 0));
    github.markers.clear();
    let read = github.read(PULL).await.unwrap();
    assert_eq!((github.requests(), read.reviews.len()), (3, 450));
}

#[tokio::test(start_paused = true)]
async fn a_glance_tells_gone_reviews_from_failures() {
    let answer = json!({
        "data": {
            "repository": { "pullRequest": { "headRefOid": sha('d'), "state": "MERGED" } },
            "nodes": [{ "body": "text" }, null, {}],
        },
        "errors": [{ "type": "NOT_FOUND", "path": ["nodes", 1], "message": "gone" }],
    });
    let (github, _) = scripted(vec![ok(&answer)]);
    let glance = github.glance(PULL, &["a", "b", "c"].map(NodeId::new)).await.unwrap();
    assert_eq!(glance.head.as_str(), sha('d'));
    assert_eq!(glance.state, PullState::Merged);
    assert_eq!(glance.bodies, [Some("text".to_owned()), None, None]);
}

#[tokio::test(start_paused = true)]
async fn a_head_belongs_to_the_open_pull_requests_that_have_it() {
    let pull = |number: u64, digit| {
        json!({ "number": number, "isDraft": false, "headRefOid": sha(digit),
                "baseRefOid": sha('0'), "baseRefName": "main" })
    };
    let page = |pulls: Value, more: bool| {
        ok(&json!({ "data": { "repository": { "pullRequests": {
            "pageInfo": { "hasNextPage": more, "endCursor": "e" }, "nodes": pulls,
        } } } }))
    };
    let (github, _) = scripted(vec![
        page(json!([pull(1, 'a'), null, pull(2, 'b')]), true),
        page(json!([pull(3, 'a')]), false),
    ]);
    let found = github.pull_by_head(&Sha::new(&sha('a')).unwrap()).await.unwrap();
    assert_eq!(found, [PrNumber(1), PrNumber(3)]);
}

#[tokio::test(start_paused = true)]
async fn permissions_come_from_the_role() {
    let check = async |answer: Reply, login: &str, expected: Permission, requests: usize| {
        let (github, log) = scripted(vec![answer]);
        let got = github.permission(&Account::from_login(login)).await.unwrap();
        assert_eq!((got, log.all().len()), (expected, requests), "{login}");
    };
    let role =
        |permission: &str, role: Value| ok(&json!({ "permission": permission, "role_name": role }));
    check(role("write", json!("maintain")), "a", Permission::Maintain, 1).await;
    check(role("read", json!("triage")), "b", Permission::Triage, 1).await;
    check(role("write", json!("release managers")), "c", Permission::Write, 1).await;
    check(role("admin", Value::Null), "d", Permission::Admin, 1).await;
    check(status(404, "Not Found"), "e", Permission::None, 1).await;
    check(status(403, "Must have push access"), "f", Permission::None, 1).await;
    check(Reply::Broken, "app[bot]", Permission::None, 0).await;
}

#[tokio::test(start_paused = true)]
async fn files_are_read_raw_at_their_commit() {
    let raw = |text: &str| {
        let kind = "application/vnd.github.raw+json; charset=utf-8".to_owned();
        Reply::Answer(200, vec![("content-type", kind)], text.to_owned())
    };
    let at = Sha::new(&sha('a')).unwrap();
    let file = RepoPath::new(".github/a b?.yml").unwrap();
    let (github, log) = scripted(vec![raw("x: 1"), status(404, "Not Found"), ok(&json!([]))]);
    assert_eq!(github.contents(&file, &at).await.unwrap(), Some(b"x: 1".to_vec()));
    assert_eq!(github.contents(&file, &at).await.unwrap(), None);
    assert_eq!(github.contents(&file, &at).await.unwrap(), None, "a folder");
    let expected = format!(
        "https://api.github.com/repos/octo/demo/contents/.github/a%20b%3F.yml?ref={}",
        sha('a')
    );
    assert_eq!(log.all()[0].url, expected);
}
