//! Mestra finds bugs in C compilers with EMI variants: programs that must
//! behave the same as their seed on the given inputs but look different to an
//! optimiser. DESIGN.md describes the layers and where everything lives.

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
