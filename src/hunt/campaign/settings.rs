//! What a campaign is to do: as typed, as in `mestra.toml`, and as kept in its store.
//! All three share one type, so that each can fill in what another leaves out.

mod check;

use crate::hunt::finding::LEVELS;
use crate::variant::enumerate::{EnumerationSettings, InstanceRequest, TypeRule};
use crate::variant::generate::{Feature, ProgramMode};
use crate::variant::mutate::Chain;
use crate::variant::strategy::Name;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where the time of a campaign goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    // `work/spread.rs` says how.
    /// Over many programs of our own, each tried in a few ways.
    #[default]
    Spread,
    /// Over all that can be made of each seed.
    Fixed,
    // `learning.rs` says how.
    /// Where it brings most code that no other program has brought, as the campaign learns.
    Learn,
}

/// Defines a struct of settings each of which may be left out.
macro_rules! optional_settings {
    (
        $(#[$of_all:meta])*
        pub struct $name:ident {
            $($(#[$of_one:meta])* pub $setting:ident: $type:ty,)*
        }
    ) => {
        $(#[$of_all])*
        pub struct $name {
            $(
                $(#[$of_one])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $setting: Option<$type>,
            )*
        }

        impl $name {
            /// These settings, and those of another where these say nothing.
            pub(crate) fn or(self, other: $name) -> $name {
                $name {
                    $($setting: self.$setting.or(other.$setting),)*
                }
            }
        }
    };
}

optional_settings! {
    /// Everything that the results depend on; `None` if not specified.
    #[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
    pub struct Settings {
        /// Where seeds come from: `csmith`, `own` (programs of `mestra generate`), a C file (*.c,
        /// *.i), a directory of C files, a compile_commands.json, or a text file with the name of
        /// one in each line; repeatable [default: csmith and own].
        #[arg(long, value_name = "WHAT")]
        pub seeds: Vec<String>,

        /// A command that prints a C program, with {seed} for a number; with {dir}, one that
        /// writes C files to that directory.
        #[arg(long, value_name = "COMMAND")]
        pub seed_command: String,

        /// The csmith to use, by name or path [default: csmith].
        #[arg(long, value_name = "PROGRAM")]
        pub csmith: String,

        /// Own programs of this mode only [default: snippets, for every second one mixed, a few
        /// orange].
        #[arg(long, value_name = "MODE", value_enum)]
        pub mode: ProgramMode,

        /// Own programs with only these features, each with all of them that its compiler knows.
        #[arg(long, value_name = "FEATURE,…", value_enum, value_delimiter = ',', hide_possible_values = true)]
        pub features: Vec<Feature>,

        /// Own programs without these features; `mestra help generate` lists them.
        #[arg(long, value_name = "FEATURE,…", value_enum, value_delimiter = ',', hide_possible_values = true)]
        pub without: Vec<Feature>,

        /// Number of seeds to generate [default: unlimited].
        #[arg(long, value_name = "N")]
        pub count: u64,

        /// Number of variants of each seed [default: 10; fewer beside own programs, see --schedule].
        #[arg(short = 'n', long, value_name = "N")]
        pub variants: u32,

        /// A compiler to test, with further flags, and after | what runs its programs:
        /// 'gcc-12 -m32', 'aarch64-linux-gnu-gcc -static | qemu-aarch64', 'tcc | -run',
        /// 'c2m | {} -eg' with {} for the program, 'gcc -mavx512f | -' to compile only; repeatable [default: every gcc, clang, tcc and pcc on PATH].
        #[arg(long = "compiler", value_name = "CC")]
        pub compilers: Vec<String>,

        /// Flags to test each compiler with; repeatable [default: -O0, -O1, -Os,
        /// -O2 and -O3].
        #[arg(long = "flag-set", value_name = "FLAGS", allow_hyphen_values = true)]
        pub flag_sets: Vec<String>,

        /// Also test every gcc and clang with random flags, drawn anew for each program
        /// [default: true, unless --flag-set is given].
        #[arg(long, value_name = "BOOL")]
        pub random_flags: bool,

        /// Test the sanitizers of every gcc and clang, on one program of four: programs have no
        /// undefined behaviour, so they must report nothing [default: true, unless --flag-set is
        /// given].
        #[arg(long, value_name = "BOOL")]
        pub sanitizers: bool,

        /// Also test programs split into two files, compiled by any two gcc and clang of the
        /// campaign [default: true, unless --flag-set is given].
        #[arg(long, value_name = "BOOL")]
        pub two_files: bool,

        /// One in so many programs with volatile variables is also looked at for how it accesses
        /// them, compiled by a gcc or clang of the campaign at one level; 0 for none [default: 8,
        /// or 0 if --flag-set is given].
        #[arg(long, value_name = "N")]
        pub volatile: u32,

        /// Where time goes: `spread` takes own programs seven times as often as those of other
        /// generators, each with two flag sets of every compiler and with two variants (of own
        /// programs, one in four has any) unless --variants says otherwise;
        /// `fixed` takes seeds of all sources in turn and tries each with everything; `learn`
        /// begins like `spread` and learns which seeds, strategies and flag sets bring most new
        /// code for their cost [default: spread].
        #[arg(long, value_name = "HOW", value_enum)]
        pub schedule: Schedule,

        /// Keep some shapes of the code that is made of every program, by which `learn` learns, to
        /// compare schedules [default: true for `learn`].
        #[arg(long, value_name = "BOOL")]
        pub shapes: bool,

        /// Share of the points reached that record values and can be mutated; in a small program
        /// about ten do [default: 0.3].
        #[arg(long, value_name = "P")]
        pub profile_probability: f64,

        /// Mutation strategies; each variant uses one of them [default: hermes,all].
        #[arg(
            long = "strategy",
            value_name = "NAME,…",
            value_enum,
            value_delimiter = ','
        )]
        pub strategies: Vec<Name>,

        /// Number of programs of each seed that differ from it in which variables they name
        /// where, for the strategy spe: all if there are no more, otherwise a sample
        /// [default: 10].
        #[arg(long, value_name = "N")]
        pub instances: u64,

        /// What may be named there; `any` compiles only, whatever compilers are named, and
        /// takes no rejection for a fault [default: strict].
        #[arg(long, value_name = "RULE", value_enum)]
        pub types: TypeRule,

        /// Give each variant random weights for a random subset of the kinds [default: true].
        #[arg(long, value_name = "BOOL")]
        pub swarm: bool,

        /// Let code that never runs have undefined behaviour on purpose [default: true].
        #[arg(long, value_name = "BOOL")]
        pub undefined: bool,

        /// Probability that a live block aborts when a value is not one of those predicted
        /// [default: 0.5].
        #[arg(long, value_name = "P")]
        pub check_speculation: f64,

        /// C programs, or a directory of them, whose statements are inserted into variants;
        /// or a file written by `mestra donors`; repeatable.
        #[arg(long, value_name = "PATH")]
        pub donors: Vec<PathBuf>,

        /// Relative frequency of each kind of mutation [default: equal].
        #[arg(long, value_name = "KIND=N,…")]
        pub weights: String,

        /// Maximum number of mutations per variant [default: 400].
        #[arg(long, value_name = "N")]
        pub max_mutations: usize,

        /// One in so many variants is profiled and mutated a second time; 0 for none
        /// [default: 5].
        #[arg(long, value_name = "N")]
        pub chained: u32,

        /// Time limit for one run of a seed, in seconds [default: 10].
        #[arg(long, value_name = "SECONDS")]
        pub seed_timeout: f64,

        /// Time limit for a compiler, in seconds; raised to 20 times its median if that is
        /// longer [default: 60].
        #[arg(long, value_name = "SECONDS")]
        pub compile_timeout: f64,

        /// Memory limit for a compiler, in megabytes [default: 8192].
        #[arg(long, value_name = "MB")]
        pub compile_memory: u64,

        /// Seed of the random number generator [default: 0].
        #[arg(long = "seed", value_name = "N")]
        #[serde(rename = "seed")]
        pub dice: u64,

        /// Flags for all compilers, including the trusted ones.
        #[arg(last = true, value_name = "CFLAGS")]
        pub flags: Vec<String>,
    }
}

impl Settings {
    pub(crate) fn strategies(&self) -> Vec<Name> {
        // The others by themselves show fewer planted defects than seeds without variants do.
        const MIX: [Name; 2] = [Name::Hermes, Name::All];
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

    /// Code that is put into what another variant has put in meets other values, but it takes
    /// a second profile.
    pub(crate) fn chain(&self) -> Chain {
        match self.chained.unwrap_or(5) {
            0 => Chain::ONCE,
            one_in => Chain { steps: 2, one_in },
        }
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

    /// Of how many programs one is looked at for its accesses, if any is; only those of this
    /// kind of machine can record them.
    pub(crate) fn volatile(&self) -> Option<u32> {
        let usual = if self.flag_sets.is_none() { 8 } else { 0 };
        let one_in = self.volatile.unwrap_or(usual);
        (cfg!(target_arch = "x86_64") && one_in > 0).then_some(one_in)
    }

    pub(crate) fn schedule(&self) -> Schedule {
        self.schedule.unwrap_or_default()
    }

    /// Who learns needs them, and nobody else.
    pub(crate) fn shapes(&self) -> bool {
        self.schedule() == Schedule::Learn || self.shapes.unwrap_or(false)
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
    fn the_recipe_for_webassembly_can_be_read() {
        let text = include_str!("../../../docs/wasm.toml");
        let settings: Settings = toml::from_str(text).unwrap();
        assert_eq!(settings.compilers.as_ref().map(Vec::len), Some(4));
        assert_eq!(settings.flags.as_ref().map(Vec::len), Some(2));
        assert!(!settings.two_files() && !settings.random_flags());
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
