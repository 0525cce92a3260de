//! Optimisations that compilers miss: calls in code that never runs, which one config keeps
//! although a lower level of the compiler, or another compiler, removes them.
//!
//! Nobody who keeps such a call is wrong. So this is a report of its own kind; it has nothing
//! to do with findings.

use crate::lab::toolchain::Config;
use crate::lab::{Lab, Patience, Stage, Way};
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::program::{Lines, Program, StatementId};
use crate::source::seed::Seed;
use crate::variant::profile::{Profile, Unreached};
use anyhow::{Context, Result};
use memchr::memmem;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

/// How the names of markers begin.
const MARKER: &str = "mestra_marker_";

/// Configs below this level are not expected to remove anything.
const LEAST_LEVEL: u32 = 2;

/// A seed with a call of a function that is defined nowhere before every statement that is
/// never reached.
#[derive(Debug)]
pub struct MarkedProgram {
    pub text: Vec<u8>,
    places: Vec<MarkedPlace>,
}

#[derive(Clone, Debug)]
struct MarkedPlace {
    line: usize,
    function: String,
}

/// A call that someone should have removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedOptimisation {
    /// The marker's number.
    pub marker: usize,
    /// The line of the statement before which it stands, in the seed.
    pub line: usize,
    pub function: String,
    /// Configs that keep it although one that they should not be behind does not.
    pub kept_by: Vec<String>,
    pub removed_by: Vec<String>,
}

impl fmt::Display for MissedOptimisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, removed) = (self.kept_by.join(", "), self.removed_by.join(", "));
        let MissedOptimisation { line, function, .. } = self;
        write!(
            f,
            "line {line} in {function}: kept by {kept}; removed by {removed}"
        )
    }
}

impl MarkedProgram {
    /// # Errors
    /// If the seed's text cannot be edited.
    pub fn new(program: &Program, profile: &Profile) -> Result<MarkedProgram> {
        let unreached = Unreached::new(program, profile);
        let points = unreached.points().iter().copied();
        let points: Vec<StatementId> = points
            .filter(|point| fit::before(program, *point).is_ok())
            .collect();
        let mut edits = Edits::new();
        let mut text = String::new();
        for (number, point) in points.iter().enumerate() {
            let name = name(number);
            edits.insert_at_point(program.statement(*point), format!("{name}(); "));
            text.push_str(&format!("void {name}(void); "));
        }
        text.push_str("\n#line 1\n");
        let marked = edits.render(&program.source);
        let marked = marked.context("putting markers into the seed")?;
        let lines = Lines::new(&program.source);
        let place = |point: &StatementId| {
            let statement = program.statement(*point);
            MarkedPlace {
                line: lines.locate(statement.span.start).0,
                function: program.function(statement.function).name.clone(),
            }
        };
        Ok(MarkedProgram {
            text: [text.as_bytes(), &marked].concat(),
            places: points.iter().map(place).collect(),
        })
    }

    /// How many markers there are.
    pub fn marker_count(&self) -> usize {
        self.places.len()
    }

    /// The markers that some config keeps and should not, in order.
    ///
    /// # Errors
    /// If a compiler cannot be started. One that fails on the program removes nothing and
    /// keeps nothing.
    pub fn missed(
        &self,
        lab: &Lab,
        seed: &Seed,
        configs: &[Config],
    ) -> Result<Vec<MissedOptimisation>> {
        let stage = Stage::new(seed)?;
        let kept: Vec<Option<Vec<bool>>> = configs
            .par_iter()
            .map(|config| {
                let way = Way::of(config, Patience::default());
                let space = lab.workspace(&stage, &self.text)?;
                let object = lab.compile(&space, &way)?;
                Ok(object.ok().map(|object| self.kept_in(&object.bytes)))
            })
            .collect::<Result<_>>()?;
        let known = configs.iter().zip(kept);
        let known: Vec<(&Config, Vec<bool>)> = known
            .filter_map(|(config, kept)| Some((config, kept?)))
            .collect();
        let markers = (0..self.places.len()).filter_map(|marker| self.judge(marker, &known));
        Ok(markers.collect())
    }

    /// Which markers an object calls: a function that is not called has no symbol in it.
    fn kept_in(&self, object: &[u8]) -> Vec<bool> {
        let is_kept = |number| {
            let symbol = format!("{}\0", name(number));
            memmem::find(object, symbol.as_bytes()).is_some()
        };
        (0..self.places.len()).map(is_kept).collect()
    }

    fn judge(&self, marker: usize, known: &[(&Config, Vec<bool>)]) -> Option<MissedOptimisation> {
        let (keep, remove): (Vec<_>, Vec<_>) = known.iter().partition(|(_, kept)| kept[marker]);
        let is_behind = |config: &Config| {
            let mut better = remove.iter();
            better.any(|(other, _)| should_remove_as(config, other))
        };
        let names = |of: &mut dyn Iterator<Item = &Config>| -> Vec<String> {
            of.map(|config| config.name.clone()).collect()
        };
        let kept_by = names(&mut keep.iter().map(|(c, _)| *c).filter(|c| is_behind(c)));
        let place = &self.places[marker];
        (!kept_by.is_empty()).then(|| MissedOptimisation {
            marker,
            line: place.line,
            function: place.function.clone(),
            kept_by,
            removed_by: names(&mut remove.iter().map(|(config, _)| *config)),
        })
    }
}

/// A name that is no beginning of another.
fn name(number: usize) -> String {
    format!("{MARKER}{number}_")
}

/// Whether a config should remove what another one removes.
fn should_remove_as(config: &Config, other: &Config) -> bool {
    let (own, others) = (level(config), level(other));
    let is_same_compiler = config.compiler == other.compiler;
    own >= LEAST_LEVEL && (others < own || others == own && !is_same_compiler)
}

/// How much a config optimises, by its last level.
fn level(config: &Config) -> u32 {
    let levels = config.flags.iter().rev().find_map(|flag| {
        Some(match flag.as_str() {
            "-O0" => 0,
            "-O" | "-O1" | "-Og" => 1,
            "-O2" | "-Os" | "-Oz" => 2,
            "-O3" => 3,
            _ => return None,
        })
    });
    levels.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake;
    use crate::lab::toolchain::Family;

    fn judged(kept: &[(&str, &str, bool)]) -> Option<String> {
        let configs: Vec<(Config, bool)> = kept
            .iter()
            .map(|(name, level, kept)| {
                let compiler = fake::compiler(name, Family::Gcc);
                (Config::new(compiler, &[*level]), *kept)
            })
            .collect();
        let known: Vec<(&Config, Vec<bool>)> =
            configs.iter().map(|(c, kept)| (c, vec![*kept])).collect();
        let marked = MarkedProgram {
            text: Vec::new(),
            places: vec![MarkedPlace {
                line: 3,
                function: "f".into(),
            }],
        };
        marked.judge(0, &known).map(|missed| missed.to_string())
    }

    #[test]
    fn a_marker_is_missed_by_who_keeps_what_a_lower_level_or_another_compiler_removes() {
        let both = [("gcc-1", "-O1", false), ("gcc-1", "-O3", true)];
        assert_eq!(
            judged(&both).unwrap(),
            "line 3 in f: kept by gcc-1 -O3; removed by gcc-1 -O1"
        );
        let versions = [("gcc-1", "-O2", false), ("gcc-2", "-O2", true)];
        assert!(judged(&versions).unwrap().contains("kept by gcc-2 -O2"));
        // More optimisation removes more.
        assert_eq!(
            judged(&[("gcc-1", "-O3", false), ("gcc-1", "-O2", true)]),
            None
        );
        // Nothing is expected of a low level, or where all agree.
        assert_eq!(
            judged(&[("gcc-1", "-O1", true), ("gcc-2", "-O1", false)]),
            None
        );
        assert_eq!(
            judged(&[("gcc-1", "-O2", true), ("gcc-2", "-O3", true)]),
            None
        );
    }
}
