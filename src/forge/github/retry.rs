//! What an answer means, whether to ask again, and when (spec 80 §1).

use std::collections::VecDeque;
use std::time::{Duration, SystemTime};

use http::header::{DATE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use tokio::time::{Instant, sleep};

use super::client::{Answer, Broken};
use crate::forge::ForgeError;

/// Times a read is tried, or a write that surely did not arrive.
const TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Times a rate limit is waited for, per request.
const LIMIT_WAITS: u32 = 3;
/// What GitHub asks for when it names no time.
const LIMIT_PAUSE: Duration = Duration::from_secs(60);
/// Content a minute: GitHub's secondary limit is 80.
const CREATED_A_MINUTE: usize = 75;
const MINUTE: Duration = Duration::from_secs(60);
const LONGEST_MESSAGE: usize = 300;

/// What a request is for, in the words of its errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// "submit a review".
    pub(super) name: &'static str,
    /// What does not exist when the answer is 404: "pull request #7".
    pub(super) subject: &'static str,
    /// As a workflow names it, for when GitHub does not: `pull-requests: write`.
    pub(super) permission: &'static str,
}

/// Why there is no good answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Not done, and would not be done again.
    Final(ForgeError),
    /// Not done because of a rate limit; how long it lasts, if that was said.
    Limited(Option<Duration>),
    /// Not done: there was no connection.
    NotSent(String),
    /// No usable answer: it may have been done.
    NoAnswer(String),
}

/// Sorts an answer: a success, or what kind of trouble.
pub(super) fn judge(result: Result<Answer, Broken>, task: Task) -> Result<Answer, Trouble> {
    let answer = match result {
        Ok(answer) => answer,
        Err(Broken::NotSent(cause)) => return Err(Trouble::NotSent(cause)),
        Err(Broken::MaybeSent(cause)) => return Err(Trouble::NoAnswer(cause)),
    };
    let status = answer.status;
    if status.is_success() {
        return Ok(answer);
    }
    let message = message(&answer);
    if is_limit(&answer, &message) {
        return Err(Trouble::Limited(told_to_wait(&answer.headers)));
    }
    let name = task.name.to_owned();
    Err(match status {
        StatusCode::UNAUTHORIZED => Trouble::Final(ForgeError::Unauthorized),
        StatusCode::FORBIDDEN => Trouble::Final(ForgeError::Forbidden {
            task: name,
            permission: accepted_permissions(&answer.headers)
                .unwrap_or_else(|| task.permission.to_owned()),
            message,
        }),
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Trouble::Final(ForgeError::NotFound { what: task.subject.to_owned() })
        }
        StatusCode::UNPROCESSABLE_ENTITY => {
            Trouble::Final(ForgeError::Unprocessable { task: name, message })
        }
        _ if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
            Trouble::NoAnswer(shorten(&format!("{status} {message}")))
        }
        _ if status.is_redirection() => {
            let to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("?");
            let cause = format!("{status} leads to {}, which is not followed", shorten(to));
            Trouble::Final(ForgeError::Unavailable { task: name, cause })
        }
        _ => Trouble::Final(ForgeError::Unavailable {
            task: name,
            cause: shorten(&format!("{status} {message}")),
        }),
    })
}

/// The patience with one request: how often it was tried, and when the run has to end.
#[derive(Debug)]
pub(super) struct Patience {
    task: Task,
    deadline: Instant,
    tries: u32,
    limits: u32,
}

impl Patience {
    pub(super) fn new(task: Task, deadline: Instant) -> Self {
        Self { task, deadline, tries: 0, limits: 0 }
    }

    /// Waits before the next try, or says why there is none.
    pub(super) async fn wait(&mut self, trouble: Trouble) -> Result<(), ForgeError> {
        match trouble {
            Trouble::Final(error) => Err(error),
            Trouble::Limited(told) => {
                let pause = told.unwrap_or(LIMIT_PAUSE * 2_u32.pow(self.limits.min(4)));
                self.limits += 1;
                if self.limits > LIMIT_WAITS || Instant::now() + pause > self.deadline {
                    return Err(ForgeError::RateLimited { seconds: pause.as_secs() });
                }
                tracing::info!(seconds = pause.as_secs(), "waiting for GitHub's rate limit");
                sleep(pause).await;
                Ok(())
            }
            Trouble::NotSent(cause) | Trouble::NoAnswer(cause) => {
                self.tries += 1;
                let pause = backoff(self.tries);
                if self.tries >= TRIES || Instant::now() + pause > self.deadline {
                    let task = self.task.name.to_owned();
                    return Err(ForgeError::Unavailable { task, cause });
                }
                tracing::debug!(cause, "asking again");
                sleep(pause).await;
                Ok(())
            }
        }
    }
}

fn backoff(tries: u32) -> Duration {
    let whole = FIRST_PAUSE * 2_u32.pow(tries.saturating_sub(1).min(4));
    whole.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Keeps what is created below GitHub's limit for content (spec 80 §1).
#[derive(Debug, Default)]
pub(super) struct Pace {
    created: VecDeque<Instant>,
}

impl Pace {
    /// Waits until that many more may be created.
    pub(super) async fn admit(
        &mut self,
        count: usize,
        deadline: Instant,
    ) -> Result<(), ForgeError> {
        let count = count.min(CREATED_A_MINUTE);
        loop {
            let now = Instant::now();
            self.created.retain(|&at| now < at + MINUTE);
            let over = (self.created.len() + count).saturating_sub(CREATED_A_MINUTE);
            let Some(free_at) = over.checked_sub(1).and_then(|last| self.created.get(last)) else {
                self.created.extend(std::iter::repeat_n(now, count));
                return Ok(());
            };
            let free_at = *free_at + MINUTE;
            if free_at > deadline {
                return Err(ForgeError::RateLimited { seconds: (free_at - now).as_secs() });
            }
            sleep(free_at - now).await;
        }
    }
}

/// How long the headers say to wait: `Retry-After`, or until `x-ratelimit-reset` by the
/// server's own clock.
pub(super) fn told_to_wait(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Some(Duration::from_secs(seconds));
    }
    if number("x-ratelimit-remaining") != Some(0) {
        return None;
    }
    let reset = SystemTime::UNIX_EPOCH + Duration::from_secs(number("x-ratelimit-reset")?);
    let now = headers
        .get(DATE)
        .and_then(|date| date.to_str().ok())
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or_else(SystemTime::now);
    Some(reset.duration_since(now).unwrap_or_default() + Duration::from_secs(1))
}

/// Whether a text of GitHub speaks of a rate limit.
pub(super) fn speaks_of_limit(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["rate limit", "abuse detection", "submitted too quickly"]
        .iter()
        .any(|words| message.contains(words))
}

/// Untrusted text made fit for one line of an error.
pub(super) fn shorten(text: &str) -> String {
    let one_line: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_MESSAGE).collect();
    one_line.trim().to_owned()
}

fn is_limit(answer: &Answer, message: &str) -> bool {
    answer.status == StatusCode::TOO_MANY_REQUESTS
        || answer.status == StatusCode::FORBIDDEN
            && (told_to_wait(&answer.headers).is_some() || speaks_of_limit(message))
}

#[derive(Deserialize)]
struct Refusal {
    message: Option<String>,
    #[serde(default)]
    errors: serde_json::Value,
}

/// What GitHub said: the message and its details.
fn message(answer: &Answer) -> String {
    let Ok(refusal) = serde_json::from_slice::<Refusal>(&answer.body) else {
        return shorten(&String::from_utf8_lossy(&answer.body));
    };
    let details = refusal.errors.as_array().into_iter().flatten().filter_map(detail);
    shorten(&refusal.message.into_iter().chain(details).collect::<Vec<_>>().join("; "))
}

fn detail(error: &serde_json::Value) -> Option<String> {
    let text = |value: &serde_json::Value| value.as_str().map(ToOwned::to_owned);
    text(error)
        .or_else(|| text(error.get("message")?))
        .or_else(|| Some(format!("{} {}", text(error.get("field")?)?, text(error.get("code")?)?)))
}

/// `pull_requests=write,contents=read; issues=write` in a workflow's words.
fn accepted_permissions(headers: &HeaderMap) -> Option<String> {
    let given = headers.get("x-accepted-github-permissions")?.to_str().ok()?;
    let one = |permission: &str| permission.trim().replace('_', "-").replace('=', ": ");
    let all = |set: &str| set.split(',').map(one).collect::<Vec<_>>().join("` and `");
    Some(shorten(&given.split(';').map(all).collect::<Vec<_>>().join("` or `")))
        .filter(|text| !text.is_empty())
}
