//! Each event with what it is about (case G16).

use rereview_core::ids::{PrNumber, RepoSlug, Sha};
use serde_json::{Value, json};

use super::{Target, pull_number, target};

const HEAD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

fn check(name: &str, payload: &Value, expected: &Target) {
    assert_eq!(target(name, payload).as_ref(), Ok(expected), "{name} {payload}");
}

#[test]
fn events_and_their_pull_requests() {
    let head = Sha::new(HEAD).expect("sha");
    let pull = |head: Option<Sha>| Target::Pull { number: PrNumber(7), head };
    let opened = json!({"pull_request": {"number": 7, "state": "open", "head": {"sha": HEAD}}});
    check("pull_request", &opened, &pull(Some(head.clone())));
    check("pull_request_target", &opened, &pull(Some(head.clone())));
    let run = |pulls: Value| json!({"workflow_run": {"event": "pull_request", "head_sha": HEAD, "pull_requests": pulls}});
    check("workflow_run", &run(json!([{"number": 7}])), &pull(Some(head.clone())));
    check("workflow_run", &run(json!([])), &Target::ByHead(head.clone()));
    check("workflow_run", &run(json!([{"number": 7}, {"number": 8}])), &Target::ByHead(head));
    let comment = json!({"issue": {"number": 7, "pull_request": {"url": "x"}}});
    check("issue_comment", &comment, &pull(None));
    check("schedule", &json!({"schedule": "0 3 * * *"}), &Target::AllOpen);
}

#[test]
fn events_without_a_pull_request_are_notices() {
    for (name, payload) in [
        ("merge_group", json!({"merge_group": {"head_sha": "A", "base_sha": "M"}})),
        ("issue_comment", json!({"issue": {"number": 7}})),
        ("pull_request", json!({"pull_request": {"number": 7, "state": "closed"}})),
        (
            "workflow_run",
            json!({"workflow_run": {"event": "push", "head_sha": HEAD, "pull_requests": []}}),
        ),
    ] {
        assert!(matches!(target(name, &payload), Ok(Target::Nothing(_))), "{name}");
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    for (name, payload, part) in [
        ("push", json!({}), "`push` is unknown; allowed are pull_request"),
        ("pull_request", json!({}), "no `pull_request.number`"),
        ("workflow_dispatch", json!({}), "needs the input `pull-request`"),
        ("", json!({}), "--pull-request"),
    ] {
        let error = target(name, &payload).expect_err(name).to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_pull_request_by_number_or_address() {
    let repository = RepoSlug::new("Octo/Demo").expect("slug");
    let server = "https://github.com";
    for text in ["7", " #7 ", "https://github.com/octo/demo/pull/7/files"] {
        assert_eq!(pull_number(text, &repository, server), Ok(PrNumber(7)), "{text}");
    }
    for text in
        ["0", "x", "https://github.com/other/demo/pull/7", "https://evil.test/octo/demo/pull/7"]
    {
        assert!(pull_number(text, &repository, server).is_err(), "{text}");
    }
}
