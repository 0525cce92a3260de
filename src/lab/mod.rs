//! The machine we work on: "build this text this way, run it on these inputs, and say
//! what it did".
//!
//! A [`Stage`] gives a text the name, flags and inputs of a seed, a [`Way`] says how it
//! is built and run, and [`Lab::trial`] returns the [`Outcome`]. How compilers of a
//! family are called is known to their [`Driver`] alone, and only an [`Executor`] starts
//! processes: this machine with all its limits, or a script in tests. Nothing outside
//! this folder starts a compiler, and nothing in it decides what an outcome means.

pub(crate) mod accesses;
mod behaviour;
mod deadline;
mod driver;
mod executor;
mod expectation;
#[cfg(test)]
pub(crate) mod fake;
pub mod files;
pub(crate) mod format;
pub(crate) mod interrupt;
mod outcome;
pub mod printable;
pub mod process;
mod question;
pub(crate) mod scratch;
mod stage;
pub mod toolchain;
mod trial;
mod way;
pub(crate) mod words;

pub use behaviour::Behaviour;
pub(crate) use behaviour::{cut_short, first_difference};
pub(crate) use deadline::Deadline;
pub(crate) use driver::{NO_CONTRACTION, Task};
pub(crate) use executor::{Executor, Host};
pub use expectation::Expectation;
pub use outcome::{BuildFailure, ObjectFile, Outcome};
pub use stage::Stage;
pub use trial::{Lab, Workspace};
pub use way::{Patience, Way};

/// The name of every compiled program, so that `argv[0]` tells nothing.
pub(crate) const EXECUTABLE: &str = "./program";

/// The name of every object.
pub(crate) const OBJECT: &str = "program.o";

/// The name of the object of the second of two files.
pub(crate) const SECOND_OBJECT: &str = "second.o";
