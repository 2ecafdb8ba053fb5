//! From what a reviewer says about severity to a tag (spec 40 §2 "Level to tag").

use crate::ids::FindingClass;
use crate::model::{Level, Severity, Tag, TagPolicy};

/// Whether a finding brings a replacement that a suggestion block can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It does.
    Concrete,
    /// It does not.
    Missing,
}

impl Replacement {
    /// Of a finding's suggestion.
    pub fn of(suggestion: Option<&str>) -> Self {
        if suggestion.is_some() { Self::Concrete } else { Self::Missing }
    }
}

/// The tag of a finding: the first class pattern that fits, else the tag that the reviewer gave
/// outright, else the config's tag of its level, else the default of its level. What comes out
/// as a suggestion without a replacement is a could fix (spec 10 §5).
pub fn tag(
    policy: &TagPolicy,
    severity: Severity,
    class: &FindingClass,
    replacement: Replacement,
) -> Tag {
    let by_class = policy.by_class.iter().find(|(pattern, _)| pattern.matches(class));
    let tag = match (by_class, severity) {
        (Some((_, tag)), _) => *tag,
        (None, Severity::Tag(tag)) => tag,
        (None, Severity::Level(level)) => {
            policy.by_level.get(&level).copied().unwrap_or_else(|| default_tag(level))
        }
    };
    match (tag, replacement) {
        (Tag::Suggestion, Replacement::Missing) => Tag::CouldFix,
        (tag, Replacement::Missing | Replacement::Concrete) => tag,
    }
}

fn default_tag(level: Level) -> Tag {
    match level {
        Level::Error => Tag::MustFix,
        Level::Warning => Tag::Suggestion,
        Level::Note | Level::None => Tag::CouldFix,
    }
}

#[cfg(test)]
mod tests;
