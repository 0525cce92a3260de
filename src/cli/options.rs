//! The command line as typed.

mod bisect;
mod campaign;
mod cluster;
mod enumerate;
mod generate;
mod help;
mod mark;
mod serve;

pub(crate) use bisect::BisectCommand;
pub(crate) use campaign::{CampaignCommand, CompactCommand, GuardCommand, MergeCommand};
pub(crate) use cluster::ClusterCommand;
pub(crate) use enumerate::EnumerateCommand;
pub(crate) use generate::GenerateCommand;
pub(crate) use mark::{MarkCommand, RetestCommand};
pub(crate) use serve::ServeCommand;

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
    pub command: ChosenCommand,
}

#[derive(Debug, Subcommand)]
pub enum ChosenCommand {
    /// Test compilers with variants of many programs, for as long as you like.
    #[command(after_help = help::CAMPAIGN)]
    Campaign(Box<CampaignCommand>),

    /// Group the findings of a campaign into buckets and write a report.
    #[command(after_help = help::REPORT)]
    Report(ReportCommand),

    /// Reduce findings to small programs and write a bug report for each.
    #[command(after_help = help::REDUCE)]
    Reduce(ReduceCommand),

    /// Show the report of a campaign in a browser while it goes on.
    #[command(after_help = help::SERVE)]
    Serve(ServeCommand),

    /// Try what a campaign has found with another version of the compiler.
    #[command(after_help = help::RETEST)]
    Retest(RetestCommand),

    /// Find the commit of a compiler's git history that brought a defect.
    #[command(after_help = help::BISECT)]
    Bisect(BisectCommand),

    /// Say what became of a bucket: filed, confirmed, fixed, invalid, a duplicate.
    #[command(after_help = help::MARK)]
    Mark(MarkCommand),

    /// Merge the shards of a campaign.
    #[command(after_help = help::MERGE)]
    Merge(MergeCommand),

    /// Make the database of a campaign smaller, keeping all findings and counts.
    #[command(after_help = help::COMPACT)]
    Compact(CompactCommand),

    /// Write files that run a campaign on many machines: with Slurm, Kubernetes, HTCondor,
    /// GNU parallel or make.
    #[command(after_help = help::CLUSTER)]
    Cluster(ClusterCommand),

    /// Make variants of C programs that must behave like the originals.
    #[command(after_help = help::MUTATE)]
    Mutate(Box<MutateCommand>),

    /// Check that variants behave like their seed and have no undefined behaviour.
    #[command(after_help = help::VERIFY)]
    Verify(VerifyCommand),

    /// Rebuild a variant, or a part of it, from its seed and its record.
    #[command(after_help = help::REPLAY)]
    Replay(ReplayCommand),

    /// Show each mutation of a variant: where it stands, the values seen there, why it
    /// changes nothing, and what becomes of the text.
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainCommand),

    /// Make all programs that differ from a C program in which variables they name where.
    #[command(after_help = help::ENUMERATE)]
    Enumerate(Box<EnumerateCommand>),

    /// Make C programs without undefined behaviour whose output is known.
    #[command(after_help = help::GENERATE)]
    Generate(Box<GenerateCommand>),

    /// Show optimisations that compilers miss: calls in code that never runs, kept by one and
    /// removed by another, or by the same at a lower level.
    #[command(after_help = help::MISSED)]
    Missed(MissedCommand),

    /// Collect statements from C programs to insert into variants of others.
    #[command(after_help = help::DONORS)]
    Donors(DonorsCommand),

    /// Run a C program and show what its variables hold at every point.
    #[command(after_help = help::PROFILE)]
    Profile(ProfileCommand),

    /// Show how Mestra sees a C program: functions, statements, points, and what
    /// can be read where.
    #[command(after_help = help::DUMP)]
    Dump(DumpOptions),

    /// Say what is installed, and what is missing for what.
    #[command(after_help = help::DOCTOR)]
    Doctor,

    /// Print a shell completion script.
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsCommand),

    /// Write manual pages: one for the program, one for each command.
    #[command(after_help = help::MAN)]
    Man(ManCommand),

    /// Clean up a directory once standard input ends; a campaign starts it.
    #[command(hide = true)]
    Guard(GuardCommand),

    /// Read a program that may be too much for libclang; others start it.
    #[command(hide = true)]
    Probe(ProbeCommand),
}

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
pub struct CompletionsCommand {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManCommand {
    /// The directory to write to; created if missing.
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

    /// Number of programs to process in parallel; defaults to the number of cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,
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
pub struct ReduceCommand {
    /// Directories of findings; a campaign's directory stands for all of its findings
    /// that are not reduced to the end, one of each bucket first.
    #[arg(value_name = "FINDING_DIR", required = true)]
    pub findings: Vec<PathBuf>,

    /// Only print which findings would be reduced, one per line.
    #[arg(long)]
    pub list: bool,

    /// An earlier campaign; crashes of compilers that it has found are not reduced
    /// again; repeatable.
    #[arg(long, value_name = "DIR")]
    pub known: Vec<PathBuf>,

    /// Of a campaign's findings in one bucket, reduce so many.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub alike: Option<usize>,

    /// How long to work in all, such as 90s or 10m; by default as long as it takes, but
    /// no more than five minutes on one finding.
    #[arg(long, value_name = "TIME", value_parser = campaign::time)]
    pub time: Option<Duration>,

    /// Use only the built-in reducer, even if C-Vise or C-Reduce is installed.
    #[arg(long)]
    pub no_cvise: bool,

    /// Allow compilers and programs to use the network.
    #[arg(long)]
    pub allow_network: bool,

    /// Number of candidates to test in parallel; defaults to the number of cores.
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

    /// Directory of an earlier campaign, whose findings are shown as known; repeatable.
    #[arg(long, value_name = "DIR")]
    pub known: Vec<PathBuf>,

    /// Write the report to this directory instead of the campaign's.
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

    /// Apply only these mutations, by number.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub only: Option<Vec<u32>>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExplainCommand {
    /// The C program that the variant was made of.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// The record beside the variant.
    #[arg(value_name = "VARIANT.json")]
    pub record: PathBuf,

    /// Explain only these mutations, by number.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub only: Option<Vec<u32>>,

    /// Print a JSON array instead of text.
    #[arg(long)]
    pub json: bool,

    /// A compiler to profile with; repeatable. Defaults to gcc, the newest clang, and tcc
    /// if it is installed.
    #[arg(long, value_name = "CC")]
    pub profile_compiler: Vec<String>,

    /// Time limit for one run of the seed, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seed_timeout: f64,
}

#[derive(Debug, Args)]
pub struct MissedCommand {
    /// C programs; each is run once to see what of it never runs.
    #[arg(value_name = "SEED.c", required = true)]
    pub seeds: Vec<PathBuf>,

    /// A compiler to compare, with further flags, at levels -O1, -O2 and -O3; repeatable
    /// [default: every gcc and clang on PATH].
    #[arg(long, value_name = "CC")]
    pub compiler: Vec<String>,

    /// Print a JSON object for each seed instead of text.
    #[arg(long)]
    pub json: bool,

    /// Compiler flags of the seeds.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct VerifyCommand {
    /// The C program that the variants were made of.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// The variants.
    #[arg(value_name = "VARIANT.c", required = true)]
    pub variants: Vec<PathBuf>,

    /// A further compiler that must agree, unless it disagrees on the seed; repeatable.
    #[arg(long, value_name = "CC")]
    pub compiler: Vec<String>,

    /// Print only variants that differ.
    #[arg(short, long)]
    pub quiet: bool,

    /// Time limit for one run, in seconds; ten times that with a sanitizer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub seed_timeout: f64,

    /// A file to run the programs on as standard input; repeatable.
    #[arg(long, value_name = "FILE")]
    pub input: Vec<PathBuf>,

    /// Arguments for one run, quoted as in a shell; repeatable.
    #[arg(long = "arg", value_name = "WORDS", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct ProbeCommand {
    /// The file that holds the text.
    #[arg(value_name = "FILE")]
    pub text: PathBuf,

    /// What the program is called.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

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

fn probability(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0, "expected a probability between 0 and 1")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1e6, "expected a number from 0 to 1000000")
}

fn at_most_100(text: &str) -> Result<usize, String> {
    number(text, 1..=100, "expected a number from 1 to 100")
}

fn at_least_one(text: &str) -> Result<usize, String> {
    number(text, 1..=1_000_000, "expected a number of at least 1")
}

fn seconds(text: &str) -> Result<f64, String> {
    let least = f64::MIN_POSITIVE;
    let what = "expected a number of seconds above 0, at most a day";
    number(text, least..=86_400.0, what)
}

/// A number within bounds, or what was expected.
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

    /// Print the program's expressions, each with its type and effects.
    #[arg(long, conflicts_with = "json")]
    pub expressions: bool,

    /// Compiler flags, such as -std=gnu89, -I, -D, -m32 or --target=.
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<OsString>,
}
