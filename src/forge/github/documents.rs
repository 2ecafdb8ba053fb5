//! The GraphQL documents, checked against GitHub's published schema.

/// One page of everything: up to 100 threads with their first comments, and up to 100 reviews
/// from either end. Every reply makes a review of its own, so a long-lived pull request has
/// thousands; what matters is at the ends (spec 80 §4).
pub(super) const INVENTORY: &str = r"
query Inventory(
  $owner: String!, $name: String!, $number: Int!, $page: Int!,
  $threads: Boolean!, $after: String, $reviews: Boolean!, $oldest: String, $newest: String,
  $ids: [ID!]!
) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number url state isDraft headRefOid baseRefOid baseRefName
      author { __typename login }
      reviewThreads(first: $page, after: $after) @include(if: $threads) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id path line originalLine isResolved isOutdated viewerCanResolve viewerCanUnresolve
          resolvedBy { login }
          root: comments(first: 1) {
            nodes { commit { oid } originalCommit { oid } pullRequestReview { id } }
          }
          comments(first: $page) {
            pageInfo { hasNextPage endCursor }
            nodes { ...comment }
          }
        }
      }
      oldest: reviews(first: $page, after: $oldest) @include(if: $reviews) {
        pageInfo { hasNextPage endCursor }
        nodes { ...review }
      }
      newest: reviews(last: $page, before: $newest) @include(if: $reviews) {
        pageInfo { startCursor }
        nodes { ...review }
      }
      pending: reviews(first: 10, states: [PENDING]) @include(if: $reviews) {
        nodes { ...review comments(first: 1) { totalCount } }
      }
    }
  }
  nodes(ids: $ids) { ... on PullRequestReview { ...review } }
}
";

/// Fields of a comment.
pub(super) const COMMENT: &str = r"
fragment comment on PullRequestReviewComment {
  id fullDatabaseId body createdAt url
  author { __typename login }
  replyTo { id }
  pullRequestReview { fullDatabaseId }
}
";

/// Fields of a review.
pub(super) const REVIEW: &str = r"
fragment review on PullRequestReview {
  id fullDatabaseId body state submittedAt url
  author { __typename login }
  commit { oid }
}
";

/// Head, state, and the bodies of some reviews.
pub(super) const GLANCE: &str = r"
query Glance($owner: String!, $name: String!, $number: Int!, $ids: [ID!]!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { headRefOid state }
  }
  nodes(ids: $ids) { ... on PullRequestReview { body } }
}
";

/// Open pull requests.
pub(super) const OPEN_PULLS: &str = r"
query OpenPulls($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: [OPEN], first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { number isDraft headRefOid baseRefOid baseRefName }
    }
  }
}
";

/// The next comments of that many threads; thread `n` is `$i{n}`, its cursor `$c{n}`.
pub(super) fn more_comments(threads: usize) -> String {
    let variables = each(threads, |n| format!("$i{n}: ID!, $c{n}: String, "));
    let fields = each(threads, |n| {
        format!(
            "t{n}: node(id: $i{n}) {{ ... on PullRequestReviewThread {{ \
             comments(first: $page, after: $c{n}) {{ \
             pageInfo {{ hasNextPage endCursor }} nodes {{ ...comment }} }} }} }}\n"
        )
    });
    format!("query Comments({variables}$page: Int!) {{\n{fields}}}\n{COMMENT}")
}

fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}
