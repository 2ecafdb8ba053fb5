//! The file's format: everything said on a branch.

use rereview_core::ids::{Account, RepoPath, Sha, ThreadId};
use serde::{Deserialize, Serialize};

mod change;
mod show;

/// Of the format; a file of another version is refused.
const VERSION: u64 = 1;

/// Everything said on a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    version: u64,
    branch: String,
    next_id: u64,
    reviews: Vec<StoredReview>,
    threads: Vec<StoredThread>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredReview {
    id: u64,
    event: StoredEvent,
    body: String,
    commit: Sha,
    submitted_at: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredEvent {
    Commented,
    Approved,
    ChangesRequested,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredThread {
    id: u64,
    review: u64,
    path: RepoPath,
    line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    commit: Sha,
    /// Who resolved it; nobody while it is open.
    #[serde(with = "login", default, skip_serializing_if = "Option::is_none")]
    resolved_by: Option<Account>,
    comments: Vec<StoredComment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredComment {
    id: u64,
    #[serde(with = "login")]
    author: Option<Account>,
    created_at: String,
    body: String,
}

impl Document {
    /// A branch on which nothing was said yet.
    pub(super) fn new(branch: &str) -> Self {
        Self {
            version: VERSION,
            branch: branch.to_owned(),
            next_id: 1,
            reviews: Vec::new(),
            threads: Vec::new(),
        }
    }

    /// Reads a file; the error is for people.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Header {
            version: u64,
        }
        let header: Header = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if header.version != VERSION {
            let found = header.version;
            return Err(format!("its format is version {found}, this rereview reads {VERSION}"));
        }
        let document: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        document.check()?;
        Ok(document)
    }

    fn check(&self) -> Result<(), String> {
        let shas = self.reviews.iter().map(|review| &review.commit);
        for sha in shas.chain(self.threads.iter().map(|thread| &thread.commit)) {
            Sha::new(sha.as_str()).map_err(|error| error.to_string())?;
        }
        for thread in &self.threads {
            RepoPath::new(thread.path.as_str()).map_err(|error| error.to_string())?;
            if thread.comments.is_empty() {
                return Err(format!("thread {} has no comment", thread.id));
            }
        }
        let comments = self.threads.iter().flat_map(|t| t.comments.iter().map(|c| c.id));
        let reviews = self.reviews.iter().map(|review| review.id);
        let mut ids: Vec<u64> =
            comments.chain(reviews).chain(self.threads.iter().map(|thread| thread.id)).collect();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two things have one id".to_owned());
        }
        if ids.last().is_some_and(|last| *last >= self.next_id) {
            return Err("`next_id` is in use".to_owned());
        }
        if self.next_id > u64::MAX / 2 {
            return Err("`next_id` is out of range".to_owned());
        }
        Ok(())
    }

    pub(super) fn branch(&self) -> &str {
        &self.branch
    }
}

fn thread_id(id: u64) -> ThreadId {
    ThreadId::new(format!("thread-{id}"))
}

/// An account as REST names it: `name`, `name[bot]`.
mod login {
    use rereview_core::ids::Account;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        account: &Option<Account>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        account.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Account>, D::Error> {
        let login = Option::<String>::deserialize(deserializer)?;
        Ok(login.map(|login| Account::from_login(&login)))
    }
}
