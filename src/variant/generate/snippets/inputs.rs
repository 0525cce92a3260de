//! The globals of a snippet, what they start with, and the numbers that meet in it.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::types::IntKind;
use crate::code::value::{Value, wrap};
use crate::variant::generate::data::{Fill, cells_in};
use crate::variant::generate::feature::Feature;
use crate::variant::generate::tree::TreeGlobal;
use rand::Rng;

/// After so many elements the numbers of an array begin again.
const PERIOD: usize = 17;

impl SnippetWriter {
    /// The globals that a test works on.
    pub(super) fn some_globals(&mut self) {
        for _ in 0..self.dice.random_range(1..=4) {
            let kind = self.kind();
            self.global(Type::Int(kind));
        }
        if self.has(Feature::Arrays) && self.percent(55) {
            for _ in 0..self.dice.random_range(1..=2) {
                let ty = self.array_type();
                self.global(ty);
            }
        }
        if !self.records.is_empty() && self.percent(35) {
            for _ in 0..self.dice.random_range(1..=2) {
                let at = self.dice.random_range(0..self.records.len());
                let record = self.records[at].clone();
                let ty = if self.percent(40) {
                    record.array(self.dice.random_range(1..=4))
                } else {
                    record
                };
                self.global(ty);
            }
        }
    }

    pub(super) fn array_type(&mut self) -> Type {
        let kind = self.kind();
        let len = if self.percent(60) {
            self.length
        } else {
            self.dice.random_range(1..=16)
        };
        let row = Type::Int(kind).array(len);
        if !self.has(Feature::Matrices) || !self.percent(22) {
            return row;
        }
        let matrix = row.array(self.dice.random_range(1..=4));
        if self.percent(25) {
            matrix.array(self.dice.random_range(1..=3))
        } else {
            matrix
        }
    }

    /// A global that holds something in every row.
    pub(super) fn global(&mut self, ty: Type) -> Var {
        let var = self.var("g", ty);
        let fill = self.some_fill(&var);
        let global = self.tree_global(var.clone(), fill);
        self.snippet.inputs.push(global);
        self.objects.push(var.clone());
        var
    }

    /// A global that only takes a result.
    pub(super) fn output(&mut self, ty: Type) -> Var {
        let var = self.var("o", ty);
        let cells = cells_in(&self.types, &var).len();
        let fill = Fill::Cells(vec![vec![0; self.rows as usize]; cells]);
        let global = self.tree_global(var.clone(), fill);
        self.snippet.outputs.push(global);
        var
    }

    fn tree_global(&mut self, var: Var, fill: Fill) -> TreeGlobal {
        let is_static = self.percent(15);
        TreeGlobal {
            var,
            fill,
            is_volatile: false,
            is_static,
            is_listed: false,
        }
    }

    fn some_fill(&mut self, var: &Var) -> Fill {
        let rows: Vec<Vec<i64>> = (0..self.rows).map(|_| self.row_of(var)).collect();
        if has_numbers_only(&var.ty) {
            return Fill::Repeated(rows);
        }
        let cells = rows.first().map_or(0, Vec::len);
        let column = |cell| rows.iter().map(|row| row[cell]).collect();
        Fill::Cells((0..cells).map(column).collect())
    }

    /// A value for each scalar of a global in one row; those of a long array are repeated.
    pub(super) fn row_of(&mut self, var: &Var) -> Vec<i64> {
        let mut cells = cells_in(&self.types, var);
        if has_numbers_only(&var.ty) {
            cells.truncate(PERIOD);
        }
        let target = self.target();
        let mut values = Vec::with_capacity(cells.len());
        for cell in cells {
            let number = self.input_number(cell.kind);
            let carrier = Value::new(cell.kind, number, target).carrier();
            values.push(match cell.bits {
                Some(bits) => wrap(carrier, bits, cell.kind.signed(target)),
                None => carrier,
            });
        }
        values
    }

    /// A number for an input: one that the snippet's constants are near to, or one at which
    /// much changes.
    fn input_number(&mut self, kind: IntKind) -> i128 {
        if self.style == SnippetStyle::Once && self.percent(85) {
            return self.number_once();
        }
        let target = self.target();
        match self.dice.random_range(0..20) {
            0..6 => {
                let near = self.near_number();
                near + self.dice.random_range(-1..=1)
            }
            6..13 => self.dice.random_range(-2..=10),
            13..16 => {
                let near = self.dice.random_range(0..2);
                if self.dice.random() {
                    kind.max(target) - near
                } else {
                    kind.min(target) + near
                }
            }
            16 => i128::from(self.dice.random::<i64>() >> self.dice.random_range(0..64)),
            // What overflows only when it is doubled once more.
            17 => 1 << self.dice.random_range(0..kind.bits(target)),
            _ => self.dice.random_range(0..=i128::from(self.length)),
        }
    }

    /// A number out of the blue, at which optimisers change their minds.
    pub(super) fn fresh_number(&mut self) -> i128 {
        let kind = self.kinds[0];
        let target = self.target();
        let bits = kind.bits(target);
        match self.dice.random_range(0..10) {
            0..4 => self.dice.random_range(-3..=17),
            4 => i128::from(self.one_of(&[7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256])),
            5 => {
                let near = self.dice.random_range(0..3);
                if self.dice.random() {
                    kind.max(target) - near
                } else {
                    kind.min(target) + near
                }
            }
            6 | 7 => (1 << self.dice.random_range(0..bits)) - self.dice.random_range(0..2),
            8 => {
                let ones = self.dice.random_range(1..=bits);
                ((1 << ones) - 1) << self.dice.random_range(0..=bits - ones)
            }
            _ => i128::from(self.dice.random::<i64>() >> (64 - bits)),
        }
    }

    /// A number that has to do with the others of the snippet.
    pub(super) fn near_number(&mut self) -> i128 {
        let numbers = self.numbers.clone();
        let number = self.one_of(&numbers);
        match self.dice.random_range(0..12) {
            0..5 => number,
            5 | 6 => number + 1,
            7 | 8 => number - 1,
            9 => -number,
            10 => !number,
            _ => (number << self.dice.random_range(0..3)) as i64 as i128,
        }
    }

    /// A constant; of a type that has room for it where there is a choice.
    pub(super) fn constant(&mut self) -> Expr {
        let number = match self.dice.random_range(0..10) {
            0..6 => self.near_number(),
            6..9 => self.dice.random_range(-1..=4),
            _ => self.fresh_number(),
        };
        let target = self.target();
        let fits = |kind: IntKind| number >= kind.min(target) && number <= kind.max(target);
        let kind = if self.percent(25) {
            self.kind()
        } else {
            let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong];
            let fitting = kinds.into_iter().find(|kind| fits(*kind));
            fitting.unwrap_or(IntKind::Long)
        };
        Expr::Const(Value::new(kind, number, target))
    }
}

/// Whether a type is an array of nothing but numbers.
fn has_numbers_only(ty: &Type) -> bool {
    match ty {
        Type::Array { of, .. } => of.int_kind().is_some() || has_numbers_only(of),
        _ => false,
    }
}
