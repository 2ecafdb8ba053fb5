//! Phase A on GitHub: every thread with every comment, and every review that can be ours.
//!
//! One request serves 100 threads, and 100 reviews from either end. If reviews are left in
//! between when the threads are through and a marker of our own is still missing, one more
//! request asks for those that own threads hang on, and for the next from either end; the rest
//! is not paged (spec 80 §4). Metadata that this misses is of an agent without a thread.

use std::collections::{BTreeMap, BTreeSet};

use rereview_core::ids::{Account, NodeId, PrNumber, ThreadId};
use rereview_core::model::{Comment, PullRequest, Review, Snapshot, Thread, Viewer};
use serde_json::json;

use super::GitHub;
use super::answers::{Inventory, MoreComments, PartOfThread, PullNode, ReviewNode};
use super::documents;
use super::graphql::Tolerate;
use super::nodes::Page;
use super::retry::{Patience, Task, Trouble};
use crate::forge::ForgeError;

pub(super) const READ: Task = Task {
    name: "read the pull request",
    subject: "the pull request",
    permission: "pull-requests: read",
};

/// Threads whose comments are continued in one request.
const THREADS_AT_ONCE: usize = 20;
/// Nodes that GitHub looks up in one request.
const IDS_AT_ONCE: usize = 100;

/// Everything of phase A.
pub(super) async fn snapshot(github: &GitHub, pull: PrNumber) -> Result<Snapshot, ForgeError> {
    let mut reading = Reading::new(github, pull);
    while reading.threads_wanted() || reading.reviews_wanted() == Wanted::All {
        reading.page(&[]).await?;
    }
    if reading.reviews_wanted() == Wanted::OneMorePage {
        let ids = reading.reviews_of_own_threads();
        reading.page(&ids).await?;
    }
    reading.rest_of_comments().await?;
    reading.finish()
}

/// How many of everything a request asks for: less after each answer that GitHub could not give
/// (case G07 d), and never more again.
#[derive(Clone, Copy, Debug)]
struct PageSize(u32);

impl PageSize {
    fn shrink(&mut self) {
        self.0 = (self.0 / 2).max(25);
    }
}

/// How far a connection was read.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Start,
    After(String),
    End,
}

impl Place {
    fn cursor(&self) -> Option<&str> {
        match self {
            Self::After(cursor) => Some(cursor),
            Self::Start | Self::End => None,
        }
    }

    fn of(next: Option<String>) -> Self {
        next.map_or(Self::End, Self::After)
    }
}

/// What of the unread reviews is needed once the threads are through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Nothing,
    OneMorePage,
    All,
}

struct Reading<'a> {
    github: &'a GitHub,
    number: PrNumber,
    size: PageSize,
    head: Option<(Viewer, PullRequest)>,
    threads: Vec<PartOfThread>,
    thread_ids: BTreeSet<ThreadId>,
    threads_at: Place,
    reviews: BTreeMap<u64, Review>,
    /// Where the two ends of the reviews stand; `End` in both when they have met.
    oldest_at: Place,
    newest_at: Place,
}

impl<'a> Reading<'a> {
    fn new(github: &'a GitHub, number: PrNumber) -> Self {
        Self {
            github,
            number,
            size: PageSize(100),
            head: None,
            threads: Vec::new(),
            thread_ids: BTreeSet::new(),
            threads_at: Place::Start,
            reviews: BTreeMap::new(),
            oldest_at: Place::Start,
            newest_at: Place::Start,
        }
    }

    fn threads_wanted(&self) -> bool {
        self.threads_at != Place::End
    }

    fn reviews_wanted(&self) -> Wanted {
        let found = |marker: &String| {
            self.reviews.values().any(|r| self.is_own(r.author.as_ref()) && r.body.contains(marker))
        };
        let markers = &self.github.markers;
        if self.oldest_at == Place::End {
            Wanted::Nothing
        } else if markers.is_empty() {
            Wanted::All
        } else if markers.iter().all(found) {
            Wanted::Nothing
        } else {
            Wanted::OneMorePage
        }
    }

    fn is_own(&self, author: Option<&Account>) -> bool {
        self.head.as_ref().is_some_and(|(viewer, _)| author == Some(&viewer.0))
    }

    /// Reads the next page of what is not at its end, and some reviews by id.
    async fn page(&mut self, ids: &[NodeId]) -> Result<(), ForgeError> {
        let mut patience = Patience::new(READ, self.github.deadline);
        let document = [documents::INVENTORY, documents::REVIEW, documents::COMMENT].concat();
        let inventory: Inventory = loop {
            let variables = json!({
                "owner": self.github.repo.owner(),
                "name": self.github.repo.name(),
                "number": self.number.0,
                "page": self.size.0,
                "threads": self.threads_wanted(),
                "after": self.threads_at.cursor(),
                "reviews": self.oldest_at != Place::End,
                "oldest": self.oldest_at.cursor(),
                "newest": self.newest_at.cursor(),
                "ids": ids,
            });
            match self.github.try_query(&document, &variables, READ, Tolerate::GoneNodes).await {
                Ok(inventory) => break inventory,
                Err(trouble) => self.again(&mut patience, trouble).await?,
            }
        };
        let viewer = Viewer(inventory.viewer.account());
        let pull = inventory.repository.and_then(|r| r.pull_request).ok_or_else(missing)?;
        if self.head.is_none() {
            self.head = Some((viewer, pull.pull().map_err(garbled)?));
        }
        for node in inventory.nodes.into_iter().flatten() {
            self.keep(node).map_err(garbled)?;
        }
        self.take(pull).map_err(garbled)
    }

    async fn again(&mut self, patience: &mut Patience, trouble: Trouble) -> Result<(), ForgeError> {
        if matches!(trouble, Trouble::NoAnswer(_)) {
            self.size.shrink();
        }
        patience.wait(trouble).await
    }

    fn take(&mut self, pull: PullNode) -> Result<(), String> {
        if let Some(page) = pull.review_threads {
            for node in page.nodes.into_iter().flatten() {
                let part = node.part()?;
                if self.thread_ids.insert(part.thread.id.clone()) {
                    self.threads.push(part);
                }
            }
            self.threads_at = Place::of(page.page_info.next()?);
        } else if self.threads_wanted() {
            return Err("the threads are missing".to_owned());
        }
        for node in pull.pending.into_iter().flat_map(|page| page.nodes).flatten() {
            self.keep(node)?;
        }
        match (pull.oldest, pull.newest) {
            (Some(oldest), Some(newest)) => self.take_reviews(oldest, newest),
            _ if self.oldest_at == Place::End => Ok(()),
            _ => Err("the reviews are missing".to_owned()),
        }
    }

    fn take_reviews(
        &mut self,
        oldest: Page<ReviewNode>,
        newest: Page<ReviewNode>,
    ) -> Result<(), String> {
        let next = oldest.page_info.next()?;
        let mut low = BTreeSet::new();
        for node in oldest.nodes.into_iter().flatten() {
            low.insert(self.keep(node)?);
        }
        let mut met = next.is_none() || newest.page_info.start_cursor.is_none();
        for node in newest.nodes.into_iter().flatten() {
            met |= low.contains(&self.keep(node)?);
        }
        if met {
            (self.oldest_at, self.newest_at) = (Place::End, Place::End);
        } else {
            self.oldest_at = Place::of(next);
            self.newest_at = Place::of(newest.page_info.start_cursor);
        }
        Ok(())
    }

    /// Keeps a review; the form that counts its comments (pending ones) wins.
    fn keep(&mut self, node: ReviewNode) -> Result<u64, String> {
        let review = node.review()?;
        let id = review.id.0;
        let known = self.reviews.entry(id).or_insert_with(|| review.clone());
        known.comment_count = known.comment_count.max(review.comment_count);
        Ok(id)
    }

    /// The unread reviews that brought our own threads: an agent's first one holds its metadata.
    /// The oldest hundred, as later ones have an empty body.
    fn reviews_of_own_threads(&self) -> Vec<NodeId> {
        let ids: BTreeMap<u64, &NodeId> = self
            .threads
            .iter()
            .filter(|part| part.thread.root().is_some_and(|c| self.is_own(c.author.as_ref())))
            .filter_map(|part| Some((part.thread.root()?.review?.0, part.review.as_ref()?)))
            .filter(|(id, _)| !self.reviews.contains_key(id))
            .collect();
        ids.into_values().take(IDS_AT_ONCE).cloned().collect()
    }

    /// Follows the threads that have more comments than one page (case G07 b).
    async fn rest_of_comments(&mut self) -> Result<(), ForgeError> {
        loop {
            let open: Vec<(usize, ThreadId, String)> = self
                .threads
                .iter()
                .enumerate()
                .filter_map(|(at, part)| Some((at, part.thread.id.clone(), part.more.clone()?)))
                .take(THREADS_AT_ONCE)
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            let pages = self.more_comments(&open).await?;
            for (n, (at, ..)) in open.iter().enumerate() {
                let page = pages.get(&format!("t{n}"));
                let Some((comments, more)) = page else { return Err(vanished()) };
                if let Some(part) = self.threads.get_mut(*at) {
                    part.thread.comments.extend(comments.iter().cloned());
                    part.more.clone_from(more);
                }
            }
        }
    }

    async fn more_comments(
        &mut self,
        open: &[(usize, ThreadId, String)],
    ) -> Result<BTreeMap<String, (Vec<Comment>, Option<String>)>, ForgeError> {
        let document = documents::more_comments(open.len());
        let mut patience = Patience::new(READ, self.github.deadline);
        let pages: BTreeMap<String, Option<MoreComments>> = loop {
            let mut variables = serde_json::Map::new();
            variables.insert("page".to_owned(), self.size.0.into());
            for (n, (_, id, cursor)) in open.iter().enumerate() {
                variables.insert(format!("i{n}"), id.as_str().into());
                variables.insert(format!("c{n}"), cursor.as_str().into());
            }
            let variables = variables.into();
            match self.github.try_query(&document, &variables, READ, Tolerate::Nothing).await {
                Ok(pages) => break pages,
                Err(trouble) => self.again(&mut patience, trouble).await?,
            }
        };
        pages
            .into_iter()
            .filter_map(|(alias, more)| Some((alias, more?.comments)))
            .map(|(alias, page)| Ok((alias, page.comments().map_err(garbled)?)))
            .collect()
    }

    fn finish(self) -> Result<Snapshot, ForgeError> {
        let (viewer, pull) = self.head.ok_or_else(missing)?;
        let threads: Vec<Thread> = self
            .threads
            .into_iter()
            .map(|part| part.thread)
            .filter(|thread| !thread.comments.is_empty())
            .collect();
        Ok(Snapshot { viewer, pull, threads, reviews: self.reviews.into_values().collect() })
    }
}

pub(super) fn missing() -> ForgeError {
    ForgeError::NotFound { what: READ.subject.to_owned() }
}

fn vanished() -> ForgeError {
    let cause = "a thread went away while it was read".to_owned();
    ForgeError::Unavailable { task: READ.name.to_owned(), cause }
}

pub(super) fn garbled(cause: String) -> ForgeError {
    ForgeError::Garbled { task: READ.name.to_owned(), cause }
}
