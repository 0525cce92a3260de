//! From the recorded file back to values.

use super::instrument::{Instrumented, SamplePlan};
use super::layout::{Layout, MAGIC, header, range, sample};
use super::{ObservedRange, Sample, SampledValues};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What one compiler's runs recorded.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Visits of each point.
    pub(super) visits: Vec<u64>,
    /// One for each sampled point, in order; columns as the runtime saw them.
    pub(super) samples: Vec<RawSample>,
    /// Whether control came to where a statement was left out.
    pub(super) is_lost: bool,
}

/// A sampled point with all columns, visible there or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawSample {
    pub(super) values: SampledValues,
    pub(super) checksum: u64,
}

impl Record {
    pub(super) fn read(path: &Path, layout: &Layout) -> Result<Record> {
        let file = File::open(path).context("opening the profile")?;
        let front = words(
            &file,
            0,
            layout.samples + layout.shapes.len() * sample::SIZE,
        )?;
        ensure!(front[0] == MAGIC, "the profile's header is damaged");
        if front[header::STARTED] == 0 {
            // No point was reached: an empty profile is what the runs showed.
            return Ok(Record::empty(layout));
        }
        let next = front[header::NEXT] as usize;
        ensure!(
            (layout.arena..=layout.end).contains(&next),
            "the profile's header is damaged"
        );
        let arena = Arena {
            first: layout.arena,
            words: words(&file, layout.arena, next - layout.arena)?,
        };
        let visits = front[layout.counts..layout.counts + layout.points].to_vec();
        let mut samples = Vec::with_capacity(layout.shapes.len());
        for (index, shape) in layout.shapes.iter().enumerate() {
            let at = layout.samples + index * sample::SIZE;
            let descriptor = &front[at..at + sample::SIZE];
            let values = if descriptor[sample::OVERFLOW] != 0 {
                let per_column = layout.range_words();
                let raw = words(&file, layout.ranges[index], shape.columns * per_column)?;
                SampledValues::Ranges(raw.chunks_exact(per_column).map(read_range).collect())
            } else if descriptor[sample::TABLE] == 0 {
                SampledValues::Rows(Vec::new())
            } else {
                let table = arena.get(descriptor[sample::TABLE], layout.slots)?;
                let mut rows = Vec::with_capacity(descriptor[sample::KEPT] as usize & 0xffff);
                for &slot in table.iter().filter(|&&slot| slot != 0) {
                    rows.push(arena.get(slot, shape.columns)?.to_vec());
                }
                rows.sort_unstable();
                SampledValues::Rows(rows)
            };
            samples.push(RawSample {
                values,
                checksum: descriptor[sample::CHECKSUM],
            });
            ensure!(
                descriptor[sample::VISITS] <= front[layout.counts..][..layout.points].iter().sum(),
                "the profile counts more samples than visits"
            );
        }
        Ok(Record {
            visits,
            samples,
            is_lost: front[header::LOST] != 0,
        })
    }

    fn empty(layout: &Layout) -> Record {
        let none = RawSample {
            values: SampledValues::Rows(Vec::new()),
            checksum: 0,
        };
        Record {
            visits: vec![0; layout.points],
            samples: vec![none; layout.shapes.len()],
            is_lost: false,
        }
    }
}

/// The part of the file that rows and tables are in.
struct Arena {
    first: usize,
    words: Vec<u64>,
}

impl Arena {
    fn get(&self, at: u64, count: usize) -> Result<&[u64]> {
        let from = (at as usize).checked_sub(self.first);
        match from.and_then(|from| self.words.get(from..from.checked_add(count)?)) {
            Some(found) => Ok(found),
            None => bail!("the profile is damaged; the seed may have overwritten it"),
        }
    }
}

fn words(file: &File, at: usize, count: usize) -> Result<Vec<u64>> {
    let mut bytes = vec![0; count * 8];
    file.read_exact_at(&mut bytes, at as u64 * 8)
        .context("reading the profile")?;
    Ok(bytes
        .chunks_exact(8)
        .map(|chunk| u64::from_ne_bytes(chunk.try_into().expect("chunks have eight bytes")))
        .collect())
}

fn read_range(words: &[u64]) -> ObservedRange {
    let limit = words.len() - range::FIRST;
    let kept = words[range::KEPT] as usize;
    let values = (kept <= limit).then(|| {
        let mut values = words[range::FIRST..range::FIRST + kept].to_vec();
        values.sort_unstable();
        values
    });
    ObservedRange {
        unsigned_min: words[range::UNSIGNED_MIN],
        unsigned_max: words[range::UNSIGNED_MAX],
        signed_min: words[range::SIGNED_MIN] as i64,
        signed_max: words[range::SIGNED_MAX] as i64,
        known_ones: words[range::AND],
        known_zeros: !words[range::OR],
        values,
    }
}

impl RawSample {
    /// Keeps the columns that can be named at the point.
    pub(super) fn visible(&self, plan: &SamplePlan) -> Sample {
        let shown = |index: &usize| plan.visible[*index];
        let kept: Vec<usize> = (0..plan.columns.len()).filter(shown).collect();
        let values = match &self.values {
            SampledValues::Rows(rows) => {
                let projected: BTreeSet<Vec<u64>> = rows
                    .iter()
                    .map(|row| kept.iter().map(|&i| row[i]).collect())
                    .collect();
                SampledValues::Rows(projected.into_iter().collect())
            }
            SampledValues::Ranges(ranges) => {
                SampledValues::Ranges(kept.iter().map(|&i| ranges[i].clone()).collect())
            }
        };
        let columns = kept.iter().map(|&i| plan.columns[i]).collect();
        Sample {
            columns,
            values,
            checksum: self.checksum,
        }
    }
}

impl Instrumented {
    pub(super) fn layout(&self, caps: super::Caps) -> Layout {
        let shapes = self.samples.iter().map(SamplePlan::shape).collect();
        Layout::new(self.points.len(), shapes, caps)
    }
}
