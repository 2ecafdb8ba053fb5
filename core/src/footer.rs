//! Footers: the hidden last lines of a comment that make it a finding or a reply of ours.

/// What a reply of ours says (spec 10 §3).
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
