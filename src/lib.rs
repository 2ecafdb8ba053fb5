//! The shell of rereview: asks the world, calls [`rereview_core`], carries out what it decides.

pub mod error;
pub mod forge;
pub mod git;
pub mod run;
pub mod syntax;
