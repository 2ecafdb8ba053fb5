//! Diffs as plain data: line sets, hunks, and where an old line stands now.

/// How one tree differs from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeDiff {}
