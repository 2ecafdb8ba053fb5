//! Which symbols a diff's new lines call, directly or through callers inside the changed files
//! (spec 30, rule 2).

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::RepoPath;
use crate::lines::TreeDiff;
use crate::model::{Call, Definition, FileFacts};

/// The bare names that the added lines of `diff` reach.
pub(super) fn reached<'a>(
    diff: &TreeDiff,
    files: &'a BTreeMap<RepoPath, FileFacts>,
) -> BTreeSet<&'a str> {
    let changed: Vec<(&RepoPath, &FileFacts)> =
        files.iter().filter(|(path, _)| diff.by_new_path(path).is_some()).collect();
    let mut calls_in: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut open: Vec<&str> = Vec::new();
    for (path, file) in changed {
        let added = diff.added(path);
        for call in &file.calls {
            if added.contains(call.line) {
                open.push(&call.name);
            }
            if let Some(caller) = caller(file, call) {
                calls_in.entry(&caller.name).or_default().insert(&call.name);
            }
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(calls_in.get(name).into_iter().flatten());
        }
    }
    reached
}

fn caller<'a>(file: &'a FileFacts, call: &Call) -> Option<&'a Definition> {
    file.definition(call.line)
}
