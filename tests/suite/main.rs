//! The one suite: reported failures, simulated histories, the command line.

#![allow(clippy::expect_used, clippy::panic, reason = "a test says what it expects by failing")]

mod cases;
mod command_line;
mod simulation;
mod world;
