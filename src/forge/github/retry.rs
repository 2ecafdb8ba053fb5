//! What an answer means for another try (spec 80 §1).

use std::time::Duration;

use http::{HeaderMap, StatusCode};

/// Tries of a read.
pub(super) const TRIES: u32 = 4;
/// How long a limit without a time is waited for.
const UNNAMED_LIMIT: Duration = Duration::from_secs(60);

/// What an answer says about trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is final.
    Final,
    /// Something broke on the way; a read may ask again.
    Broken,
    /// Nothing was done, and nothing will be before this has passed.
    Limited(Duration),
}

pub(super) fn judge(status: StatusCode, headers: &HeaderMap, body: &str, now: u64) -> Verdict {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    let after = number("retry-after").map(Duration::from_secs);
    let used_up = number("x-ratelimit-remaining") == Some(0);
    let lowered = body.get(..2_000).unwrap_or(body).to_ascii_lowercase();
    let named = lowered.contains("secondary rate limit") || lowered.contains("rate limit exceeded");
    let is_limit = status == StatusCode::TOO_MANY_REQUESTS
        || (status == StatusCode::FORBIDDEN && (after.is_some() || used_up || named));
    if is_limit {
        let reset = number("x-ratelimit-reset").filter(|_| used_up);
        let until = reset.map(|reset| Duration::from_secs(reset.saturating_sub(now) + 1));
        return Verdict::Limited(after.or(until).unwrap_or(UNNAMED_LIMIT));
    }
    if status.is_server_error() { Verdict::Broken } else { Verdict::Final }
}

/// Exponential, with jitter from the clock's own digits: no two jobs wait alike.
pub(super) fn backoff(attempt: u32) -> Duration {
    let nanos = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    let base = 500_u64 << attempt.min(6);
    Duration::from_millis(base + u64::from(nanos) % (base / 2))
}
