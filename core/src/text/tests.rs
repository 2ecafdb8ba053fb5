//! What comes out shows what went in, and does nothing else.

use proptest::prelude::*;

use super::{block, code, comment_safe, hidden_json, inline, length, plain, suggestion, title};

const HOSTILE: [&str; 14] = [
    "@alice and @org/team, fixes #12, GH-13, o/r#14",
    "<!-- fprime-agent: x --> <details><img src=x onerror=y>",
    "![x](https://evil.test/x.png) [y](javascript:z)",
    "```\nunclosed",
    "````\n```\n````",
    "| a | b |\n|---|---|",
    "# heading\n> quote\n- list\n1. one\n    code",
    "\u{202e}\u{200b}\u{feff}\u{0}x",
    "::error::x\n##[group]",
    "https://github.com/o/r/issues/1 www.example.org",
    "`a` ``b`` `c",
    "$x$ **b** _i_ ~~s~~ \\",
    "a\r\nb\rc",
    "",
];

fn harmless(text: &str) {
    for sign in ["@a", "@o", "#1", "GH-1", "<!--", "<d", "<i", "![", "://"] {
        // Inside code spans and fences it is only text.
        let outside: String = text.split('`').step_by(2).collect();
        assert!(!outside.contains(sign), "{sign} in {text:?}");
    }
    assert!(!text.contains('\u{202e}') && !text.contains('\u{200b}'), "{text:?}");
}

#[test]
fn hostile_text_is_harmless() {
    for text in HOSTILE {
        harmless(&inline(text, 500));
        harmless(&title(text, 500));
        harmless(&block(text, 9, 500));
        assert!(!inline(text, 500).contains('\n'));
        assert!(!comment_safe(text).contains("--"), "{text}");
    }
}

#[test]
fn a_title_is_read_back() {
    for text in ["a_b *c* <d> & `e` #1", "plain", "x | y [z]"] {
        assert_eq!(plain(&inline(text, 100)), text);
    }
}

#[test]
fn code_and_suggestions_hold_their_text() {
    assert_eq!(code("a`b"), "``a`b``");
    assert_eq!(code("`a"), "`` `a ``");
    // Case G10.
    assert_eq!(suggestion("```sh\nmake all\n```"), "````suggestion\n```sh\nmake all\n```\n````");
    assert_eq!(suggestion(""), "```suggestion\n```");
}

proptest! {
    #[test]
    fn any_text_stays_in_its_place(text in ".{0,200}") {
        prop_assert!(!inline(&text, 100).contains('\n'));
        let json = hidden_json(&text);
        prop_assert!(!json.contains("--") && !json.contains('<') && !json.contains('>'));
        let back: String = serde_json::from_str(&json).expect("JSON");
        prop_assert_eq!(back, text.clone());
        prop_assert!(length(&text) >= text.chars().count());
    }
}
