//! Finding and loading the libclang shared library, once per process.

use crate::error::ToolMissing;
use clang_sys::{SharedLibrary, get_library, load_manually, set_library};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::{env, fs};

/// The oldest libclang whose interface we use.
pub const OLDEST_LIBCLANG: u32 = 14;

/// Proof that libclang is loaded. Cheap to clone, usable from any thread.
#[derive(Clone, Debug)]
pub struct Clang {
    library: Arc<SharedLibrary>,
    version: u32,
}

impl Clang {
    /// Loads libclang, or hands out the one already loaded.
    pub fn load() -> Result<Clang, ToolMissing> {
        // The outcome is kept either way: searching again would find the same.
        static LOADED: OnceLock<Result<Clang, ToolMissing>> = OnceLock::new();
        LOADED.get_or_init(Clang::search).clone()
    }

    fn search() -> Result<Clang, ToolMissing> {
        let library = with_path_hint(load_manually)
            .map_err(|cause| missing(format!("libclang was not found ({})", one_line(&cause))))?;
        let mut clang = Clang {
            library: Arc::new(library),
            version: 0,
        };
        clang.enter_thread();
        // SAFETY: the library was just loaded for this thread.
        let full = super::take_string(unsafe { clang_sys::clang_getClangVersion() });
        clang.version = major_version(&full)
            .filter(|&major| major >= OLDEST_LIBCLANG)
            .ok_or_else(|| missing(format!("this libclang is too old: {full}")))?;
        Ok(clang)
    }

    /// Makes the library usable on the current thread: clang-sys keeps its
    /// function table in thread-local storage.
    pub(super) fn enter_thread(&self) {
        let already = get_library().is_some_and(|current| Arc::ptr_eq(&current, &self.library));
        if !already {
            set_library(Some(Arc::clone(&self.library)));
        }
    }
}

/// Calls `load` with `LIBCLANG_PATH` naming the newest libclang of the usual
/// Debian and Ubuntu place, unless the user has set it, and with libclang's threads
/// turned off for good.
///
/// clang-sys finds that library too, but by starting `llvm-config` and searching
/// dozens of directories, which takes three times as long as loading it.
fn with_path_hint<T>(load: impl FnOnce() -> T) -> T {
    const VARIABLE: &str = "LIBCLANG_PATH";
    let hint = match env::var_os(VARIABLE) {
        Some(_) => None,
        None => newest_packaged_library(),
    };
    // libclang parses on a thread of its own with 8 MB of stack, which 1,500 nested
    // parentheses overflow, unless it is told to use the caller's.
    const NO_THREADS: &str = "LIBCLANG_NOTHREADS";
    // SAFETY: the standard library locks its own uses of the environment, and
    // libclang, the C code that also reads it, is not loaded yet.
    unsafe {
        env::set_var(NO_THREADS, "1");
        if let Some(path) = &hint {
            env::set_var(VARIABLE, path);
        }
        let loaded = load();
        if hint.is_some() {
            env::remove_var(VARIABLE);
        }
        loaded
    }
}

fn newest_packaged_library() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib")
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.strip_prefix("llvm-")?.parse::<u32>().ok()
        });
    let mut versions: Vec<u32> = versions.collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions
        .into_iter()
        .map(|version| {
            PathBuf::from(format!(
                "/usr/lib/llvm-{version}/lib/libclang-{version}.so.1"
            ))
        })
        .find(|path| path.exists())
}

fn missing(what: String) -> ToolMissing {
    ToolMissing {
        what,
        remedy: format!(
            "install libclang {OLDEST_LIBCLANG} or newer (Debian and Ubuntu: apt-get install \
             libclang1-19 libclang-common-19-dev), or set LIBCLANG_PATH to the directory that \
             contains libclang.so"
        ),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "Debian clang version 19.1.7 (3~deb12u1)" → 19.
fn major_version(full: &str) -> Option<u32> {
    let (_, rest) = full.split_once("version ")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn major_version_is_read_from_distribution_strings() {
        assert_eq!(
            major_version("Debian clang version 19.1.7 (3~deb12u1)"),
            Some(19)
        );
        assert_eq!(major_version("clang version 14.0.6"), Some(14));
        assert_eq!(
            major_version("Apple clang version 15.0.0 (clang-1500.3.9.4)"),
            Some(15)
        );
        assert_eq!(major_version("something else"), None);
    }
}
