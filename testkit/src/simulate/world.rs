//! A pull request that a history is played on, with what must hold after every run.

use std::collections::{BTreeMap, BTreeSet};

use rereview::forge::Permission;
use rereview_core::ids::{Account, Sha, ThreadId};

use super::{Edit, Step, Who};
use crate::findings::{Found, found};
use crate::footers::{footer, footers};
use crate::github::{Access, GitHub};
use crate::invariants::{Law, Resolving, Truth, changes, outline, violations};
use crate::memory::MemoryForge;
use crate::people::OldHead;
use crate::repo::{Change, RepoBuilder};

/// The agent whose reviewer reads the simulated files.
pub const LINTER: &str = "lint";

const BOT: &str = "rereview[bot]";

/// What the reviewer reports: the call, its class, its level.
const BAD: [(&str, &str, &str); 4] = [
    ("bad_0(", "bad-0", "error"),
    ("bad_1(", "bad-1", "note"),
    ("bad_2(", "bad-2", "error"),
    ("bad_3(", "bad-3", "note"),
];

/// How a run came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It did all it wanted; this is what was true, by agent.
    Ended(BTreeMap<String, Truth>),
    /// A fault ended it before.
    Died,
}

/// A pull request, its repository, its reviewer.
#[derive(Debug)]
pub struct Simulation {
    /// The repository; the pull request is `topic` against `main`.
    pub repo: RepoBuilder,
    /// GitHub, with a token that may do everything.
    pub forge: MemoryForge,
    /// Tip of `main`.
    pub base: Sha,
    /// Tip of `topic`.
    pub head: Sha,
    first: BTreeMap<String, Vec<String>>,
    files: BTreeMap<String, Vec<String>>,
    muted: BTreeSet<&'static str>,
    merges: usize,
}

impl Default for Simulation {
    fn default() -> Self {
        Self::new()
    }
}

impl Simulation {
    /// The pull request number 1 before its first change.
    pub fn new() -> Self {
        let body = |file: u32| (0..12).map(|n| line(file * 7 + n * 5)).collect();
        let first: BTreeMap<String, Vec<String>> =
            (0..3).map(|file| (format!("f{file}.py"), body(file))).collect();
        let mut repo = RepoBuilder::new();
        let base = commit(&mut repo, &BTreeMap::new(), &first);
        let head = repo.branch("topic").commit(&[]);
        let people =
            [(BOT, Permission::None), ("dev", Permission::Read), ("alice", Permission::Maintain)];
        let mut github = GitHub::new(&people);
        github.token("token", BOT, Access::Write, Access::Write);
        github.open(1, "dev", &base, &head, &repo);
        let forge = MemoryForge::new(github, "token");
        let files = first.clone();
        Self { repo, forge, base, head, first, files, muted: BTreeSet::new(), merges: 0 }
    }

    /// Plays a history. `run` is rereview; the violations come with the step they show at.
    pub fn play(
        &mut self,
        steps: &[Step],
        mut run: impl FnMut(&Self) -> Ran,
    ) -> Result<(), Vec<String>> {
        for (i, step) in steps.iter().enumerate() {
            let found = self.step(step, &mut run);
            if !found.is_empty() {
                let at = format!("at step {i}, {step:?}");
                return Err(std::iter::once(at).chain(found).collect());
            }
        }
        Ok(())
    }

    /// What the reviewer reports on the head.
    pub fn report(&self) -> Vec<Found<'_>> {
        let mut all = Vec::new();
        for (path, lines) in &self.files {
            for (n, text) in (1..).zip(lines) {
                let bad = BAD.iter().find(|(call, ..)| text.contains(call));
                if let Some((_, class, level)) = bad.filter(|bad| !self.muted.contains(bad.1)) {
                    all.push(found(path, n, class, level, "Do not call this."));
                }
            }
        }
        all
    }

    fn step(&mut self, step: &Step, run: &mut impl FnMut(&Self) -> Ran) -> Vec<String> {
        match step {
            Step::Push(edits) => self.push(edits, None),
            Step::ForcePush(edits, old) => self.push(edits, Some(*old)),
            Step::MergeBase => self.merge_base(),
            Step::Reply(who, n) => self.at_thread(*who, *n, |github, who, thread| {
                let _ = github.act(who, 1).reply(thread, "I see it otherwise.");
            }),
            Step::Resolve(who, n) => self.at_thread(*who, *n, |github, who, thread| {
                let _ = github.act(who, 1).resolve(thread);
            }),
            Step::Unresolve(who, n) => self.at_thread(*who, *n, |github, who, thread| {
                let _ = github.act(who, 1).unresolve(thread);
            }),
            Step::ForgeFooter(n) => self.at_thread(Who::Author, *n, forge_footer),
            Step::ReportChanges(n) => {
                let (_, class, _) = BAD[*n as usize % BAD.len()];
                if !self.muted.remove(class) {
                    self.muted.insert(class);
                }
            }
            Step::Run => return self.checked_run(run),
            Step::RunTwice => return self.run_again(run),
            Step::Fault(when, fault) => {
                let before = self.forge.github();
                let mut found = self.checked_run(run);
                let wanted = outline(self.forge.github().pull(1), &me());
                self.forge.change(|github| *github = before);
                self.forge.restart(vec![(*when, *fault)]);
                run(self);
                found.extend(self.checked_run(run));
                let got = outline(self.forge.github().pull(1), &me());
                if got != wanted {
                    found.push(format!("8: {wanted:#?} became {got:#?}"));
                }
                return found;
            }
        }
        Vec::new()
    }

    fn checked_run(&self, run: &mut impl FnMut(&Self) -> Ran) -> Vec<String> {
        self.forge.restart(Vec::new());
        let before = self.forge.github();
        match run(self) {
            Ran::Died => vec!["a run without faults died".to_owned()],
            Ran::Ended(truth) => {
                let maintainers = [Account::from_login("alice")].into();
                let law = Law { me: me(), maintainers, truth, resolving: Resolving::Allowed };
                violations(&before, &self.forge.github(), 1, &law)
            }
        }
    }

    /// The first run may still learn its own comments' ids on the second (spec 20 §6): there only
    /// the threads must stay; from then on everything.
    fn run_again(&self, run: &mut impl FnMut(&Self) -> Ran) -> Vec<String> {
        let mut found = self.checked_run(run);
        let first = self.forge.github();
        found.extend(self.checked_run(run));
        let second = self.forge.github();
        found.extend(self.checked_run(run));
        let third = self.forge.github();
        let steady = changes(first.pull(1), second.pull(1));
        found.extend(steady.into_iter().filter(|change| change.starts_with("6: PRRT")));
        found.extend(changes(second.pull(1), third.pull(1)));
        found
    }

    fn push(&mut self, edits: &[Edit], forced: Option<OldHead>) {
        let mut files = self.files.clone();
        edits.iter().for_each(|edit| apply(&mut files, *edit));
        let parent = match forced {
            Some(_) => {
                self.repo.reset(&self.base);
                &self.first
            }
            None => &self.files,
        };
        self.head = commit(&mut self.repo, parent, &files);
        self.files = files;
        let (head, repo) = (&self.head, &self.repo);
        self.forge.change(|github| match forced {
            Some(old) => github.force_push(1, head, old, repo),
            None => github.push(1, head, repo),
        });
    }

    fn merge_base(&mut self) {
        self.merges += 1;
        let text = "    bad_0(main)\n".repeat(self.merges);
        self.base = self.repo.switch("main").commit(&[("main.py", &text)]);
        self.head = self.repo.switch("topic").merge(&self.base);
        let (base, head, repo) = (&self.base, &self.head, &self.repo);
        self.forge.change(|github| {
            github.push_base(1, base, repo);
            github.push(1, head, repo);
        });
    }

    fn at_thread(&self, who: Who, n: u32, act: impl FnOnce(&mut GitHub, &str, &ThreadId)) {
        let who = match who {
            Who::Author => "dev",
            Who::Maintainer => "alice",
        };
        self.forge.change(|github| {
            let threads = &github.pull(1).threads;
            let Some(i) = (n as usize).checked_rem(threads.len()) else { return };
            let id = threads[i].id.clone();
            act(github, who, &id);
        });
    }
}

fn me() -> Account {
    Account::from_login(BOT)
}

/// The line of a number: a definition, a harmless call, or one that the reviewer reports.
fn line(n: u32) -> String {
    match n % 10 {
        0 | 1 => format!("def f{}():", n % 7),
        2..=5 => format!("    call_{}()", n % 11),
        _ => format!("    bad_{}(x)", n % 4),
    }
}

fn apply(files: &mut BTreeMap<String, Vec<String>>, edit: Edit) {
    let (Edit::Insert(file, ..)
    | Edit::Delete(file, _)
    | Edit::Replace(file, ..)
    | Edit::Move(file, ..)
    | Edit::Rename(file, _)) = edit;
    let Some(i) = (file as usize).checked_rem(files.len()) else { return };
    let Some(path) = files.keys().nth(i).cloned() else { return };
    if let Edit::Rename(_, to) = edit {
        let to = format!("f{}.py", to % 9);
        if !files.contains_key(&to) {
            let lines = files.remove(&path).unwrap_or_default();
            files.insert(to, lines);
        }
        return;
    }
    let Some(lines) = files.get_mut(&path) else { return };
    let at = |n: u32, end: usize| (n as usize).checked_rem(end);
    match edit {
        Edit::Insert(_, n, text) => lines.insert(at(n, lines.len() + 1).unwrap_or(0), line(text)),
        Edit::Delete(_, n) => {
            at(n, lines.len()).map(|i| lines.remove(i));
        }
        Edit::Replace(_, n, text) => {
            if let Some(i) = at(n, lines.len()) {
                lines[i] = line(text);
            }
        }
        Edit::Move(_, from, to) => {
            if let Some(i) = at(from, lines.len()) {
                let text = lines.remove(i);
                lines.insert(at(to, lines.len() + 1).unwrap_or(0), text);
            }
        }
        Edit::Rename(..) => {}
    }
}

fn commit(
    repo: &mut RepoBuilder,
    parent: &BTreeMap<String, Vec<String>>,
    files: &BTreeMap<String, Vec<String>>,
) -> Sha {
    let texts: Vec<(&String, String)> = files
        .iter()
        .map(|(path, lines)| (path, lines.iter().map(|line| format!("{line}\n")).collect()))
        .collect();
    let gone = parent.keys().filter(|path| !files.contains_key(*path));
    let gone = gone.map(|path| Change::Delete(path));
    let kept = texts.iter().map(|(path, text)| Change::Write(path, text.as_bytes()));
    let all: Vec<Change<'_>> = gone.chain(kept).collect();
    repo.change(&all)
}

/// A stranger's copy of a finding on the first line that takes a comment, and a forged reply.
fn forge_footer(github: &mut GitHub, who: &str, thread: &ThreadId) {
    let pull = github.pull(1);
    let Some(copied) = pull.threads.iter().find(|t| t.id == *thread) else { return };
    let Some(body) = copied.comments.first().map(|root| root.body.clone()) else { return };
    let Some(real) = footers(&body).pop() else { return };
    let place = pull.commits.get(&pull.head).and_then(|hunks| {
        let shown = hunks.iter().filter_map(|(path, ranges)| Some((path, ranges.first()?)));
        shown.map(|(path, range)| (path.to_string(), *range.start())).next()
    });
    if let Some((path, line)) = place {
        let _ = github.act(who, 1).comment(&path, line, &body);
    }
    let fixed = footer(&real.agent, &real.key, &real.key, Some("resolution"));
    let _ = github.act(who, 1).reply(thread, &format!("Fixed.\n\n{fixed}"));
}
