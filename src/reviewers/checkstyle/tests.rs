use super::*;
use crate::reviewers::tests::{roots, show};

#[track_caller]
fn check(text: &str, expected: &str) {
    let shown = match parse(text, &roots()) {
        Ok(reports) => show(&reports),
        Err(broken) => broken.reason,
    };
    assert_eq!(shown, expected);
}

#[test]
fn errors_become_findings() {
    check(
        "<?xml version='1.0'?>
<checkstyle version='8'>
<file name='src\\a &amp; b.java'>
<error line='3' column='7' severity='error' message='It&apos;s &lt;wrong&gt;' source='com.x.Check'/>
<error line='0' severity='info' message='Whole' source='com.x.File'></error>
<error line='1' severity='ignore' message='no' source='com.x.No'/>
</file>
<error line='1' message='lost' source='com.x.Lost'/>
<file name='/etc/passwd'><error line='1' message='m' source='s'/></file>
<file name='clean.java'/>
</checkstyle>",
        "?: 2 of 5
  com.x.Check src/a & b.java:3 error: It's <wrong>
  com.x.File src/a & b.java note: Whole
  - com.x.No src\\a & b.java:1: severity `ignore`
  - com.x.Lost ?:1: it names no file
  - s /etc/passwd:1: the path is outside the repository
",
    );
}

#[test]
fn an_exception_is_a_failure() {
    check(
        "<checkstyle><file name='a'><exception><![CDATA[\njava.io.Oops: no\n at x]]></exception></file></checkstyle>",
        "?: 0 of 0, failed: the tool stopped with an exception: java.io.Oops: no\n",
    );
    check(
        "<checkstyle><file name='a'><exception></exception></file></checkstyle>",
        "?: 0 of 0, failed: the tool stopped with an exception\n",
    );
}

#[test]
fn entities_are_not_expanded() {
    let bomb = "<!DOCTYPE checkstyle [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>
<checkstyle><file name='a'><error line='1' message='&b;' source='s'/></file></checkstyle>";
    check(bomb, "at 1..2: unrecognized entity `b`");
}
