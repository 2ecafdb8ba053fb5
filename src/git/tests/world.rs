//! Repositories to test with: fixed people and times, no configuration of the machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use git2::{FileMode, Oid, Repository, Signature, Time};
use rereview_core::ids::{RepoPath, Sha};
use tempfile::TempDir;

/// A path of a commit and what it holds.
pub(super) type Entry<'a> = (&'a str, FileMode, &'a [u8]);

/// A bare repository that commits are made in without a work tree.
pub(super) struct World {
    pub(super) folder: TempDir,
    pub(super) repository: Repository,
}

impl World {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let root = folder.path().join("origin.git");
        git(folder.path(), &["init", "-q", "--bare", "-b", "main", "origin.git"]);
        git(&root, &["config", "uploadpack.allowReachableSHA1InWant", "true"]);
        let repository = Repository::open_bare(&root).expect("a repository");
        Self { folder, repository }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("origin.git")
    }

    /// A commit of these entries only; a submodule's content is its SHA.
    pub(super) fn commit(&self, parents: &[&Sha], entries: &[Entry<'_>]) -> Sha {
        let mut index = git2::Index::new().expect("an index");
        for (path, mode, bytes) in entries {
            let id = if *mode == FileMode::Commit {
                Oid::from_str(std::str::from_utf8(bytes).expect("hex")).expect("a SHA")
            } else {
                self.repository.blob(bytes).expect("a blob")
            };
            index.add(&entry(path, *mode, id)).expect("an entry");
        }
        let tree = index.write_tree_to(&self.repository).expect("a tree");
        let tree = self.repository.find_tree(tree).expect("a tree");
        let person = Signature::new("Ann", "ann@example.org", &Time::new(1_700_000_000, 0));
        let person = person.expect("a person");
        let parents: Vec<_> = parents
            .iter()
            .map(|parent| {
                let id = Oid::from_str(parent.as_str()).expect("a SHA");
                self.repository.find_commit(id).expect("a commit")
            })
            .collect();
        let parents: Vec<_> = parents.iter().collect();
        let id = self.repository.commit(None, &person, &person, "change", &tree, &parents);
        Sha::new(&id.expect("a commit").to_string()).expect("a SHA")
    }

    /// A commit of text files.
    pub(super) fn texts(&self, parents: &[&Sha], files: &[(&str, &str)]) -> Sha {
        let entries: Vec<Entry<'_>> =
            files.iter().map(|(path, text)| (*path, FileMode::Blob, text.as_bytes())).collect();
        self.commit(parents, &entries)
    }

    /// So many commits on top of one, which each change `file`.
    pub(super) fn grow(&self, from: &Sha, file: &str, count: u32) -> Sha {
        (0..count).fold(from.clone(), |tip, at| self.texts(&[&tip], &[(file, &format!("{at}\n"))]))
    }

    pub(super) fn branch(&self, name: &str, at: &Sha) {
        let id = Oid::from_str(at.as_str()).expect("a SHA");
        let name = format!("refs/heads/{name}");
        self.repository.reference(&name, id, true, "").expect("a reference");
    }

    /// It as rereview sees it.
    pub(super) fn open(&self) -> super::super::Repository {
        super::super::Repository::open(&self.root()).expect("opens")
    }
}

fn entry(path: &str, mode: FileMode, id: Oid) -> git2::IndexEntry {
    git2::IndexEntry {
        ctime: git2::IndexTime::new(0, 0),
        mtime: git2::IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode: i32::from(mode).cast_unsigned(),
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}

/// git without the machine's configuration.
pub(super) fn git_command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0");
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "Ann")
            .env(format!("GIT_{who}_EMAIL"), "ann@example.org")
            .env(format!("GIT_{who}_DATE"), "1700000000 +0000");
    }
    command
}

/// What git prints.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = git_command(folder, arguments).stdin(Stdio::null()).output().expect("git runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {told}");
    output.stdout
}

pub(super) fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("a path")
}
