//! What is served: one campaign, or the parts of one that other machines work on.

use crate::hunt::campaign::gather::{FileTimes, Gathering, PartActivity, file_times, parts_in};
use crate::hunt::campaign::store::Store;
use crate::hunt::defects;
use crate::hunt::report::{ClusterView, Figures, ShownPart, live_page};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where the page comes from.
#[derive(Debug)]
pub(super) struct PageSource {
    /// What was named.
    named: PathBuf,
    /// Where findings are.
    campaign: PathBuf,
    /// The parts, if it is a directory of these.
    gathering: Option<Mutex<Gathering>>,
}

impl PageSource {
    /// # Errors
    /// If there is no campaign, or it cannot be read.
    pub(super) fn open(named: &Path) -> Result<PageSource> {
        let parts = if Store::find(named).is_ok() {
            None
        } else {
            Some(Gathering::of(named)?)
        };
        let campaign = parts.as_ref().map_or(named, |parts| parts.directory());
        let source = PageSource {
            named: fs::canonicalize(named).context("finding the campaign")?,
            campaign: fs::canonicalize(campaign).context("finding the campaign")?,
            gathering: parts.map(Mutex::new),
        };
        // Better now than in a browser.
        source.page()?;
        Ok(source)
    }

    pub(super) fn campaign(&self) -> &Path {
        &self.campaign
    }

    /// Changes whenever the page might.
    pub(super) fn file_times(&self) -> FileTimes {
        if self.gathering.is_none() {
            return file_times(&self.campaign);
        }
        let parts = parts_in(&self.named).into_iter();
        parts.flat_map(|part| file_times(&part)).collect()
    }

    /// The page as everything is now.
    pub(super) fn page(&self) -> Result<String> {
        let Some(gathering) = &self.gathering else {
            return Ok(live_page(&Figures::read(&self.campaign, &[])?, None));
        };
        let mut gathering = gathering.lock().unwrap_or_else(PoisonError::into_inner);
        gathering.look()?;
        let view = view(&gathering);
        let readable = gathering.parts().iter();
        let readable = readable.filter(|(_, part)| part.trouble.is_none());
        let readable: Vec<PathBuf> = readable.map(|(path, _)| path.clone()).collect();
        // What people say of defects they say in the parts, where they can also unsay it.
        let _ = fs::remove_file(self.campaign.join(defects::FILE));
        defects::unite(&self.campaign, &readable)?;
        Ok(live_page(&Figures::read(&self.campaign, &[])?, Some(&view)))
    }
}

/// The parts in words.
fn view(gathering: &Gathering) -> ClusterView {
    let missing = gathering.missing().into_iter();
    let parts = gathering.parts().iter().map(|(path, part)| ShownPart {
        name: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into(),
        shard: part.shard.map(|shard| shard.to_string()),
        state: match part.activity {
            PartActivity::Running => "running",
            PartActivity::AtRest => "at rest",
            PartActivity::Copy => "a copy",
        },
        trouble: part.trouble.clone(),
        changed: part.changed,
        seeds: part.seeds,
        variants: part.variants,
        findings: part.findings,
    });
    ClusterView {
        parts: parts.collect(),
        missing: missing.map(|shard| shard.to_string()).collect(),
    }
}
