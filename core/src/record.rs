//! Phase D: the decisions as writes in their order, and the books after them (spec 20 §5, §6).

mod books;
mod plan;

pub use books::{Aftermath, Books, Closed, Outstanding, close_books};
pub use plan::{NewFinding, NoteChange, Plan, plan, point_to_newer};
