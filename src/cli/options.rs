//! The command line as typed.

mod campaign;
mod help;

pub use campaign::{CampaignCommand, GuardCommand, MergeCommand};

use crate::variant::strategy::{self, Weights};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Finds bugs in C compilers with variants of C programs that must behave the same.
#[derive(Debug, Parser)]
#[command(name = "mestra", version, after_help = help::program())]
pub struct Options {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Test compilers with variants of many programs, for as long as you like.
    #[command(after_help = help::CAMPAIGN)]
    Campaign(Box<CampaignCommand>),

    /// Sort the findings of a campaign into buckets and write its report.
    #[command(after_help = help::REPORT)]
    Report(ReportCommand),

    /// Make the programs of findings small, and write a bug report for each.
    #[command(after_help = help::REDUCE)]
    Reduce(ReduceCommand),

    /// Unite the parts of a campaign that was divided by --shard.
    #[command(after_help = help::MERGE)]
    Merge(MergeCommand),

    /// Make variants of C programs that must behave the same.
    #[command(after_help = help::MUTATE)]
    Mutate(Box<MutateCommand>),

    /// Check that variants do what their seed does, without undefined behaviour.
    #[command(after_help = help::VERIFY)]
    Verify(VerifyCommand),

    /// Make a variant again from its seed and its record, or a part of it.
    #[command(after_help = help::REPLAY)]
    Replay(ReplayCommand),

    /// Collect statements of C programs, to be put into variants of others.
    #[command(after_help = help::DONORS)]
    Donors(DonorsCommand),

    /// Run a C program and show what its variables hold at every point.
    #[command(after_help = help::PROFILE)]
    Profile(ProfileCommand),

    /// Show how Mestra sees a C program: functions, statements, points, and what
    /// may be read where.
    #[command(after_help = help::DUMP)]
    Dump(DumpOptions),

    /// Print a script that lets a shell complete commands and options.
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsCommand),

    /// Write manual pages: one for the program, one for each command.
    #[command(after_help = help::MAN)]
    Man(ManCommand),

    /// Clean up a directory once standard input ends; a campaign starts it.
    #[command(hide = true)]
    Guard(GuardCommand),
}

/// What the chain strives for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Statements and control flow unlike the seed's.
    Distance,
    /// Other remarks of a compiler's optimiser than on the seed.
    Remarks,
}

/// How variants are made, for every command that makes them.
#[derive(Debug, Args)]
pub struct Mutating {
    /// How to mutate; with several, each variant by one of them.
    #[arg(
        long,
        value_name = "NAME,…",
        value_enum,
        value_delimiter = ',',
        default_value = "hermes"
    )]
    pub strategy: Vec<strategy::Name>,

    /// How often each kind of mutation is made, such as true_guard=2,true_block=1; by
    /// default all alike.
    #[arg(long, value_name = "KIND=N,…")]
    pub weights: Option<Weights>,

    /// Give each variant random weights for a random part of the kinds.
    #[arg(long)]
    pub swarm: bool,

    /// The most mutations of one variant.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = at_least_one)]
    pub max_mutations: usize,

    /// Programs, or a directory of them, whose statements are put into variants; or a
    /// file of `mestra donors`. May be given again. Athena also takes those of the
    /// seed itself; hermes puts statements in only if this is given.
    #[arg(long, value_name = "PATH")]
    pub donors: Vec<PathBuf>,

    /// The length of the chain of athena and all.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,

    /// How much the chain prefers a higher objective; 0 is not at all.
    #[arg(long, value_name = "X", default_value_t = 1000.0, value_parser = not_negative)]
    pub sigma: f64,

    /// What the chain strives for.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = ObjectiveName::Distance)]
    pub objective: ObjectiveName,

    /// How much other statements count in the distance.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pub alpha: f64,

    /// How much other control flow counts in the distance.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pub beta: f64,

    /// How much growth is held against a variant in the distance.
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = not_negative)]
    pub gamma: f64,

    /// The gcc or clang whose remarks count with --objective remarks.
    #[arg(long, value_name = "CC", default_value = "gcc")]
    pub remarks_compiler: String,

    /// How deep conditions nest above their comparisons.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub predicate_depth: u32,

    /// The most variables and constants of an expression in live code.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = at_most_100)]
    pub expression_leaves: usize,

    /// The most statements of a live block, besides what saves and restores.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_most_100)]
    pub block_steps: usize,

    /// How deep statements nest in dead code.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=6))]
    pub dead_depth: u32,

    /// Let variants abort where a value is not one that was predicted.
    #[arg(long)]
    pub check_speculation: bool,
}

#[derive(Debug, Args)]
pub struct CompletionsCommand {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManCommand {
    /// The directory to write to; it is made if need be.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

#[derive(Debug, Args)]
pub struct DonorsCommand {
    /// C programs, or directories of them.
    #[arg(value_name = "PATH", required = true)]
    pub sources: Vec<PathBuf>,

    /// The file to write.
    #[arg(short, long, value_name = "FILE", default_value = "donors.json")]
    pub output: PathBuf,

    /// How many programs to work on at once; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub struct MutateCommand {
    /// The C programs, *.c or preprocessed *.i.
    #[arg(value_name = "SEED.c", required = true)]
    pub seeds: Vec<PathBuf>,

    /// How many variants to make of each seed.
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub number: u32,

    /// The directory that variants and their records are written to. Those of a seed
    /// that an earlier run with a higher -n has left there are removed.
    #[arg(short, long, value_name = "DIR", default_value = "variants")]
    pub output: PathBuf,

    /// How many seeds to work on at once; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub profiling: Profiling,

    /// Use a profile that was saved with `mestra profile --save`.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    #[command(flatten)]
    pub mutating: Mutating,

    /// Mutate each variant so many times, with a new profile each time.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub chain: u32,

    /// Draw the objective and the acceptance rate of all chains into a file.
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
pub struct ReduceCommand {
    /// The directories of the findings, as a campaign leaves them; the campaign's own
    /// stands for all that are not reduced.
    #[arg(value_name = "FINDING_DIR", required = true)]
    pub findings: Vec<PathBuf>,

    /// How long to go on making one program smaller, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = campaign::time)]
    pub time: Duration,

    /// Use our own reducer only, even if C-Vise or C-Reduce is installed.
    #[arg(long)]
    pub no_cvise: bool,

    /// Leave the network to compilers and programs.
    #[arg(long)]
    pub allow_network: bool,

    /// How many texts to test at once; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Print one JSON object for each finding instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ReportCommand {
    /// The directory of the campaign.
    #[arg(value_name = "CAMPAIGN_DIR")]
    pub campaign: PathBuf,

    /// The directory of an earlier campaign, whose findings are folded away; may be
    /// given again.
    #[arg(long, value_name = "DIR")]
    pub known: Vec<PathBuf>,

    /// Write the report to another directory than the campaign's.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Print the whole report as one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ReplayCommand {
    /// The C program that the variant was made of.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// The record beside the variant.
    #[arg(value_name = "VARIANT.json")]
    pub record: PathBuf,

    /// Make only these mutations, by their numbers.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub only: Option<Vec<u32>>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// The C program that the variants were made of.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// The variants.
    #[arg(value_name = "VARIANT.c", required = true)]
    pub variants: Vec<PathBuf>,

    /// A further compiler that must agree, if it does on the seed; may be given again.
    #[arg(long, value_name = "CC")]
    pub compiler: Vec<String>,

    /// Name only variants that differ.
    #[arg(short, long)]
    pub quiet: bool,

    /// How long one run may take, in seconds; ten times that under a sanitizer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seed_timeout: f64,

    /// A file to run the programs with as standard input; may be given again.
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,

    /// The arguments of one run, in the shell's quoting; may be given again.
    #[arg(long = "arg", value_name = "WORDS", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
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

/// What every command that profiles takes.
#[derive(Debug, Args)]
pub struct Profiling {
    /// The chance of a point to record values; in a small program about ten do.
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = probability)]
    pub profile_probability: f64,

    /// A compiler to profile with; may be given again. By default gcc and the
    /// newest clang, which evaluate operands in different orders, and tcc if there is one.
    #[arg(long, value_name = "CC")]
    pub profile_compiler: Vec<String>,

    /// How many distinct rows a point keeps before it keeps ranges.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub profile_rows: u16,

    /// How long one run of a seed may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seed_timeout: f64,

    /// A file to run the seed with as standard input; may be given again.
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,

    /// The arguments of one run, in the shell's quoting; may be given again. The
    /// seed is run with each of them on each --input; without any, as its own
    /// comments say.
    #[arg(long = "arg", value_name = "WORDS", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// The number that all dice come from.
    #[arg(long = "seed", value_name = "N", default_value_t = 0)]
    pub dice: u64,
}

fn probability(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0, "a probability lies between 0 and 1")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1e6, "a number from 0 to a million")
}

fn at_most_100(text: &str) -> Result<usize, String> {
    number(text, 1..=100, "a number from 1 to 100")
}

fn at_least_one(text: &str) -> Result<usize, String> {
    number(text, 1..=1_000_000, "a number from 1 on")
}

fn seconds(text: &str) -> Result<f64, String> {
    let least = f64::MIN_POSITIVE;
    let what = "a number of seconds above 0, a day at most";
    number(text, least..=86_400.0, what)
}

/// A number within bounds; what it should have been if it is not.
fn number<T>(text: &str, bounds: RangeInclusive<T>, what: &str) -> Result<T, String>
where
    T: FromStr + PartialOrd,
{
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| what.to_owned())
}

#[derive(Debug, Args)]
pub struct DumpOptions {
    /// The C program.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}
