//! Chores of the project: `cargo xtask <task>`.
#![allow(clippy::print_stdout, reason = "a chore speaks to the person who runs it")]

mod acceptance;
mod generate;
mod simulate;

use std::process::ExitCode;

const USAGE: &str = "usage:
  cargo xtask generate [--check]
  cargo xtask acceptance --sim DIR --binary PATH
  cargo xtask simulate --runs N";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["generate"] => generate::generate(generate::Mode::Write),
        ["generate", "--check"] => generate::generate(generate::Mode::Check),
        ["acceptance", "--sim", sim, "--binary", binary] => acceptance::run(sim, binary),
        ["simulate", "--runs", runs] => simulate::run(runs),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            println!("{problem}");
            ExitCode::FAILURE
        }
    }
}
