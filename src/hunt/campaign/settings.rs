//! What a campaign is to do: as typed, as in `mestra.toml`, and as kept in its store.
//! All three share one type, so that each can fill in what another leaves out.

use super::seeds::OWN;
use crate::hunt::finding::LEVELS;
use crate::variant::enumerate::{EnumerationSettings, InstanceRequest, TypeRule};
use crate::variant::strategy::{Name, Weights};
use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the time of a campaign goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// Over many programs of our own, each tried in a few ways; see `work/spread.rs`.
    #[default]
    Spread,
    /// Over all that can be made of each seed.
    Fixed,
}

/// Everything that the results depend on; `None` if not specified.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// Where seeds come from: `csmith`, `own` (programs of `mestra generate`), a C file (*.c,
    /// *.i), a directory of C files, a compile_commands.json, or a text file with the name of
    /// one in each line; repeatable [default: csmith and own].
    #[arg(long, value_name = "WHAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Vec<String>>,

    /// A command that prints a C program, with {seed} for a number; with {dir}, one that
    /// writes C files to that directory.
    #[arg(long, value_name = "COMMAND")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_command: Option<String>,

    /// The csmith to use, by name or path [default: csmith].
    #[arg(long, value_name = "PROGRAM")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub csmith: Option<String>,

    /// Number of seeds to generate [default: unlimited].
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,

    /// Number of variants of each seed [default: 10; of own programs 2, see --schedule].
    #[arg(short = 'n', long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<u32>,

    /// A compiler to test, with further flags, and after | what runs its programs:
    /// 'gcc-12 -m32', 'aarch64-linux-gnu-gcc -static | qemu-aarch64', 'tcc | -run',
    /// 'c2m | {} -eg' with {} for the program, 'gcc -mavx512f | -' to compile only; repeatable [default: every gcc, clang, tcc and pcc on PATH].
    #[arg(long = "compiler", value_name = "CC")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compilers: Option<Vec<String>>,

    /// Flags to test each compiler with; repeatable [default: -O0, -O1, -Os,
    /// -O2 and -O3].
    #[arg(long = "flag-set", value_name = "FLAGS", allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag_sets: Option<Vec<String>>,

    /// Test every gcc and clang also with flags drawn by dice, anew for each program
    /// [default: true, unless --flag-set is given].
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_flags: Option<bool>,

    /// Test the sanitizers of every gcc and clang, on one program of four: programs have no
    /// undefined behaviour, so they must report nothing [default: true, unless --flag-set is
    /// given].
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sanitizers: Option<bool>,

    /// Test programs also as two files, which any two gcc and clang of the campaign compile
    /// [default: true, unless --flag-set is given].
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_files: Option<bool>,

    /// Where time goes: `spread` takes own programs seven times as often as others, each with
    /// two flag sets of every compiler and two variants unless --variants says otherwise;
    /// `fixed` takes all seeds by turns and tries each with everything [default: spread].
    #[arg(long, value_name = "HOW", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,

    /// Probability that a point records values and can be mutated [default: 0.1].
    #[arg(long, value_name = "P")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_probability: Option<f64>,

    /// Mutation strategies; each variant uses one of them [default:
    /// hermes,orion,athena,all].
    #[arg(
        long = "strategy",
        value_name = "NAME,…",
        value_enum,
        value_delimiter = ','
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<Name>>,

    /// Number of programs of each seed that differ from it in which variables they name
    /// where, for the strategy spe: all if there are no more, otherwise a sample
    /// [default: 10].
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u64>,

    /// What may be named there; `any` compiles only, whatever compilers are named, and
    /// takes no rejection for a fault [default: strict].
    #[arg(long, value_name = "RULE", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<TypeRule>,

    /// Give each variant random weights for a random subset of the kinds [default: true].
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swarm: Option<bool>,

    /// Let code that never runs have undefined behaviour on purpose [default: true].
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<bool>,

    /// Probability that a live block aborts when a value is not one of those predicted
    /// [default: 0.5].
    #[arg(long, value_name = "P")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_speculation: Option<f64>,

    /// C programs, or a directory of them, whose statements are inserted into variants;
    /// or a file written by `mestra donors`; repeatable.
    #[arg(long, value_name = "PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub donors: Option<Vec<PathBuf>>,

    /// Relative frequency of each kind of mutation [default: equal].
    #[arg(long, value_name = "KIND=N,…")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,

    /// Maximum number of mutations per variant [default: 400].
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_mutations: Option<usize>,

    /// Time limit for one run of a seed, in seconds [default: 10].
    #[arg(long, value_name = "SECONDS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_timeout: Option<f64>,

    /// Time limit for a compiler, in seconds; raised to 20 times its median if that is
    /// longer [default: 60].
    #[arg(long, value_name = "SECONDS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_timeout: Option<f64>,

    /// Memory limit for a compiler, in megabytes [default: 8192].
    #[arg(long, value_name = "MB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_memory: Option<u64>,

    /// Seed of the random number generator [default: 0].
    #[arg(long = "seed", value_name = "N")]
    #[serde(rename = "seed", skip_serializing_if = "Option::is_none")]
    pub dice: Option<u64>,

    /// Flags for all compilers, including the trusted ones.
    #[arg(last = true, value_name = "CFLAGS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<String>>,
}

/// A value that makes no sense.
struct InvalidSetting {
    /// Its key, which is also the name of its option.
    key: &'static str,
    what: String,
}

impl Settings {
    /// Reads `mestra.toml`, or a file of another name.
    pub fn read(path: &Path) -> Result<Settings> {
        let text =
            fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let at = |line: usize, what: &str| anyhow!("{}:{line}: {what}", path.display());
        let settings: Settings = toml::from_str(&text).map_err(|error| {
            let before = error.span().map_or("", |span| &text[..span.start]);
            // The library's message has several lines with a picture; ours has one.
            let what = error.message().replace('\n', " ");
            at(before.matches('\n').count() + 1, &what)
        })?;
        settings
            .find_wrong()
            .map_err(|InvalidSetting { key, what }| {
                let is_its = |line: &str| {
                    let rest = line.trim_start().strip_prefix(key);
                    rest.is_some_and(|rest| rest.trim_start().starts_with('='))
                };
                let line = text.lines().position(is_its).unwrap_or(0) + 1;
                at(line, &format!("{key}: {what}"))
            })?;
        Ok(settings)
    }

    /// These settings, and those of another where these say nothing.
    pub(crate) fn or(self, other: Settings) -> Settings {
        Settings {
            seeds: self.seeds.or(other.seeds),
            seed_command: self.seed_command.or(other.seed_command),
            csmith: self.csmith.or(other.csmith),
            count: self.count.or(other.count),
            variants: self.variants.or(other.variants),
            compilers: self.compilers.or(other.compilers),
            flag_sets: self.flag_sets.or(other.flag_sets),
            random_flags: self.random_flags.or(other.random_flags),
            sanitizers: self.sanitizers.or(other.sanitizers),
            two_files: self.two_files.or(other.two_files),
            schedule: self.schedule.or(other.schedule),
            profile_probability: self.profile_probability.or(other.profile_probability),
            strategies: self.strategies.or(other.strategies),
            instances: self.instances.or(other.instances),
            types: self.types.or(other.types),
            swarm: self.swarm.or(other.swarm),
            undefined: self.undefined.or(other.undefined),
            check_speculation: self.check_speculation.or(other.check_speculation),
            donors: self.donors.or(other.donors),
            weights: self.weights.or(other.weights),
            max_mutations: self.max_mutations.or(other.max_mutations),
            seed_timeout: self.seed_timeout.or(other.seed_timeout),
            compile_timeout: self.compile_timeout.or(other.compile_timeout),
            compile_memory: self.compile_memory.or(other.compile_memory),
            dice: self.dice.or(other.dice),
            flags: self.flags.or(other.flags),
        }
    }

    /// Refuses values that make no sense, naming the options they were typed with. Those
    /// of a file are checked when it is read.
    pub fn check(&self) -> Result<()> {
        self.find_wrong()
            .map_err(|InvalidSetting { key, what }| anyhow!("--{key}: {what}"))
    }

    fn find_wrong(&self) -> Result<(), InvalidSetting> {
        let time = |t: f64| t > 0.0 && t <= 86_400.0;
        let a_time = "expected a number of seconds above 0, at most a day";
        within("seed-timeout", self.seed_timeout, time, a_time)?;
        within("compile-timeout", self.compile_timeout, time, a_time)?;
        let chance = |p: f64| (0.0..=1.0).contains(&p);
        let a_chance = "expected a probability between 0 and 1";
        within(
            "profile-probability",
            self.profile_probability,
            chance,
            a_chance,
        )?;
        within(
            "check-speculation",
            self.check_speculation,
            chance,
            a_chance,
        )?;
        let count = |n: u64| (1..=1_000_000_000).contains(&n);
        let a_count = "expected a number of at least 1";
        let most = self.max_mutations.map(|n| n as u64);
        within("variants", self.variants.map(u64::from), count, a_count)?;
        within("count", self.count, count, a_count)?;
        within("compile-memory", self.compile_memory, count, a_count)?;
        within("max-mutations", most, count, a_count)?;
        within("instances", self.instances, count, a_count)?;
        if self.types == Some(TypeRule::Any) && self.strategies() != [Name::Spe] {
            return Err(InvalidSetting {
                key: "types",
                what: "any makes programs that only compile; choose --strategy spe alone".into(),
            });
        }
        if let Some(weights) = &self.weights {
            let read = weights.parse::<Weights>();
            read.map_err(|what| InvalidSetting {
                key: "weights",
                what,
            })?;
        }
        let seeds = self.seeds.iter().flatten();
        seeds
            .filter(|seed| *seed != "csmith" && *seed != OWN)
            .map(Path::new)
            .try_for_each(|path| there("seeds", path))?;
        let mut donors = self.donors.iter().flatten();
        donors.try_for_each(|path| there("donors", path))
    }

    pub(crate) fn strategies(&self) -> Vec<Name> {
        const MIX: [Name; 4] = [Name::Hermes, Name::Orion, Name::Athena, Name::All];
        self.strategies.clone().unwrap_or_else(|| MIX.to_vec())
    }

    /// Which programs of a seed's skeleton are seeds, too; `None` if none are.
    pub(crate) fn instances(&self) -> Option<InstanceRequest> {
        let is_wanted = self.strategies().contains(&Name::Spe);
        is_wanted.then(|| InstanceRequest {
            most: self.instances.unwrap_or(10),
            settings: EnumerationSettings {
                types: self.types.unwrap_or_default(),
                ..EnumerationSettings::default()
            },
            dice: self.dice(),
        })
    }

    /// Whether nothing is run, whatever compilers are named.
    pub(crate) fn only_compiles(&self) -> bool {
        self.types == Some(TypeRule::Any)
    }

    /// Uniform mixes make all variants look alike.
    pub(crate) fn swarm(&self) -> bool {
        self.swarm.unwrap_or(true)
    }

    /// Confirmation sees to it that the accused compiler comes to the values for which the
    /// code never runs.
    pub(crate) fn undefined(&self) -> bool {
        self.undefined.unwrap_or(true)
    }

    /// A live block undoes its changes to the program's state at its end, so without a
    /// check a miscompiled block would go unnoticed; but a check keeps optimisers from
    /// some of what they do with a block that has none.
    pub(crate) fn check_speculation(&self) -> f64 {
        self.check_speculation.unwrap_or(0.5)
    }

    /// Who says which flags to test wants no others.
    pub(crate) fn random_flags(&self) -> bool {
        self.random_flags.unwrap_or(self.flag_sets.is_none())
    }

    /// Likewise.
    pub(crate) fn sanitizers(&self) -> bool {
        self.sanitizers.unwrap_or(self.flag_sets.is_none())
    }

    /// Likewise.
    pub(crate) fn two_files(&self) -> bool {
        self.two_files.unwrap_or(self.flag_sets.is_none())
    }

    pub(crate) fn schedule(&self) -> Schedule {
        self.schedule.unwrap_or_default()
    }

    /// How many variants are made of each seed; none if no strategy makes any.
    pub(crate) fn variants(&self) -> u32 {
        if self.strategies() == [Name::Spe] {
            return 0;
        }
        self.variants.unwrap_or(10)
    }

    pub(crate) fn dice(&self) -> u64 {
        self.dice.unwrap_or(0)
    }

    /// The sets of flags that a compiler is tested with. A compiler that does not
    /// optimise gets one set unless more are asked for.
    pub fn flag_sets(&self, has_levels: bool) -> Vec<String> {
        match &self.flag_sets {
            Some(sets) => sets.clone(),
            None if has_levels => LEVELS.map(String::from).to_vec(),
            None => vec![LEVELS[0].into()],
        }
    }
}

/// Refuses a number that is given and out of range.
fn within<T: Copy>(
    key: &'static str,
    number: Option<T>,
    is_right: impl Fn(T) -> bool,
    should: &str,
) -> Result<(), InvalidSetting> {
    if number.is_none_or(is_right) {
        Ok(())
    } else {
        Err(InvalidSetting {
            key,
            what: should.into(),
        })
    }
}

/// Refuses a file or directory that is not there.
fn there(key: &'static str, path: &Path) -> Result<(), InvalidSetting> {
    match fs::metadata(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(InvalidSetting {
            key,
            what: format!("{}: {error}", path.display()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_command_line_fill_in_for_each_other() {
        let file: Settings = toml::from_str(
            "seeds = [\"csmith\"]\nvariants = 3\ncompilers = [\"gcc\", \"tcc | -run\"]\nseed = 7\n",
        )
        .unwrap();
        let typed = Settings {
            variants: Some(5),
            ..Settings::default()
        };
        let both = typed.or(file);
        assert_eq!((both.variants(), both.dice()), (5, 7));
        assert_eq!(both.compilers.unwrap().len(), 2);
    }

    #[test]
    fn a_wrong_file_is_told_with_its_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("mestra.toml");
        fs::write(&path, "variants = 3\nvariant = 4\n").unwrap();
        let error = Settings::read(&path).unwrap_err().to_string();
        assert!(error.contains("mestra.toml:2: unknown field"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn a_wrong_value_is_told_with_its_key_and_line_or_its_option() {
        for (key, value, what) in [
            ("variants", "0", "expected a number of at least 1"),
            ("count", "0", "expected a number of at least 1"),
            ("compile-memory", "0", "expected a number of at least 1"),
            ("max-mutations", "0", "expected a number of at least 1"),
            (
                "profile-probability",
                "3.0",
                "expected a probability between 0 and 1",
            ),
            (
                "check-speculation",
                "-1.0",
                "expected a probability between 0 and 1",
            ),
            (
                "seed-timeout",
                "0.0",
                "expected a number of seconds above 0, at most a day",
            ),
            (
                "compile-timeout",
                "1e9",
                "expected a number of seconds above 0, at most a day",
            ),
            (
                "weights",
                "\"foo=1\"",
                "unknown kind foo; the kinds are false_block, true_guard",
            ),
            (
                "donors",
                "[\"nothere\"]",
                "nothere: No such file or directory",
            ),
            (
                "seeds",
                "[\"csmith\", \"nothere\"]",
                "nothere: No such file or directory",
            ),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("mestra.toml");
            fs::write(&path, format!("swarm = true\n {key} = {value}\n")).unwrap();
            let error = Settings::read(&path).unwrap_err().to_string();
            let told = format!("mestra.toml:2: {key}: {what}");
            assert!(error.contains(&told), "{error} is not {told}");
            let typed: Settings = toml::from_str(&format!("{key} = {value}")).unwrap();
            let error = typed.check().unwrap_err().to_string();
            assert!(error.starts_with(&format!("--{key}: {what}")), "{error}");
        }
    }

    #[test]
    fn settings_survive_being_kept() {
        let settings = Settings {
            count: Some(9),
            flags: Some(vec!["-m32".into()]),
            ..Settings::default()
        };
        let kept = serde_json::to_string(&settings).unwrap();
        assert_eq!(kept, r#"{"count":9,"flags":["-m32"]}"#);
        assert_eq!(serde_json::from_str::<Settings>(&kept).unwrap(), settings);
    }
}
