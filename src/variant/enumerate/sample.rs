//! Ranks chosen uniformly.

use num_bigint::BigUint;
use rand::RngCore;
use std::collections::BTreeSet;

/// A uniformly chosen set of `number` ranks from 1 to `last`, or all of them: rank 0 is
/// the seed.
pub(crate) fn sample_ranks(
    last: &BigUint,
    number: u64,
    rng: &mut impl RngCore,
) -> BTreeSet<BigUint> {
    let number = BigUint::from(number).min(last.clone());
    let mut chosen = BTreeSet::new();
    // Floyd's algorithm: each set of this size is equally likely.
    let mut most = last - &number + 1u32;
    while most <= *last {
        let rank = below(&most, rng) + 1u32;
        if !chosen.insert(rank) {
            chosen.insert(most.clone());
        }
        most += 1u32;
    }
    chosen
}

/// A uniform number below `bound`, which is not zero.
fn below(bound: &BigUint, rng: &mut impl RngCore) -> BigUint {
    let bits = bound.bits();
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    loop {
        rng.fill_bytes(&mut bytes);
        // At least every second number of as many bits is below.
        if let (Some(last), 1..) = (bytes.last_mut(), bits % 8) {
            *last &= (1 << (bits % 8)) - 1;
        }
        let number = BigUint::from_bytes_le(&bytes);
        if number < *bound {
            return number;
        }
    }
}
