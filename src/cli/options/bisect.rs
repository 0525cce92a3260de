//! The command line of bisections.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct BisectCommand {
    /// The directory of the finding.
    #[arg(value_name = "FINDING_DIR")]
    pub finding: PathBuf,

    /// The compiler's git repository.
    #[arg(long, value_name = "DIR")]
    pub git: PathBuf,

    /// A shell command that builds the compiler in the current directory.
    #[arg(long, value_name = "CMD")]
    pub build: String,

    /// The compiler that the build leaves, relative to that directory.
    #[arg(long, value_name = "FILE")]
    pub compiler: PathBuf,

    /// A revision without the defect.
    #[arg(long, value_name = "REV")]
    pub good: String,

    /// A revision that has it.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub bad: String,
}
