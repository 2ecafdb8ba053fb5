//! Fetching: by name, shallow, deepening, with and without a checkout.

use std::fs;
use std::path::Path;

use rereview_core::ids::Sha;

use super::super::{Depth, FetchFailure, GitError, Remote, Repository};
use super::server::{Manner, Server};
use super::world::{World, git, path};

/// A base and a head that left each other `apart` commits ago.
fn forked(world: &World, apart: u32) -> (Sha, Sha, Sha) {
    let root = world.texts(&[], &[("a", "1\n")]);
    let fork = world.grow(&root, "a", 3);
    let (base, head) = (world.grow(&fork, "b", apart), world.grow(&fork, "c", apart));
    world.branch("main", &base);
    world.branch("topic", &head);
    (fork, base, head)
}

fn remote(url: &str) -> Remote {
    Remote::new(url, Some("s3cret"), None).expect("a remote")
}

fn clone(world: &World, server: &Server, arguments: &[&str]) -> Repository {
    let url = server.url();
    let all = [&["clone", "-q"], arguments, &[url.as_str(), "work"]].concat();
    git(world.folder.path(), &all);
    Repository::open(&world.folder.path().join("work")).expect("opens")
}

fn unknown() -> Sha {
    Sha::new(&"1".repeat(40)).expect("a SHA")
}

/// Every file of a folder with its size.
fn listing(folder: &Path) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let metadata = entry.metadata().expect("metadata");
        if metadata.is_dir() {
            all.extend(listing(&entry.path()));
        } else {
            all.push((entry.path().display().to_string(), metadata.len()));
        }
    }
    all.sort();
    all
}

#[test]
fn without_a_checkout_only_what_is_needed_comes() {
    let world = World::new();
    let (fork, base, head) = forked(&world, 5);
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = Repository::temporary().expect("a clone");
    assert_eq!(repository.head().expect("readable"), None);
    let got = repository.ensure(Some(&remote(&server.url())), &base, &head, &[]);
    assert!(got.missing.is_empty() && got.unrelated.is_empty(), "{got:?}");
    assert_eq!(repository.merge_base(&base, &head).expect("a base"), fork);
    assert_eq!(repository.three_dot(&base, &head).expect("a diff").files().len(), 2);
}

#[test]
fn a_long_history_is_deepened_no_further_than_needed() {
    let world = World::new();
    let old = world.grow(&world.texts(&[], &[("a", "x\n")]), "a", 150);
    let base = world.grow(&old, "b", 30);
    let head = world.grow(&old, "c", 30);
    world.branch("main", &base);
    world.branch("topic", &head);
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = Repository::temporary().expect("a clone");
    let got = repository.ensure(Some(&remote(&server.url())), &base, &head, &[]);
    assert!(got.is_usable(&base), "{got:?}");
    assert_eq!(repository.merge_base(&base, &head).expect("a base"), old);
    assert!(repository.is_shallow());
}

#[test]
fn a_shallow_checkout_gets_the_rest_and_is_not_touched() {
    let world = World::new();
    let (fork, base, head) = forked(&world, 40);
    let earlier =
        Sha::new(&world.repository.revparse_single("topic~7").expect("it").id().to_string())
            .expect("a SHA");
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = clone(&world, &server, &["--depth=1", "--branch=topic"]);
    assert!(
        repository.is_shallow() && repository.has_commit(&head) && !repository.has_commit(&base)
    );
    assert!(matches!(
        repository.merge_base(&base, &head),
        Err(GitError::NoCommit { sha }) if sha == base
    ));
    let before = listing(&world.folder.path().join("work"));
    let got = repository.ensure(
        Some(&remote(&server.url())),
        &base,
        &head,
        std::slice::from_ref(&earlier),
    );
    assert!(got.missing.is_empty() && got.unrelated.is_empty(), "{got:?}");
    assert_eq!(repository.merge_base(&base, &head).expect("a base"), fork);
    assert!(repository.is_ancestor(&earlier, &head).expect("known"));
    assert_eq!(listing(&world.folder.path().join("work")), before);
    let here = repository.head().expect("readable").expect("a head");
    assert_eq!((here.commit, here.branch.as_deref()), (head, Some("topic")));
}

#[test]
fn a_full_clone_stays_full_and_gets_only_what_is_new() {
    let world = World::new();
    let (fork, base, _) = forked(&world, 3);
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = clone(&world, &server, &["--branch=main", "--single-branch"]);
    let before = listing(&world.folder.path().join("work"));
    let cloned = server.seen().len();
    let head = world.grow(&fork, "new", 2);
    world.branch("fork", &head);
    let got = repository.ensure(Some(&remote(&server.url())), &base, &head, &[]);
    assert!(got.missing.is_empty() && got.unrelated.is_empty(), "{got:?}");
    assert!(!repository.is_shallow());
    assert_eq!(listing(&world.folder.path().join("work")), before);
    let asked: Vec<u8> =
        server.seen().into_iter().skip(cloned).flat_map(|seen| seen.body).collect();
    let asked = String::from_utf8_lossy(&asked).into_owned();
    assert!(asked.contains(&format!("have {base}")), "{asked}");
    assert!(!asked.contains("deepen"), "{asked}");
    // A later run on the same value needs nothing more.
    let count = server.seen().len();
    assert!(repository.ensure(Some(&remote(&server.url())), &base, &head, &[]).is_usable(&base));
    assert_eq!(server.seen().len(), count);
}

#[test]
fn what_the_server_lacks_is_said_and_the_rest_comes() {
    let world = World::new();
    let (_, base, head) = forked(&world, 3);
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = Repository::temporary().expect("a clone");
    let got = repository.ensure(Some(&remote(&server.url())), &base, &head, &[unknown()]);
    assert_eq!(got.missing, [unknown()]);
    assert!(got.unrelated.is_empty() && got.is_usable(&base) && !got.is_usable(&unknown()));
    assert!(
        matches!(&got.failures[..], [GitError::Fetch { failure: FetchFailure::Refused(_), .. }]),
        "{:?}",
        got.failures
    );
}

#[test]
fn commits_without_common_ancestor_are_said() {
    let world = World::new();
    let one = world.grow(&world.texts(&[], &[("a", "1\n")]), "a", 3);
    let other = world.grow(&world.texts(&[], &[("b", "1\n")]), "b", 3);
    world.branch("main", &one);
    world.branch("topic", &other);
    let server = Server::start(&world.root(), Manner::Serve);
    let mut repository = Repository::temporary().expect("a clone");
    let got = repository.ensure(Some(&remote(&server.url())), &one, &other, &[]);
    assert!(got.missing.is_empty(), "{got:?}");
    assert_eq!(got.unrelated, [one]);
}

#[test]
fn the_token_goes_to_its_host_only() {
    let world = World::new();
    let (_, _, head) = forked(&world, 1);
    let check = |manner: Manner| {
        let server = Server::start(&world.root(), manner);
        let mut repository = Repository::temporary().expect("a clone");
        let fetched = repository.fetch(
            &remote(&server.url()),
            std::slice::from_ref(&head),
            Depth::Commits(1),
        );
        let told = fetched.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert!(!told.contains("s3cret"), "{told}");
        (fetched.err(), server.seen())
    };
    let failure = |error: Option<GitError>| match error {
        Some(GitError::Fetch { failure, host }) => {
            assert_eq!(host, "127.0.0.1");
            failure
        }
        other => panic!("{other:?}"),
    };

    let (error, seen) = check(Manner::Serve);
    assert!(error.is_none(), "{error:?}");
    let header = Some("Basic eC1hY2Nlc3MtdG9rZW46czNjcmV0".to_owned());
    assert!(seen.iter().all(|seen| seen.authorization == header), "{seen:?}");

    let (error, seen) = check(Manner::Redirect(None));
    assert!(error.is_none(), "{error:?}");
    assert_eq!(seen[1].target, "/moved.git/info/refs?service=git-upload-pack");

    let elsewhere = Server::start(&world.root(), Manner::Serve);
    let (error, _) = check(Manner::Redirect(Some(elsewhere.origin.clone())));
    assert_eq!(failure(error), FetchFailure::Redirected);
    assert!(elsewhere.seen().is_empty());

    for status in [401, 403, 404] {
        assert_eq!(failure(check(Manner::Status(status)).0), FetchFailure::Denied(status));
    }
    assert_eq!(failure(check(Manner::Status(502)).0), FetchFailure::Status(502));
}

#[test]
fn nobody_listens() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://u:s3cret@{}/x", gone.local_addr().expect("an address"));
    drop(gone);
    let mut repository = Repository::temporary().expect("a clone");
    let got = repository.ensure(Some(&remote(&url)), &unknown(), &unknown(), &[]);
    let told = format!("{got:?} {:?} {}", remote(&url), got.failures[0]);
    assert!(
        matches!(&got.failures[..], [GitError::Fetch { failure: FetchFailure::Connection(_), .. }]),
        "{told}"
    );
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn urls() {
    let check = |url: &str, told: &str| match Remote::new(url, None, None) {
        Ok(_) => assert_eq!(told, ""),
        Err(error) => assert_eq!(error.to_string(), told),
    };
    let rule = "objects can be fetched over http, https or from a folder, not from";
    check("https://github.com/o/r", "");
    check("file:///srv/r", "");
    check("/srv/r", "");
    check("ssh://git:secret@host/o/r", &format!("{rule} ssh://host/o/r"));
    check("git@host:o/r", &format!("{rule} what is no URL"));
}

#[test]
fn a_folder_is_a_remote_too() {
    let world = World::new();
    let (fork, base, head) = forked(&world, 3);
    for url in [world.root().display().to_string(), format!("file://{}", world.root().display())] {
        let mut repository = Repository::temporary().expect("a clone");
        let got = repository.ensure(Some(&remote(&url)), &base, &head, &[]);
        assert!(got.missing.is_empty() && got.unrelated.is_empty(), "{got:?}");
        assert_eq!(repository.merge_base(&base, &head).expect("a base"), fork);
        assert!(repository.blob(&head, &path("c")).expect("readable").is_some());
    }
}

#[test]
fn https_with_an_own_authority() {
    let world = World::new();
    let (_, _, head) = forked(&world, 2);
    let names = vec!["127.0.0.1".to_owned()];
    let own = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let file = world.folder.path().join("roots.pem");
    fs::write(&file, own.cert.pem()).expect("written");
    let key = rustls::pki_types::PrivateKeyDer::try_from(own.signing_key.serialize_der());
    let tls = rustls::ServerConfig::builder_with_provider(
        rustls::crypto::ring::default_provider().into(),
    )
    .with_safe_default_protocol_versions()
    .expect("versions")
    .with_no_client_auth()
    .with_single_cert(vec![own.cert.der().clone()], key.expect("a key"))
    .expect("a configuration");
    let server = Server::start_tls(&world.root(), tls.into());
    let fetch = |certificates: Option<&Path>| {
        let remote = Remote::new(&server.url(), Some("s3cret"), certificates).expect("a remote");
        let mut repository = Repository::temporary().expect("a clone");
        let fetched = repository.fetch(&remote, std::slice::from_ref(&head), Depth::Commits(1));
        fetched.map(|()| assert!(repository.has_commit(&head)))
    };
    fetch(Some(&file)).expect("fetched");
    // The built-in authorities do not know it.
    assert!(matches!(
        fetch(None),
        Err(GitError::Fetch { failure: FetchFailure::Connection(_), .. })
    ));
}

#[test]
fn certificates_are_read_before_anything_is_sent() {
    let world = World::new();
    let file = world.folder.path().join("roots.pem");
    fs::write(&file, "no certificate").expect("written");
    let remote = Remote::new("https://127.0.0.1:9/x", None, Some(&file)).expect("a remote");
    let mut repository = Repository::temporary().expect("a clone");
    let error = repository.fetch(&remote, &[unknown()], Depth::Whole).expect_err("no use");
    assert!(matches!(error, GitError::BadCertificates { path } if path == file));
}
