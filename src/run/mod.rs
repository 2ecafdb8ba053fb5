//! One file per mode, and what they share.

pub mod agent;
pub mod demo;
mod execute;
pub mod pull;
pub mod show;
pub mod trees;
