//! What phase B needs of the trees: diffs, lines and outlines at the head (spec 30).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rereview_core::ids::{RepoPath, Sha};
use rereview_core::lines::{Content, TreeDiff};
use rereview_core::model::{CommitMaps, Delta, FileFacts, Reported, TreeFacts};

use crate::git::{BlobKind, GitError, Repository};
use crate::syntax::Outline;

/// The trees of one pull request at one head. Every file is read and parsed once, however many
/// agents speak of it.
#[derive(Debug)]
pub struct Trees<'a> {
    repository: &'a Repository,
    head: Sha,
    pr: TreeDiff,
    files: RefCell<BTreeMap<RepoPath, Option<Rc<Source>>>>,
    diffs: RefCell<BTreeMap<Sha, Option<TreeDiff>>>,
}

/// A text file at the head.
#[derive(Debug)]
pub struct Source {
    text: String,
    /// Byte offset of each line's beginning.
    starts: Vec<usize>,
    outline: Outline,
}

impl Source {
    fn new(path: &RepoPath, bytes: &[u8]) -> Self {
        let outline = Outline::parse(path.as_str(), bytes);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut starts: Vec<usize> = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, starts, outline }
    }

    /// A line's text without its end; lines are counted from 1.
    pub fn line(&self, line: u32) -> Option<&str> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(start..end)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// How many lines there are.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its definitions and calls.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }
}

impl<'a> Trees<'a> {
    /// The trees between the base's merge base and the head.
    pub fn new(repository: &'a Repository, base: &Sha, head: &Sha) -> Result<Self, GitError> {
        Ok(Self {
            pr: repository.three_dot(base, head)?,
            repository,
            head: head.clone(),
            files: RefCell::default(),
            diffs: RefCell::default(),
        })
    }

    /// The commit under review.
    pub fn head(&self) -> &Sha {
        &self.head
    }

    /// The pull request's diff.
    pub fn pr(&self) -> &TreeDiff {
        &self.pr
    }

    /// A text file at the head; `None`: no such file, or one without lines (spec 30).
    pub fn source(&self, path: &RepoPath) -> Result<Option<Rc<Source>>, GitError> {
        if let Some(known) = self.files.borrow().get(path) {
            return Ok(known.clone());
        }
        let source = self
            .repository
            .blob(&self.head, path)?
            .filter(|blob| match blob.kind {
                BlobKind::File | BlobKind::Executable => !is_binary(&blob.bytes),
                BlobKind::Symlink | BlobKind::Submodule => false,
            })
            .map(|blob| Rc::new(Source::new(path, &blob.bytes)));
        self.files.borrow_mut().insert(path.clone(), source.clone());
        Ok(source)
    }

    /// Whether the head has something at this path.
    pub fn exists(&self, path: &RepoPath) -> Result<bool, GitError> {
        Ok(self.repository.blob(&self.head, path)?.is_some())
    }

    /// From an earlier commit to the head; `None` when that commit cannot be had.
    fn diff_from(&self, commit: &Sha) -> Result<Option<TreeDiff>, GitError> {
        if let Some(known) = self.diffs.borrow().get(commit) {
            return Ok(known.clone());
        }
        let diff = if self.repository.has_commit(commit) {
            Some(self.repository.tree_diff(commit, &self.head)?)
        } else {
            None
        };
        self.diffs.borrow_mut().insert(commit.clone(), diff.clone());
        Ok(diff)
    }

    /// The maps that matching needs, from each of these commits.
    pub fn maps(&self, commits: &BTreeSet<Sha>) -> Result<CommitMaps, GitError> {
        let mut maps = BTreeMap::new();
        for commit in commits {
            if let Some(diff) = self.diff_from(commit)? {
                maps.insert(commit.clone(), diff);
            }
        }
        Ok(CommitMaps(maps))
    }

    /// What one agent's findings need, scoped to what changed since its last run.
    pub fn facts(
        &self,
        reported: &[Reported],
        last_reviewed: Option<&Sha>,
    ) -> Result<TreeFacts, GitError> {
        let changed = self.pr.files().iter().filter_map(|file| match file.content {
            Content::Text => file.new_path.clone(),
            Content::Binary
            | Content::Submodule
            | Content::Symlink
            | Content::LfsPointer
            | Content::ModeOnly => None,
        });
        let mut files: BTreeMap<RepoPath, FileFacts> = BTreeMap::new();
        let spoken_of = reported.iter().map(|reported| reported.path.clone());
        for path in changed.chain(spoken_of) {
            if files.contains_key(&path) {
                continue;
            }
            let facts = match self.source(&path)? {
                Some(source) => FileFacts {
                    line_count: source.line_count(),
                    lines: BTreeMap::new(),
                    definitions: source.outline().definitions().to_vec(),
                    calls: source.outline().calls().to_vec(),
                },
                // A file without lines can still have findings about the whole of it.
                None if self.repository.blob(&self.head, &path)?.is_some() => FileFacts::default(),
                None => continue,
            };
            files.insert(path, facts);
        }
        for finding in reported {
            let Some(lines) = finding.lines else { continue };
            let Some(source) = self.source(&finding.path)? else { continue };
            if let (Some(facts), Some(text)) =
                (files.get_mut(&finding.path), source.line(lines.first))
            {
                facts.lines.insert(lines.first, text.to_owned());
            }
        }
        Ok(TreeFacts {
            head: self.head.clone(),
            pr: self.pr.clone(),
            delta: self.delta(last_reviewed)?,
            files,
        })
    }

    /// Always wide on doubt, never narrow (spec 30 "Re-review scope").
    fn delta(&self, last_reviewed: Option<&Sha>) -> Result<Delta, GitError> {
        let everything = |why: &str| Ok(Delta::Everything { why: why.to_owned() });
        let Some(last) = last_reviewed else { return everything("no earlier head was reviewed") };
        if *last == self.head {
            return everything("the head was reviewed before");
        }
        if !self.repository.has_commit(last) {
            return everything("the last reviewed head cannot be had any more");
        }
        match self.repository.three_dot(last, &self.head) {
            Ok(diff) => Ok(Delta::Since(diff)),
            Err(GitError::NoMergeBase { .. }) => {
                everything("the last reviewed head and this one have no common history")
            }
            Err(error) => Err(error),
        }
    }
}

/// A NUL among the first 8,000 bytes, as git decides.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0)
}
