//! The command line of campaigns.

use super::number::{at_least_one, time};
use crate::hunt::campaign::Shard;
use crate::hunt::campaign::settings::Settings;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct CampaignCommand {
    /// Directory for everything that the campaign writes.
    #[arg(short, long, value_name = "DIR", default_value = "campaign")]
    pub out: PathBuf,

    /// Resume the campaign in that directory, with its own settings.
    #[arg(long)]
    pub resume: bool,

    /// A settings file, whose keys are named like these options [default: mestra.toml
    /// if it exists].
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// When to stop, such as 90s, 10m or 8h. If something is found, the last quarter, and
    /// at most --reduce-time, is for reducing it.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,

    /// Number of seeds to process in parallel; defaults to the number of cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,

    /// Work on one shard of the seeds only, such as 2/3; see `mestra merge`.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,

    /// Also keep a copy of the campaign in this directory, for instance on a network file
    /// system. With it, the campaign is begun or resumed, whichever is needed, and
    /// resumed from the copy if that is further.
    #[arg(long, value_name = "DIR")]
    pub sync: Option<PathBuf>,

    /// How often the copy is renewed, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time)]
    pub sync_every: Duration,

    /// Directory of an earlier campaign, whose findings are known; repeatable. The exit
    /// code is 2 only if there are others. Known crashes of compilers are not reduced.
    #[arg(long, value_name = "DIR")]
    pub known: Vec<PathBuf>,

    /// Do not reduce findings or write a report at the end.
    #[arg(long)]
    pub no_reduce: bool,

    /// How long to keep reducing findings at the end, all together, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
    pub reduce_time: Duration,

    /// Allow compilers and programs to use the network.
    #[arg(long)]
    pub allow_network: bool,

    /// Print events as JSON, one per line, instead of text.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct MergeCommand {
    /// The directory of the whole campaign; if an earlier merge has made it, what is new
    /// is added.
    #[arg(value_name = "OUT")]
    pub out: PathBuf,

    /// Directories of the shards; those that are damaged or still running are skipped.
    #[arg(value_name = "DIR", required = true)]
    pub parts: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CompactCommand {
    /// Directories of campaigns that are not running.
    #[arg(value_name = "DIR", required = true)]
    pub campaigns: Vec<PathBuf>,

    /// Leave the latest seeds as they are, so many of them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub keep: u64,
}

#[derive(Debug, Args)]
pub struct GuardCommand {
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}
