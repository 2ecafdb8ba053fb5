//! Opening repositories of every kind, and reading their files and history.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;

use git2::FileMode::{Blob, BlobExecutable, Commit, Link};
use rereview_core::ids::Sha;

use super::super::{BlobKind, GitError, Head, Repository, Unsupported};
use super::world::{World, git, path};

/// Why a folder was not opened, without the folder's name.
fn refused(folder: &Path) -> String {
    let error = Repository::open(folder).expect_err("not opened");
    error.to_string().replace(&folder.display().to_string(), "X")
}

/// A world with a checkout of its `main` in `work`.
fn checked_out(arguments: &[&str]) -> (World, Sha) {
    let world = World::new();
    let root = world.texts(&[], &[("a", "1\n")]);
    let main = world.grow(&root, "a", 2);
    world.branch("main", &main);
    let url = format!("file://{}", world.root().display());
    git(world.folder.path(), &[&["clone", "-q"], arguments, &[url.as_str(), "work"]].concat());
    (world, main)
}

#[test]
fn a_checkout_a_worktree_and_a_bare_repository() {
    let (world, main) = checked_out(&[]);
    let work = world.folder.path().join("work");
    git(&work, &["worktree", "add", "-q", "--detach", "../linked"]);
    fs::create_dir_all(work.join("deep/er")).expect("a folder");
    let shared = fs::canonicalize(work.join(".git")).expect("a folder");
    let check = |repository: &Repository, branch: Option<&str>, common: &Path| {
        let head = Head { commit: main.clone(), branch: branch.map(str::to_owned) };
        assert_eq!(repository.head().expect("readable"), Some(head));
        let found = fs::canonicalize(repository.common_dir()).expect("a folder");
        assert_eq!(found, common);
    };
    check(&Repository::open(&work).expect("opens"), Some("main"), &shared);
    check(&Repository::open(&world.folder.path().join("linked")).expect("opens"), None, &shared);
    check(&Repository::discover(&work.join("deep/er")).expect("found"), Some("main"), &shared);
    let bare = fs::canonicalize(world.root()).expect("a folder");
    check(&world.open(), Some("main"), &bare);
}

#[test]
fn before_the_first_commit_there_is_no_head() {
    let world = World::new();
    assert_eq!(world.open().head().expect("readable"), None);
}

#[test]
fn a_checkout_of_another_user() {
    let (world, main) = checked_out(&[]);
    let work = world.folder.path().join("work");
    for folder in [work.clone(), work.join(".git")] {
        // Only root can give a folder away, as in a job's container; others test less here.
        if chown(&folder, Some(4242), Some(4242)).is_err() {
            return;
        }
    }
    let head = Repository::open(&work).expect("opens").head().expect("readable");
    assert_eq!(head.map(|head| head.commit), Some(main));
    // The check is on again for everybody else; other tests may have it off at this moment.
    let refused = |_| {
        let opened = git2::Repository::open(&work);
        opened.is_err_and(|error| error.code() == git2::ErrorCode::Owner)
    };
    assert!((0..1000).any(refused));
}

#[test]
fn what_libgit2_cannot_read_is_named() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let init = |name: &str, arguments: &[&str]| {
        git(folder.path(), &[&["init", "-q"], arguments, &[name]].concat());
        folder.path().join(name)
    };
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    assert_eq!(refused(&empty), "there is no git repository in X");
    let sha256 = init("sha256", &["--object-format=sha256"]);
    assert_eq!(refused(&sha256), "the repository in X cannot be read: it is a SHA-256 repository");
    let reftable = init("reftable", &["--ref-format=reftable"]);
    assert_eq!(
        refused(&reftable),
        "the repository in X cannot be read: it is a repository with reftable references"
    );
    let (world, _) = checked_out(&["--filter=blob:none"]);
    let partial = world.folder.path().join("work");
    let told = "the repository in X cannot be read: it is a partial clone (`filter: blob:none` or the like)";
    assert_eq!(refused(&partial), told);
    // Older versions of git leave only the remote's promise.
    let config = fs::read_to_string(partial.join(".git/config")).expect("a file");
    let config = config.replace("partialclone = origin", "").replace("partialClone = origin", "");
    fs::write(partial.join(".git/config"), config).expect("written");
    assert_eq!(refused(&partial), told);
    let strange = init("strange", &[]);
    git(&strange, &["config", "core.repositoryformatversion", "1"]);
    git(&strange, &["config", "extensions.strange", "true"]);
    assert!(matches!(
        Repository::open(&strange),
        Err(GitError::Unsupported { kind: Unsupported::Extension, .. })
    ));
}

#[test]
fn files_of_a_commit() {
    let world = World::new();
    let pointer = "1".repeat(40);
    let commit = world.commit(
        &[],
        &[
            ("dir/run.sh", BlobExecutable, b"#!\n"),
            ("link", Link, b"../../etc/passwd"),
            ("plain", Blob, b"\xff\n"),
            ("vendor/lib", Commit, pointer.as_bytes()),
        ],
    );
    let repository = world.open();
    let check = |name: &str, expected: Option<(BlobKind, &[u8])>| {
        let blob = repository.blob(&commit, &path(name)).expect("readable");
        let got = blob.as_ref().map(|blob| (blob.kind, &blob.bytes[..]));
        assert_eq!(got, expected, "{name}");
    };
    check("dir/run.sh", Some((BlobKind::Executable, b"#!\n")));
    check("link", Some((BlobKind::Symlink, b"../../etc/passwd")));
    check("plain", Some((BlobKind::File, b"\xff\n")));
    check("vendor/lib", Some((BlobKind::Submodule, b"")));
    check("dir", None);
    check("none", None);
    check("plain/below", None);
    check("link/below", None);
    let paths = repository.paths(&commit).expect("readable");
    let paths: Vec<_> = paths.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
    assert_eq!(
        paths,
        [
            ("dir/run.sh", BlobKind::Executable),
            ("link", BlobKind::Symlink),
            ("plain", BlobKind::File),
            ("vendor/lib", BlobKind::Submodule),
        ]
    );
}

#[test]
fn history() {
    let world = World::new();
    let root = world.texts(&[], &[("a", "1\n")]);
    let (base, head) = (world.grow(&root, "b", 2), world.grow(&root, "c", 2));
    let merge = world.texts(&[&base, &head], &[("a", "1\n")]);
    let apart = world.texts(&[], &[("z", "1\n")]);
    let repository = world.open();
    assert_eq!(repository.parents(&merge).expect("known"), [base.clone(), head.clone()]);
    assert_eq!(repository.merge_base(&base, &head).expect("known"), root);
    assert!(repository.is_ancestor(&root, &head).expect("known"));
    assert!(repository.is_ancestor(&head, &head).expect("known"));
    assert!(!repository.is_ancestor(&head, &base).expect("known"));
    assert!(repository.has_commit(&head));
    assert!(matches!(
        repository.three_dot(&apart, &head),
        Err(GitError::NoMergeBase { one, other }) if one == apart && other == head
    ));
    let strange = Sha::new(&"1".repeat(64)).expect("a SHA");
    for sha in [Sha::new(&"1".repeat(40)).expect("a SHA"), strange] {
        assert!(!repository.has_commit(&sha));
        let error = repository.tree_diff(&sha, &head).expect_err("missing");
        assert_eq!(error.to_string(), "commit 1111111111 is not in the repository");
    }
}

#[test]
fn a_test_merge_names_its_parents_behind_the_cut() {
    let world = World::new();
    let root = world.texts(&[], &[("a", "1\n")]);
    let (base, head) = (world.grow(&root, "b", 2), world.grow(&root, "c", 2));
    let merge = world.texts(&[&base, &head], &[("a", "1\n")]);
    world.branch("merge", &merge);
    let url = format!("file://{}", world.root().display());
    let folder = world.folder.path();
    git(folder, &["clone", "-q", "--depth=1", "--branch=merge", &url, "work"]);
    let repository = Repository::open(&folder.join("work")).expect("opens");
    assert!(repository.is_shallow() && !repository.has_commit(&head));
    assert_eq!(repository.parents(&merge).expect("known"), [base, head]);
}

#[test]
fn a_cut_that_could_hide_a_better_ancestor_leaves_doubt() {
    // Both left at `new` and merged one side branch; the cut hides `new`, and `side` alone looks
    // common.
    let world = World::new();
    let old = world.texts(&[], &[("a", "1\n")]);
    let new = world.grow(&old, "a", 3);
    let side = world.texts(&[&old], &[("s", "1\n")]);
    let long = world.grow(&new, "b", 2);
    let base = world.texts(&[&long, &side], &[("b", "m\n")]);
    let head = world.grow(&new, "c", 2);
    let head = world.texts(&[&head, &side], &[("c", "m\n")]);
    world.branch("base", &base);
    world.branch("head", &head);
    let url = format!("file://{}", world.root().display());
    let folder = world.folder.path();
    git(folder, &["clone", "-q", "--depth=2", "--no-single-branch", &url, "work", "--branch=head"]);
    let repository = Repository::open(&folder.join("work")).expect("opens");
    assert!(repository.has_commit(&side) && !repository.has_commit(&new));
    assert!(matches!(repository.merge_base(&base, &head), Err(GitError::NoMergeBase { .. })));
}
