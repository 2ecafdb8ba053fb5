//! Newtypes for the names that cross every border: SHAs, paths, keys' owners, GitHub ids.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text is not the name it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not {what}: {rule}")]
pub struct InvalidName {
    /// What was expected, with its article: "an agent name".
    pub what: &'static str,
    /// The text as it was given.
    pub given: String,
    /// The rule it breaks, in words.
    pub rule: &'static str,
}

macro_rules! text_newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text of it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

text_newtype! {
    /// A full commit SHA: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits.
    Sha
}

impl Sha {
    /// Takes a full SHA; upper case is lowered.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        if whole {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(InvalidName {
                what: "a commit SHA",
                given: text.to_owned(),
                rule: "40 or 64 hex digits",
            })
        }
    }

    /// The first ten digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..10).unwrap_or(&self.0)
    }
}

text_newtype! {
    /// A path relative to the repository root, `/` separated, as git stores it.
    RepoPath
}

impl RepoPath {
    /// Takes a path as git stores it: not empty, not absolute, without `.`, `..` or empty parts.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let below = !text.is_empty()
            && !text.contains('\0')
            && text.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if below {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidName {
                what: "a path in the repository",
                given: text.to_owned(),
                rule: "relative, without empty, `.` or `..` parts",
            })
        }
    }
}

text_newtype! {
    /// An agent's name (spec 10 §1); part of every finding-key.
    AgentName
}

impl AgentName {
    /// `[a-z0-9][a-z0-9-]{0,38}`.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let fits = matches!(text.len(), 1..=39)
            && text.bytes().next().is_some_and(plain)
            && text.bytes().all(|b| plain(b) || b == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidName {
                what: "an agent name",
                given: text.to_owned(),
                rule: "1 to 39 of a-z, 0-9 and `-`, not beginning with `-`",
            })
        }
    }

    /// The name of a tool as an agent name: lower case, other characters `-` (spec 40 §3).
    pub fn from_tool(tool: &str) -> Self {
        let mut name = String::new();
        for c in tool.chars().flat_map(char::to_lowercase) {
            let plain = c.is_ascii_lowercase() || c.is_ascii_digit();
            if plain {
                name.push(c);
            } else if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
            if name.len() == 39 {
                break;
            }
        }
        let name = name.trim_end_matches('-');
        Self(if name.is_empty() { "tool".to_owned() } else { name.to_owned() })
    }
}

text_newtype! {
    /// What is shown as `[Label]` (spec 10 §1).
    Label
}

impl Label {
    /// 1 to 40 characters, no bracket, no control character or line break.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let fits = matches!(text.chars().count(), 1..=40)
            && text.trim() == text
            && !text.chars().any(|c| matches!(c, '[' | ']') || c.is_control());
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidName {
                what: "a label",
                given: text.to_owned(),
                rule: "1 to 40 characters, no `[`, `]` or line break",
            })
        }
    }
}

impl Label {
    /// For a tool whose name cannot be shown.
    pub fn fallback() -> Self {
        Self("Reports".to_owned())
    }
}

text_newtype! {
    /// A finding class; the rule id of a tool (spec 10 §1).
    FindingClass
}

impl FindingClass {
    /// Turns any rule id into a class: `[A-Za-z0-9][A-Za-z0-9_./:@-]{0,119}`, every other
    /// character becomes one `-`, and `x` is put before an empty text or another beginning.
    pub fn from_rule(rule: &str) -> Self {
        let mut class: String = rule
            .chars()
            .map(|c| match c {
                'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '.' | '/' | ':' | '@' | '-' => c,
                _ => '-',
            })
            .collect();
        if !class.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric()) {
            class.insert(0, 'x');
        }
        class.truncate(120);
        Self(class)
    }
}

text_newtype! {
    /// Somebody a comment may call: a login, or `org/team`. The only text that pings.
    Mention
}

impl Mention {
    /// Takes a login or `org/team`, with or without `@`.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let name = text.strip_prefix('@').unwrap_or(text);
        let plain = |part: &str| {
            matches!(part.len(), 1..=100)
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        };
        let fits = match name.split_once('/') {
            Some((org, team)) => plain(org) && plain(team),
            None => plain(name),
        };
        if fits {
            Ok(Self(name.to_owned()))
        } else {
            Err(InvalidName {
                what: "a login or team",
                given: text.chars().take(80).collect(),
                rule: "letters, digits, `-` and `_`, or org/team",
            })
        }
    }
}

text_newtype! {
    /// The GraphQL node id of a review thread.
    ThreadId
}

text_newtype! {
    /// The GraphQL node id of anything else (a comment, a review).
    NodeId
}

macro_rules! opaque {
    ($name:ident) => {
        impl $name {
            /// Takes the id as the forge gave it.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }
        }
    };
}
opaque!(ThreadId);
opaque!(NodeId);

macro_rules! number_newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number_newtype! {
    /// A pull request's number in its repository.
    PrNumber
}
number_newtype! {
    /// The REST id of a review comment (beyond 32 bits today).
    CommentId
}
number_newtype! {
    /// The REST id of a review.
    ReviewId
}

/// `owner/name`, compared without case as GitHub does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoSlug {
    owner: String,
    name: String,
}

impl RepoSlug {
    /// Parses `owner/name`.
    pub fn new(text: &str) -> Result<Self, InvalidName> {
        let plain = |part: &str| {
            !part.is_empty()
                && part.len() <= 100
                && !matches!(part, "." | "..")
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        };
        match text.split_once('/') {
            Some((owner, name)) if plain(owner) && plain(name) => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(InvalidName {
                what: "a repository",
                given: text.to_owned(),
                rule: "owner/name of letters, digits, `-`, `_` and `.`",
            }),
        }
    }

    /// The account that owns it.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Its name without the owner.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether both name one repository.
    pub fn same(&self, other: &Self) -> bool {
        self.owner.eq_ignore_ascii_case(&other.owner) && self.name.eq_ignore_ascii_case(&other.name)
    }
}

impl fmt::Display for RepoSlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// Who did something. A bot and a user of the same login are different accounts (case G08).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    login: String,
    kind: AccountKind,
}

/// What kind of account a login belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKind {
    /// A person (or an organisation, a mannequin, …: not a bot).
    User,
    /// A GitHub App's identity.
    Bot,
}

impl Account {
    /// An account of a known kind; a `[bot]` suffix is dropped from a bot's login.
    pub fn new(login: &str, kind: AccountKind) -> Self {
        let login = login.to_ascii_lowercase();
        let login = match kind {
            AccountKind::Bot => login.strip_suffix("[bot]").unwrap_or(&login).to_owned(),
            AccountKind::User => login,
        };
        Self { login, kind }
    }

    /// An account known by its login only, as REST and the GraphQL `viewer` name it: the suffix
    /// `[bot]`, which no user can have, makes it a bot.
    pub fn from_login(login: &str) -> Self {
        let bot = login.to_ascii_lowercase().ends_with("[bot]");
        Self::new(login, if bot { AccountKind::Bot } else { AccountKind::User })
    }

    /// The login in lower case, without `[bot]`.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// User or bot.
    pub fn kind(&self) -> AccountKind {
        self.kind
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            AccountKind::User => f.write_str(&self.login),
            AccountKind::Bot => write!(f, "{}[bot]", self.login),
        }
    }
}
