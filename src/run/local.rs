//! `rereview local`: the same phases on the checked-out branch, with threads in files.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use rereview_core::ids::{Account, Sha, ThreadId};

use super::agent::Mode;
use super::pull::{PullReport, look, review_pull};
use super::review::{chosen, job, nothing_to_say, read_config, set_up};
use super::show::{self, Style, Which};
use super::trees::Trees;
use super::voices::{Reports, voices};
use crate::error::Error;
use crate::forge::local::{self, Home, LocalForge, LocalPull};
use crate::git::Repository;
use crate::settings::cli::{GateName, Local, LocalAct, Show};

/// Reviews the branch, or plays a person on it; shows what stands.
pub async fn local(
    flags: &Local,
    folder: &Path,
    now: &str,
    out: &mut dyn Write,
    style: Style,
) -> Result<Option<PullReport>, Error> {
    let repository = Repository::discover(folder)?;
    let head = repository.head()?.ok_or_else(|| {
        Error::set_up("the repository has no commit yet", "commit something first")
    })?;
    let branch = head.branch.clone().unwrap_or_else(|| "detached".to_owned());
    let home = Home::open(&repository.common_dir(), &branch).map_err(set_up)?;
    if let Some(act) = &flags.act {
        play(act, &home, now)?;
        return Ok(None);
    }
    let (base, base_ref) = base(flags.base.as_deref(), folder, &head.commit)?;
    let trees = Trees::new(&repository, &base, &head.commit)?;
    let built = read_config(&flags.common, &repository, &base, &head.commit)?;
    let specs = chosen(&built, &flags.common)?;
    let job = job(&built, &flags.common, GateName::Check, &repository, &base);
    let workspace = repository.workdir().unwrap_or_else(|| folder.to_owned());
    let commit = match &flags.common.reports_commit {
        Some(text) => Sha::new(text).map_err(set_up)?,
        None => head.commit.clone(),
    };
    let reports = Reports {
        workspace: &workspace,
        globs: &flags.common.reports,
        commit: Some(commit),
        repository: &repository,
    };
    let voices = voices(&specs, &reports, &trees)?;
    if voices.is_empty() {
        return Err(nothing_to_say());
    }
    let maintainers: BTreeSet<Account> = job
        .maintainers
        .users
        .iter()
        .chain(&job.maintainers.fallback)
        .map(|name| Account::from_login(name.as_str()))
        .collect();
    let pull = LocalPull { head: head.commit, base, base_ref, author: None };
    let forge = LocalForge::new(home, pull, maintainers, now);
    let mut seen = look(&forge, local::PULL).await?;
    let report = review_pull(&forge, &job, &voices, &trees, &mut seen).await?;
    let after = look(&forge, local::PULL).await?.snapshot;
    if flags.format == Show::Text {
        let which = if flags.all { Which::All } else { Which::Open };
        let shown = show::threads(&after, &trees, which, style);
        say(out, shown.trim_end())?;
        for agent in &report.agents {
            let Some(outcome) = &agent.outcome else { continue };
            if job.mode == Mode::DryRun {
                say(out, show::decisions(outcome, Which::Open, style).trim_end())?;
            }
        }
        say(out, &show::verdict(&report, style))?;
    }
    Ok(Some(report))
}

fn play(act: &LocalAct, home: &Home, now: &str) -> Result<(), Error> {
    let who = |login: &Option<String>| Account::from_login(login.as_deref().unwrap_or("you"));
    match act {
        LocalAct::Reply { thread, text, r#as } => {
            home.reply(&ThreadId::new(thread), &who(r#as), text, now)
        }
        LocalAct::Resolve { thread, r#as } => home.resolve(&ThreadId::new(thread), &who(r#as)),
        LocalAct::Unresolve { thread, r#as } => home.unresolve(&ThreadId::new(thread), &who(r#as)),
    }
    .map_err(set_up)
}

/// What the branch goes to: the given ref, else the remote's default branch, else main or master.
fn base(given: Option<&str>, folder: &Path, head: &Sha) -> Result<(Sha, String), Error> {
    let git = git2::Repository::discover(folder).map_err(crate::git::GitError::from)?;
    let names: Vec<&str> = match given {
        Some(name) => vec![name],
        None => vec!["origin/HEAD", "origin/main", "origin/master", "main", "master"],
    };
    for name in &names {
        let found = git.revparse_single(name).and_then(|object| object.peel_to_commit());
        if let Ok(commit) = found {
            let sha = Sha::new(&commit.id().to_string()).map_err(set_up)?;
            return Ok((sha, (*name).to_owned()));
        }
    }
    match given {
        Some(name) => Err(Error::set_up(
            format!("flag `--base`: there is no commit called {name:?}"),
            "give a branch, a tag or a SHA",
        )),
        // A repository with one branch of another name: everything was reviewed before.
        None => Ok((head.clone(), "HEAD".to_owned())),
    }
}

fn say(out: &mut dyn Write, line: &str) -> Result<(), Error> {
    writeln!(out, "{line}").map_err(|error| Error::Internal(error.to_string()))
}
