//! The binary as people start it, and what the README shows them.

use std::path::Path;
use std::process::{Command, Output};

fn rereview(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rereview"));
    command.args(arguments).current_dir(folder).env_clear().output().expect("it starts")
}

fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}

#[test]
fn the_demo_meets_every_row_that_one_agent_can() {
    let folder = tempfile::tempdir().expect("folder");
    let output = rereview(&["demo"], folder.path());
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14"), "{said}");
}

#[test]
fn a_branch_keeps_its_threads_without_github() {
    let mut repo = rereview_testkit::repo::RepoBuilder::new();
    repo.commit(&[("a.py", "a = 1\n")]);
    let head = repo.branch("topic").commit(&[("a.py", "a = 1\nb = eval(a)\n")]);
    let folder = repo.checkout(&head, rereview_testkit::repo::Depth::Full);
    let report = r#"{"tool": "lint", "findings": [
        {"path": "a.py", "line": 2, "class": "eval", "level": "error", "title": "No eval"}]}"#;
    std::fs::write(folder.join("lint.json"), report).expect("report");
    let base = format!("{}~1", head.as_str());
    let arguments = ["local", "--base", base.as_str(), "--reports", "lint.json"];
    let first = rereview(&arguments, &folder);
    assert_eq!(first.status.code(), Some(1), "{}", text(&first));
    assert!(text(&first).contains("1 new"), "{}", text(&first));
    let second = rereview(&arguments, &folder);
    assert!(text(&second).contains("0 new, 0 resolved, 1 still open"), "{}", text(&second));
    std::fs::write(folder.join("lint.json"), r#"{"tool": "lint", "findings": []}"#)
        .expect("report");
    let third = rereview(&arguments, &folder);
    assert_eq!(third.status.code(), Some(0), "{}", text(&third));
    assert!(text(&third).contains("1 resolved"), "{}", text(&third));
    std::fs::write(folder.join("lint.json"), "{\"findings\": [").expect("report");
    let broken = rereview(&arguments, &folder);
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken).contains("lint.json:"), "{}", text(&broken));
}

#[test]
fn nothing_to_review_with_is_said() {
    let mut repo = rereview_testkit::repo::RepoBuilder::new();
    let head = repo.commit(&[("a.py", "a = 1\n")]);
    let folder = repo.checkout(&head, rereview_testkit::repo::Depth::Full);
    let output = rereview(&["local"], &folder);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("nothing to review with"), "{}", text(&output));
}

#[test]
fn the_config_in_the_readme_is_one() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> =
        readme.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let config = blocks.iter().find(|block| block.starts_with("version:")).expect("a config");
    let built = rereview::settings::config::read("README.md", config).expect("it is right");
    assert_eq!(built.agents.len(), 2);
}
