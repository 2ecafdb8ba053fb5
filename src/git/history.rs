//! How commits hang together, also where the history is cut.
//!
//! libgit2 1.9 does not stop its walks where a shallow history does, and fails there. So a shallow
//! history, which is short, is walked here.

use std::collections::{BTreeMap, BTreeSet};

use git2::{ErrorCode, Oid};
use rereview_core::ids::Sha;

use super::error::GitError;
use super::repository::{Repository, sha};

/// Commits by name, with their parents, as far as they are at hand.
type Commits = BTreeMap<Oid, Vec<Oid>>;

impl Repository {
    /// The parents of a commit; a test merge (`refs/pull/N/merge`) has the base first and the head
    /// second. Those beyond a cut are named too.
    ///
    /// # Errors
    /// [`GitError::NoCommit`].
    pub fn parents(&self, commit: &Sha) -> Result<Vec<Sha>, GitError> {
        parents(&self.commit(commit)?).into_iter().map(sha).collect()
    }

    /// The best common ancestor of two commits, as three dots mean it.
    ///
    /// # Errors
    /// [`GitError::NoMergeBase`] also when a cut in the history leaves doubt about which is the
    /// best; [`GitError::NoCommit`].
    pub fn merge_base(&self, one: &Sha, other: &Sha) -> Result<Sha, GitError> {
        let (a, b) = (self.commit(one)?.id(), self.commit(other)?.id());
        let base = if self.is_shallow() {
            self.certain_merge_base(a, b)
        } else {
            match self.objects.merge_base(a, b) {
                Ok(base) => Some(base),
                Err(error) if error.code() == ErrorCode::NotFound => None,
                Err(error) => return Err(error.into()),
            }
        };
        let none = || GitError::NoMergeBase { one: one.clone(), other: other.clone() };
        sha(base.ok_or_else(none)?)
    }

    /// Whether the first commit is the second one or in its history, as far as it is at hand.
    ///
    /// # Errors
    /// [`GitError::NoCommit`].
    pub fn is_ancestor(&self, ancestor: &Sha, of: &Sha) -> Result<bool, GitError> {
        let (a, b) = (self.commit(ancestor)?.id(), self.commit(of)?.id());
        if self.is_shallow() {
            return Ok(self.history([b]).contains_key(&a));
        }
        Ok(a == b || self.objects.graph_descendant_of(b, a)?)
    }

    /// The common ancestor that no cut can hide a better one from.
    fn certain_merge_base(&self, a: Oid, b: Oid) -> Option<Oid> {
        let (of_a, of_b) = (self.history([a]), self.history([b]));
        let common: Vec<Oid> = of_a.keys().filter(|id| of_b.contains_key(id)).copied().collect();
        let older = self.history(common.iter().flat_map(|id| &of_a[id]).copied());
        let mut best = common.iter().filter(|id| !older.contains_key(id));
        let (base, second) = (*best.next()?, best.next());
        let below = self.history([base]);
        let mut beside = of_a.iter().chain(&of_b).filter(|(id, _)| !below.contains_key(id));
        let is_here = |id: &Oid| of_a.contains_key(id) || of_b.contains_key(id);
        let cut = beside.any(|(_, parents)| !parents.iter().all(is_here));
        (second.is_none() && !cut).then_some(base)
    }

    /// Everything at hand that these commits descend from, themselves included.
    fn history(&self, tips: impl IntoIterator<Item = Oid>) -> Commits {
        let mut open: BTreeSet<Oid> = tips.into_iter().collect();
        let mut all = Commits::new();
        while let Some(id) = open.pop_first() {
            if let Ok(commit) = self.objects.find_commit(id) {
                let parents = parents(&commit);
                open.extend(parents.iter().filter(|parent| !all.contains_key(parent)));
                all.insert(id, parents);
            }
        }
        all
    }
}

/// Read from the commit's own header: libgit2 shows none for a commit whose history is cut.
fn parents(commit: &git2::Commit<'_>) -> Vec<Oid> {
    let header = commit.raw_header_bytes().split(|byte| *byte == b'\n');
    let names = header.filter_map(|line| line.strip_prefix(b"parent "));
    names.filter_map(|name| Oid::from_str(std::str::from_utf8(name).ok()?).ok()).collect()
}
