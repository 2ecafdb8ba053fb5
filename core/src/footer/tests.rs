//! Footers are read as written, and only where they count (spec 10 §3, case G09).

use proptest::prelude::*;

use super::{Footer, HiddenLine, Marker, ReplyKind, add_key};
use crate::ids::AgentName;
use crate::key::{FindingKey, SiteKey};
use crate::model::{LineSpan, Tag};

fn footer(kind: Option<ReplyKind>) -> Footer {
    Footer {
        agent: AgentName::new("lint").expect("agent"),
        key: FindingKey::from_hex(&"ab".repeat(32)).expect("key"),
        site: Some(SiteKey::from_hex(&"cd".repeat(32)).expect("site")),
        kind,
    }
}

fn read(body: &str) -> Vec<Footer> {
    Footer::parse_all(body, &Marker::default())
}

#[test]
fn every_form_is_read() {
    let key = "ab".repeat(32);
    for (line, kind) in [
        (format!("<!-- fprime-agent: lint; finding-key: {key}; v1 -->"), None),
        (format!("<!--fprime-agent:lint;v2;finding-key:{key};color: red-->"), None),
        (
            format!(
                "<!--  reply-kind: x -->\n<!-- fprime-agent: lint; reply-kind: disagreement; finding-key: {key}; v2 -->\r\n\r\n"
            ),
            Some(ReplyKind::Disagreement),
        ),
    ] {
        let found = read(&format!("text\n\n{line}"));
        assert_eq!(found.len(), 1, "{line}");
        assert_eq!(found[0].kind, kind, "{line}");
    }
    let other = Marker::new("acme").expect("marker");
    assert_eq!(Footer::parse_all(&footer(None).write(&other), &other), [footer(None)]);
    assert!(read(&footer(None).write(&other)).is_empty());
}

#[test]
fn footers_elsewhere_are_text() {
    let line = footer(None).write(&Marker::default());
    for body in [
        format!("```\n{line}\n```"),
        format!("~~~\n{line}"),
        format!("> {line}"),
        format!("{line}\nand more"),
        format!("before {line}"),
        format!("<!-- x --> {line}"),
        line.replace("lint", "Lint!"),
        line.replace("abab", "zz"),
    ] {
        assert!(read(&body).is_empty(), "{body}");
    }
}

#[test]
fn a_further_name_is_a_further_footer() {
    let marker = Marker::default();
    let hidden = HiddenLine {
        class: Some("E501#2".to_owned()),
        symbol: Some("a-->b".to_owned()),
        tag: Some(Tag::MustFix),
        lines: Some(LineSpan::new(3, 4)),
    };
    let body = format!("x\n\n{}\n{}", hidden.write(), footer(None).write(&marker));
    let second =
        Footer { key: FindingKey::from_hex(&"12".repeat(32)).expect("key"), ..footer(None) };
    let body = add_key(&body, &second, &marker);
    assert_eq!(read(&body), [footer(None), second]);
    assert_eq!(HiddenLine::parse(&body), Some(hidden));
}

proptest! {
    #[test]
    fn whatever_stands_before_a_footer_is_read(text in "(.|\n){0,120}", kind in 0..7_usize) {
        let kind = ReplyKind::ALL.get(kind).copied();
        let marker = Marker::default();
        // A stranger's text is rendered before it stands in a comment of ours.
        let shown = crate::text::block(&text, 5, 100);
        let body = format!("[Lint] {shown}\n\n{}", footer(kind).write(&marker));
        prop_assert_eq!(read(&body), [footer(kind)]);
    }
}
