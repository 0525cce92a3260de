//! The text around the functions: types, globals, `load`, `check` and `main`.
//!
//! The optimiser must not know the inputs: `load` reads them from a volatile table. All
//! globals are outputs: after each row they are hashed, one after the other, by steps of which
//! none loses anything, so that any single change changes the hash.

use super::Author;
use super::data::{Fill, Global};
use super::request::{GENERATOR_VERSION, OutputCheck};
use crate::code::ctype::Type;
use crate::code::print::{BUILTINS, Style, declare};
use std::fmt::Write;

/// What the hash starts with, and what it is multiplied by.
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_FACTOR: u64 = 0x0000_0100_0000_01b3;

fn hashed(hash: u64, value: u64) -> u64 {
    let hash = (hash ^ value).wrapping_mul(HASH_FACTOR);
    hash ^ hash >> 29
}

/// A program with what it prints.
#[derive(Clone, Debug)]
pub(super) struct FinishedText {
    pub(super) text: String,
    pub(super) output: String,
}

/// The table of inputs, filled while `load` is written.
pub(super) struct Inputs {
    rows: Vec<Vec<i64>>,
}

impl Inputs {
    /// Adds a value for each row and gives their column.
    pub(super) fn add(&mut self, values: impl Iterator<Item = i64>) -> usize {
        let column = self.rows.first().map_or(0, Vec::len);
        for (row, value) in self.rows.iter_mut().zip(values) {
            row.push(value);
        }
        column
    }

    fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }
}

impl Author<'_> {
    /// The whole program, now that its functions are written.
    pub(super) fn text(&self, number: u64) -> FinishedText {
        let hashes = self.hashes();
        let mut output = String::new();
        for (row, hash) in hashes.iter().enumerate() {
            let _ = writeln!(output, "{row} {hash:016x}");
        }
        if self.request.check == OutputCheck::Asserts {
            output = "as predicted\n".into();
        }
        let mut text = self.header(number, &output);
        text += "extern int printf(const char *, ...);\n\n";
        let mut functions = String::new();
        for function in &self.written {
            functions += &function.definition.to_c(Style::default());
            functions.push('\n');
        }
        if functions.contains("__builtin_") {
            text += BUILTINS;
            text += "\n";
        }
        text += &self.types().to_c();
        let mut inputs = Inputs {
            rows: vec![Vec::new(); self.ledger.table().rows() as usize],
        };
        let load = self.load(&mut inputs);
        let globals = self.shown_globals().map(|global| &global.named);
        for named in globals.chain(self.shown_extras().map(|extra| &extra.named)) {
            let _ = writeln!(text, "{};", declare(&named.name, &named.ty));
        }
        text.push('\n');
        text += &functions;
        let (rows, columns) = (inputs.rows.len(), inputs.columns().max(1));
        let _ = writeln!(text, "static volatile long long in[{rows}][{columns}] = {{");
        for row in &inputs.rows {
            let values: Vec<String> = row.iter().map(|value| literal(*value)).collect();
            let _ = writeln!(text, "    {{ {} }},", values.join(", "));
        }
        text += "};\n\n";
        text += &load;
        text += &self.check_text();
        self.main_text(&mut text);
        FinishedText { text, output }
    }

    /// The globals that some statement names.
    fn shown_globals(&self) -> impl Iterator<Item = &Global> {
        let globals = self.globals.iter();
        globals.filter(|global| self.usage.is_mentioned(&global.named.name))
    }

    fn header(&self, number: u64, output: &str) -> String {
        let mut text = format!(
            "/* mestra generate --seed {number} {}\n   generator {GENERATOR_VERSION}; it prints:\n",
            self.request.options()
        );
        for line in output.lines() {
            let _ = writeln!(text, "   {line}");
        }
        text + "*/\n"
    }

    fn load(&self, inputs: &mut Inputs) -> String {
        let mut text =
            String::from("__attribute__((noinline)) static void load(int r)\n{\n    int i;\n");
        for global in self.shown_globals() {
            let named = &global.named;
            match &global.fill {
                Fill::Cells(cells) => {
                    for (cell, values) in self.cells_of(named).iter().zip(cells) {
                        let column = inputs.add(values.iter().copied());
                        let _ = writeln!(text, "    {} = in[r][{column}];", cell.expr);
                    }
                }
                Fill::Repeated(rows) => {
                    let period = rows.first().map_or(1, Vec::len);
                    let mut first = usize::MAX;
                    for at in 0..period {
                        let column = inputs.add(rows.iter().map(|row| row[at]));
                        first = first.min(column);
                    }
                    let (element, count) = flat(named.ty.clone(), &named.name);
                    let _ = writeln!(
                        text,
                        "    for (i = 0; i < {count}; i++)\n        {element} = in[r][{first} + i % {period}];"
                    );
                }
            }
        }
        self.load_extras(inputs, &mut text);
        text += "    (void)i;\n}\n\n";
        text
    }

    /// The values of all outputs in the order in which they are checked.
    fn outputs(&self, row: u32) -> Vec<i64> {
        let mut values = Vec::new();
        for global in self.shown_globals() {
            if let Some(object) = global.named.object() {
                let object = self.ledger.table().object(object);
                let cells = self.types().cells(&global.named.ty).unwrap_or(0);
                values.extend((0..cells).map(|cell| object.get(cell, row).unwrap_or(0)));
            }
        }
        values.extend(self.extra_outputs(row));
        values
    }

    fn hashes(&self) -> Vec<u64> {
        let rows = 0..self.ledger.table().rows();
        let hash = |row| {
            let values = self.outputs(row).into_iter();
            values.fold(HASH_START, |hash, value| hashed(hash, value as u64))
        };
        rows.map(hash).collect()
    }

    fn check_text(&self) -> String {
        let asserts = self.request.check == OutputCheck::Asserts;
        let mut text = String::new();
        if asserts {
            self.wanted_text(&mut text);
        } else {
            let _ = write!(
                text,
                "static unsigned long long h;\n\n\
                 __attribute__((noinline)) static void hash(unsigned long long value)\n{{\n    \
                 h = (h ^ value) * {HASH_FACTOR}ULL;\n    h ^= h >> 29;\n}}\n\n"
            );
        }
        text += "__attribute__((noinline)) static void check(int r)\n{\n    int i;\n";
        let mut number = 0;
        for global in self.shown_globals() {
            let named = &global.named;
            match &global.fill {
                Fill::Cells(_) => {
                    for cell in self.cells_of(named) {
                        let _ = if asserts {
                            writeln!(text, "    expect(r, {number}, \"{0}\", 0, {0});", cell.expr)
                        } else {
                            writeln!(text, "    hash({});", cell.expr)
                        };
                        number += 1;
                    }
                }
                Fill::Repeated(_) => {
                    let (element, count) = flat(named.ty.clone(), &named.name);
                    let _ = writeln!(text, "    for (i = 0; i < {count}; i++)");
                    let _ = if asserts {
                        writeln!(
                            text,
                            "        expect(r, {number} + i, \"{}[]\", i, {element});",
                            named.name
                        )
                    } else {
                        writeln!(text, "        hash({element});")
                    };
                    number += count;
                }
            }
        }
        self.check_extras(&mut text, asserts, number);
        text += "    (void)i;\n    (void)r;\n}\n\n";
        text
    }

    /// What `--check asserts` compares with.
    fn wanted_text(&self, text: &mut String) {
        let rows = self.ledger.table().rows();
        let count = self.outputs(0).len().max(1);
        let _ = writeln!(text, "static const long long wanted[{rows}][{count}] = {{");
        for row in 0..rows {
            let values: Vec<String> = self.outputs(row).into_iter().map(literal).collect();
            let _ = writeln!(text, "    {{ {} }},", values.join(", "));
        }
        text.push_str(
            "};\nstatic int wrong;\n\n\
             __attribute__((noinline)) static void expect(int r, int number, const char *name, int i, long long value)\n\
             {\n    if (value != wanted[r][number]) {\n        wrong = 1;\n        \
             printf(\"row %d: %s %d is %lld, not %lld\\n\", r, name, i, value, wanted[r][number]);\n    }\n}\n\n",
        );
    }

    fn main_text(&self, text: &mut String) {
        let rows = self.ledger.table().rows();
        let asserts = self.request.check == OutputCheck::Asserts;
        let _ = writeln!(
            text,
            "int main(void)\n{{\n    int r;\n    for (r = 0; r < {rows}; r++) {{\n        load(r);"
        );
        if !asserts {
            let _ = writeln!(text, "        h = {HASH_START}ULL;");
        }
        for call in &self.calls {
            let _ = writeln!(text, "        {call};");
        }
        text.push_str("        check(r);\n");
        if asserts {
            text.push_str("    }\n    if (!wrong)\n        printf(\"as predicted\\n\");\n    return wrong;\n}\n");
        } else {
            text.push_str("        printf(\"%d %016llx\\n\", r, h);\n    }\n    return 0;\n}\n");
        }
    }
}

/// A number as C writes it, of any size.
fn literal(value: i64) -> String {
    match value {
        i64::MIN => "-9223372036854775807LL - 1".into(),
        _ => format!("{value}LL"),
    }
}

/// The element of an array of numbers that `i` counts to over all dimensions, and how many
/// there are.
fn flat(mut ty: Type, name: &str) -> (String, u64) {
    let mut lens = Vec::new();
    while let Type::Array { of, len } = ty {
        lens.push(len);
        ty = (*of).clone();
    }
    let mut element = name.to_owned();
    let mut inner: u64 = lens.iter().product();
    let count = inner;
    for (at, len) in lens.iter().enumerate() {
        inner /= len;
        let _ = match (at, inner) {
            (0, 1) => write!(element, "[i]"),
            (0, _) => write!(element, "[i / {inner}]"),
            (_, 1) => write!(element, "[i % {len}]"),
            _ => write!(element, "[i / {inner} % {len}]"),
        };
    }
    (element, count)
}
