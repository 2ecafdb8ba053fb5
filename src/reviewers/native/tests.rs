use super::*;
use crate::reviewers::tests::{roots, show};

#[track_caller]
fn check(finding: &str, expected: &str) {
    let text = format!(r#"{{"tool": "mine", "findings": [{finding}]}}"#);
    let shown = match parse(&text, &roots()) {
        Ok(reports) => show(&reports),
        Err(broken) => broken.reason,
    };
    assert_eq!(shown.trim_end(), expected);
}

#[test]
fn findings_are_read() {
    check(
        r#"{"path": "a", "line": 3, "end_line": 4, "column": 2, "class": "no eval", "tag": "must_fix",
            "title": "Bad", "body": "Why", "suggestion": "x", "confidence": "low"}"#,
        "mine: 1 of 1\n  no-eval a:3 must fix: Bad | Why (low) (fix)",
    );
    check(
        r#"{"path": "a", "class": "c", "level": "note", "title": "t"}"#,
        "mine: 1 of 1\n  c a note: t",
    );
    check(
        r#"{"path": "a", "class": "c", "tag": "future work", "title": "t"}"#,
        "mine: 1 of 1\n  c a future work: t",
    );
    check(
        r#"{"path": "../a", "class": "c", "title": "t"}"#,
        "mine: 0 of 1\n  - c ../a: the path is outside the repository",
    );
}

#[test]
fn contradictions_are_errors() {
    for (more, expected) in [
        (
            r#""tag": "could_fix", "level": "note""#,
            "findings[0]: `tag` and `level` exclude each other",
        ),
        (r#""suggestion": "x""#, "findings[0]: `end_line` and `suggestion` need a `line`"),
        (r#""line": 0"#, "findings[0]: lines count from 1, and `end_line` is not before `line`"),
        (
            r#""line": 4, "end_line": 3"#,
            "findings[0]: lines count from 1, and `end_line` is not before `line`",
        ),
    ] {
        check(&format!(r#"{{"path": "a", "class": "c", "title": "t", {more}}}"#), expected);
    }
}

#[test]
fn the_document_says_what_was_looked_at() {
    let text =
        r#"{"analyzed": ["a", "/etc/passwd", "b/c"], "failed": "timed out", "findings": []}"#;
    let report = parse(text, &roots()).unwrap().remove(0);
    let analysed: Vec<String> = report.analysed.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(analysed, ["a", "b/c"]);
    assert_eq!(show(&[report]), "?: 0 of 0, failed: timed out\n");
}

#[test]
fn the_schema_names_every_field() {
    let schema = serde_json::to_value(schema()).unwrap();
    let fields = schema["$defs"]["Finding"]["properties"].as_object().unwrap();
    assert_eq!(fields.len(), 11);
    assert_eq!(schema["required"], serde_json::json!(["findings"]));
}
