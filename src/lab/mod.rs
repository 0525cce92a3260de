//! The machine we work on: processes under limits, private directories, files
//! that appear whole, and the compilers that build and run programs here.

pub mod files;
pub mod interrupt;
pub mod process;
pub mod scratch;
pub mod toolchain;
pub mod words;
