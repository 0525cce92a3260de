//! Which flags of its table a compiler knows, found out with as few calls as possible.

use super::{Knob, LINK};
use crate::lab::process::{Command, Limits, Purpose, STRETCH};
use crate::lab::toolchain::Config;
use crate::lab::{Lab, scratch};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Some passes are not even looked for unless the compiler optimises.
const PROBED_AT: &str = "-O2";

/// A loop, so that no pass is without work.
const PROBE: &str = "int main(int n, char **v) { int i, s = 0; (void)v; \
                     for (i = 1; i < n; i++) s += i; return s; }\n";

impl Lab {
    /// The flags of a compiler's table that it knows beside those it always gets; those of
    /// linking unseen. A flag that it warns of counts as unknown: it would have no effect.
    pub(crate) fn known_flags(&self, config: &Config) -> Result<Vec<Knob>> {
        let (unseen, probed): (Vec<Knob>, Vec<Knob>) = Knob::table(config.compiler.family)
            .into_iter()
            .filter(|knob| knob.is_for_this_machine(&config.runner))
            .partition(|knob| knob.group() == LINK);
        let directory = scratch::directory().context("making a directory for a probe")?;
        fs::write(directory.path().join("probe.c"), PROBE).context("writing a probe")?;
        let probe = FlagProbe {
            lab: self,
            config,
            directory: directory.path(),
        };
        let (is_working, usual) = probe.compile(&[])?;
        if !is_working {
            return Ok(Vec::new());
        }
        let mut known = probe.known(probed, &usual)?;
        known.extend(unseen);
        Ok(known)
    }
}

struct FlagProbe<'l> {
    lab: &'l Lab,
    config: &'l Config,
    directory: &'l Path,
}

impl FlagProbe<'_> {
    /// Those that the compiler takes all at once with nothing but its usual words. The ones
    /// it names are left out first; if it names none, halves are asked about.
    fn known(&self, mut knobs: Vec<Knob>, usual: &str) -> Result<Vec<Knob>> {
        while !knobs.is_empty() {
            let (is_taken, said) = self.compile(&knobs)?;
            if is_taken && said == usual {
                return Ok(knobs);
            }
            let before = knobs.len();
            knobs.retain(|knob| !knob.is_named_in(&said));
            if knobs.len() == before {
                if before == 1 {
                    return Ok(Vec::new());
                }
                let others = knobs.split_off(before / 2);
                let mut known = self.known(knobs, usual)?;
                known.extend(self.known(others, usual)?);
                return Ok(known);
            }
        }
        Ok(knobs)
    }

    /// Whether the compiler takes the probe, and what it says.
    fn compile(&self, knobs: &[Knob]) -> Result<(bool, String)> {
        let examples: Vec<String> = knobs.iter().map(Knob::example).collect();
        let command = Command::new(&self.config.compiler.path)
            .directory(self.directory)
            .env("TMPDIR", self.directory)
            .purpose(Purpose::Other)
            .limits(Limits {
                wall: Duration::from_secs(60),
                stretch: STRETCH,
                ..Limits::default()
            })
            .arg(PROBED_AT)
            .args(examples.iter().flat_map(|example| example.split(' ')))
            .args(&self.config.flags)
            .args(["-c", "-o", "probe.o", "probe.c"]);
        let output = self.lab.run_tool(&command).context("starting a compiler")?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok((output.ending.is_success(), said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake::{self, Answer, Moment};
    use crate::lab::process::Ending;
    use crate::lab::toolchain::{Compiler, Family, newest_clang};

    /// The flags that are left of gcc's table if a script says what the compiler does.
    fn known(script: impl Fn(&Moment) -> Answer + Send + Sync + 'static) -> Vec<String> {
        let config = Config::new(fake::compiler("gcc-0", Family::Gcc), &[]);
        let known = fake::lab(script).known_flags(&config).unwrap();
        known.iter().map(Knob::example).collect()
    }

    #[test]
    fn flags_that_a_compiler_does_not_take_are_left_out() {
        let all = known(|_| Answer::good(""));
        let named = known(|moment| {
            if moment.has("-fno-tree-vrp") {
                Answer::fails(
                    "gcc: error: unrecognized command-line option '-fno-tree-vrp'; did you mean '-fno-tree-pre'?\n",
                )
            } else {
                Answer::good("")
            }
        });
        assert_eq!(named.len(), all.len() - 1);
        assert!(
            !named.contains(&"-fno-tree-vrp".into()) && named.contains(&"-fno-tree-pre".into())
        );
        // One that it does not name is found by halves, one that it warns of counts as unknown.
        let mute = known(|moment| match () {
            () if moment.has("-fweb") => Answer::fails("gcc: error: no\n"),
            () if moment.has("-ftracer") => {
                Answer::ends(Ending::Exited(0), "", "gcc: warning: ignored\n")
            }
            () => Answer::good(""),
        });
        assert_eq!(mute.len(), all.len() - 2);
        assert!(!mute.contains(&"-fweb".into()) && !mute.contains(&"-ftracer".into()));
    }

    #[test]
    fn a_compiler_that_takes_nothing_knows_no_flags_and_one_that_talks_is_let_talk() {
        assert!(known(|_| Answer::fails("gcc: no\n")).is_empty());
        let all = known(|_| Answer::good(""));
        assert_eq!(known(|_| Answer::good("welcome\n")), all);
    }

    #[test]
    fn real_compilers_know_most_flags() {
        let lab = Lab::default();
        let compilers = [Compiler::find("gcc").ok(), newest_clang()];
        for compiler in compilers.into_iter().flatten() {
            let config = Config::new(compiler, &[]);
            let known = lab.known_flags(&config).unwrap().len();
            let all = Knob::table(config.compiler.family).len();
            assert!(known * 10 > all * 8, "{}: {known} of {all}", config.name);
        }
    }
}
