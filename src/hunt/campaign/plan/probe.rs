//! Small programs that show what compilers have in common: their types, and what they know
//! beyond C.

use crate::error::ToolMissing;
use crate::hunt::campaign::settings::Settings;
use crate::hunt::campaign::{crash, judge};
use crate::lab::process::Purpose;
use crate::lab::scratch;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::{Behaviour, Expectation, Lab, Outcome, Patience, Stage, Way};
use crate::source::open::FloatFreedom;
use crate::source::seed::Seed;
use crate::variant::generate::Feature;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::ffi::OsString;
use std::fs;

/// Prints what variants rely on. A variant that is defined where `int` has 32 bits
/// may not be where it has 16, so all compilers of a campaign must agree on this.
pub(super) const PROBE: &str = r#"#include <stdio.h>
#ifdef __cplusplus
#error it compiles C++, and seeds are programs of C
#endif
int main(void)
{
    union { unsigned int whole; unsigned char part; } order = { 1u };
    struct { int field : 3; } bits;
    struct { char first; long long second; } wide;
    struct { char first; double second; } real;
    bits.field = 7;
    printf("short %d, int %d, long %d, long long %d, pointer %d bytes; ",
           (int)sizeof(short), (int)sizeof(int), (int)sizeof(long),
           (int)sizeof(long long), (int)sizeof(void *));
    printf("char %s, bit-field %s, %s first; ", (char)-1 < 0 ? "signed" : "unsigned",
           bits.field < 0 ? "signed" : "unsigned", order.part ? "low byte" : "high byte");
    printf("long long aligned to %d, double to %d bytes\n",
           (int)(sizeof wide - sizeof wide.second), (int)(sizeof real - sizeof real.second));
    return 0;
}
"#;

/// Uses what own programs use of vectors.
const VECTOR_PROBE: &str = r"typedef int lanes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
static lanes turned(lanes v, int n) { v[n & 3] = -v[n & 3]; return v; }
int main(int argc, char **argv)
{
    lanes v = { argc, 2, 3, 4 };
    v = __builtin_shufflevector(turned(v, argc), v, 3, 5, 1, 7);
    v = __builtin_convertvector(__builtin_convertvector(v, floats), lanes);
    return v[2] != -2;
}
";

/// Uses what own programs use of 128 bits.
const INT128_PROBE: &str = r"static unsigned __int128 turned(__int128 n, int by) { return n << by; }
int main(int argc, char **argv)
{
    unsigned __int128 n = turned((__int128)argc << 64 | 6, argc);
    return (unsigned long long)(n / 3 >> 64) != 0 || n % 5 != 4;
}
";

/// Uses what own programs use of bit-precise integers.
const BIT_INT_PROBE: &str = r"static unsigned _BitInt(127) turned(_BitInt(65) n, int by) { return n << by; }
int main(int argc, char **argv)
{
    unsigned _BitInt(127) n = turned((_BitInt(65))argc << 62 | 6, argc);
    return (unsigned _BitInt(7))(n >> 60) != 8 || n % 5 != 0;
}
";

/// Uses an attribute, as some variants do.
const ATTRIBUTE_PROBE: &str = r"__attribute__((noinline)) static int same(int n) { return n; }
int main(void) { return same(0); }
";

/// Features of programs of our own that only some compilers have, each with a program that
/// uses it.
pub(super) const FEATURE_PROBES: [(Feature, &str); 3] = [
    (Feature::Vector, VECTOR_PROBE),
    (Feature::Int128, INT128_PROBE),
    (Feature::BitInt, BIT_INT_PROBE),
];

/// What each config lacks of the features that only some compilers have: of those of own
/// programs, if any are `generated`, and of attributes. What a trusted compiler lacks, no
/// program has, so that is taken for lacking everywhere; but a program that tcc does not know is
/// a seed all the same, so it speaks for itself only.
pub(super) fn lacking_features(
    lab: &Lab,
    settings: &Settings,
    trusted: &[Compiler],
    configs: &[&Config],
    generated: bool,
) -> Result<Vec<Vec<Feature>>> {
    let mut lacking = without_attributes(lab, settings, trusted, configs)?;
    if !generated {
        return Ok(lacking);
    }
    let judges = trusted.iter().filter(|one| one.family != Family::Tcc);
    let judges = judges.map(|one| without_level(&Config::new(one.clone(), &[])));
    let judges: Vec<Config> = judges.collect();
    // Levels have the same features, so a compiler is asked once.
    let plain: Vec<Config> = configs.iter().map(|config| without_level(config)).collect();
    let mut asked: Vec<&Config> = Vec::new();
    for config in judges.iter().chain(&plain) {
        if !asked.contains(&config) {
            asked.push(config);
        }
    }
    for (feature, program) in FEATURE_PROBES {
        let has: Vec<bool> = match Probe::new(lab, settings, &trusted[0], program) {
            Ok(probe) => asked
                .par_iter()
                .map(|config| Ok(probe.problem(config)?.is_none()))
                .collect::<Result<_>>()?,
            Err(_) => vec![false; asked.len()],
        };
        let has = |config: &Config| {
            asked
                .iter()
                .zip(&has)
                .any(|(one, has)| *has && *one == config)
        };
        let is_known = judges.iter().all(has);
        for (lacking, config) in lacking.iter_mut().zip(&plain) {
            if !is_known || !has(config) {
                lacking.push(feature);
            }
        }
    }
    for (lacking, config) in lacking.iter_mut().zip(configs) {
        if !promises_ieee(settings, config) {
            lacking.push(Feature::Ieee);
        }
    }
    Ok(lacking)
}

/// For each config whether it lacks attributes. All known families have them.
fn without_attributes(
    lab: &Lab,
    settings: &Settings,
    trusted: &[Compiler],
    configs: &[&Config],
) -> Result<Vec<Vec<Feature>>> {
    let mut probe = None;
    let mut lacking = Vec::new();
    for config in configs {
        let mut lacks = Vec::new();
        if config.compiler.family == Family::Other {
            let probe = match &mut probe {
                Some(probe) => probe,
                none => none.insert(Probe::new(lab, settings, &trusted[0], ATTRIBUTE_PROBE)?),
            };
            if probe.problem(config)?.is_some() {
                lacks.push(Feature::Attributes);
            }
        }
        lacking.push(lacks);
    }
    Ok(lacking)
}

/// A config without its name and level.
fn without_level(config: &Config) -> Config {
    let flags = config.flags.iter().filter(|flag| !flag.starts_with("-O"));
    Config {
        name: String::new(),
        version: String::new(),
        flags: flags.cloned().collect(),
        ..config.clone()
    }
}

/// Whether a compiler, with its flags, rounds floating-point numbers as IEEE 754 says: those of
/// the usual families do, unless they are told otherwise. (tcc folds constants with more
/// precision.)
fn promises_ieee(settings: &Settings, config: &Config) -> bool {
    let family = config.compiler.family;
    let second = config.second.iter().flat_map(|second| &second.flags);
    let flags = config.flags.iter().chain(second);
    let flags = flags.chain(settings.flags.iter().flatten());
    let flags = flags.map(String::as_str);
    matches!(family, Family::Gcc | Family::Clang)
        && FloatFreedom::of_flags(flags, family == Family::Gcc) == FloatFreedom::None
}

/// What the probe does when the lead compiles it.
pub(super) struct Probe<'l> {
    lab: &'l Lab,
    seed: Seed,
    expected: Expectation,
    _directory: tempfile::TempDir,
}

impl<'l> Probe<'l> {
    pub(super) fn new(
        lab: &'l Lab,
        settings: &Settings,
        lead: &Compiler,
        text: &str,
    ) -> Result<Probe<'l>> {
        let directory = scratch::directory().context("making a directory for a probe")?;
        let path = directory.path().join("probe.c");
        fs::write(&path, text).context("writing a probe")?;
        let flags: Vec<OsString> = settings
            .flags
            .iter()
            .flatten()
            .map(OsString::from)
            .collect();
        let seed = Seed::read(&path, &flags)?;
        let mut probe = Probe {
            lab,
            seed,
            expected: Expectation::measured(Vec::new()),
            _directory: directory,
        };
        match probe.trial(&Config::new(lead.clone(), &["-O0"]))? {
            Outcome::Ran(expected) if expected[0].ending.is_success() => {
                probe.expected = Expectation::measured(expected);
            }
            other => bail!(ToolMissing {
                what: format!("{} cannot build a simple program", lead.name),
                remedy: String::from_utf8_lossy(other.message())
                    .lines()
                    .next()
                    .unwrap_or("try it by hand")
                    .to_owned(),
            }),
        }
        Ok(probe)
    }

    fn trial(&self, config: &Config) -> Result<Outcome> {
        let stage = Stage::new(&self.seed)?;
        let way = Way::of(config, Patience::default()).counted_as(Purpose::Other);
        self.lab.trial(&stage, &self.seed.source, &way)
    }

    /// Why a config cannot be used.
    pub(super) fn problem(&self, config: &Config) -> Result<Option<String>> {
        let outcome = self.trial(config)?;
        let verdict = judge::verdict(&outcome, &self.expected, &config.runner);
        let said = |behaviours: &[Behaviour]| {
            let text = behaviours.first().map(|first| first.stdout.clone());
            String::from_utf8_lossy(&text.unwrap_or_default())
                .trim()
                .to_owned()
        };
        Ok(match (&outcome, verdict.is_same()) {
            (_, true) => None,
            (Outcome::Ran(actual), _) if actual[0].ending.is_success() => Some(format!(
                "its types differ: {} instead of {}",
                said(actual),
                said(self.expected.behaviours())
            )),
            (Outcome::Failed(failure), _) => {
                let why = crash::in_full(failure);
                Some(format!("cannot build and run a simple program ({why})"))
            }
            _ => Some(format!("cannot build and run a simple program ({verdict})")),
        })
    }
}
