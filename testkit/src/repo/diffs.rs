//! The repository's answers about its code, by libgit2.

use std::path::Path;

use git2::{DiffFindOptions, DiffOptions, FileMode, Oid, Sort};
use rereview_core::ids::{RepoPath, Sha};

use super::{RepoBuilder, oid, sha};
use crate::code::{Code, Edit, FileMove, Hunks, Moves};

impl Code for RepoBuilder {
    fn hunks(&self, base: &Sha, head: &Sha) -> Hunks {
        let from = self.repository.0.merge_base(oid(base), oid(head)).expect("a merge base");
        let shown = |file: FileDiff| {
            let lines =
                |[_, _, start, lines]: [u32; 4]| (lines > 0).then(|| start..=start + lines - 1);
            Some((file.new?, file.hunks.into_iter().filter_map(lines).collect()))
        };
        self.files(from, oid(head), 3).into_iter().filter_map(shown).collect()
    }

    fn commits(&self, base: &Sha, head: &Sha) -> Vec<Sha> {
        let mut walk = self.repository.0.revwalk().expect("a walk");
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE).expect("an order");
        walk.push(oid(head)).expect("a commit");
        walk.hide(oid(base)).expect("a commit");
        walk.map(|id| sha(id.expect("a commit"))).collect()
    }

    fn moves(&self, from: &Sha, to: &Sha) -> Moves {
        let moved = |file: FileDiff| {
            let edit = |[start, removed, _, added]: [u32; 4]| Edit { start, removed, added };
            let to = file.new.filter(|_| file.content == Content::Text);
            Some((file.old?, FileMove { to, edits: file.hunks.into_iter().map(edit).collect() }))
        };
        Moves(self.files(oid(from), oid(to), 0).into_iter().filter_map(moved).collect())
    }
}

impl RepoBuilder {
    fn files(&self, from: Oid, to: Oid, context: u32) -> Vec<FileDiff> {
        let (from, to) = (self.tree(from), self.tree(to));
        let mut options = DiffOptions::new();
        options.context_lines(context).interhunk_lines(0);
        let repository = &self.repository.0;
        let diff = repository.diff_tree_to_tree(Some(&from), Some(&to), Some(&mut options));
        let mut diff = diff.expect("a diff");
        diff.find_similar(Some(DiffFindOptions::new().renames(true))).expect("renames");
        (0..diff.deltas().len()).filter_map(|i| FileDiff::of(&diff, i)).collect()
    }
}

/// A changed file as git shows it.
struct FileDiff {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    content: Content,
    /// Old start, old lines, new start, new lines.
    hunks: Vec<[u32; 4]>,
}

#[derive(PartialEq)]
enum Content {
    Text,
    /// Binary, or a submodule: no lines.
    Opaque,
}

impl FileDiff {
    fn of(diff: &git2::Diff<'_>, i: usize) -> Option<Self> {
        let delta = diff.get_delta(i)?;
        let path = |file: git2::DiffFile<'_>| {
            let path = file.path().and_then(Path::to_str).and_then(|p| RepoPath::new(p).ok());
            path.filter(|_| !file.id().is_zero())
        };
        let (old, new) = (path(delta.old_file()), path(delta.new_file()));
        let submodule = delta.new_file().mode() == FileMode::Commit;
        let patch = git2::Patch::from_diff(diff, i).ok().flatten();
        let Some(patch) = patch.filter(|p| !submodule && !p.delta().flags().is_binary()) else {
            return Some(Self { old, new, content: Content::Opaque, hunks: Vec::new() });
        };
        let hunks = (0..patch.num_hunks())
            .filter_map(|n| patch.hunk(n).ok())
            .map(|(h, _)| [h.old_start(), h.old_lines(), h.new_start(), h.new_lines()])
            .collect();
        Some(Self { old, new, content: Content::Text, hunks })
    }
}
