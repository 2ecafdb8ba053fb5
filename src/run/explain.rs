//! `rereview explain`: a finding's whole life; `rereview keys`: anchors and keys of places.

use std::fmt::Write as _;

use rereview_core::footer::{Footer, Marker};
use rereview_core::ids::{AgentName, FindingClass, RepoPath};
use rereview_core::key::{Anchor, FindingKey, SiteKey, Twin};
use rereview_core::model::{Snapshot, Trust};

use super::review::set_up;
use super::show;
use crate::error::Error;
use crate::git::Repository;
use crate::settings::cli::Keys;
use crate::syntax::Outline;

/// Everything that is known of the finding with this key, or on the thread with this address.
pub fn explain(snapshot: &Snapshot, wanted: &str, marker: &Marker) -> Result<String, Error> {
    let trust = Trust::new(&snapshot.viewer, []);
    let wanted = wanted.trim();
    let mut out = String::new();
    for thread in &snapshot.threads {
        let Some(root) = thread.comments.first() else { continue };
        let footers = Footer::parse_all(&root.body, marker);
        let by_key = wanted.len() >= 8
            && footers.iter().any(|footer| footer.key.to_string().starts_with(wanted));
        if !by_key && root.url != wanted && thread.id.as_str() != wanted {
            continue;
        }
        let line = thread.original_line.map(|line| format!(":{line}")).unwrap_or_default();
        let _ = writeln!(out, "{}{line}  {}", thread.path, root.url);
        for footer in &footers {
            let _ = writeln!(out, "  name: {} {}", footer.agent, footer.key);
        }
        if let Some(commit) = &thread.original_commit {
            let _ = writeln!(out, "  made on {commit}");
        }
        for comment in &thread.comments {
            let who =
                comment.author.as_ref().map_or("a deleted account".to_owned(), ToString::to_string);
            let kind = Footer::parse_all(&comment.body, marker).into_iter().find_map(|f| f.kind);
            let believed = trust.trusts(comment.author.as_ref());
            let what = match (kind, believed) {
                (Some(kind), true) => kind.as_str(),
                (Some(_), false) => "a footer that is not believed",
                (None, true) => "the finding",
                (None, false) => "an answer",
            };
            let first = show::visible(&comment.body).into_iter().next().unwrap_or_default();
            let _ = writeln!(out, "  {} {who}, {what}: {first}", comment.created_at);
        }
        let state = match (thread.resolved, &thread.resolved_by) {
            (false, _) => "it is open".to_owned(),
            (true, Some(by)) => format!("{by} resolved it"),
            (true, None) => "it is resolved, by a bot or a deleted account".to_owned(),
        };
        let _ = writeln!(out, "  {state}\n");
    }
    if out.is_empty() {
        return Err(Error::set_up(
            format!(
                "no thread has the key or address {:?}",
                rereview_core::text::one_line(wanted, 80)
            ),
            "a key needs its first 8 digits at least",
        ));
    }
    Ok(out)
}

/// Anchors and keys of places at the checked-out commit.
pub fn keys(flags: &Keys, repository: &Repository) -> Result<String, Error> {
    let agent = AgentName::new(&flags.agent).map_err(set_up)?;
    let class = FindingClass::from_rule(&flags.class);
    let head = repository.head()?.ok_or_else(|| {
        Error::set_up("the repository has no commit yet", "commit something first")
    })?;
    let mut out = String::new();
    for place in &flags.places {
        let (path, line) = match place.rsplit_once(':').map(|(p, l)| (p, l.parse::<u32>())) {
            Some((path, Ok(line))) => (path, Some(line)),
            Some((_, Err(_))) | None => (place.as_str(), None),
        };
        let path = RepoPath::new(path).map_err(set_up)?;
        let blob = repository.blob(&head.commit, &path)?.ok_or_else(|| {
            Error::set_up(format!("{path} is not in the checked-out commit"), "commit it first")
        })?;
        let outline = Outline::parse(path.as_str(), &blob.bytes);
        let text = String::from_utf8_lossy(&blob.bytes).into_owned();
        let content = match line {
            Some(line) => {
                let at = usize::try_from(line).unwrap_or(usize::MAX).wrapping_sub(1);
                let found = text.lines().nth(at);
                Some(found.ok_or_else(|| {
                    Error::set_up(format!("{path} has no line {line}"), "lines are counted from 1")
                })?)
            }
            None => None,
        };
        let anchor = Anchor::new(line.and_then(|line| outline.symbol(line)), content);
        let twin = Twin::first(class.clone());
        let _ = writeln!(
            out,
            "{place}\n  symbol       {}\n  fingerprint  {:?}\n  finding-key  {}\n  site-key     {}",
            show::harmless(&anchor.symbol),
            anchor.fingerprint,
            FindingKey::new(&agent, &path, &anchor, &twin),
            SiteKey::new(&path, &anchor),
        );
    }
    Ok(out)
}
