//! The report files in the workspace: finds them by glob, and reads them within bounds.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::LARGEST;

/// Files and folders that are looked at before the search is given up.
const MOST_ENTRIES: usize = 500_000;
/// Files that may match.
const MOST_MATCHES: usize = 1_000;

/// Why reports cannot be found or read.
#[derive(Debug, thiserror::Error)]
pub enum GlobError {
    /// Not a glob.
    #[error("`{pattern}` is not a pattern of file names: {reason}")]
    Pattern {
        /// As it was given.
        pattern: String,
        /// In words.
        reason: String,
    },
    /// The pattern leads out of the workspace.
    #[error("`{0}` is not in the workspace: reports are looked for below it only")]
    Outside(String),
    /// The search was given up.
    #[error("{0}")]
    TooMany(String),
    /// A file or folder cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Io {
        /// Relative to the workspace.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

/// The patterns in an input: one a line, or separated by commas outside of braces.
pub fn patterns(input: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let separates = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\n' => depth = 0,
            _ => {}
        }
        c == '\n' || (c == ',' && depth == 0)
    };
    let parts = input.split(separates).map(str::trim);
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The files that any of the patterns fits, relative to the workspace, sorted. `*` stops at `/`,
/// `**` does not. A pattern that begins with a `.`-folder's name finds it, others do not search
/// `.git`. Links are followed only to files below the workspace, and never to folders.
pub fn expand(workspace: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, GlobError> {
    let real = fs::canonicalize(workspace).map_err(|error| io(Path::new("."), error))?;
    let mut set = GlobSetBuilder::new();
    let mut starts = BTreeSet::new();
    for pattern in patterns {
        let relative = relative(workspace, &real, pattern)?;
        let invalid = |e: &globset::Error| GlobError::Pattern {
            pattern: pattern.clone(),
            reason: e.kind().to_string(),
        };
        let glob = GlobBuilder::new(&relative).literal_separator(true).build();
        set.add(glob.map_err(|e| invalid(&e))?);
        starts.insert(literal_start(&relative));
    }
    let set = set.build().map_err(|e| GlobError::Pattern {
        pattern: patterns.join(", "),
        reason: e.kind().to_string(),
    })?;
    let mut search = Search { workspace: &real, set, seen: 0, found: BTreeSet::new() };
    for start in &starts {
        search.visit(start)?;
    }
    Ok(search.found.into_iter().collect())
}

/// Reads a file that [`expand`] found; a larger one than a report may be is cut one byte beyond,
/// which [`super::parse`] refuses.
pub fn read(workspace: &Path, file: &Path) -> Result<Vec<u8>, GlobError> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST).unwrap_or(u64::MAX).saturating_add(1);
    fs::File::open(workspace.join(file))
        .and_then(|opened| opened.take(most).read_to_end(&mut bytes))
        .map_err(|error| io(file, error))?;
    Ok(bytes)
}

fn io(path: &Path, error: std::io::Error) -> GlobError {
    GlobError::Io { path: path.display().to_string(), error }
}

/// A pattern below the workspace, with `/`, without `./` and what leads out.
fn relative(workspace: &Path, real: &Path, pattern: &str) -> Result<String, GlobError> {
    let path = Path::new(pattern);
    let below = if path.is_absolute() {
        let below = path.strip_prefix(workspace).or_else(|_| path.strip_prefix(real));
        below.map_err(|_| GlobError::Outside(pattern.to_owned()))?
    } else {
        path
    };
    let mut parts = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(GlobError::Outside(pattern.to_owned()));
            }
        }
    }
    Ok(parts.join("/"))
}

/// The folders at the beginning of a pattern that have no wildcard: the search begins there.
fn literal_start(pattern: &str) -> PathBuf {
    let plain = |part: &&str| !part.contains(['*', '?', '[', ']', '{', '}', '\\']);
    pattern.split('/').take_while(plain).collect()
}

struct Search<'a> {
    workspace: &'a Path,
    set: GlobSet,
    seen: usize,
    found: BTreeSet<PathBuf>,
}

impl Search<'_> {
    fn visit(&mut self, start: &Path) -> Result<(), GlobError> {
        // A link in the start of a pattern could lead out.
        let Ok(real) = fs::canonicalize(self.workspace.join(start)) else { return Ok(()) };
        if !real.starts_with(self.workspace) {
            return Err(GlobError::Outside(start.display().to_string()));
        }
        if real.is_file() {
            return self.take(start);
        }
        let mut folders = vec![start.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(self.workspace.join(&folder));
            for entry in entries.map_err(|error| io(&folder, error))? {
                let entry = entry.map_err(|error| io(&folder, error))?;
                let path = folder.join(entry.file_name());
                let kind = entry.file_type().map_err(|error| io(&path, error))?;
                self.seen += 1;
                if self.seen > MOST_ENTRIES {
                    let why = format!("more than {MOST_ENTRIES} files: name the reports' folder");
                    return Err(GlobError::TooMany(why));
                }
                if kind.is_dir() && entry.file_name() != ".git" {
                    folders.push(path);
                } else if kind.is_file() || (kind.is_symlink() && self.is_own_file(&path)) {
                    self.take(&path)?;
                }
            }
        }
        Ok(())
    }

    fn is_own_file(&self, link: &Path) -> bool {
        fs::canonicalize(self.workspace.join(link))
            .is_ok_and(|real| real.starts_with(self.workspace) && real.is_file())
    }

    fn take(&mut self, path: &Path) -> Result<(), GlobError> {
        if self.set.is_match(path) {
            self.found.insert(path.to_owned());
        }
        if self.found.len() > MOST_MATCHES {
            return Err(GlobError::TooMany(format!("more than {MOST_MATCHES} reports")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
