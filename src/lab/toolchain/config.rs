//! A compiler under test with one set of flags, and how its programs are run.

use super::{Compiler, Family};
use crate::source::units::{divided, recorded};
use serde::{Deserialize, Serialize};

/// One way to compile and run programs that a campaign tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// Unique in a campaign, such as `gcc-12 -O2`.
    pub name: String,
    pub compiler: Compiler,
    /// What the compiler says it is.
    pub version: String,
    pub flags: Vec<String>,
    /// The first of the flags, if dice chose them: the level, then one entry for each of
    /// the others, which may have several words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
    pub runner: Runner,
    /// Who compiles the second of two files, if programs are divided into two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondUnit>,
}

/// Who compiles the second of the two files that a program is divided into. The compiler of
/// the first one links both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondUnit {
    pub compiler: Compiler,
    /// What the compiler says it is.
    pub version: String,
    pub flags: Vec<String>,
    /// Decides which functions are in which file.
    pub cut: u32,
    /// Whether the second file is not a part of the program, but records how the first one
    /// accesses its volatile variables. Its compiler is also the one to be compared with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub records: bool,
}

impl SecondUnit {
    /// Both files of a program as one text; `None` if there are no two.
    pub(crate) fn both(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.records {
            recorded(text)
        } else {
            divided(text, self.cut)
        }
    }
}

/// How a compiled program is run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runner {
    /// By this machine.
    #[default]
    Direct,
    /// By a command that takes the program as an argument, such as
    /// `qemu-aarch64 -L /usr/aarch64-linux-gnu`.
    Through(Vec<String>),
    /// By the compiler itself with these options, such as `-run` of tcc. [`FILE`] among
    /// them says where the program's name goes; behind them if none does.
    InProcess(Vec<String>),
    /// By nobody: only the compiler can fail.
    CompileOnly,
}

/// Stands for the program's name among the options of a compiler that runs programs.
pub(crate) const FILE: &str = "{}";

/// The options of a compiler that runs programs: those before the program's name and
/// those behind it.
pub(crate) fn around_file(options: &[String]) -> (&[String], &[String]) {
    match options.iter().position(|option| option == FILE) {
        Some(place) => (&options[..place], &options[place + 1..]),
        None => (options, &[]),
    }
}

impl Config {
    /// A compiler of this machine with flags, not asked for its version.
    pub fn new(compiler: Compiler, flags: &[&str]) -> Config {
        let words = [compiler.name.as_str()]
            .into_iter()
            .chain(flags.iter().copied());
        Config {
            name: words.collect::<Vec<_>>().join(" "),
            compiler,
            version: String::new(),
            flags: flags.iter().map(|&flag| flag.into()).collect(),
            drawn: Vec::new(),
            runner: Runner::Direct,
            second: None,
        }
    }

    /// Whether dice chose something of it, so that no two programs meet the same.
    pub(crate) fn is_drawn(&self) -> bool {
        !self.drawn.is_empty() || self.second.is_some()
    }

    /// Whether any linker would do for its objects: nothing but a level is asked of a gcc or
    /// clang of this machine.
    pub(crate) fn links_plainly(&self) -> bool {
        let is_level = |flag: &String| flag.starts_with("-O");
        self.is_for_two_files() && !self.is_drawn() && self.flags.iter().all(is_level)
    }

    /// Whether programs can be divided into two files for it: the compiler has the options
    /// that takes, and what it makes can be linked with what others make.
    pub(crate) fn is_for_two_files(&self) -> bool {
        let is_known = matches!(self.compiler.family, Family::Gcc | Family::Clang);
        is_known && self.runner == Runner::Direct
    }

    /// Whether its programs record how they access their volatile variables.
    pub(crate) fn records_accesses(&self) -> bool {
        self.second.as_ref().is_some_and(|second| second.records)
    }

    /// The config that says how volatile variables are to be accessed.
    pub(crate) fn to_compare_with(&self) -> Option<Config> {
        let second = self.second.clone().filter(|second| second.records)?;
        Some(Config {
            second: Some(second),
            ..self.of_second()?
        })
    }

    /// A text as the two files that the config wants, both in one.
    pub(crate) fn both_files(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.second.as_ref()?.both(text)
    }

    /// Whether its two files may pass arguments in different ways: they are compiled by
    /// different compilers, or for different machines.
    pub(crate) fn is_of_two_conventions(&self) -> bool {
        let of_machine = |flags: &[String]| -> Vec<String> {
            let flags = flags.iter().filter(|flag| flag.starts_with("-m"));
            flags.cloned().collect()
        };
        let program = self.second.as_ref().filter(|second| !second.records);
        program.is_some_and(|second| {
            second.compiler != self.compiler || of_machine(&second.flags) != of_machine(&self.flags)
        })
    }

    /// What compiles the second of two files, as a config of its own.
    pub(crate) fn of_second(&self) -> Option<Config> {
        let second = self.second.as_ref()?;
        Some(Config {
            compiler: second.compiler.clone(),
            version: second.version.clone(),
            flags: second.flags.clone(),
            drawn: Vec::new(),
            second: None,
            ..self.clone()
        })
    }

    /// Whether nothing that it compiles is run.
    pub(crate) fn only_compiles(&self) -> bool {
        self.runner == Runner::CompileOnly
    }

    /// The same with other flags in the place of those that dice chose.
    pub fn with_drawn(&self, drawn: Vec<String>) -> Config {
        let words = |drawn: &[String]| -> Vec<String> {
            let words = drawn.iter().flat_map(|flag| flag.split(' '));
            words.map(str::to_owned).collect()
        };
        let mut flags = words(&drawn);
        let own = self.flags.get(words(&self.drawn).len()..);
        flags.extend_from_slice(own.unwrap_or_default());
        Config {
            flags,
            drawn,
            ..self.clone()
        }
    }

    /// The same under a name that tells all flags.
    pub(crate) fn named_by_flags(self) -> Config {
        let words = |compiler: &Compiler, flags: &[String]| {
            let words = std::iter::once(&compiler.name).chain(flags);
            words.map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        let mut name = words(&self.compiler, &self.flags);
        if let Some(second) = &self.second {
            name = format!("{name} + {}", words(&second.compiler, &second.flags));
        }
        Config { name, ..self }
    }

    /// The name as a part of a file's name.
    pub(crate) fn slug(&self) -> String {
        let kept = |c: char| c.is_ascii_alphanumeric() || "-+._=".contains(c);
        let name = self.name.rsplit('/').next().unwrap_or(&self.name);
        let text: String = name
            .chars()
            .map(|c| if kept(c) { c } else { '-' })
            .collect();
        // `gcc -O2` reads better as `gcc-O2`.
        text.replace("--", "-")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Family;
    use super::*;
    use crate::lab::fake;

    #[test]
    fn drawn_flags_stand_before_the_others_and_can_be_exchanged() {
        let own = Config::new(fake::compiler("clang", Family::Clang), &["-m32"]);
        let drawn = own.with_drawn(vec!["-O2".into(), "-mllvm -x=1".into(), "-g".into()]);
        assert_eq!(drawn.flags, ["-O2", "-mllvm", "-x=1", "-g", "-m32"]);
        assert_eq!(drawn.name, own.name);
        let fewer = drawn.with_drawn(vec!["-O1".into()]).named_by_flags();
        assert_eq!(fewer.flags, ["-O1", "-m32"]);
        assert_eq!(fewer.name, "clang -O1 -m32");
        assert_eq!(fewer.with_drawn(Vec::new()).flags, own.flags);
    }

    #[test]
    fn files_of_two_compilers_or_machines_may_pass_arguments_differently() {
        let gcc = Config::new(fake::compiler("gcc", Family::Gcc), &["-O2"]);
        let with = |second: Config| Config {
            second: Some(SecondUnit {
                compiler: second.compiler,
                version: second.version,
                flags: second.flags,
                cut: 0,
                records: false,
            }),
            ..gcc.clone()
        };
        let own = |flags: &[&str]| Config::new(gcc.compiler.clone(), flags);
        let clang = Config::new(fake::compiler("clang", Family::Clang), &["-O2"]);
        assert!(!gcc.is_of_two_conventions());
        assert!(!with(own(&["-O3", "-g"])).is_of_two_conventions());
        assert!(with(own(&["-O2", "-mavx2"])).is_of_two_conventions());
        assert!(with(clang).is_of_two_conventions());
    }

    #[test]
    fn a_config_that_was_not_drawn_is_kept_as_ever() {
        let config = Config::new(fake::compiler("gcc", Family::Gcc), &["-O2"]);
        let kept = serde_json::to_string(&config).unwrap();
        assert!(!kept.contains("drawn"), "{kept}");
        assert_eq!(serde_json::from_str::<Config>(&kept).unwrap(), config);
    }
}
