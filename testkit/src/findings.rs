//! Findings as reports: rereview's own JSON, and the least SARIF that a linter would write.

use serde_json::{Value, json};

/// What a reviewer found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// From the repository's root.
    pub path: &'a str,
    /// From 1; `None`: about the whole file.
    pub line: Option<u32>,
    /// The rule.
    pub class: &'a str,
    /// SARIF's: error, warning, note, none.
    pub level: &'a str,
    /// One line.
    pub message: &'a str,
}

/// A finding on a line.
pub fn found<'a>(
    path: &'a str,
    line: u32,
    class: &'a str,
    level: &'a str,
    message: &'a str,
) -> Found<'a> {
    Found { path, line: Some(line), class, level, message }
}

/// rereview's own findings JSON (spec 40 §2).
pub fn native(findings: &[Found<'_>]) -> String {
    let one = |f: &Found<'_>| {
        let mut value =
            json!({"path": f.path, "class": f.class, "level": f.level, "title": f.message});
        if let Some(line) = f.line {
            value["line"] = line.into();
        }
        value
    };
    json!({"findings": findings.iter().map(one).collect::<Vec<Value>>()}).to_string()
}

/// A SARIF 2.1.0 log of one run.
pub fn sarif(tool: &str, findings: &[Found<'_>]) -> String {
    let one = |f: &Found<'_>| {
        let mut place = json!({"artifactLocation": {"uri": escape(f.path)}});
        if let Some(line) = f.line {
            place["region"] = json!({"startLine": line});
        }
        json!({
            "ruleId": f.class,
            "level": f.level,
            "message": {"text": f.message},
            "locations": [{"physicalLocation": place}],
        })
    };
    json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": tool}},
            "results": findings.iter().map(one).collect::<Vec<Value>>(),
        }],
    })
    .to_string()
}

/// A path as a URI: all but plain characters percent-encoded.
fn escape(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'.');
    path.bytes().fold(String::new(), |mut out, b| {
        if plain(b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
        out
    })
}
