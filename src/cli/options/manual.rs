//! The command lines for shell completions and manual pages.

use clap::Args;
use std::path::PathBuf;

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
