//! What a seed does at every point, learnt by running it natively.
//!
//! `instrument` puts recording calls into the seed's text, `run` compiles and
//! runs it with compilers that evaluate operands in different orders, `read`
//! takes the record from the shared file that `layout` describes, and `compare`
//! finds points whose values depend on the order. The result is a [`Profile`].

mod compare;
mod instrument;
mod layout;
mod read;
mod reading;
mod report;
mod run;
mod sampling;
mod unreached;
mod work;

pub use compare::Difference;
pub use layout::Caps;
pub(crate) use report::Report;
pub use run::{Observation, ProfileOptions, Profiler};
pub use unreached::Unreached;

use crate::lab::files::write_whole;
use crate::lab::format;
use crate::lab::process::Ending;
use crate::source::program::{AccessPath, LeafKind, StatementId, VariableId};
use crate::source::seed::hash_source;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the format of saved profiles.
const FORMAT: u32 = 1;

/// The merged record of all inputs and compilers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Identifies the seed's text, so that a saved profile is used with no other.
    pub source_hash: u64,
    /// The compilers that were used, by name.
    pub compilers: Vec<String>,
    /// All scalars that some point records.
    pub columns: Vec<LeafColumn>,
    /// Variables that a pointer may point to, by the number in pointer values.
    pub objects: Vec<VariableId>,
    /// One entry for each point, in the order of statements.
    pub points: Vec<PointProfile>,
    /// How the program ended on each input; earlier versions kept none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<Ending>,
}

/// A scalar of the program as rows hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeafColumn {
    pub place: AccessPath,
    /// The place as C code.
    pub text: String,
    pub kind: LeafKind,
}

/// What happened at one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointProfile {
    pub statement: StatementId,
    /// The most visits that any compiler's run had.
    pub visits: u64,
    /// Present if the point was chosen to record values.
    pub sample: Option<Sample>,
    /// Set if the compilers' runs differ here: values depend on the order of evaluation.
    pub order_sensitive: Option<Difference>,
}

/// The values at a sampled point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Indices into the profile's columns.
    pub columns: Vec<u32>,
    pub values: SampledValues,
    /// The sum of a hash of every visit's row: equal for equal records even
    /// where only ranges are kept.
    pub checksum: u64,
}

/// Observed values; a word is the value converted to 64 bits, sign-extended, or the bits of
/// a floating-point number.
///
/// A pointer is 0 for null, `(object + 1) << 32 | offset in bytes` for a known
/// object, all ones for anything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampledValues {
    /// Every distinct row, in order.
    Rows(Vec<Vec<u64>>),
    /// Per column, what all values had in common.
    Ranges(Vec<ObservedRange>),
}

/// All that is known of a column with too many rows: an over-approximation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedRange {
    pub unsigned_min: u64,
    pub unsigned_max: u64,
    pub signed_min: i64,
    pub signed_max: i64,
    /// Bits that were one in every value.
    pub known_ones: u64,
    /// Bits that were zero in every value.
    pub known_zeros: u64,
    /// Every distinct value in order, unless there were too many.
    pub values: Option<Vec<u64>>,
}

/// The word for a pointer to something we do not know.
pub const UNKNOWN_POINTER: u64 = u64::MAX;

impl Profile {
    /// The profile of a point.
    pub fn point(&self, statement: StatementId) -> Option<&PointProfile> {
        let index = self
            .points
            .binary_search_by_key(&statement, |point| point.statement)
            .ok()?;
        Some(&self.points[index])
    }

    /// Points that were visited and recorded values.
    pub fn sampled(&self) -> impl Iterator<Item = (&PointProfile, &Sample)> {
        self.points
            .iter()
            .filter(|point| point.visits > 0)
            .filter_map(|point| Some((point, point.sample.as_ref()?)))
    }

    /// Of each column, whether it was seen to hold more than one value, anywhere.
    pub(crate) fn varying(&self) -> Vec<bool> {
        let mut first: Vec<Option<u64>> = vec![None; self.columns.len()];
        let mut varying = vec![false; self.columns.len()];
        let mut see = |column: u32, value: u64| {
            let at = column as usize;
            varying[at] |= *first[at].get_or_insert(value) != value;
        };
        for (_, sample) in self.sampled() {
            for (at, column) in sample.columns.iter().enumerate() {
                match &sample.values {
                    SampledValues::Rows(rows) => rows.iter().for_each(|row| see(*column, row[at])),
                    SampledValues::Ranges(ranges) => {
                        see(*column, ranges[at].unsigned_min);
                        see(*column, ranges[at].unsigned_max);
                    }
                }
            }
        }
        varying
    }
}

impl Profile {
    /// Writes the profile as JSON; the file appears whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, &format::to_line(self, FORMAT)?)
    }

    /// Reads a profile that was saved.
    pub fn load(path: &Path) -> Result<Profile> {
        format::read(path, FORMAT, "a profile")
    }

    /// Whether it is of a program with this text.
    pub fn is_of(&self, source: &[u8]) -> bool {
        self.source_hash == hash_source(source)
    }
}
