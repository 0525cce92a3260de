//! Files and directories that appear whole or not at all, whenever we are killed.
//!
//! Everything that writes results uses this; nothing here knows what they are.

use anyhow::{Context, Result};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file that is there completely or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> Result<()> {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(parent.unwrap_or(Path::new(".")))?;
        file.write_all(bytes)?;
        // A temporary file is for its owner only; a result is for everybody.
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("writing {}", path.display()))
}

/// Copies a directory with all that is in it. What is there already is overwritten, or stays.
pub(crate) fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_directory(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Gives a finished directory its name. An older one of that name is there until the
/// new one is, and then removed.
pub(crate) fn place_directory(new: &Path, path: &Path) -> io::Result<()> {
    match renameat_with(CWD, new, CWD, path, RenameFlags::EXCHANGE) {
        // The older one has the name of the new one now.
        Ok(()) => fs::remove_dir_all(new),
        Err(Errno::NOENT) => fs::rename(new, path),
        // Some file systems, such as NFS, cannot exchange two names.
        Err(Errno::INVAL | Errno::NOSYS) => replace_in_steps(new, path),
        Err(error) => Err(error.into()),
    }
}

/// The same in two steps. If we are killed in between, the older one is still there
/// under another name.
fn replace_in_steps(new: &Path, path: &Path) -> io::Result<()> {
    let mut old = new.as_os_str().to_owned();
    old.push(".old");
    fs::rename(path, &old)?;
    fs::rename(new, path)?;
    fs::remove_dir_all(&old)
}

/// Whether two names are of one file or directory.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(fs::canonicalize);
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    /// A directory with one file that holds its name.
    fn directory(parent: &Path, name: &str) -> PathBuf {
        let path = parent.join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("file"), name).unwrap();
        path
    }

    fn names(parent: &Path) -> Vec<String> {
        let entries = fs::read_dir(parent).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_directory_takes_the_place_of_another_or_of_none() {
        for place in [place_directory, replace_in_steps] {
            let parent = tempfile::tempdir().unwrap();
            let path = parent.path().join("kept");
            place_directory(&directory(parent.path(), "first"), &path).unwrap();
            assert_eq!(fs::read(path.join("file")).unwrap(), b"first");
            place(&directory(parent.path(), "second"), &path).unwrap();
            assert_eq!(fs::read(path.join("file")).unwrap(), b"second");
            assert_eq!(names(parent.path()), ["kept"]);
        }
    }

    #[test]
    fn at_no_moment_is_there_neither_the_old_directory_nor_the_new() {
        let parent = tempfile::tempdir().unwrap();
        let path = directory(parent.path(), "kept");
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut missed = 0;
                while !is_done.load(Ordering::Relaxed) {
                    missed += usize::from(!path.is_dir());
                }
                missed
            });
            for _ in 0..1000 {
                place_directory(&directory(parent.path(), "new"), &path).unwrap();
            }
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(watcher.join().unwrap(), 0);
        });
    }

    #[test]
    fn others_may_read_what_is_written() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("file");
        write_whole(&path, b"text").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
    }
}
