//! What a config comes to, and errors that name the line and what is allowed.

use super::read;

#[test]
fn the_example_is_read() {
    let text = "version: 1\nmaintainers: { users: [alice], from: [codeowners], fallback: [bob] }\n\
                equivalent-classes: [[a, b]]\nagents:\n  - name: lint\n    label: Lint\n    \
                reviewer: { reports: [\"*.sarif\"] }\n    coverage: full\n    tags: { error: must fix }\n    \
                classes: { \"security/.*\": must fix }\n    ci-safety: true\n";
    let built = read("x.yml", text).expect("read");
    assert_eq!(built.agents.len(), 1);
    assert_eq!(built.agents[0].source.reports, ["*.sarif"]);
}

#[test]
fn errors_name_the_line_and_what_is_allowed() {
    let agent = "version: 1\nagents:\n  - name: lint\n    reviewer: { reports: [a] }\n";
    for (text, line, parts) in [
        ("version: 1\nagnets: []\n".to_owned(), Some(2), vec!["agnets", "did you mean `agents`"]),
        ("version: 2\n".to_owned(), Some(1), vec!["allowed is 1"]),
        (agent.replace("lint", "Lint!"), Some(3), vec!["a-z"]),
        (format!("{agent}    coverage: all\n"), Some(5), vec!["full", "changed"]),
        (
            format!("{agent}    classes: {{ \"(\": must fix }}\n"),
            Some(5),
            vec!["regular expression"],
        ),
        (
            format!("{agent}  - name: lint\n    reviewer: {{ reports: [a] }}\n"),
            Some(5),
            vec!["given twice"],
        ),
        (
            agent.replace("reports: [a]", "llm: { prompt: x }"),
            Some(4),
            vec!["not in this version", "`reports`"],
        ),
        (agent.replace("reports: [a]", "optional: true"), Some(4), vec!["names no reviewer"]),
    ] {
        let error = read(".github/rereview.yml", &text).expect_err(&text);
        let shown = error.to_string();
        assert_eq!(error.line, line, "{shown}");
        assert!(shown.contains(".github/rereview.yml"), "{shown}");
        for part in parts {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
    }
}
