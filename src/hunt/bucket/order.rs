//! The order in which buckets are shown: the one with the smallest program, then always
//! the one that is most different from all before it. So the first five of a list are
//! five defects, also where sorting has taken one defect for two.

use super::Bucket;
use std::cmp::Reverse;

pub(super) fn different_first(buckets: &mut Vec<Bucket>) {
    let mut left = std::mem::take(buckets);
    left.sort_by_cached_key(|bucket| {
        let size = bucket.first().tokens.unwrap_or(usize::MAX);
        let count = Reverse(bucket.entries.len());
        (size, count, bucket.known_as.name.clone())
    });
    // How far each one is from the nearest that has been chosen.
    let mut apart = vec![f64::INFINITY; left.len()];
    while !left.is_empty() {
        let mut furthest = 0;
        for at in 1..left.len() {
            if apart[at] > apart[furthest] {
                furthest = at;
            }
        }
        apart.remove(furthest);
        let chosen = left.remove(furthest);
        for (apart, bucket) in apart.iter_mut().zip(&left) {
            *apart = apart.min(distance(&chosen, bucket));
        }
        buckets.push(chosen);
    }
}

fn distance(one: &Bucket, other: &Bucket) -> f64 {
    one.first().fingerprint.distance(&other.first().fingerprint)
}
