//! Donor databases: collected from programs in parallel, saved in a file.

use super::{Donor, DonorFunction, extract};
use crate::error::SeedRefused;
use crate::lab::files::write_whole;
use crate::lab::format;
use crate::source::clang::Clang;
use crate::source::program::lower_part;
use crate::source::seed::{Seed, seeds_in};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the format of databases.
const FORMAT: u32 = 1;

/// Habits that some compilers refuse. A program with one of them gives no donors: it
/// might be accepted only by the compilers it was written for.
const STRICT: &[&str] = &[
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=return-type",
];

/// Donors that fit other programs, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Donors {
    /// The version of Mestra that made it.
    pub mestra: String,
    /// How many programs they come from.
    pub programs: usize,
    pub donors: Vec<Donor>,
    /// Functions of these programs that others can call.
    #[serde(default)]
    pub functions: Vec<DonorFunction>,
}

impl Donors {
    /// Takes donors from programs, on all threads of the current pool. Gives also
    /// the programs that could not be used, with the reasons.
    pub fn build(clang: &Clang, paths: &[PathBuf]) -> (Donors, Vec<SeedRefused>) {
        let taken: Vec<Result<DonorYield, SeedRefused>> = paths
            .par_iter()
            .map(|path| {
                let seed = Seed::read(path, &[])?;
                take(clang, &seed)
            })
            .collect();
        let mut donors = Donors {
            mestra: env!("CARGO_PKG_VERSION").into(),
            ..Donors::default()
        };
        let mut refused = Vec::new();
        for taken in taken {
            match taken {
                Ok(taken) => {
                    donors.programs += 1;
                    donors.donors.extend(taken.donors);
                    donors.functions.extend(taken.functions);
                }
                Err(error) => refused.push(error),
            }
        }
        donors.settle();
        (donors, refused)
    }

    /// Donors of programs, directories of programs and saved databases. Programs that
    /// cannot be used are left out, unless that leaves nothing.
    pub(crate) fn gather(clang: &Clang, paths: &[PathBuf]) -> Result<Donors> {
        let is_saved = |path: &&PathBuf| path.extension().is_some_and(|e| e == "json");
        let (saved, sources): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_saved);
        let programs = programs(sources).context("--donors")?;
        let mut all = Donors::build(clang, &programs).0;
        for file in saved {
            all.merge(Donors::load(file).context("--donors")?);
        }
        ensure!(
            !all.donors.is_empty() || !all.functions.is_empty(),
            "no statement or function of --donors can be used by other programs"
        );
        Ok(all)
    }

    /// Adds the donors of another database.
    pub(crate) fn merge(&mut self, other: Donors) {
        self.programs += other.programs;
        self.donors.extend(other.donors);
        self.functions.extend(other.functions);
        self.settle();
    }

    /// Removes duplicates and fixes an order that depends on the donors alone.
    fn settle(&mut self) {
        self.donors.par_sort_unstable();
        self.donors.dedup();
        self.functions.sort_by_cached_key(DonorFunction::text);
        self.functions.dedup();
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, &format::to_line(self, FORMAT)?)
    }

    pub fn load(path: &Path) -> Result<Donors> {
        let donors: Donors = format::read(path, FORMAT, "a donor database")?;
        ensure!(
            donors.donors.iter().all(Donor::is_sound),
            "{} is damaged: a donor refers to a hole that it does not have",
            path.display()
        );
        ensure!(
            donors.functions.iter().all(DonorFunction::is_sound),
            "{} is damaged: a function cannot be called with numbers",
            path.display()
        );
        Ok(donors)
    }
}

/// What one program gives to others.
struct DonorYield {
    donors: Vec<Donor>,
    functions: Vec<DonorFunction>,
}

/// The donors of one program that fit others; it need not have a `main`.
fn take(clang: &Clang, seed: &Seed) -> Result<DonorYield, SeedRefused> {
    let strict = STRICT.iter().map(OsString::from);
    let flags: Vec<OsString> = seed.flags.iter().cloned().chain(strict).collect();
    let program = lower_part(clang, &seed.path, Arc::clone(&seed.source), &flags)?;
    let mut donors = extract(&program);
    donors.retain(|donor| donor.home.is_none());
    Ok(DonorYield {
        donors,
        functions: DonorFunction::all_of(&program),
    })
}

/// The C programs that paths name, those of a directory in the order of their names.
pub fn programs<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let about = fs::metadata(path).with_context(|| format!("finding {}", path.display()))?;
        let read = || format!("reading the directory {}", path.display());
        if about.is_dir() {
            found.extend(seeds_in(path).with_context(read)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}
