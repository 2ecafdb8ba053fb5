//! Git objects: the checkout, what has to be fetched, and how two trees differ.
//!
//! Everything is read from git objects, never from the work tree. The user's repository is never
//! written to: what has to be fetched goes into a temporary bare repository that borrows the
//! checkout's objects, so that a full clone stays full and no file of another owner is left.

mod diff;
mod error;
mod fetch;
mod history;
mod http;
mod objects;
mod renames;
mod repository;
mod setup;
#[cfg(test)]
mod tests;

pub use error::{FetchFailure, GitError, Unsupported};
pub use fetch::{Availability, Depth, Remote};
pub use objects::{Blob, BlobKind};
pub use repository::{Head, Repository};
