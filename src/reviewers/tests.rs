use std::fmt::Write;
use std::path::Path;

use super::*;

/// The roots of a report that was made in another folder than the workspace.
pub(super) fn roots() -> Roots {
    Roots::new(Path::new("/github/workspace"), &[PathBuf::from("/home/dev/shop")])
}

/// Reports as text: one line a finding, one a skipped result.
pub(super) fn show(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        let tool = report.tool.as_deref().unwrap_or("?");
        let count = report.results.len() + report.skipped.len();
        assert_eq!(report.total, count, "every result is a finding or skipped");
        write!(out, "{tool}: {} of {}", report.results.len(), report.total).unwrap();
        if let Outcome::Failed { reason } = &report.outcome {
            write!(out, ", failed: {reason}").unwrap();
        }
        out.push('\n');
        for result in &report.results {
            let severity = match result.severity {
                rereview_core::model::Severity::Level(level) => format!("{level:?}").to_lowercase(),
                rereview_core::model::Severity::Tag(tag) => tag.to_string(),
            };
            write!(out, "  {} {severity}: {}", result.what(), result.title).unwrap();
            if !result.body.is_empty() {
                write!(out, " | {}", result.body.replace('\n', "⏎")).unwrap();
            }
            if result.confidence == rereview_core::model::Confidence::Low {
                out.push_str(" (low)");
            }
            if result.fix.is_some() {
                out.push_str(" (fix)");
            }
            out.push('\n');
        }
        for skipped in &report.skipped {
            writeln!(out, "  - {}: {}", skipped.what, skipped.why).unwrap();
        }
    }
    out
}

fn read(name: &str, bytes: &[u8]) -> Result<Vec<Report>, ReportError> {
    let roots = [PathBuf::from("/home/dev/shop")];
    let context = ParseContext { workspace: Path::new("/github/workspace"), roots: &roots };
    parse(None, name, bytes, context)
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reports").join(name);
    show(&read(name, &std::fs::read(path).unwrap()).unwrap())
}

#[track_caller]
fn check_broken(bytes: &[u8], expected: &str) {
    assert_eq!(read("report", bytes).unwrap_err().to_string(), expected);
}

#[test]
fn real_reports_are_read() {
    for name in [
        "ruff.sarif",
        "bandit.sarif",
        "zizmor.sarif",
        "semgrep.sarif",
        "eslint.sarif",
        "ruff.rdjson.json",
        "eslint-checkstyle.xml",
        "clippy.json",
    ] {
        insta::assert_snapshot!(name, fixture(name));
    }
}

/// Case G18.
#[test]
fn where_and_how_bad() {
    assert_eq!(
        fixture("G18.sarif"),
        "demo: 5 of 8
  R0 src/a.py:1 error: r1
  R2 docs/my file#1.md:2 warning: r2
  R3 lib/x.py:3 warning: r3
  R5 src/a.py:5 warning: r5
  R8 src/a.py:8 none: r8
  - R4 src/a.py:4: suppressed
  - R6 src/a.py:6: kind `pass`
  - R7 file:///etc/passwd:7: the path is outside the repository
"
    );
}

#[test]
fn a_broken_report_says_where_and_why() {
    check_broken(
        b"{\n \"runs\": [{\"tool\"",
        "report:2:17: EOF while parsing an object (in `runs[0]`)",
    );
    check_broken(
        br#"{"runs": [{"results": [{"locations": 7}]}]}"#,
        "report:1:38: invalid type: integer `7`, expected a sequence (in `runs[0].results[0].locations`)",
    );
    check_broken(br#"{"runs": []} x"#, "report:1:14: trailing characters");
    check_broken(
        br#"{"version": "1.0.0", "runs": []}"#,
        r#"report: SARIF "1.0.0" is not SARIF 2.1.0"#,
    );
    check_broken(
        b"{\"message\":\"a\",\"location\":{\"path\":\"a\"}}\n{\"message\":\n",
        "report:2:11: EOF while parsing a value (in `message`)",
    );
    check_broken(
        b"<checkstyle>\n<file name=\"a\">\n</checkstyle>",
        "report:3:1: ill-formed document: expected `</file>`, but `</checkstyle>` was found",
    );
    check_broken(
        b"<checkstyle>\n<file name=\"a\">",
        "report:2:16: the file ends inside the element `file`",
    );
    check_broken(
        b"{\"findings\": [\n {\"path\": \"a\", \"class\": \"c\", \"titel\": \"t\"}]}",
        "report:2:36: unknown field `titel`, expected one of `path`, `line`, `end_line`, `column`, `class`, `tag`, `level`, `title`, `body`, `suggestion`, `confidence` (in `findings[0].titel`)",
    );
    check_broken(
        b"{\"runs\":\n\"\xff\"}",
        "report:2:2: the text is neither UTF-8 nor UTF-16 with a byte-order mark",
    );
    check_broken(
        b"hello",
        "report: not a known kind of report; known are sarif, rdjson, rdjsonl, checkstyle, cargo, native",
    );
    check_broken(
        b" ",
        "report: the file is empty; if that means no findings, name its `format`: sarif, rdjson, rdjsonl, checkstyle, cargo, native",
    );
    check_broken(&vec![b' '; LARGEST + 1], "report: larger than 100 MiB");
}

#[test]
fn depth_is_bounded() {
    let deep = format!("{{\"runs\": {}", "[".repeat(1_000_000));
    assert!(read("deep", deep.as_bytes()).is_err());
    let ignored = format!("{{\"x\": {}", "[".repeat(1_000_000));
    assert!(read("deep", ignored.as_bytes()).is_err());
    let xml = format!("<checkstyle>{}", "<a>".repeat(100_000));
    assert!(read("deep", xml.as_bytes()).is_err());
}

#[test]
fn byte_order_marks_are_no_text() {
    let text = r#"{"runs": [{"tool": {"driver": {"name": "é"}}, "results": []}]}"#;
    let wide = |unit: fn(u16) -> [u8; 2], mark: [u8; 2]| {
        mark.into_iter().chain(text.encode_utf16().flat_map(unit)).collect::<Vec<u8>>()
    };
    for bytes in [
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        wide(u16::to_le_bytes, [0xFF, 0xFE]),
        wide(u16::to_be_bytes, [0xFE, 0xFF]),
    ] {
        assert_eq!(show(&read("bom", &bytes).unwrap()), "é: 0 of 0\n");
    }
}

#[test]
fn reports_of_one_agent_are_one() {
    let one = |json: &str| native::parse(json, &roots()).unwrap().remove(0);
    let a = r#"{"analyzed": ["a"], "findings": [{"path": "a", "line": 1, "class": "c", "title": "t"}]}"#;
    let b = r#"{"analyzed": ["b"], "failed": "no", "findings": [{"path": "a", "line": 1, "class": "c", "title": "t"}, {"path": "a", "line": 1, "class": "c", "title": "other"}]}"#;
    let merged = one(a).merge(one(b));
    assert_eq!(merged.analysed.as_ref().map(std::collections::BTreeSet::len), Some(2));
    assert_eq!(
        show(&[merged]),
        "?: 2 of 3, failed: no
  c a:1 warning: t
  c a:1 warning: other
  - c a:1: said twice: the same class, place and message
"
    );
    assert_eq!(one(a).merge(Report::new(None)).analysed, None);
}
