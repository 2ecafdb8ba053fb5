//! The binary as the Actions runner starts it, against a strict stand-in for GitHub: cleared
//! environment, every input set, an event file, a workspace of another user.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rereview::settings::inputs::INPUTS;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Plays a first run, an unchanged one, a push, and what must not change anything.
pub(crate) fn run(sim: &str, binary: &str) -> Result<String, String> {
    let stage = Stage::new(Path::new(sim), Path::new(binary))?;
    let mut said = Vec::new();
    for (name, act) in STEPS {
        let line = act(&stage).map_err(|problem| format!("{name}: {problem}"))?;
        said.push(format!("ok  {name}: {line}"));
    }
    stage.no_violations()?;
    said.push("ok  the simulator saw no contract violation".to_owned());
    let count = STEPS.len() + 1;
    said.push(format!("{count} passed, 0 failed"));
    Ok(said.join("\n"))
}

type Step = fn(&Stage) -> Result<String, String>;

const STEPS: [(&str, Step); 6] = [
    ("first run", first),
    ("unchanged second run", second),
    ("push that fixes and adds", push),
    ("token that may not write", read_only),
    ("wrong inputs", wrong_inputs),
    ("broken report", broken_report),
];

fn first(stage: &Stage) -> Result<String, String> {
    stage.clear_log()?;
    let ran = stage.run("feature-1", &FIRST, &[])?;
    expect("exit code", &ran.code, &1)?;
    let log = stage.log()?;
    let posts = of(&log, "POST", "/pulls/1/reviews");
    // The agent's review carries metadata and comments; the second is the summary.
    expect("reviews posted", &posts.len(), &2)?;
    let body = &posts[0]["body"];
    expect("commit", &body["commit_id"].as_str(), &Some(stage.sha("feature-1")?.as_str()))?;
    expect("comments", &body["comments"].as_array().map(Vec::len), &Some(3))?;
    let metadata = body["body"].as_str().unwrap_or_default();
    expect("metadata", &metadata.contains("fprime-agent: lint v1"), &true)?;
    let text = serde_json::to_string(&log).unwrap_or_default();
    expect("a mention", &text.contains("@alice"), &false)?;
    expect("outputs", &ran.outputs.contains("No-Go"), &true)?;
    expect("step summary", &ran.summary.contains("**No-Go**"), &true)?;
    Ok(format!("{} requests, 3 comments in one review, a summary", log.len()))
}

fn second(stage: &Stage) -> Result<String, String> {
    stage.clear_log()?;
    stage.run("feature-1", &FIRST, &[])?;
    let log = stage.log()?;
    let methods: Vec<&str> = log.iter().filter_map(|entry| entry["method"].as_str()).collect();
    expect("requests", &methods, &vec!["POST", "PUT"])?;
    Ok("2 requests, the second a PUT".to_owned())
}

fn push(stage: &Stage) -> Result<String, String> {
    stage.act(&json!({ "do": "push", "sha": "feature-2", "as": "alice" }))?;
    stage.clear_log()?;
    stage.run("feature-2", &SECOND, &[])?;
    let log = stage.log()?;
    let roots: Vec<String> = log
        .iter()
        .flat_map(|entry| entry["graphql"]["rootFields"].as_array().cloned().unwrap_or_default())
        .filter_map(|field| field.as_str().map(str::to_owned))
        .collect();
    let count = |name: &str| roots.iter().filter(|root| *root == name).count();
    expect("replies", &count("addPullRequestReviewThreadReply"), &1)?;
    expect("resolves", &count("resolveReviewThread"), &1)?;
    let posts = of(&log, "POST", "/pulls/1/reviews");
    expect("reviews", &posts.len(), &1)?;
    expect("body", &posts[0]["body"]["body"].as_str(), &Some(""))?;
    expect("new comments", &posts[0]["body"]["comments"].as_array().map(Vec::len), &Some(1))?;
    let puts = of(&log, "PUT", "/pulls/1/reviews/");
    // The metadata, and the summary because something happened.
    expect("PUTs", &puts.len(), &2)?;
    Ok("one reply, one resolve, one review without body, the metadata and the summary".to_owned())
}

fn read_only(stage: &Stage) -> Result<String, String> {
    let before = stage.state()?;
    let ran = stage.run("feature-2", &SECOND, &[("INPUT_TOKEN", "ghs_fork")])?;
    expect("exit code", &ran.code, &1)?;
    expect("permission", &ran.log.contains("pull-requests: write"), &true)?;
    expect("state", &(stage.state()? == before), &true)?;
    Ok("says which permission it lacks, and nothing changed".to_owned())
}

fn wrong_inputs(stage: &Stage) -> Result<String, String> {
    let before = stage.state()?;
    for (name, value, part) in [
        ("INPUT_GATE", "chcek", "possible values: check, none"),
        ("INPUT_DRY-RUN", "maybe", "`true` or `false`"),
        ("INPUT_MAX-NEW-COMMENTS", "many", "whole number"),
        ("INPUT_MODE", "watch", "not in this version"),
        ("INPUT_PULL-REQUEST", "seven", "neither a number"),
        ("GITHUB_EVENT_NAME", "push", "allowed are"),
    ] {
        let ran = stage.run("feature-2", &SECOND, &[(name, value)])?;
        expect(&format!("exit code for {name}={value}"), &ran.code, &2)?;
        expect(&format!("words for {name}"), &ran.log.contains(part), &true)?;
    }
    let ran = stage.run("feature-2", &SECOND, &[("GITHUB_REPOSITORY", "octo-org/none")])?;
    expect("exit code for a repository that is not there", &ran.code, &3)?;
    expect("its words", &ran.log.contains("token cannot see it"), &true)?;
    expect("state", &(stage.state()? == before), &true)?;
    Ok("exit 2 (or 3) with what is allowed, and nothing changed".to_owned())
}

fn broken_report(stage: &Stage) -> Result<String, String> {
    let threads = stage.state()?["threads"].clone();
    let ran = stage.run_with_report("feature-2", "{\"runs\": [", &[])?;
    expect("exit code", &ran.code, &1)?;
    expect("words", &ran.log.contains("FAILED: report.json:"), &true)?;
    expect("threads", &(stage.state()?["threads"] == threads), &true)?;
    Ok("the agent failed, no thread was touched".to_owned())
}

type Item = (&'static str, u32, &'static str, &'static str, &'static str);

/// Path, line, class, level, title.
const FIRST: [Item; 3] = [
    ("cpp/sum.cpp", 13, "leak", "error", "`new` without an owner leaks"),
    ("Cargo.toml", 8, "wildcard", "note", "`*` takes any version, says @alice <!-- x -->"),
    ("README.md", 3, "prose", "warning", "Say what it is"),
];
const SECOND: [Item; 3] = [
    ("Cargo.toml", 8, "wildcard", "note", "`*` takes any version, says @alice <!-- x -->"),
    ("README.md", 3, "prose", "warning", "Say what it is"),
    ("src/lib.rs", 30, "saturate", "error", "It should saturate"),
];

struct Ran {
    code: i32,
    log: String,
    outputs: String,
    summary: String,
}

struct Stage {
    folder: TempDir,
    binary: PathBuf,
    address: String,
    repository: PathBuf,
    simulator: Child,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The simulator has nothing to save.
        let _ = self.simulator.kill();
        let _ = self.simulator.wait();
    }
}

impl Stage {
    fn new(sim: &Path, binary: &Path) -> Result<Self, String> {
        let mut simulator = Command::new("node")
            .args(["sim.mjs", "0", "--scenario", "scenarios/basic.json"])
            .current_dir(sim)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("the simulator does not start: {e}"))?;
        let stdout = simulator.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(|e| e.to_string())?;
        let address = line.trim().strip_prefix("listening ").ok_or("the simulator is mute")?;
        Ok(Self {
            folder: TempDir::new().map_err(|e| e.to_string())?,
            binary: fs::canonicalize(binary).map_err(|e| format!("{}: {e}", binary.display()))?,
            address: address.to_owned(),
            repository: sim.join(".tmp/basic-repo"),
            simulator,
        })
    }

    fn sha(&self, revision: &str) -> Result<String, String> {
        git(&self.repository, &["rev-parse", revision])
    }

    fn run(&self, revision: &str, items: &[Item], extra: &[(&str, &str)]) -> Result<Ran, String> {
        let findings: Vec<Value> = items
            .iter()
            .map(|(path, line, class, level, title)| {
                json!({ "path": path, "line": line, "class": class, "level": level, "title": title })
            })
            .collect();
        let report = json!({ "tool": "lint", "findings": findings }).to_string();
        self.run_with_report(revision, &report, extra)
    }

    fn run_with_report(
        &self,
        revision: &str,
        report: &str,
        extra: &[(&str, &str)],
    ) -> Result<Ran, String> {
        let root = TempDir::new_in(self.folder.path()).map_err(|e| e.to_string())?.keep();
        let workspace = root.join("workspace");
        let files = root.join("files");
        fs::create_dir(&files).map_err(|e| e.to_string())?;
        let source = self.repository.display().to_string();
        let target = workspace.display().to_string();
        git(&root, &["clone", "--quiet", &source, &target])?;
        git(&workspace, &["checkout", "--quiet", revision])?;
        fs::write(workspace.join("report.json"), report).map_err(|e| e.to_string())?;
        // As on a hosted runner; elsewhere than as root it stays ours.
        let _ = Command::new("chown").args(["-R", "1001:1001", &target]).status();
        let head = self.sha(revision)?;
        let event = json!({ "pull_request": {
            "number": 1, "state": "open", "head": { "sha": head } } });
        let event_path = root.join("event.json");
        fs::write(&event_path, event.to_string()).map_err(|e| e.to_string())?;
        let mut environment: BTreeMap<String, String> = INPUTS
            .iter()
            .map(|(name, _)| (format!("INPUT_{}", name.to_uppercase()), String::new()))
            .collect();
        let mut set = |name: &str, value: String| environment.insert(name.to_owned(), value);
        set("INPUT_TOKEN", "ghs_full".to_owned());
        set("INPUT_REPORTS", " report.json\n".to_owned());
        set("GITHUB_EVENT_NAME", "pull_request".to_owned());
        set("GITHUB_EVENT_PATH", event_path.display().to_string());
        set("GITHUB_REPOSITORY", "octo-org/demo".to_owned());
        set("GITHUB_API_URL", self.address.clone());
        set("GITHUB_GRAPHQL_URL", format!("{}/graphql", self.address));
        set("GITHUB_SERVER_URL", self.address.clone());
        set("GITHUB_WORKSPACE", target);
        set("GITHUB_OUTPUT", files.join("output").display().to_string());
        set("GITHUB_STEP_SUMMARY", files.join("summary").display().to_string());
        for (name, value) in extra {
            set(name, (*value).to_owned());
        }
        let output = Command::new(&self.binary)
            .env_clear()
            .envs(&environment)
            .output()
            .map_err(|e| format!("{}: {e}", self.binary.display()))?;
        let read = |name: &str| fs::read_to_string(files.join(name)).unwrap_or_default();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let all = format!("{log}{}", String::from_utf8_lossy(&output.stdout));
        let unmasked = all.replace("::add-mask::ghs_full", "").replace("::add-mask::ghs_fork", "");
        if unmasked.contains("ghs_") {
            return Err(format!("the token is shown: {unmasked}"));
        }
        Ok(Ran {
            code: output.status.code().unwrap_or(-1),
            log: all,
            outputs: read("output"),
            summary: read("summary"),
        })
    }

    fn get(&self, path: &str) -> Result<Value, String> {
        let mut answer =
            ureq::get(format!("{}{path}", self.address)).call().map_err(|e| e.to_string())?;
        let text = answer.body_mut().read_to_string().map_err(|e| e.to_string())?;
        serde_json::from_str(&text).map_err(|e| e.to_string())
    }

    fn act(&self, act: &Value) -> Result<(), String> {
        let address = format!("{}/_sim/act", self.address);
        ureq::post(address).send(act.to_string()).map(drop).map_err(|e| e.to_string())
    }

    fn log(&self) -> Result<Vec<Value>, String> {
        Ok(self.get("/_sim/log")?.as_array().cloned().unwrap_or_default())
    }

    fn clear_log(&self) -> Result<(), String> {
        let address = format!("{}/_sim/log", self.address);
        ureq::delete(address).call().map(drop).map_err(|e| e.to_string())
    }

    fn state(&self) -> Result<Value, String> {
        let mut state = self.get("/_sim/state")?;
        // The clock moves with every refused write as well.
        if let Some(state) = state.as_object_mut() {
            state.remove("now");
        }
        Ok(state)
    }

    fn no_violations(&self) -> Result<(), String> {
        let summary = self.get("/_sim/summary")?;
        for name in ["contractViolations", "unimplemented", "internal", "responseViolations"] {
            let found = summary[name].as_array().cloned().unwrap_or_default();
            expect(name, &found, &Vec::new())?;
        }
        Ok(())
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(["-c", "safe.directory=*"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn of<'a>(log: &'a [Value], method: &str, path: &str) -> Vec<&'a Value> {
    log.iter()
        .filter(|entry| {
            entry["method"].as_str() == Some(method)
                && entry["path"].as_str().is_some_and(|there| there.contains(path))
        })
        .collect()
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: found {found:?}, wanted {wanted:?}"))
    }
}
