//! From the config as it is written to what it means; every name is checked.

use std::collections::BTreeSet;

use rereview_core::decide::Equivalence;
use rereview_core::footer::Marker;
use rereview_core::ids::{Account, AgentName, FindingClass, Label, Mention};
use rereview_core::maintainers::{AuthorRules, Maintainers, Origin};
use rereview_core::model::{Agent, CiSafety, ClassPattern, Latent, TagPolicy};

use super::types::{AgentConfig, Config, MaintainerSource, MaintainersConfig};
use crate::reviewers::Format;

/// Where an agent's findings come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// Globs from the workspace; none: the input `reports`.
    pub reports: Vec<String>,
    /// Their format, where the content does not tell.
    pub format: Option<Format>,
    /// No report means "did not run".
    pub optional: bool,
    /// Only this tool's results.
    pub tool: Option<String>,
}

/// An agent and its reviewer.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// The voice.
    pub agent: Agent,
    /// See [`Source`].
    pub source: Source,
}

/// What a config comes to.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// How footers are spelled.
    pub marker: Marker,
    /// Whose footers are believed beside our own.
    pub trusted: Vec<Account>,
    /// All but what lies in the repository.
    pub maintainers: Maintainers,
    /// See [`Equivalence`].
    pub equivalence: Equivalence,
    /// In order; empty: one for each tool in the reports.
    pub agents: Vec<AgentSpec>,
}

type Problem = (String, String);

/// Checks and builds; the error is the path in the document and what is wrong there.
pub(super) fn build(config: &Config) -> Result<Built, Problem> {
    if config.version != 1 {
        return Err(("version".to_owned(), format!("{} is unknown; allowed is 1", config.version)));
    }
    let marker = match &config.marker {
        Some(name) => Marker::new(name).map_err(|e| ("marker".to_owned(), e.to_string()))?,
        None => Marker::default(),
    };
    let mut agents = Vec::new();
    let mut names: BTreeSet<AgentName> = BTreeSet::new();
    for (at, written) in config.agents.iter().enumerate() {
        let spec = agent(written, &format!("agents[{at}]"))?;
        if !names.insert(spec.agent.name.clone()) {
            let message = format!("the name `{}` is given twice", written.name);
            return Err((format!("agents[{at}].name"), message));
        }
        agents.push(spec);
    }
    Ok(Built {
        marker,
        trusted: config.trusted_authors.iter().map(|login| Account::from_login(login)).collect(),
        maintainers: maintainers(&config.maintainers)?,
        equivalence: Equivalence(
            config
                .equivalent_classes
                .iter()
                .map(|group| group.iter().map(|class| FindingClass::from_rule(class)).collect())
                .collect(),
        ),
        agents,
    })
}

fn maintainers(written: &MaintainersConfig) -> Result<Maintainers, Problem> {
    let names = |field: &str, list: &[String]| -> Result<Vec<Mention>, Problem> {
        list.iter()
            .map(|name| {
                Mention::new(name).map_err(|e| (format!("maintainers.{field}"), e.to_string()))
            })
            .collect()
    };
    let default = [MaintainerSource::Codeowners, MaintainerSource::Permission];
    let from = written.from.as_deref().unwrap_or(&default);
    Ok(Maintainers {
        users: names("users", &written.users)?,
        from: from
            .iter()
            .map(|source| match source {
                MaintainerSource::Codeowners => Origin::CodeOwners,
                MaintainerSource::Permission => Origin::Permission,
                MaintainerSource::Readme => Origin::Readme,
            })
            .collect(),
        fallback: names("fallback", &written.fallback)?,
        author_rules: if written.author_may_adjudicate {
            AuthorRules::Allowed
        } else {
            AuthorRules::Never
        },
        ..Maintainers::default()
    })
}

fn agent(written: &AgentConfig, path: &str) -> Result<AgentSpec, Problem> {
    let at = |field: &str| format!("{path}.{field}");
    let name = AgentName::new(&written.name).map_err(|e| (at("name"), e.to_string()))?;
    let label = Label::new(written.label.as_deref().unwrap_or(&written.name))
        .map_err(|e| (at("label"), e.to_string()))?;
    let pattern = |field: &str, text: &str| {
        ClassPattern::new(text).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().last().unwrap_or_default().to_owned();
            (at(field), format!("`{text}` is not a regular expression: {reason}"))
        })
    };
    let mut by_class = Vec::new();
    for (class, tag) in &written.classes.0 {
        by_class.push((pattern("classes", class)?, *tag));
    }
    let whole_file: Result<Vec<ClassPattern>, Problem> =
        written.whole_file.iter().map(|text| pattern("whole-file", text)).collect();
    let agent = Agent {
        scope: written.scope.clone(),
        ci_safety: if written.ci_safety { CiSafety::Judged } else { CiSafety::NotJudged },
        tags: TagPolicy { by_level: written.tags.clone(), by_class },
        coverage: written.coverage,
        latent: if written.latent { Latent::Report } else { Latent::Hide },
        identity: written.identity,
        whole_file: whole_file?,
        ..Agent::plain(name, label)
    };
    let reviewer = &written.reviewer;
    let later =
        [("command", &reviewer.command), ("llm", &reviewer.llm), ("builtin", &reviewer.builtin)];
    if let Some((kind, _)) = later.iter().find(|(_, value)| value.is_some()) {
        let message = format!("reviewer `{kind}` is not in this version yet; allowed is `reports`");
        return Err((at(&format!("reviewer.{kind}")), message));
    }
    let reports = reviewer
        .reports
        .clone()
        .ok_or_else(|| (at("reviewer"), "it names no reviewer; allowed is `reports`".to_owned()))?;
    let source = Source {
        reports,
        format: reviewer.format,
        optional: reviewer.optional,
        tool: reviewer.tool.clone(),
    };
    Ok(AgentSpec { agent, source })
}
