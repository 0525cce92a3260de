//! Enumerated programs as files, and the record beside each: all that is needed to make
//! it again.

use super::product::Ranking;
use super::selection::SelectedFillings;
use super::settings::EnumerationSettings;
use super::skeleton::Skeleton;
use crate::lab::files::write_whole;
use crate::lab::format;
use crate::source::clang::Clang;
use crate::source::program::lower_part;
use crate::source::seed::{Seed, hash_source};
use crate::variant::replay::hash_text;
use anyhow::{Context, Result, ensure};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the format of these records.
const FORMAT: u32 = 1;

/// Numbers of more digits stand in file names by their hash.
const MOST_DIGITS: usize = 60;

/// How a program was made by filling the holes of its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillingRecord {
    /// The version of Mestra that made it.
    pub mestra: String,
    /// The name of the seed's file.
    pub seed: String,
    /// The hash of the seed's text, in hexadecimal.
    pub source_hash: String,
    pub flags: Vec<String>,
    #[serde(flatten)]
    pub settings: EnumerationSettings,
    /// The filling's number, in decimal; 0 is the seed.
    pub rank: String,
    /// How many there are, the seed included.
    pub of: String,
    /// The name in each hole, in the order of the text.
    pub filling: Vec<String>,
}

impl FillingRecord {
    pub(super) fn new(
        seed: &Seed,
        settings: EnumerationSettings,
        (rank, of): (&BigUint, &BigUint),
        filling: &[&str],
    ) -> FillingRecord {
        let name = seed.path.file_name().unwrap_or_default();
        let flags = seed.flags.iter().map(|flag| flag.to_string_lossy());
        FillingRecord {
            mestra: env!("CARGO_PKG_VERSION").into(),
            seed: name.to_string_lossy().into_owned(),
            source_hash: hash_text(&seed.source),
            flags: flags.map(String::from).collect(),
            settings,
            rank: rank.to_string(),
            of: of.to_string(),
            filling: filling.iter().map(|name| String::from(*name)).collect(),
        }
    }

    /// The record in a file; `None` if it is of a program that was made in another way.
    pub(crate) fn read(path: &Path) -> Result<Option<FillingRecord>> {
        let text = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        Ok(serde_json::from_slice(&text).ok())
    }

    /// Makes the program again.
    ///
    /// # Errors
    /// If the record is of another program, or of none that its settings make.
    pub(crate) fn replay(&self, clang: &Clang, seed: &Seed) -> Result<Vec<u8>> {
        ensure!(
            self.source_hash == hash_text(&seed.source),
            "the record is of another program, or the program has changed since"
        );
        let program = lower_part(clang, &seed.path, Arc::clone(&seed.source), &seed.flags)?;
        let skeleton = Skeleton::new(&program, self.settings)?;
        let rank: BigUint = self.rank.parse().context("reading the rank")?;
        let filling = Ranking::new(skeleton.product())?.unrank(&rank);
        let filling = filling.with_context(|| format!("there is no program of rank {rank}"))?;
        let variables = skeleton.variables(filling.iter().map(Vec::as_slice));
        ensure!(
            self.filling == skeleton.names(&variables),
            "rank {rank} is another program; was the record made by another version?"
        );
        skeleton.text(&variables).context("making the edits")
    }
}

/// Where the programs of a seed are written, and how they are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilledFiles<'f> {
    pub seed: &'f Seed,
    pub settings: EnumerationSettings,
    pub directory: &'f Path,
    /// The name of the files without rank and extension.
    pub stem: &'f str,
}

/// What became of the files of a seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct EnumeratedFiles {
    /// Those that are new.
    pub written: u64,
    /// Those that an earlier run has left.
    pub kept: u64,
}

impl FilledFiles<'_> {
    /// Writes the programs that are not there yet, each with its record.
    pub(crate) fn write(
        &self,
        skeleton: &Skeleton<'_>,
        selected: SelectedFillings<'_>,
    ) -> Result<EnumeratedFiles> {
        let mut files = EnumeratedFiles::default();
        let of = skeleton.product().count();
        for filling in selected {
            let names = skeleton.names(&filling.variables);
            let record = FillingRecord::new(self.seed, self.settings, (&filling.rank, &of), &names);
            let name = FilledFiles::name(self.stem, &filling.rank);
            let program_file = self.directory.join(name);
            let known = FillingRecord::read(&beside(&program_file)).ok().flatten();
            let is_there = program_file.is_file() && known.as_ref() == Some(&record);
            if is_there {
                files.kept += 1;
                continue;
            }
            let text = skeleton.text(&filling.variables);
            write_program(&program_file, &text.context("making the edits")?, &record)?;
            files.written += 1;
        }
        Ok(files)
    }

    /// The name of the program of a rank.
    pub(super) fn name(stem: &str, rank: &BigUint) -> String {
        let digits = rank.to_string();
        if digits.len() > MOST_DIGITS {
            let hash = hash_source(digits.as_bytes());
            format!("{stem}.e{hash:016x}.c")
        } else {
            format!("{stem}.e{digits}.c")
        }
    }
}

/// Writes a program with its record beside it.
pub(super) fn write_program(path: &Path, text: &[u8], record: &FillingRecord) -> Result<()> {
    // The record first: a program that is there has one.
    write_whole(&beside(path), &format::to_line(record, FORMAT)?)?;
    write_whole(path, text)
}

/// The record of a program.
fn beside(program: &Path) -> PathBuf {
    program.with_extension("json")
}
