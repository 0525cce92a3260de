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

fn exit_codes() -> String {
    let mut text = String::from("Exit codes:\n");
    for (code, meaning) in ExitCode::TABLE {
        let _ = writeln!(text, "  {:<4} {meaning}", *code as u8);
    }
    text
}
