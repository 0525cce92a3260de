//! Random numbers that are the same on every machine and with every number of jobs.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What a generator is for; each has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Which points record values.
    Sampling,
    /// The mutations of a variant, and which step of its chain they are.
    Variant { number: u32, step: u32 },
    /// A seed to be generated, whose number stands for the seed program's hash.
    Seed,
    /// Which fillings of a skeleton are made.
    Filling,
    /// Whether sanitizers see a generated seed, whose number stands for its hash.
    Sanitizing,
    /// The flags of a variant, or as number 0 of the seed, for the compiler at a place of
    /// the plan; the seed's number stands for its hash.
    Flags { variant: u32, place: u32 },
    /// How a variant, or as number 0 the seed, is divided into two files; the seed's number
    /// stands for its hash.
    Units { variant: u32 },
    /// Whether the volatile accesses of a variant, or as number 0 of the seed, are compared,
    /// and by whom; the seed's number stands for its hash.
    Accesses { variant: u32 },
    /// Which configs a seed is tried with; the seed's number stands for its hash.
    Schedule,
    /// What is done with a seed in a campaign that learns; its number stands for its hash.
    Learning,
    /// A program of our own, by its number; the generator's version stands for the hash.
    Program,
}

/// The generator of all random numbers.
pub(crate) type Dice = ChaCha8Rng;

/// The generator for one purpose, one seed program and one master seed.
pub fn generator(master: u64, source_hash: u64, purpose: Draw) -> Dice {
    let (purpose, which): (u64, u64) = match purpose {
        Draw::Sampling => (1, 0),
        Draw::Seed => (3, 0),
        Draw::Filling => (4, 0),
        Draw::Sanitizing => (5, 0),
        Draw::Flags { variant, place } => (6, u64::from(place) << 32 | u64::from(variant)),
        Draw::Program => (7, 0),
        Draw::Units { variant } => (8, u64::from(variant)),
        Draw::Schedule => (9, 0),
        Draw::Learning => (11, 0),
        Draw::Accesses { variant } => (10, u64::from(variant)),
        Draw::Variant { number, step } => (2, u64::from(step) << 32 | u64::from(number)),
    };
    let mut key = [0; 32];
    let words = [master, source_hash, purpose, which];
    for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Dice::from_seed(key)
}
