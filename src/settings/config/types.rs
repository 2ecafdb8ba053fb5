//! The config file as it is written.

use std::collections::BTreeMap;

use rereview_core::model::{Coverage, IdentityRule, Level, Tag};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::reviewers::Format;

/// `.github/rereview.yml`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Always 1.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// The marker word in hidden comments; `fprime` if nothing is said.
    #[serde(default)]
    pub marker: Option<String>,
    /// Accounts beside the token's own whose footers are believed: `name` or `name[bot]`.
    #[serde(default)]
    pub trusted_authors: Vec<String>,
    /// Whose resolve is a ruling, and who is called.
    #[serde(default)]
    pub maintainers: MaintainersConfig,
    /// Groups of classes that name the same issue, across agents.
    #[serde(default)]
    pub equivalent_classes: Vec<Vec<String>>,
    /// The voices on the pull request, in the order in which they run.
    #[serde(default)]
    pub agents: Vec<AgentConfig>,
    /// Settling a reviewer's feedback; not in this version.
    #[serde(default, deserialize_with = "super::some")]
    pub watch: Option<serde_json::Value>,
    /// The author's loop; not in this version.
    #[serde(default, deserialize_with = "super::some")]
    pub iterate: Option<serde_json::Value>,
}

/// Core maintainers (spec 40 §5).
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MaintainersConfig {
    /// Logins or `org/team`.
    #[serde(default)]
    pub users: Vec<String>,
    /// Further sources, in order; `codeowners` and `permission` if nothing is said.
    #[serde(default)]
    pub from: Option<Vec<MaintainerSource>>,
    /// Who is called when no source yields anybody.
    #[serde(default)]
    pub fallback: Vec<String>,
    /// Whether a maintainer may rule on their own pull request.
    #[serde(default)]
    pub author_may_adjudicate: bool,
}

/// Where maintainers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MaintainerSource {
    /// CODEOWNERS of the base commit.
    Codeowners,
    /// `maintain` or `admin` in the repository.
    Permission,
    /// A README table with a column "Core Maintainer(s)".
    Readme,
}

/// One agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AgentConfig {
    /// Part of every key: renaming an agent forgets its past.
    pub name: String,
    /// Shown before every comment as `[Label]`; the name if nothing is said.
    #[serde(default)]
    pub label: Option<String>,
    /// What it looks at, in words.
    #[serde(default)]
    pub scope: Option<String>,
    /// Whether its verdict enters the CI-safety row.
    #[serde(default)]
    pub ci_safety: bool,
    /// Where findings come from.
    pub reviewer: ReviewerConfig,
    /// What a clean report speaks for.
    #[serde(default)]
    pub coverage: Coverage,
    /// From a tool's level to a tag.
    #[serde(default)]
    pub tags: BTreeMap<Level, Tag>,
    /// From a class (a regular expression, whole) to a tag; the first that fits.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Tag>")]
    pub classes: Pairs,
    /// Whether findings in files that the pull request does not touch are told.
    #[serde(default)]
    pub latent: bool,
    /// How today's findings are matched with threads.
    #[serde(default)]
    pub identity: IdentityRule,
    /// Classes (regular expressions) that are findings about the whole file.
    #[serde(default)]
    pub whole_file: Vec<String>,
}

/// A mapping in the order in which it is written.
#[derive(Debug, Default)]
pub struct Pairs(pub Vec<(String, Tag)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = Pairs;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a mapping from class patterns to tags")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(String, Tag)> = Vec::new();
                while let Some((class, tag)) = map.next_entry::<String, Tag>()? {
                    if pairs.iter().any(|(known, _)| *known == class) {
                        return Err(serde::de::Error::custom(format!("`{class}` is given twice")));
                    }
                    pairs.push((class, tag));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Where an agent's findings come from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReviewerConfig {
    /// Files that earlier steps made: globs from the workspace.
    #[serde(default)]
    pub reports: Option<Vec<String>>,
    /// Their format, where the content does not tell.
    #[serde(default)]
    pub format: Option<Format>,
    /// No report means "did not run" instead of "failed".
    #[serde(default)]
    pub optional: bool,
    /// Only the results of this tool in the files.
    #[serde(default)]
    pub tool: Option<String>,
    /// A program; not in this version.
    #[serde(default, deserialize_with = "super::some")]
    pub command: Option<serde_json::Value>,
    /// A language model; not in this version.
    #[serde(default, deserialize_with = "super::some")]
    pub llm: Option<serde_json::Value>,
    /// A built-in reviewer; not in this version.
    #[serde(default, deserialize_with = "super::some")]
    pub builtin: Option<serde_json::Value>,
}
