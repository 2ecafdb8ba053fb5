//! The published vectors, and the shape of twins.

use serde::Deserialize;

use super::{Anchor, FindingKey, KeyPrefix, SiteKey, Twin, fingerprint};
use crate::ids::{AgentName, FindingClass, RepoPath};

#[derive(Deserialize)]
struct Vector {
    agent: String,
    path: String,
    symbol: String,
    line: String,
    class: String,
    fingerprint: String,
    anchor: String,
    finding_key: String,
    site_key: String,
    note: String,
}

#[test]
fn keys_are_those_of_the_published_vectors() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../../tests/data/keys.json")).expect("vectors parse");
    assert!(vectors.len() > 10);
    for v in vectors {
        assert_eq!(fingerprint(&v.line), v.fingerprint, "{}", v.note);
        let anchor = Anchor::new(Some(&v.symbol), Some(&v.line));
        assert_eq!(anchor.to_string(), v.anchor, "{}", v.note);
        let path = RepoPath::new(&v.path).expect("path");
        let agent = AgentName::new(&v.agent).expect("agent");
        // One vector holds a class that no config can name, to show that nothing is escaped.
        let class: FindingClass = serde_json::from_value(v.class.clone().into()).expect("class");
        let key = FindingKey::new(&agent, &path, &anchor, &Twin::first(class));
        assert_eq!(key.to_string(), v.finding_key, "{}", v.note);
        assert_eq!(SiteKey::new(&path, &anchor).to_string(), v.site_key, "{}", v.note);
        assert_eq!(key.prefix().to_string(), v.finding_key[..16], "{}", v.note);
        assert_eq!(KeyPrefix::from_hex(&v.finding_key[..16]), Ok(key.prefix()), "{}", v.note);
    }
}

#[test]
fn a_twin_is_read_back_as_it_was_written() {
    for (text, class, ordinal) in [("E501", "E501", 1), ("E501#2", "E501", 2), ("a#1", "a-1", 1)] {
        let twin = Twin::parse(text);
        assert_eq!((twin.class().as_str(), twin.ordinal()), (class, ordinal), "{text}");
    }
    assert_eq!(Twin::parse("E501#12").to_string(), "E501#12");
}

#[test]
fn any_rule_id_becomes_a_class() {
    for (rule, class) in [
        ("E501", "E501"),
        ("", "x"),
        ("@typescript-eslint/no-eval", "x@typescript-eslint/no-eval"),
        ("a b", "a-b"),
        ("größe", "gr--e"),
        ("js/xss#2", "js/xss-2"),
    ] {
        assert_eq!(FindingClass::from_rule(rule).as_str(), class, "{rule}");
    }
    assert_eq!(FindingClass::from_rule(&"a".repeat(300)).as_str().len(), 120);
}
