//! From a seed and a record to the variant, byte for byte.

use crate::lab::format;
use crate::source::clang::Clang;
use crate::source::edit::Edits;
use crate::source::program::{Program, lower};
use crate::source::seed::{Input, Seed, hash_source};
use crate::variant::mutation::Mutation;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

/// The version of the format of records.
const FORMAT: u32 = 1;

/// Everything needed to rebuild a variant from its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantRecord {
    /// The version of Mestra that made it.
    pub mestra: String,
    /// The name of the seed's file.
    pub seed: String,
    /// The hash of the seed's text, in hexadecimal.
    pub source_hash: String,
    pub flags: Vec<String>,
    /// The inputs that it was made for, if they are not those of the seed itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<GivenInput>,
    pub strategy: String,
    /// The master seed of the random numbers.
    pub dice: u64,
    /// The variant's own number.
    pub variant: u32,
    pub mutations: Vec<Mutation>,
    /// With `--chain`: mutations of the variant so far, step by step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Step>,
}

/// An input as a record holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenInput {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The file for standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<PathBuf>,
}

impl GivenInput {
    pub(crate) fn of(input: &Input) -> GivenInput {
        let words = input.arguments.iter().map(|word| word.to_string_lossy());
        // Whoever reads the record may be elsewhere.
        let stdin = input.stdin.as_deref();
        GivenInput {
            arguments: words.map(String::from).collect(),
            stdin: stdin.map(|file| path::absolute(file).unwrap_or(file.to_owned())),
        }
    }

    fn as_input(&self) -> Input {
        Input {
            arguments: self.arguments.iter().map(OsString::from).collect(),
            stdin: self.stdin.clone(),
        }
    }
}

/// Mutations of a program that is itself a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub source_hash: String,
    pub mutations: Vec<Mutation>,
}

/// The program with the mutations made.
///
/// # Errors
/// If a mutation does not fit the program.
pub fn apply<'m>(
    program: &Program,
    mutations: impl IntoIterator<Item = &'m Mutation>,
) -> Result<Vec<u8>> {
    let mut edits = Edits::new();
    for mutation in mutations {
        mutation
            .check(program)
            .with_context(|| format!("mutation {} does not apply", mutation.id))?;
        mutation.apply(program, &mut edits);
    }
    edits.define_own_structs(program);
    edits.render(&program.source).context("applying the edits")
}

/// A hash as records hold it.
pub fn hash_text(source: &[u8]) -> String {
    format!("{:016x}", hash_source(source))
}

impl VariantRecord {
    pub fn read(path: &Path) -> Result<VariantRecord> {
        format::read(path, FORMAT, "a variant record")
    }

    /// The record as the content of a file.
    pub(crate) fn to_json(&self) -> Result<Vec<u8>> {
        format::to_line(self, FORMAT)
    }

    /// Gives a seed the flags and inputs that the variant was made with.
    pub fn prepare(&self, seed: &mut Seed) {
        // The flags of the record are those of the seed and of the command line.
        seed.flags = self.flags.iter().map(OsString::from).collect();
        if !self.inputs.is_empty() {
            seed.inputs = self.inputs.iter().map(GivenInput::as_input).collect();
        }
    }

    /// How many steps its chain has.
    pub(crate) fn steps(&self) -> usize {
        1 + self.then.len()
    }

    /// The record of the first steps of its chain.
    pub(crate) fn cut(&self, steps: usize) -> VariantRecord {
        let mut record = self.clone();
        record.then.truncate(steps.saturating_sub(1));
        record
    }

    /// The mutations of all steps.
    pub fn all_mutations(&self) -> impl Iterator<Item = &Mutation> {
        let later = self.then.iter().flat_map(|step| &step.mutations);
        self.mutations.iter().chain(later)
    }

    /// The numbers of all mutations.
    pub fn ids(&self) -> BTreeSet<u32> {
        self.all_mutations().map(|mutation| mutation.id).collect()
    }

    /// Rebuilds the variant, or the part of it with these mutations.
    ///
    /// # Errors
    /// If the record belongs to another program, or a step's program has changed
    /// because mutations before it were left out.
    pub fn replay(
        &self,
        clang: &Clang,
        seed: &Seed,
        only: Option<&BTreeSet<u32>>,
    ) -> Result<Vec<u8>> {
        let is_wanted = |mutation: &&Mutation| only.is_none_or(|ids| ids.contains(&mutation.id));
        ensure!(
            self.source_hash == hash_text(&seed.source),
            "the record belongs to another program, or the program has changed since"
        );
        if let Some(ids) = only {
            let unknown = ids.difference(&self.ids()).next().copied();
            if let Some(id) = unknown {
                anyhow::bail!("the record has no mutation {id}");
            }
        }
        let lowered = |source| lower(clang, &seed.path, source, &seed.flags);
        let program = lowered(Arc::clone(&seed.source))?;
        let mut text = apply(&program, self.mutations.iter().filter(is_wanted))?;
        for step in &self.then {
            let mutations: Vec<&Mutation> = step.mutations.iter().filter(is_wanted).collect();
            if mutations.is_empty() {
                continue;
            }
            ensure!(
                step.source_hash == hash_text(&text),
                "mutation {} needs all mutations of earlier steps",
                mutations[0].id
            );
            let program = lowered(text.into())?;
            text = apply(&program, mutations)?;
        }
        Ok(text)
    }
}
