//! The simulated world that rereview is tested in.
//!
//! Everything here fails loudly: a wrong set-up is a bug of the test, never something to handle.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support says what it expects by failing, as tests do"
)]

pub mod code;
pub mod faults;
pub mod findings;
pub mod footers;
pub mod github;
pub mod invariants;
pub mod memory;
pub mod people;
pub mod play;
pub mod recount;
pub mod repo;
pub mod simulate;

#[cfg(test)]
mod tests;
