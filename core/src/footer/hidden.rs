//! The hidden line of rereview's own: what a hash cannot give back (spec 10 §3).

use serde::{Deserialize, Serialize};

use crate::key::Twin;
use crate::model::{Finding, LineSpan, Tag};
use crate::text::hidden_json;

/// `<!-- rereview: {"class":"…","symbol":"…","tag":"must fix","lines":[12,40]} -->`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenLine {
    /// With the twin's number.
    pub class: Option<String>,
    /// The bare name of the definition.
    pub symbol: Option<String>,
    /// How it weighs.
    pub tag: Option<Tag>,
    /// Its lines at the commit the comment was made on; `None`: about the whole file.
    pub lines: Option<LineSpan>,
}

#[derive(Default, Serialize, Deserialize)]
struct Json {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<(u32, u32)>,
}

impl HiddenLine {
    /// What is remembered of a finding under its name.
    pub fn of(finding: &Finding, twin: &Twin) -> Self {
        Self {
            class: Some(twin.to_string()),
            symbol: Some(finding.anchor.symbol.clone()),
            tag: Some(finding.tag),
            lines: finding.reported.lines,
        }
    }

    /// The line as it is written.
    pub fn write(&self) -> String {
        let json = Json {
            class: self.class.clone(),
            symbol: self.symbol.clone(),
            tag: self.tag.map(|tag| tag.as_str().to_owned()),
            lines: self.lines.map(|lines| (lines.first, lines.last)),
        };
        format!("<!-- rereview: {} -->", hidden_json(&json))
    }

    /// Reads it from among a body's last comments.
    pub fn parse(body: &str) -> Option<Self> {
        let json = super::last_comments(body)
            .find_map(|comment| comment.strip_prefix("rereview:").map(str::trim))?;
        let json: Json = serde_json::from_str(json).ok()?;
        Some(Self {
            class: json.class,
            symbol: json.symbol,
            tag: json.tag.as_deref().and_then(Tag::parse),
            lines: json.lines.map(|(first, last)| LineSpan::new(first, last)),
        })
    }
}
