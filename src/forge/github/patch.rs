//! Where GitHub takes inline comments, read from the patches that it shows.

use std::ops::RangeInclusive;

use rereview_core::ids::{PrNumber, RepoPath};
use serde::Deserialize;

use super::GitHub;
use super::client::JSON;
use super::retry::Task;
use crate::forge::{ForgeError, ShownLines};

const FILES: Task = Task {
    name: "list the changed files",
    subject: "the pull request",
    permission: "pull-requests: read",
};

#[derive(Deserialize)]
struct File {
    filename: String,
    #[serde(default)]
    patch: Option<String>,
}

/// GitHub lists at most 3,000 files; one without a patch takes no comment.
pub(super) async fn shown_lines(github: &GitHub, pull: PrNumber) -> Result<ShownLines, ForgeError> {
    let mut shown = ShownLines::new();
    for page in 1..=30 {
        let path = github.path(&format!("/pulls/{pull}/files?per_page=100&page={page}"));
        let answer = github.get(&path, JSON, FILES).await?;
        let files: Vec<File> = serde_json::from_slice(&answer.body).map_err(|error| {
            ForgeError::Garbled { task: FILES.name.to_owned(), cause: error.to_string() }
        })?;
        let full = files.len() == 100;
        for file in files {
            if let (Ok(path), Some(patch)) = (RepoPath::new(&file.filename), &file.patch) {
                shown.insert(path, ranges(patch));
            }
        }
        if !full {
            break;
        }
    }
    Ok(shown)
}

/// The runs of new lines that a patch shows, by its hunk headers and their counts: a line of the
/// text may look like a header (case G01).
fn ranges(patch: &str) -> Vec<RangeInclusive<u32>> {
    let mut ranges = Vec::new();
    let (mut old_left, mut new_left) = (0_u32, 0_u32);
    for line in patch.split('\n') {
        if old_left > 0 || new_left > 0 {
            match line.as_bytes().first() {
                Some(b'-') => old_left = old_left.saturating_sub(1),
                Some(b'+') => new_left = new_left.saturating_sub(1),
                Some(b'\\') => {}
                Some(_) | None => {
                    old_left = old_left.saturating_sub(1);
                    new_left = new_left.saturating_sub(1);
                }
            }
            continue;
        }
        let Some((old, new)) = header(line) else { continue };
        (old_left, new_left) = (old.1, new.1);
        if new.1 > 0 {
            ranges.push(new.0..=new.0 + new.1 - 1);
        }
    }
    ranges
}

type Span = (u32, u32);

fn header(line: &str) -> Option<(Span, Span)> {
    let (spans, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = spans.split_once(" +")?;
    let span = |text: &str| -> Option<Span> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    Some((span(old)?, span(new)?))
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn lines_that_look_like_headers_are_lines() {
        for (patch, expected) in [
            (
                "@@ -1,4 +1,4 @@\n--- old note\n+-- new note\n a\n b\n c\n@@ -7 +7,2 @@\n x\n+++ n",
                "1-4 7-8",
            ),
            ("@@ -0,0 +1 @@\n+a\n\\ No newline at end of file", "1-1"),
            ("@@ -1,2 +0,0 @@\n-a\n-b", ""),
            ("@@ -1,2 +1,2 @@ fn f\n-@@ -9,9 +9,9 @@\n+@@ -8,8 +8,8 @@\n c", "1-2"),
        ] {
            let found: Vec<String> =
                ranges(patch).iter().map(|r| format!("{}-{}", r.start(), r.end())).collect();
            assert_eq!(found.join(" "), expected, "{patch}");
        }
    }
}
