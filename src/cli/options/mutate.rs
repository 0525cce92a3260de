//! The command line of making variants.

use super::number::{at_least_one, at_most_100, not_negative, probability};
use super::profile::Profiling;
use crate::variant::strategy::{self, Weights};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// What the chain maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Distance of statements and control flow from the seed's.
    Distance,
    /// Optimiser remarks that differ from those on the seed.
    Remarks,
}

/// How variants are made, for every command that makes them.
#[derive(Debug, Args)]
pub struct Mutating {
    /// Mutation strategies; with several, each variant uses one of them.
    #[arg(
        long,
        value_name = "NAME,…",
        value_enum,
        value_delimiter = ',',
        default_value = "hermes"
    )]
    pub strategy: Vec<strategy::Name>,

    /// Relative frequency of each kind of mutation, such as true_guard=2,true_block=1;
    /// equal by default.
    #[arg(long, value_name = "KIND=N,…")]
    pub weights: Option<Weights>,

    /// Give each variant random weights for a random subset of the kinds.
    #[arg(long)]
    pub swarm: bool,

    /// Maximum number of mutations per variant.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = at_least_one)]
    pub max_mutations: usize,

    /// Let code that never runs have undefined behaviour on purpose.
    #[arg(long)]
    pub undefined: bool,

    /// Share of the recorded points that a variant is changed at, on average; 1 changes
    /// all.
    #[arg(long, value_name = "P", default_value_t = 0.25, value_parser = probability)]
    pub point_share: f64,

    /// C programs, or a directory of them, whose statements are inserted into variants;
    /// or a file written by `mestra donors`; repeatable. Athena also uses statements of
    /// the seed itself; hermes inserts statements only if this is given.
    #[arg(long, value_name = "PATH")]
    pub donors: Vec<PathBuf>,

    /// Number of steps of the chain, for the strategies athena and all.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,

    /// How strongly the chain prefers a higher objective; 0 means not at all.
    #[arg(long, value_name = "X", default_value_t = 1000.0, value_parser = not_negative)]
    pub sigma: f64,

    /// What the chain maximises.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = ObjectiveName::Distance)]
    pub objective: ObjectiveName,

    /// Weight of changed statements in the distance.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pub alpha: f64,

    /// Weight of changed control flow in the distance.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pub beta: f64,

    /// Penalty for growth in the distance.
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = not_negative)]
    pub gamma: f64,

    /// The gcc or clang whose remarks are used with --objective remarks.
    #[arg(long, value_name = "CC", default_value = "gcc")]
    pub remarks_compiler: String,

    /// Nesting depth of conditions, above their comparisons.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub predicate_depth: u32,

    /// Maximum number of variables and constants per expression in live code.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = at_most_100)]
    pub expression_leaves: usize,

    /// Maximum number of statements in a live block, not counting those that save and
    /// restore values.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_most_100)]
    pub block_steps: usize,

    /// Nesting depth of statements in dead code.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub dead_depth: u32,

    /// Make variants abort when a value is not one of those predicted.
    #[arg(long)]
    pub check_speculation: bool,
}

#[derive(Debug, Args)]
pub struct MutateCommand {
    /// The C programs, *.c or preprocessed *.i.
    #[arg(value_name = "SEED.c", required = true)]
    pub seeds: Vec<PathBuf>,

    /// Number of variants to make of each seed.
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub number: u32,

    /// Directory for variants and their records. Variants of the same seed that an
    /// earlier run with a higher -n left there are removed.
    #[arg(short, long, value_name = "DIR", default_value = "variants")]
    pub output: PathBuf,

    /// Number of seeds to process in parallel; defaults to the number of cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub profiling: Profiling,

    /// Use a profile that was saved with `mestra profile --save`.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    #[command(flatten)]
    pub mutating: Mutating,

    /// Number of programs of each seed that differ from it in which variables they name
    /// where, for the strategy spe: all if there are no more, otherwise a sample. Those
    /// that mean one thing are written, and are seeds for the other strategies.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub instances: u64,

    /// Mutate each variant this many times, with a new profile each time.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub chain: u32,

    /// Plot the objective and the acceptance rate of all chains to a file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// List the mutations and write nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// Print one JSON object for each seed instead of text.
    #[arg(long)]
    pub json: bool,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct DonorsCommand {
    /// C programs, or directories of them.
    #[arg(value_name = "PATH", required = true)]
    pub sources: Vec<PathBuf>,

    /// The file to write.
    #[arg(short, long, value_name = "FILE", default_value = "donors.json")]
    pub output: PathBuf,

    /// Number of programs to process in parallel; defaults to the number of cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,
}
