//! Footers: the hidden last lines of a comment that make it a finding or a reply of ours
//! (spec 10 §3).

mod hidden;

use std::fmt::Write as _;

pub use hidden::HiddenLine;

use crate::ids::{AgentName, InvalidName};
use crate::key::{FindingKey, SiteKey};

/// What a reply of ours says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyKind {
    /// "Fixed in".
    Resolution,
    /// Resolved over a live finding.
    ImproperResolution,
    /// Handed to a human.
    Disagreement,
    /// Another agent flags the same issue.
    Concurrence,
    /// The summary's: the finding lives on another thread.
    DuplicateClose,
    /// The finding was posted afresh.
    Superseded,
}

impl ReplyKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Resolution,
        Self::ImproperResolution,
        Self::Disagreement,
        Self::Concurrence,
        Self::DuplicateClose,
        Self::Superseded,
    ];

    /// As the footer names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resolution => "resolution",
            Self::ImproperResolution => "improper-resolution",
            Self::Disagreement => "disagreement",
            Self::Concurrence => "concurrence",
            Self::DuplicateClose => "duplicate-close",
            Self::Superseded => "superseded",
        }
    }
}

/// How the marker words are spelled: the published skill's, or the config's `marker`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    prefix: String,
}

/// The published skill's prefix, always read.
const PUBLISHED: &str = "fprime";

impl Default for Marker {
    fn default() -> Self {
        Self { prefix: PUBLISHED.to_owned() }
    }
}

impl Marker {
    /// The config's `marker: NAME`.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let fits = matches!(name.len(), 1..=39)
            && name.bytes().all(|b| plain(b) || b == b'-')
            && name.bytes().next().is_some_and(plain);
        if fits {
            Ok(Self { prefix: name.to_owned() })
        } else {
            Err(InvalidName {
                what: "a marker",
                given: name.to_owned(),
                rule: "1 to 39 of a-z, 0-9 and `-`, not beginning with `-`",
            })
        }
    }

    /// `NAME-agent`, as it is written.
    pub fn agent_word(&self) -> String {
        format!("{}-agent", self.prefix)
    }

    /// `NAME-review-summary`, as it is written.
    pub fn summary_word(&self) -> String {
        format!("{}-review-summary", self.prefix)
    }

    /// Whether a word is the agent marker, own or published.
    pub fn is_agent_word(&self, word: &str) -> bool {
        word.strip_suffix("-agent").is_some_and(|prefix| self.reads(prefix))
    }

    /// Whether a word is the summary marker, own or published.
    pub fn is_summary_word(&self, word: &str) -> bool {
        word.strip_suffix("-review-summary").is_some_and(|prefix| self.reads(prefix))
    }

    fn reads(&self, prefix: &str) -> bool {
        prefix == self.prefix || prefix == PUBLISHED
    }
}

/// One footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// Whose.
    pub agent: AgentName,
    /// Which finding.
    pub key: FindingKey,
    /// Which place; absent in version 1.
    pub site: Option<SiteKey>,
    /// `None`: the comment is the finding itself.
    pub kind: Option<ReplyKind>,
}

impl Footer {
    /// The footer of a finding's own comment.
    pub fn finding(agent: AgentName, key: FindingKey, site: SiteKey) -> Self {
        Self { agent, key, site: Some(site), kind: None }
    }

    /// The footer of a reply.
    pub fn reply(
        agent: AgentName,
        key: FindingKey,
        site: Option<SiteKey>,
        kind: ReplyKind,
    ) -> Self {
        Self { agent, key, site, kind: Some(kind) }
    }

    /// The footer as one line: version 2, or version 1 when the place is not known.
    pub fn write(&self, marker: &Marker) -> String {
        let mut line =
            format!("<!-- {}: {}; finding-key: {}", marker.agent_word(), self.agent, self.key);
        match self.site {
            Some(site) => {
                let _ = write!(line, "; site-key: {site}; v2");
            }
            None => line.push_str("; v1"),
        }
        if let Some(kind) = self.kind {
            let _ = write!(line, "; reply-kind: {}", kind.as_str());
        }
        line.push_str(" -->");
        line
    }

    /// Every footer among the last lines of a body, in order. Lines in a code fence or a quote,
    /// and lines with visible text after them, are not among them.
    pub fn parse_all(body: &str, marker: &Marker) -> Vec<Self> {
        let mut footers: Vec<Self> =
            last_comments(body).filter_map(|comment| Self::parse(comment, marker)).collect();
        footers.reverse();
        footers
    }

    /// Reads the inside of an HTML comment: attributes in any order, unknown ones ignored.
    fn parse(comment: &str, marker: &Marker) -> Option<Self> {
        let (mut agent, mut key, mut site, mut kind) = (None, None, None, None);
        for (at, attribute) in comment.split(';').enumerate() {
            let (name, value) = match attribute.split_once(':') {
                Some((name, value)) => (name.trim(), value.trim()),
                None => (attribute.trim(), ""),
            };
            match name {
                word if at == 0 => {
                    if !marker.is_agent_word(word) {
                        return None;
                    }
                    agent = Some(AgentName::new(value).ok()?);
                }
                "finding-key" => key = Some(FindingKey::from_hex(value).ok()?),
                "site-key" => site = Some(SiteKey::from_hex(value).ok()?),
                "reply-kind" => {
                    // A reply of a kind that this version does not know is no finding either.
                    kind = Some(ReplyKind::ALL.into_iter().find(|kind| kind.as_str() == value)?);
                }
                _ => {}
            }
        }
        Some(Self { agent: agent?, key: key?, site, kind })
    }
}

/// Adds a further name to a finding's own comment (spec 20 §4): one more footer at its end.
pub fn add_key(body: &str, footer: &Footer, marker: &Marker) -> String {
    format!("{}\n{}", body.trim_end(), footer.write(marker))
}

/// The insides of the HTML comments that end a body, last first: whole lines each, with nothing
/// but blank lines between them and after them.
pub(crate) fn last_comments(body: &str) -> impl Iterator<Item = &str> {
    let fenced = open_fence_lines(body);
    let lines: Vec<&str> = body.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().rev() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let inside = line
            .strip_prefix("<!--")
            .and_then(|rest| rest.strip_suffix("-->"))
            .filter(|inside| !inside.contains("-->") && !inside.contains("<!--"));
        match inside {
            Some(inside) if !fenced.contains(&at) => found.push(inside.trim()),
            Some(_) | None => break,
        }
    }
    found.into_iter()
}

/// Indexes of the lines that lie in a fenced code block, by CommonMark's rules for fences.
fn open_fence_lines(body: &str) -> std::collections::BTreeSet<usize> {
    let mut inside = std::collections::BTreeSet::new();
    let mut fence: Option<(char, usize)> = None;
    for (at, line) in body.lines().enumerate() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let text = line.trim_start_matches(' ');
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        match (fence, mark) {
            (None, Some(mark)) if run >= 3 && indent < 4 => {
                let info = text.get(run..).unwrap_or_default();
                if mark == '~' || !info.contains('`') {
                    fence = Some((mark, run));
                }
            }
            (None, _) => {}
            (Some((open, length)), _) => {
                inside.insert(at);
                let rest = text.get(run..).unwrap_or_default();
                if mark == Some(open) && run >= length && indent < 4 && rest.trim().is_empty() {
                    fence = None;
                }
            }
        }
    }
    inside
}

#[cfg(test)]
mod tests;
