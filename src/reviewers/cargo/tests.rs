use super::*;
use crate::reviewers::tests::{roots, show};

const FINISHED: &str = r#"{"reason":"build-finished","success":true}"#;
const STOPPED: &str = r#"{"reason":"build-finished","success":false}"#;

#[track_caller]
fn check(lines: &[&str], expected: &str) {
    assert_eq!(show(&parse(&lines.join("\n"), &roots()).unwrap()), expected);
}

fn message(level: &str, code: &str, spans: &str) -> String {
    format!(
        r#"{{"reason":"compiler-message","message":{{"message":"m","level":"{level}","code":{{"code":"{code}"}},"spans":[{spans}],"children":[]}}}}"#
    )
}

const HERE: &str = r#"{"file_name":"src/a.rs","line_start":2,"line_end":2,"column_start":1,"column_end":2,"is_primary":true}"#;

#[test]
fn only_a_finished_build_counts() {
    let denied = message("error", "clippy::eq_op", HERE);
    let unknown = message("error", "E0425", HERE);
    check(&[FINISHED], "cargo: 0 of 0\n");
    check(&["Compiling x", FINISHED], "cargo: 0 of 0\n");
    check(&[], "cargo: 0 of 0, failed: cargo's output ends before its `build-finished` message\n");
    check(&[STOPPED], "cargo: 0 of 0, failed: cargo says that the build failed\n");
    check(&[&denied, STOPPED], "cargo: 1 of 1\n  clippy::eq_op src/a.rs:2 error: m\n");
    check(
        &[&unknown, STOPPED],
        "cargo: 1 of 1, failed: the code does not compile: m\n  E0425 src/a.rs:2 error: m\n",
    );
}

#[test]
fn a_macro_from_elsewhere_is_reported_where_it_is_called() {
    let inside = format!(
        r#"{{"file_name":"/home/dev/.cargo/registry/x.rs","line_start":9,"is_primary":true,"expansion":{{"span":{HERE}}}}}"#
    );
    let elsewhere = r#"{"file_name":"/rustc/x/core.rs","line_start":9,"is_primary":true}"#;
    let summary = r#"{"reason":"compiler-message","message":{"message":"2 warnings emitted","level":"warning","code":null,"spans":[],"children":[]}}"#;
    check(
        &[
            &message("warning", "w", &inside),
            &message("warning", "w", elsewhere),
            summary,
            FINISHED,
        ],
        "cargo: 1 of 3
  w src/a.rs:2 warning: m
  - w /rustc/x/core.rs:9: the path is outside the repository
  - 2 warnings emitted: it names no file
",
    );
}
