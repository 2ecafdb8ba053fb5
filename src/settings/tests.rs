//! Inputs as the runner gives them.

use std::collections::BTreeMap;

use clap::Parser;

use super::cli::{Cli, Command};
use super::inputs::{INPUTS, arguments};

fn environment(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut map: BTreeMap<String, String> = INPUTS
        .iter()
        .map(|(name, _)| (format!("INPUT_{}", name.to_uppercase()), String::new()))
        .collect();
    map.extend(given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    map
}

#[test]
fn blank_inputs_are_not_given() {
    let words =
        arguments(&environment(&[("INPUT_DRY-RUN", " TRUE "), ("INPUT_MAX-NEW-COMMENTS", " 7\n")]));
    let words = words.expect("arguments");
    assert_eq!(words, ["rereview", "review", "--dry-run=TRUE", "--max-new-comments=7"]);
    let cli = Cli::try_parse_from(words).expect("parsed");
    let Command::Review(flags) = cli.command else { panic!("not a review") };
    assert!(flags.common.dry_run);
    assert_eq!(flags.common.max_new_comments, 7);
}

#[test]
fn modes_and_inputs_of_later_versions_are_refused() {
    for (name, value) in [("INPUT_MODE", "watch"), ("INPUT_MODE", "revue"), ("INPUT_CYCLES", "3")] {
        assert!(arguments(&environment(&[(name, value)])).is_err(), "{name}={value}");
    }
}

#[test]
fn a_token_is_never_shown() {
    let words = arguments(&environment(&[("INPUT_TOKEN", "ghs_secret")])).expect("arguments");
    let cli = Cli::try_parse_from(words).expect("parsed");
    assert!(!format!("{cli:?}").contains("ghs_secret"));
}
