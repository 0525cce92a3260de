//! Seeds: reading a C program, asking libclang what is in it, our own tree of it, and edits
//! of its text. Nothing here runs anything.

mod bridge;
pub mod clang;
pub(crate) mod consequence;
pub(crate) mod deletion;
pub mod edit;
pub(crate) mod exact_pointers;
pub(crate) mod fit;
pub(crate) mod lift;
pub mod neutral;
pub mod open;
pub(crate) mod operand;
pub(crate) mod outline;
pub mod outside;
pub(crate) mod own_structs;
pub(crate) mod plain_calls;
pub mod program;
pub mod seed;
pub(crate) mod units;
pub mod vocabulary;
pub(crate) mod writes;
