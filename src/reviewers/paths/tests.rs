use super::*;

fn roots() -> Roots {
    let others = ["/home/runner/work/shop/shop", r"D:\a\shop\shop", "/"].map(PathBuf::from);
    Roots::new(Path::new("/github/workspace/"), &others)
}

#[track_caller]
fn check(read: Result<RepoPath, NotOurs>, expected: &str) {
    match read {
        Ok(path) => assert_eq!(path.as_str(), expected),
        Err(why) => assert_eq!(why.to_string(), expected),
    }
}

const OUTSIDE: &str = "the path is outside the repository";

#[test]
fn uris_become_paths() {
    for (uri, expected) in [
        ("src/a.py", "src/a.py"),
        ("./src/../a.py", "a.py"),
        ("src//a.py", "src/a.py"),
        (r"src\a.py", "src/a.py"),
        ("docs/my%20file%231.md", "docs/my file#1.md"),
        ("100%.md", "100%.md"),
        ("%FF.md", "%FF.md"),
        ("app/[id]/page?.tsx", "app/[id]/page?.tsx"),
        ("%SRCROOT%/src/a.py", "src/a.py"),
        ("file:///github/workspace/a%20b.py", "a b.py"),
        ("file://localhost/github/workspace/a.py", "a.py"),
        ("file:/github/workspace/a.py", "a.py"),
        ("FILE:///github/workspace/a.py", "a.py"),
        ("/github/workspace/a.py", "a.py"),
        ("/home/runner/work/shop/shop/src/a.py", "src/a.py"),
        ("file:///D:/a/shop/shop/src/a.cs", "src/a.cs"),
        ("file:///d%3A/A/shop/shop/src/a.cs", "src/a.cs"),
        (r"D:\a\shop\shop\src\a.cs", "src/a.cs"),
        ("file:///etc/passwd", OUTSIDE),
        ("/etc/passwd", OUTSIDE),
        ("/github/workspace/../../etc/passwd", OUTSIDE),
        ("/github/workspace-2/a.py", OUTSIDE),
        ("../a.py", OUTSIDE),
        ("src/../../a.py", OUTSIDE),
        ("%2e%2e/a.py", OUTSIDE),
        ("file://server/share/a.py", OUTSIDE),
        (r"\\server\share\a.py", OUTSIDE),
        (r"C:\Windows\win.ini", OUTSIDE),
        ("https://example.org/a.py", "a `https:` address is not a file of the repository"),
        ("jar:file:///x.jar!/a", "a `jar:` address is not a file of the repository"),
        ("", "the path names no file"),
        (".", "the path names no file"),
        ("/github/workspace", "the path names no file"),
        ("a%00b", "the path names no file"),
    ] {
        check(roots().uri(uri), expected);
    }
}

#[test]
fn plain_paths_keep_their_percent_signs() {
    check(roots().plain("docs/my%20file.md"), "docs/my%20file.md");
    check(roots().plain("/github/workspace/a%41.md"), "a%41.md");
    check(roots().plain("../a"), OUTSIDE);
}

#[test]
fn the_longest_root_is_stripped() {
    let roots = Roots::new(Path::new("/w"), &[PathBuf::from("/w/repo")]);
    check(roots.plain("/w/repo/a"), "a");
    check(roots.plain("/w/b"), "b");
}
