//! Files that are made from the code: the schemas and the table of inputs; and the check that
//! `action.yml`, the flags and the README speak of the same inputs.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use rereview::settings::cli::Cli;
use rereview::settings::inputs::{INPUTS, Use};

/// Whether files are written or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Written.
    Write,
    /// Compared.
    Check,
}

/// Makes, or checks, every generated file.
pub(crate) fn generate(mode: Mode) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let inputs = inputs_of_the_action(&root)?;
    let files = [
        ("docs/schema/rereview.schema.json", pretty(&rereview::settings::config::schema())?),
        (
            "docs/schema/findings.schema.json",
            pretty(&rereview::reviewers::native::schema().to_value())?,
        ),
        ("docs/inputs.md", table(&inputs)),
    ];
    let mut stale: Vec<PathBuf> = Vec::new();
    for (path, content) in files {
        let file = root.join(path);
        if std::fs::read_to_string(&file).is_ok_and(|standing| standing == content) {
            continue;
        }
        match mode {
            Mode::Check => stale.push(path.into()),
            Mode::Write => std::fs::write(&file, content).map_err(|e| format!("{path}: {e}"))?,
        }
    }
    if stale.is_empty() {
        Ok("generated files are current; action.yml, flags and inputs agree".to_owned())
    } else {
        Err(format!("not current: {stale:?}; run `cargo xtask generate`"))
    }
}

fn pretty(value: &serde_json::Value) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|e| e.to_string())
}

struct Input {
    name: String,
    description: String,
    default: String,
}

/// The inputs of `action.yml`, checked against the list in the code and the flags.
fn inputs_of_the_action(root: &Path) -> Result<Vec<Input>, String> {
    let text = std::fs::read_to_string(root.join("action.yml")).map_err(|e| e.to_string())?;
    let action: serde_yaml::Value = serde_yaml::from_str(&text).map_err(|e| e.to_string())?;
    let declared = action.get("inputs").and_then(serde_yaml::Value::as_mapping);
    let mut inputs = Vec::new();
    for (name, input) in declared.into_iter().flatten() {
        let text = |field: &str| {
            let value = input.get(field).and_then(serde_yaml::Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        inputs.push(Input {
            name: name.as_str().unwrap_or_default().to_owned(),
            description: text("description"),
            default: text("default"),
        });
    }
    let declared: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let known: Vec<&str> = INPUTS.iter().map(|(name, _)| *name).collect();
    if declared != known {
        return Err(format!("action.yml declares {declared:?}, the code knows {known:?}"));
    }
    let command = Cli::command();
    let review = command.find_subcommand("review").ok_or("there is no `review`")?;
    for (name, used) in INPUTS {
        let flag = review.get_arguments().any(|argument| argument.get_long() == Some(name));
        if flag != (used == Use::Flag) {
            return Err(format!("input `{name}` and the flags of `review` disagree"));
        }
    }
    Ok(inputs)
}

fn table(inputs: &[Input]) -> String {
    let mut out = String::from(
        "# Inputs\n\nMade from `action.yml` by `cargo xtask generate`. All are optional; on the \
         command line\nthey are flags of `rereview review` with the same names.\n\n\
         | input | default | what |\n|---|---|---|\n",
    );
    for input in inputs {
        let default =
            if input.default.is_empty() { String::new() } else { format!("`{}`", input.default) };
        out.push_str(&format!("| `{}` | {default} | {} |\n", input.name, input.description));
    }
    out
}
