//! Which format a report is in, by what it contains.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// A format of reports (spec 40 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// SARIF 2.1.0.
    Sarif,
    /// reviewdog's diagnostics, one JSON document.
    Rdjson,
    /// reviewdog's diagnostics, one JSON document a line.
    Rdjsonl,
    /// Checkstyle's XML.
    Checkstyle,
    /// What cargo writes with `--message-format=json`.
    Cargo,
    /// rereview's own findings JSON.
    Native,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Sarif, Self::Rdjson, Self::Rdjsonl, Self::Checkstyle, Self::Cargo, Self::Native];

    /// As the config names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sarif => "sarif",
            Self::Rdjson => "rdjson",
            Self::Rdjsonl => "rdjsonl",
            Self::Checkstyle => "checkstyle",
            Self::Cargo => "cargo",
            Self::Native => "native",
        }
    }

    /// Reads what [`Format::as_str`] writes.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The format of a text. Only as much is read as tells: a report that is broken further on is
/// still known for what it is, so that its parser can say where it breaks.
pub fn detect(text: &str) -> Option<Format> {
    let text = text.trim_start();
    if text.starts_with('<') {
        return text.contains("<checkstyle").then_some(Format::Checkstyle);
    }
    let mut keys = Keys::default();
    // The visitor stops with an error as soon as it knows: what it found is in `keys`.
    let _ = serde_json::Deserializer::from_str(text).deserialize_map(&mut keys);
    keys.format
}

#[derive(Default)]
struct Keys {
    format: Option<Format>,
    message: bool,
    location: bool,
}

impl Keys {
    fn see(&mut self, key: &str) {
        self.message |= key == "message";
        self.location |= key == "location";
        self.format = match key {
            "runs" => Some(Format::Sarif),
            "diagnostics" => Some(Format::Rdjson),
            "findings" => Some(Format::Native),
            "reason" => Some(Format::Cargo),
            _ if self.message && self.location => Some(Format::Rdjsonl),
            _ => None,
        };
    }
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.see(&key);
            if self.format.is_some() {
                return Err(A::Error::custom("known"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
