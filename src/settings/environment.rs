//! What the runner says about the job, from a plain map.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rereview_core::ids::RepoSlug;

use crate::error::Error;
use crate::forge::github::{Config, GitHub, Token};

/// The job, as the runner's environment describes it.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Name of the event; empty outside of Actions.
    pub event_name: String,
    /// Its payload.
    pub event_path: Option<PathBuf>,
    /// Which repository.
    pub repository: Option<String>,
    /// Where GitHub's REST is.
    pub api: String,
    /// Where its GraphQL is; made from `api` when absent, so that Enterprise Server works.
    pub graphql: Option<String>,
    /// Its web address.
    pub server: String,
    /// The checkout.
    pub workspace: Option<PathBuf>,
    /// File for step outputs.
    pub output: Option<PathBuf>,
    /// File for the step summary.
    pub step_summary: Option<PathBuf>,
    /// `SSL_CERT_FILE`.
    pub certificates: Option<PathBuf>,
    /// A token outside of Actions.
    pub token: Option<String>,
}

impl Environment {
    /// Reads the map.
    pub fn read(map: &BTreeMap<String, String>) -> Self {
        let text =
            |name: &str| map.get(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        let path = |name: &str| text(name).map(PathBuf::from);
        let server = text("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
        Self {
            event_name: text("GITHUB_EVENT_NAME").unwrap_or_default(),
            event_path: path("GITHUB_EVENT_PATH"),
            repository: text("GITHUB_REPOSITORY"),
            api: text("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned()),
            graphql: text("GITHUB_GRAPHQL_URL"),
            server: server.trim_end_matches('/').to_owned(),
            workspace: path("GITHUB_WORKSPACE"),
            output: path("GITHUB_OUTPUT"),
            step_summary: path("GITHUB_STEP_SUMMARY"),
            certificates: path("SSL_CERT_FILE"),
            token: text("GITHUB_TOKEN"),
        }
    }

    /// The repository on GitHub. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// An address or token that cannot be one.
    pub fn github(
        &self,
        repository: &RepoSlug,
        token: &str,
        time_limit: Duration,
    ) -> Result<GitHub, Error> {
        GitHub::new(&Config {
            api: self.api.clone(),
            graphql: self.graphql.clone(),
            repo: repository.clone(),
            token: Token::new(token),
            ca_file: self.certificates.clone(),
            time_limit,
            // Agents are known only after the config of the base commit, which is read later.
            markers: vec!["-agent: ".to_owned(), "-review-summary ".to_owned()],
        })
        .map_err(|error| Error::SetUp { message: error.to_string(), hints: Vec::new() })
    }

    /// Where commits are fetched from.
    pub fn clone_url(&self, repository: &RepoSlug) -> String {
        format!("{}/{repository}", self.server)
    }
}
