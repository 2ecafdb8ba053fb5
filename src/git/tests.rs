//! Real repositories in temporary folders, diffs compared with git's own, fetches over loopback.

mod diffs;
mod fetches;
mod repositories;
mod server;
mod world;
