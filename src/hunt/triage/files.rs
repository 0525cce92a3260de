//! Whether a failure of a program in two files needs both of them, and both as they are.

use crate::lab::toolchain::{Config, SecondUnit};
use anyhow::Result;

/// The simplest config that still fails: one file if that is enough, else one of the two
/// without optimisation; `None` if nothing is simpler.
pub(super) fn simplest(
    config: &Config,
    fails: impl Fn(&Config) -> Result<bool>,
) -> Result<Option<Config>> {
    // What is recorded needs what records it.
    if config.records_accesses() {
        return Ok(None);
    }
    for simpler in simpler(config) {
        if fails(&simpler)? {
            return Ok(Some(simpler.named_by_flags()));
        }
    }
    Ok(None)
}

fn simpler(config: &Config) -> Vec<Config> {
    let (Some(of_second), Some(second)) = (config.of_second(), &config.second) else {
        return Vec::new();
    };
    let whole = Config {
        second: None,
        ..config.clone()
    };
    let plain_second = Config {
        second: Some(SecondUnit {
            flags: without_level(&second.flags),
            ..second.clone()
        }),
        ..config.clone()
    };
    let plain_first = Config {
        flags: without_level(&config.flags),
        ..config.clone()
    };
    vec![whole, of_second, plain_second, plain_first]
}

/// Flags with no optimisation in the place of their level.
fn without_level(flags: &[String]) -> Vec<String> {
    let others = flags.iter().filter(|flag| !flag.starts_with("-O")).cloned();
    ["-O0".to_owned()].into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake;
    use crate::lab::toolchain::Family;

    fn left(fails: fn(&Config) -> bool) -> Option<String> {
        let mut config = Config::new(fake::compiler("gcc-0", Family::Gcc), &["-O2", "-flto"]);
        config.second = Some(SecondUnit {
            compiler: fake::compiler("clang-0", Family::Clang),
            version: String::new(),
            flags: vec!["-O3".into()],
            cut: 7,
            records: false,
        });
        assert!(fails(&config));
        simplest(&config, |config| Ok(fails(config)))
            .unwrap()
            .map(|config| config.name)
    }

    #[test]
    fn a_failure_is_shown_with_as_few_files_and_levels_as_it_needs() {
        let clang = |config: &Config| {
            let of_second = config.second.as_ref().map(|second| &second.compiler.name);
            of_second.unwrap_or(&config.compiler.name) == "clang-0"
        };
        assert_eq!(left(clang).as_deref(), Some("clang-0 -O3"));
        assert_eq!(left(|_| true).as_deref(), Some("gcc-0 -O2 -flto"));
        let both = |config: &Config| config.second.is_some();
        let name = "gcc-0 -O2 -flto + clang-0 -O0";
        assert_eq!(left(both).as_deref(), Some(name));
        let levels = |config: &Config| {
            let of_second = config.second.as_ref();
            of_second.is_some_and(|s| s.flags[0] == "-O3") && config.flags[0] == "-O2"
        };
        assert_eq!(left(levels), None);
    }
}
