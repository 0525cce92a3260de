//! Reduces a failing variant to the few mutations that make it fail, each as simple
//! as possible.
//!
//! Any selection of a record's mutations is a variant, so they are dropped by delta
//! debugging; what is left is simplified inside, with proofs over the rows of the
//! profile. Every text that is tested is a variant, free of undefined behaviour, so no
//! sanitizer is needed.

use crate::source::clang::Clang;
use crate::source::program::{Program, lower};
use crate::source::seed::Seed;
use crate::variant::delta::minimise;
use crate::variant::mutation::{Mutation, Prover};
use crate::variant::replay::{self, VariantRecord, hash_text};
use anyhow::Result;
use rayon::prelude::*;
use std::sync::Arc;

/// How many simpler forms of one mutation are tested at most; the reduction of the
/// text goes on from there at a fraction of the cost.
const MOST_TRIES: usize = 60;

/// Shrinks the records of one failing variant.
pub struct Shrinker<'s> {
    pub clang: &'s Clang,
    pub seed: &'s Seed,
    /// Whether a variant fails as the first one did.
    pub fails: &'s (dyn Fn(&[u8]) -> Result<bool> + Sync),
    /// Asked between tests; once it returns true, the smallest record so far is the
    /// result.
    pub should_stop: &'s (dyn Fn() -> bool + Sync),
}

/// A record from which no mutation can be dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    pub record: VariantRecord,
    pub text: Vec<u8>,
    /// How many variants were tested.
    pub tests: usize,
}

impl Shrinker<'_> {
    /// Drops the mutations that the failure does not need.
    pub fn drop_mutations(&self, record: &VariantRecord) -> Result<Shrunk> {
        let mut tests = 0;
        let mut record = record.clone();
        // Later steps of a chain were made on the text of the steps before them, so
        // only the last can lose mutations; once it has none, the one before is last.
        loop {
            let program = self.last_program(&record)?;
            let mutations = last_step(&mut record).clone();
            let has_earlier = !record.then.is_empty();
            let test = |kept: &[Mutation]| {
                // Without any, the seed is left, which does not fail.
                if kept.is_empty() && !has_earlier {
                    return Ok(false);
                }
                (self.fails)(&replay::apply(&program, kept)?)
            };
            let found = minimise(&mutations, test, self.should_stop)?;
            tests += found.tests;
            let is_empty = found.items.is_empty();
            *last_step(&mut record) = found.items;
            if !is_empty || !has_earlier {
                break;
            }
            record.then.pop();
        }
        self.finished(record, tests)
    }

    /// Makes the mutations of the seed simpler, one after the other.
    pub(crate) fn simplify(&self, shrunk: &Shrunk, prover: &Prover<'_>) -> Result<Shrunk> {
        let mut record = shrunk.record.clone();
        let mut tests = shrunk.tests;
        if record.then.is_empty() {
            let program = self.program()?;
            for at in 0..record.mutations.len() {
                tests += self.simplify_one(&program, &mut record.mutations, at, prover)?;
            }
        }
        self.finished(record, tests)
    }

    fn simplify_one(
        &self,
        program: &Program,
        mutations: &mut [Mutation],
        at: usize,
        prover: &Prover<'_>,
    ) -> Result<usize> {
        let mut tests = 0;
        'simpler: while tests < MOST_TRIES {
            let candidates = prover.simpler(&mutations[at]);
            for batch in candidates.chunks(rayon::current_num_threads()) {
                if (self.should_stop)() || tests >= MOST_TRIES {
                    return Ok(tests);
                }
                tests += batch.len();
                let outcomes: Vec<Result<bool>> = batch
                    .par_iter()
                    .map(|candidate| {
                        let mut mutations = mutations.to_vec();
                        mutations[at] = candidate.clone();
                        (self.fails)(&replay::apply(program, &mutations)?)
                    })
                    .collect();
                for (candidate, fails) in batch.iter().zip(outcomes) {
                    if fails? {
                        mutations[at] = candidate.clone();
                        continue 'simpler;
                    }
                }
            }
            break;
        }
        Ok(tests)
    }

    fn finished(&self, mut record: VariantRecord, tests: usize) -> Result<Shrunk> {
        record.then.retain(|step| !step.mutations.is_empty());
        let text = record.replay(self.clang, self.seed, None)?;
        Ok(Shrunk {
            record,
            text,
            tests,
        })
    }

    fn program(&self) -> Result<Program> {
        let source = Arc::clone(&self.seed.source);
        Ok(lower(
            self.clang,
            &self.seed.path,
            source,
            &self.seed.flags,
        )?)
    }

    /// The program that the last step of a record changes.
    fn last_program(&self, record: &VariantRecord) -> Result<Program> {
        let mut earlier = record.clone();
        match earlier.then.pop() {
            None => self.program(),
            Some(last) => {
                let text = earlier.replay(self.clang, self.seed, None)?;
                anyhow::ensure!(
                    hash_text(&text) == last.source_hash,
                    "the record's last step belongs to another program"
                );
                Ok(lower(
                    self.clang,
                    &self.seed.path,
                    text.into(),
                    &self.seed.flags,
                )?)
            }
        }
    }
}

fn last_step(record: &mut VariantRecord) -> &mut Vec<Mutation> {
    match record.then.last_mut() {
        Some(step) => &mut step.mutations,
        None => &mut record.mutations,
    }
}

impl std::fmt::Debug for Shrinker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Shrinker");
        shown.field("seed", &self.seed.path).finish_non_exhaustive()
    }
}
