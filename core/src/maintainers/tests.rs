//! Who owns, who rules, who is called.

use super::{AuthorRules, CodeOwners, Maintainers, Origin, from_readme};
use crate::ids::{Account, Mention, RepoPath};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).expect("path")
}

fn names(names: &[&str]) -> Vec<Mention> {
    names.iter().map(|name| Mention::new(name).expect("name")).collect()
}

#[test]
fn the_last_matching_pattern_owns() {
    let owners = CodeOwners::parse(
        "# the team\n\
         *            @alice\n\
         *.js         @bob   # scripts\n\
         /build/logs/ @carol\n\
         docs/*       @dave\n\
         apps/        @erin @org/apps\n\
         /scripts     @frank frank@example.org\n\
         **/gen/*.rs  @gina\n\
         /apps/github\n\
         a[1].txt     @henry\n",
    );
    for (file, expected) in [
        ("README.md", "alice"),
        ("src/x.js", "bob"),
        ("build/logs/a/b.txt", "carol"),
        ("deep/build/logs/x", "alice"),
        ("docs/a.md", "dave"),
        ("docs/sub/a.md", "alice"),
        ("apps/x", "erin org/apps"),
        ("lib/apps/deep/x", "erin org/apps"),
        ("scripts/run.sh", "frank"),
        ("a/gen/b.rs", "gina"),
        ("apps/github/x", ""),
        ("a[1].txt", "henry"),
    ] {
        let found: Vec<&str> =
            owners.owners(&path(file)).iter().map(|owner| owner.0.as_str()).collect();
        assert_eq!(found.join(" "), expected, "{file}");
    }
}

#[test]
fn a_ruling_is_a_maintainers_and_never_the_authors() {
    let mut maintainers = Maintainers {
        users: names(&["Alice"]),
        from: vec![Origin::CodeOwners, Origin::Permission],
        codeowners: CodeOwners::parse("/src/ @bob\n"),
        permitted: [Account::from_login("carol")].into(),
        author: Some(Account::from_login("alice")),
        ..Maintainers::default()
    };
    for (login, file, expected) in [
        ("alice", "src/a", false),
        ("bob", "src/a", true),
        ("bob", "docs/a", false),
        ("carol", "docs/a", true),
        ("dave", "src/a", false),
        ("bob[bot]", "src/a", false),
    ] {
        let account = Account::from_login(login);
        assert_eq!(maintainers.rules(&account, &path(file)), expected, "{login} on {file}");
    }
    maintainers.author_rules = AuthorRules::Allowed;
    assert!(maintainers.rules(&Account::from_login("ALICE"), &path("src/a")));
}

#[test]
fn the_first_source_that_yields_somebody_is_called() {
    let mut maintainers = Maintainers {
        from: vec![Origin::CodeOwners, Origin::Permission],
        codeowners: CodeOwners::parse("/src/ @alice @bob @Bob @org/team @carol @dave\n"),
        fallback: names(&["zoe"]),
        author: Some(Account::from_login("alice")),
        ..Maintainers::default()
    };
    assert_eq!(maintainers.to_call(&path("src/a")), names(&["bob", "org/team", "carol"]));
    assert_eq!(maintainers.to_call(&path("docs/a")), names(&["zoe"]));
    maintainers.users = names(&["yan"]);
    assert_eq!(maintainers.to_call(&path("src/a")), names(&["yan"]));
}

#[test]
fn a_readme_table_names_maintainers() {
    let text = "| Part | Core Maintainer(s) |\n|---|---|\n| core | @alice, @bob |\n\
                | docs | [Carol](https://github.com/carol) |\n\nsomething @else | here\n";
    assert_eq!(from_readme(text), names(&["alice", "bob", "carol"]));
}
