//! An agent: a voice on the pull request with its severity policy.

use std::collections::BTreeMap;
use std::fmt;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LineSpan;
use crate::ids::{AgentName, FindingClass, Label};

/// How much a finding weighs (spec 10 §1), strictest first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum Tag {
    /// Blocks the merge.
    #[serde(rename = "must fix", alias = "must_fix")]
    MustFix,
    /// Comes with a concrete replacement.
    #[serde(rename = "suggestion")]
    Suggestion,
    /// Worth doing, no replacement at hand.
    #[serde(rename = "could fix", alias = "could_fix")]
    CouldFix,
    /// True, but not of this pull request.
    #[serde(rename = "future work", alias = "future_work")]
    FutureWork,
}

impl Tag {
    /// All of them, strictest first.
    pub const ALL: [Self; 4] = [Self::MustFix, Self::Suggestion, Self::CouldFix, Self::FutureWork];

    /// As it is shown: `must fix`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MustFix => "must fix",
            Self::Suggestion => "suggestion",
            Self::CouldFix => "could fix",
            Self::FutureWork => "future work",
        }
    }

    /// Reads the shown form or the JSON form (`must_fix`).
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|tag| text == tag.as_str() || text.replace('_', " ") == tag.as_str())
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// SARIF's level of a result.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A serious problem.
    Error,
    /// A problem; what a producer means that says nothing.
    Warning,
    /// Something minor.
    Note,
    /// Severity does not apply.
    None,
}

/// How a reviewer said how much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A tool's level: the agent's policy makes a tag of it.
    Level(Level),
    /// A tag outright (rereview's own findings JSON, models).
    Tag(Tag),
}

/// A class pattern of the config: a regular expression, anchored at both ends.
#[derive(Clone, Debug)]
pub struct ClassPattern(Regex);

impl ClassPattern {
    /// Compiles the pattern; the error names what is wrong with it.
    pub fn new(pattern: &str) -> Result<Self, regex::Error> {
        Regex::new(&format!("^(?:{pattern})$")).map(Self)
    }

    /// Whether the whole class fits.
    pub fn matches(&self, class: &FindingClass) -> bool {
        self.0.is_match(class.as_str())
    }
}

/// From level and class to tag (spec 40 §2 "Level to tag").
#[derive(Clone, Debug, Default)]
pub struct TagPolicy {
    /// The config's `tags`.
    pub by_level: BTreeMap<Level, Tag>,
    /// The config's `classes`, first match wins, over everything else.
    pub by_class: Vec<(ClassPattern, Tag)>,
}

/// Which files a clean report speaks for (spec 40 §2 "Coverage").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Coverage {
    /// Every file: absence means fixed.
    #[default]
    Full,
    /// The files of the pull request's diff.
    Changed,
}

/// Whether findings in files that the pull request does not touch are reported (spec 30).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Latent {
    /// Only where rule 2 (newly reached) holds.
    #[default]
    Hide,
    /// As future work.
    Report,
}

/// Whether the agent's verdict enters the CI-safety row (spec 50).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CiSafety {
    /// It has no say in it.
    #[default]
    NotJudged,
    /// Its verdict counts.
    Judged,
}

/// How today's findings are matched with threads (spec 20 §4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IdentityRule {
    /// The line first, then the key.
    #[default]
    Lines,
    /// The plain key alone, as the published skill does.
    Strict,
}

/// A voice on the pull request.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Part of every key.
    pub name: AgentName,
    /// Shown before every comment.
    pub label: Label,
    /// What it looks at, in words; for concurrence replies and the summary.
    pub scope: Option<String>,
    /// See [`CiSafety`].
    pub ci_safety: CiSafety,
    /// See [`TagPolicy`].
    pub tags: TagPolicy,
    /// See [`Coverage`].
    pub coverage: Coverage,
    /// See [`Latent`].
    pub latent: Latent,
    /// See [`IdentityRule`].
    pub identity: IdentityRule,
    /// Classes that are findings about the file, wherever the tool puts them.
    pub whole_file: Vec<ClassPattern>,
}

impl Agent {
    /// The agent of a tool that no config names (spec 40 §3 "Zero config").
    pub fn plain(name: AgentName, label: Label) -> Self {
        Self {
            name,
            label,
            scope: None,
            ci_safety: CiSafety::default(),
            tags: TagPolicy::default(),
            coverage: Coverage::default(),
            latent: Latent::default(),
            identity: IdentityRule::default(),
            whole_file: Vec::new(),
        }
    }

    /// The lines a finding of this class is about: none for a whole-file class.
    pub fn lines_of(&self, class: &FindingClass, lines: Option<LineSpan>) -> Option<LineSpan> {
        if self.whole_file.iter().any(|pattern| pattern.matches(class)) { None } else { lines }
    }
}
