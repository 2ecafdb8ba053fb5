//! The command line. The action's inputs are the same flags (see [`super::inputs`]).

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::Secret;

/// Reviews a pull request after every push and remembers what it said.
#[derive(Debug, Parser)]
#[command(name = "rereview", version, about, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do; `review` if nothing is said.
    #[command(subcommand)]
    pub command: Command,
}

/// The modes.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Review pull requests on GitHub.
    Review(Box<Review>),
    /// Review the checked-out branch, without GitHub.
    Local(Box<Local>),
    /// Show a pull request's life on a small repository that it makes itself.
    Demo,
    /// Tell a finding's whole life.
    Explain(Box<Explain>),
    /// Print anchors and keys of places: `path:line`.
    Keys(Keys),
}

/// Flags that every review takes.
#[derive(Debug, Args)]
pub struct Common {
    /// The config file, from the repository root.
    #[arg(long, value_name = "PATH", default_value = ".github/rereview.yml")]
    pub config: String,
    /// Which commit the config is read from: the pull request must not rewrite its own review.
    #[arg(long, value_name = "WHERE", default_value = "base", ignore_case = true)]
    pub config_from: ConfigFrom,
    /// Reports of other tools: globs from the workspace, one per line or with commas.
    #[arg(long, value_name = "GLOB")]
    pub reports: Vec<String>,
    /// The commit that the reports were made on, when that is not the checked-out one.
    #[arg(long, value_name = "SHA")]
    pub reports_commit: Option<String>,
    /// Only these agents of the config.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub agents: Vec<String>,
    /// What makes the exit status 1.
    #[arg(long, value_name = "WHAT", default_value = "must-fix", ignore_case = true)]
    pub fail_on: FailOn,
    /// Print each action with its reason and write nothing.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_value = "false",
          default_missing_value = "true", value_parser = boolean, action = clap::ArgAction::Set)]
    pub dry_run: bool,
    /// Most new comments per agent and run; the rest become notes in the summary.
    #[arg(long, value_name = "N", default_value = "60", value_parser = number)]
    pub max_new_comments: usize,
    /// How much is logged: error, warn, info, debug, trace.
    #[arg(long, value_name = "LEVEL", default_value = "info", ignore_case = true)]
    pub log: LogLevel,
}

/// Flags of `review`.
#[derive(Debug, Args)]
pub struct Review {
    /// Flags of every review.
    #[command(flatten)]
    pub common: Common,
    /// The token; `GITHUB_TOKEN` outside of Actions.
    #[arg(long, value_name = "TOKEN", hide_default_value = true)]
    pub token: Option<Secret>,
    /// Which pull request: a number, #number or its URL. Else the event says.
    #[arg(long, value_name = "PULL")]
    pub pull_request: Option<String>,
    /// Where the summary lives.
    #[arg(long, value_name = "WHERE", default_value = "check", ignore_case = true)]
    pub gate: GateName,
    /// The repository, `owner/name`; `GITHUB_REPOSITORY` in Actions.
    #[arg(long, value_name = "REPOSITORY")]
    pub repo: Option<String>,
}

/// Flags of `local`.
#[derive(Debug, Args)]
pub struct Local {
    /// What to do instead of a review: play the people.
    #[command(subcommand)]
    pub act: Option<LocalAct>,
    /// Flags of every review.
    #[command(flatten)]
    pub common: Common,
    /// What the branch goes to; the default branch if nothing is said.
    #[arg(long, value_name = "REF")]
    pub base: Option<String>,
    /// How the result is shown.
    #[arg(long, value_name = "FORMAT", default_value = "text", ignore_case = true)]
    pub format: Show,
    /// Show resolved threads as well.
    #[arg(long)]
    pub all: bool,
}

/// What people do on a branch.
#[derive(Debug, Subcommand)]
pub enum LocalAct {
    /// Answer in a thread.
    Reply {
        /// The thread, as it is listed.
        thread: String,
        /// What is said.
        text: String,
        /// Who says it.
        #[arg(long, value_name = "LOGIN")]
        r#as: Option<String>,
    },
    /// Resolve a thread.
    Resolve {
        /// The thread, as it is listed.
        thread: String,
        /// Who resolves it.
        #[arg(long, value_name = "LOGIN")]
        r#as: Option<String>,
    },
    /// Open a thread again.
    Unresolve {
        /// The thread, as it is listed.
        thread: String,
        /// Who opens it.
        #[arg(long, value_name = "LOGIN")]
        r#as: Option<String>,
    },
}

/// Flags of `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A finding-key (or its first digits), or the address of a thread.
    pub finding: String,
    /// The token; without one the local branch is asked.
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<Secret>,
    /// Which pull request.
    #[arg(long, value_name = "PULL")]
    pub pull_request: Option<String>,
    /// The repository, `owner/name`.
    #[arg(long, value_name = "REPOSITORY")]
    pub repo: Option<String>,
}

/// Flags of `keys`.
#[derive(Debug, Args)]
pub struct Keys {
    /// Places: `path:line`, or `path` for the whole file.
    #[arg(required = true)]
    pub places: Vec<String>,
    /// Whose key.
    #[arg(long, value_name = "NAME", default_value = "lint")]
    pub agent: String,
    /// Of what class.
    #[arg(long, value_name = "CLASS", default_value = "finding")]
    pub class: String,
}

/// See [`Common::config_from`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigFrom {
    /// The base commit.
    Base,
    /// The head: the pull request may change its own review.
    Head,
}

/// See [`Review::gate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateName {
    /// A comment review; the exit status is the gate.
    Check,
    /// The step summary only.
    None,
}

/// See [`Common::fail_on`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A must-fix finding that is outstanding, or an agent that failed.
    MustFix,
    /// Anything that is outstanding, or an agent that failed.
    Any,
    /// Nothing.
    Never,
}

/// See [`Common::log`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// What ends a run.
    Error,
    /// What people should know.
    Warn,
    /// What is done.
    Info,
    /// Every request.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// For the subscriber.
    pub fn filter(self) -> tracing::level_filters::LevelFilter {
        match self {
            Self::Error => tracing::level_filters::LevelFilter::ERROR,
            Self::Warn => tracing::level_filters::LevelFilter::WARN,
            Self::Info => tracing::level_filters::LevelFilter::INFO,
            Self::Debug => tracing::level_filters::LevelFilter::DEBUG,
            Self::Trace => tracing::level_filters::LevelFilter::TRACE,
        }
    }
}

/// See [`Local::format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// For people.
    Text,
    /// For programs: the JSON report.
    Json,
}

/// `true` or `false`, in any case.
fn boolean(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("it must be `true` or `false`".to_owned()),
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "it must be a whole number, 0 or more".to_owned())
}
