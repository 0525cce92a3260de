//! The totals of a campaign, computed from its store.

use super::aside::SetAside;
use super::health::Health;
use super::kinds::StrategyYield;
use super::store::Store;
use crate::hunt::finding::{SUSPICIONS, StandingKind};
use crate::lab::words::plural;
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Sums over a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    pub seeds: u64,
    /// How many seeds were set aside, by reason without what is peculiar to the seed.
    pub set_aside: BTreeMap<String, u64>,
    pub variants: u64,
    pub runs: u64,
    /// Suspicions that were not confirmed.
    pub dismissed: u64,
    /// Findings by verdict; those of seeds themselves are counted apart, too.
    pub findings: BTreeMap<String, u64>,
    pub seed_findings: u64,
    /// Failures that are kept apart from findings, by their standing.
    pub suspicions: BTreeMap<String, u64>,
    pub configs: BTreeMap<String, Health>,
    /// What has come of the variants of each strategy.
    pub strategies: BTreeMap<String, StrategyYield>,
    /// CPU seconds by what they were used for.
    pub cpu: BTreeMap<String, f64>,
}

/// The stage under which our own CPU time is kept.
pub(crate) const OURSELVES: &str = "mestra";

impl Store {
    pub(crate) fn totals(&self) -> Result<Totals> {
        let (configs, strategies) = (self.healths()?, self.strategies()?);
        let connection = self.connection();
        let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, u64>(0));
        let mut totals = Totals {
            seeds: count("SELECT count(*) FROM seeds WHERE state <> 'working'")?,
            variants: count("SELECT count(*) FROM variants WHERE finished IS NOT NULL")?,
            runs: configs.values().map(|health| health.runs).sum(),
            dismissed: configs.values().map(|health| health.dismissed).sum(),
            seed_findings: count(
                "SELECT count(*) FROM findings WHERE json_extract(json, '$.variant') IS NULL",
            )?,
            configs,
            strategies,
            ..Totals::default()
        };
        let pairs = |query: &str| -> Result<Vec<(String, f64)>> {
            let mut query = connection.prepare(query)?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        for (reason, seeds) in
            pairs("SELECT reason, count(*) FROM seeds WHERE state = 'set aside' GROUP BY reason")?
        {
            let reason = SetAside::from_stored(reason).general();
            *totals.set_aside.entry(reason).or_default() += seeds as u64;
        }
        let kinds = pairs("SELECT verdict, count(*) FROM findings GROUP BY verdict")?;
        totals.findings = kinds.into_iter().map(|(k, n)| (k, n as u64)).collect();
        let standings = pairs("SELECT standing, count(*) FROM suspicions GROUP BY standing")?;
        totals.suspicions = standings.into_iter().map(|(s, n)| (s, n as u64)).collect();
        let micros = pairs("SELECT stage, micros FROM timings")?;
        totals.cpu = micros.into_iter().map(|(s, n)| (s, n / 1e6)).collect();
        for (config, n) in pairs("SELECT config, count(*) FROM findings GROUP BY config")? {
            totals.configs.entry(config).or_default().findings = n as u64;
        }
        Ok(totals)
    }
}

impl Totals {
    pub(crate) fn found(&self) -> u64 {
        self.findings.values().sum()
    }

    /// How many failures are kept as something else than findings.
    pub(crate) fn of_standing(&self, kind: StandingKind) -> u64 {
        self.suspicions.get(kind.name()).copied().unwrap_or(0)
    }

    /// Whether there were seeds and all of them were set aside before a compiler saw them.
    pub(crate) fn tested_nothing(&self) -> bool {
        self.seeds > 0 && self.runs == 0 && self.set_aside.values().sum::<u64>() == self.seeds
    }

    /// The share of CPU time that compilers and compiled programs did not use.
    pub(crate) fn overhead(&self) -> f64 {
        let all: f64 = self.cpu.values().sum();
        let ours = self.cpu.get(OURSELVES).copied().unwrap_or(0.0);
        if all > 0.0 { ours / all } else { 0.0 }
    }
}

/// The summary at the end of a campaign.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aside: u64 = self.set_aside.values().sum();
        writeln!(
            f,
            "{}, {aside} set aside, {}, {}",
            plural(self.seeds, "seed"),
            plural(self.variants, "variant"),
            plural(self.runs, "run")
        )?;
        for (reason, seeds) in &self.set_aside {
            writeln!(f, "  set aside {seeds}: {reason}")?;
        }
        write!(f, "{}", plural(self.found(), "finding"))?;
        let mut separator = ": ";
        for (kind, count) in &self.findings {
            write!(f, "{separator}{count} {kind}")?;
            separator = ", ";
        }
        if self.seed_findings > 0 {
            write!(f, " ({} in seeds themselves)", self.seed_findings)?;
        }
        writeln!(f, "; {} not confirmed", plural(self.dismissed, "suspicion"))?;
        for kind in StandingKind::ALL {
            match self.of_standing(kind) {
                0 => {}
                kept => writeln!(f, "{}, see {SUSPICIONS}/", plural(kept, kind.noun()))?,
            }
        }
        for (config, health) in &self.configs {
            let noun = if health.runs == 1 { "run" } else { "runs" };
            write!(f, "  {config:<16} {:>6} {noun}", health.runs)?;
            if let (Some(time), Some(size)) = (health.compile_time, health.code_size) {
                write!(
                    f,
                    ", variants take × {:.2} to compile (at most × {:.2}), code × {:.2} (at most × {:.2})",
                    time.0, time.1, size.0, size.1
                )?;
            }
            match (health.findings, health.dismissed) {
                (0, 0) => writeln!(f)?,
                (found, dismissed) => {
                    let found = plural(found, "finding");
                    writeln!(f, ", {found}, {dismissed} not confirmed")?;
                }
            }
        }
        let compared = self.strategies.iter().filter(|(_, made)| made.objects > 0);
        for (strategy, made) in compared {
            let StrategyYield {
                variants, objects, ..
            } = made;
            let share = made.futile as f64 / *objects as f64 * 100.0;
            writeln!(
                f,
                "  {strategy}: {}, {share:.0} % of {} futile: the same as of the seed",
                plural(*variants, "variant"),
                plural(*objects, "object"),
            )?;
        }
        let all: f64 = self.cpu.values().sum();
        write!(f, "CPU time {all:.1} s:")?;
        let mut separator = " ";
        for (stage, seconds) in &self.cpu {
            let share = if all > 0.0 {
                seconds / all * 100.0
            } else {
                0.0
            };
            write!(f, "{separator}{stage} {share:.1} %")?;
            separator = ", ";
        }
        writeln!(f)?;
        write!(
            f,
            "mestra itself: {:.2} % of the CPU time",
            self.overhead() * 100.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_variants_cost_is_a_factor_also_where_they_cost_less() {
        let health = Health {
            compile_time: Some((0.88, 1.214)),
            code_size: Some((1.0, 1.5)),
            ..Health::default()
        };
        let totals = Totals {
            configs: BTreeMap::from([("tcc -O0".to_owned(), health)]),
            ..Totals::default()
        };
        let expected = "variants take × 0.88 to compile (at most × 1.21), \
                        code × 1.00 (at most × 1.50)";
        assert!(totals.to_string().contains(expected), "{totals}");
    }
}
