//! The simulated world keeps its own rules.

mod faults;
mod repo;
mod rules;
