//! The library in two names: bytes of a C program in, variants of it out. Everything else of
//! the crate is public for its own tests and tools, and changes as they need it.

use crate::lab::Lab;
use crate::lab::toolchain::Compiler;
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::mutate::{Chain, Mutator, Variant};
use crate::variant::profile::{ProfileOptions, Profiler};
use crate::variant::strategy::{Athena, Hermes, Name, named};
use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use std::ffi::OsString;
use std::fs;

/// Makes variants of C programs: programs that behave the same on the given inputs, and look
/// different to a compiler.
///
/// It needs libclang, and gcc and clang to run the program with: what a program does decides
/// what may be changed. The program runs with the rights of the caller, so give it none that
/// you do not trust.
///
/// ```
/// let program = b"int main(void) { int n = 0; for (int i = 0; i < 3; i++) n += i; return n; }";
/// let maker = mestra::VariantMaker::new()?;
/// let variants = maker.variants(program, 2)?;
/// assert!(variants.iter().all(|variant| variant.text != program));
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug)]
pub struct VariantMaker {
    clang: Clang,
    compilers: Vec<Compiler>,
    strategies: Vec<Name>,
    dice: u64,
    flags: Vec<OsString>,
    arguments: Vec<String>,
}

/// A variant of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeVariant {
    /// Counted from 1; the same number and dice give the same variant.
    pub number: u32,
    /// The program.
    pub text: Vec<u8>,
    /// What was changed, by the kinds of `mestra mutate`: `true_guard`, `false_block`, …
    pub kinds: Vec<&'static str>,
    /// How it was made, as JSON; `mestra replay` and `mestra explain` read it.
    pub record: String,
}

impl VariantMaker {
    /// A maker with the strategy `all` and dice 0.
    ///
    /// # Errors
    /// If libclang or the compilers are not installed.
    // Used by other crates only.
    pub fn new() -> Result<VariantMaker> {
        Ok(VariantMaker {
            clang: Clang::load()?,
            compilers: Compiler::trusted()?,
            strategies: vec![Name::All],
            dice: 0,
            flags: Vec::new(),
            arguments: Vec::new(),
        })
    }

    /// Sets who makes variants: `hermes`, `orion`, `athena` or `all`.
    ///
    /// # Errors
    /// If no strategy has that name.
    // Used by other crates only.
    pub fn strategy(mut self, name: &str) -> Result<VariantMaker> {
        let known = Name::from_str(name, false).ok();
        // It makes other seeds, no variants.
        let known = known.filter(|name| *name != Name::Spe);
        self.strategies = vec![known.ok_or_else(|| anyhow!("there is no strategy {name}"))?];
        Ok(self)
    }

    /// Sets the number that all choices follow from.
    // Used by other crates only.
    pub fn dice(mut self, dice: u64) -> VariantMaker {
        self.dice = dice;
        self
    }

    /// Adds a flag that programs are compiled with, such as `-DN=3`.
    // Used by other crates only.
    pub fn flag(mut self, flag: impl Into<OsString>) -> VariantMaker {
        self.flags.push(flag.into());
        self
    }

    /// Adds a run with arguments, in the shell's quoting. Variants behave as the program does
    /// on these runs; without any, on one without arguments.
    // Used by other crates only.
    pub fn run(mut self, arguments: &str) -> VariantMaker {
        self.arguments.push(arguments.to_owned());
        self
    }

    /// At most so many variants of a program. Fewer if some would equal it: a strategy that
    /// only deletes what never runs may find nothing to delete.
    ///
    /// # Errors
    /// If the program is refused ([`SeedRefused`](crate::error::SeedRefused)), for instance
    /// because it does not compile or does not end.
    // Used by other crates only.
    pub fn variants(&self, program: &[u8], count: u32) -> Result<Vec<MadeVariant>> {
        let directory = tempfile::tempdir().context("making a directory")?;
        let path = directory.path().join("program.c");
        fs::write(&path, program).context("writing a program")?;
        let mut seed = Seed::read(&path, &self.flags)?;
        seed.set_inputs(&self.arguments, &[])?;
        let options = ProfileOptions {
            dice: self.dice,
            ..ProfileOptions::default()
        };
        let mutator = Mutator {
            clang: self.clang.clone(),
            profiler: Profiler::new(Lab::default(), self.compilers.clone(), options)?,
            strategy: named(&self.strategies, &Hermes::default(), &Athena::default()),
            dice: self.dice,
            chain: Chain::ONCE,
        };
        let source = mutator.source(seed, None)?;
        let made = mutator.variants(&source, 1..=count);
        made.map(|variant| MadeVariant::of(variant?)).collect()
    }
}

impl MadeVariant {
    fn of(variant: Variant) -> Result<MadeVariant> {
        Ok(MadeVariant {
            number: variant.record.variant,
            kinds: variant
                .mutations()
                .map(|mutation| mutation.kind().name())
                .collect(),
            record: String::from_utf8(variant.record.to_json()?)?
                .trim_end()
                .into(),
            text: variant.text,
        })
    }
}
