//! What the runner says about the job, from a plain map.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rereview_core::ids::RepoSlug;

use crate::forge::github::Endpoints;

/// The job, as the runner's environment describes it.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Name of the event; empty outside of Actions.
    pub event_name: String,
    /// Its payload.
    pub event_path: Option<PathBuf>,
    /// Which repository.
    pub repository: Option<String>,
    /// Where GitHub is.
    pub endpoints: Endpoints,
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
    /// Reads the map. GitHub Enterprise Server works by itself: without a GraphQL address
    /// `/api/v3` becomes `/api/graphql`.
    pub fn read(map: &BTreeMap<String, String>) -> Self {
        let text =
            |name: &str| map.get(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        let path = |name: &str| text(name).map(PathBuf::from);
        let rest = text("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
        let rest = rest.trim_end_matches('/').to_owned();
        let graphql =
            text("GITHUB_GRAPHQL_URL").unwrap_or_else(|| match rest.strip_suffix("/api/v3") {
                Some(server) => format!("{server}/api/graphql"),
                None => format!("{rest}/graphql"),
            });
        let server = text("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
        Self {
            event_name: text("GITHUB_EVENT_NAME").unwrap_or_default(),
            event_path: path("GITHUB_EVENT_PATH"),
            repository: text("GITHUB_REPOSITORY"),
            endpoints: Endpoints { rest, graphql },
            server: server.trim_end_matches('/').to_owned(),
            workspace: path("GITHUB_WORKSPACE"),
            output: path("GITHUB_OUTPUT"),
            step_summary: path("GITHUB_STEP_SUMMARY"),
            certificates: path("SSL_CERT_FILE"),
            token: text("GITHUB_TOKEN"),
        }
    }

    /// Where commits are fetched from.
    pub fn clone_url(&self, repository: &RepoSlug) -> String {
        format!("{}/{repository}", self.server)
    }
}
