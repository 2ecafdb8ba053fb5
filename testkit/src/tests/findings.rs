//! Findings as reports.

use serde_json::{Value, json};

use crate::findings::{Found, found, native, sarif};

#[test]
fn both_formats() {
    let file = Found { line: None, ..found("a b#1.txt", 1, "R1", "note", "of the file") };
    let all = [found("src/a.rs", 3, "R2", "error", "bad"), file];
    let native: Value = serde_json::from_str(&native(&all)).unwrap();
    let expected = json!({"findings": [
        {"path": "src/a.rs", "line": 3, "class": "R2", "level": "error", "title": "bad"},
        {"path": "a b#1.txt", "class": "R1", "level": "note", "title": "of the file"},
    ]});
    assert_eq!(native, expected);
    let sarif: Value = serde_json::from_str(&sarif("tool", &all)).unwrap();
    let results = &sarif["runs"][0]["results"];
    let place = |n: usize| &results[n]["locations"][0]["physicalLocation"];
    assert_eq!(place(0)["region"], json!({"startLine": 3}));
    assert_eq!(place(1)["artifactLocation"]["uri"], json!("a%20b%231.txt"));
    assert_eq!(place(1).get("region"), None);
    assert_eq!(results[0]["message"]["text"], json!("bad"));
}
