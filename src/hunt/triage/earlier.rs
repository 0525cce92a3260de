//! A reduction of an earlier time, to go on from.

use super::{Case, Oracle};
use crate::hunt::finding::{REDUCED, Reduced, reduced_file};
use crate::variant::replay::VariantRecord;
use crate::variant::shrink::Shrunk;
use anyhow::Result;
use std::fs;

/// What is there of a reduction that still shows the failure.
#[derive(Debug)]
pub(super) struct Earlier {
    pub(super) reduced: Reduced,
    /// The case with the small program in the place of the one that was found.
    pub(super) case: Case,
    /// The variant with the mutations that matter.
    pub(super) shrunk: Option<Shrunk>,
}

impl Earlier {
    /// The reduction of a case; `None` if there is none, or it does not fail any more.
    pub(super) fn find(case: &Case) -> Result<Option<Earlier>> {
        // One that cannot be read is made anew.
        let Ok(Some(reduced)) = Reduced::read(&case.directory) else {
            return Ok(None);
        };
        let directory = case.directory.join(REDUCED);
        let Ok(program) = fs::read(directory.join(reduced_file::PROGRAM)) else {
            return Ok(None);
        };
        let mut small = case.under(reduced.finding.config.clone());
        small.finding.expected = reduced.finding.expected.clone();
        small.program = program;
        let stage = small.stage()?;
        if !small.fails_as_found(&stage, &small.program)? {
            return Ok(None);
        }
        // What trusted compilers do not build as expected has been changed by somebody.
        let oracle = Oracle::new(&small, &stage, &small.program)?;
        if oracle.witnesses() == 0 {
            return Ok(None);
        }
        // An earlier version may have asked less than we do. What a sanitizer says of the
        // program that was found, too, is no fault of the reduction.
        if oracle.is_reported() && !Oracle::new(case, &stage, &case.program)?.is_reported() {
            return Ok(None);
        }
        drop(oracle);
        let shrunk = reduced.shrunk.as_ref().and_then(|summary| {
            Some(Shrunk {
                record: VariantRecord::read(&directory.join(reduced_file::RECORD)).ok()?,
                text: fs::read(directory.join(reduced_file::SHRUNK)).ok()?,
                tests: summary.tests,
            })
        });
        drop(stage);
        Ok(Some(Earlier {
            reduced,
            case: small,
            shrunk,
        }))
    }
}
