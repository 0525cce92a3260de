//! Private directories for work in progress, in memory where that is possible.

use rustix::fs::{StatVfsMountFlags, statvfs};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A RAM disk with less room than this is left to others.
const ROOM: u64 = 512 << 20;

/// How the names of all directories begin.
pub(crate) const PREFIX: &str = "mestra-";

/// Where all directories are made once [`gather`] was called.
static ROOT: OnceLock<PathBuf> = OnceLock::new();

/// Makes a directory that is removed when dropped.
pub(crate) fn directory() -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(PREFIX)
        .tempdir_in(ROOT.get().map_or_else(|| base(), PathBuf::as_path))
}

/// Makes one directory that holds all later ones, so that somebody else can clean
/// up after us.
pub(crate) fn gather() -> io::Result<TempDir> {
    let root = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base())?;
    // Whoever calls this twice has directories in two places, which does no harm.
    let _ = ROOT.set(root.path().to_owned());
    Ok(root)
}

fn base() -> &'static Path {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    BASE.get_or_init(|| {
        let in_memory = Path::new("/dev/shm");
        if is_suitable(in_memory) {
            in_memory.to_owned()
        } else {
            std::env::temp_dir()
        }
    })
}

/// Whether programs can be written there and run.
fn is_suitable(directory: &Path) -> bool {
    let Ok(fs) = statvfs(directory) else {
        return false;
    };
    let is_usable = !fs
        .f_flag
        .intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY);
    is_usable && fs.f_bavail.saturating_mul(fs.f_frsize) >= ROOM
}
