//! `mestra cluster`: files with which schedulers run a campaign.

use super::print;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ClusterCommand;
use crate::hunt::cluster::ClusterPlan;
use anyhow::{Context, Result, ensure};
use std::fs;

pub(super) fn cluster(options: &ClusterCommand) -> Result<ExitCode> {
    let is_label = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    ensure!(
        options.name.chars().all(is_label),
        "--name may have small letters, digits and hyphens"
    );
    let plan = ClusterPlan {
        name: options.name.clone(),
        plan: options.config.clone(),
        shards: options.shards as u64,
        tasks: options.tasks.unwrap_or(options.shards).min(options.shards) as u64,
        cpus: options.cpus,
        limit: options.limit,
        time: options.time,
        sync_every: options.sync_every,
        alike: options.alike,
        reduce_time: options.reduce_time,
        shared: options.shared.clone(),
        local: options.local.clone(),
        mestra: std::env::current_exe().context("finding our own executable")?,
        image: options.image.clone(),
        claim: options.claim.clone(),
    };
    fs::create_dir_all(&options.out)
        .with_context(|| format!("making the directory {}", options.out.display()))?;
    let names = plan.write(&options.out)?;
    let out = options.out.display();
    print(|screen| {
        names
            .iter()
            .try_for_each(|name| writeln!(screen, "{out}/{name}"))
    })?;
    Ok(ExitCode::Done)
}
