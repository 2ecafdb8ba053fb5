use super::*;

#[track_caller]
fn check(message: &Message, title: &str, body: &str) {
    assert_eq!((message.title.as_str(), message.body.as_str()), (title, body));
}

#[test]
fn the_first_sentence_is_the_title() {
    for (text, title, body) in [
        ("Unused import", "Unused import", ""),
        (
            "Use of assert detected. The code goes when optimised.",
            "Use of assert detected.",
            "The code goes when optimised.",
        ),
        ("Use `x is None`, e.g. Here", "Use `x is None`, e.g. Here", ""),
        ("Upgrade to v1.2. It is safe", "Upgrade to v1.2. It is safe", ""),
        ("Wrong call. (no-call)", "Wrong call. (no-call)", ""),
        ("Wrong call. see the docs", "Wrong call. see the docs", ""),
        ("\n  A   title\nMore\n\nYet more \n", "A title", "More\n\nYet more"),
        ("Really? Yes.\r\nMore", "Really?", "Yes.\nMore"),
        ("", "", ""),
    ] {
        check(&Message::new(text), title, body);
    }
}

#[test]
fn a_title_is_short_and_nothing_is_lost() {
    let long = "word ".repeat(100);
    let message = Message::new(&long);
    assert!(message.title.chars().count() <= TITLE, "{}", message.title);
    assert!(message.title.ends_with("word…"));
    assert_eq!(message.body, long.trim());
    let unbroken = Message::new(&"é".repeat(500));
    assert_eq!(unbroken.title.chars().count(), TITLE);
    assert!(Message::new(&format!("a\n{}", "é".repeat(BODY))).body.len() <= BODY + 3);
}

#[test]
fn markdown_is_for_the_body() {
    check(&Message::with_markdown("Plain. More", "**Rich**"), "Plain.", "**Rich**");
    check(&Message::with_markdown("Plain", "Plain\n\n- a"), "Plain", "- a");
    check(&Message::with_markdown("", "Only *this*"), "Only *this*", "");
    check(&Message::from_parts("An end. B", "C"), "An end. B", "C");
    check(&Message::from_parts("A\nB", "C"), "A", "B\n\nC");
    check(&Message::from_parts(" ", "C\nD"), "C", "D");
    check(&Message::new("").or_class("E1"), "E1", "");
}
