//! The command lines for variants that exist: rebuilding, explaining and checking them.

use super::number::seconds;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// A variant by its seed and its record.
#[derive(Debug, Args)]
pub struct RecordedVariant {
    /// The C program that the variant was made of.
    #[arg(value_name = "SEED.c")]
    pub seed: PathBuf,

    /// The record beside the variant.
    #[arg(value_name = "VARIANT.json")]
    pub record: PathBuf,
}

#[derive(Debug, Args)]
pub struct ReplayCommand {
    #[command(flatten)]
    pub variant: RecordedVariant,

    /// Apply only these mutations, by number.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub only: Option<Vec<u32>>,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExplainCommand {
    #[command(flatten)]
    pub variant: RecordedVariant,

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
