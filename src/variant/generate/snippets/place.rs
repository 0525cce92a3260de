//! Scalars that a snippet can read and write: variables, elements, members, what pointers
//! point to.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::variant::generate::vectors::parts;
use rand::Rng;

impl SnippetWriter {
    /// A scalar to read, if anything is in sight.
    pub(super) fn readable(&mut self) -> Option<Expr> {
        if !self.counters.is_empty() && self.percent(25) {
            let at = self.dice.random_range(0..self.counters.len());
            return Some(Expr::Var(self.counters[at].clone()));
        }
        self.some_place(|_| true)
    }

    /// A scalar to write, which is no counter of an open loop.
    pub(super) fn writable(&mut self) -> Option<Expr> {
        let counters: Vec<Var> = self.counters.clone();
        self.some_place(|var| !counters.contains(var))
    }

    /// A whole variable of numbers that can be written and have its address taken.
    pub(super) fn plain_variable(&mut self) -> Option<Var> {
        let counters: Vec<Var> = self.counters.clone();
        let plain = self.objects.iter();
        let plain = plain.filter(|var| var.ty.int_kind().is_some() && !counters.contains(var));
        let plain: Vec<Var> = plain.cloned().collect();
        (!plain.is_empty()).then(|| plain[self.dice.random_range(0..plain.len())].clone())
    }

    fn some_place(&mut self, may: impl Fn(&Var) -> bool) -> Option<Expr> {
        let objects = self.objects.iter().filter(|var| may(var));
        let objects: Vec<Var> = objects.cloned().collect();
        if objects.is_empty() {
            return None;
        }
        // What was declared last has to do with what is written next.
        let last = objects.len() - 1;
        let at = if self.percent(35) {
            last - self.dice.random_range(0..=last.min(1))
        } else {
            self.dice.random_range(0..=last)
        };
        let var = objects[at].clone();
        let ty = var.ty.clone();
        if let Type::Pointer { to, .. } = &ty
            && self.runs.contains(&var)
        {
            let index = self.index(self.length);
            return self.scalar_in(Expr::Var(var).index(index), to);
        }
        self.scalar_in(Expr::Var(var), &ty)
    }

    /// A scalar in something of a type.
    pub(super) fn scalar_in(&mut self, expr: Expr, ty: &Type) -> Option<Expr> {
        match ty {
            Type::Int(_) => Some(expr),
            Type::Array { of, len } => {
                let index = self.index(*len);
                self.scalar_in(expr.index(index), of)
            }
            Type::Vector { .. } => {
                let lane = self.lane_index(ty);
                self.scalar_in(expr.index(lane), &parts(ty).0.into())
            }
            Type::Pointer { to, .. } => self.scalar_in(expr.deref(), to),
            Type::Record(name) => {
                let fields = &self.types.get(name)?.fields;
                let at = self.dice.random_range(0..fields.len());
                let (name, ty) = (fields[at].name.clone(), fields[at].ty.clone());
                self.scalar_in(expr.field(&name), &ty)
            }
            _ => None,
        }
    }

    /// An index of an array; nothing but a run shows that it is within.
    pub(super) fn index(&mut self, len: u64) -> Expr {
        let len = len as i32;
        if self.style == SnippetStyle::Once && self.percent(15) {
            return self.steered_index(len);
        }
        if !self.counters.is_empty() && self.percent(65) {
            let at = self.dice.random_range(0..self.counters.len());
            let counter = Expr::Var(self.counters[at].clone());
            let by = Expr::int(self.dice.random_range(1..=2));
            return match self.dice.random_range(0..16) {
                0..7 => counter,
                7 | 8 => Expr::binary(BinaryOp::Add, counter, by),
                9 | 10 => Expr::binary(BinaryOp::Sub, counter, by),
                11 => Expr::binary(BinaryOp::Sub, Expr::int(len - 1), counter),
                12 => {
                    let twice = Expr::binary(BinaryOp::Mul, counter, Expr::int(2));
                    Expr::binary(BinaryOp::Add, twice, by)
                }
                13 => {
                    let sum = Expr::binary(BinaryOp::Add, self.small_scalar(), counter);
                    Expr::binary(BinaryOp::Sub, sum, by)
                }
                14 => self.looked_up(counter, len),
                _ => Expr::binary(BinaryOp::BitAnd, counter, Expr::int(mask_below(len))),
            };
        }
        if self.percent(60) {
            return Expr::int(self.dice.random_range(0..len));
        }
        if len > 1 && self.percent(12) {
            return self.comparison(0);
        }
        let index = self.small_scalar();
        match self.dice.random_range(0..5) {
            0 | 1 => index,
            2 => Expr::binary(BinaryOp::Rem, index.cast(IntKind::UInt), Expr::int(len)),
            _ => Expr::binary(BinaryOp::BitAnd, index, Expr::int(mask_below(len))),
        }
    }

    /// An index by a formula, with the counter of a loop or without.
    fn steered_index(&mut self, len: i32) -> Expr {
        match self.counters.last().cloned() {
            Some(counter) if self.percent(60) => {
                let by = self.one_of(&[0, 0, 1, -1]);
                Expr::binary(BinaryOp::Add, self.steered(by), Expr::Var(counter))
            }
            _ => {
                let at = self.dice.random_range(0..len);
                self.steered(at)
            }
        }
    }

    /// An index that stands in another array.
    fn looked_up(&mut self, at: Expr, len: i32) -> Expr {
        let arrays = self.number_arrays(1);
        if arrays.is_empty() {
            return at;
        }
        let array = arrays[self.dice.random_range(0..arrays.len())].clone();
        let number = Expr::Var(array).index(at);
        if self.percent(50) {
            return number;
        }
        Expr::binary(BinaryOp::BitAnd, number, Expr::int(mask_below(len)))
    }

    /// A whole number variable, or a constant.
    fn small_scalar(&mut self) -> Expr {
        match self.plain_variable() {
            Some(var) => Expr::Var(var),
            None => Expr::int(0),
        }
    }
}

/// The largest mask all of whose numbers are below a length.
fn mask_below(len: i32) -> i32 {
    let mut mask = 0;
    while mask * 2 + 1 < len {
        mask = mask * 2 + 1;
    }
    mask
}
