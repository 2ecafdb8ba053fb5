//! What can go wrong between us and the forge, and what it means for the run.

/// A request that did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// The repository or pull request is not there, or the token cannot see it.
    #[error("{what} was not found: it does not exist, or the token cannot see it")]
    NotFound {
        /// What was asked for.
        what: String,
    },
    /// The token is not valid (401).
    #[error("GitHub does not accept the token (401): it is missing, expired or of another server")]
    Unauthorized,
    /// The token may not do this; not a rate limit.
    #[error("the token may not {task}: it needs `{permission}` ({message})")]
    Forbidden {
        /// "resolve review threads".
        task: String,
        /// As a workflow's `permissions:` names it: `pull-requests: write`.
        permission: String,
        /// What the forge said, shortened.
        message: String,
    },
    /// The request makes no sense to the forge (422); never retried unchanged.
    #[error("GitHub refused to {task} (422): {message}")]
    Unprocessable {
        /// What was asked.
        task: String,
        /// What the forge said, shortened.
        message: String,
    },
    /// A write whose answer did not come: it may have happened.
    #[error("no answer came when asked to {task}; it may have happened ({cause})")]
    Lost {
        /// What was asked.
        task: String,
        /// Why there is no answer.
        cause: String,
    },
    /// The forge did not answer a read, or not wholly, after all retries.
    #[error("could not {task}: {cause}")]
    Unavailable {
        /// What was asked.
        task: String,
        /// The last reason.
        cause: String,
    },
    /// A rate limit that does not end within the run's time.
    #[error("GitHub's rate limit is used up and ends only in {seconds} s")]
    RateLimited {
        /// Until it ends, as far as known.
        seconds: u64,
    },
    /// The forge answered something that cannot be read.
    #[error("could not read the answer to {task}: {cause}")]
    Garbled {
        /// What was asked.
        task: String,
        /// What is wrong with the answer.
        cause: String,
    },
}
