//! From C text to a `Program`, and edits back to C text.

mod bridge;
mod edits;
mod expressions;
mod initialisation;
mod lowering;
mod open;
mod points;
mod threads;
mod types;
mod visibility;
