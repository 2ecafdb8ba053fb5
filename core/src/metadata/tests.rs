//! Metadata is read as written, in any order, and always fits.

use super::{agent_of, parse, write};
use crate::footer::Marker;
use crate::ids::{AgentName, CommentId, RepoPath, Sha, ThreadId};
use crate::key::KeyPrefix;
use crate::model::{
    Counts, LiveEntry, Metadata, Note, NoteState, RunState, SinceLastRun, Tag, Verdict,
};
use crate::text::{LIMIT, length};

fn note(at: u64, title: &str) -> Note {
    Note {
        key: KeyPrefix::from_hex(&format!("{at:016x}")).expect("prefix"),
        state: NoteState::Open,
        site: None,
        path: RepoPath::new("src/a.rs").ok(),
        line: Some(7),
        tag: Some(Tag::MustFix),
        symbol: Some("<file>".to_owned()),
        class: Some("x#2".to_owned()),
        title: Some(title.to_owned()),
    }
}

fn metadata() -> Metadata {
    Metadata {
        agent: AgentName::new("lint").expect("agent"),
        counts: Counts { must_fix: 2, outstanding: 1, ..Counts::default() },
        verdict: Verdict::NoGo,
        reviewed_head: Sha::new(&"a".repeat(40)).ok(),
        run: 3,
        since_last_run: SinceLastRun { resolved: 1, ..SinceLastRun::default() },
        ci_safety: Some((Verdict::NoGo, "why not".to_owned())),
        state: RunState {
            notes: vec![note(1, "a --> b")],
            live: vec![LiveEntry {
                key: KeyPrefix::from_hex("00000000000000ff").expect("prefix"),
                comment: CommentId(2_400_000_000),
                line: None,
                path: RepoPath::new("b.rs").ok(),
            }],
            unresolve_refused: vec![ThreadId::new("PRRT_1")],
            scoped_from: Sha::new(&"b".repeat(40)).ok(),
        },
        unknown: vec!["later: x".to_owned()],
    }
}

#[test]
fn it_is_read_as_written() {
    let marker = Marker::default();
    let body = write(&metadata(), &marker).body;
    assert_eq!(parse(&body, &marker), Ok(metadata()));
    let turned: Vec<&str> = body.lines().rev().collect();
    assert_eq!(parse(&turned.join("\r\n"), &marker), Ok(metadata()));
}

#[test]
fn a_body_of_the_published_skill_is_read() {
    let body = "<!-- fprime-agent: lint v1 -->\n<!-- counts: {\"must_fix\": 1, \"suggestion\": 0, \
                \"could_fix\": 0, \"future_work\": 0, \"outstanding\": 1} -->\n<!-- verdict: Go -->";
    let read = parse(body, &Marker::default()).expect("read");
    assert_eq!((read.counts.must_fix, read.reviewed_head, read.run), (1, None, 1));
    let broken = body.replace("Go", "Maybe");
    assert!(parse(&broken, &Marker::default()).is_err());
    assert_eq!(agent_of("a comment", &Marker::default()), None);
}

#[test]
fn it_always_fits() {
    let mut large = metadata();
    large.state.notes = (0..2_000).map(|at| note(at, &"long ".repeat(60))).collect();
    let written = write(&large, &Marker::default());
    assert!(length(&written.body) <= LIMIT);
    assert!(!written.dropped.is_empty());
    assert!(parse(&written.body, &Marker::default()).is_ok());
}
