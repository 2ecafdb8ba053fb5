//! The stage: a small repository, its branch's threads, a linter, and the clock.

use std::collections::BTreeSet;
use std::io::Write;

use git2::{Oid, Signature, Time};
use rereview_core::decide::{Act, Equivalence};
use rereview_core::footer::{HiddenLine, Marker};
use rereview_core::ids::{Account, AgentName, FindingClass, Label, Mention, RepoPath, Sha};
use rereview_core::key::Twin;
use rereview_core::maintainers::Maintainers;
use rereview_core::model::{
    Agent, AgentRun, Analysed, Confidence, Level, LineSpan, Reported, Severity, Snapshot, Thread,
};
use rereview_core::render;
use tempfile::TempDir;

use super::story::{AUTHOR, BASE, Event, MAINTAINER, SCENES, Scene};
use crate::error::Error;
use crate::forge::local::{self, Home, LocalForge, LocalPull, Rights};
use crate::git::Repository;
use crate::run::agent::Mode;
use crate::run::pull::{Gate, Job, PullReport, Voice, look, review_pull};
use crate::run::show::{self, Style, Which};
use crate::run::trees::Trees;

/// What the demo's linter knows: needle, class, level, title, more.
const RULES: [(&str, &str, Level, &str, &str); 5] = [
    (
        "eval(",
        "eval",
        Level::Error,
        "`eval` runs whatever the input says",
        "An order's text comes from the network.\nUse `json.loads`.",
    ),
    ("exec(", "exec", Level::Error, "`exec` runs whatever the input says", ""),
    (
        "PASSWORD =",
        "hardcoded-password",
        Level::Error,
        "A password stands in the code",
        "Everybody who can read the repository can use it.",
    ),
    ("except:", "bare-except", Level::Warning, "A bare `except` hides every mistake", ""),
    ("print(", "print", Level::Note, "A `print` in library code", ""),
];

pub(super) struct Stage {
    folder: TempDir,
    git: git2::Repository,
    base: Oid,
    head: Oid,
    forge: LocalForge,
    job: Job,
    agent: Agent,
    only: Option<RepoPath>,
    minute: u32,
    runs: u32,
    met: BTreeSet<u32>,
}

impl Stage {
    pub(super) fn build() -> Result<Self, Error> {
        let folder = TempDir::with_prefix("rereview-demo-").map_err(internal)?;
        let mut options = git2::RepositoryInitOptions::new();
        options.initial_head("main").external_template(false);
        let git = git2::Repository::init_opts(folder.path(), &options).map_err(internal)?;
        let base = commit(&git, None, BASE, 0).map_err(internal)?;
        let home = Home::open(git.commondir(), "orders").map_err(internal)?;
        let pull = LocalPull {
            head: sha(base)?,
            base: sha(base)?,
            base_ref: "main".to_owned(),
            author: Some(Account::from_login(AUTHOR)),
        };
        let maintainer = Account::from_login(MAINTAINER);
        let forge = LocalForge::new(home, pull, [maintainer].into(), time(0));
        let job = Job {
            marker: Marker::default(),
            trusted: Vec::new(),
            maintainers: Maintainers {
                users: Mention::new(MAINTAINER).into_iter().collect(),
                ..Maintainers::default()
            },
            equivalence: Equivalence::default(),
            max_new_comments: 60,
            gate: Gate::Check,
            mode: Mode::Write,
        };
        let name = AgentName::new("lint").map_err(internal)?;
        let agent = Agent::plain(name, Label::new("Lint").map_err(internal)?);
        Ok(Self {
            folder,
            git,
            base,
            head: base,
            forge,
            job,
            agent,
            only: None,
            minute: 0,
            runs: 0,
            met: BTreeSet::new(),
        })
    }

    pub(super) async fn play(
        &mut self,
        scene: &Scene,
        out: &mut dyn Write,
        style: Style,
    ) -> Result<(), Error> {
        self.runs += 1;
        say(out, &format!("\n{}", style.bold(&format!("{}. {}", self.runs, scene.title))))?;
        for event in scene.events {
            self.happen(event).await?;
        }
        let before = look(&self.forge, local::PULL).await?.snapshot;
        let (report, after) = self.run().await?;
        self.tell(&report, &before, &after, out, style)?;
        for row in scene.rows {
            if !self.met.contains(row) {
                return Err(Error::Internal(format!("the demo did not meet row {row}")));
            }
        }
        Ok(())
    }

    async fn happen(&mut self, event: &Event) -> Result<(), Error> {
        self.minute += 1;
        match event {
            Event::Push(files) => {
                self.head =
                    commit(&self.git, Some(self.head), files, self.minute).map_err(internal)?;
            }
            Event::ForcePush(files) => {
                let mut old = self.git.revwalk().map_err(internal)?;
                old.push(self.head).map_err(internal)?;
                old.hide(self.base).map_err(internal)?;
                let gone: Vec<Sha> =
                    old.filter_map(Result::ok).filter_map(|oid| sha(oid).ok()).collect();
                self.forge.forget(gone);
                self.head =
                    commit(&self.git, Some(self.base), files, self.minute).map_err(internal)?;
            }
            Event::Resolve(who, class) => {
                let thread = self.newest(class).await?;
                let who = Account::from_login(who);
                self.forge.home().resolve(&thread.id, &who).map_err(internal)?;
            }
            Event::Reply(who, class, text) => {
                let thread = self.newest(class).await?;
                let who = Account::from_login(who);
                let now = time(self.minute);
                self.forge.home().reply(&thread.id, &who, text, &now).map_err(internal)?;
            }
            Event::LoseRights => self.forge.set_rights(Rights::NoResolving),
            Event::RegainRights => self.forge.set_rights(Rights::Full),
            Event::ReportOnly(path) => self.only = RepoPath::new(path).ok(),
        }
        Ok(())
    }

    async fn newest(&self, class: &str) -> Result<Thread, Error> {
        let threads = look(&self.forge, local::PULL).await?.snapshot.threads;
        let of_class = |thread: &Thread| {
            let hidden = thread.root().and_then(|root| HiddenLine::parse(&root.body));
            let twin = hidden.and_then(|hidden| hidden.class).map(|class| Twin::parse(&class));
            twin.is_some_and(|twin| twin.class().as_str() == class)
        };
        let newest = threads.into_iter().rev().find(of_class);
        newest.ok_or_else(|| Error::Internal(format!("the demo has no thread of class {class}")))
    }

    async fn run(&mut self) -> Result<(PullReport, Snapshot), Error> {
        self.minute += 1;
        let head = sha(self.head)?;
        self.forge.push(head.clone(), time(self.minute));
        let repository = Repository::open(self.folder.path())?;
        let trees = Trees::new(&repository, &sha(self.base)?, &head)?;
        let voice = Voice { agent: self.agent.clone(), run: self.lint(&repository, &trees)? };
        let mut seen = look(&self.forge, local::PULL).await?;
        let report = review_pull(&self.forge, &self.job, &[voice], &trees, &mut seen).await?;
        let after = look(&self.forge, local::PULL).await?.snapshot;
        Ok((report, after))
    }

    /// The demo's reviewer: looks for a few words.
    fn lint(&mut self, repository: &Repository, trees: &Trees<'_>) -> Result<AgentRun, Error> {
        let only = self.only.take();
        let mut reported = Vec::new();
        for (path, _) in repository.paths(trees.head())? {
            if only.as_ref().is_some_and(|only| *only != path) || !path.as_str().ends_with(".py") {
                continue;
            }
            let Some(source) = trees.source(&path)? else { continue };
            for line in 1..=source.line_count() {
                let text = source.line(line).unwrap_or_default();
                for (needle, class, level, title, body) in RULES {
                    if text.contains(needle) {
                        reported.push(Reported {
                            path: path.clone(),
                            lines: Some(LineSpan::line(line)),
                            column: None,
                            class: FindingClass::from_rule(class),
                            severity: Severity::Level(level),
                            title: title.to_owned(),
                            body: body.to_owned(),
                            suggestion: None,
                            confidence: Confidence::Normal,
                        });
                    }
                }
            }
        }
        let analysed = match only {
            Some(only) => Analysed::Files([only].into()),
            None => Analysed::Everything,
        };
        Ok(AgentRun::Ran { reported, analysed, skipped: Vec::new() })
    }

    fn tell(
        &mut self,
        report: &PullReport,
        before: &Snapshot,
        after: &Snapshot,
        out: &mut dyn Write,
        style: Style,
    ) -> Result<(), Error> {
        for outcome in report.agents.iter().filter_map(|agent| agent.outcome.as_ref()) {
            self.met.extend(outcome.decisions.iter().map(|decision| decision.row.number()));
            let quiet = outcome.decisions.iter().all(|d| matches!(d.act, Act::Leave | Act::Drop));
            say(out, show::decisions(outcome, Which::All, style).trim_end())?;
            if quiet {
                say(out, &style.dim("  nothing is written but the run's own books"))?;
            }
        }
        let head = sha(self.head)?;
        let repository = Repository::open(self.folder.path())?;
        let trees = Trees::new(&repository, &sha(self.base)?, &head)?;
        for thread in &after.threads {
            let known = before.threads.iter().find(|known| known.id == thread.id);
            if known != Some(thread) {
                say(out, &format!("\n{}", show::one_thread(thread, &trees, style).trim_end()))?;
            }
        }
        Ok(())
    }

    /// The summary as it stands in the end, and the rows that were met.
    pub(super) fn curtain(&self, out: &mut dyn Write, style: Style) -> Result<(), Error> {
        let rows: Vec<String> = self.met.iter().map(u32::to_string).collect();
        say(out, &format!("\n{}", style.bold("What a reader of the pull request sees on top")))?;
        let path = self.forge.home().path().display().to_string();
        let summary = std::fs::read_to_string(&path).map_err(internal)?;
        let document: serde_json::Value = serde_json::from_str(&summary).map_err(internal)?;
        let bodies = document["reviews"].as_array().into_iter().flatten();
        let page = bodies
            .filter_map(|review| review["body"].as_str())
            .rfind(|body| render::summary::is_summary(body, &self.job.marker));
        for line in show::visible(page.unwrap_or_default()) {
            say(out, &line)?;
        }
        say(
            out,
            &format!(
                "\n{} runs met rows {} of the decision table. Rows 1 and 13 need a second agent.",
                SCENES.len(),
                rows.join(", ")
            ),
        )
    }
}

fn commit(
    git: &git2::Repository,
    parent: Option<Oid>,
    files: &[(&str, &str)],
    minute: u32,
) -> Result<Oid, git2::Error> {
    let parent = parent.map(|oid| git.find_commit(oid)).transpose()?;
    let mut index = git2::Index::new()?;
    let mut update = git2::build::TreeUpdateBuilder::new();
    let start = match &parent {
        Some(parent) => parent.tree()?,
        None => git.find_tree(index.write_tree_to(git)?)?,
    };
    for (path, content) in files {
        update.upsert(*path, git.blob(content.as_bytes())?, git2::FileMode::Blob);
    }
    let tree = git.find_tree(update.create_updated(git, &start)?)?;
    let when = Time::new(1_767_225_600 + i64::from(minute) * 60, 0);
    let who = Signature::new(AUTHOR, "casey@example.org", &when)?;
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    git.commit(None, &who, &who, "Work on orders", &tree, &parents)
}

fn sha(oid: Oid) -> Result<Sha, Error> {
    Sha::new(&oid.to_string()).map_err(internal)
}

/// Minutes after New Year 2026.
fn time(minute: u32) -> String {
    format!("2026-01-01T{:02}:{:02}:00Z", minute / 60, minute % 60)
}

fn say(out: &mut dyn Write, line: &str) -> Result<(), Error> {
    writeln!(out, "{line}").map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}
