use std::os::unix::fs::symlink;

use super::*;

fn workspace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in
        ["b.sarif", "a.sarif", "out/c.sarif", "out/deep/d.json", ".git/x.sarif", ".lint/e.sarif"]
    {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    dir
}

#[track_caller]
fn check(workspace: &Path, input: &str, expected: &str) {
    let shown = match expand(workspace, &patterns(input)) {
        Ok(files) => files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" "),
        Err(e) => e.to_string(),
    };
    assert_eq!(shown, expected, "{input}");
}

#[test]
fn globs_find_files_in_order() {
    let dir = workspace();
    for (input, expected) in [
        ("*.sarif", "a.sarif b.sarif"),
        ("**/*.sarif", ".lint/e.sarif a.sarif b.sarif out/c.sarif"),
        ("out/**", "out/c.sarif out/deep/d.json"),
        ("out/deep/d.json\n./b.sarif, a.sarif", "a.sarif b.sarif out/deep/d.json"),
        ("{a,b}.sarif", "a.sarif b.sarif"),
        ("none/*.sarif", ""),
        ("", ""),
        ("out", ""),
        (
            "../*.sarif",
            "`../*.sarif` is not in the workspace: reports are looked for below it only",
        ),
        (
            "/etc/passwd",
            "`/etc/passwd` is not in the workspace: reports are looked for below it only",
        ),
        (
            "[.sarif",
            "`[.sarif` is not a pattern of file names: unclosed character class; missing ']'",
        ),
    ] {
        check(dir.path(), input, expected);
    }
    let absolute = format!("{}/out/*.sarif", dir.path().display());
    check(dir.path(), &absolute, "out/c.sarif");
}

#[test]
fn links_do_not_lead_out() {
    let dir = workspace();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret.sarif"), "").unwrap();
    symlink(other.path().join("secret.sarif"), dir.path().join("z.sarif")).unwrap();
    symlink(other.path(), dir.path().join("folder")).unwrap();
    symlink("out/c.sarif", dir.path().join("own.sarif")).unwrap();
    symlink(".", dir.path().join("loop")).unwrap();
    check(dir.path(), "*.sarif", "a.sarif b.sarif own.sarif");
    check(
        dir.path(),
        "folder/*.sarif",
        "`folder` is not in the workspace: reports are looked for below it only",
    );
    check(dir.path(), "**/secret.sarif", "");
    check(
        dir.path(),
        "z.sarif",
        "`z.sarif` is not in the workspace: reports are looked for below it only",
    );
}

#[test]
fn files_are_read() {
    let dir = workspace();
    assert_eq!(read(dir.path(), Path::new("a.sarif")).unwrap(), b"a.sarif");
    assert!(read(dir.path(), Path::new("none")).is_err());
}
