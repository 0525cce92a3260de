//! Whatever we read, garbled at random: none of it makes us panic, hang or swallow the
//! machine. A few seconds each in the usual tests; the long forms, which are ignored
//! there, go on for as many seconds as `MESTRA_FUZZ_SECONDS` says, from the case that
//! `MESTRA_FUZZ_FROM` names.
//!
//! Each case follows from its number. A failure names it, and `MESTRA_FUZZ_CASE` tries it
//! alone.

mod commands;
mod front_end;
mod records;
mod settings;
mod store;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// No case may take longer, on the busiest machine.
const LONGEST: Duration = Duration::from_secs(60);

const SHORT: Duration = Duration::from_secs(3);

/// How long a long form goes on.
fn long() -> Duration {
    let seconds = std::env::var("MESTRA_FUZZ_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(60))
}

/// Tries one case after the other until the time is over.
fn go_on(time: Duration, mut case: impl FnMut(&mut ChaCha8Rng)) {
    let asked = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let only = asked("MESTRA_FUZZ_CASE");
    let start = Instant::now();
    let mut number = only.unwrap_or(0);
    // A long form must not do again what the short one has done.
    if only.is_none() && time > SHORT {
        number = asked("MESTRA_FUZZ_FROM").unwrap_or(1_000_000);
    }
    let first = number;
    while start.elapsed() < time {
        let begin = Instant::now();
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| case(&mut rng))) {
            eprintln!("MESTRA_FUZZ_CASE={number} fails");
            resume_unwind(panic);
        }
        let took = begin.elapsed();
        assert!(took < LONGEST, "MESTRA_FUZZ_CASE={number} takes {took:?}");
        if only.is_some() {
            break;
        }
        number += 1;
    }
    println!("{} cases in {:?}", number - first, start.elapsed());
}

/// One of a list that is not empty.
fn any<'l, T>(rng: &mut impl Rng, list: &'l [T]) -> &'l T {
    &list[rng.random_range(0..list.len())]
}

/// Changes, drops, doubles or moves some bytes.
fn garble(rng: &mut impl Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.random_range(1..=8) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.random_range(0..bytes.len());
        let end = (at + rng.random_range(1..=32)).min(bytes.len());
        match rng.random_range(0..6) {
            0 => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => bytes[at] = *any(rng, b"\0\xff{}[]()\"'\\-0123456789,.:;=\n"),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.random_range(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            4 => bytes.truncate(at),
            _ => {
                for byte in &mut bytes[at..end] {
                    *byte = rng.random();
                }
            }
        }
    }
}
