//! The one suite: reported failures, simulated histories, the command line.

mod cases;
mod command_line;
mod simulation;
mod world;
