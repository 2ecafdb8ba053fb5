//! A pull request on a simulated GitHub, for stories.

use rereview::forge::Permission;
use rereview::run::pull::PullReport;
use rereview_core::ids::Sha;
use rereview_testkit::findings::{Found, found};
use rereview_testkit::github::{Access, GitHub, Thread};
use rereview_testkit::memory::MemoryForge;
use rereview_testkit::people::OldHead;
use rereview_testkit::play::{Place, reported, review};
use rereview_testkit::repo::{Change, RepoBuilder};

pub(crate) struct World {
    pub(crate) repo: RepoBuilder,
    pub(crate) forge: MemoryForge,
    pub(crate) base: Sha,
    pub(crate) head: Sha,
}

impl World {
    /// A pull request by `dev` that makes `changes` to `base`.
    pub(crate) fn new(base: &[(&str, &str)], changes: &[Change<'_>]) -> Self {
        let mut repo = RepoBuilder::new();
        let base = repo.commit(base);
        let head = repo.branch("topic").change(changes);
        let people = [
            ("rr-demo[bot]", Permission::None),
            ("dev", Permission::Read),
            ("rr-demo", Permission::Read),
            ("alice", Permission::Maintain),
        ];
        let mut github = GitHub::new(&people);
        github.token("token", "rr-demo[bot]", Access::Write, Access::Write);
        github.open(1, "dev", &base, &head, &repo);
        let forge = MemoryForge::new(github, "token");
        Self { repo, forge, base, head }
    }

    pub(crate) fn push(&mut self, changes: &[Change<'_>]) {
        self.head = self.repo.change(changes);
        let (head, repo) = (&self.head, &self.repo);
        self.forge.change(|github| github.push(1, head, repo));
    }

    pub(crate) fn force_push(&mut self, changes: &[Change<'_>]) {
        self.repo.reset(&self.base);
        self.head = self.repo.change(changes);
        let (head, repo) = (&self.head, &self.repo);
        self.forge.change(|github| github.force_push(1, head, OldHead::Forgotten, repo));
    }

    pub(crate) fn run(&self, findings: &[Found<'_>]) -> PullReport {
        self.try_run(findings).expect("the run ends")
    }

    pub(crate) fn try_run(
        &self,
        findings: &[Found<'_>],
    ) -> Result<PullReport, rereview::error::Error> {
        let place = Place { path: self.repo.path(), base: &self.base, head: &self.head };
        let reported = findings.iter().filter_map(reported).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("runtime").block_on(review(&self.forge, place, reported))
    }

    pub(crate) fn threads(&self) -> Vec<Thread> {
        self.forge.github().pull(1).threads.clone()
    }

    /// Path, whether it is resolved, and how many comments, thread by thread.
    pub(crate) fn outline(&self) -> Vec<String> {
        let line = |thread: &Thread| {
            let state = if thread.resolved_by.is_some() { "resolved" } else { "open" };
            format!("{} {state} {}", thread.path, thread.comments.len())
        };
        self.threads().iter().map(line).collect()
    }
}

pub(crate) fn error<'a>(path: &'a str, line: u32, class: &'a str) -> Found<'a> {
    found(path, line, class, "error", "Something is wrong here.")
}

pub(crate) fn write<'a>(path: &'a str, text: &'a str) -> Change<'a> {
    Change::Write(path, text.as_bytes())
}
