//! The simulated world keeps its own rules.

mod faults;
mod findings;
mod invariants;
mod recount;
mod repo;
mod rules;
mod simulate;

use rereview::forge::Permission;
use rereview_core::ids::Account;

use crate::footers::footer;
use crate::github::GitHub;
use crate::invariants::{Law, Resolving, Truth};
use crate::repo::RepoBuilder;

/// A pull request by `dev` on ten new lines of `a.txt`; `alice` maintains.
fn github() -> GitHub {
    let mut repo = RepoBuilder::new();
    let base = repo.commit(&[("b.txt", "b\n")]);
    let text: String = (1..=10).map(|n| format!("line {n}\n")).collect();
    let head = repo.branch("topic").commit(&[("a.txt", &text)]);
    let people = [
        ("bot[bot]", Permission::None),
        ("dev", Permission::Read),
        ("alice", Permission::Maintain),
    ];
    let mut github = GitHub::new(&people);
    github.open(1, "dev", &base, &head, &repo);
    github
}

/// What `lint` found; the analysis is complete.
fn law(present: &[&str]) -> Law {
    let present = present.iter().map(|name| key(name)).collect();
    let truth = Truth { present, ..Truth::default() };
    Law {
        me: Account::from_login("bot[bot]"),
        maintainers: [Account::from_login("alice")].into(),
        truth: [("lint".to_owned(), truth)].into(),
        resolving: Resolving::Allowed,
    }
}

fn key(name: &str) -> String {
    format!("{name:0<64}")
}

fn finding(name: &str) -> String {
    format!("[Lint] **must fix** Title\n\n{}", footer("lint", &key(name), &key("s"), None))
}

fn reply(agent: &str, name: &str, kind: &str) -> String {
    let text = match kind {
        "improper-resolution" | "disagreement" => {
            "[Lint] **No.**\n\ncc @alice — please adjudicate."
        }
        _ => "[Lint] Said.",
    };
    format!("{text}\n\n{}", footer(agent, &key(name), &key("s"), Some(kind)))
}
