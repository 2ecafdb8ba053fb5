//! Identity: which finding of today is which one of before (spec 20 §4). One to one, or not at all.

use std::collections::BTreeMap;

use crate::ids::RepoPath;
use crate::inventory::Prior;
use crate::lines::Mapped;
use crate::model::{CommitMaps, FileFacts, Finding, IdentityRule};

/// Who is who. Indexes go into the priors and findings that were matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    findings: Vec<Option<usize>>,
    priors: Vec<Option<usize>>,
}

impl Matches {
    fn new(priors: usize, findings: usize) -> Self {
        Self { findings: vec![None; priors], priors: vec![None; findings] }
    }

    /// The finding that a prior is today.
    pub fn finding_of(&self, prior: usize) -> Option<usize> {
        self.findings.get(prior).copied().flatten()
    }

    /// The prior that a finding was.
    pub fn prior_of(&self, finding: usize) -> Option<usize> {
        self.priors.get(finding).copied().flatten()
    }

    fn pair(&mut self, prior: usize, finding: usize) {
        self.findings[prior] = Some(finding);
        self.priors[finding] = Some(prior);
    }

    fn is_free(&self, prior: usize, finding: usize) -> bool {
        self.findings[prior].is_none() && self.priors[finding].is_none()
    }
}

/// Matches prior findings of one agent with today's.
pub fn match_up(
    rule: IdentityRule,
    priors: &[Prior],
    findings: &[Finding],
    maps: &CommitMaps,
    _files: &BTreeMap<RepoPath, FileFacts>,
) -> Matches {
    let mut matches = Matches::new(priors.len(), findings.len());
    let mut order: Vec<usize> = (0..priors.len()).filter(|at| priors[*at].newest).collect();
    // Settled threads take part last.
    order.sort_by_key(|at| priors[*at].facts.resolved);
    if rule == IdentityRule::Lines {
        for at in &order {
            by_line(*at, &priors[*at], findings, maps, &mut matches);
        }
    }
    for at in &order {
        let found = findings.iter().enumerate().find(|(finding, f)| {
            matches.is_free(*at, *finding) && priors[*at].keys.iter().any(|key| key.names(&f.key))
        });
        if let Some((finding, _)) = found {
            matches.pair(*at, finding);
        }
    }
    matches
}

fn by_line(
    at: usize,
    prior: &Prior,
    findings: &[Finding],
    maps: &CommitMaps,
    matches: &mut Matches,
) {
    let Some(diff) = prior.last.commit.as_ref().and_then(|commit| maps.0.get(commit)) else {
        return;
    };
    let (path, line) = match prior.last.line {
        Some(line) => match diff.map_line(&prior.last.path, line) {
            Mapped::Same { path, line } => (path, Some(line)),
            Mapped::Changed { .. } | Mapped::Gone => return,
        },
        None => (&prior.last.path, None),
    };
    let class = prior.class.as_ref().map(crate::key::Twin::class);
    let found = findings.iter().enumerate().find(|(finding, f)| {
        matches.is_free(at, *finding)
            && f.reported.path == *path
            && f.reported.lines.map(|lines| lines.first) == line
            && class.is_none_or(|class| *class == f.reported.class)
    });
    if let Some((finding, _)) = found {
        matches.pair(at, finding);
    }
}
