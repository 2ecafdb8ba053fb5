//! The GraphQL documents. Every reply makes a review of its own, so reviews are read from both
//! ends, and our metadata also through the threads that hang on it (spec 80 §4).

/// A document with the fragments that threads and reviews are read by.
macro_rules! document {
    ($head:literal) => {
        concat!(
            $head,
            "
fragment who on Actor { __typename login }
fragment review on PullRequestReview {
  id fullDatabaseId body state submittedAt url
  author { ...who }
  commit { oid }
  comments(first: 1) { totalCount }
}
fragment thread on PullRequestReviewThread {
  id isResolved isOutdated path line originalLine
  viewerCanResolve viewerCanUnresolve
  resolvedBy { login }
  root: comments(first: 1) {
    nodes {
      commit { oid }
      originalCommit { oid }
      pullRequestReview { ...review }
    }
  }
  comments(first: 50) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id fullDatabaseId body createdAt url
      author { ...who }
      replyTo { id }
      pullRequestReview { fullDatabaseId }
    }
  }
}
"
        )
    };
}

/// Everything, with the first page of threads.
pub(super) const READ: &str = document!(
    "query Read($owner: String!, $name: String!, $number: Int!, $threads: Int!, $reviews: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number url state isDraft headRefOid baseRefOid baseRefName
      author { ...who }
      reviewThreads(first: $threads) {
        pageInfo { hasNextPage endCursor }
        nodes { ...thread }
      }
      oldest: reviews(first: $reviews) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { ...review }
      }
      newest: reviews(last: $reviews) { nodes { ...review } }
    }
  }
}"
);

/// A further page of threads.
pub(super) const THREADS: &str = document!(
    "query Threads($owner: String!, $name: String!, $number: Int!, $threads: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: $threads, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { ...thread }
      }
    }
  }
}"
);

/// A further page of a thread's comments.
pub(super) const COMMENTS: &str = "query Comments($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id fullDatabaseId body createdAt url
          author { __typename login }
          replyTo { id }
          pullRequestReview { fullDatabaseId }
        }
      }
    }
  }
}";

/// A further page of reviews.
pub(super) const REVIEWS: &str =
    "query Reviews($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id fullDatabaseId body state submittedAt url
          author { __typename login }
          commit { oid }
          comments(first: 1) { totalCount }
        }
      }
    }
  }
}";

/// The last look before the first write.
pub(super) const GLANCE: &str =
    "query Glance($owner: String!, $name: String!, $number: Int!, $ids: [ID!]!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { headRefOid state }
  }
  nodes(ids: $ids) { ... on PullRequestReview { body } }
}";
