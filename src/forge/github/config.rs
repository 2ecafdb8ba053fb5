//! Where GitHub is and as whom we come: what the settings say, checked.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use http::{HeaderValue, Uri};
use rereview_core::ids::RepoSlug;
use url::Url;

/// Where GitHub is, and as whom we come.
#[derive(Clone, Debug)]
pub struct Config {
    /// `GITHUB_API_URL`.
    pub api: String,
    /// `GITHUB_GRAPHQL_URL`; made from `api` when absent.
    pub graphql: Option<String>,
    /// Which repository.
    pub repo: RepoSlug,
    /// As whom.
    pub token: Token,
    /// `SSL_CERT_FILE`: PEM certificates to trust besides the public ones.
    pub ca_file: Option<PathBuf>,
    /// After this long nothing more is asked for.
    pub time_limit: Duration,
    /// Texts that reviews of our own carry (an agent's metadata, the summary): the search
    /// through a long list of reviews ends when all are found, or after one more request. None:
    /// every review is read.
    pub markers: Vec<String>,
}

impl Config {
    /// Where GraphQL is.
    pub(super) fn graphql_url(&self) -> String {
        self.graphql.clone().unwrap_or_else(|| {
            let api = self.api.trim().trim_end_matches('/');
            match api.strip_suffix("/api/v3") {
                Some(server) => format!("{server}/api/graphql"),
                None => format!("{api}/graphql"),
            }
        })
    }
}

/// The token, which shows itself to nobody.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Takes the token as the user gave it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What travels; marked so that nobody prints it.
    pub(super) fn credentials(&self) -> Result<HeaderValue, SetupError> {
        let mut value =
            HeaderValue::from_str(&format!("Bearer {}", self.0)).map_err(|_| SetupError::Token)?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[token]")
    }
}

/// Why no connection can even be tried.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// `GITHUB_API_URL` or `GITHUB_GRAPHQL_URL` is no web address.
    #[error("{given:?} is not the address of a GitHub API ({reason})")]
    Address {
        /// As it was given.
        given: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The token cannot travel in a header.
    #[error("the token holds characters that no token has")]
    Token,
    /// The TLS library refuses its own settings.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
}

/// A web address without credentials in it.
pub(super) fn address(given: &str) -> Result<Url, SetupError> {
    let wrong = |reason: String| SetupError::Address { given: given.to_owned(), reason };
    let url = Url::parse(given.trim()).map_err(|error| wrong(error.to_string()))?;
    match url.scheme() {
        "https" | "http" if url.username().is_empty() && url.password().is_none() => Ok(url),
        "https" | "http" => Err(wrong("it holds a user name or password".to_owned())),
        _ => Err(wrong("it must begin with https://".to_owned())),
    }
}

/// The same in the words of another library.
pub(super) fn uri(url: &Url) -> Result<Uri, SetupError> {
    url.as_str().parse().map_err(|error: http::uri::InvalidUri| SetupError::Address {
        given: url.to_string(),
        reason: error.to_string(),
    })
}
