//! From settings to what a campaign will do: which configs it tests, and which compilers
//! it trusts.
//!
//! A plan is made once, when a campaign begins, and kept in its store. Every seed,
//! variant and run follows from it, so it can be repeated, resumed and divided.

mod probe;
mod survey;

pub(crate) use survey::{CompilerCard, survey};

use super::flags::FlagPool;
use super::seeds::{self, OWN, Seeds};
use super::settings::Settings;
use super::store::Header;
use crate::error::ToolMissing;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::{Lab, NO_CONTRACTION, Patience, Stage, Way, scratch};
use crate::source::clang::Clang;
use crate::source::seed::Seed;
use crate::variant::donor::Donors;
use crate::variant::generate::{Feature, GENERATOR_VERSION, GenerateRequest, generate};
use crate::variant::mutate::Mutator;
use crate::variant::profile::{ProfileOptions, Profiler};
use crate::variant::strategy::{Athena, Hermes, Strategy, named};
use anyhow::{Context, Result, bail, ensure};
use probe::{PROBE, Probe, lacking_features};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Finds compilers and versions. The second value names configs that cannot be used and
/// were not asked for, and paths without seeds.
///
/// # Errors
/// [`ToolMissing`] for a compiler that was asked for and cannot be used.
pub(crate) fn begin(lab: &Lab, mut settings: Settings) -> Result<(Header, Vec<String>)> {
    settings.check()?;
    if settings.seeds.is_none() && settings.seed_command.is_none() {
        settings.seeds = Some(vec!["csmith".into(), OWN.into()]);
    }
    make_absolute(&mut settings)?;
    // Before compilers are asked, which takes longer, and before anything is written.
    Seeds::new(lab, &settings)?.check_commands()?;
    let empty = Seeds::without_any(&settings)?.into_iter();
    let mut left_out: Vec<String> = empty
        .map(|path| format!("{path}: there are no C files in it"))
        .collect();
    let trusted = Compiler::trusted()?;
    let was_asked_for = settings.compilers.is_some();
    let named = settings.compilers.take().unwrap_or_else(|| {
        let installed = Compiler::installed().into_iter();
        installed.map(|compiler| compiler.name).collect()
    });
    let probe = Probe::new(lab, &settings, &trusted[0], PROBE)?;
    let (mut configs, mut kept) = (Vec::new(), Vec::new());
    let (mut undrawn, mut unsanitized) = (Vec::new(), Vec::new());
    for text in named {
        let sets = if settings.flag_sets.is_none() && Config::has_own_level(&text) {
            vec![String::new()]
        } else {
            settings.flag_sets(Config::has_levels(&text))
        };
        let read = if settings.only_compiles() {
            Config::compiling_only(&text)
        } else {
            text.clone()
        };
        let found = Config::read(lab, &read, &sets)?;
        let problems: Vec<Option<String>> = found
            .par_iter()
            .map(|config| probe.problem(config))
            .collect::<Result<_>>()?;
        let before = configs.len();
        for (config, problem) in found.into_iter().zip(problems) {
            match problem {
                None => configs.push(config),
                Some(problem) if was_asked_for => {
                    return Err(ToolMissing {
                        what: format!("{}: {problem}", config.name),
                        remedy: "omit it, or use other flags".into(),
                    }
                    .into());
                }
                Some(problem) => left_out.push(format!("{}: {problem}", config.name)),
            }
        }
        if configs.len() > before {
            if settings.random_flags() {
                undrawn.extend(without_flags(lab, &read, "random flags")?);
            }
            if settings.sanitizers() {
                let plain = without_flags(lab, &read, "sanitizers")?.into_iter();
                unsanitized.extend(plain.filter(Config::is_for_two_files));
            }
            kept.push(text);
        }
    }
    if configs.is_empty() {
        bail!(ToolMissing {
            what: "no compiler to test".into(),
            remedy: "install one, or name one with --compiler".into(),
        });
    }
    let works = |config: &Config| Ok(probe.problem(config)?.is_none());
    let pools = undrawn.par_iter();
    let pools = pools.map(|config| FlagPool::find(lab, config, works));
    let sanitizers = unsanitized.par_iter();
    let sanitizers = sanitizers.map(|config| FlagPool::of_sanitizers(config, works));
    let pools: Vec<Option<FlagPool>> = pools.chain(sanitizers).collect::<Result<_>>()?;
    let mut flag_pools: Vec<FlagPool> = pools.into_iter().flatten().collect();
    let drawn = flag_pools.iter_mut().map(|pool| &mut pool.config);
    tell_apart(configs.iter_mut().chain(drawn))?;
    settle_contraction(lab, &mut configs)?;
    let tested = configs.iter().map(|config| config.compiler.clone());
    let all: Vec<Compiler> = trusted.iter().cloned().chain(tested).collect();
    let standard = lab.common_standard(&all)?.map(str::to_owned);
    settings.compilers = Some(kept);
    let two_files = settings.two_files() && configs.iter().any(Config::is_for_two_files);
    let volatile = settings.volatile().is_some() && configs.iter().any(Config::is_for_two_files);
    let is_own = |what: &String| what == OWN;
    let generates = settings.seeds.iter().flatten().any(is_own);
    let generator = generates.then_some(GENERATOR_VERSION);
    let pooled = flag_pools.iter().map(|pool| &pool.config);
    let all: Vec<&Config> = configs.iter().chain(pooled).collect();
    let lacks = lacking_features(lab, &settings, &trusted, &all, generates)?;
    let prices = if settings.shapes() {
        prices(lab, &configs)?
    } else {
        Vec::new()
    };
    let header = Header {
        mestra: env!("CARGO_PKG_VERSION").into(),
        settings,
        configs,
        trusted: versions(lab, &trusted)?,
        standard,
        flag_pools,
        two_files,
        volatile,
        prices,
        lacks,
        generator,
    };
    Ok((header, left_out))
}

/// Programs of our own by which prices are found.
const PRICED: u64 = 2;

/// What each config takes for a kilobyte of a program, in milliseconds of CPU time.
fn prices(lab: &Lab, configs: &[Config]) -> Result<Vec<f64>> {
    let request = GenerateRequest::default().without_optional(&Feature::OPTIONAL);
    let directory = scratch::directory().context("making a directory for a program")?;
    let path = directory.path().join("priced.c");
    let mut prices = vec![0.0; configs.len()];
    let mut bytes = 0;
    for number in 1..=PRICED {
        let text = generate(&request, number).text;
        fs::write(&path, &text).context("writing a program")?;
        bytes += text.len();
        let seed = Seed::read(&path, &[])?;
        let stage = Stage::new(&seed)?;
        let space = lab.workspace(&stage, text.as_bytes())?;
        for (price, config) in prices.iter_mut().zip(configs) {
            let way = Way::of(config, Patience::default());
            if let Ok(object) = lab.compile(&space, &way)? {
                *price += object.cpu.as_secs_f64() * 1e3;
            }
        }
    }
    let each = bytes as f64 / 1024.0;
    // What costs nothing would be tried without end.
    Ok(prices
        .into_iter()
        .map(|price| price.max(1.0) / each)
        .collect())
}

/// A compiler as typed with no flags but its own, named for all that dice will give it.
fn without_flags(lab: &Lab, text: &str, what: &str) -> Result<Vec<Config>> {
    let mut configs = Config::read(lab, text, &[String::new()])?;
    for config in &mut configs {
        config.name = format!("{} {what}", config.name);
    }
    Ok(configs)
}

/// Numbers configs of compilers whose files have the same name, such as a release and
/// one's own build: names of findings have only that part of a path.
fn tell_apart<'c>(configs: impl Iterator<Item = &'c mut Config>) -> Result<()> {
    let (mut names, mut slugs) = (BTreeSet::new(), BTreeSet::new());
    for config in configs {
        let name = config.name.clone();
        ensure!(names.insert(name.clone()), "{name} is given twice");
        for number in 2.. {
            if slugs.insert(config.slug()) {
                break;
            }
            config.name = format!("{name} #{number}");
        }
    }
    Ok(())
}

/// Turns contraction off for compilers of no known family that take the flag.
fn settle_contraction(lab: &Lab, configs: &mut [Config]) -> Result<()> {
    let mut takes: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for config in configs {
        let is_settled = config.flags.iter().any(|f| f.starts_with("-ffp-contract"));
        if config.compiler.family != Family::Other || is_settled {
            continue;
        }
        let path = &config.compiler.path;
        let known = match takes.get(path) {
            Some(known) => *known,
            None => lab.takes(&Config::new(config.compiler.clone(), &[NO_CONTRACTION]))?,
        };
        takes.insert(path.clone(), known);
        if known {
            config.flags.push(NO_CONTRACTION.into());
        }
    }
    Ok(())
}

/// Checks that a campaign can go on as it began.
///
/// # Errors
/// If the command line asks for something else, or a compiler has changed.
pub(crate) fn resume(lab: &Lab, mut typed: Settings, header: &Header) -> Result<()> {
    make_absolute(&mut typed)?;
    ensure!(
        typed.or(header.settings.clone()) == header.settings,
        "the campaign was begun with other settings; resume it without any"
    );
    ensure!(
        header.mestra == env!("CARGO_PKG_VERSION"),
        "the campaign was begun by mestra {}, but this is mestra {}",
        header.mestra,
        env!("CARGO_PKG_VERSION")
    );
    ensure!(
        header
            .generator
            .is_none_or(|version| version == GENERATOR_VERSION)
            && header.tells_what_is_lacking(),
        "the campaign was begun with another version of our own generator"
    );
    ensure!(
        versions(lab, &Compiler::trusted()?)? == header.trusted,
        "the trusted compilers have changed since the campaign began"
    );
    let mut seen = BTreeSet::new();
    for config in &header.configs {
        if seen.insert(&config.compiler.path) {
            let version = lab.version(&config.compiler)?;
            ensure!(
                version == config.version,
                "{} was {} when the campaign began, but is now {version}",
                config.compiler.name,
                config.version
            );
        }
    }
    Ok(())
}

/// The mutator that the settings ask for.
pub(crate) fn mutator(lab: &Lab, settings: &Settings) -> Result<Mutator> {
    let options = ProfileOptions {
        dice: settings.dice(),
        seed_timeout: seed_timeout(settings),
        ..ProfileOptions::default()
    };
    let options = ProfileOptions {
        probability: settings.profile_probability.unwrap_or(options.probability),
        ..options
    };
    let clang = Clang::load()?;
    Ok(Mutator {
        strategy: strategy(settings, &clang)?,
        clang,
        profiler: Profiler::new(lab.clone(), Compiler::trusted()?, options)?,
        dice: settings.dice(),
        chain: settings.chain(),
    })
}

fn strategy(settings: &Settings, clang: &Clang) -> Result<Box<dyn Strategy>> {
    let defaults = Hermes::default();
    let weights = match &settings.weights {
        Some(weights) => weights.parse().map_err(anyhow::Error::msg)?,
        None => defaults.weights,
    };
    let most = settings.max_mutations.unwrap_or(defaults.most);
    let swarm = settings.swarm();
    let donors = match &settings.donors {
        Some(paths) => Some(Arc::new(Donors::gather(clang, paths)?)),
        None => None,
    };
    let athena = Athena {
        weights,
        swarm,
        most,
        donors: donors.clone().unwrap_or_default(),
        ..Athena::default()
    };
    let hermes = Hermes {
        weights,
        checks: settings.check_speculation(),
        undefined: settings.undefined(),
        swarm,
        most,
        donors,
        ..defaults
    };
    Ok(named(&settings.strategies(), &hermes, &athena))
}

/// How long a seed may run.
pub(crate) fn seed_timeout(settings: &Settings) -> Duration {
    Duration::from_secs_f64(settings.seed_timeout.unwrap_or(10.0))
}

/// How long a generated seed may run where it runs first. Nearly all of them end within
/// milliseconds or never, so nothing is waited for unless a longer time was asked for.
pub(super) fn first_timeout(settings: &Settings) -> Duration {
    let asked = settings.seed_timeout.map(Duration::from_secs_f64);
    asked.unwrap_or(Duration::from_secs(1))
}

/// The limits of configs.
pub(crate) fn patience(settings: &Settings) -> Patience {
    let default = Patience::default();
    Patience {
        compile: settings
            .compile_timeout
            .map_or(default.compile, Duration::from_secs_f64),
        compile_memory: settings
            .compile_memory
            .map_or(default.compile_memory, |mb| mb << 20),
        // Variants do more than their seeds, and some compilers make slow programs. A
        // hang is tried again with twice this limit.
        run: seed_timeout(settings) * 2,
        ..default
    }
}

/// The first of the trusted compilers, without optimisation: its build defines what a
/// seed does.
pub(crate) fn lead(lab: &Lab) -> Result<Config, ToolMissing> {
    let compiler = Compiler::find("gcc")?;
    let mut config = Config::new(compiler, &["-O0"]);
    config.version = lab.version(&config.compiler)?;
    Ok(config)
}

fn versions(lab: &Lab, compilers: &[Compiler]) -> Result<Vec<String>, ToolMissing> {
    compilers.iter().map(|c| lab.version(c)).collect()
}

/// Makes the paths of seeds, donors and the seed command absolute, so that they are found from
/// anywhere.
fn make_absolute(settings: &mut Settings) -> Result<()> {
    if let Some(command) = &mut settings.seed_command
        && let Some(found) = seeds::absolute(command)
    {
        *command = found;
    }
    for what in settings.seeds.iter_mut().flatten() {
        if what != "csmith" && what != OWN {
            let path = fs::canonicalize(&*what).with_context(|| format!("finding {what}"))?;
            *what = path
                .into_os_string()
                .into_string()
                .map_err(|path| anyhow::anyhow!("{path:?} is not valid UTF-8"))?;
        }
    }
    for path in settings.donors.iter_mut().flatten() {
        *path = fs::canonicalize(&*path).with_context(|| format!("finding {}", path.display()))?;
    }
    Ok(())
}
