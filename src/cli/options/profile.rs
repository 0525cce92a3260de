//! The command line of profiling.

use super::number::{probability, seconds};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of every command that profiles.
#[derive(Debug, Args)]
pub struct Profiling {
    /// Share of the points that record values, of those that are reached if tcc is one
    /// of the compilers; in a small program about ten do.
    #[arg(long, value_name = "P", default_value_t = 0.3, value_parser = probability)]
    pub profile_probability: f64,

    /// A compiler to profile with; repeatable. Defaults to gcc and the newest clang, which
    /// evaluate operands in different orders, and tcc if it is installed.
    #[arg(long, value_name = "CC")]
    pub profile_compiler: Vec<String>,

    /// Number of distinct rows that a point keeps before it falls back to ranges.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub profile_rows: u16,

    /// Time limit for one run of a seed, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seed_timeout: f64,

    /// A file to run the seed on as standard input; repeatable.
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,

    /// Arguments for one run, quoted as in a shell; repeatable. The seed is run with
    /// each of them on each --input; without any, as its own comments say.
    #[arg(long = "arg", value_name = "WORDS", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Seed of the random number generator.
    #[arg(long = "seed", value_name = "N", default_value_t = 0)]
    pub dice: u64,
}

#[derive(Debug, Args)]
pub struct ProfileCommand {
    /// The C program.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    #[command(flatten)]
    pub profiling: Profiling,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,

    /// Also write the profile to a file, for later use with --profile.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}
