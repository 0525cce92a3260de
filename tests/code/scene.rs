//! Statements over variables of any type, run by us and by real compilers: what every
//! scalar holds afterwards must be the same, bit by bit.

use super::build::{Compiler, words};
use mestra::code::ctype::{Type, Types};
use mestra::code::eval::Evaluator;
use mestra::code::expr::Expr;
use mestra::code::print::{Style, declare};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::Stmt;
use mestra::code::table::{Column, ObjectId, State, Table};
use mestra::code::trouble::{Cause, Stop};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The variables of a test, with their values in every row.
pub(super) struct Scene {
    pub(super) types: Types,
    table: Table,
    scalars: Vec<Scalar>,
}

struct Scalar {
    lvalue: Expr,
    ty: Type,
    place: (ObjectId, u32),
    values: Vec<i64>,
    /// Of a number of two carriers: which half it is.
    half: Option<u32>,
}

/// A statement, and what we say it leaves in each row: a hash of all scalars, or
/// nothing where it is undefined.
pub(super) struct Case {
    pub(super) stmt: Stmt,
    rows: Vec<Option<u64>>,
}

const BASIS: u64 = 14_695_981_039_346_656_037;
const PRIME: u64 = 1_099_511_628_211;

impl Scene {
    pub(super) fn new(types: Types, rows: u32) -> Scene {
        Scene {
            types,
            table: Table::new(rows),
            scalars: Vec::new(),
        }
    }

    /// Adds a variable; `value` gives a carrier for each scalar and row, or the lower half
    /// and then the upper one of a number of two.
    pub(super) fn add(&mut self, name: &str, ty: &Type, value: &mut dyn FnMut(&Type) -> i64) {
        let added = self
            .table
            .add(&self.types, name, ty.clone(), State::Uninitialised);
        added.expect("a complete type");
        let mut lvalues = Vec::new();
        collect(&self.types, Expr::var(name, ty.clone()), ty, &mut lvalues);
        let evaluator = Evaluator::new(&self.types);
        for (lvalue, ty) in lvalues {
            let place = evaluator.cell(&lvalue, &self.table).unwrap();
            let is_pair = matches!(ty, Type::Wide(_));
            let mut columns = vec![Vec::new(); if is_pair { 2 } else { 1 }];
            for _ in 0..self.table.rows() {
                for column in &mut columns {
                    column.push(value(&ty));
                }
            }
            for (half, values) in (0..).zip(columns) {
                let place = (place.0, place.1 + half);
                self.table
                    .set(place.0, place.1, Column::values(values.clone()));
                self.scalars.push(Scalar {
                    lvalue: lvalue.clone(),
                    ty: ty.clone(),
                    place,
                    values,
                    half: is_pair.then_some(half),
                });
            }
        }
    }

    fn hash(&self, table: &Table, row: u32) -> u64 {
        self.scalars.iter().fold(BASIS, |hash, scalar| {
            let (object, cell) = scalar.place;
            let value = table.object(object).get(cell, row).unwrap();
            (hash ^ value as u64).wrapping_mul(PRIME)
        })
    }

    /// Runs a statement in all rows in which it is defined; counts why it is not in the
    /// others.
    pub(super) fn case(&self, stmt: Stmt, causes: &mut BTreeMap<Cause, usize>) -> Case {
        let evaluator = Evaluator::new(&self.types);
        let mut good: Vec<u32> = (0..self.table.rows()).collect();
        let mut rows = vec![None; good.len()];
        while !good.is_empty() {
            match evaluator.run(&stmt, &self.table.select(&good)) {
                Ok(outcome) => {
                    for (position, row) in good.iter().enumerate() {
                        rows[*row as usize] = Some(self.hash(&outcome.table, position as u32));
                    }
                    break;
                }
                Err(Stop::Trouble(trouble)) => {
                    *causes.entry(trouble.cause).or_default() += 1;
                    good.remove(trouble.row as usize);
                }
                Err(Stop::Mistake(mistake)) => panic!("{mistake}: {stmt}"),
            }
        }
        Case { stmt, rows }
    }

    /// A program that runs every case in the rows in which it is defined, or in all others,
    /// and shows a word after each.
    fn to_c(&self, prelude: &str, cases: &[Case], defined: bool, shown: &str) -> String {
        let mut text = format!(
            "extern int putchar(int);\n#ifdef __TINYC__\nvoid *memcpy(void *, const void *, \
             unsigned long);\n#define __builtin_memcpy memcpy\n#endif\n\
             typedef unsigned long long word;\n{prelude}"
        );
        text.push_str(&self.types.to_c());
        for (_, object) in self.table.objects() {
            writeln!(text, "{};", declare(&object.name, &object.ty)).unwrap();
        }
        let (rows, width) = (self.table.rows() as usize, self.scalars.len());
        writeln!(text, "static const word rows[{rows}][{width}] = {{").unwrap();
        for row in 0..rows {
            text.push('{');
            for scalar in &self.scalars {
                write!(text, "{:#x}ULL,", scalar.values[row]).unwrap();
            }
            text.push_str("},\n");
        }
        text.push_str(
            "};\nstatic float f_of(word w) { unsigned u = w; float f; \
             __builtin_memcpy(&f, &u, 4); return f; }\n\
             static double d_of(word w) { double d; __builtin_memcpy(&d, &w, 8); return d; }\n\
             static word of_f(float f) { unsigned u; __builtin_memcpy(&u, &f, 4); return u; }\n\
             static word of_d(double d) { word w; __builtin_memcpy(&w, &d, 8); return w; }\n\
             static void load(int r) {\n    const word *v = rows[r];\n",
        );
        for (index, scalar) in self.scalars.iter().enumerate() {
            if scalar.half == Some(1) {
                continue;
            }
            let value = match scalar.ty {
                Type::Wide(kind) => format!(
                    "({})((unsigned __int128)v[{}] << 64 | v[{index}])",
                    kind.c_name(),
                    index + 1
                ),
                Type::Float(FloatKind::Float) => format!("f_of(v[{index}])"),
                Type::Float(_) => format!("d_of(v[{index}])"),
                _ => format!("v[{index}]"),
            };
            writeln!(text, "    {} = {value};", scalar.lvalue).unwrap();
        }
        writeln!(
            text,
            "}}\nstatic word hash(void) {{\n    word h = {BASIS}ULL;"
        )
        .unwrap();
        for scalar in &self.scalars {
            let function = match scalar.ty {
                Type::Float(FloatKind::Float) => "of_f",
                Type::Float(_) => "of_d",
                _ => "(word)",
            };
            let lvalue = match scalar.half {
                // In 128 bits, extended as its sign says.
                Some(1) => format!("(__int128){} >> 64", scalar.lvalue),
                _ => scalar.lvalue.to_string(),
            };
            writeln!(text, "    h = (h ^ {function}({lvalue})) * {PRIME}ULL;").unwrap();
        }
        text.push_str("    return h;\n}\nstatic void put(word w) { int i; ");
        text.push_str("for (i = 0; i < 8; i++) putchar((int)(w >> 8 * i & 255)); }\n");
        for (index, case) in cases.iter().enumerate() {
            let body = case.stmt.to_c(Style::default(), 1);
            writeln!(text, "static void e{index}(void) {{\n{body}}}").unwrap();
        }
        let groups = rows.div_ceil(8);
        writeln!(
            text,
            "static const struct {{ void (*run)(void); unsigned char good[{groups}]; }} cases[] = {{"
        )
        .unwrap();
        for (index, case) in cases.iter().enumerate() {
            write!(text, "{{e{index}, {{").unwrap();
            for group in case.rows.chunks(8) {
                let bits = group.iter().enumerate();
                let mask: u32 = bits
                    .map(|(bit, row)| u32::from(row.is_some() == defined) << bit)
                    .sum();
                write!(text, "{mask},").unwrap();
            }
            text.push_str("}},\n");
        }
        writeln!(
            text,
            "}};\nint main(void) {{\n    int c, r;\n    for (c = 0; c < {}; c++)\n        \
             for (r = 0; r < {rows}; r++) {{\n            \
             if (!(cases[c].good[r / 8] >> r % 8 & 1)) continue;\n            \
             load(r); cases[c].run(); put({shown}());\n        }}\n    return 0;\n}}",
            cases.len(),
        )
        .unwrap();
        text
    }

    /// Compares all cases with a compiler. Gives the number of evaluations, and the cases
    /// in which it differs, each with a row.
    pub(super) fn differences<'c>(
        &self,
        prelude: &str,
        cases: &'c [Case],
        compiler: &Compiler,
    ) -> (usize, Vec<(&'c Case, usize)>) {
        let text = self.to_c(prelude, cases, true, "hash");
        let output = words(&compiler.output(&text, &[]));
        let mut output = output.into_iter();
        let (mut evaluations, mut found) = (0, Vec::new());
        for case in cases {
            let mut wrong = None;
            for (row, expected) in case.rows.iter().enumerate() {
                let Some(expected) = expected else { continue };
                evaluations += 1;
                if output.next().unwrap() != *expected {
                    wrong.get_or_insert(row);
                }
            }
            found.extend(wrong.map(|row| (case, row)));
        }
        assert_eq!(output.next(), None, "{} wrote too much", compiler.name);
        (evaluations, found)
    }

    /// In how many of the rows in which we call cases undefined clang's sanitizer reports
    /// something of these names.
    pub(super) fn reported(&self, checks: &[&str], cases: &[Case], compiler: &Compiler) -> usize {
        let mut prelude = String::from("static word seen;\n");
        for check in checks {
            let _ = writeln!(
                prelude,
                "void __ubsan_handle_{check}_minimal(void) {{ seen = 1; }}"
            );
        }
        prelude.push_str("static word reported(void) { word s = seen; seen = 0; return s; }\n");
        let text = self.to_c(&prelude, cases, false, "reported");
        let output = words(&compiler.output(&text, &[]));
        output.into_iter().sum::<u64>() as usize
    }

    /// Fails if a compiler differs; gives the number of evaluations.
    pub(super) fn compare(&self, prelude: &str, cases: &[Case], compiler: &Compiler) -> usize {
        let (evaluations, found) = self.differences(prelude, cases, compiler);
        for (case, row) in found.iter().take(10) {
            println!(
                "{} {:?} row {row}: {}",
                compiler.name, compiler.flags, case.stmt
            );
            for scalar in &self.scalars {
                let name = scalar.lvalue.to_string();
                if case.stmt.to_string().contains(&name) {
                    println!("    {name} = {:#x}", scalar.values[*row]);
                }
            }
        }
        assert!(found.is_empty(), "{} disagreements", found.len());
        evaluations
    }
}

/// The scalars of an object.
fn collect(types: &Types, lvalue: Expr, ty: &Type, scalars: &mut Vec<(Expr, Type)>) {
    match ty {
        Type::Array { of, len } => {
            for index in 0..*len {
                let element = lvalue.clone().index(Expr::int(index as i32));
                collect(types, element, of, scalars);
            }
        }
        Type::Vector { of, len } => {
            for lane in 0..*len {
                let lane = lvalue.clone().index(Expr::int(lane as i32));
                collect(types, lane, of, scalars);
            }
        }
        // A union is its bytes, which are its first member here.
        Type::Record(record) if types.get(record).unwrap().is_union => {
            let bytes = &types.get(record).unwrap().fields[0];
            collect(types, lvalue.field(&bytes.name), &bytes.ty, scalars);
        }
        Type::Record(record) => {
            for field in &types.get(record).unwrap().fields {
                let member = lvalue.clone().field(&field.name);
                collect(types, member, &field.ty, scalars);
            }
        }
        _ => scalars.push((lvalue, ty.clone())),
    }
}
