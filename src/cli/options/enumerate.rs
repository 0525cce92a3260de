//! The command line of enumerations.

use super::number::at_least_one;
use crate::variant::enumerate::{ClassRule, EnumerationSettings, HoleScope, TypeRule};
use clap::Args;
use num_bigint::BigUint;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct EnumerateCommand {
    /// The C programs, *.c or preprocessed *.i, or directories of them. They need no
    /// function main.
    #[arg(value_name = "SEED.c", required = true)]
    pub seeds: Vec<PathBuf>,

    /// Only count the programs, exactly, and make none.
    #[arg(long, conflicts_with_all = ["number", "sample", "from", "output"])]
    pub count: bool,

    /// Which variables are interchangeable.
    #[arg(long, value_name = "RULE", value_enum, default_value_t = ClassRule::Exact)]
    pub classes: ClassRule,

    /// Which holes are filled together.
    #[arg(long, value_name = "SCOPE", value_enum, default_value_t = HoleScope::Function)]
    pub scope: HoleScope,

    /// What a hole takes.
    #[arg(long, value_name = "RULE", value_enum, default_value_t = TypeRule::Strict)]
    pub types: TypeRule,

    /// How many programs of a seed are all made; of more, a sample of this size is.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,

    /// Make the first so many programs of each seed, in the order of their ranks.
    #[arg(short, long, value_name = "N", conflicts_with = "sample")]
    pub number: Option<u64>,

    /// Make a uniform sample of so many programs of each seed.
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,

    /// Begin with the program of this rank; 0 is the seed.
    #[arg(long, value_name = "RANK", conflicts_with = "sample")]
    pub from: Option<BigUint>,

    /// The number that samples come from.
    #[arg(long = "seed", value_name = "N", default_value_t = 0)]
    pub dice: u64,

    /// Write the programs and their records to this directory, and not those that an
    /// earlier run has written. Without it, they are listed.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// How many seeds to work on at once; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Print JSON instead of text: an object for each seed, or for each program listed.
    #[arg(long)]
    pub json: bool,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}

impl EnumerateCommand {
    pub(crate) fn settings(&self) -> EnumerationSettings {
        EnumerationSettings {
            classes: self.classes,
            scope: self.scope,
            types: self.types,
        }
    }
}
