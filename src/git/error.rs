//! What can go wrong with a repository, in sentences for the person who runs rereview.

use std::path::PathBuf;

use rereview_core::ids::Sha;

/// Why git objects could not be had. No text of it holds a token or a URL's user part.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The folder holds no repository.
    #[error("there is no git repository in {}", path.display())]
    NotARepository {
        /// The folder.
        path: PathBuf,
    },
    /// A repository that libgit2 cannot read; another way to the objects is needed (spec 30).
    #[error("the repository in {} cannot be read: it is {kind}", path.display())]
    Unsupported {
        /// The folder.
        path: PathBuf,
        /// What is special about it.
        kind: Unsupported,
    },
    /// A commit that is not among the objects at hand.
    #[error("commit {} is not in the repository", sha.short())]
    NoCommit {
        /// The commit.
        sha: Sha,
    },
    /// Two commits without a common ancestor among the objects at hand. Whoever asked widens the
    /// scope (spec 30).
    #[error("no common ancestor of {} and {} is known", one.short(), other.short())]
    NoMergeBase {
        /// One commit.
        one: Sha,
        /// The other.
        other: Sha,
    },
    /// The remote's URL cannot be used.
    #[error("objects can be fetched over http, https or from a folder, not from {shown}")]
    BadUrl {
        /// The URL without user and password.
        shown: String,
    },
    /// The certificate file is no use.
    #[error("no certificate could be read from {}", path.display())]
    BadCertificates {
        /// The file.
        path: PathBuf,
    },
    /// Fetching failed.
    #[error("fetching from {host} failed: {failure}")]
    Fetch {
        /// The host, or "the folder".
        host: String,
        /// Why.
        failure: FetchFailure,
    },
    /// A folder or file of a temporary clone could not be written.
    #[error("a temporary clone could not be written")]
    Disk(#[from] std::io::Error),
    /// Anything else that libgit2 reports.
    #[error("git: {}", .0.message())]
    Git(#[from] git2::Error),
}

/// What libgit2 1.9 cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// Cloned with a filter such as `blob:none`: objects are missing on purpose.
    #[error("a partial clone (`filter: blob:none` or the like)")]
    PartialClone,
    /// Its object names are SHA-256.
    #[error("a SHA-256 repository")]
    Sha256,
    /// Its references are kept in a reftable.
    #[error("a repository with reftable references")]
    Reftable,
    /// Another repository extension.
    #[error("a repository with an extension unknown to libgit2")]
    Extension,
}

/// Why a fetch failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchFailure {
    /// 401 or 403, or 404, which GitHub answers where a token may not look.
    #[error("HTTP {0}: the token may not read this repository, or it does not exist")]
    Denied(u16),
    /// Another status than success.
    #[error("HTTP {0}")]
    Status(u16),
    /// The server points to another host, which must not get the token.
    #[error("the server redirects elsewhere, where the token must not go")]
    Redirected,
    /// No connection, a broken one, or no answer in time.
    #[error("{0}")]
    Connection(String),
    /// The server answered, and does not give the commits.
    #[error("the server does not give the commits: {0}")]
    Refused(String),
}
