//! Every combination of facts meets exactly one row; the whole matrix is one snapshot.

use std::fmt::Write as _;

use super::{Age, Closing, NewFacts, Presence, Row, Situation, ThreadFacts, row_of};

/// The table's conditions, row by row, as the spec words them: independent of `row_of`.
fn holds(row: Row, situation: Situation) -> bool {
    let (presence, t) = match (situation, row) {
        (Situation::New(new), Row::IncorrectFix) => return new.neighbour_went_away,
        (Situation::New(new), Row::Concur) => {
            return new.same_issue_elsewhere && !new.neighbour_went_away;
        }
        (Situation::New(new), Row::New) => {
            return !new.same_issue_elsewhere && !new.neighbour_went_away;
        }
        (Situation::New(_), _) => return false,
        (Situation::Prior(presence, facts), _) => (presence, facts),
    };
    let present = presence == Presence::Present;
    let absent = presence == Presence::Absent;
    let open = t.closing == Closing::Open;
    let older = t.age == Age::Older;
    let live = present && !t.duplicate;
    match row {
        Row::Duplicate => present && t.duplicate,
        Row::Adjudicated => live && t.closing == Closing::Maintainer,
        Row::Reintroduced => live && t.closing == Closing::Other && !older && t.fixed_by_us,
        Row::ImproperlyResolved => live && t.closing == Closing::Other && !older && !t.fixed_by_us,
        Row::Superseded => live && open && (t.orphaned || older),
        Row::Disagreement => live && open && !t.orphaned && !older && t.answered && !t.escalated,
        Row::StillOpen => live && open && !t.orphaned && !older && (!t.answered || t.escalated),
        Row::CleanResolution => absent && open && !t.fixed_by_us,
        Row::ResolveAgain => absent && open && t.fixed_by_us,
        Row::Settled => (absent && !open) || (live && t.closing == Closing::Other && older),
        Row::Unknown => presence == Presence::Unknown,
        Row::IncorrectFix | Row::Concur | Row::New => false,
    }
}

fn every_situation() -> Vec<Situation> {
    let mut all = Vec::new();
    for presence in [Presence::Present, Presence::Absent, Presence::Unknown] {
        for closing in [Closing::Open, Closing::Maintainer, Closing::Other] {
            for bits in 0..64_u32 {
                let bit = |n: u32| bits & (1 << n) != 0;
                all.push(Situation::Prior(
                    presence,
                    ThreadFacts {
                        closing,
                        duplicate: bit(0),
                        fixed_by_us: bit(1),
                        orphaned: bit(2),
                        age: if bit(3) { Age::Older } else { Age::Newest },
                        answered: bit(4),
                        escalated: bit(5),
                    },
                ));
            }
        }
    }
    for bits in 0..4_u32 {
        all.push(Situation::New(NewFacts {
            neighbour_went_away: bits & 1 != 0,
            same_issue_elsewhere: bits & 2 != 0,
        }));
    }
    all
}

#[test]
fn every_combination_of_facts_meets_exactly_one_row() {
    for situation in every_situation() {
        let rows: Vec<Row> = Row::ALL.into_iter().filter(|row| holds(*row, situation)).collect();
        assert_eq!(rows, [row_of(situation)], "{situation:?}");
    }
}

#[test]
fn every_row_is_met_by_some_combination() {
    let mut met: Vec<Row> = every_situation().into_iter().map(row_of).collect();
    met.sort();
    met.dedup();
    assert_eq!(met, Row::ALL);
}

/// The matrix, with facts that do not matter shown as `·`.
#[test]
fn the_matrix() {
    let mut text =
        String::from("prior current closing    dup fixed orphan older answered escalated → row\n");
    let mark = |bit: Option<bool>| match bit {
        Some(true) => "yes",
        Some(false) => "no",
        None => "·",
    };
    for presence in [Presence::Present, Presence::Absent, Presence::Unknown] {
        for closing in [Closing::Open, Closing::Maintainer, Closing::Other] {
            for (row, bits) in condensed(presence, closing) {
                let [dup, fixed, orphan, older, answered, escalated] = bits.map(mark);
                let current = format!("{presence:?}").to_lowercase();
                let closing = format!("{closing:?}").to_lowercase();
                let _ = writeln!(
                    text,
                    "yes   {current:<7} {closing:<10} {dup:<3} {fixed:<5} {orphan:<6} {older:<5} \
                     {answered:<8} {escalated:<9} → {} {}",
                    row.number(),
                    row.name()
                );
            }
        }
    }
    for (neighbour, elsewhere) in [(true, true), (true, false), (false, true), (false, false)] {
        let row = row_of(Situation::New(NewFacts {
            neighbour_went_away: neighbour,
            same_issue_elsewhere: elsewhere,
        }));
        let _ = writeln!(
            text,
            "no    present neighbour went away: {:<3} same issue elsewhere: {:<3} → {} {}",
            mark(Some(neighbour)),
            mark(Some(elsewhere)),
            row.number(),
            row.name()
        );
    }
    insta::assert_snapshot!(text);
}

/// The 64 fact combinations as a decision tree: a fact is split on only where it matters.
fn condensed(presence: Presence, closing: Closing) -> Vec<(Row, [Option<bool>; 6])> {
    let mut out = Vec::new();
    split(presence, closing, [None; 6], &mut out);
    out
}

fn split(
    presence: Presence,
    closing: Closing,
    known: [Option<bool>; 6],
    out: &mut Vec<(Row, [Option<bool>; 6])>,
) {
    let rows: Vec<Row> = (0..64_u32)
        .map(|bits| std::array::from_fn(|n| bits & (1 << n) != 0))
        .filter(|bits: &[bool; 6]| {
            known.iter().zip(bits).all(|(known, bit)| known.is_none_or(|known| known == *bit))
        })
        .map(|[duplicate, fixed_by_us, orphaned, older, answered, escalated]| {
            row_of(Situation::Prior(
                presence,
                ThreadFacts {
                    closing,
                    duplicate,
                    fixed_by_us,
                    orphaned,
                    age: if older { Age::Older } else { Age::Newest },
                    answered,
                    escalated,
                },
            ))
        })
        .collect();
    if let Some(first) = rows.first()
        && rows.iter().all(|row| row == first)
    {
        out.push((*first, known));
        return;
    }
    // In the order in which the table decides.
    let next =
        [0, 3, 1, 2, 4, 5].into_iter().find(|n| known[*n].is_none()).expect("a fact is open");
    for value in [true, false] {
        let mut more = known;
        more[next] = Some(value);
        split(presence, closing, more, out);
    }
}
