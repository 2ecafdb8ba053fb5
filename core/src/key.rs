//! Anchors and keys: how a finding is named without a line number (spec 10 §2).

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::ids::{AgentName, FindingClass, InvalidName, RepoPath};

/// The symbol of a line that is in no definition, or in a file that cannot be parsed.
pub const FILE_SYMBOL: &str = "<file>";

/// Length of a fingerprint in Unicode scalar values.
const FINGERPRINT_LENGTH: usize = 40;

/// The text of a line with its white space collapsed, exactly 40 scalar values long.
///
/// ```
/// assert_eq!(rereview_core::key::fingerprint("  a \t b\r").trim_end(), "a b");
/// ```
pub fn fingerprint(line: &str) -> String {
    let mut out = String::with_capacity(FINGERPRINT_LENGTH);
    let mut length = 0;
    'words: for (i, word) in line.split_whitespace().enumerate() {
        let gap = (i > 0).then_some(' ');
        for c in gap.into_iter().chain(word.chars()) {
            if length == FINGERPRINT_LENGTH {
                break 'words;
            }
            out.push(c);
            length += 1;
        }
    }
    out.extend(std::iter::repeat_n(' ', FINGERPRINT_LENGTH - length));
    out
}

/// Where a finding stands in words: symbol and fingerprint of its first line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor {
    /// Bare name of the deepest definition, or [`FILE_SYMBOL`].
    pub symbol: String,
    /// See [`fingerprint`].
    pub fingerprint: String,
}

impl Anchor {
    /// The anchor of a line; `symbol` is `None` outside any definition, `line` is `None` for a
    /// finding about the whole file.
    pub fn new(symbol: Option<&str>, line: Option<&str>) -> Self {
        Self {
            symbol: symbol.unwrap_or(FILE_SYMBOL).to_owned(),
            fingerprint: fingerprint(line.unwrap_or("")),
        }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.symbol, self.fingerprint)
    }
}

macro_rules! hash_newtype {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Reads 64 hex digits.
            pub fn from_hex(text: &str) -> Result<Self, InvalidName> {
                hex_to_bytes(text).map(Self).ok_or_else(|| InvalidName {
                    what: $what,
                    given: text.chars().take(80).collect(),
                    rule: "64 hex digits",
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::from_hex(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

hash_newtype! {
    /// One finding of one agent: `sha256(agent|path|anchor|class)`.
    FindingKey, "a finding-key"
}
hash_newtype! {
    /// One place, whoever speaks of it: `sha256(path|anchor)`.
    SiteKey, "a site-key"
}

impl FindingKey {
    /// The key of a finding. A twin's class carries its number, see [`Twin`].
    pub fn new(agent: &AgentName, path: &RepoPath, anchor: &Anchor, class: &Twin) -> Self {
        Self(hash(&format!("{agent}|{path}|{anchor}|{class}")))
    }

    /// The first 16 hex digits, as the metadata's state names a key (spec 20 §6).
    pub fn prefix(&self) -> KeyPrefix {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        KeyPrefix(first)
    }
}

impl SiteKey {
    /// The key of a place.
    pub fn new(path: &RepoPath, anchor: &Anchor) -> Self {
        Self(hash(&format!("{path}|{anchor}")))
    }

    /// The first 16 hex digits.
    pub fn prefix(&self) -> KeyPrefix {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        KeyPrefix(first)
    }
}

/// The first 16 hex digits of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPrefix([u8; 8]);

impl KeyPrefix {
    /// Reads 16 hex digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidName> {
        let padded = format!("{text:0<64}");
        let bytes = (text.len() == 16).then(|| hex_to_bytes(&padded)).flatten();
        let Some(bytes) = bytes else {
            return Err(InvalidName {
                what: "a key prefix",
                given: text.chars().take(80).collect(),
                rule: "16 hex digits",
            });
        };
        let mut first = [0; 8];
        first.copy_from_slice(&bytes[..8]);
        Ok(Self(first))
    }
}

impl fmt::Display for KeyPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPrefix({self})")
    }
}

impl Serialize for KeyPrefix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyPrefix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_hex(&text).map_err(serde::de::Error::custom)
    }
}

/// A class as a key sees it: plain for the first finding of an anchor, `class#2`, `class#3`, …
/// for those that would share its key (spec 10 §2 "Twins").
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Twin {
    class: FindingClass,
    ordinal: u32,
}

impl Twin {
    /// The first of its anchor.
    pub fn first(class: FindingClass) -> Self {
        Self { class, ordinal: 1 }
    }

    /// The n-th of its anchor, counted from 1.
    pub fn nth(class: FindingClass, ordinal: u32) -> Self {
        Self { class, ordinal: ordinal.max(1) }
    }

    /// Reads `class` or `class#n` as the hidden line of a comment holds it.
    pub fn parse(text: &str) -> Self {
        let numbered = text
            .rsplit_once('#')
            .and_then(|(class, n)| Some((class, n.parse::<u32>().ok().filter(|n| *n > 1)?)));
        match numbered {
            Some((class, ordinal)) => Self::nth(FindingClass::from_rule(class), ordinal),
            None => Self::first(FindingClass::from_rule(text)),
        }
    }

    /// The class without the number.
    pub fn class(&self) -> &FindingClass {
        &self.class
    }

    /// Counted from 1.
    pub fn ordinal(&self) -> u32 {
        self.ordinal
    }
}

impl fmt::Display for Twin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ordinal == 1 {
            write!(f, "{}", self.class)
        } else {
            write!(f, "{}#{}", self.class, self.ordinal)
        }
    }
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn hex_to_bytes(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(i * 2..i * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
