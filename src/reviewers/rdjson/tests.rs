use super::*;
use crate::reviewers::tests::{roots, show};

#[test]
fn severities_and_sources_have_defaults() {
    let text = r#"{"source": {"name": "lint", "url": "u"}, "severity": "INFO", "diagnostics": [
        {"message": "a", "location": {"path": "a"}, "severity": "ERROR", "code": {"value": "E1"}},
        {"message": "b", "location": {"path": "a", "range": {"start": {"line": 3}}}},
        {"message": "c", "location": {"path": "a", "range": null}, "severity": 2},
        {"message": "d", "location": {"path": "/etc/passwd"}, "source": {"name": "other"}},
        {"message": "e", "location": {}, "severity": "UNKNOWN_SEVERITY"},
        {"message": "f", "location": {"path": "a", "range": {"start": {"line": 3, "column": 2}, "end": {"line": 3, "column": 4}}},
         "suggestions": [{"range": {"start": {"line": 3, "column": 2}, "end": {"line": 3, "column": 4}}, "text": "x"}]}
    ]}"#;
    assert_eq!(
        show(&parse(text, &roots()).unwrap()),
        "lint: 4 of 5
  E1 a error: a
  lint a:3 note: b
  lint a warning: c
  lint a:3 note: f (fix)
  - lint: it names no file
other: 0 of 1
  - other /etc/passwd: the path is outside the repository
"
    );
}

#[test]
fn lines_are_diagnostics() {
    let text = "{\"message\": \"a\", \"location\": {\"path\": \"a\"}}\r\n\n{\"message\": \"b\", \"location\": {\"path\": \"b\"}, \"source\": {\"name\": \"s\"}}\n";
    assert_eq!(
        show(&parse_lines(text, &roots()).unwrap()),
        "?: 1 of 1\n  x a warning: a\ns: 1 of 1\n  s b warning: b\n"
    );
    assert_eq!(show(&parse_lines("", &roots()).unwrap()), "?: 0 of 0\n");
}
