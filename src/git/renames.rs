//! Which deleted and added files are one file that moved, found as git finds it.
//!
//! libgit2's own detection counts small files and edges differently from git, and so from GitHub:
//! a three-line file that moves with one line changed is a rename there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

use super::diff::{Change, Side, Thing, is_binary, thing};
use super::error::GitError;

/// Git's scale: two files are so similar if they are the same.
const SAME: u64 = 60_000;
/// Half the content (spec 30).
const THRESHOLD: u64 = SAME / 2;
/// What git demands of two files with one base name that no other file has.
const SAME_NAME_THRESHOLD: u64 = SAME * 3 / 4;
/// Above so many pairs git looks for unchanged files only (`diff.renameLimit` 1000).
const MOST_PAIRS: usize = 1000 * 1000;

/// Joins deletions and additions that are renames; everything else stays as it is.
pub(super) fn pair(
    objects: &git2::Repository,
    changes: Vec<Change>,
) -> Result<Vec<Change>, GitError> {
    let mut kept = Vec::new();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change { old: Some(old), new: None } => gone.push(Some(old)),
            Change { old: None, new: Some(new) } => come.push(Some(new)),
            Change { old, new } => kept.push(Change { old, new }),
        }
    }
    let mut join = |gone: &mut Option<Side>, come: &mut Option<Side>| {
        kept.push(Change { old: gone.take(), new: come.take() });
    };

    for (from, to) in unchanged(&gone, &come) {
        join(&mut gone[from], &mut come[to]);
    }
    gone.retain(Option::is_some);
    come.retain(Option::is_some);
    if gone.len().saturating_mul(come.len()) <= MOST_PAIRS && !gone.is_empty() && !come.is_empty() {
        let (old, new) = (prints(objects, &gone)?, prints(objects, &come)?);
        for (from, to) in same_names(&gone, &come) {
            if similarity(old[from].as_ref(), new[to].as_ref()) >= SAME_NAME_THRESHOLD {
                join(&mut gone[from], &mut come[to]);
            }
        }
        for (from, to) in best_first(&gone, &come, &old, &new) {
            if gone[from].is_some() && come[to].is_some() {
                join(&mut gone[from], &mut come[to]);
            }
        }
    }

    kept.extend(gone.into_iter().map(|old| Change { old, new: None }));
    kept.extend(come.into_iter().map(|new| Change { old: None, new }));
    kept.sort_by(|a, b| path(a).cmp(&path(b)));
    Ok(kept)
}

fn path(change: &Change) -> Option<&str> {
    change.new.as_ref().or(change.old.as_ref()).map(|side| side.path.as_str())
}

fn base_name(side: &Side) -> &str {
    side.path.as_str().rsplit('/').next().unwrap_or_default()
}

/// Pairs with the very same content; among several, the one that kept its base name.
fn unchanged(gone: &[Option<Side>], come: &[Option<Side>]) -> Vec<(usize, usize)> {
    let mut by_content: BTreeMap<_, Vec<(usize, &Side)>> = BTreeMap::new();
    for (at, side) in gone.iter().enumerate() {
        if let Some(side) = side {
            by_content.entry(side.id).or_default().push((at, side));
        }
    }
    let mut pairs = Vec::new();
    for (to, side) in come.iter().enumerate() {
        let Some(new) = side else { continue };
        let Some(candidates) = by_content.get_mut(&new.id) else { continue };
        let fits = |old: &Side| thing(old.mode) == thing(new.mode);
        let named =
            candidates.iter().position(|(_, old)| fits(old) && base_name(old) == base_name(new));
        let any = named.or_else(|| candidates.iter().position(|(_, old)| fits(old)));
        if let Some(found) = any {
            pairs.push((candidates.remove(found).0, to));
        }
    }
    pairs
}

/// Pairs whose base name occurs once on each side.
fn same_names(gone: &[Option<Side>], come: &[Option<Side>]) -> Vec<(usize, usize)> {
    let once = |sides: &[Option<Side>]| {
        let mut names: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (at, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            let twice = names.contains_key(base_name(side));
            names.insert(base_name(side).to_owned(), (!twice).then_some(at));
        }
        names
    };
    let old = once(gone);
    let pairs = once(come).into_iter();
    pairs.filter_map(|(name, to)| Some(((*old.get(&name)?)?, to?))).collect()
}

/// All pairs that are similar enough, the most similar first, then those that kept their name.
fn best_first(
    gone: &[Option<Side>],
    come: &[Option<Side>],
    old: &[Option<Print>],
    new: &[Option<Print>],
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (to, come) in come.iter().enumerate() {
        for (from, gone) in gone.iter().enumerate() {
            let (Some(gone), Some(come)) = (gone, come) else { continue };
            let similarity = similarity(old[from].as_ref(), new[to].as_ref());
            if similarity >= THRESHOLD {
                pairs.push((similarity, base_name(gone) == base_name(come), from, to));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then((a.3, a.2).cmp(&(b.3, b.2))));
    pairs.into_iter().map(|(_, _, from, to)| (from, to)).collect()
}

/// A file as chunks: lines, and every 64 bytes of a longer one, by hash, with the bytes in each.
struct Print {
    size: u64,
    chunks: Vec<(u64, u64)>,
}

/// Only files can be similar; links and submodules are the same or not.
fn prints(
    objects: &git2::Repository,
    sides: &[Option<Side>],
) -> Result<Vec<Option<Print>>, GitError> {
    let files = sides.iter().map(|side| side.as_ref().filter(|s| thing(s.mode) == Thing::File));
    files
        .map(|side| match side {
            Some(side) => Ok(Some(print(objects.find_blob(side.id)?.content()))),
            None => Ok(None),
        })
        .collect()
}

fn print(bytes: &[u8]) -> Print {
    let text = !is_binary(bytes);
    let mut counted: BTreeMap<u64, u64> = BTreeMap::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = match line.strip_suffix(b"\r\n") {
            Some(line) if text => Cow::Owned([line, b"\n"].concat()),
            Some(_) | None => Cow::Borrowed(line),
        };
        for chunk in line.chunks(64) {
            let mut hasher = DefaultHasher::new();
            hasher.write(chunk);
            *counted.entry(hasher.finish()).or_default() += chunk.len() as u64;
        }
    }
    Print { size: bytes.len() as u64, chunks: counted.into_iter().collect() }
}

/// How much of the larger file both have, of [`SAME`].
fn similarity(old: Option<&Print>, new: Option<&Print>) -> u64 {
    let (Some(old), Some(new)) = (old, new) else { return 0 };
    let (smaller, larger) = (old.size.min(new.size), old.size.max(new.size));
    if smaller == 0 || smaller * SAME < larger * THRESHOLD {
        return 0;
    }
    let (mut a, mut b) = (old.chunks.iter().peekable(), new.chunks.iter().peekable());
    let mut copied = 0;
    while let (Some((left, had)), Some((right, has))) = (a.peek(), b.peek()) {
        match left.cmp(right) {
            std::cmp::Ordering::Less => _ = a.next(),
            std::cmp::Ordering::Greater => _ = b.next(),
            std::cmp::Ordering::Equal => {
                copied += had.min(has);
                (_, _) = (a.next(), b.next());
            }
        }
    }
    copied * SAME / larger
}
