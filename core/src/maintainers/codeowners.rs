//! CODEOWNERS: the last matching pattern decides.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::ids::{Mention, RepoPath};

/// A user or `org/team`; e-mail addresses name nobody that a comment could call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner(pub Mention);

/// The rules of a CODEOWNERS file.
#[derive(Clone, Debug, Default)]
pub struct CodeOwners {
    rules: Vec<(GlobSet, Vec<Owner>)>,
}

impl CodeOwners {
    /// Where GitHub looks for it, in this order.
    pub const PLACES: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

    /// Reads a file. A line that cannot be read is skipped, as GitHub does.
    pub fn parse(text: &str) -> Self {
        Self { rules: text.lines().filter_map(rule).collect() }
    }

    /// The owners of a file, in the order of the line.
    pub fn owners(&self, path: &RepoPath) -> &[Owner] {
        let last = self.rules.iter().rev().find(|(pattern, _)| pattern.is_match(path.as_str()));
        last.map_or(&[], |(_, owners)| owners)
    }
}

fn rule(line: &str) -> Option<(GlobSet, Vec<Owner>)> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    let pattern = patterns(words.next()?)?;
    let owners = words
        .filter_map(|word| word.strip_prefix('@'))
        .filter_map(|name| Mention::new(name).ok().map(Owner))
        .collect();
    Some((pattern, owners))
}

/// gitignore's patterns, less `!` and `[…]`, which GitHub does not take.
fn patterns(pattern: &str) -> Option<GlobSet> {
    if pattern.starts_with('!') {
        return None;
    }
    let pattern = pattern.replace("\\#", "#").replace("\\ ", " ");
    let inner = pattern.trim_matches('/');
    let anchored = pattern.starts_with('/') || inner.contains('/');
    let base = if anchored { inner.to_owned() } else { format!("**/{inner}") };
    let mut set = GlobSetBuilder::new();
    if !pattern.ends_with('/') {
        set.add(glob(&base)?);
    }
    // A name without a wildcard may be a folder: all below it.
    let last = inner.rsplit('/').next().unwrap_or_default();
    if pattern.ends_with('/') || !last.contains('*') {
        set.add(glob(&format!("{base}/**"))?);
    }
    set.build().ok()
}

fn glob(pattern: &str) -> Option<Glob> {
    let escaped = pattern.replace('[', "\\[").replace('{', "\\{");
    GlobBuilder::new(&escaped).literal_separator(true).build().ok()
}
