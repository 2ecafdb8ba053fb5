//! The command line of rereview.

fn main() {}
