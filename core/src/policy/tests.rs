use super::Replacement::{Concrete, Missing};
use super::*;
use crate::model::ClassPattern;

fn policy(levels: &[(Level, Tag)], classes: &[(&str, Tag)]) -> TagPolicy {
    TagPolicy {
        by_level: levels.iter().copied().collect(),
        by_class: classes
            .iter()
            .map(|(pattern, tag)| (ClassPattern::new(pattern).unwrap(), *tag))
            .collect(),
    }
}

fn check(policy: &TagPolicy, severity: Severity, replacement: Replacement, expected: Tag) {
    let class = FindingClass::from_rule("security/eval");
    assert_eq!(
        tag(policy, severity, &class, replacement),
        expected,
        "{severity:?}, {replacement:?}"
    );
}

#[test]
fn without_a_config_the_level_decides() {
    let none = TagPolicy::default();
    for (level, replacement, expected) in [
        (Level::Error, Missing, Tag::MustFix),
        (Level::Error, Concrete, Tag::MustFix),
        (Level::Warning, Concrete, Tag::Suggestion),
        (Level::Warning, Missing, Tag::CouldFix),
        (Level::Note, Concrete, Tag::CouldFix),
        (Level::Note, Missing, Tag::CouldFix),
        (Level::None, Concrete, Tag::CouldFix),
        (Level::None, Missing, Tag::CouldFix),
    ] {
        check(&none, Severity::Level(level), replacement, expected);
    }
}

#[test]
fn the_config_has_the_last_word() {
    let warning = Severity::Level(Level::Warning);
    let levels = policy(&[(Level::Warning, Tag::FutureWork)], &[]);
    check(&levels, warning, Concrete, Tag::FutureWork);
    check(&levels, Severity::Level(Level::Error), Missing, Tag::MustFix);

    let classes = policy(
        &[(Level::Warning, Tag::FutureWork)],
        &[("security", Tag::FutureWork), ("security/.*", Tag::MustFix), (".*", Tag::CouldFix)],
    );
    check(&classes, warning, Missing, Tag::MustFix);
    check(&classes, Severity::Tag(Tag::CouldFix), Missing, Tag::MustFix);
}

#[test]
fn a_suggestion_needs_something_to_suggest() {
    let outright = Severity::Tag(Tag::Suggestion);
    check(&TagPolicy::default(), outright, Concrete, Tag::Suggestion);
    check(&TagPolicy::default(), outright, Missing, Tag::CouldFix);
    let by_class = policy(&[], &[("security/eval", Tag::Suggestion)]);
    check(&by_class, Severity::Level(Level::Error), Missing, Tag::CouldFix);
}
