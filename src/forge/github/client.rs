//! Requests over octocrab, built without its retries: errors in our words, writes never repeated.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::BodyExt;
use octocrab::Octocrab;
use serde_json::{Value, json};
use tokio::time::Instant;
use tracing::debug;

use super::retry::{TRIES, Verdict, backoff, judge};
use crate::forge::ForgeError;

/// Content-creating requests in a minute (GitHub's secondary limit is 80).
const WRITES_A_MINUTE: usize = 75;

/// Where GitHub is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// `GITHUB_API_URL`.
    pub rest: String,
    /// `GITHUB_GRAPHQL_URL`.
    pub graphql: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    fn name(self) -> http::Method {
        match self {
            Self::Get => http::Method::GET,
            Self::Post => http::Method::POST,
            Self::Put => http::Method::PUT,
            Self::Patch => http::Method::PATCH,
            Self::Delete => http::Method::DELETE,
        }
    }
}

/// A client with a token.
pub struct Client {
    octocrab: Octocrab,
    endpoints: Endpoints,
    deadline: Instant,
    requests: Cell<u64>,
    written: RefCell<VecDeque<Instant>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({})", self.endpoints.rest)
    }
}

/// An answer, read whole.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
    bytes: Vec<u8>,
}

/// Why there is no answer.
enum Broken {
    /// Nothing was sent.
    NotSent(String),
    /// It was sent, or may have been.
    Unknown(String),
}

impl Client {
    /// A client for these endpoints; ends cleanly when `limit` has passed.
    pub fn new(endpoints: Endpoints, token: &str, limit: Duration) -> Result<Self, ForgeError> {
        let unusable = |cause: String| ForgeError::Unavailable {
            task: "set up the GitHub client".to_owned(),
            cause,
        };
        let octocrab = Octocrab::builder()
            .base_uri(endpoints.rest.trim_end_matches('/'))
            .map_err(|error| unusable(chain(&error)))?
            .personal_token(token.to_owned())
            .set_connect_timeout(Some(Duration::from_secs(15)))
            .set_read_timeout(Some(Duration::from_secs(60)))
            .build()
            .map_err(|error| unusable(chain(&error)))?;
        Ok(Self {
            octocrab,
            endpoints,
            deadline: Instant::now() + limit,
            requests: Cell::new(0),
            written: RefCell::default(),
        })
    }

    /// How many requests went out.
    pub fn requests(&self) -> u64 {
        self.requests.get()
    }

    pub(super) async fn get(&self, path: &str, task: &str) -> Result<Value, ForgeError> {
        let answer = self.read(Method::Get, &self.rest_url(path), None, None, task).await?;
        parse(&answer, task)
    }

    /// A file's bytes.
    pub(super) async fn get_raw(&self, path: &str, task: &str) -> Result<Vec<u8>, ForgeError> {
        let accept = Some("application/vnd.github.raw+json");
        let answer = self.read(Method::Get, &self.rest_url(path), None, accept, task).await?;
        Ok(answer.bytes)
    }

    /// A GraphQL query: an answer with errors is none (case G07).
    pub(super) async fn query(
        &self,
        document: &str,
        variables: Value,
        task: &str,
    ) -> Result<Value, ForgeError> {
        let body = json!({ "query": document, "variables": variables });
        let mut cause = String::new();
        for attempt in 0..TRIES {
            let url = self.endpoints.graphql.clone();
            let answer = self.read(Method::Post, &url, Some(&body), None, task).await?;
            let value = parse(&answer, task)?;
            let errors = value["errors"].as_array().cloned().unwrap_or_default();
            let Some(first) = errors.first() else { return Ok(value["data"].clone()) };
            match first["type"].as_str() {
                Some("NOT_FOUND") => {
                    let what = format!("what was asked for to {task} ({})", describe(first));
                    return Err(ForgeError::NotFound { what });
                }
                Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => {
                    return Err(forbidden(task, &describe(first), None));
                }
                Some(_) | None => cause = describe(first),
            }
            self.pause(backoff(attempt), task).await?;
        }
        Err(ForgeError::Unavailable { task: task.to_owned(), cause })
    }

    /// A GraphQL mutation, once: its data and its errors, alias by alias.
    pub(super) async fn mutate(
        &self,
        document: &str,
        variables: Value,
        task: &str,
    ) -> Result<(Value, Vec<Value>), ForgeError> {
        let body = json!({ "query": document, "variables": variables });
        let url = self.endpoints.graphql.clone();
        let answer = self.write_to(Method::Post, &url, Some(&body), task).await?;
        let errors = answer["errors"].as_array().cloned().unwrap_or_default();
        if answer["data"].is_object() {
            return Ok((answer["data"].clone(), errors));
        }
        let first = errors.first().map(describe).unwrap_or_default();
        // Refused as a whole, before any of it was done; else nobody can tell.
        match errors.first().and_then(|error| error["type"].as_str()) {
            Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => Err(forbidden(task, &first, None)),
            Some(_) | None => Err(ForgeError::Lost { task: task.to_owned(), cause: first }),
        }
    }

    pub(super) async fn write(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        task: &str,
    ) -> Result<Value, ForgeError> {
        self.write_to(method, &self.rest_url(path), body, task).await
    }

    fn rest_url(&self, path: &str) -> String {
        format!("{}{path}", self.endpoints.rest.trim_end_matches('/'))
    }

    /// Asks until there is an answer, at most [`TRIES`] times.
    async fn read(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
        accept: Option<&str>,
        task: &str,
    ) -> Result<Answer, ForgeError> {
        let mut cause = String::new();
        for attempt in 0..TRIES {
            match self.send(method, url, body, accept).await {
                Err(Broken::NotSent(why) | Broken::Unknown(why)) => cause = why,
                Ok(answer) => match judge(answer.status, &answer.headers, &answer.body, unix_now())
                {
                    Verdict::Final => return settle(answer, task),
                    Verdict::Broken => cause = format!("GitHub answered {}", answer.status),
                    Verdict::Limited(wait) => {
                        self.pause(wait, task).await?;
                        continue;
                    }
                },
            }
            if attempt + 1 < TRIES {
                self.pause(backoff(attempt), task).await?;
            }
        }
        Err(ForgeError::Unavailable { task: task.to_owned(), cause })
    }

    /// Sends a write once; again only where GitHub says that nothing was done.
    async fn write_to(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
        task: &str,
    ) -> Result<Value, ForgeError> {
        for attempt in 0..TRIES {
            self.pace(task).await?;
            match self.send(method, url, body, None).await {
                Err(Broken::NotSent(cause)) if attempt + 1 == TRIES => {
                    return Err(ForgeError::Unavailable { task: task.to_owned(), cause });
                }
                Err(Broken::NotSent(_)) => self.pause(backoff(attempt), task).await?,
                Err(Broken::Unknown(cause)) => {
                    return Err(ForgeError::Lost { task: task.to_owned(), cause });
                }
                Ok(answer) => match judge(answer.status, &answer.headers, &answer.body, unix_now())
                {
                    Verdict::Final => {
                        let answer = settle(answer, task)?;
                        if answer.body.trim().is_empty() {
                            return Ok(Value::Null);
                        }
                        return serde_json::from_str(&answer.body).map_err(|error| {
                            ForgeError::Lost { task: task.to_owned(), cause: error.to_string() }
                        });
                    }
                    Verdict::Broken => {
                        let cause = format!("GitHub answered {}", answer.status);
                        return Err(ForgeError::Lost { task: task.to_owned(), cause });
                    }
                    Verdict::Limited(wait) => self.pause(wait, task).await?,
                },
            }
        }
        Err(ForgeError::RateLimited { seconds: 60 })
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        body: Option<&Value>,
        accept: Option<&str>,
    ) -> Result<Answer, Broken> {
        let broken = |error: &dyn std::error::Error| {
            let text = chain(error);
            let lowered = text.to_ascii_lowercase();
            let unsent =
                ["connection refused", "dns error", "failed to lookup", "tcp connect error"];
            if unsent.iter().any(|sign| lowered.contains(sign)) {
                Broken::NotSent(text)
            } else {
                Broken::Unknown(text)
            }
        };
        self.requests.set(self.requests.get() + 1);
        let started = Instant::now();
        let request = http::Request::builder()
            .method(method.name())
            .uri(url)
            .header(header::USER_AGENT, concat!("rereview/", env!("CARGO_PKG_VERSION")))
            .header(header::ACCEPT, accept.unwrap_or("application/vnd.github+json"));
        let request = self.octocrab.build_request(request, body).map_err(|e| broken(&e))?;
        let response = self.octocrab.execute(request).await.map_err(|e| broken(&e))?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map_err(|e| broken(&e))?.to_bytes().to_vec();
        let path = url.strip_prefix(&self.endpoints.rest).unwrap_or(url);
        let took = started.elapsed().as_millis();
        debug!("{} {path} -> {} in {took} ms", method.name(), parts.status);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Answer { status: parts.status, headers: parts.headers, body: text, bytes })
    }

    /// Waits, unless that would pass the run's time limit.
    async fn pause(&self, wait: Duration, task: &str) -> Result<(), ForgeError> {
        if Instant::now() + wait > self.deadline {
            debug!("the time limit does not allow waiting {wait:?} to {task}");
            return Err(ForgeError::RateLimited { seconds: wait.as_secs() });
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }

    /// Keeps writes under the secondary limit.
    async fn pace(&self, task: &str) -> Result<(), ForgeError> {
        let minute = Duration::from_secs(60);
        let now = Instant::now();
        let wait = {
            let mut written = self.written.borrow_mut();
            while written.front().is_some_and(|then| now.duration_since(*then) > minute) {
                written.pop_front();
            }
            match written.front() {
                Some(first) if written.len() >= WRITES_A_MINUTE => {
                    Some(minute.saturating_sub(now.duration_since(*first)))
                }
                Some(_) | None => None,
            }
        };
        if let Some(wait) = wait {
            self.pause(wait, task).await?;
        }
        self.written.borrow_mut().push_back(Instant::now());
        Ok(())
    }
}

/// An answer that is final, as success or in our words.
fn settle(answer: Answer, task: &str) -> Result<Answer, ForgeError> {
    let message = message(&answer.body);
    match answer.status {
        status if status.is_success() => Ok(answer),
        StatusCode::UNAUTHORIZED => Err(ForgeError::Unauthorized),
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Err(ForgeError::NotFound { what: format!("what was asked for to {task}") })
        }
        StatusCode::FORBIDDEN => {
            Err(forbidden(task, &message, answer.headers.get("x-accepted-github-permissions")))
        }
        StatusCode::UNPROCESSABLE_ENTITY => {
            Err(ForgeError::Unprocessable { task: task.to_owned(), message })
        }
        status => Err(ForgeError::Unavailable {
            task: task.to_owned(),
            cause: format!("GitHub answered {status}: {message}"),
        }),
    }
}

fn forbidden(task: &str, message: &str, accepted: Option<&HeaderValue>) -> ForgeError {
    let named = accepted.and_then(|value| value.to_str().ok()).and_then(|text| {
        let (name, level) = text.split([';', ',']).next()?.trim().split_once('=')?;
        Some(format!("{}: {level}", name.replace('_', "-")))
    });
    ForgeError::Forbidden {
        task: task.to_owned(),
        permission: named.unwrap_or_else(|| "pull-requests: write".to_owned()),
        message: message.to_owned(),
    }
}

fn parse(answer: &Answer, task: &str) -> Result<Value, ForgeError> {
    serde_json::from_str(&answer.body)
        .map_err(|error| ForgeError::Garbled { task: task.to_owned(), cause: error.to_string() })
}

/// What GitHub says went wrong, with its details, shortened.
fn message(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let mut text = value["message"].as_str().unwrap_or("no reason given").to_owned();
    for error in value["errors"].as_array().into_iter().flatten().take(3) {
        let detail = error.as_str().or_else(|| error["message"].as_str());
        if let Some(detail) = detail {
            text.push_str("; ");
            text.push_str(detail);
        }
    }
    rereview_core::text::one_line(&text, 300)
}

fn describe(error: &Value) -> String {
    rereview_core::text::one_line(error["message"].as_str().unwrap_or("no reason given"), 300)
}

/// An error with its causes: octocrab's own `Display` is one word.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

fn unix_now() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
