//! A campaign's directory while somebody works in it: for nobody else, with a scratch
//! directory that is removed whatever happens.

use super::Shard;
use super::guard::{self, Guard};
use super::plan;
use super::settings::Settings;
use super::store::{self, Header, Store};
use crate::hunt::finding::{self, FINDINGS};
use crate::lab::files::write_whole;
use crate::lab::{Lab, scratch};
use anyhow::{Context, Result, bail, ensure};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Held by whoever works in a campaign's directory.
const LOCK: &str = "lock";

/// Names the scratch directory of whoever does.
const SCRATCH: &str = "scratch";

/// The right to work in a campaign's directory.
#[derive(Debug)]
pub(crate) struct OpenCampaign {
    // Ends before the scratch directory does, so that only one of the two removes it.
    _guard: Guard,
    _scratch: TempDir,
    lock: Lock,
}

/// A directory that nobody else works in. Unless a campaign has begun there, it is
/// left as it was found.
#[derive(Debug)]
pub(super) struct Lock {
    directory: PathBuf,
    is_new: bool,
    _file: File,
}

impl OpenCampaign {
    /// Takes a directory, which is made if it is not there, and cleans up after a
    /// campaign that was killed in it.
    pub(crate) fn open(directory: &Path) -> Result<OpenCampaign> {
        let lock = Lock::take(directory)?;
        clean_up(directory)?;
        let scratch = scratch::gather().context("making a directory for work in progress")?;
        let guard = Guard::start(scratch.path())?;
        let note = directory.join(SCRATCH);
        write_whole(&note, scratch.path().as_os_str().as_bytes())?;
        Ok(OpenCampaign {
            _guard: guard,
            _scratch: scratch,
            lock,
        })
    }

    /// Begins a campaign; also tells which compilers that nobody asked for are left
    /// out, and why.
    pub(crate) fn begin(
        &self,
        lab: &Lab,
        settings: Settings,
        shard: Shard,
    ) -> Result<(Header, Store, Vec<String>)> {
        // Before compilers are asked anything, which takes a while.
        Store::expect_none(&self.lock.directory)?;
        expect_no_findings(&self.lock.directory)?;
        let (header, left_out) = plan::begin(lab, settings)?;
        let store = Store::create(&self.lock.directory, &header, shard)?;
        Ok((header, store, left_out))
    }

    /// Goes on with the campaign that was begun here; what is asked for again must be
    /// what was asked for then.
    pub(crate) fn resume(
        &self,
        lab: &Lab,
        asked: Settings,
        shard: Option<Shard>,
    ) -> Result<(Header, Store)> {
        let (store, header) = Store::open(&self.lock.directory)?;
        plan::resume(lab, asked, &header)?;
        let begun = store.shard()?;
        if shard.is_some_and(|shard| shard != begun) {
            bail!("the campaign was begun as shard {begun}; resume it without --shard");
        }
        Ok((header, store))
    }

    /// Removes the store of a campaign that could not begin, so that the next try can.
    pub(crate) fn forget(&self) {
        let directory = &self.lock.directory;
        store::remove(directory, store::FILE);
        // Only if it is empty.
        let _ = fs::remove_dir(directory.join(FINDINGS));
    }
}

impl Drop for OpenCampaign {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.lock.directory.join(SCRATCH));
    }
}

impl Lock {
    pub(super) fn take(directory: &Path) -> Result<Lock> {
        let is_new = !directory.exists();
        fs::create_dir_all(directory)
            .with_context(|| format!("making the directory {}", directory.display()))?;
        let path = directory.join(LOCK);
        let file = File::create(&path).with_context(|| format!("writing {}", path.display()))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                bail!("{} is in use by another campaign", directory.display())
            }
            Err(error) => {
                let error = anyhow::Error::from(error);
                return Err(error.context(format!("locking {}", path.display())));
            }
        }
        Ok(Lock {
            directory: directory.to_owned(),
            is_new,
            _file: file,
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if Store::find(&self.directory).is_ok() {
            return;
        }
        // What cannot be removed does no harm.
        let _ = fs::remove_file(self.directory.join(LOCK));
        if self.is_new {
            let _ = fs::remove_dir(&self.directory);
        }
    }
}

/// Fails where findings are left of a campaign whose store is gone: they would be reported as
/// found now.
fn expect_no_findings(directory: &Path) -> Result<()> {
    let is_begun = Store::find(directory).is_ok();
    ensure!(
        is_begun || finding::all_directories(directory)?.is_empty(),
        "{} holds findings of another campaign; move them away, or choose another --out",
        directory.join(FINDINGS).display()
    );
    Ok(())
}

/// Keeps others from working in a directory that is only read, for as long as the file is
/// open; `None` where nobody ever works, such as a copy.
///
/// # Errors
/// If somebody works there.
pub(super) fn reading(directory: &Path) -> Result<Option<File>> {
    let Ok(file) = File::open(directory.join(LOCK)) else {
        return Ok(None);
    };
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Err(Errno::WOULDBLOCK) => bail!("it is still running"),
        // Some file systems have no locks.
        _ => Ok(Some(file)),
    }
}

/// Removes the scratch directory of a campaign that was killed together with its guard.
fn clean_up(directory: &Path) -> Result<()> {
    let note = directory.join(SCRATCH);
    let Ok(path) = fs::read(&note) else {
        return Ok(());
    };
    let path = PathBuf::from(OsString::from_vec(path));
    let is_ours = path
        .file_name()
        .is_some_and(|name| name.as_bytes().starts_with(scratch::PREFIX.as_bytes()));
    if is_ours {
        guard::clean(&path).with_context(|| format!("removing {}", path.display()))?;
    }
    fs::remove_file(&note).with_context(|| format!("removing {}", note.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_does_not_begin_among_the_findings_of_another() {
        let directory = tempfile::tempdir().unwrap();
        let findings = directory.path().join(FINDINGS);
        fs::create_dir(&findings).unwrap();
        assert!(expect_no_findings(directory.path()).is_ok());
        // What was being written when a campaign was killed is no finding.
        fs::create_dir(findings.join(".new-s000001-seed-tcc-O0")).unwrap();
        assert!(expect_no_findings(directory.path()).is_ok());
        fs::create_dir(findings.join("s000001-seed-tcc-O0")).unwrap();
        let error = expect_no_findings(directory.path()).unwrap_err();
        assert!(error.to_string().contains("holds findings of another"));
    }
}
