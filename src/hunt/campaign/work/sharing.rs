//! What configs share: an object that the same compiler has made before at another level
//! is not linked and run again.

use super::super::judge::Judge;
use super::super::store::Made;
use super::Desk;
use crate::lab::toolchain::Runner;
use crate::lab::{Outcome, Workspace};
use crate::source::seed::hash_source;
use anyhow::Result;
use std::collections::HashMap;
use std::path::PathBuf;

/// What equal objects of one program did, by compiler, runner and hash.
pub(super) type KnownOutcomes = HashMap<(PathBuf, Runner, u64), Outcome>;

impl Desk<'_> {
    /// Compiles a text, and links and runs it unless the same object was run before.
    pub(super) fn share(
        &self,
        config: usize,
        judge: &Judge<'_>,
        space: &Workspace<'_>,
        known: &mut KnownOutcomes,
    ) -> Result<(Outcome, Option<Made>)> {
        let (lab, way) = (judge.lab, judge.way());
        let object = match lab.compile(space, &way)? {
            Ok(object) => object,
            Err(failure) => return Ok((Outcome::Failed(failure), None)),
        };
        self.campaign.paces[config].add(object.cpu);
        let hash = hash_source(&object.bytes);
        let made = Some(Made {
            compile: object.cpu,
            bytes: object.bytes.len(),
            hash,
        });
        let config = judge.config;
        let key = (config.compiler.path.clone(), config.runner.clone(), hash);
        if let Some(outcome) = known.get(&key) {
            return Ok((outcome.clone(), made));
        }
        let outcome = match lab.link(space, &way)? {
            Ok(()) => Outcome::Ran(lab.run(space, &way)?),
            Err(failure) => Outcome::Failed(failure),
        };
        known.insert(key, outcome.clone());
        Ok((outcome, made))
    }
}
