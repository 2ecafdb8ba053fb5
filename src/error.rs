//! What a run can end with beside its verdict, and the exit code of each (spec 50).

use crate::forge::ForgeError;
use crate::git::GitError;

/// Why a run ended without a verdict. `Display` is for people; the chain is for the log.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input, the config or the set-up is wrong: the person who started the run can mend it.
    #[error("{message}")]
    SetUp {
        /// What is wrong.
        message: String,
        /// What to do about it; may be empty.
        hints: Vec<String>,
    },
    /// GitHub, or the way to it.
    #[error("{0}")]
    Forge(#[from] ForgeError),
    /// The repository.
    #[error("{0}")]
    Git(#[from] GitError),
    /// A mistake of ours.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// A set-up error with one hint.
    pub fn set_up(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::SetUp { message: message.into(), hints: vec![hint.into()] }
    }

    /// 2: configuration, input or set-up; 3: GitHub or the network; 4: ours.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Forge(_) | Self::Git(GitError::Fetch { .. }) => 3,
            Self::SetUp { .. } | Self::Git(_) => 2,
            Self::Internal(_) => 4,
        }
    }

    /// What to do about it.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::SetUp { hints, .. } => hints.clone(),
            Self::Forge(error) => forge_hints(error),
            Self::Git(error) => git_hints(error),
            Self::Internal(_) => {
                vec!["this is a bug in rereview: please report it with this log".to_owned()]
            }
        }
    }
}

fn forge_hints(error: &ForgeError) -> Vec<String> {
    match error {
        ForgeError::Forbidden { permission, .. } => {
            vec!["grant it in the workflow:".to_owned(), format!("permissions:\n  {permission}")]
        }
        ForgeError::NotFound { .. } => vec![
            "check the name, and that the token belongs to this repository or organisation"
                .to_owned(),
        ],
        ForgeError::Unauthorized => vec![
            "pass `token: ${{ github.token }}`, or a token that is still valid for this server"
                .to_owned(),
        ],
        ForgeError::Lost { .. } => vec![
            "run it again: what did happen is found on the pull request, and only the rest is done"
                .to_owned(),
        ],
        ForgeError::Unavailable { .. }
        | ForgeError::RateLimited { .. }
        | ForgeError::Garbled { .. }
        | ForgeError::Unprocessable { .. } => vec!["run it again later".to_owned()],
    }
}

fn git_hints(error: &GitError) -> Vec<String> {
    match error {
        GitError::NotARepository { .. } | GitError::NoCommit { .. } => vec![
            "check the repository out first: `uses: actions/checkout` with `fetch-depth: 0`"
                .to_owned(),
        ],
        GitError::NoMergeBase { .. } => {
            vec!["fetch more history: `fetch-depth: 0` in the checkout step".to_owned()]
        }
        GitError::Unsupported { .. } => {
            vec!["check the repository out without a filter".to_owned()]
        }
        GitError::BadUrl { .. }
        | GitError::BadCertificates { .. }
        | GitError::Fetch { .. }
        | GitError::Disk(_)
        | GitError::Git(_) => Vec::new(),
    }
}
