use super::*;

#[test]
fn content_tells_the_format() {
    for (text, expected) in [
        (r#"{"$schema": "x", "version": "2.1.0", "runs": ["#, Some(Format::Sarif)),
        (r#"{"source": {"name": "x"}, "diagnostics": []}"#, Some(Format::Rdjson)),
        (r#"{"message": "m", "location": {"path": "a"}}"#, Some(Format::Rdjsonl)),
        (
            r#"{"location": {"path": "a"}, "severity": "INFO", "message": "m"}"#,
            Some(Format::Rdjsonl),
        ),
        (r#"{"reason": "compiler-artifact"}"#, Some(Format::Cargo)),
        (r#"{"tool": "x", "findings": []}"#, Some(Format::Native)),
        ("\n<?xml version='1.0'?>\n<checkstyle version='4.3'>", Some(Format::Checkstyle)),
        ("<testsuites/>", None),
        ("[]", None),
        (r#"{"results": []}"#, None),
        ("", None),
    ] {
        assert_eq!(detect(text), expected, "{text}");
    }
}

#[test]
fn names_are_read_back() {
    for format in Format::ALL {
        assert_eq!(Format::parse(format.as_str()), Some(format));
        assert_eq!(serde_json::to_value(format).unwrap(), format.as_str());
    }
    assert_eq!(Format::parse("junit"), None);
}
