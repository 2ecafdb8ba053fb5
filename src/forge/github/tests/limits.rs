//! Waiting: for rate limits, for a forge that is down, and not beyond the run's time.

use rereview_core::ids::{PrNumber, ReviewId};
use serde_json::{Value, json};

use super::writes::a_review;
use super::{GitHub, Log, Reply, ok, scripted, small, status, with};
use crate::forge::{Forge, ForgeError};

const PULL: PrNumber = PrNumber(7);
const SECONDARY: &str = "You have exceeded a secondary rate limit";

async fn post(github: &GitHub) -> Result<ReviewId, ForgeError> {
    github.submit_review(PULL, &a_review(vec![])).await
}

fn waited(log: &Log, requests: usize, seconds: std::ops::Range<f64>) {
    assert_eq!(log.all().len(), requests);
    assert!(seconds.contains(&log.seconds()), "{}", log.seconds());
}

#[tokio::test(start_paused = true)]
async fn a_limited_write_waits_as_told_and_goes_out_once_more() {
    let posted = ok(&json!({ "id": 1 }));
    let date = |reply| with(reply, "date", "Thu, 01 Jan 1970 00:01:40 GMT");
    let limited = [
        (with(status(403, SECONDARY), "retry-after", "60"), 60.0..61.0),
        (with(status(429, "slow down"), "retry-after", "7"), 7.0..8.0),
        (status(403, SECONDARY), 60.0..61.0),
        (
            with(
                date(with(status(403, "API rate limit exceeded"), "x-ratelimit-remaining", "0")),
                "x-ratelimit-reset",
                "130",
            ),
            31.0..32.0,
        ),
    ];
    for (reply, seconds) in limited {
        let (github, log) = scripted(vec![reply, posted.clone()]);
        assert_eq!(post(&github).await.unwrap(), ReviewId(1));
        waited(&log, 2, seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_without_end_ends_cleanly() {
    let (github, log) = scripted(vec![status(403, SECONDARY)]);
    let error = post(&github).await.unwrap_err();
    assert!(matches!(error, ForgeError::RateLimited { .. }), "{error}");
    waited(&log, 4, 400.0..600.0);

    let (github, log) = scripted(vec![with(status(429, ""), "retry-after", "3000")]);
    assert_eq!(post(&github).await.unwrap_err(), ForgeError::RateLimited { seconds: 3000 });
    waited(&log, 1, 0.0..1.0);
}

#[tokio::test(start_paused = true)]
async fn a_limit_inside_a_success_is_one() {
    let limited = |data: Value| {
        let error = json!({ "type": "RATE_LIMITED", "message": "API rate limit exceeded" });
        with(ok(&json!({ "data": data, "errors": [error] })), "retry-after", "5")
    };
    let (github, log) = scripted(vec![limited(Value::Null), ok(&small(&[]))]);
    github.read(PULL).await.unwrap();
    waited(&log, 2, 5.0..6.0);
}

#[tokio::test(start_paused = true)]
async fn a_read_is_repeated_with_growing_pauses_and_then_given_up() {
    for reply in [
        status(503, "down"),
        Reply::Broken,
        ok(&json!({ "errors": [{
        "message": "Something went wrong while executing your query",
    }] })),
    ] {
        let (github, log) = scripted(vec![reply.clone(), reply.clone(), ok(&small(&[]))]);
        github.read(PULL).await.unwrap();
        waited(&log, 3, 0.7..1.6);

        let (github, log) = scripted(vec![reply]);
        let error = github.read(PULL).await.unwrap_err();
        assert!(matches!(error, ForgeError::Unavailable { .. }), "{error}");
        waited(&log, 5, 3.7..7.6);
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_that_is_refused_is_not_repeated() {
    let undefined = json!({ "errors": [{
        "message": "Field 'x' doesn't exist", "extensions": { "code": "undefinedField" },
    }] });
    let forbidden = json!({ "data": null, "errors": [{
        "type": "FORBIDDEN", "message": "no", "path": ["repository"],
    }] });
    for reply in
        [status(401, ""), status(403, "no"), status(404, ""), ok(&undefined), ok(&forbidden)]
    {
        let (github, log) = scripted(vec![reply]);
        let error = github.read(PULL).await.unwrap_err();
        assert!(!matches!(error, ForgeError::Unavailable { .. }), "{error}");
        assert_eq!(log.all().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn content_is_created_below_the_secondary_limit() {
    let (github, log) = scripted(vec![ok(&json!({ "id": 1 }))]);
    for _ in 0..200 {
        post(&github).await.unwrap();
    }
    let all = log.all();
    for (n, seen) in all.iter().enumerate() {
        let within = all[n..].iter().take_while(|other| (other.at - seen.at).as_secs() < 60);
        assert!(within.count() < 80);
    }
    assert!(log.seconds() >= 120.0);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_the_time_limit() {
    let (github, log) = scripted(vec![ok(&json!({ "id": 1 }))]);
    tokio::time::advance(std::time::Duration::from_secs(601)).await;
    let error = post(&github).await.unwrap_err();
    assert!(matches!(error, ForgeError::Unavailable { .. }), "{error}");
    assert_eq!((log.all().len(), github.requests()), (0, 0));
}
