//! Globals that a table lists, so that one loop loads and one loop hashes all of them.
//!
//! A line of C for each global in `load` and `check` would cost compilers more time than the
//! functions under test do; so would tests that are compiled once more inside `main`. Only what other files could name anyway is listed: nothing can be
//! learned from the table about such a global. All others keep their lines (see `driver`).

use super::data::Fill;
use super::driver::Inputs;
use super::request::OutputCheck;
use super::tree::{ProgramForm, ProgramTree, TreeGlobal};
use crate::code::ctype::{Type, Types};
use crate::code::types::IntKind;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Numbers of one type that lie one behind the other.
struct Listed {
    place: String,
    kind: IntKind,
    count: u64,
}

/// The numbers in something of a type, in the order of their cells. `None` if the table cannot
/// name all of them: bit-fields have no address.
fn numbers_in(types: &Types, place: String, ty: &Type) -> Option<Vec<Listed>> {
    if let Some((kind, count)) = same_numbers(ty) {
        return Some(vec![Listed { place, kind, count }]);
    }
    let mut all = Vec::new();
    match ty {
        Type::Array { of, len } => {
            for at in 0..*len {
                all.extend(numbers_in(types, format!("{place}[{at}]"), of)?);
            }
        }
        Type::Record(name) => {
            for field in &types.get(name).filter(|one| !one.is_union)?.fields {
                if field.bits.is_some() {
                    return None;
                }
                let place = format!("{place}.{}", field.name);
                all.extend(numbers_in(types, place, &field.ty)?);
            }
        }
        _ => return None,
    }
    Some(all)
}

/// The type of numbers and how many there are, if a type has nothing else.
fn same_numbers(ty: &Type) -> Option<(IntKind, u64)> {
    match ty {
        Type::Int(kind) => Some((*kind, 1)),
        Type::Array { of, len } => same_numbers(of).map(|(kind, count)| (kind, count * len)),
        _ => None,
    }
}

impl TreeGlobal {
    pub(super) fn can_be_listed(&self, types: &Types) -> bool {
        !self.is_static && !self.is_volatile && self.listed(types).is_some()
    }

    fn listed(&self, types: &Types) -> Option<Vec<Listed>> {
        numbers_in(types, self.var.name.to_string(), &self.var.ty)
    }
}

impl ProgramTree {
    /// The globals that the table lists, which are the first ones. Who wants to be told which
    /// output differs gets a line for each instead.
    pub(super) fn listed(&self) -> &[TreeGlobal] {
        let count = match self.form {
            ProgramForm::Checked(OutputCheck::Hash)
            | ProgramForm::Initialised(OutputCheck::Hash) => {
                let listed = self.globals.iter().take_while(|global| global.is_listed);
                listed.count()
            }
            _ => 0,
        };
        &self.globals[..count]
    }

    /// The table, and the columns of inputs that its lines name.
    pub(super) fn listing(&self, inputs: &mut Inputs) -> String {
        let (mut lines, mut length) = (String::new(), 0);
        for global in self.listed() {
            let (mut from, period) = match &global.fill {
                Fill::Cells(cells) => (columns(inputs, cells.iter().cloned()), None),
                Fill::Repeated(rows) => {
                    let period = rows.first().map_or(1, Vec::len);
                    let column = |at| rows.iter().map(|row| row[at]).collect();
                    (columns(inputs, (0..period).map(column)), Some(period))
                }
            };
            for Listed { place, kind, count } in global.listed(&self.types).unwrap_or_default() {
                let number = kind as usize;
                let period = period.unwrap_or(count as usize);
                let _ = writeln!(
                    lines,
                    "    {{ &{place}, {number}, {count}, {from}, {period} }},"
                );
                from += period;
                length += 1;
            }
        }
        if lines.is_empty() {
            return lines;
        }
        format!(
            "static const struct {{\n    void *at;\n    int type, count, from, period;\n}} \
             list[{length}] = {{\n{lines}}};\n\n"
        )
    }

    /// What goes over the listed globals in `load`.
    pub(super) fn load_listed(&self) -> String {
        self.over_list(
            "long long value = in[r][list[g].from + i % list[g].period];",
            "",
            |place| format!("{place} = value;"),
        )
    }

    /// What goes over them in `check`.
    pub(super) fn check_listed(&self) -> String {
        self.over_list(
            "unsigned long long value = 0;",
            "            hash(value);\n",
            |place| format!("value = {place};"),
        )
    }

    /// The calls of the tests in `main`, and what has to stand before it.
    pub(super) fn calls_by_table(&self) -> Option<(String, &'static str)> {
        let names: Vec<&str> = self.tests.iter().map(|test| &*test.name).collect();
        if self.listed().is_empty() || names.is_empty() {
            return None;
        }
        let table = format!(
            "static void (*const tests[{}])(void) = {{ {} }};\n\n",
            names.len(),
            names.join(", ")
        );
        let calls = "        for (t = 0; t < (int)(sizeof tests / sizeof *tests); t++)\n            \
                     tests[t]();\n";
        Some((table, calls))
    }

    fn over_list(&self, start: &str, end: &str, line: impl Fn(&str) -> String) -> String {
        let listed = self.listed().iter();
        let listed = listed.filter_map(|global| global.listed(&self.types));
        let kinds: BTreeMap<usize, IntKind> = listed
            .flatten()
            .map(|one| (one.kind as usize, one.kind))
            .collect();
        if kinds.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "    for (g = 0; g < (int)(sizeof list / sizeof *list); g++)\n        \
             for (i = 0; i < list[g].count; i++) {{\n            {start}\n            \
             switch (list[g].type) {{\n"
        );
        for (number, kind) in kinds {
            let place = format!("(({} *)list[g].at)[i]", kind.c_name());
            let line = line(&place);
            let _ = writeln!(text, "            case {number}: {line} break;");
        }
        text + "            }\n" + end + "        }\n"
    }
}

/// Adds columns of inputs and gives the number of the first.
fn columns(inputs: &mut Inputs, all: impl Iterator<Item = Vec<i64>>) -> usize {
    let mut first = usize::MAX;
    for column in all {
        first = first.min(inputs.add(column.into_iter()));
    }
    first
}
