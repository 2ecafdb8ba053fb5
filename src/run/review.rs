//! `rereview review`: pull requests on GitHub.

use std::path::Path;
use std::time::Duration;

use rereview_core::ids::{PrNumber, RepoSlug, Sha};
use rereview_core::inventory;
use rereview_core::maintainers::{CodeOwners, Origin, from_readme};
use rereview_core::model::{PullState, Trust};
use tracing::{info, warn};

use super::agent::Mode;
use super::pull::{Gate, Job, PullReport, look, review_pull};
use super::trees::Trees;
use super::voices::{Reports, voices};
use crate::error::Error;
use crate::event::{self, Target};
use crate::forge::Forge;
use crate::forge::github::GitHub;
use crate::git::{Remote, Repository};
use crate::settings::cli::{Common, ConfigFrom, GateName, Review};
use crate::settings::config::{self, Built};
use crate::settings::environment::Environment;

/// How long a run may take (a job's own limit is usually longer).
const TIME_LIMIT: Duration = Duration::from_secs(20 * 60);

/// What a run came to.
#[derive(Debug)]
pub struct Reviewed {
    /// One for each pull request.
    pub pulls: Vec<PullReport>,
    /// Requests to GitHub.
    pub requests: u64,
    /// Why there was nothing to do.
    pub notice: Option<String>,
}

/// Reviews what the event, or the flag, names.
pub async fn review(flags: &Review, environment: &Environment) -> Result<Reviewed, Error> {
    let slug = repository(flags, environment)?;
    let target = match &flags.pull_request {
        Some(text) => {
            let number = event::pull_number(text, &slug, &environment.server).map_err(set_up)?;
            Target::Pull { number, head: None }
        }
        None if environment.event_name.is_empty() => {
            event::target("", &serde_json::Value::Null).map_err(set_up)?
        }
        None => {
            let payload = event::read(environment.event_path.as_deref()).map_err(set_up)?;
            event::target(&environment.event_name, &payload).map_err(set_up)?
        }
    };
    let token = flags.token.as_ref().map(|token| token.expose().to_owned());
    let token = token.or_else(|| environment.token.clone()).ok_or_else(|| {
        Error::set_up(
            "input `token` is empty: there is no token to speak to GitHub with",
            "in a workflow leave the input away (its default is `${{ github.token }}`); \
             elsewhere set GITHUB_TOKEN",
        )
    })?;
    let github = environment.github(&slug, &token, TIME_LIMIT)?;
    let pulls = match target {
        Target::Nothing(notice) => {
            return Ok(Reviewed { pulls: Vec::new(), requests: 0, notice: Some(notice) });
        }
        Target::Pull { number, head } => vec![(number, head)],
        Target::ByHead(head) => {
            let of_head = github.pull_by_head(&head).await?;
            match of_head.as_slice() {
                [one] => vec![(*one, Some(head))],
                others => {
                    let notice = format!(
                        "{} open pull requests have the head {head}; nothing is written",
                        others.len()
                    );
                    let requests = github.requests();
                    return Ok(Reviewed { pulls: Vec::new(), requests, notice: Some(notice) });
                }
            }
        }
        Target::AllOpen => {
            let open = github.open_pulls().await?;
            open.into_iter().filter(|pull| !pull.draft).map(|pull| (pull.number, None)).collect()
        }
    };
    let remote = Remote::new(
        &environment.clone_url(&slug),
        Some(&token),
        environment.certificates.as_deref(),
    )?;
    let run = GitHubRun { github: &github, flags, environment, remote };
    let mut reports = Vec::new();
    for (number, head) in pulls {
        reports.extend(run.one(number, head).await?);
    }
    Ok(Reviewed { pulls: reports, requests: github.requests(), notice: None })
}

fn repository(flags: &Review, environment: &Environment) -> Result<RepoSlug, Error> {
    let text = flags.repo.clone().or_else(|| environment.repository.clone()).ok_or_else(|| {
        Error::set_up("no repository is named", "give `--repo owner/name` or set GITHUB_REPOSITORY")
    })?;
    RepoSlug::new(&text).map_err(set_up)
}

struct GitHubRun<'a> {
    github: &'a GitHub,
    flags: &'a Review,
    environment: &'a Environment,
    remote: Remote,
}

impl GitHubRun<'_> {
    async fn one(&self, number: PrNumber, head: Option<Sha>) -> Result<Option<PullReport>, Error> {
        let mut seen = look(self.github, number).await?;
        let pull = &seen.snapshot.pull;
        if pull.state != PullState::Open {
            info!("pull request {number} is not open: nothing to review");
            return Ok(None);
        }
        let head = head.unwrap_or_else(|| pull.head.clone());
        let base = pull.base.clone();
        let workspace = self.environment.workspace.as_deref();
        let (mut repository, checkout) = open(workspace)?;
        // The config, which says whose words count, lies in the base commit: that first.
        self.get(&mut repository, &base, &head, &[]);
        let built = read_config(&self.flags.common, &repository, &base, &head)?;
        let trust = Trust::new(&seen.snapshot.viewer, built.trusted.iter().cloned());
        let earlier = inventory::earlier_heads(&seen.snapshot, &trust, &built.marker);
        self.get(&mut repository, &base, &head, &earlier);
        let trees = Trees::new(&repository, &base, &head)?;
        let job = job(&built, &self.flags.common, self.flags.gate, &repository, &base);
        let specs = chosen(&built, &self.flags.common)?;
        let commit = match (&self.flags.common.reports_commit, checkout) {
            (Some(text), _) => Some(Sha::new(text).map_err(set_up)?),
            (None, true) => repository.head()?.map(|head| head.commit),
            (None, false) => None,
        };
        let reports = Reports {
            workspace: workspace.unwrap_or_else(|| Path::new(".")),
            globs: &self.flags.common.reports,
            commit,
            repository: &repository,
        };
        let voices = voices(&specs, &reports, &trees)?;
        if voices.is_empty() {
            return Err(nothing_to_say());
        }
        review_pull(self.github, &job, &voices, &trees, &mut seen).await.map(Some)
    }
}

impl GitHubRun<'_> {
    /// Fetches what is missing; what cannot be had widens the scope, and is said.
    fn get(&self, repository: &mut Repository, base: &Sha, head: &Sha, extra: &[Sha]) {
        let had = repository.ensure(Some(&self.remote), base, head, extra);
        for failure in &had.failures {
            warn!("{failure}");
        }
    }
}

/// The checkout, or a temporary clone without one; whether it is a checkout.
fn open(workspace: Option<&Path>) -> Result<(Repository, bool), Error> {
    match workspace.filter(|path| path.join(".git").exists()) {
        Some(path) => match Repository::open(path) {
            Ok(repository) => Ok((repository, true)),
            Err(crate::git::GitError::Unsupported { kind, .. }) => {
                warn!("the checkout is {kind}; the objects are fetched anew");
                Ok((Repository::temporary()?, false))
            }
            Err(error) => Err(error.into()),
        },
        None => Ok((Repository::temporary()?, false)),
    }
}

/// The config of the base commit: the head must not rewrite its own review.
pub(super) fn read_config(
    flags: &Common,
    repository: &Repository,
    base: &Sha,
    head: &Sha,
) -> Result<Built, Error> {
    let commit = match flags.config_from {
        ConfigFrom::Base => base,
        ConfigFrom::Head => head,
    };
    let path = rereview_core::ids::RepoPath::new(&flags.config).map_err(set_up)?;
    match repository.blob(commit, &path)? {
        Some(blob) => {
            let text = String::from_utf8(blob.bytes)
                .map_err(|_| Error::set_up(format!("{path} is not UTF-8"), "save it as UTF-8"))?;
            config::read(path.as_str(), &text).map_err(set_up)
        }
        None if flags.config == DEFAULT_CONFIG => Ok(zero_config()),
        None => Err(Error::set_up(
            format!("input `config`: there is no {path} at {}", commit.short()),
            "the file is read from the base commit; `config-from: head` reads the head's",
        )),
    }
}

const DEFAULT_CONFIG: &str = ".github/rereview.yml";

fn zero_config() -> Built {
    Built {
        maintainers: rereview_core::maintainers::Maintainers {
            from: vec![Origin::CodeOwners, Origin::Permission],
            ..Default::default()
        },
        ..Built::default()
    }
}

/// The agents that the input `agents` leaves.
pub(super) fn chosen(
    built: &Built,
    flags: &Common,
) -> Result<Vec<crate::settings::config::AgentSpec>, Error> {
    for name in &flags.agents {
        if built.agents.iter().all(|spec| spec.agent.name.as_str() != name) {
            let known: Vec<&str> = built.agents.iter().map(|s| s.agent.name.as_str()).collect();
            return Err(Error::set_up(
                format!("input `agents`: {name:?} is unknown; allowed is {}", known.join(", ")),
                "the names are those of the config's `agents`",
            ));
        }
    }
    let wanted = |name: &str| flags.agents.is_empty() || flags.agents.iter().any(|n| n == name);
    Ok(built.agents.iter().filter(|spec| wanted(spec.agent.name.as_str())).cloned().collect())
}

/// What a run is asked to do, with the maintainers that the base commit names.
pub(super) fn job(
    built: &Built,
    flags: &Common,
    gate: GateName,
    repository: &Repository,
    base: &Sha,
) -> Job {
    let mut maintainers = built.maintainers.clone();
    let file = |path: &str| {
        let path = rereview_core::ids::RepoPath::new(path).ok()?;
        let blob = repository.blob(base, &path).ok()??;
        Some(String::from_utf8_lossy(&blob.bytes).into_owned())
    };
    if maintainers.from.contains(&Origin::CodeOwners) {
        let text = CodeOwners::PLACES.iter().find_map(|path| file(path));
        maintainers.codeowners = CodeOwners::parse(&text.unwrap_or_default());
    }
    if maintainers.from.contains(&Origin::Readme) {
        maintainers.readme = from_readme(&file("README.md").unwrap_or_default());
    }
    Job {
        marker: built.marker.clone(),
        trusted: built.trusted.clone(),
        maintainers,
        equivalence: built.equivalence.clone(),
        max_new_comments: flags.max_new_comments,
        gate: match gate {
            GateName::Check => Gate::Check,
            GateName::None => Gate::None,
        },
        mode: if flags.dry_run { Mode::DryRun } else { Mode::Write },
    }
}

/// No config and no report.
pub(super) fn nothing_to_say() -> Error {
    Error::set_up(
        "there is nothing to review with: no agent is configured and no report is given",
        "give the input `reports` a file that an earlier step made, such as `ruff check \
         --output-format sarif --output-file ruff.sarif`, or write .github/rereview.yml",
    )
}

pub(super) fn set_up(error: impl std::fmt::Display) -> Error {
    Error::SetUp { message: error.to_string(), hints: Vec::new() }
}
