//! The file that an instrumented seed records into: how it is laid out.
//!
//! `runtime/mestra_rt.c` knows the same words by the same names. Mestra writes
//! the header and descriptors before the run; everything else starts as zeros
//! (the file is sparse), so an untouched part costs neither memory nor disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub(super) const MAGIC: u64 = u64::from_le_bytes(*b"mestra01");

/// Words of the header.
pub(super) mod header {
    pub(crate) const STARTED: usize = 2;
    pub(crate) const NEXT: usize = 5;
    pub(crate) const LOST: usize = 10;
    pub(crate) const SIZE: usize = 11;
}

/// Words of a sampled point's descriptor.
pub(super) mod sample {
    pub(crate) const VISITS: usize = 2;
    pub(crate) const KEPT: usize = 3;
    pub(crate) const OVERFLOW: usize = 4;
    pub(crate) const TABLE: usize = 5;
    pub(crate) const CHECKSUM: usize = 7;
    pub(crate) const SIZE: usize = 8;
}

/// Words of a column's range.
pub(super) mod range {
    pub(crate) const UNSIGNED_MIN: usize = 0;
    pub(crate) const UNSIGNED_MAX: usize = 1;
    pub(crate) const SIGNED_MIN: usize = 2;
    pub(crate) const SIGNED_MAX: usize = 3;
    pub(crate) const AND: usize = 4;
    pub(crate) const OR: usize = 5;
    pub(crate) const KEPT: usize = 6;
    pub(crate) const FIRST: usize = 7;
}

/// How much a profile keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Distinct rows of a point; past that, ranges.
    pub rows: usize,
    /// Distinct values of a column that a range keeps.
    pub values: usize,
    /// Bytes for all rows of all points together.
    pub arena: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            rows: 256,
            values: 16,
            arena: 24 << 20,
        }
    }
}

/// Columns of one sampled point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SampleShape {
    pub(super) locals: usize,
    pub(super) columns: usize,
}

/// Where everything is, in words from the start of the file.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) counts: usize,
    pub(super) points: usize,
    pub(super) samples: usize,
    pub(super) shapes: Vec<SampleShape>,
    /// Per sample, where its ranges are.
    pub(super) ranges: Vec<usize>,
    pub(super) arena: usize,
    pub(super) end: usize,
    pub(super) slots: usize,
    pub(super) caps: Caps,
}

impl Layout {
    pub(super) fn new(points: usize, shapes: Vec<SampleShape>, caps: Caps) -> Layout {
        let counts = header::SIZE;
        let samples = counts + points;
        let mut next = samples + shapes.len() * sample::SIZE;
        let range_words = range::FIRST + caps.values;
        let ranges = shapes
            .iter()
            .map(|shape| {
                let at = next;
                next += shape.columns * range_words;
                at
            })
            .collect();
        let slots = (caps.rows * 2).next_power_of_two();
        let end = next + caps.arena / 8;
        Layout {
            counts,
            points,
            samples,
            shapes,
            ranges,
            arena: next,
            end,
            slots,
            caps,
        }
    }

    pub(super) fn range_words(&self) -> usize {
        range::FIRST + self.caps.values
    }

    /// Makes the file, ready for an instrumented program to record into.
    pub(super) fn create(&self, path: &Path) -> io::Result<()> {
        let mut words: Vec<u64> = Vec::with_capacity(self.arena.min(self.samples * 8));
        words.extend([
            MAGIC,
            self.end as u64,
            0,
            self.counts as u64,
            self.samples as u64,
            self.arena as u64,
            self.end as u64,
            self.caps.rows as u64,
            self.slots as u64,
            self.caps.values as u64,
            0,
        ]);
        words.resize(self.samples, 0);
        for (shape, &ranges) in self.shapes.iter().zip(&self.ranges) {
            words.extend([
                shape.locals as u64,
                shape.columns as u64,
                0,
                0,
                0,
                0,
                ranges as u64,
                0,
            ]);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let mut file = File::create(path)?;
        file.write_all(&bytes)?;
        file.set_len(self.end as u64 * 8)
    }
}
