//! From the paths of a report to paths in the repository. Nothing is ever opened here.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use rereview_core::ids::RepoPath;

/// Why a report's path names nothing in the repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOurs {
    /// It lies elsewhere: above the root, or absolute and not below the workspace.
    #[error("the path is outside the repository")]
    Outside,
    /// It is the repository itself.
    #[error("the path names no file")]
    NoFile,
    /// Such as `https:`.
    #[error("a `{0}:` address is not a file of the repository")]
    Scheme(String),
}

/// The folders that a report may call the repository's root: the workspace here, and where it
/// was when the report was made (`/github/workspace`, a runner's work folder).
#[derive(Clone, Debug)]
pub struct Roots(Vec<Vec<String>>);

impl Roots {
    /// The workspace and the other names of it. The longest that fits is stripped.
    pub fn new(workspace: &Path, others: &[PathBuf]) -> Self {
        let mut roots: Vec<Vec<String>> = std::iter::once(workspace)
            .chain(others.iter().map(PathBuf::as_path))
            .filter_map(|root| match Place::read(&root.to_string_lossy()) {
                Place::Absolute(parts) if !parts.is_empty() => Some(parts),
                Place::Absolute(_) | Place::Relative(_) | Place::Above => None,
            })
            .collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        Self(roots)
    }

    /// A path that is written plainly, with either separator.
    pub fn plain(&self, path: &str) -> Result<RepoPath, NotOurs> {
        let parts = match Place::read(path) {
            Place::Relative(parts) => parts,
            Place::Above => return Err(NotOurs::Outside),
            Place::Absolute(parts) => self.below_root(&parts).ok_or(NotOurs::Outside)?,
        };
        RepoPath::new(&parts.join("/")).map_err(|_| NotOurs::NoFile)
    }

    /// A `file:` URI, a relative reference, or a plain path where a URI should be: percent signs
    /// are decoded unless the result is no text. `%SRCROOT%/` is the root.
    pub fn uri(&self, uri: &str) -> Result<RepoPath, NotOurs> {
        let uri = uri.trim();
        let uri = match uri.strip_prefix("%SRCROOT%") {
            Some(below) => below.trim_start_matches(['/', '\\']),
            None => uri,
        };
        let path = match scheme(uri) {
            None => uri,
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => local(rest)?,
            Some((scheme, _)) => return Err(NotOurs::Scheme(scheme.to_ascii_lowercase())),
        };
        match percent_decode_str(path).decode_utf8() {
            Ok(decoded) => self.plain(&decoded),
            Err(_) => self.plain(path),
        }
    }

    fn below_root(&self, parts: &[String]) -> Option<Vec<String>> {
        self.0.iter().find_map(|root| {
            let (head, below) = parts.split_at_checked(root.len())?;
            // A Windows path has a drive first; there letter case says nothing.
            let windows = root.first().is_some_and(|part| part.ends_with(':'));
            let same = |(a, b): (&String, &String)| {
                if windows { a.eq_ignore_ascii_case(b) } else { a == b }
            };
            head.iter().zip(root).all(same).then(|| below.to_vec())
        })
    }
}

/// What stands before the first `:`; a single letter is a drive, not a scheme.
pub(super) fn scheme(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once(':')?;
    let letters = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    letters.then_some((scheme, rest))
}

/// The path of what follows `file:`. Another host's files are not ours.
fn local(rest: &str) -> Result<&str, NotOurs> {
    let Some(authority) = rest.strip_prefix("//") else {
        return Ok(rest);
    };
    let path = match authority.strip_prefix("localhost") {
        Some(path) if path.starts_with('/') => path,
        Some(_) | None => authority,
    };
    match path.strip_prefix('/') {
        // `file:///C:/x`: the slash before the drive is not part of the path.
        Some(below) if has_drive(below) => Ok(below),
        Some(_) => Ok(path),
        // `file://C:/x` and `file://C:\x` lack a slash.
        None if has_drive(path) => Ok(path),
        None => Err(NotOurs::Outside),
    }
}

fn has_drive(path: &str) -> bool {
    let mut chars = path.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    // The colon of a URI's drive may be encoded.
    letter && (chars.as_str().starts_with(':') || chars.as_str().starts_with("%3A"))
}

enum Place {
    Absolute(Vec<String>),
    Relative(Vec<String>),
    Above,
}

impl Place {
    /// Takes a path apart, with `.` and `..` worked out.
    fn read(path: &str) -> Self {
        let path = path.replace('\\', "/");
        let absolute = path.starts_with('/') || has_drive(&path);
        let mut parts: Vec<String> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Self::Above;
                    }
                }
                part => parts.push(part.to_owned()),
            }
        }
        if absolute { Self::Absolute(parts) } else { Self::Relative(parts) }
    }
}

#[cfg(test)]
mod tests;
