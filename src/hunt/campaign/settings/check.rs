//! Reading settings from a file, and refusing those that make no sense.

use super::Settings;
use crate::hunt::campaign::seeds::OWN;
use crate::variant::enumerate::TypeRule;
use crate::variant::strategy::{Name, Weights};
use anyhow::{Context, Result, anyhow};
use std::fs;
use std::path::Path;

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
}
