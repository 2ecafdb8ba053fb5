//! Plain data: what the shell found out about the world, in the field's terms.

mod agent;
mod analysis;
mod finding;
mod pull;
mod state;

pub use agent::{
    Agent, CiSafety, ClassPattern, Coverage, IdentityRule, Latent, Level, Severity, Tag, TagPolicy,
};
pub use analysis::{
    AgentRun, Analysed, Call, CommitMaps, Definition, Delta, DidNotRun, Failure, FileFacts,
    Skipped, TreeFacts,
};
pub use finding::{Confidence, Finding, LineSpan, NoteReason, Origin, Place, Reported};
pub use pull::{
    Comment, PullRequest, PullState, Review, ReviewState, Snapshot, Thread, Trust, Viewer,
};
pub use state::{Counts, LiveEntry, Metadata, Note, NoteState, RunState, SinceLastRun, Verdict};
