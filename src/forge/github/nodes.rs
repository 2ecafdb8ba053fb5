//! The small parts of GraphQL answers: pages, people, commits, numbers.

use rereview_core::ids::{Account, AccountKind, Sha};
use serde::Deserialize;

/// A page of a connection; its nodes may be null.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page<T> {
    #[serde(default)]
    pub(super) page_info: PageInfo,
    #[serde(default = "Vec::new")]
    pub(super) nodes: Vec<Option<T>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PageInfo {
    pub(super) has_next_page: bool,
    pub(super) start_cursor: Option<String>,
    pub(super) end_cursor: Option<String>,
}

/// Somebody whose kind is not told.
#[derive(Debug, Deserialize)]
pub(super) struct Login {
    login: String,
}

impl Login {
    /// The viewer and `resolvedBy` are typed users; a bot among them keeps its `[bot]`.
    pub(super) fn account(&self) -> Account {
        Account::from_login(&self.login)
    }
}

/// Somebody, and what kind of account it is.
#[derive(Debug, Deserialize)]
pub(super) struct Actor {
    #[serde(rename = "__typename")]
    kind: String,
    login: String,
}

impl Actor {
    /// A bot's login comes without `[bot]` here; only the type tells it from a user (case G08).
    pub(super) fn account(&self) -> Account {
        let kind = if self.kind == "Bot" { AccountKind::Bot } else { AccountKind::User };
        Account::new(&self.login, kind)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Commit {
    pub(super) oid: String,
}

impl PageInfo {
    /// The cursor of the next page, if there is one.
    pub(super) fn next(self) -> Result<Option<String>, String> {
        match (self.has_next_page, self.end_cursor) {
            (false, _) => Ok(None),
            (true, Some(cursor)) => Ok(Some(cursor)),
            (true, None) => Err("there is a next page, but no cursor".to_owned()),
        }
    }
}

/// `BigInt`: a number sent as text, as it no longer fits 32 bits.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum DatabaseId {
    Text(String),
    Number(u64),
}

pub(super) fn database_id(id: Option<DatabaseId>) -> Result<u64, String> {
    match id {
        Some(DatabaseId::Number(number)) => Ok(number),
        Some(DatabaseId::Text(text)) => {
            text.parse().map_err(|_| format!("{text:?} is not a database id"))
        }
        None => Err("a node has no database id".to_owned()),
    }
}

pub(super) fn sha(text: &str) -> Result<Sha, String> {
    Sha::new(text).map_err(|error| error.to_string())
}
