//! `mestra.toml`: lines exchanged, values of other kinds, bytes garbled.

use super::{SHORT, any, garble, go_on, long};
use mestra::hunt::campaign::settings::Settings;
use rand::Rng;
use std::fs;
use std::time::Duration;

const KEYS: &[&str] = &[
    "seeds",
    "seed-command",
    "csmith",
    "count",
    "variants",
    "compilers",
    "flag-sets",
    "random-flags",
    "levels",
    "strategies",
    "swarm",
    "undefined",
    "seed",
    "flags",
    "seed-timeout",
    "compile-timeout",
    "compile-memory",
    "profile-probability",
    "check-speculation",
    "donors",
    "no-such-key",
    "[table]",
    "[[list]]",
    "",
];

const VALUES: &[&str] = &[
    "1",
    "0",
    "-1",
    "18446744073709551615",
    "1e308",
    "nan",
    "-inf",
    "true",
    "\"\"",
    "\"x\"",
    "\"a | b {} \\u0000\"",
    "[]",
    "[\"x\"]",
    "[1]",
    "{ x = 1 }",
    "1979-05-27",
    "'''\n'''",
    "\"\"\"",
    "0.5",
    "0x7fffffffffffffff",
    "[[[[]]]]",
    "\"hermes\"",
    "[\"all\", \"orion\"]",
];

fn fuzz(time: Duration) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mestra.toml");
    go_on(time, |rng| {
        let mut text = String::new();
        for _ in 0..rng.random_range(1..6) {
            text.push_str(&format!("{} = {}\n", any(rng, KEYS), any(rng, VALUES)));
        }
        let mut bytes = text.into_bytes();
        if rng.random_ratio(1, 3) {
            garble(rng, &mut bytes);
        }
        fs::write(&file, &bytes).unwrap();
        match Settings::read(&file) {
            Ok(settings) => {
                let _ = settings.check();
                let _ = settings.flag_sets(true);
            }
            Err(error) => {
                let text = format!("{error:#}");
                assert_eq!(text.lines().count(), 1, "{text}");
            }
        }
    });
}

#[test]
fn garbled_settings_are_read_or_refused_in_one_line() {
    fuzz(SHORT);
}

#[test]
#[ignore = "goes on for as long as MESTRA_FUZZ_SECONDS says"]
fn garbled_settings_are_read_or_refused_in_one_line_for_long() {
    fuzz(long());
}
