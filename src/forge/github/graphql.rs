//! GraphQL answers: `data` and `errors` are both read, and 200 with `errors` is not an answer.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client::Answer;
use super::retry::{Task, Trouble, shorten, speaks_of_limit, told_to_wait};
use crate::forge::ForgeError;

/// One entry of `errors`.
#[derive(Debug, Deserialize)]
pub(super) struct GraphQlError {
    /// `FORBIDDEN`, `NOT_FOUND`, …; absent on time-outs and malformed documents.
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) message: String,
    /// From the root to what failed: names, and indexes into lists.
    #[serde(default)]
    pub(super) path: Vec<Value>,
    #[serde(default)]
    extensions: Value,
}

impl GraphQlError {
    /// The field or alias at the document's root that it belongs to.
    pub(super) fn root(&self) -> Option<&str> {
        self.path.first()?.as_str()
    }

    /// Whether something that was asked for does not exist.
    pub(super) fn is_not_found(&self) -> bool {
        self.kind.as_deref() == Some("NOT_FOUND")
    }

    /// Whether GitHub decided against it, so that it surely did not happen.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(
            self.kind.as_deref(),
            Some(
                "FORBIDDEN"
                    | "INSUFFICIENT_SCOPES"
                    | "NOT_FOUND"
                    | "UNPROCESSABLE"
                    | "RATE_LIMITED"
                    | "BAD_USER_INPUT"
            )
        )
    }

    fn is_forbidden(&self) -> bool {
        matches!(self.kind.as_deref(), Some("FORBIDDEN" | "INSUFFICIENT_SCOPES"))
    }

    fn is_limit(&self) -> bool {
        self.kind.as_deref() == Some("RATE_LIMITED") || speaks_of_limit(&self.message)
    }
}

/// Which errors leave an answer whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tolerate {
    /// None.
    Nothing,
    /// `nodes(ids:)` that are gone: they are null in the data.
    GoneNodes,
}

/// The errors of an answer, without its data.
#[derive(Debug, Deserialize)]
struct Errors {
    #[serde(default)]
    errors: Vec<GraphQlError>,
}

#[derive(Deserialize)]
struct Data<D> {
    data: D,
}

/// The data of a read, if it came without errors.
pub(super) fn whole<D: DeserializeOwned>(
    answer: &Answer,
    task: Task,
    tolerate: Tolerate,
) -> Result<D, Trouble> {
    let gone = |error: &GraphQlError| {
        tolerate == Tolerate::GoneNodes && error.is_not_found() && error.root() == Some("nodes")
    };
    let mut errors = errors(answer)?;
    errors.retain(|error| !gone(error));
    match errors.first() {
        None => serde_json::from_slice::<Data<D>>(&answer.body)
            .map(|whole| whole.data)
            .map_err(|error| Trouble::NoAnswer(format!("the answer cannot be read: {error}"))),
        Some(first) => Err(trouble(first, &errors, answer, task)),
    }
}

/// The errors of any answer.
pub(super) fn errors(answer: &Answer) -> Result<Vec<GraphQlError>, Trouble> {
    serde_json::from_slice::<Errors>(&answer.body)
        .map(|answer| answer.errors)
        .map_err(|error| Trouble::NoAnswer(format!("the answer cannot be read: {error}")))
}

/// What the errors of a read (or of a mutation none of which was carried out) mean.
pub(super) fn trouble(
    first: &GraphQlError,
    errors: &[GraphQlError],
    answer: &Answer,
    task: Task,
) -> Trouble {
    let message = shorten(&first.message);
    if errors.iter().any(GraphQlError::is_limit) {
        Trouble::Limited(told_to_wait(&answer.headers))
    } else if let Some(no) = errors.iter().find(|error| error.is_forbidden()) {
        Trouble::Final(ForgeError::Forbidden {
            task: task.name.to_owned(),
            permission: task.permission.to_owned(),
            message: shorten(&no.message),
        })
    } else if first.is_not_found() {
        Trouble::Final(ForgeError::NotFound { what: task.subject.to_owned() })
    } else if errors.iter().all(|error| error.extensions.get("code").is_some()) {
        // The document itself is refused: by an older server, and it always will be.
        Trouble::Final(ForgeError::Garbled { task: task.name.to_owned(), cause: message })
    } else {
        Trouble::NoAnswer(message)
    }
}
