//! The command lines for looking at programs.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

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
pub struct CompilersCommand {
    /// A compiler, with further flags, and after | what runs its programs; repeatable
    /// [default: every gcc, clang, tcc and pcc on PATH].
    #[arg(long, value_name = "CC")]
    pub compiler: Vec<String>,
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
