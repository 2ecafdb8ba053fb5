//! The shell of rereview: asks the world, calls [`rereview_core`], carries out what it decides.

pub mod actions;
pub mod error;
pub mod event;
pub mod forge;
pub mod git;
pub mod reviewers;
pub mod run;
pub mod settings;
pub mod syntax;
