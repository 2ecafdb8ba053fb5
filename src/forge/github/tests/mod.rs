//! The adapter against scripted answers (clock paused) and, in `wire`, against real sockets.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use octocrab::OctoBody;
use rereview_core::ids::RepoSlug;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::service_fn;

use super::client::Client;
use super::{Config, GitHub, Token};

mod limits;
mod reads;
mod wire;
mod writes;

/// What the forge answers next.
#[derive(Clone, Debug)]
enum Reply {
    /// Status, headers, body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// The connection breaks after the request was sent.
    Broken,
}

fn ok(body: &Value) -> Reply {
    Reply::Answer(200, vec![], body.to_string())
}

fn status(status: u16, message: &str) -> Reply {
    Reply::Answer(status, vec![], json!({ "message": message }).to_string())
}

fn with(reply: Reply, name: &'static str, value: &str) -> Reply {
    match reply {
        Reply::Answer(status, mut headers, body) => {
            headers.push((name, value.to_owned()));
            Reply::Answer(status, headers, body)
        }
        Reply::Broken => Reply::Broken,
    }
}

/// A request as it arrived.
#[derive(Clone, Debug)]
struct Seen {
    method: String,
    url: String,
    body: Value,
    at: Instant,
}

#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<Seen>>>);

impl Log {
    fn all(&self) -> Vec<Seen> {
        self.0.lock().unwrap().clone()
    }

    /// Variable `name` of each GraphQL request.
    fn variables(&self, name: &str) -> Vec<Value> {
        self.all().iter().map(|seen| seen.body["variables"][name].clone()).collect()
    }

    /// Seconds between the first request and the last.
    fn seconds(&self) -> f64 {
        let all = self.all();
        (all.last().unwrap().at - all.first().unwrap().at).as_secs_f64()
    }
}

const TOKEN: &str = "ghs_very_secret";

fn config(api: &str) -> Config {
    Config {
        api: api.to_owned(),
        graphql: None,
        repo: RepoSlug::new("octo/demo").unwrap(),
        token: Token::new(TOKEN),
        ca_file: None,
        time_limit: Duration::from_secs(600),
        markers: vec!["<!-- fprime-agent: ruff v1 -->".to_owned()],
    }
}

/// A forge that gives these answers, one after the other; the last one again and again.
fn scripted(replies: Vec<Reply>) -> (GitHub, Log) {
    let rest = Mutex::new(replies);
    forge(move |_: &Seen| {
        let mut rest = rest.lock().unwrap();
        if rest.len() > 1 { rest.remove(0) } else { rest.first().unwrap().clone() }
    })
}

/// A forge that answers by a rule.
fn forge(rule: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (GitHub, Log) {
    let (log, rule) = (Log::default(), Arc::new(rule));
    let written = log.clone();
    let transport = service_fn(move |request: Request<OctoBody>| {
        let (log, rule) = (written.clone(), rule.clone());
        async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
            let seen = Seen {
                method: parts.method.to_string(),
                url: parts.uri.to_string(),
                body: serde_json::from_slice(&body).unwrap_or(Value::Null),
                at: Instant::now(),
            };
            log.0.lock().unwrap().push(seen.clone());
            match rule(&seen) {
                Reply::Broken => Err(std::io::Error::other("connection reset")),
                Reply::Answer(status, headers, body) => {
                    let response = headers
                        .into_iter()
                        .fold(Response::builder().status(status), |response, (name, value)| {
                            response.header(name, value)
                        });
                    Ok(response.body(Full::<Bytes>::from(body)).unwrap())
                }
            }
        }
    });
    let config = config("https://api.github.com");
    let client = Client::over(transport, &config).unwrap();
    (GitHub::over(client, &config), log)
}

fn sha(digit: char) -> String {
    digit.to_string().repeat(40)
}

fn comment(id: u64, author: &Value, body: &str) -> Value {
    json!({
        "id": format!("PRRC_{id}"), "fullDatabaseId": id.to_string(), "body": body,
        "createdAt": "2026-01-01T00:00:00Z", "url": "https://x.test/c", "author": author,
        "replyTo": null, "pullRequestReview": { "fullDatabaseId": "3400000001" },
    })
}

fn thread(id: &str, comments: &[Value], more: Option<&str>) -> Value {
    json!({
        "id": id, "path": "app.py", "line": 3, "originalLine": 3,
        "isResolved": false, "isOutdated": false,
        "viewerCanResolve": true, "viewerCanUnresolve": false, "resolvedBy": null,
        "root": { "nodes": [{
            "commit": null, "originalCommit": { "oid": sha('a') },
            "pullRequestReview": { "id": "PRR_of_thread" },
        }] },
        "comments": {
            "pageInfo": { "hasNextPage": more.is_some(), "endCursor": more },
            "nodes": comments,
        },
    })
}

fn review(id: u64, author: &Value, body: &str) -> Value {
    json!({
        "id": format!("PRR_{id}"), "fullDatabaseId": id.to_string(), "body": body,
        "state": "COMMENTED", "submittedAt": "2026-01-01T00:00:00Z", "url": "https://x.test/r",
        "author": author, "commit": null,
    })
}

fn us() -> Value {
    json!({ "__typename": "Bot", "login": "rr-demo" })
}

/// A page of threads, and both ends of the reviews.
fn inventory(threads: &[Value], more: Option<&str>, oldest: &Value, newest: &Value) -> Value {
    json!({ "data": {
        "viewer": { "login": "rr-demo[bot]" },
        "nodes": [],
        "repository": { "pullRequest": {
            "id": "PR_1", "number": 7, "url": "https://x.test/7", "state": "OPEN",
            "isDraft": false, "headRefOid": sha('b'), "baseRefOid": sha('c'),
            "baseRefName": "main", "author": null,
            "reviewThreads": {
                "pageInfo": { "hasNextPage": more.is_some(), "endCursor": more },
                "nodes": threads,
            },
            "oldest": oldest, "newest": newest, "pending": { "nodes": [] },
        } },
    } })
}

/// A pull request whose reviews fit on one page.
fn small(threads: &[Value]) -> Value {
    let none = json!({ "pageInfo": { "hasNextPage": false }, "nodes": [] });
    inventory(threads, None, &none, &none)
}
