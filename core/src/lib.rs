//! What rereview decides, as pure functions of plain data.

pub mod footer;
pub mod ids;
pub mod key;
pub mod lines;
pub mod model;
pub mod writes;
