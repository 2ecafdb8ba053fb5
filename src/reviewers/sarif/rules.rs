//! Which rule a result is of, and how much that weighs.

use rereview_core::model::{Confidence, Level};
use serde_json::Value;

use super::document::{
    Component, Invocation, Properties, Rule, RuleReference, Run, SarifResult, Tool,
};

/// A rule and the part of the tool that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) component: &'a Component,
    pub(super) rule: Option<&'a Rule>,
}

/// Looks a result's rule up: by index in the component that the result names, if what stands
/// there has the result's id; else by guid or id, there and in all other components.
pub(super) fn find<'a>(tool: &'a Tool, result: &SarifResult) -> Found<'a> {
    let reference = RuleReference {
        id: result.rule_id.clone().or_else(|| result.rule.id.clone()),
        index: at_least_zero(result.rule_index).or(result.rule.index),
        guid: result.rule.guid.clone(),
        tool_component: result.rule.tool_component.clone(),
    };
    let named = component(tool, &reference);
    let id = reference.id.as_deref();
    let by_index =
        get(&named.rules, reference.index).filter(|rule| id.is_none_or(|id| is_of(id, &rule.id)));
    if by_index.is_some() {
        return Found { component: named, rule: by_index };
    }
    let everywhere = || {
        std::iter::once(named)
            .chain(std::iter::once(&tool.driver))
            .chain(&tool.extensions)
            .flat_map(|component| {
                component.rules.iter().map(move |rule| Found { component, rule: Some(rule) })
            })
    };
    let by = |fits: &dyn Fn(&Rule) -> bool| everywhere().find(|found| found.rule.is_some_and(fits));
    by(&|rule| reference.guid.is_some() && rule.guid == reference.guid)
        .or_else(|| by(&|rule| id == Some(rule.id.as_str())))
        .or_else(|| by(&|rule| id.is_some_and(|id| is_of(id, &rule.id))))
        .unwrap_or(Found { component: named, rule: None })
}

/// Whether a result's id is the rule's, or one below it: `CA2101/sub` is of `CA2101`.
fn is_of(result: &str, rule: &str) -> bool {
    match result.strip_prefix(rule) {
        Some(rest) => rest.is_empty() || (!rule.is_empty() && rest.starts_with('/')),
        None => false,
    }
}

fn component<'a>(tool: &'a Tool, reference: &RuleReference) -> &'a Component {
    let Some(wanted) = &reference.tool_component else { return &tool.driver };
    get(&tool.extensions, wanted.index)
        .or_else(|| {
            tool.extensions.iter().find(|extension| {
                (wanted.guid.is_some() && extension.guid == wanted.guid)
                    || wanted.name.as_deref() == Some(extension.name.as_str())
            })
        })
        .unwrap_or(&tool.driver)
}

/// SARIF writes -1 for "no index".
pub(super) fn at_least_zero(index: Option<i64>) -> Option<i64> {
    index.filter(|index| *index >= 0)
}

pub(super) fn get<T>(items: &[T], index: Option<i64>) -> Option<&T> {
    usize::try_from(index?).ok().and_then(|index| items.get(index))
}

/// How a result weighs: its own level, else what the invocation set for its rule, else the rule's
/// default, else `warning`. A result that is no failure (`open`, `review`) has no level by the
/// standard, whatever it says.
///
/// `security-severity` (0 to 10, as GitHub reads it) only raises: 7 and above is an error, 4 and
/// above at least a warning. It raises no result of level `none`.
pub(super) fn level(run: &Run, result: &SarifResult, found: Found<'_>) -> Level {
    if result.kind.as_deref().is_some_and(|kind| kind != "fail") {
        return Level::None;
    }
    let by_rule = || found.rule.and_then(|rule| rule.default_configuration.level.as_deref());
    let said = match result.level.as_deref() {
        Some(level) => Some(level),
        None => overridden(run, result, found).or_else(by_rule),
    };
    let level = match said.map(str::to_ascii_lowercase).as_deref() {
        Some("none") => return Level::None,
        Some("error") => Level::Error,
        Some("note" | "info") => Level::Note,
        // A word that SARIF does not have says as little as none.
        Some(_) | None => Level::Warning,
    };
    let rule = found.rule.map(|rule| &rule.properties);
    let security = |properties: &Properties| number(&properties.security_severity);
    match security(&result.properties).or_else(|| rule.and_then(security)) {
        Some(score) if score >= 7.0 => Level::Error,
        // Stricter levels come first.
        Some(score) if score >= 4.0 => level.min(Level::Warning),
        Some(_) | None => level,
    }
}

/// The level that the result's invocation (the only one, if it does not say which) gave its rule.
fn overridden<'a>(run: &'a Run, result: &SarifResult, found: Found<'_>) -> Option<&'a str> {
    let invocation: &Invocation = match run.invocations.as_slice() {
        [only] => only,
        several => get(several, result.provenance.invocation_index)?,
    };
    let rule = found.rule?;
    let about = |reference: &RuleReference| {
        let component = component(&run.tool, reference);
        let same_place = std::ptr::eq(component, found.component);
        let by_index = get(&component.rules, reference.index);
        match (&reference.id, by_index) {
            (Some(id), _) => *id == rule.id,
            (None, Some(named)) => same_place && named.id == rule.id,
            (None, None) => reference.guid.is_some() && reference.guid == rule.guid,
        }
    };
    let fits = |at: &&super::document::Override| about(&at.descriptor);
    invocation.rule_configuration_overrides.iter().find(fits)?.configuration.level.as_deref()
}

/// Low: the rule's `precision` is, or the result's rank is under 25 of 100.
pub(super) fn confidence(result: &SarifResult, rule: Option<&Rule>) -> Confidence {
    let precise = |properties: &Properties| {
        properties.precision.as_str().map(|p| p.eq_ignore_ascii_case("low"))
    };
    let low = precise(&result.properties)
        .or_else(|| rule.and_then(|rule| precise(&rule.properties)))
        .unwrap_or(false);
    let rank = result.rank.or_else(|| rule.and_then(|rule| rule.default_configuration.rank));
    // -1 is SARIF's "not ranked".
    let ranked_low = rank.is_some_and(|rank| (0.0..25.0).contains(&rank));
    if low || ranked_low { Confidence::Low } else { Confidence::Normal }
}

/// A number, or a text that is one: GitHub's documentation asks for a text.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}
