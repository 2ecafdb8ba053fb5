//! What rereview decides, as pure functions of plain data.
//!
//! The way of the data: [`inventory`] (A), [`scope`] (B), [`matching`] and [`decide`] (C),
//! [`record`] (D), then [`summary`]. Nothing here can touch the world.

pub mod decide;
pub mod footer;
pub mod ids;
pub mod inventory;
pub mod key;
pub mod lines;
pub mod maintainers;
pub mod matching;
pub mod metadata;
pub mod model;
pub mod policy;
pub mod record;
pub mod render;
pub mod scope;
pub mod summary;
pub mod text;
pub mod writes;
