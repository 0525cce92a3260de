//! The command line that prepares campaigns on many machines.

use super::number::{at_least_one, time};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct ClusterCommand {
    /// The settings file of the campaign.
    #[arg(short, long, value_name = "FILE", default_value = "mestra.toml")]
    pub config: PathBuf,

    /// How many shards to divide the campaign into.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub shards: usize,

    /// How many tasks to run them in; as many as shards by default.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub tasks: Option<usize>,

    /// A directory that all machines see, for everything that stays.
    #[arg(long, value_name = "DIR")]
    pub shared: PathBuf,

    /// A directory of each machine for work in progress, as a shell there expands it.
    #[arg(long, value_name = "DIR", default_value = "${TMPDIR:-/tmp}")]
    pub local: String,

    /// Number of cores for a task.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = at_least_one)]
    pub cpus: usize,

    /// How long a task may run before it goes back to the queue, such as 12h.
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = time)]
    pub limit: Duration,

    /// When each shard stops, such as 8h; by default when its seeds are done.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,

    /// How often work is copied to the shared directory, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time)]
    pub sync_every: Duration,

    /// Of the findings in one bucket, reduce so many.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    pub alike: usize,

    /// How long to keep reducing each finding, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time)]
    pub reduce_time: Duration,

    /// What the jobs are called.
    #[arg(long, value_name = "NAME", default_value = "mestra")]
    pub name: String,

    /// The container image with Mestra and the compilers, for Kubernetes.
    #[arg(long, value_name = "IMAGE", default_value = "mestra:latest")]
    pub image: String,

    /// The volume claim of the shared directory, for Kubernetes.
    #[arg(long, value_name = "NAME", default_value = "mestra")]
    pub claim: String,

    /// Directory for the files.
    #[arg(short, long, value_name = "DIR", default_value = "cluster")]
    pub out: PathBuf,
}
