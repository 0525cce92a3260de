//! Private directories for work in progress, in memory where that is possible.

use rustix::fs::{StatVfsMountFlags, statvfs};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A RAM disk with less room than this is left to others.
const ROOM: u64 = 512 << 20;

/// Makes a directory that is removed when dropped.
pub fn directory() -> io::Result<TempDir> {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    let base = BASE.get_or_init(|| {
        let in_memory = Path::new("/dev/shm");
        if is_suitable(in_memory) {
            in_memory.to_owned()
        } else {
            std::env::temp_dir()
        }
    });
    tempfile::Builder::new().prefix("mestra-").tempdir_in(base)
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
