//! Short looks at GitHub: the head before the first write, and what is open.

use rereview_core::ids::{NodeId, PrNumber};
use serde::Deserialize;
use serde_json::json;

use super::answers::{PullStateName, Repository};
use super::documents;
use super::graphql::Tolerate;
use super::nodes::{Page, sha};
use super::read::{READ, garbled, missing};
use super::retry::Task;
use super::{GitHub, OpenPull};
use crate::forge::{ForgeError, Glance};

const LIST: Task = Task {
    name: "list the open pull requests",
    subject: "the repository",
    permission: "pull-requests: read",
};

/// The second look, right before the first write.
pub(super) async fn glance(
    github: &GitHub,
    pull: PrNumber,
    reviews: &[NodeId],
) -> Result<Glance, ForgeError> {
    let variables = json!({
        "owner": github.repo.owner(), "name": github.repo.name(), "number": pull.0,
        "ids": reviews,
    });
    let seen: Glanced =
        github.query(documents::GLANCE, &variables, READ, Tolerate::GoneNodes).await?;
    let pull =
        seen.repository.and_then(|repository| repository.pull_request).ok_or_else(missing)?;
    Ok(Glance {
        head: sha(&pull.head_ref_oid).map_err(garbled)?,
        state: pull.state.into(),
        bodies: seen.nodes.into_iter().map(|review| review?.body).collect(),
    })
}

/// Every open pull request.
pub(super) async fn open_pulls(github: &GitHub) -> Result<Vec<OpenPull>, ForgeError> {
    let mut pulls = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let variables = json!({
            "owner": github.repo.owner(), "name": github.repo.name(), "after": after,
        });
        let answer: OpenPulls =
            github.query(documents::OPEN_PULLS, &variables, LIST, Tolerate::Nothing).await?;
        let page = answer
            .repository
            .ok_or_else(|| ForgeError::NotFound { what: LIST.subject.to_owned() })?
            .pull_requests;
        for pull in page.nodes.into_iter().flatten() {
            pulls.push(OpenPull {
                number: PrNumber(pull.number),
                draft: pull.is_draft,
                head: sha(&pull.head_ref_oid).map_err(garbled)?,
                base: sha(&pull.base_ref_oid).map_err(garbled)?,
                base_ref: pull.base_ref_name,
            });
        }
        after = page.page_info.next().map_err(garbled)?;
        if after.is_none() {
            return Ok(pulls);
        }
    }
}

/// The second look.
#[derive(Debug, Deserialize)]
struct Glanced {
    repository: Option<Repository<GlancedPull>>,
    nodes: Vec<Option<GlancedReview>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GlancedPull {
    head_ref_oid: String,
    state: PullStateName,
}

#[derive(Debug, Deserialize)]
struct GlancedReview {
    body: Option<String>,
}

/// Open pull requests.
#[derive(Debug, Deserialize)]
struct OpenPulls {
    repository: Option<PullList>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PullList {
    pull_requests: Page<OpenPullNode>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenPullNode {
    number: u64,
    is_draft: bool,
    head_ref_oid: String,
    base_ref_oid: String,
    base_ref_name: String,
}
