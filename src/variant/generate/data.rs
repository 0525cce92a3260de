//! The types and global objects of a program, and what they hold at the start of each row.
//!
//! Globals are made when they are needed, also in the middle of a function: a loop bound that
//! differs from row to row, or an array of a length that a loop wants. `load` gives them their
//! values before the first statement of a row runs.

use super::Author;
use super::feature::Feature;
use super::names::{KnownVariable, VariableHome};
use super::weights::ELEMENTS;
use crate::code::ctype::{Field, Type, Types};
use crate::code::expr::{Expr, Var};
use crate::code::types::IntKind;
use crate::code::value::{Value, wrap};
use rand::Rng;
use rand::seq::IndexedRandom;

/// What an object holds at the start of each row.
#[derive(Clone, Debug)]
pub(super) enum Fill {
    /// A value for each cell and row.
    Cells(Vec<Vec<i64>>),
    /// An array's values, by row, repeated over its elements.
    Repeated(Vec<Vec<i64>>),
}

impl Fill {
    /// What a cell starts with, by row.
    pub(super) fn column(&self, cell: u32) -> Vec<i64> {
        let cell = cell as usize;
        match self {
            Fill::Cells(cells) => cells[cell].clone(),
            Fill::Repeated(rows) => rows.iter().map(|row| row[cell % row.len()]).collect(),
        }
    }

    /// What all cells start with in one row.
    pub(super) fn set_row(&mut self, row: u32, values: Vec<i64>) {
        match self {
            Fill::Cells(cells) => {
                for (cell, value) in cells.iter_mut().zip(values) {
                    cell[row as usize] = value;
                }
            }
            Fill::Repeated(rows) => rows[row as usize] = values,
        }
    }

    /// Lets a row start with what another one starts with.
    pub(super) fn copy_row(&mut self, from: u32, to: u32) {
        let (from, to) = (from as usize, to as usize);
        match self {
            Fill::Cells(cells) => cells.iter_mut().for_each(|cell| cell[to] = cell[from]),
            Fill::Repeated(rows) => rows[to] = rows[from].clone(),
        }
    }

    /// Bytes of text that the numbers take, about: of one row all stand in an initialiser, of
    /// several those that are not repeated in a table.
    pub(super) fn bytes(&self, cells: usize, rows: usize) -> usize {
        const AROUND: usize = "LL, ".len();
        let text = |value: &i64| value.to_string().len() + AROUND;
        match self {
            Fill::Cells(cells) => {
                let numbers = cells.iter().flat_map(|cell| cell.iter().take(rows));
                numbers.map(text).sum()
            }
            Fill::Repeated(all) if rows == 1 => {
                let numbers = all.iter().take(1).flatten().cycle();
                numbers.take(cells).map(text).sum()
            }
            Fill::Repeated(all) => all.iter().take(rows).flatten().map(text).sum(),
        }
    }

    /// Forgets all rows but one.
    pub(super) fn keep_row(&mut self, row: u32) {
        let row = row as usize;
        match self {
            Fill::Cells(cells) => {
                for cell in cells {
                    *cell = vec![cell[row]];
                }
            }
            Fill::Repeated(rows) => *rows = vec![rows[row].clone()],
        }
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub(super) struct Global {
    pub(super) named: KnownVariable,
    pub(super) fill: Fill,
}

/// A scalar in an object: how C names it, its type and width, and its cell.
#[derive(Clone, Debug)]
pub(super) struct OutputCell {
    pub(super) expr: Expr,
    pub(super) kind: IntKind,
    pub(super) bits: Option<u32>,
    pub(super) number: u32,
}

impl Author<'_> {
    /// A name that no other thing in the program has.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The types and the first globals.
    pub(super) fn make_data(&mut self) {
        let features = self.policy.features;
        if features.has(Feature::Structs) {
            for _ in 0..self.dice.random_range(1..=3) {
                self.make_struct();
            }
        }
        for _ in 0..self.dice.random_range(5..=14) {
            self.scalar_global();
        }
        let lengths = [
            self.dice.random_range(4..=12),
            self.dice.random_range(12..=33),
            self.dice.random_range(20..=64),
        ];
        self.lengths = lengths.to_vec();
        if features.has(Feature::Arrays) {
            for _ in 0..self.dice.random_range(3..=8) {
                let len = self.some_length();
                self.array_global(len);
            }
            if features.has(Feature::Matrices) {
                for _ in 0..self.dice.random_range(0..=2) {
                    self.matrix_global();
                }
            }
        }
        let structs = self.structs.clone();
        for ty in structs {
            for _ in 0..self.dice.random_range(1..=2) {
                let ty = if self.percent(25) {
                    ty.clone().array(self.dice.random_range(2..=4))
                } else {
                    ty.clone()
                };
                self.struct_global(ty);
            }
        }
        self.make_float_data();
        self.make_vector_data();
        self.make_byte_data();
        self.make_wide_data();
    }

    pub(super) fn some_length(&mut self) -> u64 {
        *self.lengths.choose(&mut self.dice).unwrap_or(&8)
    }

    fn make_struct(&mut self) {
        let name = self.fresh("struct s");
        let mut fields = Vec::new();
        for number in 0..self.dice.random_range(2..=6) {
            let name = format!("m{number}");
            let bits = self.policy.features.has(Feature::BitFields) && self.percent(30);
            if bits {
                const KINDS: [IntKind; 2] = [IntKind::Int, IntKind::UInt];
                let kind = KINDS[self.dice.random_range(0..2)];
                let width = self.dice.random_range(1..=31);
                fields.push(Field::bits(&name, kind, width));
            } else if self.percent(15) {
                let (kind, len) = (self.kind(), self.dice.random_range(2..=5));
                fields.push(Field::new(&name, Type::Int(kind).array(len)));
            } else {
                let inner = self.structs.choose(&mut self.dice).cloned();
                match inner {
                    Some(inner) if self.percent(15) => fields.push(Field::new(&name, inner)),
                    _ => fields.push(Field::new(&name, self.kind())),
                }
            }
        }
        let ty = self.ledger.session.define_struct(&name, fields);
        self.structs.push(ty);
    }

    /// A scalar with a value for each row.
    pub(super) fn scalar_global(&mut self) {
        let kind = self.kind();
        let values = self.row_values(kind);
        self.global_of(kind, values);
    }

    /// A scalar with the given values.
    pub(super) fn global_of(&mut self, kind: IntKind, values: Vec<i64>) -> Option<KnownVariable> {
        let name = self.fresh("g");
        let object = self.ledger.add_object(&name, Type::Int(kind))?;
        for (row, value) in values.iter().enumerate() {
            self.ledger.session.set_cell(object, 0, row as u32, *value);
        }
        let named = KnownVariable {
            name: name.as_str().into(),
            ty: kind.into(),
            storage: VariableHome::Object(object),
            writable: true,
            global: true,
        };
        self.globals.push(Global {
            named: named.clone(),
            fill: Fill::Cells(vec![values]),
        });
        Some(named)
    }

    fn row_values(&mut self, kind: IntKind) -> Vec<i64> {
        let rows = self.ledger.table().rows();
        if self.percent(15) {
            return vec![self.initial(kind); rows as usize];
        }
        (0..rows).map(|_| self.initial(kind)).collect()
    }

    /// A number to start with: small and large ones are alike frequent.
    pub(super) fn initial(&mut self, kind: IntKind) -> i64 {
        let target = self.target();
        let bits = kind.bits(target);
        let math = match self.dice.random_range(0..10) {
            0 | 1 => i128::from(self.dice.random_range(-10..=10)),
            2 => kind.max(target) - self.dice.random_range(0..2),
            3 => kind.min(target) + self.dice.random_range(0..2),
            _ => {
                let length = self.dice.random_range(0..bits);
                let number = i128::from(self.dice.random::<u64>() & ((1 << length) - 1));
                if self.dice.random() { -number } else { number }
            }
        };
        Value::new(kind, math, target).carrier()
    }

    /// An array of numbers.
    pub(super) fn array_global(&mut self, len: u64) -> Option<KnownVariable> {
        let kind = self.element_kind();
        self.numbers_global(kind, Type::Int(kind).array(len), len)
    }

    pub(super) fn element_kind(&mut self) -> IntKind {
        let features = self.policy.features;
        let kind = self
            .policy
            .draw_where(&ELEMENTS, &mut self.dice, |kind| match kind.rank() {
                0..=2 => features.has(Feature::Narrow),
                4.. => features.has(Feature::Wide),
                _ => true,
            });
        kind.unwrap_or(IntKind::UInt)
    }

    /// A new array of numbers with the given dimensions.
    pub(super) fn array_of(&mut self, lens: &[u64]) -> Option<KnownVariable> {
        let kind = self.element_kind();
        let ty = lens
            .iter()
            .rev()
            .fold(Type::Int(kind), |ty, len| ty.array(*len));
        self.numbers_global(kind, ty, lens.iter().product())
    }

    fn matrix_global(&mut self) -> Option<KnownVariable> {
        let kind = self.element_kind();
        let (rows, columns) = (
            self.dice.random_range(2..=8),
            self.dice.random_range(4..=16),
        );
        let mut ty = Type::Int(kind).array(columns).array(rows);
        let mut len = rows * columns;
        if self.percent(20) {
            let planes = self.dice.random_range(2..=3);
            (ty, len) = (ty.array(planes), len * planes);
        }
        self.numbers_global(kind, ty, len)
    }

    fn numbers_global(&mut self, kind: IntKind, ty: Type, cells: u64) -> Option<KnownVariable> {
        let name = self.fresh("a");
        let object = self.ledger.add_object(&name, ty.clone())?;
        let period = [1, 2, 4, 8, 8, 16][self.dice.random_range(0..6)];
        let rows = self.ledger.table().rows();
        let mut values = Vec::new();
        for row in 0..rows {
            let repeated: Vec<i64> = (0..period).map(|_| self.element(kind)).collect();
            for cell in 0..cells as u32 {
                let value = repeated[cell as usize % period];
                self.ledger.session.set_cell(object, cell, row, value);
            }
            values.push(repeated);
        }
        let named = KnownVariable {
            name: name.as_str().into(),
            ty,
            storage: VariableHome::Object(object),
            writable: true,
            global: true,
        };
        self.globals.push(Global {
            named: named.clone(),
            fill: Fill::Repeated(values),
        });
        Some(named)
    }

    /// An element to start with; wide types hold narrow numbers, so that sums and products
    /// of them stay in range.
    pub(super) fn element(&mut self, kind: IntKind) -> i64 {
        let number = self.initial(kind);
        match (kind.bits(self.target()), kind.signed(self.target())) {
            (32, true) => wrap(number, 16, true),
            (64, true) => wrap(number, 32, true),
            _ => number,
        }
    }

    fn struct_global(&mut self, ty: Type) -> Option<KnownVariable> {
        let name = self.fresh("r");
        let object = self.ledger.add_object(&name, ty.clone())?;
        let named = KnownVariable {
            name: name.as_str().into(),
            ty,
            storage: VariableHome::Object(object),
            writable: true,
            global: true,
        };
        let cells = self.cells_of(&named);
        let mut fill = Vec::new();
        for cell in &cells {
            let mut values = self.row_values(cell.kind);
            if let Some(bits) = cell.bits {
                let signed = cell.kind.signed(self.target());
                values
                    .iter_mut()
                    .for_each(|value| *value = wrap(*value, bits, signed));
            }
            for (row, value) in values.iter().enumerate() {
                self.ledger
                    .session
                    .set_cell(object, cell.number, row as u32, *value);
            }
            fill.push(values);
        }
        self.globals.push(Global {
            named: named.clone(),
            fill: Fill::Cells(fill),
        });
        Some(named)
    }

    /// All scalars of a variable, in order.
    fn cells_of(&self, named: &KnownVariable) -> Vec<OutputCell> {
        let var = Var {
            name: named.name.clone(),
            ty: named.ty.clone(),
        };
        cells_in(self.types(), &var)
    }
}

/// All scalars of a variable, in order.
pub(super) fn cells_in(types: &Types, var: &Var) -> Vec<OutputCell> {
    let mut cells = Vec::new();
    add_cells(types, Expr::Var(var.clone()), &var.ty, None, &mut cells);
    cells
}

fn add_cells(types: &Types, expr: Expr, ty: &Type, bits: Option<u32>, cells: &mut Vec<OutputCell>) {
    match ty {
        Type::Int(kind) => cells.push(OutputCell {
            expr,
            kind: *kind,
            bits,
            number: cells.len() as u32,
        }),
        Type::Array { of, len } => add_elements(types, &expr, of, *len as i32, cells),
        Type::Vector { of, len } => add_elements(types, &expr, of, *len as i32, cells),
        Type::Record(name) => {
            for field in types.get(name).iter().flat_map(|record| &record.fields) {
                let member = expr.clone().field(&field.name);
                add_cells(types, member, &field.ty, field.bits, cells);
            }
        }
        _ => {}
    }
}

fn add_elements(types: &Types, expr: &Expr, of: &Type, len: i32, cells: &mut Vec<OutputCell>) {
    for index in 0..len {
        let element = expr.clone().index(Expr::int(index));
        add_cells(types, element, of, None, cells);
    }
}
