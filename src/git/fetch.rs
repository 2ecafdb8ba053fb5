//! Getting the commits that are not here (spec 30, "Getting the objects").

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use git2::{AutotagOption, FetchOptions};
use rereview_core::ids::Sha;
use url::Url;

use super::error::{FetchFailure, GitError};
use super::http::{Endpoint, Registered};
use super::repository::Repository;

/// Where commits are fetched from, and with what.
pub struct Remote {
    place: Place,
}

enum Place {
    Http { url: Url, authorization: Option<String>, certificates: Option<PathBuf> },
    Folder(String),
}

/// How much history comes along with a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many commits from each one that is asked for.
    Commits(u16),
    /// All of it.
    Whole,
}

/// What [`Repository::ensure`] could not get; empty if all is well. Callers widen for the rest.
#[derive(Debug, Default)]
pub struct Availability {
    /// Commits that could not be had.
    pub missing: Vec<Sha>,
    /// Commits that are here, and have no certain common ancestor with the head.
    pub unrelated: Vec<Sha>,
    /// What went wrong on the way, for the log.
    pub failures: Vec<GitError>,
}

/// How deep to look for a common ancestor, one after another; the last step is the whole history.
const DEEPENING: [Depth; 4] =
    [Depth::Commits(16), Depth::Commits(128), Depth::Commits(1024), Depth::Whole];
/// libgit2 offers a server at most so many commits that are here.
const MOST_OFFERED: usize = 256;

impl Remote {
    /// A repository's URL (`http`, `https`, `file`) or absolute folder. The token goes to this
    /// URL's host only; user and password in the URL are dropped. `certificates` is a PEM file to
    /// trust in place of the built-in authorities (`SSL_CERT_FILE`).
    ///
    /// # Errors
    /// [`GitError::BadUrl`].
    pub fn new(
        url: &str,
        token: Option<&str>,
        certificates: Option<&Path>,
    ) -> Result<Self, GitError> {
        if url.starts_with('/') {
            return Ok(Self { place: Place::Folder(url.to_owned()) });
        }
        let mut parsed =
            Url::parse(url).map_err(|_| GitError::BadUrl { shown: "what is no URL".to_owned() })?;
        // Neither setter fails for a URL with a host; one without has no user part.
        let _ = parsed.set_username("");
        let _ = parsed.set_password(None);
        parsed.set_query(None);
        parsed.set_fragment(None);
        let place = match parsed.scheme() {
            "http" | "https" => Place::Http {
                authorization: token.map(|token| {
                    format!("Basic {}", BASE64_STANDARD.encode(format!("x-access-token:{token}")))
                }),
                certificates: certificates.map(Path::to_owned),
                url: parsed,
            },
            "file" => Place::Folder(parsed.into()),
            _ => return Err(GitError::BadUrl { shown: parsed.into() }),
        };
        Ok(Self { place })
    }

    fn host(&self) -> String {
        match &self.place {
            Place::Http { url, .. } => url.host_str().unwrap_or_default().to_owned(),
            Place::Folder(_) => "the folder".to_owned(),
        }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({})", self.host())
    }
}

impl Availability {
    /// Whether this commit is here and its common ancestor with the head is known.
    pub fn is_usable(&self, sha: &Sha) -> bool {
        !self.missing.contains(sha) && !self.unrelated.contains(sha)
    }
}

impl Repository {
    /// Gets what a run needs, as shallow as suffices: the base, the head, other heads of earlier
    /// runs, and the common ancestor of each with the head. Never fails: what could not be had is
    /// in the answer. Without a remote it only looks.
    pub fn ensure(
        &mut self,
        remote: Option<&Remote>,
        base: &Sha,
        head: &Sha,
        extra: &[Sha],
    ) -> Availability {
        let mut all = vec![head.clone()];
        for sha in [base].into_iter().chain(extra) {
            if !all.contains(sha) {
                all.push(sha.clone());
            }
        }
        let mut failures = Vec::new();
        if let Some(remote) = remote {
            self.fetch_missing(remote, &all, &mut failures);
            for depth in DEEPENING {
                let far = self.unrelated(head, &all);
                // A whole history that shows no common ancestor has none.
                if far.is_empty() || !self.is_shallow() {
                    break;
                }
                let ends: Vec<Sha> = far.into_iter().chain([head.clone()]).collect();
                if let Err(error) = self.fetch(remote, &ends, depth) {
                    failures.push(error);
                    break;
                }
            }
        }
        let missing = all.iter().filter(|sha| !self.has_commit(sha)).cloned().collect();
        Availability { missing, unrelated: self.unrelated(head, &all), failures }
    }

    /// Fetches commits by name into the temporary clone. A checkout with its whole history is
    /// never asked to be less: there the depth does not count, and only what is new comes.
    ///
    /// # Errors
    /// [`GitError::Fetch`]; nothing is known then about which of the commits came.
    pub fn fetch(&mut self, remote: &Remote, shas: &[Sha], depth: Depth) -> Result<(), GitError> {
        self.overlay()?;
        let whole = !self.is_shallow() && self.objects.references()?.next().is_some();
        let depth = match (depth, &remote.place) {
            // libgit2 reads a folder itself and knows no depth there.
            (_, Place::Folder(_)) => 0,
            _ if whole => 0,
            (Depth::Commits(count), Place::Http { .. }) => i32::from(count),
            (Depth::Whole, Place::Http { .. }) if self.is_shallow() => i32::MAX,
            (Depth::Whole, Place::Http { .. }) => 0,
        };
        let wanted: Vec<String> =
            shas.iter().map(|sha| format!("{sha}:refs/rereview/{sha}")).collect();
        let mut options = FetchOptions::new();
        options.depth(depth).download_tags(AutotagOption::None).update_fetchhead(false);

        let failed = |failure| GitError::Fetch { host: remote.host(), failure };
        let outcome = match &remote.place {
            Place::Folder(folder) => {
                let mut remote = self.objects.remote_anonymous(folder)?;
                let fetched = remote.fetch(&wanted, Some(&mut options), None);
                fetched.map_err(|error| FetchFailure::Refused(error.message().to_owned()))
            }
            Place::Http { url, authorization, certificates } => {
                let endpoint =
                    Endpoint::new(url.clone(), authorization.clone(), certificates.as_deref())?;
                let registered = Registered::new(endpoint.clone());
                let mut remote = self.objects.remote_anonymous(&registered.url())?;
                let fetched = remote.fetch(&wanted, Some(&mut options), None);
                fetched.map_err(|error| {
                    let refused = || FetchFailure::Refused(error.message().to_owned());
                    endpoint.failure().unwrap_or_else(refused)
                })
            }
        };
        // The cuts in the history are read when a repository is opened.
        self.objects = git2::Repository::open_bare(self.objects.path())?;
        outcome.map_err(failed)
    }

    /// All missing commits at once, or one by one if the server does not have one of them.
    fn fetch_missing(&mut self, remote: &Remote, all: &[Sha], failures: &mut Vec<GitError>) {
        let missing: Vec<Sha> = all.iter().filter(|sha| !self.has_commit(sha)).cloned().collect();
        if missing.is_empty() {
            return;
        }
        match self.fetch(remote, &missing, Depth::Commits(1)) {
            Ok(()) => {}
            Err(GitError::Fetch { failure: FetchFailure::Refused(_), .. }) if missing.len() > 1 => {
                for sha in missing {
                    let fetched = self.fetch(remote, &[sha], Depth::Commits(1));
                    failures.extend(fetched.err());
                }
            }
            Err(error) => failures.push(error),
        }
    }

    /// Which of these are here without a certain common ancestor with the head.
    fn unrelated(&self, head: &Sha, all: &[Sha]) -> Vec<Sha> {
        let here = all.iter().filter(|sha| self.has_commit(sha));
        here.filter(|sha| self.has_commit(head) && self.merge_base(sha, head).is_err())
            .cloned()
            .collect()
    }

    /// Puts a temporary clone over the checkout, which lends its objects: nothing is ever written
    /// into the user's repository.
    fn overlay(&mut self) -> Result<(), GitError> {
        if self.temporary.is_some() {
            return Ok(());
        }
        let over = Self::temporary()?;
        let (from, to) = (self.objects.commondir(), over.objects.path());
        let lent = fs::canonicalize(from.join("objects"))?;
        fs::create_dir_all(to.join("objects/info"))?;
        fs::write(to.join("objects/info/alternates"), format!("{}\n", lent.display()))?;
        if self.is_shallow() {
            fs::copy(from.join("shallow"), to.join("shallow"))?;
        }
        let objects = git2::Repository::open_bare(to)?;
        // What these references lead to need not be fetched.
        let head = self.objects.head().ok().and_then(|head| head.target());
        let named = self
            .objects
            .references()?
            .flatten()
            .filter_map(|reference| Some(reference.peel_to_commit().ok()?.id()));
        for (at, id) in head.into_iter().chain(named).take(MOST_OFFERED).enumerate() {
            objects.reference(&format!("refs/checkout/{at}"), id, true, "")?;
        }
        self.checkout = Some(std::mem::replace(&mut self.objects, objects));
        self.temporary = over.temporary;
        Ok(())
    }
}
