//! From a reviewer's severity to a tag (spec 40 §2 "Level to tag").

use crate::ids::FindingClass;
use crate::model::{Level, Severity, Tag, TagPolicy};

/// Whether a finding comes with a concrete replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// It does.
    Concrete,
    /// It does not.
    None,
}

impl Fix {
    /// Of a finding's suggestion.
    pub fn of(suggestion: Option<&str>) -> Self {
        if suggestion.is_some() { Self::Concrete } else { Self::None }
    }
}

/// The config's `classes`, then its `tags`, then: error must fix; warning suggestion with a
/// concrete fix, else could fix; note and none could fix. Without a concrete fix a suggestion is
/// a could fix (spec 10 §5).
pub fn tag(policy: &TagPolicy, severity: Severity, class: &FindingClass, fix: Fix) -> Tag {
    let by_class = policy.by_class.iter().find(|(pattern, _)| pattern.matches(class));
    let tag = match (by_class, severity) {
        (Some((_, tag)), _) => *tag,
        (None, Severity::Tag(tag)) => tag,
        (None, Severity::Level(level)) => {
            policy.by_level.get(&level).copied().unwrap_or(match level {
                Level::Error => Tag::MustFix,
                Level::Warning => Tag::Suggestion,
                Level::Note | Level::None => Tag::CouldFix,
            })
        }
    };
    match (tag, fix) {
        (Tag::Suggestion, Fix::None) => Tag::CouldFix,
        (Tag::MustFix | Tag::Suggestion | Tag::CouldFix | Tag::FutureWork, _) => tag,
    }
}

#[cfg(test)]
mod tests;
