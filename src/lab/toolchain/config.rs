//! A compiler under test with one set of flags, and how its programs are run.

use super::Compiler;
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
    pub runner: Runner,
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
            runner: Runner::Direct,
        }
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
