//! The mutations of a campaign by kind and statistics of the chains that searched for
//! them: what the store keeps of a variant, and its sums for reports.

use super::store::Store;
use crate::variant::replay::VariantRecord;
use crate::variant::strategy::{ProposalTally, Trace};
use anyhow::Result;
use rusqlite::Row;
use serde::Serialize;
use std::collections::BTreeMap;

/// Stands in the place of a kind for proposals to remove a mutation.
const REMOVAL: &str = "removal";

/// With the name of a strategy behind it, stands in the place of a kind for each variant that
/// the strategy has made.
pub(super) const BY: &str = "by ";

/// A kind of mutation in a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindStatistics {
    /// How many there are in variants.
    pub made: u64,
    /// What chains have proposed to add.
    pub additions: ProposalTally,
}

/// The chains of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chains {
    pub chains: u64,
    /// All their steps; those for which the dice gave no proposal were not accepted.
    pub steps: ProposalTally,
    /// Their proposals to remove a mutation.
    pub removals: ProposalTally,
    /// The part of the steps that each has accepted, the least first.
    pub acceptance: Vec<f64>,
}

/// What has come of the variants of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StrategyYield {
    pub variants: u64,
    /// Objects of variants that were compared with those of their seeds.
    pub objects: u64,
    /// Those of them that are the same, so that nothing was learned from them.
    pub futile: u64,
}

fn tally(row: &Row<'_>, first: usize) -> rusqlite::Result<ProposalTally> {
    Ok(ProposalTally {
        proposed: row.get(first)?,
        accepted: row.get(first + 1)?,
    })
}

/// How many mutations of each kind a variant has, and what was proposed of them.
pub(super) fn by_kind(
    record: &VariantRecord,
    traces: &[Trace],
) -> BTreeMap<&'static str, (u64, ProposalTally)> {
    let mut kinds: BTreeMap<&str, (u64, ProposalTally)> = BTreeMap::new();
    for mutation in record.all_mutations() {
        kinds.entry(mutation.kind().name()).or_default().0 += 1;
    }
    for trace in traces {
        for (kind, tally) in &trace.additions {
            kinds.entry(kind.name()).or_default().1 += *tally;
        }
        if trace.removals.proposed > 0 {
            kinds.entry(REMOVAL).or_default().1 += trace.removals;
        }
    }
    kinds
}

impl Store {
    /// What has come of each strategy. A store of an earlier version says nothing of objects.
    pub(super) fn strategies(&self) -> Result<BTreeMap<String, StrategyYield>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT kind, sum(made), sum(proposed), sum(accepted) FROM kinds
             WHERE kind GLOB ? GROUP BY kind",
        )?;
        let rows = query.query_map([format!("{BY}*")], |row| {
            let strategy = row.get::<_, String>(0)?[BY.len()..].to_owned();
            let come_of_it = StrategyYield {
                variants: row.get(1)?,
                objects: row.get(2)?,
                futile: row.get(3)?,
            };
            Ok((strategy, come_of_it))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Statistics of each kind of mutation.
    pub fn kinds(&self) -> Result<BTreeMap<String, KindStatistics>> {
        let connection = self.connection();
        let mut query = connection.prepare(
            "SELECT kind, sum(made), sum(proposed), sum(accepted) FROM kinds
             WHERE kind <> ? AND NOT kind GLOB ? GROUP BY kind",
        )?;
        let rows = query.query_map((REMOVAL, format!("{BY}*")), |row| {
            let statistics = KindStatistics {
                made: row.get(1)?,
                additions: tally(row, 2)?,
            };
            Ok((row.get(0)?, statistics))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Statistics of the chains that searched for variants; `None` if there were none.
    pub fn chains(&self) -> Result<Option<Chains>> {
        let connection = self.connection();
        let (chains, steps) = connection.query_row(
            "SELECT count(*), coalesce(sum(steps), 0), coalesce(sum(accepted), 0)
             FROM variants WHERE steps IS NOT NULL",
            [],
            |row| Ok((row.get::<_, u64>(0)?, tally(row, 1)?)),
        )?;
        let removals = connection.query_row(
            "SELECT coalesce(sum(proposed), 0), coalesce(sum(accepted), 0)
             FROM kinds WHERE kind = ?",
            [REMOVAL],
            |row| tally(row, 0),
        )?;
        let mut rates = connection.prepare(
            "SELECT CAST(accepted AS REAL) / steps FROM variants WHERE steps > 0 ORDER BY 1",
        )?;
        let rates = rates.query_map([], |row| row.get(0))?;
        let acceptance = rates.collect::<Result<_, _>>()?;
        Ok((chains > 0).then_some(Chains {
            chains,
            steps,
            removals,
            acceptance,
        }))
    }
}
