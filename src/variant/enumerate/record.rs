//! The record beside an enumerated program: all that is needed to make it again.

use super::settings::EnumerationSettings;
use crate::lab::files::write_whole;
use crate::source::seed::{Seed, hash_source};
use crate::variant::replay::hash_text;
use anyhow::{Context, Result};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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
    pub fn new(
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

    /// The files of a rank: the program and its record.
    pub fn files(directory: &Path, stem: &str, rank: &BigUint) -> (PathBuf, PathBuf) {
        let digits = rank.to_string();
        let number = if digits.len() > MOST_DIGITS {
            format!("{:016x}", hash_source(digits.as_bytes()))
        } else {
            digits
        };
        let file = |end: &str| directory.join(format!("{stem}.e{number}.{end}"));
        (file("c"), file("json"))
    }

    /// Whether the files of an earlier run hold this program already.
    pub fn is_written(&self, program: &Path, record: &Path) -> bool {
        let read = std::fs::read(record).ok();
        let read = read.and_then(|text| serde_json::from_slice::<FillingRecord>(&text).ok());
        program.is_file() && read.as_ref() == Some(self)
    }

    /// Writes the record, then the program: a program that is there has a record.
    pub fn write(&self, (program, record): (&Path, &Path), text: &[u8]) -> Result<()> {
        let mut own = serde_json::to_vec(self).context("writing a record")?;
        own.push(b'\n');
        write_whole(record, &own)?;
        write_whole(program, text)
    }
}
