//! The text around the functions: types, globals, `load`, `check` and `main`.
//!
//! The optimiser must not know the inputs: `load` reads them from a volatile table. All
//! globals are outputs: after each row they are hashed, one after the other, by steps of which
//! none loses anything, so that any single change changes the hash.

use super::data::{Fill, OutputCell, cells_in};
use super::facts::ASSUME_MACRO;
use super::request::{GENERATOR_VERSION, OutputCheck, ProgramLanguage};
use super::tree::{ProgramForm, ProgramTree, TreeGlobal};
use crate::code::ctype::{Type, Types};
use crate::code::print::{BUILTINS, GNU_WORDS, Style, declare};
use crate::code::scalar::ScalarKind;
use crate::code::value::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What the hash starts with, and what it is multiplied by.
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_FACTOR: u64 = 0x0000_0100_0000_01b3;

/// The beginning of a program of C++.
const CPLUSPLUS: &str = "\
extern \"C\" int printf(const char *, ...);
#define _Bool bool

";

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

impl ProgramTree {
    /// The whole program, with what its globals hold at the end of each row.
    pub(super) fn text(&self, outputs: &[Vec<i64>]) -> FinishedText {
        let output = self.output(outputs);
        let mut text = self.header(&output);
        text += self.prologue();
        let mut functions = String::new();
        for definition in &self.functions {
            functions += &definition.to_c(Style::default());
            functions.push('\n');
        }
        if self.form != ProgramForm::Plain || functions.contains("__") {
            text += GNU_WORDS;
            text += "\n";
        }
        if functions.contains("__builtin_") {
            text += BUILTINS;
            text += "\n";
        }
        if functions.contains("assume(") {
            text += ASSUME_MACRO;
            text += "\n";
        }
        let globals = self.globals_text();
        text += &self.types_in(format!("{globals}{functions}")).to_c();
        text += &globals;
        text.push('\n');
        text += &functions;
        match self.form {
            ProgramForm::Plain => self.plain_main(&mut text),
            ProgramForm::Initialised(check) | ProgramForm::Checked(check) => {
                self.load_text(&mut text);
                text += &self.check_text(check, outputs);
                self.main_text(check, &mut text);
            }
        }
        FinishedText { text, output }
    }

    /// Whether inputs come from a table that the optimiser does not see.
    fn is_loaded(&self) -> bool {
        matches!(self.form, ProgramForm::Checked(_))
    }

    fn globals_text(&self) -> String {
        let mut text = String::new();
        for global in &self.globals {
            text.push_str(if global.is_static { "static " } else { "" });
            text.push_str(if global.is_volatile { "volatile " } else { "" });
            text.push_str(&declare(&global.var.name, &global.var.ty));
            let _ = match self.form {
                ProgramForm::Plain | ProgramForm::Initialised(_) => {
                    writeln!(text, " = {};", self.initialiser(global))
                }
                ProgramForm::Checked(_) => writeln!(text, ";"),
            };
        }
        for extra in &self.extras {
            let _ = writeln!(text, "{};", declare(&extra.var.name, &extra.var.ty));
        }
        for pointer in &self.pointers {
            text.push_str(if pointer.is_static { "static " } else { "" });
            let named = declare(&pointer.var.name, &pointer.var.ty);
            let _ = writeln!(text, "{named} = {};", pointer.start);
        }
        text
    }

    /// The types without the structs and vectors that a text does not name, also inside others.
    fn types_in(&self, mut text: String) -> Types {
        let mut named: BTreeSet<&str> = BTreeSet::new();
        loop {
            let records = self.types.records();
            let records = records.filter(|(name, _)| !named.contains(name));
            let more: Vec<_> = records.filter(|(name, _)| text.contains(name)).collect();
            if more.is_empty() {
                break;
            }
            for (name, record) in more {
                named.insert(name);
                let fields = record.fields.iter();
                fields.for_each(|field| text += &declare(&field.name, &field.ty));
            }
        }
        let mut types = self.types.clone();
        types.retain_records(|name| named.contains(name));
        types.retain_vectors(|ty| text.contains(&declare("", ty)));
        types
    }

    /// What makes the rest the same in C and C++.
    fn prologue(&self) -> &'static str {
        match self.language {
            ProgramLanguage::C => "extern int printf(const char *, ...);\n\n",
            ProgramLanguage::CPlusPlus => CPLUSPLUS,
        }
    }

    /// What it prints.
    fn output(&self, outputs: &[Vec<i64>]) -> String {
        let mut output = String::new();
        match self.form {
            ProgramForm::Checked(OutputCheck::Asserts)
            | ProgramForm::Initialised(OutputCheck::Asserts) => output += "as predicted\n",
            ProgramForm::Checked(OutputCheck::Hash)
            | ProgramForm::Initialised(OutputCheck::Hash) => {
                for (row, values) in outputs.iter().enumerate() {
                    let values = values.iter();
                    let hash = values.fold(HASH_START, |hash, value| hashed(hash, *value as u64));
                    let _ = writeln!(output, "{row} {hash:016x}");
                }
            }
            ProgramForm::Plain => {
                for value in outputs.iter().flatten() {
                    let _ = writeln!(output, "{value}");
                }
            }
        }
        output
    }

    fn header(&self, output: &str) -> String {
        if self.form == ProgramForm::Plain {
            return String::new();
        }
        let mut text = format!(
            "/* {}\n   generator {GENERATOR_VERSION}; it prints:\n",
            self.title
        );
        for line in output.lines() {
            let _ = writeln!(text, "   {line}");
        }
        text + "*/\n"
    }

    fn cells(&self, global: &TreeGlobal) -> Vec<OutputCell> {
        cells_in(&self.types, &global.var)
    }

    /// The list of globals, the table of inputs, and the function that reads it.
    fn load_text(&self, text: &mut String) {
        let mut inputs = Inputs {
            rows: vec![Vec::new(); self.rows as usize],
        };
        *text += &self.listing(&mut inputs);
        if !self.is_loaded() {
            return;
        }
        let load = self.load(&mut inputs);
        let (rows, columns) = (inputs.rows.len(), inputs.columns().max(1));
        let _ = writeln!(text, "static volatile long long in[{rows}][{columns}] = {{");
        for row in &inputs.rows {
            let values: Vec<String> = row.iter().map(|value| literal(*value)).collect();
            let _ = writeln!(text, "    {{ {} }},", values.join(", "));
        }
        *text += "};\n\n";
        *text += &load;
    }

    fn load(&self, inputs: &mut Inputs) -> String {
        let mut text =
            String::from("__attribute__((noinline)) static void load(int r)\n{\n    int g, i;\n");
        text += &self.load_listed();
        for global in &self.globals[self.listed().len()..] {
            match &global.fill {
                Fill::Cells(cells) => {
                    for (cell, values) in self.cells(global).iter().zip(cells) {
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
                    let (element, count) = flat(global.var.ty.clone(), &global.var.name);
                    let _ = writeln!(
                        text,
                        "    for (i = 0; i < {count}; i++)\n        {element} = in[r][{first} + i % {period}];"
                    );
                }
            }
        }
        self.load_extras(inputs, &mut text);
        for pointer in &self.pointers {
            let _ = writeln!(text, "    {} = {};", pointer.var.name, pointer.start);
        }
        text += "    (void)g;\n    (void)i;\n}\n\n";
        text
    }

    fn check_text(&self, check: OutputCheck, outputs: &[Vec<i64>]) -> String {
        let asserts = check == OutputCheck::Asserts;
        let mut text = String::new();
        if asserts {
            wanted_text(outputs, &mut text);
        } else {
            let _ = write!(
                text,
                "static unsigned long long h;\n\n\
                 __attribute__((noinline)) static void hash(unsigned long long value)\n{{\n    \
                 h = (h ^ value) * {HASH_FACTOR}ULL;\n    h ^= h >> 29;\n}}\n\n"
            );
        }
        text += "__attribute__((noinline)) static void check(int r)\n{\n    int g, i;\n";
        text += &self.check_listed();
        let mut number = 0;
        for global in &self.globals[self.listed().len()..] {
            match &global.fill {
                Fill::Cells(_) => {
                    for cell in self.cells(global) {
                        let _ = if asserts {
                            writeln!(text, "    expect(r, {number}, \"{0}\", 0, {0});", cell.expr)
                        } else {
                            writeln!(text, "    hash({});", cell.expr)
                        };
                        number += 1;
                    }
                }
                Fill::Repeated(_) => {
                    let (element, count) = flat(global.var.ty.clone(), &global.var.name);
                    let _ = writeln!(text, "    for (i = 0; i < {count}; i++)");
                    let _ = if asserts {
                        writeln!(
                            text,
                            "        expect(r, {number} + i, \"{}[]\", i, {element});",
                            global.var.name
                        )
                    } else {
                        writeln!(text, "        hash({element});")
                    };
                    number += count;
                }
            }
        }
        self.check_extras(&mut text, asserts, number);
        text += "    (void)g;\n    (void)i;\n    (void)r;\n}\n\n";
        text
    }

    fn main_text(&self, check: OutputCheck, text: &mut String) {
        let rows = self.rows;
        let by_table = self.calls_by_table();
        let counters = if let Some((table, _)) = &by_table {
            text.push_str(table);
            "r, t"
        } else {
            "r"
        };
        let _ = writeln!(
            text,
            "int main(void)\n{{\n    int {counters};\n    for (r = 0; r < {rows}; r++) {{"
        );
        if self.is_loaded() {
            text.push_str("        load(r);\n");
        }
        if check == OutputCheck::Hash {
            let _ = writeln!(text, "        h = {HASH_START}ULL;");
        }
        if let Some((_, calls)) = by_table {
            text.push_str(calls);
        } else {
            for test in &self.tests {
                let _ = writeln!(text, "        {}();", test.name);
            }
        }
        text.push_str("        check(r);\n");
        if check == OutputCheck::Asserts {
            text.push_str("    }\n    if (!wrong)\n        printf(\"as predicted\\n\");\n    return wrong;\n}\n");
        } else {
            text.push_str("        printf(\"%d %016llx\\n\", r, h);\n    }\n    return 0;\n}\n");
        }
    }

    /// What a global starts with in the only row.
    fn initialiser(&self, global: &TreeGlobal) -> String {
        let cells = self.types.cells(&global.var.ty).unwrap_or(0);
        let value = |cell| {
            let carrier = global.fill.column(cell).first().copied().unwrap_or(0);
            match self.types.scalar_at(&global.var.ty, cell) {
                // A list in C++ takes what fits only.
                Some(ScalarKind::Int(kind)) if !kind.signed(self.types.target) => {
                    format!("{}ULL", Value::from_carrier(kind, carrier).math())
                }
                _ => literal(carrier),
            }
        };
        let values: Vec<String> = (0..cells).map(value).collect();
        match global.var.ty {
            Type::Int(_) => values.join(""),
            // Inner braces may be left out.
            _ => format!("{{ {} }}", values.join(", ")),
        }
    }

    fn plain_main(&self, text: &mut String) {
        text.push_str("int main(void)\n{\n");
        let loops = |global: &TreeGlobal| matches!(global.fill, Fill::Repeated(_));
        if self.globals.iter().any(loops) {
            text.push_str("    int i;\n");
        }
        for test in &self.tests {
            let _ = writeln!(text, "    {}();", test.name);
        }
        for global in &self.globals {
            if loops(global) {
                let (element, count) = flat(global.var.ty.clone(), &global.var.name);
                let _ = writeln!(
                    text,
                    "    for (i = 0; i < {count}; i++)\n        printf(\"%lld\\n\", (long long){element});"
                );
            } else {
                for cell in self.cells(global) {
                    let _ = writeln!(text, "    printf(\"%lld\\n\", (long long){});", cell.expr);
                }
            }
        }
        text.push_str("    return 0;\n}\n");
    }
}

/// What `--check asserts` compares with.
fn wanted_text(outputs: &[Vec<i64>], text: &mut String) {
    let rows = outputs.len();
    let count = outputs.first().map_or(0, Vec::len).max(1);
    let _ = writeln!(text, "static const long long wanted[{rows}][{count}] = {{");
    for row in outputs {
        let values: Vec<String> = row.iter().copied().map(literal).collect();
        let _ = writeln!(text, "    {{ {} }},", values.join(", "));
    }
    text.push_str(
        "};\nstatic int wrong;\n\n\
         __attribute__((noinline)) static void expect(int r, int number, const char *name, int i, long long value)\n\
         {\n    if (value != wanted[r][number]) {\n        wrong = 1;\n        \
         printf(\"row %d: %s %d is %lld, not %lld\\n\", r, name, i, value, wanted[r][number]);\n    }\n}\n\n",
    );
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
