//! The command line of rereview: from arguments and environment to an exit code.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use rereview::actions::log::Log;
use rereview::actions::{commands, outputs};
use rereview::error::Error;
use rereview::forge::Forge;
use rereview::forge::local::{self as local_forge, Home, LocalForge, LocalPull};
use rereview::git::Repository;
use rereview::run::pull::PullReport;
use rereview::run::show::{self, Style, Which};
use rereview::run::{demo, explain, local, report, review};
use rereview::settings::cli::{Cli, Command, Common, Explain, Local, LogLevel, Review, Show};
use rereview::settings::environment::Environment;
use rereview::settings::inputs;
use rereview_core::footer::Marker;
use rereview_core::ids::RepoSlug;
use rereview_core::render;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    let map: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let is_action = inputs::is_action(&map) && std::env::args_os().len() == 1;
    let cli = match parse(is_action, &map) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let environment = Environment::read(&map);
    let secrets = secrets(&cli, &environment);
    let log = Log::new(secrets.clone());
    let redactor = Log::new(secrets.clone());
    // Only our own words: the libraries' speak of headers and bodies.
    let level = Targets::new().with_target("rereview", level(&cli).filter());
    tracing_subscriber::registry().with(log.with_filter(level)).init();
    if is_action {
        for secret in secrets {
            say(&commands::mask(&secret));
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let result = match runtime {
        Ok(runtime) => runtime.block_on(run(&cli, &environment, is_action)),
        Err(error) => Err(Error::Internal(error.to_string())),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let message = redactor.redact(&error.to_string());
            for line in message.lines() {
                tracing::error!("{line}");
            }
            for hint in error.hints() {
                for line in hint.lines() {
                    tracing::error!("  {line}");
                }
            }
            ExitCode::from(error.exit_code())
        }
    }
}

fn parse(is_action: bool, map: &BTreeMap<String, String>) -> Result<Cli, ExitCode> {
    if !is_action {
        // clap's own codes: 0 for help and version, 2 for a flag that is wrong.
        return Ok(Cli::parse());
    }
    let arguments = inputs::arguments(map).map_err(|message| fail(&message))?;
    Cli::try_parse_from(arguments).map_err(|error| {
        let message = error.to_string().replace("'--", "input '");
        let text: Vec<&str> =
            message.lines().filter(|line| !line.starts_with("For more information")).collect();
        fail(text.join("\n").trim().trim_start_matches("error: "))
    })
}

/// A wrong input: exit code 2.
fn fail(message: &str) -> ExitCode {
    for line in message.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(std::io::stderr(), "error: {}", commands::tame(line.trim()));
    }
    ExitCode::from(2)
}

fn secrets(cli: &Cli, environment: &Environment) -> Vec<String> {
    let flag = match &cli.command {
        Command::Review(flags) => flags.token.as_ref(),
        Command::Explain(flags) => flags.token.as_ref(),
        Command::Local(_) | Command::Demo | Command::Keys(_) => None,
    };
    let flag = flag.map(|token| token.expose().to_owned());
    flag.into_iter().chain(environment.token.clone()).filter(|token| !token.is_empty()).collect()
}

fn level(cli: &Cli) -> LogLevel {
    match &cli.command {
        Command::Review(flags) => flags.common.log,
        // On a terminal the result is what people want to read.
        Command::Local(flags) if flags.common.log == LogLevel::Info => LogLevel::Warn,
        Command::Local(flags) => flags.common.log,
        Command::Demo | Command::Explain(_) | Command::Keys(_) => LogLevel::Error,
    }
}

async fn run(cli: &Cli, environment: &Environment, is_action: bool) -> Result<u8, Error> {
    let style = if std::io::stdout().is_terminal() { Style::Ansi } else { Style::Plain };
    match &cli.command {
        Command::Demo => demo::demo(&mut std::io::stdout(), style).await.map(|()| 0),
        Command::Review(flags) => run_review(flags, environment, is_action).await,
        Command::Local(flags) => run_local(flags, style).await,
        Command::Explain(flags) => run_explain(flags, environment).await,
        Command::Keys(flags) => {
            let repository = Repository::discover(&here()?)?;
            say(explain::keys(flags, &repository)?.trim_end());
            Ok(0)
        }
    }
}

async fn run_review(
    flags: &Review,
    environment: &Environment,
    is_action: bool,
) -> Result<u8, Error> {
    let started = Instant::now();
    let reviewed = review::review(flags, environment).await?;
    if let Some(notice) = &reviewed.notice {
        tracing::info!("{notice}");
    }
    for pull in &reviewed.pulls {
        tell(pull, flags.common.dry_run);
    }
    let milliseconds = started.elapsed().as_millis();
    tracing::info!("{} requests to GitHub, {milliseconds} ms", reviewed.requests);
    let json = report::to_json(&reviewed.pulls, reviewed.requests, milliseconds);
    let path = write_report(&json, environment)?;
    if is_action {
        for line in commands::annotations(&report::annotations(&reviewed.pulls)) {
            say(&line);
        }
    }
    leave(&reviewed.pulls, environment, &path)?;
    Ok(report::exit_code(&reviewed.pulls, flags.common.fail_on))
}

/// The lines of a pull request for the log.
fn tell(pull: &PullReport, dry_run: bool) {
    for outcome in pull.agents.iter().filter_map(|agent| agent.outcome.as_ref()) {
        let which = if dry_run { Which::All } else { Which::Open };
        for line in show::decisions(outcome, which, Style::Plain).lines() {
            tracing::info!("{line}");
        }
    }
    for line in show::verdict(pull, Style::Plain).lines() {
        tracing::info!("#{} {line}", pull.pull);
    }
}

/// The JSON report's file: beside the step's other files, else in the temporary folder.
fn write_report(
    json: &serde_json::Value,
    environment: &Environment,
) -> Result<Option<PathBuf>, Error> {
    let Some(output) = &environment.output else { return Ok(None) };
    // The runner maps this folder; the workspace may be another user's.
    let folder = output.parent().map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join("rereview-report.json");
    let text = serde_json::to_string_pretty(json).map_err(internal)?;
    match std::fs::write(&path, text) {
        Ok(()) => Ok(Some(path)),
        Err(error) => {
            tracing::warn!("the report cannot be written: {error}");
            Ok(None)
        }
    }
}

fn leave(
    pulls: &[PullReport],
    environment: &Environment,
    report_path: &Option<PathBuf>,
) -> Result<(), Error> {
    if let Some(path) = &environment.output {
        let shown = report_path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        outputs::write(path, &report::outputs(pulls, &shown)).map_err(internal)?;
    }
    if let Some(path) = &environment.step_summary {
        for pull in pulls {
            let page = render::summary::step(&pull.summary, &Marker::default());
            outputs::summarize(path, &page).map_err(internal)?;
        }
    }
    Ok(())
}

async fn run_local(flags: &Local, style: Style) -> Result<u8, Error> {
    let started = Instant::now();
    let Some(pull) = local::local(flags, &here()?, &now(), &mut std::io::stdout(), style).await?
    else {
        return Ok(0);
    };
    let pulls = [pull];
    if flags.format == Show::Json {
        let json = report::to_json(&pulls, 0, started.elapsed().as_millis());
        say(&serde_json::to_string_pretty(&json).map_err(internal)?);
    }
    let Common { fail_on, .. } = flags.common;
    Ok(report::exit_code(&pulls, fail_on))
}

async fn run_explain(flags: &Explain, environment: &Environment) -> Result<u8, Error> {
    let token = flags.token.as_ref().map(|token| token.expose().to_owned());
    let token = token.or_else(|| environment.token.clone());
    let snapshot = match (&flags.pull_request, token) {
        (Some(pull), Some(token)) => {
            let slug = flags.repo.clone().or_else(|| environment.repository.clone());
            let slug = RepoSlug::new(&slug.unwrap_or_default())
                .map_err(|error| Error::set_up(error.to_string(), "give `--repo owner/name`"))?;
            let number = rereview::event::pull_number(pull, &slug, &environment.server)
                .map_err(|error| Error::set_up(error.to_string(), ""))?;
            let limit = std::time::Duration::from_secs(120);
            environment.github(&slug, &token, limit)?.read(number).await?
        }
        (Some(_), None) => {
            return Err(Error::set_up("there is no token", "give `--token` or set GITHUB_TOKEN"));
        }
        (None, _) => {
            let repository = Repository::discover(&here()?)?;
            let head = repository.head()?.ok_or_else(|| {
                Error::set_up("the repository has no commit yet", "commit something first")
            })?;
            let branch = head.branch.unwrap_or_else(|| "detached".to_owned());
            let home = Home::open(&repository.common_dir(), &branch)
                .map_err(|error| Error::set_up(error.to_string(), ""))?;
            let pull = LocalPull {
                base: head.commit.clone(),
                head: head.commit,
                base_ref: String::new(),
                author: None,
            };
            let forge = LocalForge::new(home, pull, Default::default(), now());
            forge.read(local_forge::PULL).await?
        }
    };
    say(explain::explain(&snapshot, &flags.finding, &Marker::default())?.trim_end());
    Ok(0)
}

fn here() -> Result<PathBuf, Error> {
    std::env::current_dir().map_err(internal)
}

/// RFC 3339, UTC.
fn now() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil from days, after Howard Hinnant.
    let z = days + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest % 3_600 / 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn say(line: &str) {
    // Whoever closed stdout does not want to read on.
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}
