//! rereview's own state as compact JSON (spec 20 §6).
//!
//! `{"notes":[[key,site,path,line,tag,class,symbol,title],[key,tag]…],`
//! `"live":[[key,comment,line],[key,comment,line,path]…],"unresolve_refused":[thread…],"scoped_from":sha}`

use serde_json::{Value, json};

use crate::ids::{CommentId, RepoPath, Sha, ThreadId};
use crate::key::KeyPrefix;
use crate::model::{LiveEntry, Note, NoteState, RunState, Tag};
use crate::text::{hidden_json, length};

/// Characters that a cut title keeps.
const SHORT_TITLE: usize = 40;

type Stage = fn(&mut RunState, usize) -> Option<String>;

/// What is given up, in order, when the state is too large.
pub(super) const STAGES: [Stage; 4] = [cut_titles, drop_titles, drop_notes, drop_live];

pub(super) fn write(state: &RunState) -> String {
    let notes: Vec<Value> = state.notes.iter().map(note_to_json).collect();
    let live: Vec<Value> = state.live.iter().map(live_to_json).collect();
    hidden_json(&json!({
        "notes": notes,
        "live": live,
        "unresolve_refused": state.unresolve_refused,
        "scoped_from": state.scoped_from,
    }))
}

/// Entries that cannot be read are left out: none of them is the only place of a fact.
pub(super) fn read(text: &str) -> Result<RunState, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("cannot be read: {e}"))?;
    let list = |name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    Ok(RunState {
        notes: list("notes").iter().filter_map(note_from_json).collect(),
        live: list("live").iter().filter_map(live_from_json).collect(),
        unresolve_refused: list("unresolve_refused")
            .iter()
            .filter_map(|id| id.as_str().map(ThreadId::new))
            .collect(),
        scoped_from: value
            .get("scoped_from")
            .and_then(Value::as_str)
            .and_then(|s| Sha::new(s).ok()),
    })
}

fn note_to_json(note: &Note) -> Value {
    match note.state {
        NoteState::Open => json!([
            note.key,
            note.site,
            note.path,
            note.line,
            note.tag.map(short_tag),
            note.class,
            note.symbol,
            note.title,
        ]),
        NoteState::Settled => json!([note.key, note.tag.map(short_tag)]),
    }
}

fn note_from_json(value: &Value) -> Option<Note> {
    let fields = value.as_array()?;
    let text = |at: usize| fields.get(at).and_then(Value::as_str);
    let open = fields.len() > 2;
    let key = KeyPrefix::from_hex(text(0)?).ok()?;
    let tag = text(if open { 4 } else { 1 }).and_then(long_tag);
    if !open {
        return Some(Note {
            key,
            state: NoteState::Settled,
            site: None,
            path: None,
            line: None,
            tag,
            symbol: None,
            class: None,
            title: None,
        });
    }
    Some(Note {
        key,
        state: NoteState::Open,
        site: text(1).and_then(|site| KeyPrefix::from_hex(site).ok()),
        path: text(2).and_then(|path| RepoPath::new(path).ok()),
        line: fields.get(3).and_then(to_u32),
        tag,
        class: text(5).map(str::to_owned),
        symbol: text(6).map(str::to_owned),
        title: text(7).map(str::to_owned),
    })
}

fn live_to_json(entry: &LiveEntry) -> Value {
    match &entry.path {
        None => json!([entry.key, entry.comment, entry.line]),
        Some(path) => json!([entry.key, entry.comment, entry.line, path]),
    }
}

fn live_from_json(value: &Value) -> Option<LiveEntry> {
    let fields = value.as_array()?;
    Some(LiveEntry {
        key: KeyPrefix::from_hex(fields.first()?.as_str()?).ok()?,
        comment: CommentId(fields.get(1)?.as_u64()?),
        line: fields.get(2).and_then(to_u32),
        path: fields.get(3).and_then(Value::as_str).and_then(|path| RepoPath::new(path).ok()),
    })
}

fn to_u32(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn short_tag(tag: Tag) -> &'static str {
    match tag {
        Tag::MustFix => "m",
        Tag::Suggestion => "s",
        Tag::CouldFix => "c",
        Tag::FutureWork => "f",
    }
}

fn long_tag(short: &str) -> Option<Tag> {
    Tag::ALL.into_iter().find(|tag| short_tag(*tag) == short)
}

fn cut_titles(state: &mut RunState, _room: usize) -> Option<String> {
    let mut cut = 0;
    for title in state.notes.iter_mut().filter_map(|note| note.title.as_mut()) {
        if title.chars().count() > SHORT_TITLE {
            *title = title.chars().take(SHORT_TITLE - 1).chain(['…']).collect();
            cut += 1;
        }
    }
    (cut > 0).then(|| format!("{cut} titles of notes were cut"))
}

fn drop_titles(state: &mut RunState, _room: usize) -> Option<String> {
    let titled = state.notes.iter_mut().filter_map(|note| note.title.take()).count();
    (titled > 0).then(|| format!("{titled} titles of notes were dropped"))
}

fn drop_notes(state: &mut RunState, room: usize) -> Option<String> {
    let before = state.notes.len();
    // The strictest are written first and stay longest.
    state.notes.sort_by_key(|note| (note.tag, note.key));
    shrink(state, room, |state, keep| state.notes.truncate(keep), before);
    let gone = before - state.notes.len();
    (gone > 0).then(|| format!("{gone} notes were dropped"))
}

fn drop_live(state: &mut RunState, room: usize) -> Option<String> {
    let before = state.live.len();
    shrink(state, room, |state, keep| state.live.truncate(keep), before);
    let gone = before - state.live.len();
    (gone > 0).then(|| format!("the last places of {gone} findings were dropped"))
}

/// Keeps as many entries as fit.
fn shrink(state: &mut RunState, room: usize, truncate: fn(&mut RunState, usize), most: usize) {
    let fits = |keep: usize| {
        let mut less = state.clone();
        truncate(&mut less, keep);
        // The comment's own marks around the JSON.
        length(&write(&less)) + 24 <= room
    };
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    truncate(state, low);
}
