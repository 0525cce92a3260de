//! What was made, counted.

use super::repair::RepairSort;
use std::collections::BTreeMap;
use std::fmt;

/// Counts over one or more programs.
#[derive(Clone, Debug, Default)]
pub struct GenerationStats {
    pub programs: u64,
    pub bytes: u64,
    pub functions: u64,
    pub statements: u64,
    pub loops: u64,
    pub operators: u64,
    /// Conditions of branches, and those of them that go both ways.
    pub conditions: [u64; 2],
    repairs: BTreeMap<RepairSort, u64>,
}

impl GenerationStats {
    pub(super) fn repaired(&mut self, sort: RepairSort) {
        *self.repairs.entry(sort).or_default() += 1;
    }

    pub(super) fn condition(&mut self, goes_both_ways: bool) {
        self.conditions[0] += 1;
        self.conditions[1] += u64::from(goes_both_ways);
    }

    /// Adds the counts of another program.
    pub fn add(&mut self, other: &GenerationStats) {
        self.programs += other.programs;
        self.bytes += other.bytes;
        self.functions += other.functions;
        self.statements += other.statements;
        self.loops += other.loops;
        self.operators += other.operators;
        for (sum, count) in self.conditions.iter_mut().zip(other.conditions) {
            *sum += count;
        }
        for (sort, count) in &other.repairs {
            *self.repairs.entry(*sort).or_default() += count;
        }
    }
}

impl fmt::Display for GenerationStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "programs: {}", self.programs)?;
        writeln!(f, "bytes: {}", self.bytes)?;
        writeln!(f, "functions: {}", self.functions)?;
        writeln!(f, "statements: {}", self.statements)?;
        writeln!(f, "loops: {}", self.loops)?;
        let [conditions, both] = self.conditions;
        writeln!(f, "conditions: {conditions}, {both} of them go both ways")?;
        writeln!(f, "operators: {}", self.operators)?;
        for (sort, count) in &self.repairs {
            writeln!(f, "repaired by {sort}: {count}")?;
        }
        Ok(())
    }
}
