//! Which files the `reports` globs name: below the workspace, links not followed, in order.

use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Folders that no report lies in and that are too large to walk by accident.
const PASSED_OVER: [&str; 2] = [".git", "node_modules"];
/// Folders and files that are looked at, at most.
const MOST: usize = 200_000;

/// Why globs name no files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// A pattern that is none.
    #[error("`{pattern}` is not a pattern: {reason}")]
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The files that the patterns name, sorted. A pattern without a wildcard names one file.
///
/// # Errors
/// [`GlobError::Pattern`].
pub fn expand(workspace: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, GlobError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let plain = pattern.trim().trim_start_matches("./");
        let glob = GlobBuilder::new(plain).literal_separator(true).build().map_err(|error| {
            GlobError::Pattern { pattern: pattern.clone(), reason: error.kind().to_string() }
        })?;
        set.add(glob);
    }
    let set = set.build().map_err(|error| GlobError::Pattern {
        pattern: patterns.join(", "),
        reason: error.to_string(),
    })?;
    let mut found = Vec::new();
    let mut left = MOST;
    walk(workspace, Path::new(""), &set, &mut found, &mut left);
    found.sort();
    Ok(found)
}

fn walk(root: &Path, below: &Path, set: &GlobSet, found: &mut Vec<PathBuf>, left: &mut usize) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = below.join(entry.file_name());
        // The kind of the entry itself: a link is neither file nor folder.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                let name = entry.file_name();
                if !PASSED_OVER.iter().any(|passed| name == *passed) {
                    walk(root, &path, set, found, left);
                }
            }
            Ok(kind) if kind.is_file() && set.is_match(&path) => found.push(root.join(&path)),
            Ok(_) | Err(_) => {}
        }
    }
}
