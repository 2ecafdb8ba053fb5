//! The simulated world that rereview is tested in.
