//! The table of a run: each row a figure, what it should be, and whether it is.

use serde::Serialize;
use std::fmt::Write;

#[derive(Debug, Serialize)]
pub struct Table {
    machine: String,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize)]
struct Group {
    name: &'static str,
    /// The load average as the group began.
    load: f64,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    budget: Option<Budget>,
    ok: Option<bool>,
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    AtMost(f64),
    AtLeast(f64),
}

impl Budget {
    fn holds(self, value: f64) -> bool {
        match self {
            Budget::AtMost(most) => value <= most,
            Budget::AtLeast(least) => value >= least,
        }
    }

    fn text(self) -> String {
        match self {
            Budget::AtMost(most) => format!("≤ {most}"),
            Budget::AtLeast(least) => format!("≥ {least}"),
        }
    }
}

impl Table {
    pub fn new(machine: String) -> Table {
        Table {
            machine,
            groups: Vec::new(),
        }
    }

    pub fn group(&mut self, name: &'static str, load: f64) {
        self.groups.push(Group {
            name,
            load,
            rows: Vec::new(),
        });
    }

    /// A figure of the current group.
    pub fn row(
        &mut self,
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        budget: impl Into<Option<Budget>>,
    ) {
        let budget = budget.into();
        let row = Row {
            name: name.into(),
            value,
            unit,
            budget,
            ok: budget.map(|budget| budget.holds(value)),
        };
        let group = self.groups.last_mut().expect("a group was begun");
        group.rows.push(row);
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.machine);
        for group in &self.groups {
            let _ = writeln!(text, "\n{} (load average {:.1})", group.name, group.load);
            for row in &group.rows {
                let [value, unit, budget, ok] = row.cells();
                let _ = writeln!(
                    text,
                    "  {:<58} {value:>9} {unit:<18} {budget:>7} {ok}",
                    row.name
                );
            }
        }
        text
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("Measured on: {}.\n", self.machine);
        for group in &self.groups {
            let _ = writeln!(
                text,
                "\n**{}** (load average {:.1} at its start)\n\n\
                 | what | value | unit | budget | kept |\n|---|---:|---|---:|---|",
                group.name, group.load
            );
            for row in &group.rows {
                let [value, unit, budget, ok] = row.cells();
                let _ = writeln!(
                    text,
                    "| {} | {value} | {unit} | {budget} | {ok} |",
                    row.name
                );
            }
        }
        text
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a table can be written as JSON")
    }
}

impl Row {
    fn cells(&self) -> [String; 4] {
        let digits = match self.value.abs() {
            value if value >= 100.0 || value == 0.0 => 0,
            value if value >= 10.0 => 1,
            value if value >= 1.0 => 2,
            value if value >= 0.1 => 3,
            _ => 4,
        };
        let ok = match self.ok {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "",
        };
        [
            format!("{:.digits$}", self.value),
            self.unit.to_owned(),
            self.budget.map_or(String::new(), Budget::text),
            ok.to_owned(),
        ]
    }
}
