//! What the runner would read.

use super::{Annotation, AnnotationLevel, annotations, tame};

fn annotation(title: &str, message: &str) -> Annotation {
    Annotation {
        level: AnnotationLevel::Error,
        path: "a,b:c.py".to_owned(),
        line: Some(3),
        title: title.to_owned(),
        message: message.to_owned(),
    }
}

#[test]
fn texts_cannot_leave_their_place() {
    let lines = annotations(&[annotation("x::y,z=1", "50%\r\n::error::no")]);
    assert_eq!(
        lines,
        ["::error file=a%2Cb%3Ac.py,line=3,title=x%3A%3Ay%2Cz=1::50%25%0D%0A::error::no"]
    );
}

#[test]
fn ten_of_a_kind_and_a_count() {
    let lines = annotations(&vec![annotation("t", "m"); 13]);
    assert_eq!(lines.len(), 11);
    assert!(lines[10].starts_with("3 more"));
}

#[test]
fn no_line_of_output_is_a_command() {
    for line in ["::error::x", "  ::set-output name=a::b", "a ##[group]b", "x\n::error::y"] {
        let tamed = tame(line);
        assert!(!tamed.trim_start().starts_with("::"), "{tamed:?}");
        assert!(!tamed.contains("##["), "{tamed:?}");
        assert!(!tamed.contains('\n'), "{tamed:?}");
    }
    assert_eq!(tame("a :: b"), "a :: b");
}
