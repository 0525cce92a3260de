//! Mestra finds bugs in C compilers with EMI variants: programs that must
//! behave the same as their seed on the given inputs but look different to an
//! optimiser. DESIGN.md describes the layers and where everything lives.
//!
//! It is a program, `mestra`, first of all. Other programs need two names, [`VariantMaker`] and
//! [`MadeVariant`]: bytes of a C program in, variants out. `examples/` uses them. The modules
//! are public for the project's own tests, and no promise is made about them.

pub use variant::facade::{MadeVariant, VariantMaker};

pub mod cli;
pub mod code;
pub mod dice;
pub mod error;
pub mod hunt;
pub mod lab;
pub mod source;
pub mod variant;

/// Runs the examples of the design document.
#[cfg(doctest)]
#[doc = include_str!("../DESIGN.md")]
struct Design;
