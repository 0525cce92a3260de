//! The command lines for what a campaign has found: reducing and reporting it.

use super::number::{at_least_one, time};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

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
    #[arg(long, value_name = "TIME", value_parser = time)]
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
