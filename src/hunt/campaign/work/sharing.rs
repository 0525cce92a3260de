//! What configs share: an object that the same compiler has made before at another level
//! is not linked and run again, and where the linker is not under test, all are linked by the
//! quickest.

use super::super::judge::Judge;
use super::super::store::Made;
use super::Desk;
use crate::lab::toolchain::Runner;
use crate::lab::{Outcome, Way, Workspace};
use crate::source::seed::hash_source;
use anyhow::Result;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// What equal objects of one program did, by compiler, runner and hash.
pub(super) type KnownOutcomes = HashMap<(PathBuf, Runner, u64), Outcome>;

impl Desk<'_> {
    /// Compiles a text, and links and runs it unless the same object was run before. It is
    /// that of a variant with a number and of so many bytes, or as number 0 of the seed.
    pub(super) fn share(
        &self,
        config: usize,
        judge: &Judge<'_>,
        space: &Workspace<'_>,
        known: &mut KnownOutcomes,
        (variant, bytes): (u32, usize),
    ) -> Result<(Outcome, Option<Made>)> {
        let (lab, way) = (judge.lab, judge.way());
        let object = match lab.compile(space, &way)? {
            Ok(object) => object,
            Err(failure) => return Ok((Outcome::Failed(failure), None)),
        };
        self.campaign.paces[config].add(object.cpu);
        self.note_shapes(config, variant, bytes, &object.bytes)?;
        let hash = hash_source(&object.bytes);
        let made = Some(Made {
            compile: object.cpu,
            bytes: object.bytes.len(),
            hash,
            peak: object.peak,
        });
        let config = judge.config;
        let key = (config.compiler.path.clone(), config.runner.clone(), hash);
        if let Some(outcome) = known.get(&key) {
            return Ok((outcome.clone(), made));
        }
        let outcome = match self.run_quickly_linked(judge, space)? {
            Some(outcome) => outcome,
            None => match lab.link(space, &way)? {
                Ok(()) => Outcome::Ran(lab.run(space, &way)?),
                Err(failure) => Outcome::Failed(failure),
            },
        };
        known.insert(key, outcome.clone());
        Ok((outcome, made))
    }

    /// Links by tcc, which takes a seventh of what gcc's linker takes, and runs the program.
    /// Only an outcome as expected counts: tcc does not know everything that gcc and clang
    /// put into objects, so for all else the config's own linker is asked.
    fn run_quickly_linked(
        &self,
        judge: &Judge<'_>,
        space: &Workspace<'_>,
    ) -> Result<Option<Outcome>> {
        let config = judge.config;
        let linker = self.campaign.linker.as_ref();
        let Some(linker) = linker.filter(|_| config.links_plainly() && self.is_plain()) else {
            return Ok(None);
        };
        let way = Way {
            compiler: linker.clone(),
            flags: Vec::new(),
            ..judge.way()
        };
        if judge.lab.link(space, &way)?.is_err() {
            return Ok(None);
        }
        let outcome = Outcome::Ran(judge.lab.run(space, &way)?);
        let is_same = judge.verdict(&outcome, &self.expected).is_same();
        Ok(is_same.then_some(outcome))
    }

    /// Whether no flag of the seed itself means anything to a linker.
    fn is_plain(&self) -> bool {
        let is_plain = |flag: &OsString| {
            let flag = flag.as_encoded_bytes();
            [&b"-I"[..], b"-D", b"-U", b"-std="]
                .iter()
                .any(|start| flag.starts_with(start))
        };
        self.stage.flags.iter().all(is_plain)
    }
}
