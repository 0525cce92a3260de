//! Typed C trees that Mestra synthesises: their types and values, how they
//! print, what they compute and where they would be undefined.
//!
//! This folder knows nothing of clang, files or compilers and can be used
//! alone. `program/` borrows its integer types so that a variable of the seed
//! and a tree over it speak of the same thing.

pub mod ctype;
pub mod eval;
pub mod expr;
pub mod layout;
pub mod op;
mod plan;
pub mod print;
pub mod range;
pub mod stmt;
pub mod table;
pub mod trouble;
pub mod types;
pub mod value;
