//! Where a result is: base ids, artifact indexes, regions.

use rereview_core::ids::RepoPath;

use super::document::{ArtifactLocation, PhysicalLocation, Run, SarifRegion};
use super::rules::get;
use crate::reviewers::paths::{NotOurs, Roots, scheme};
use crate::reviewers::report::Region;

/// Base ids that may be built on each other.
const DEEPEST: usize = 16;

/// The address of a location and its base id, as the report writes them: the location's own, or
/// those of the artifact that it points to.
pub(super) fn address<'a>(
    run: &'a Run,
    location: &'a ArtifactLocation,
) -> Option<(&'a str, Option<&'a str>)> {
    let artifact = || get(&run.artifacts, location.index).map(|artifact| &artifact.location);
    let written = match &location.uri {
        Some(_) => location,
        None => artifact()?,
    };
    written.uri.as_deref().map(|uri| (uri, written.uri_base_id.as_deref()))
}

/// The file at an address. A base id that the run does not explain is the repository's root; so
/// is one that is called so (`%SRCROOT%` and the like) when what explains it is a folder of the
/// machine that the report was made on.
pub(super) fn resolve(
    run: &Run,
    roots: &Roots,
    (uri, base): (&str, Option<&str>),
) -> Result<RepoPath, NotOurs> {
    let mut joined = uri.to_owned();
    let mut next = base;
    for _ in 0..DEEPEST {
        let absolute = scheme(&joined).is_some() || joined.starts_with('/');
        let Some(id) = next.filter(|_| !absolute) else { break };
        let Some(location) = run.original_uri_base_ids.get(id) else { break };
        let Some(above) = location.uri.as_deref().filter(|above| !above.is_empty()) else {
            next = location.uri_base_id.as_deref();
            continue;
        };
        let whole = format!("{}/{joined}", above.trim_end_matches('/'));
        if names_root(id) && location.uri_base_id.is_none() {
            return roots.uri(&whole).or_else(|_| roots.uri(&joined));
        }
        joined = whole;
        next = location.uri_base_id.as_deref();
    }
    roots.uri(&joined)
}

fn names_root(id: &str) -> bool {
    let name = id.trim_matches('%').to_ascii_uppercase();
    matches!(name.as_str(), "SRCROOT" | "ROOTPATH" | "PROJECTROOT" | "REPOROOT" | "REPO_ROOT")
}

/// The region of a SARIF region, which may be missing.
pub(super) fn region(region: &SarifRegion) -> Option<Region> {
    Region::new(region.start_line, region.start_column, region.end_line, region.end_column)
}

/// The text that the region begins with: its own snippet, else its lines of the context's.
pub(super) fn snippet(place: &PhysicalLocation) -> Option<String> {
    let own = &place.region.snippet.text;
    if !own.trim().is_empty() {
        return Some(own.clone());
    }
    let (lines, context) = (region(&place.region)?.lines(), region(&place.context_region)?);
    let skip = usize::try_from(lines.first.checked_sub(context.start_line)?).ok()?;
    let take = usize::try_from(lines.last - lines.first).ok()? + 1;
    let quoted = &place.context_region.snippet.text;
    let text = quoted.lines().skip(skip).take(take).collect::<Vec<_>>().join("\n");
    (!text.trim().is_empty()).then_some(text)
}
