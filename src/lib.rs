//! The shell of rereview: asks the world, calls [`rereview_core`], carries out what it decides.

pub mod forge;
pub mod git;
