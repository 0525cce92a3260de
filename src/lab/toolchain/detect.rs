//! Which compilers there are, and how a user names them.

use super::{Compiler, Config, FILE, Family, Runner, is_executable, why_not};
use crate::error::ToolMissing;
use crate::lab::Lab;
use std::collections::BTreeSet;
use std::ffi::OsStr;

impl Compiler {
    /// Every gcc, clang, tcc and pcc on `PATH`; of several names for one file the
    /// first in order.
    pub fn installed() -> Vec<Compiler> {
        let mut names = BTreeSet::new();
        let path = std::env::var_os("PATH").unwrap_or_default();
        for directory in std::env::split_paths(&path) {
            let Ok(entries) = std::fs::read_dir(directory) else {
                continue;
            };
            let files = entries.flatten().filter(|e| is_executable(&e.path()));
            let named = files.filter_map(|entry| entry.file_name().into_string().ok());
            names.extend(named.filter(|name| is_compiler_name(name)));
        }
        // By name and then by number: clang-9 comes before clang-19.
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort_by_key(|name| (name.split('-').next().map(str::to_owned), version(name)));
        let mut files = BTreeSet::new();
        let found = names.iter().filter_map(|name| Compiler::find(name).ok());
        found
            .filter(|compiler| {
                let file = std::fs::canonicalize(&compiler.path);
                files.insert(file.unwrap_or_else(|_| compiler.path.clone()))
            })
            .collect()
    }
}

impl Config {
    /// A compiler as typed, once for each set of flags:
    ///
    /// ```text
    /// gcc-12
    /// ./my/clang -march=native
    /// aarch64-linux-gnu-gcc -static | qemu-aarch64
    /// tcc | -run
    /// c2m | {} -eg
    /// gcc-12 -march=x86-64-v4 | -
    /// ```
    ///
    /// Further words are flags of every set; behind `|` stands what runs its
    /// programs, and options there mean that the compiler itself does. They precede the
    /// name of the program's file unless `{}` stands for it. `-` alone means that nothing is
    /// linked or run.
    ///
    /// # Errors
    /// [`ToolMissing`] if there is no such compiler or runner; in words if the text
    /// is not of this form.
    pub fn read(lab: &Lab, text: &str, sets: &[String]) -> anyhow::Result<Vec<Config>> {
        let words = |text: &str| {
            shlex::split(text).ok_or_else(|| anyhow::anyhow!("{text}: unbalanced quotes"))
        };
        let (command, runner) = match text.split_once('|') {
            Some((command, runner)) => (command, Some(words(runner)?)),
            None => (text, None),
        };
        let command = words(command)?;
        let (name, own) = command
            .split_first()
            .ok_or_else(|| anyhow::anyhow!("{text:?} names no compiler"))?;
        let runner = match runner {
            None => Runner::Direct,
            Some(words) => match words.first() {
                None => anyhow::bail!("{text:?} names nothing behind the |"),
                Some(option) if option == "-" && words.len() == 1 => Runner::CompileOnly,
                Some(option) if option.starts_with('-') || option == FILE => {
                    Runner::InProcess(words)
                }
                Some(program) => {
                    Compiler::find(program).map_err(|missing| ToolMissing {
                        what: format!("the runner {}", why_not(program)),
                        ..missing
                    })?;
                    Runner::Through(words)
                }
            },
        };
        let compiler = Compiler::find(name)?;
        let version = lab.version(&compiler)?;
        let mut configs = Vec::new();
        for set in sets {
            let flags: Vec<String> = words(set)?.into_iter().chain(own.iter().cloned()).collect();
            let mut name: Vec<&str> = vec![name];
            name.extend(flags.iter().map(String::as_str));
            match &runner {
                Runner::InProcess(options) => name.extend(options.iter().map(String::as_str)),
                Runner::CompileOnly => name.push("-c"),
                Runner::Direct | Runner::Through(_) => {}
            }
            configs.push(Config {
                name: name.join(" "),
                compiler: compiler.clone(),
                version: version.clone(),
                flags: flags.clone(),
                drawn: Vec::new(),
                runner: runner.clone(),
                second: None,
            });
        }
        Ok(configs)
    }

    /// A compiler as typed, without what runs its programs: nothing is.
    pub(crate) fn compiling_only(text: &str) -> String {
        let command = text.split('|').next().unwrap_or_default();
        format!("{} | -", command.trim_end())
    }

    /// Whether a compiler as typed comes with a level of its own, which other levels would not
    /// change.
    pub(crate) fn has_own_level(text: &str) -> bool {
        let command = text.split('|').next().unwrap_or_default();
        let mut flags = command.split_whitespace().skip(1);
        flags.any(|flag| flag.starts_with("-O"))
    }

    /// Whether the compiler's optimisation levels are worth telling apart.
    pub(crate) fn has_levels(compiler: &str) -> bool {
        let name = compiler.split_whitespace().next().unwrap_or_default();
        Family::of(OsStr::new(name).as_ref()).driver().has_levels()
    }
}

/// Whether a file is named like a compiler for this machine.
fn is_compiler_name(name: &str) -> bool {
    let is_version = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    ["gcc", "clang", "tcc", "pcc"].iter().any(|known| {
        name.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_version))
    })
}

fn version(name: &str) -> u32 {
    let digits = name.rsplit('-').next().and_then(|d| d.parse().ok());
    digits.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_name() {
        for name in ["gcc", "gcc-12", "clang-19", "tcc", "pcc"] {
            assert!(is_compiler_name(name), "{name}");
        }
        for name in [
            "gcc-ar",
            "gcc-ar-12",
            "clang-format",
            "clang++-19",
            "aarch64-gcc",
        ] {
            assert!(!is_compiler_name(name), "{name}");
        }
    }

    #[test]
    fn what_is_installed_is_found_once_and_tells_its_version() {
        let found = Compiler::installed();
        let names: Vec<&str> = found.iter().map(|c| c.name.as_str()).collect();
        assert!(
            names.contains(&"gcc") && names.contains(&"tcc"),
            "{names:?}"
        );
        // gcc-N and gcc are mostly two names of one file.
        let files: BTreeSet<_> = found
            .iter()
            .map(|c| std::fs::canonicalize(&c.path).unwrap())
            .collect();
        assert_eq!(files.len(), found.len());
        for compiler in found {
            let version = Lab::default().version(&compiler).unwrap();
            assert!(version.contains(|c: char| c.is_ascii_digit()), "{version}");
        }
    }

    #[test]
    fn configs_are_read_as_typed() {
        let sets = ["-O0".to_owned(), "-O2 -fno-inline".to_owned()];
        let configs = Config::read(&Lab::default(), "gcc '-DX=a b'", &sets).unwrap();
        assert_eq!(configs[1].flags, ["-O2", "-fno-inline", "-DX=a b"]);
        assert_eq!(configs[1].name, "gcc -O2 -fno-inline -DX=a b");
        let run = Config::read(&Lab::default(), "tcc | -run", &sets[..1]).unwrap();
        assert_eq!(run[0].runner, Runner::InProcess(vec!["-run".into()]));
        let behind = Config::read(&Lab::default(), "tcc | {} -eg", &sets[..1]).unwrap();
        assert_eq!(
            behind[0].runner,
            Runner::InProcess(vec!["{}".into(), "-eg".into()])
        );
        let alone = Config::read(&Lab::default(), "gcc -mavx512f | -", &sets[..1]).unwrap();
        assert_eq!(alone[0].runner, Runner::CompileOnly);
        assert_eq!(alone[0].name, "gcc -O0 -mavx512f -c");
        let through = Config::read(&Lab::default(), "gcc -static | env -i", &sets[..1]).unwrap();
        assert_eq!(
            through[0].runner,
            Runner::Through(vec!["env".into(), "-i".into()])
        );
        for wrong in [
            "",
            "gcc |",
            "no-such-compiler",
            "gcc | no-such-runner",
            "gcc '",
        ] {
            assert!(
                Config::read(&Lab::default(), wrong, &sets).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_level_among_the_flags_of_a_compiler_is_its_own() {
        for (text, own) in [
            ("gcc -O2 -ffast-math", true),
            ("gcc -flto | qemu-arm -O1", false),
            ("-Occ", false),
        ] {
            assert_eq!(Config::has_own_level(text), own, "{text}");
        }
    }
}
