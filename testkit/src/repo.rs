//! Tiny git repositories with fixed times and authors: the same calls make the same SHAs.

use std::path::{Path, PathBuf};
use std::process::Command;

use git2::{FileMode, Index, IndexEntry, IndexTime, Oid, Repository, Signature, Time, Tree};
use rereview_core::ids::Sha;
use tempfile::TempDir;

use crate::github::START;

mod diffs;

/// One change of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// A file has this content from now on; a new one is a plain file.
    Write(&'a str, &'a [u8]),
    /// A file goes.
    Delete(&'a str),
    /// A file gets another path.
    Rename(&'a str, &'a str),
    /// A file becomes executable.
    Executable(&'a str),
    /// A symbolic link: path, target.
    Symlink(&'a str, &'a str),
    /// A submodule: path, its commit.
    Submodule(&'a str, &'a Sha),
}

/// How much history a checkout has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All of it.
    Full,
    /// The commit alone, as `actions/checkout` does by default.
    One,
}

/// A repository in the making; it lives as long as this value.
#[derive(Debug)]
pub struct RepoBuilder {
    directory: TempDir,
    repository: Repo,
    branch: String,
    commits: i64,
}

struct Repo(Repository);

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.path().fmt(f)
    }
}

impl Default for RepoBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl RepoBuilder {
    /// An empty repository on `main`.
    pub fn new() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let repository = Repository::init_bare(directory.path().join("origin.git"));
        Self {
            directory,
            repository: Repo(repository.expect("a repository")),
            branch: "main".to_owned(),
            commits: 0,
        }
    }

    /// The bare repository.
    pub fn path(&self) -> &Path {
        self.repository.0.path()
    }

    /// Commits files with their contents; the rest stays.
    pub fn commit(&mut self, files: &[(&str, &str)]) -> Sha {
        let changes: Vec<Change<'_>> =
            files.iter().map(|(path, text)| Change::Write(path, text.as_bytes())).collect();
        self.change(&changes)
    }

    /// Commits any changes, in order.
    ///
    /// # Panics
    /// When a change names a file that is not there, like everything here that cannot be.
    pub fn change(&mut self, changes: &[Change<'_>]) -> Sha {
        let tip = self.tip_oid();
        let mut index = Index::new().expect("an index");
        if let Some(tip) = tip {
            index.read_tree(&self.tree(tip)).expect("a tree");
        }
        changes.iter().for_each(|change| self.apply(&mut index, *change));
        let tree = index.write_tree_to(&self.repository.0).expect("a tree");
        let parents: Vec<Oid> = tip.into_iter().collect();
        let commit = self.write_commit(tree, &parents);
        self.set_tip(commit);
        sha(commit)
    }

    /// Starts a branch at the tip of the current one, and goes on there.
    pub fn branch(&mut self, name: &str) -> &mut Self {
        let tip = self.tip_oid().expect("a commit to start from");
        name.clone_into(&mut self.branch);
        self.set_tip(tip);
        self
    }

    /// Goes on with another branch.
    pub fn switch(&mut self, name: &str) -> &mut Self {
        name.clone_into(&mut self.branch);
        assert!(self.tip_oid().is_some(), "no branch {name}");
        self
    }

    /// Puts the current branch on any commit, as before a force-push.
    pub fn reset(&mut self, to: &Sha) -> &mut Self {
        self.set_tip(oid(to));
        self
    }

    /// Merges a commit into the current branch.
    pub fn merge(&mut self, other: &Sha) -> Sha {
        let tip = self.tip_oid().expect("a commit to merge into");
        let merged = self.merge_commits(tip, oid(other));
        self.set_tip(merged);
        sha(merged)
    }

    /// The test merge of a pull request, as GitHub makes it: on no branch, first parent the base.
    pub fn test_merge(&mut self, base: &Sha, head: &Sha) -> Sha {
        sha(self.merge_commits(oid(base), oid(head)))
    }

    /// The tip of the current branch.
    pub fn tip(&self) -> Sha {
        sha(self.tip_oid().expect("a commit"))
    }

    /// Checks a commit out into a directory of its own, as a job does: detached, `origin` set.
    pub fn checkout(&self, commit: &Sha, depth: Depth) -> PathBuf {
        let origin = &self.repository.0;
        let reference = format!("refs/checkout/{commit}");
        origin.reference(&reference, oid(commit), true, "").expect("a reference");
        let mut n = 0;
        let place = loop {
            let place = self.directory.path().join(format!("checkout-{n}"));
            if !place.exists() {
                break place;
            }
            n += 1;
        };
        let url = format!("file://{}", origin.path().display());
        git(self.directory.path(), &["init", "--quiet", &place.display().to_string()]);
        git(&place, &["remote", "add", "origin", &url]);
        match depth {
            Depth::One => git(&place, &["fetch", "--quiet", "--depth=1", "origin", &reference]),
            Depth::Full => {
                let heads = "+refs/heads/*:refs/remotes/origin/*";
                git(&place, &["fetch", "--quiet", "origin", heads, &reference]);
            }
        }
        git(&place, &["checkout", "--quiet", "--detach", commit.as_str()]);
        place
    }

    fn apply(&self, index: &mut Index, change: Change<'_>) {
        let blob = |content: &[u8]| self.repository.0.blob(content).expect("a blob");
        let take = |index: &mut Index, path: &str| {
            let entry = index.get_path(Path::new(path), 0).unwrap_or_else(|| panic!("no {path}"));
            index.remove_path(Path::new(path)).expect("an entry");
            entry
        };
        let entry = match change {
            Change::Write(path, content) => {
                let old = index.get_path(Path::new(path), 0).map(|entry| entry.mode);
                entry(path, blob(content), old.unwrap_or(FileMode::Blob.into()))
            }
            Change::Delete(path) => {
                take(index, path);
                return;
            }
            Change::Rename(from, to) => {
                let old = take(index, from);
                entry(to, old.id, old.mode)
            }
            Change::Executable(path) => {
                let old = take(index, path);
                entry(path, old.id, FileMode::BlobExecutable.into())
            }
            Change::Symlink(path, target) => {
                entry(path, blob(target.as_bytes()), FileMode::Link.into())
            }
            Change::Submodule(path, commit) => entry(path, oid(commit), FileMode::Commit.into()),
        };
        index.add(&entry).expect("an entry");
    }

    fn merge_commits(&mut self, ours: Oid, theirs: Oid) -> Oid {
        let repository = &self.repository.0;
        let find = |id| repository.find_commit(id).expect("a commit");
        let mut index =
            repository.merge_commits(&find(ours), &find(theirs), None).expect("a merge");
        assert!(!index.has_conflicts(), "the merge conflicts");
        let tree = index.write_tree_to(repository).expect("a tree");
        self.write_commit(tree, &[ours, theirs])
    }

    /// A minute later than the last one.
    fn write_commit(&mut self, tree: Oid, parents: &[Oid]) -> Oid {
        let time = Time::new(START.cast_signed() + 60 * self.commits, 0);
        self.commits += 1;
        let repository = &self.repository.0;
        let who = Signature::new("Dev", "dev@example.invalid", &time).expect("a signature");
        let parents: Vec<_> =
            parents.iter().map(|id| repository.find_commit(*id).expect("a commit")).collect();
        let tree = repository.find_tree(tree).expect("a tree");
        let message = format!("Commit {}\n", self.commits);
        let parents: Vec<_> = parents.iter().collect();
        repository.commit(None, &who, &who, &message, &tree, &parents).expect("a commit")
    }

    fn set_tip(&self, commit: Oid) {
        let name = format!("refs/heads/{}", self.branch);
        self.repository.0.reference(&name, commit, true, "").expect("a branch");
    }

    fn tip_oid(&self) -> Option<Oid> {
        self.repository.0.refname_to_id(&format!("refs/heads/{}", self.branch)).ok()
    }

    fn tree(&self, commit: Oid) -> Tree<'_> {
        self.repository.0.find_commit(commit).and_then(|c| c.tree()).expect("a commit's tree")
    }
}

fn entry(path: &str, id: Oid, mode: u32) -> IndexEntry {
    IndexEntry {
        ctime: IndexTime::new(0, 0),
        mtime: IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}

fn oid(sha: &Sha) -> Oid {
    Oid::from_str(sha.as_str()).expect("a SHA")
}

fn sha(oid: Oid) -> Sha {
    Sha::new(&oid.to_string()).expect("a SHA")
}

/// Runs git away from everybody's configuration.
fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {errors}");
}
