//! What the runner would read back.

use super::{summarize, write};

#[test]
fn a_value_of_several_lines_stays_one_value() {
    let file = tempfile::NamedTempFile::new().expect("file");
    let value = "a\nrereview_0<<x\nevil=1".to_owned();
    write(file.path(), &[("verdict", "Go".to_owned()), ("text", value.clone())]).expect("written");
    let text = std::fs::read_to_string(file.path()).expect("read");
    let lines: Vec<&str> = text.lines().collect();
    let (name, delimiter) = lines[3].split_once("<<").expect("heredoc");
    assert_eq!(name, "text");
    assert_eq!(lines[4..7].join("\n"), value);
    assert_eq!(lines[7], delimiter);
}

#[test]
fn a_step_summary_stays_within_the_limit() {
    let file = tempfile::NamedTempFile::new().expect("file");
    for _ in 0..3 {
        summarize(file.path(), &"ü".repeat(400_000)).expect("written");
    }
    assert!(file.path().metadata().expect("meta").len() <= 1024 * 1024);
}
