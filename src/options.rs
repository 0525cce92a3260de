//! The command line as typed.

use crate::exit_code::ExitCode;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

/// Finds bugs in C compilers with variants of C programs that must behave the same.
#[derive(Debug, Parser)]
#[command(name = "mestra", version, after_help = exit_codes())]
pub struct Options {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show how Mestra sees a C program: functions, statements, points, and what
    /// may be read where.
    #[command(after_help = DUMP_EXAMPLES)]
    Dump(DumpOptions),

    /// Run a C program and show what its variables hold at every point.
    #[command(after_help = PROFILE_EXAMPLES)]
    Profile(ProfileCommand),
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
    /// The chance of a point to record values.
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
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a probability lies between 0 and 1".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 86_400.0 => Ok(value),
        _ => Err("a number of seconds above 0, a day at most".into()),
    }
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

const DUMP_EXAMPLES: &str = "\
Examples:
  mestra dump corpora/goto_into_block.c
  mestra dump --json seed.c -- -std=gnu89 -Iinclude -DNDEBUG";

const PROFILE_EXAMPLES: &str = "\
Examples:
  mestra profile --profile-probability 1 corpora/switch_fallthrough.c
  mestra profile --profile-compiler tcc --json seed.c -- -DSIZE=10
  mestra profile --arg '3 -v' --arg 4 --input numbers.txt seed.c";

fn exit_codes() -> String {
    let mut text = String::from("Exit codes:\n");
    for (code, meaning) in ExitCode::TABLE {
        let _ = writeln!(text, "  {:<4} {meaning}", *code as u8);
    }
    text
}
