use super::*;
use crate::reviewers::tests::{roots, show};

const PLACE: &str = r#""locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}, "region": {"startLine": 3}}}]"#;

fn run(run: &str) -> Vec<Report> {
    parse(&format!(r#"{{"version": "2.1.0", "runs": [{run}]}}"#), &roots()).unwrap()
}

/// One result (at `a.py:3` if it names no place) in a run; the first line, which counts, is left
/// out.
#[track_caller]
fn check_in(rest_of_run: &str, result: &str, expected: &str) {
    let place = if result.contains("\"locations\"") { "" } else { PLACE };
    let message = if result.contains("\"message\"") { "" } else { r#""message": {"text": "m"}"# };
    let members = [place, message, result].into_iter().filter(|member| !member.is_empty());
    let members = members.collect::<Vec<_>>().join(", ");
    let shown = show(&run(&format!(r#"{{"results": [{{{members}}}], {rest_of_run}}}"#)));
    assert_eq!(shown.split_once('\n').unwrap().1.trim(), expected, "{rest_of_run} {result}");
}

/// One result of a tool with these rules.
#[track_caller]
fn check(rules: &str, result: &str, expected: &str) {
    let tool = format!(r#""tool": {{"driver": {{"name": "t", "rules": [{rules}]}}}}"#);
    check_in(&tool, result, expected);
}

#[test]
fn levels_come_from_result_then_rule_then_the_standard() {
    let error = r#"{"id": "R", "defaultConfiguration": {"level": "error"}}"#;
    for (rules, result, level) in [
        ("", r#""ruleId": "R""#, "warning"),
        (r#"{"id": "R"}"#, r#""ruleIndex": 0"#, "warning"),
        (r#"{"id": "R", "defaultConfiguration": {}}"#, r#""ruleId": "R""#, "warning"),
        (error, r#""ruleIndex": 0"#, "error"),
        (error, r#""ruleId": "R""#, "error"),
        (error, r#""ruleId": "R", "ruleIndex": -1"#, "error"),
        (error, r#""ruleId": "R", "level": "note""#, "note"),
        (error, r#""ruleId": "R", "level": null"#, "error"),
        (error, r#""ruleId": "R", "level": "fatal""#, "warning"),
        (error, r#""rule": {"id": "R"}"#, "error"),
        (error, r#""rule": {"index": 0}"#, "error"),
        (error, r#""ruleId": "R", "kind": "fail""#, "error"),
        (error, r#""ruleId": "R", "kind": "review""#, "none"),
        (error, r#""ruleId": "R", "kind": "open", "level": "error""#, "none"),
        // An index that points to another rule than the id names is wrong.
        (
            r#"{"id": "Q", "defaultConfiguration": {"level": "note"}}, {"id": "R", "defaultConfiguration": {"level": "error"}}"#,
            r#""ruleId": "R", "ruleIndex": 0"#,
            "error",
        ),
    ] {
        check(rules, result, &format!("R a.py:3 {level}: m"));
    }
    check(error, r#""ruleId": "R/sub""#, "R/sub a.py:3 error: m");
    check(error, r#""ruleId": "R2""#, "R2 a.py:3 warning: m");
    check("", "\"x\": 1", "x a.py:3 warning: m");
}

#[test]
fn security_severity_only_raises() {
    for (score, level, expected) in [
        (r#""9.8""#, "", "error"),
        ("7.0", r#", "level": "note""#, "error"),
        (r#""6.9""#, r#", "level": "note""#, "warning"),
        (r#""2.0""#, r#", "level": "error""#, "error"),
        (r#""2.0""#, r#", "level": "note""#, "note"),
        (r#""9.8""#, r#", "level": "none""#, "none"),
        (r#""high""#, "", "warning"),
    ] {
        check(
            &format!(r#"{{"id": "R", "properties": {{"security-severity": {score}}}}}"#),
            &format!(r#""ruleId": "R"{level}"#),
            &format!("R a.py:3 {expected}: m"),
        );
    }
}

#[test]
fn rules_are_found_in_extensions() {
    let tool = r#"{"tool": {"driver": {"name": "CodeQL", "rules": [{"id": "D"}]}, "extensions": [
        {"name": "other", "rules": []},
        {"name": "pack", "guid": "g", "rules": [{"id": "X", "guid": "r", "defaultConfiguration": {"level": "error"}}]}]},
        "results": [{"message": {"text": "m"}, "#;
    for rule in [
        r#""rule": {"id": "X", "index": 0, "toolComponent": {"index": 1}}"#,
        r#""ruleId": "X", "ruleIndex": 0, "rule": {"toolComponent": {"index": 1}}"#,
        r#""rule": {"index": 0, "toolComponent": {"name": "pack"}}"#,
        r#""rule": {"index": 0, "toolComponent": {"guid": "g"}}"#,
        r#""rule": {"guid": "r"}"#,
        r#""ruleId": "X""#,
    ] {
        assert_eq!(
            show(&run(&format!("{tool}{rule}, {PLACE}}}]}}"))),
            "CodeQL: 1 of 1\n  X a.py:3 error: m\n"
        );
    }
}

#[test]
fn an_invocation_can_override_levels() {
    let overrides = |descriptor: &str| {
        format!(
            r#"{{"tool": {{"driver": {{"name": "t", "rules": [{{"id": "R"}}]}}}},
            "invocations": [{{"executionSuccessful": true, "ruleConfigurationOverrides": [
                {{"descriptor": {descriptor}, "configuration": {{"level": "error"}}}}]}}],
            "results": [{{"ruleId": "R", "message": {{"text": "m"}}, {PLACE}}}]}}"#
        )
    };
    for (descriptor, level) in
        [(r#"{"id": "R"}"#, "error"), (r#"{"index": 0}"#, "error"), (r#"{"id": "Q"}"#, "warning")]
    {
        let expected = format!("t: 1 of 1\n  R a.py:3 {level}: m\n");
        assert_eq!(show(&run(&overrides(descriptor))), expected);
    }
}

#[test]
fn some_results_are_no_findings() {
    for (result, why) in [
        (r#""kind": "pass""#, "kind `pass`"),
        (r#""kind": "pass", "level": "error""#, "kind `pass`"),
        (r#""kind": "notApplicable""#, "kind `notApplicable`"),
        (r#""kind": "informational""#, "kind `informational`"),
        (r#""baselineState": "absent""#, "baseline state `absent`: it is no longer there"),
        (r#""suppressions": [{"kind": "inSource"}]"#, "suppressed"),
        (r#""suppressions": [{"status": "accepted"}, {}]"#, "suppressed"),
    ] {
        check("", &format!(r#""ruleId": "R", {result}"#), &format!("- R a.py:3: {why}"));
    }
    for kept in [
        r#""suppressions": []"#,
        r#""suppressions": null"#,
        r#""suppressions": [{"status": "rejected"}]"#,
        r#""suppressions": [{"status": "underReview"}]"#,
        r#""suppressions": [{"status": "accepted"}, {"status": "rejected"}]"#,
        r#""baselineState": "unchanged""#,
        r#""baselineState": "new""#,
    ] {
        check("", &format!(r#""ruleId": "R", {kept}"#), "R a.py:3 warning: m");
    }
    check("", r#""ruleId": "R", "locations": []"#, "- R: it names no file");
}

#[test]
fn places_have_many_forms() {
    let bases = r#""originalUriBaseIds": {
        "SRC": {"uri": "file:///github/workspace/"}, "SUB": {"uri": "sub/", "uriBaseId": "SRC"},
        "BARE": {"uri": "sub"}, "EMPTY": {"description": {"text": "given by the user"}},
        "%SRCROOT%": {"uri": "file:///build/7/"}, "ELSE": {"uri": "file:///opt/x/"},
        "LOOP": {"uri": "l/", "uriBaseId": "LOOP"}},
        "artifacts": [{"location": {"uri": "z.py"}}, {"location": {"uri": "y.py", "uriBaseId": "SUB"}}]"#;
    for (location, expected) in [
        (r#"{"uri": "x.py", "uriBaseId": "SRC"}"#, "x.py"),
        (r#"{"uri": "x.py", "uriBaseId": "SUB"}"#, "sub/x.py"),
        (r#"{"uri": "x.py", "uriBaseId": "BARE"}"#, "sub/x.py"),
        (r#"{"uri": "x.py", "uriBaseId": "EMPTY"}"#, "x.py"),
        (r#"{"uri": "x.py", "uriBaseId": "%SRCROOT%"}"#, "x.py"),
        (r#"{"uri": "x.py", "uriBaseId": "UNKNOWN"}"#, "x.py"),
        (r#"{"uri": "/github/workspace/x.py", "uriBaseId": "ELSE"}"#, "x.py"),
        (r#"{"index": 0}"#, "z.py"),
        (r#"{"index": 1}"#, "sub/y.py"),
        (r#"{"uri": "x.py", "index": 1}"#, "x.py"),
    ] {
        check_in(
            bases,
            &format!(
                r#""ruleId": "R", "locations": [{{"physicalLocation": {{"artifactLocation": {location}}}}}]"#
            ),
            &format!("R {expected} warning: m"),
        );
    }
    for (location, expected) in [
        (r#"{"uri": "x.py", "uriBaseId": "ELSE"}"#, "- R x.py: the path is outside the repository"),
        (
            r#"{"uri": "../x.py", "uriBaseId": "SRC"}"#,
            "- R ../x.py: the path is outside the repository",
        ),
        (
            r#"{"uri": "../../etc/passwd", "uriBaseId": "%SRCROOT%"}"#,
            "- R ../../etc/passwd: the path is outside the repository",
        ),
        (r#"{"index": 9}"#, "- R: it names no file"),
        ("{}", "- R: it names no file"),
    ] {
        check_in(
            bases,
            &format!(
                r#""ruleId": "R", "locations": [{{"physicalLocation": {{"artifactLocation": {location}}}}}]"#
            ),
            expected,
        );
    }
    // A chain of base ids that never ends does end.
    let looped = r#""ruleId": "R", "locations": [{"physicalLocation": {"artifactLocation": {"uri": "x", "uriBaseId": "LOOP"}}}]"#;
    check_in(bases, looped, &format!("R {}x warning: m", "l/".repeat(16)));
}

#[test]
fn regions_have_many_forms() {
    for (region, expected) in [
        (r#"{"startLine": 3}"#, Some((3, 3))),
        (r#"{"startLine": 3, "endLine": 5}"#, Some((3, 5))),
        (r#"{"startLine": 3, "endLine": 4, "endColumn": 1}"#, Some((3, 3))),
        (r#"{"startLine": 3, "endLine": 1}"#, Some((3, 3))),
        (r#"{"startLine": 0}"#, None),
        (r#"{"startLine": -1}"#, None),
        (r#"{"charOffset": 10}"#, None),
        ("{}", None),
        ("null", None),
    ] {
        let reports = run(&format!(
            r#"{{"results": [{{"locations": [{{"physicalLocation": {{"artifactLocation": {{"uri": "a"}}, "region": {region}}}}}]}}]}}"#
        ));
        let lines = reports[0].results[0].region.map(|region| region.lines());
        assert_eq!(lines.map(|l| (l.first, l.last)), expected, "{region}");
    }
}

#[test]
fn quotes_come_from_the_region_or_from_around_it() {
    for (place, expected) in [
        (r#""region": {"startLine": 3, "snippet": {"text": "eval(x)"}}"#, Some("eval(x)")),
        (
            r#""region": {"startLine": 3}, "contextRegion": {"startLine": 2, "endLine": 4, "snippet": {"text": "a\nb\nc\n"}}"#,
            Some("b"),
        ),
        (
            r#""region": {"startLine": 3}, "contextRegion": {"startLine": 5, "snippet": {"text": "a"}}"#,
            None,
        ),
        (r#""region": {"startLine": 3}"#, None),
    ] {
        let reports = run(&format!(
            r#"{{"results": [{{"locations": [{{"physicalLocation": {{"artifactLocation": {{"uri": "a"}}, {place}}}}}]}}]}}"#
        ));
        assert_eq!(reports[0].results[0].snippet.as_deref(), expected, "{place}");
    }
}

#[test]
fn messages_have_many_forms() {
    let rule = r#"{"id": "R", "shortDescription": {"text": "Short. More"}, "messageStrings": {"d": {"text": "{0} is not {1}: {{x}} {7}", "markdown": "**{0}**"}}}"#;
    for (message, expected) in [
        (r#"{"text": "One. Two"}"#, "One. | Two"),
        (r#"{"text": "Use {x} and {{y}}"}"#, "Use {x} and {{y}}"),
        (r#"{"text": "'{0}' it is", "arguments": ["A"]}"#, "'A' it is"),
        (r#"{"id": "d", "arguments": ["A", "B"]}"#, "A is not B: {x} {7} | **A**"),
        (r#"{"text": "t", "markdown": "**t**"}"#, "t | **t**"),
        (r#"{"text": "t", "markdown": "t"}"#, "t"),
        (r#"{"markdown": "only *m*"}"#, "only *m*"),
        (
            r#"{"text": "a [user value](1) at [x](http://y) [z"}"#,
            "a user value at [x](http://y) [z",
        ),
        (r#"{"id": "gone"}"#, "Short. | More"),
        ("{}", "Short. | More"),
        ("null", "Short. | More"),
    ] {
        check(
            rule,
            &format!(r#""ruleId": "R", "message": {message}"#),
            &format!("R a.py:3 warning: {expected}"),
        );
    }
    check("", r#""ruleId": "R", "message": {}"#, "R a.py:3 warning: R");
}

#[test]
fn doubt_is_low_confidence() {
    for (rules, result, low) in [
        (r#"{"id": "R", "properties": {"precision": "low"}}"#, "", true),
        (r#"{"id": "R", "properties": {"precision": "high"}}"#, "", false),
        ("", r#", "rank": 24.9"#, true),
        ("", r#", "rank": 25"#, false),
        ("", r#", "rank": -1"#, false),
        (r#"{"id": "R", "defaultConfiguration": {"rank": 3}}"#, "", true),
        (r#"{"id": "R", "defaultConfiguration": {"rank": 3}}"#, r#", "rank": 90.0"#, false),
    ] {
        let expected = format!("R a.py:3 warning: m{}", if low { " (low)" } else { "" });
        check(rules, &format!(r#""ruleId": "R"{result}"#), &expected);
    }
}

#[test]
fn only_one_replacement_is_a_fix() {
    let one = r#"{"deletedRegion": {"startLine": 3}, "insertedContent": {"text": "x"}}"#;
    let fixes = |uri: &str, replacements: &str| {
        format!(
            r#""ruleId": "R", "fixes": [{{"artifactChanges": [{{"artifactLocation": {{"uri": "{uri}"}}, "replacements": [{replacements}]}}]}}]"#
        )
    };
    check("", &fixes("a.py", one), "R a.py:3 warning: m (fix)");
    check("", &fixes("file:///github/workspace/a.py", one), "R a.py:3 warning: m (fix)");
    check("", &fixes("b.py", one), "R a.py:3 warning: m");
    check("", &fixes("a.py", &format!("{one},{one}")), "R a.py:3 warning: m");
    check(
        "",
        &fixes("a.py", r#"{"deletedRegion": {"startLine": 3}}"#),
        "R a.py:3 warning: m (fix)",
    );
    check("", &fixes("a.py", r#"{"deletedRegion": {}}"#), "R a.py:3 warning: m");
}

#[test]
fn column_kinds_are_kept() {
    for (kind, unit) in [
        (r#""columnKind": "utf16CodeUnits","#, ColumnUnit::Utf16),
        (r#""columnKind": "unicodeCodePoints","#, ColumnUnit::Scalars),
        ("", ColumnUnit::Unstated),
    ] {
        let reports = run(&format!(
            r#"{{{kind} "results": [{{{PLACE}, "fixes": [{{"artifactChanges": [{{"artifactLocation": {{"uri": "a.py"}},
            "replacements": [{{"deletedRegion": {{"startLine": 3, "startColumn": 2, "endColumn": 4}}}}]}}]}}]}}]}}"#
        ));
        let Some(Fix::Columns { unit: read, .. }) = &reports[0].results[0].fix else { panic!() };
        assert_eq!(*read, unit);
    }
}

#[test]
fn runs_are_reports() {
    let failed = r#"{"tool": {"driver": {"name": "b"}}, "results": [],
        "invocations": [{"executionSuccessful": true}, {"executionSuccessful": false, "exitCodeDescription": "died",
        "toolExecutionNotifications": [{"level": "warning", "message": {"text": "w"}}, {"level": "error", "message": {"text": "no config\nmore"}}]}]}"#;
    let silent = r#"{"invocations": [{"executionSuccessful": false}]}"#;
    let empty = r#"{"tool": {"driver": {"name": "a"}}, "results": null}"#;
    assert_eq!(
        show(&run(&[empty, failed, silent].join(","))),
        "a: 0 of 0
b: 0 of 0, failed: the tool says that it failed: no config
?: 0 of 0, failed: the tool says that it failed (`executionSuccessful` is false)
"
    );
    assert_eq!(run("").len(), 0);
}
