//! Random numbers that are the same on every machine and with every number of jobs.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What a generator is for; each purpose has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Which points record values.
    Sampling,
}

/// The generator for one purpose, one seed program and one master seed.
pub fn generator(master: u64, source_hash: u64, purpose: Purpose) -> ChaCha8Rng {
    let purpose: u64 = match purpose {
        Purpose::Sampling => 1,
    };
    let mut key = [0; 32];
    for (bytes, word) in key.chunks_exact_mut(8).zip([master, source_hash, purpose]) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}
