//! The action's inputs as flags: a pure function of the environment.
//!
//! The runner sets `INPUT_NAME` (upper case, blanks as `_`, hyphens kept) for every declared
//! input, to the empty text without a default: only what is not blank is given on.

use std::collections::BTreeMap;

/// Every input of `action.yml`, and whether this version does something with it.
pub const INPUTS: [(&str, Use); 22] = [
    ("mode", Use::Mode),
    ("token", Use::Flag),
    ("config", Use::Flag),
    ("config-from", Use::Flag),
    ("pull-request", Use::Flag),
    ("reports", Use::Flag),
    ("reports-commit", Use::Flag),
    ("agents", Use::Flag),
    ("gate", Use::Flag),
    ("fail-on", Use::Flag),
    ("dry-run", Use::Flag),
    ("max-new-comments", Use::Flag),
    ("llm-api-key", Use::Later),
    ("llm-base-url", Use::Later),
    ("confirm-head", Use::Later),
    ("confirm-auto-merge", Use::Later),
    ("cycles", Use::Later),
    ("interval", Use::Later),
    ("wait", Use::Later),
    ("comment", Use::Later),
    ("phase", Use::Later),
    ("log", Use::Flag),
];

/// What an input is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The subcommand.
    Mode,
    /// A flag of `review`.
    Flag,
    /// Of a mode that this version does not have.
    Later,
}

/// Modes of the product that this version does not have.
pub const LATER_MODES: [&str; 8] =
    ["plan", "scope", "watch", "unwatch", "iterate", "iterate-stop", "defer", "doctor"];

/// Whether the process was started as an action: the runner set inputs.
pub fn is_action(environment: &BTreeMap<String, String>) -> bool {
    environment.keys().any(|name| name.starts_with("INPUT_"))
}

/// The command line that the inputs come to; lists may be one per line or with commas.
///
/// # Errors
/// One sentence: an input that belongs to a mode of a later version.
pub fn arguments(environment: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let mut mode = "review".to_owned();
    let mut flags = Vec::new();
    for (name, used) in INPUTS {
        let variable = format!("INPUT_{}", name.to_uppercase());
        let Some(value) = environment.get(&variable).map(|value| value.trim()) else { continue };
        if value.is_empty() {
            continue;
        }
        match used {
            Use::Mode => mode = value.to_ascii_lowercase(),
            Use::Flag if name == "agents" => {
                let names = value.split(['\n', ',']).map(str::trim).filter(|name| !name.is_empty());
                flags.extend(names.map(|agent| format!("--agents={agent}")));
            }
            Use::Flag => flags.push(format!("--{name}={value}")),
            Use::Later => {
                return Err(format!(
                    "input `{name}` belongs to a mode that this version does not have"
                ));
            }
        }
    }
    if LATER_MODES.contains(&mode.as_str()) {
        return Err(format!(
            "input `mode`: `{mode}` is not in this version yet; allowed is `review`"
        ));
    }
    if mode != "review" {
        return Err(format!("input `mode`: `{mode}` is unknown; allowed is `review`"));
    }
    let mut arguments = vec!["rereview".to_owned(), mode];
    arguments.extend(flags);
    Ok(arguments)
}
