//! Core maintainers: whose resolve is a ruling, and who is called (spec 40 §5).

mod codeowners;
mod readme;

use std::collections::BTreeSet;

pub use codeowners::{CodeOwners, Owner};
pub use readme::from_readme;

use crate::ids::{Account, AccountKind, Mention, RepoPath};

/// Where maintainers come from, in the config's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// CODEOWNERS of the base commit.
    CodeOwners,
    /// A table of the README with a column "Core Maintainer(s)".
    Readme,
    /// `maintain` or `admin` in the repository; known only for accounts that were asked about.
    Permission,
}

/// Whether the author of the pull request may rule on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthorRules {
    /// Never, even as a maintainer.
    #[default]
    Never,
    /// The config allows it.
    Allowed,
}

/// Everything known about the maintainers of one pull request.
#[derive(Clone, Debug, Default)]
pub struct Maintainers {
    /// The config's `users`.
    pub users: Vec<Mention>,
    /// The config's `from`.
    pub from: Vec<Origin>,
    /// CODEOWNERS, if there is one.
    pub codeowners: CodeOwners,
    /// From the README.
    pub readme: Vec<Mention>,
    /// Accounts with the permission.
    pub permitted: BTreeSet<Account>,
    /// The config's `fallback`.
    pub fallback: Vec<Mention>,
    /// Who wrote the pull request.
    pub author: Option<Account>,
    /// See [`AuthorRules`].
    pub author_rules: AuthorRules,
}

impl Maintainers {
    /// Whether this account's resolve of a thread on this file is a ruling: the union of all
    /// sources. A bot never rules.
    pub fn rules(&self, account: &Account, path: &RepoPath) -> bool {
        if account.kind() == AccountKind::Bot {
            return false;
        }
        if self.author.as_ref() == Some(account) && self.author_rules == AuthorRules::Never {
            return false;
        }
        let is = |name: &Mention| name.as_str().eq_ignore_ascii_case(account.login());
        self.users.iter().chain(&self.fallback).any(is)
            || self.from.iter().any(|origin| match origin {
                Origin::CodeOwners => self.codeowners.owners(path).iter().any(|o| is(&o.0)),
                Origin::Readme => self.readme.iter().any(is),
                Origin::Permission => self.permitted.contains(account),
            })
    }

    /// Who is called about a finding in this file: the first source that yields somebody, in
    /// order, without the author, at most three.
    pub fn to_call(&self, path: &RepoPath) -> Vec<Mention> {
        let owners = || self.codeowners.owners(path).iter().map(|owner| owner.0.clone()).collect();
        let permitted =
            || self.permitted.iter().filter_map(|a| Mention::new(a.login()).ok()).collect();
        let sources = self.from.iter().map(|origin| match origin {
            Origin::CodeOwners => owners(),
            Origin::Readme => self.readme.clone(),
            Origin::Permission => permitted(),
        });
        std::iter::once(self.users.clone())
            .chain(sources)
            .chain([self.fallback.clone()])
            .map(|names: Vec<Mention>| self.distinct(names))
            .find(|names| !names.is_empty())
            .unwrap_or_default()
    }

    fn distinct(&self, names: Vec<Mention>) -> Vec<Mention> {
        let author = self.author.as_ref().map(Account::login);
        let mut seen = BTreeSet::new();
        names
            .into_iter()
            .filter(|name| {
                let login = name.as_str().to_ascii_lowercase();
                Some(login.as_str()) != author && seen.insert(login)
            })
            .take(3)
            .collect()
    }
}

#[cfg(test)]
mod tests;
