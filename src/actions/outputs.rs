//! Step outputs and the step summary: files that the runner reads.

use std::collections::hash_map::RandomState;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// Bytes of a step summary that the runner takes.
const LARGEST_SUMMARY: usize = 1024 * 1024;

/// Appends outputs, each behind a delimiter that nobody can guess.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, outputs: &[(&str, String)]) -> io::Result<()> {
    let mut text = String::new();
    for (name, value) in outputs {
        let mut delimiter = delimiter();
        while value.contains(&delimiter) {
            delimiter.push('x');
        }
        text.push_str(&format!("{name}<<{delimiter}\n{value}\n{delimiter}\n"));
    }
    append(path, text.as_bytes())
}

/// Appends to the step summary, within the runner's limit.
///
/// # Errors
/// The file cannot be written.
pub fn summarize(path: &Path, page: &str) -> io::Result<()> {
    let standing =
        std::fs::metadata(path).map_or(0, |meta| usize::try_from(meta.len()).unwrap_or(0));
    let room = LARGEST_SUMMARY.saturating_sub(standing + 2);
    let page = &page[..page.floor_char_boundary(room)];
    append(path, format!("{page}\n").as_bytes())
}

fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(bytes)
}

/// The standard library seeds every `RandomState` from the system.
fn delimiter() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("rereview_{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests;
