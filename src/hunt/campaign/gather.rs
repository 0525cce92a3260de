//! One campaign out of parts that may still be running, for those who watch it.
//!
//! It is a merged store of our own, in a directory that goes when we do; each look takes over
//! what parts have gained since the last one. Parts are only read, each as it is at one
//! moment, and one that cannot be read is told and does not hold up the others.

use super::Shard;
use super::guard::Guard;
use super::merge::missing;
use super::session;
use super::store::{FILE, Header, Store};
use crate::hunt::finding::{FINDINGS, SUSPICIONS, directories_in};
use anyhow::{Context, Result, bail, ensure};
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Sizes and times of the files that tell whether a campaign has done something.
pub(crate) type FileTimes = Vec<(u64, Option<SystemTime>)>;

/// The parts below a directory, united.
#[derive(Debug)]
pub(crate) struct Gathering {
    source: PathBuf,
    parts: BTreeMap<PathBuf, PartInView>,
    /// The plan of all, and who was the first to have it.
    plan: Option<(PathBuf, Header)>,
    store: Option<Store>,
    // Ends before the directory does, so that only one of the two removes it.
    _guard: Guard,
    directory: TempDir,
}

/// A part as it was seen last.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartInView {
    pub(crate) shard: Option<Shard>,
    pub(crate) seeds: u64,
    pub(crate) variants: u64,
    pub(crate) findings: u64,
    /// When it did something last.
    pub(crate) changed: Option<SystemTime>,
    pub(crate) activity: PartActivity,
    /// Why what it has done since is not counted.
    pub(crate) trouble: Option<String>,
    times: FileTimes,
}

/// Whether somebody works in a part's directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PartActivity {
    Running,
    #[default]
    AtRest,
    /// It is a copy of one that is elsewhere, so that cannot be told.
    Copy,
}

impl Gathering {
    /// Unites the parts that are there now.
    ///
    /// # Errors
    /// If none of them can be read.
    pub(crate) fn of(source: &Path) -> Result<Gathering> {
        let directory = tempfile::Builder::new().prefix("mestra-").tempdir();
        let directory = directory.context("making a directory to unite parts in")?;
        let mut gathering = Gathering {
            source: source.to_owned(),
            parts: BTreeMap::new(),
            plan: None,
            store: None,
            _guard: Guard::start(directory.path())?,
            directory,
        };
        gathering.look()?;
        if gathering.plan.is_none() {
            let mut parts = gathering.parts.iter();
            match parts.find_map(|(path, part)| Some((path, part.trouble.as_ref()?))) {
                Some((path, trouble)) => bail!("reading {}: {trouble}", path.display()),
                None => bail!(
                    "{} contains no campaign, and no directory in it does",
                    source.display()
                ),
            }
        }
        Ok(gathering)
    }

    /// Where the united campaign is.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn parts(&self) -> &BTreeMap<PathBuf, PartInView> {
        &self.parts
    }

    /// The shards of which there is no part.
    pub(crate) fn missing(&self) -> Vec<Shard> {
        let shards: Vec<Shard> = self.parts.values().filter_map(|part| part.shard).collect();
        missing(&shards).collect()
    }

    /// Takes over what parts have gained.
    pub(crate) fn look(&mut self) -> Result<()> {
        for path in parts_in(&self.source) {
            let times = file_times(&path);
            let earlier = self.parts.remove(&path).unwrap_or_default();
            let activity = activity(&path);
            // Whoever could not be read may be read now.
            let part = if earlier.times == times && earlier.trouble.is_none() {
                PartInView {
                    activity,
                    ..earlier
                }
            } else {
                let seen = PartInView {
                    activity,
                    changed: times.iter().filter_map(|(_, time)| *time).max(),
                    times,
                    ..earlier
                };
                match self.take(&path, seen.clone()) {
                    Ok(part) => part,
                    Err(error) => PartInView {
                        trouble: Some(format!("{error:#}")),
                        ..seen
                    },
                }
            };
            self.parts.insert(path, part);
        }
        Ok(())
    }

    fn take(&mut self, path: &Path, seen: PartInView) -> Result<PartInView> {
        let (header, part) = inspect(path, seen)?;
        let (first, plan) = self
            .plan
            .get_or_insert_with(|| (path.to_owned(), header.clone()));
        ensure!(
            *plan == header,
            "it does not belong to the same campaign as {}",
            first.display()
        );
        let mut others = self.parts.iter();
        let same = others.find(|(other, that)| {
            *other != path && part.shard != Some(Shard::default()) && that.shard == part.shard
        });
        if let (Some((other, _)), Some(shard)) = (same, part.shard) {
            bail!("it is shard {shard}, and so is {}", other.display());
        }
        let store = match self.store.take() {
            Some(store) => store,
            None => begin(self.directory.path(), &header)?,
        };
        let taken = store.take(&[path]);
        self.store = Some(store);
        taken?;
        Ok(part)
    }
}

/// Begins the united store. It is made anew each time, so nothing of it need last.
fn begin(directory: &Path, header: &Header) -> Result<Store> {
    fs::create_dir_all(directory.join(FINDINGS))?;
    let store = Store::create(directory, header, Shard::default())?;
    store.expect_many_rows()?;
    store
        .connection()
        .pragma_update(None, "synchronous", "OFF")?;
    Ok(store)
}

/// The directories in a directory in which campaigns have begun.
pub(crate) fn parts_in(source: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(source).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut parts: Vec<PathBuf> = paths.filter(|path| path.join(FILE).is_file()).collect();
    parts.sort();
    parts
}

/// Sizes and times of what a campaign's page is made of. Reductions appear in the findings'
/// directories.
pub(crate) fn file_times(campaign: &Path) -> FileTimes {
    let wal = format!("{FILE}-wal");
    let names = [FILE, &wal, "defects.json", FINDINGS, SUSPICIONS];
    let findings = directories_in(campaign, FINDINGS).unwrap_or_default();
    let paths = names.iter().map(|name| campaign.join(name)).chain(findings);
    let files = paths.map(|path| {
        // An empty log may be there because somebody reads.
        let file = fs::metadata(path).ok().filter(|file| file.len() > 0);
        file.map_or((0, None), |file| (file.len(), file.modified().ok()))
    });
    files.collect()
}

fn activity(part: &Path) -> PartActivity {
    match session::reading(part) {
        Err(_) => PartActivity::Running,
        Ok(Some(_)) => PartActivity::AtRest,
        Ok(None) => PartActivity::Copy,
    }
}

/// What a part is and how far it has come, without writing to it.
fn inspect(path: &Path, seen: PartInView) -> Result<(Header, PartInView)> {
    let store = Connection::open_with_flags(path.join(FILE), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    store.busy_timeout(Duration::from_secs(10))?;
    let get = |key: &str| -> rusqlite::Result<String> {
        let query = "SELECT value FROM meta WHERE key = ?";
        store.query_row(query, [key], |row| row.get(0))
    };
    let count = |query: &str| store.query_row(query, [], |row| row.get(0));
    let part = PartInView {
        shard: Some(get("shard")?.parse()?),
        seeds: count("SELECT count(*) FROM seeds WHERE state <> 'working'")?,
        variants: count("SELECT count(*) FROM variants WHERE finished IS NOT NULL")?,
        findings: count("SELECT count(*) FROM findings")?,
        trouble: None,
        ..seen
    };
    Ok((serde_json::from_str(&get("header")?)?, part))
}
