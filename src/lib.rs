//! Mestra finds bugs in C compilers with EMI variants: programs that must
//! behave the same as their seed on the given inputs but look different to an
//! optimiser. DESIGN.md tells the way of the data and where everything lives.

pub mod bucket;
pub mod campaign;
pub mod clang;
pub mod cli;
pub mod code;
pub mod console;
pub mod delta;
pub mod dice;
pub mod donor;
pub mod edit;
pub mod error;
pub mod exit_code;
pub mod files;
pub mod interrupt;
pub mod mutate;
pub mod mutation;
pub mod options;
pub mod process;
pub mod profile;
pub mod program;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod scratch;
pub mod seed;
pub mod shrink;
pub mod strategy;
pub mod synth;
pub mod toolchain;
pub mod triage;
pub mod verify;
