//! One file per mode, and what they share.

pub mod agent;
pub mod demo;
mod execute;
pub mod explain;
pub mod local;
pub mod pull;
pub mod report;
pub mod review;
pub mod show;
pub mod trees;
pub mod voices;
