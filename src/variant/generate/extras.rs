//! Globals that are not made of usual integers alone: floating-point numbers, integers of up
//! to 128 bits, vectors and unions.
//!
//! They are kept apart from the others, since most code can do nothing with them: only the
//! statements that know them name them. They are loaded and checked like all globals.

use super::Author;
use super::data::Fill;
use super::driver::Inputs;
use super::names::{KnownVariable, VariableHome};
use super::tree::ProgramTree;
use crate::code::ctype::{Type, Types};
use crate::code::expr::{Expr, Var};
use crate::code::real::Real;
use crate::code::stmt::{Declaration, Specifiers, Stmt};
use crate::code::table::{ObjectId, Table};
use crate::code::wide::{WideKind, halves};
use std::fmt::Write;

/// Such a global.
#[derive(Clone, Debug)]
pub(super) struct ExtraGlobal {
    pub(super) named: KnownVariable,
    pub(super) fill: Fill,
    /// Of floating-point numbers: what they are multiples of, as a power of two.
    pub(super) grain: i32,
}

/// A scalar of such a global.
struct ExtraCell {
    expr: Expr,
    ty: Type,
    /// Where it starts in the object.
    number: u32,
}

/// A cell's number in a table of integers: of a number of two halves there are two, unless
/// one holds it.
struct ShownCell {
    /// How C gets it from the object.
    text: String,
    ty: Type,
    number: u32,
}

/// The number in a table of integers that stands for what a cell holds.
fn scaled(ty: &Type, carrier: i64, grain: i32) -> i64 {
    match ty {
        Type::Float(kind) => match kind.precision() {
            Some(precision) => (precision.number(carrier) * f64::from(grain).exp2()) as i64,
            None => 0,
        },
        _ => carrier,
    }
}

/// How C gets what a cell holds from such a number.
fn loaded(ty: &Type, number: &str, grain: i32) -> String {
    match ty {
        Type::Float(_) => format!("{number} * {}", power(ty, -grain)),
        Type::Wide(_) => format!("(unsigned long long){number}"),
        _ => number.to_owned(),
    }
}

/// How C gets such a number from a cell.
fn shown(ty: &Type, cell: &str, grain: i32) -> String {
    match ty {
        Type::Float(_) => format!("(long long)({cell} * {})", power(ty, grain)),
        _ => cell.to_owned(),
    }
}

/// An unsigned type of 128 bits beside a kind.
fn holder_of(kind: WideKind) -> WideKind {
    if kind.is_bit_precise() {
        WideKind::UBitInt(128)
    } else {
        WideKind::UInt128
    }
}

impl ExtraCell {
    /// The numbers in tables of integers that stand for what it holds.
    fn shown(&self, grain: i32) -> Vec<ShownCell> {
        let expr = &self.expr;
        let texts = match &self.ty {
            Type::Wide(kind) if kind.bits() > 64 => vec![
                format!("(long long){expr}"),
                format!("(long long)({expr} >> 64)"),
            ],
            Type::Wide(_) => vec![format!("(long long){expr}")],
            ty => vec![shown(ty, &expr.to_string(), grain)],
        };
        let cells = (self.number..).zip(texts);
        let cells = cells.map(|(number, text)| ShownCell {
            text,
            ty: self.ty.clone(),
            number,
        });
        cells.collect()
    }

    /// What it is loaded with, from so many columns of a table.
    fn loaded(&self, column: usize, grain: i32) -> String {
        let input = |ahead: usize| format!("in[r][{}]", column + ahead);
        match &self.ty {
            Type::Wide(kind) if kind.bits() > 64 => {
                let (name, around) = (kind.c_name(), holder_of(*kind).c_name());
                let low = loaded(&self.ty, &input(0), grain);
                let high = loaded(&self.ty, &input(1), grain);
                format!("({name})(({around}){high} << 64 | {low})")
            }
            ty => loaded(ty, &input(0), grain),
        }
    }
}

fn power(ty: &Type, exponent: i32) -> Expr {
    let number = f64::from(exponent).exp2();
    let Type::Float(kind) = ty else {
        return Real::double(number).into();
    };
    let carrier = kind.precision().map_or(0, |known| known.carrier(number));
    Real::from_carrier(*kind, carrier).into()
}

impl Author<'_> {
    /// Adds such a global; `value` gives what a scalar holds at the start of a row, of which
    /// an array has a few that are repeated.
    pub(super) fn extra_global(
        &mut self,
        prefix: &str,
        ty: &Type,
        grain: i32,
        mut value: impl FnMut(&mut Self, &Type) -> i64,
    ) -> Option<KnownVariable> {
        let name = self.fresh(prefix);
        let object = self.ledger.add_object(&name, ty.clone())?;
        let named = KnownVariable {
            name: name.as_str().into(),
            ty: ty.clone(),
            storage: VariableHome::Object(object),
            writable: true,
            global: true,
        };
        let rows = self.ledger.table().rows();
        let cells = self.types().cells(ty)?;
        let repeats = matches!(ty, Type::Array { of, .. } if !of.is_pair());
        let fill = if let (Type::Array { of, .. }, true) = (ty, repeats) {
            const PERIOD: usize = 8;
            let mut all = Vec::new();
            for row in 0..rows {
                let values: Vec<i64> = (0..PERIOD).map(|_| value(self, of)).collect();
                for cell in 0..cells {
                    let value = values[cell as usize % PERIOD];
                    self.ledger.session.set_cell(object, cell, row, value);
                }
                all.push(values);
            }
            Fill::Repeated(all)
        } else {
            let mut all = Vec::new();
            let var = Var {
                name: named.name.clone(),
                ty: ty.clone(),
            };
            for scalar in extra_cells(self.types(), &var) {
                let mut columns = vec![Vec::new(); if scalar.ty.is_pair() { 2 } else { 1 }];
                for _ in 0..rows {
                    let halves = match scalar.ty {
                        Type::Wide(kind) => halves(self.wide_initial(kind)),
                        _ => [value(self, &scalar.ty), 0],
                    };
                    for (column, half) in columns.iter_mut().zip(halves) {
                        column.push(half);
                    }
                }
                for (cell, values) in (scalar.number..).zip(&columns) {
                    for (row, value) in (0..).zip(values) {
                        self.ledger.session.set_cell(object, cell, row, *value);
                    }
                }
                all.extend(columns);
            }
            Fill::Cells(all)
        };
        let extra = ExtraGlobal {
            named: named.clone(),
            fill,
            grain,
        };
        self.extras.push(extra);
        Some(named)
    }

    /// A variable that only one statement names.
    pub(super) fn scratch(&mut self, prefix: &str, ty: &Type) -> Option<Expr> {
        let name = self.fresh(prefix);
        self.ledger.add_object(&name, ty.clone())?;
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        self.push_declaration(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init: None,
        }));
        Some(var.into())
    }
}

/// The scalars, in the order of their cells: a union is its bytes.
fn extra_cells(types: &Types, var: &Var) -> Vec<ExtraCell> {
    let mut cells = Vec::new();
    let mut number = 0;
    add_extra_cells(
        types,
        Expr::Var(var.clone()),
        &var.ty,
        &mut number,
        &mut cells,
    );
    cells
}

fn add_extra_cells(
    types: &Types,
    expr: Expr,
    ty: &Type,
    next: &mut u32,
    cells: &mut Vec<ExtraCell>,
) {
    let (of, len) = match ty {
        Type::Array { of, len } => (of, *len as i32),
        Type::Vector { of, len } => (of, *len as i32),
        Type::Record(name) => {
            let Some(record) = types.get(name) else {
                return;
            };
            let members = if record.is_union { 1 } else { usize::MAX };
            for field in record.fields.iter().take(members) {
                add_extra_cells(
                    types,
                    expr.clone().field(&field.name),
                    &field.ty,
                    next,
                    cells,
                );
            }
            return;
        }
        _ => {
            let (ty, number) = (ty.clone(), *next);
            *next += types.cells(&ty).unwrap_or(1);
            return cells.push(ExtraCell { expr, ty, number });
        }
    };
    for index in 0..len {
        add_extra_cells(types, expr.clone().index(Expr::int(index)), of, next, cells);
    }
}

impl ProgramTree {
    pub(super) fn load_extras(&self, inputs: &mut Inputs, text: &mut String) {
        for extra in &self.extras {
            let grain = extra.grain;
            match (&extra.fill, &extra.var.ty) {
                (Fill::Repeated(rows), Type::Array { of, len }) => {
                    let period = rows.first().map_or(1, Vec::len);
                    let mut first = usize::MAX;
                    for at in 0..period {
                        let column = inputs.add(rows.iter().map(|row| scaled(of, row[at], grain)));
                        first = first.min(column);
                    }
                    let number = format!("in[r][{first} + i % {period}]");
                    let _ = writeln!(
                        text,
                        "    for (i = 0; i < {len}; i++)\n        {}[i] = {};",
                        extra.var.name,
                        loaded(of, &number, grain)
                    );
                }
                (Fill::Cells(cells), _) => {
                    for cell in extra_cells(&self.types, &extra.var) {
                        let mut first = usize::MAX;
                        for shown in cell.shown(grain) {
                            let values = cells[shown.number as usize].iter();
                            let values = values.map(|value| scaled(&cell.ty, *value, grain));
                            first = first.min(inputs.add(values));
                        }
                        let value = cell.loaded(first, grain);
                        let _ = writeln!(text, "    {} = {value};", cell.expr);
                    }
                }
                (Fill::Repeated(_), _) => {}
            }
        }
    }

    /// What is checked of these globals in a row of a table.
    pub(super) fn extra_outputs(&self, table: &Table, objects: &[ObjectId], row: u32) -> Vec<i64> {
        let mut values = Vec::new();
        for (extra, object) in self.extras.iter().zip(objects) {
            let object = table.object(*object);
            for cell in extra_cells(&self.types, &extra.var) {
                for shown in cell.shown(extra.grain) {
                    let carrier = object.get(shown.number, row).unwrap_or(0);
                    values.push(scaled(&shown.ty, carrier, extra.grain));
                }
            }
        }
        values
    }

    /// The checks themselves, of which the first has a number.
    pub(super) fn check_extras(&self, text: &mut String, asserts: bool, mut number: u64) {
        let check = |text: &mut String, indent: &str, at: &str, value: &str| {
            let _ = if asserts {
                writeln!(text, "{indent}expect(r, {at}, \"{value}\", i, {value});")
            } else {
                writeln!(text, "{indent}hash({value});")
            };
        };
        for extra in &self.extras {
            match (&extra.fill, &extra.var.ty) {
                (Fill::Repeated(_), Type::Array { of, len }) => {
                    let element = format!("{}[i]", extra.var.name);
                    let value = shown(of, &element, extra.grain);
                    let _ = writeln!(text, "    for (i = 0; i < {len}; i++)");
                    check(text, "        ", &format!("{number} + i"), &value);
                    number += len;
                }
                _ => {
                    let _ = writeln!(text, "    i = 0;");
                    for cell in extra_cells(&self.types, &extra.var) {
                        for shown in cell.shown(extra.grain) {
                            check(text, "    ", &number.to_string(), &shown.text);
                            number += 1;
                        }
                    }
                }
            }
        }
    }
}
