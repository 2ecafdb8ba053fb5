//! Talking to the runner: workflow commands, step outputs, the step summary, the log.

pub mod commands;
pub mod log;
pub mod outputs;
