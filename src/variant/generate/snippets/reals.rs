//! Floating-point numbers of snippets that are rounded, for compilers that promise IEEE 754
//! (`ieee`): no contraction, no `-ffast-math`, no x87.
//!
//! Whatever a snippet computes is known bit by bit, also what was rounded, how small numbers
//! become, and the sign of a zero. A row of inputs in which a number would be infinite or none
//! is exchanged for another.

use super::SnippetWriter;
use crate::code::builtin::MemoryOp;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp, UnaryOp};
use crate::code::real::Real;
use crate::code::scalar::FloatKind;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::bytes::BYTE;
use rand::Rng;

impl SnippetWriter {
    /// A block with numbers of its own, of which something is left in integers of the snippet.
    pub(super) fn real_block(&mut self) -> Stmt {
        let mut items = Vec::new();
        let mut numbers = Vec::new();
        for _ in 0..self.dice.random_range(2..=3) {
            let kind = self.real_kind();
            let start = self.real_leaf(&numbers, kind);
            let var = self.var("f", Type::Float(kind));
            items.push(Stmt::declare(&var.name, kind, Some(start)));
            numbers.push(var);
        }
        for _ in 0..self.dice.random_range(2..=5) {
            items.push(self.real_statement(&numbers));
        }
        for _ in 0..self.dice.random_range(1..=2) {
            items.extend(self.real_taken(&numbers));
        }
        Stmt::Block(items)
    }

    fn real_kind(&mut self) -> FloatKind {
        self.one_of(&[FloatKind::Float, FloatKind::Double])
    }

    fn real_statement(&mut self, numbers: &[Var]) -> Stmt {
        let var = numbers[self.dice.random_range(0..numbers.len())].clone();
        let (kind, name) = (kind_of(&var), Expr::Var(var));
        let change = if self.percent(35) {
            let op = self.real_operator();
            Expr::compound(op, name, self.real_expr(numbers, kind, 1))
        } else {
            let depth = self.dice.random_range(1..=3);
            Expr::assign(name, self.real_expr(numbers, kind, depth))
        };
        let change = Stmt::Expr(change);
        match self.dice.random_range(0..10) {
            0 | 1 => {
                let condition = self.real_comparison(numbers);
                Stmt::if_then(condition, Stmt::Block(vec![change]))
            }
            2 => {
                // A sum that must not be put into another order.
                let counter = self.var("i", Type::INT);
                let i = || Expr::Var(counter.clone());
                let turns = self.dice.random_range(2..=6);
                let body = Stmt::for_loop(
                    Expr::assign(i(), Expr::int(0)),
                    Expr::binary(BinaryOp::Lt, i(), Expr::int(turns)),
                    Expr::step(StepOp::PostIncrement, i()),
                    Stmt::Block(vec![change]),
                );
                let declared = Stmt::declare(&counter.name, IntKind::Int, None);
                Stmt::Block(vec![declared, body])
            }
            _ => change,
        }
    }

    fn real_operator(&mut self) -> BinaryOp {
        self.one_of(&[
            BinaryOp::Add,
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Mul,
            BinaryOp::Div,
        ])
    }

    fn real_expr(&mut self, numbers: &[Var], kind: FloatKind, depth: u32) -> Expr {
        if depth == 0 {
            return self.real_leaf(numbers, kind);
        }
        let depth = depth - 1;
        match self.dice.random_range(0..12) {
            0 => Expr::unary(UnaryOp::Minus, self.real_expr(numbers, kind, depth)),
            1 => {
                let other = self.real_kind();
                self.real_expr(numbers, other, depth).cast(kind)
            }
            2 => {
                let condition = self.real_comparison(numbers);
                let yes = self.real_expr(numbers, kind, depth);
                Expr::conditional(condition, yes, self.real_leaf(numbers, kind))
            }
            3 => {
                // There and back by an integer.
                let whole = self.one_of(&[IntKind::Int, IntKind::LongLong]);
                let number = self.real_expr(numbers, kind, depth).cast(whole);
                number.cast(kind)
            }
            _ => {
                let op = self.real_operator();
                let left = self.real_expr(numbers, kind, depth);
                Expr::binary(op, left, self.real_expr(numbers, kind, depth))
            }
        }
    }

    fn real_leaf(&mut self, numbers: &[Var], kind: FloatKind) -> Expr {
        match self.dice.random_range(0..10) {
            0..5 if !numbers.is_empty() => {
                let at = self.dice.random_range(0..numbers.len());
                Expr::Var(numbers[at].clone())
            }
            5 | 6 => self.real_constant(kind),
            _ => self.leaf().cast(kind),
        }
    }

    /// A constant: short, rounded, at a limit of the precision, or a zero.
    fn real_constant(&mut self, kind: FloatKind) -> Expr {
        let number = match self.dice.random_range(0..10) {
            0..3 => f64::from(self.dice.random_range(-9..=9)) * 0.25,
            3..5 => f64::from(self.dice.random_range(1..=99)) / 10.0,
            5 => f64::from(self.dice.random_range(-30..=30)).exp2(),
            6 => 1.0 + f64::EPSILON * f64::from(self.dice.random_range(0..4)),
            7 => f64::from(1 << 24) + f64::from(self.dice.random_range(-2..=2)),
            8 => -0.0,
            _ => f64::from(self.dice.random_range(-140..=-120)).exp2(),
        };
        let carrier = kind.precision().map_or(0, |known| known.carrier(number));
        Real::from_carrier(kind, carrier).into()
    }

    fn real_comparison(&mut self, numbers: &[Var]) -> Expr {
        let kind = self.real_kind();
        let at = self.dice.random_range(0..BinaryOp::COMPARISONS.len());
        let left = self.real_expr(numbers, kind, 1);
        Expr::binary(
            BinaryOp::COMPARISONS[at],
            left,
            self.real_leaf(numbers, kind),
        )
    }

    /// An integer of the snippet takes the bits of a number, its value, or a truth about it.
    fn real_taken(&mut self, numbers: &[Var]) -> Option<Stmt> {
        let target = self.writable()?;
        let var = numbers[self.dice.random_range(0..numbers.len())].clone();
        let (kind, name) = (kind_of(&var), Expr::Var(var));
        let taken = match self.dice.random_range(0..10) {
            0 | 1 => {
                let whole = self.one_of(&[IntKind::Int, IntKind::LongLong]);
                Expr::compound(BinaryOp::BitXor, target, name.cast(whole))
            }
            2 => Expr::assign(target, self.real_comparison(numbers)),
            _ => {
                let bytes = kind.precision()?.bytes();
                let ty = BYTE.array(bytes.into());
                let array = self.var("b", ty.clone());
                let all = || Expr::Var(array.clone());
                let copy = Expr::memory(MemoryOp::Copy, all(), name.address_of(), kind, 1);
                // All bytes together: the lowest tell how it was rounded.
                let byte = |at: u32| {
                    let byte = all().index(Expr::int(at as i32)).cast(IntKind::ULongLong);
                    Expr::binary(BinaryOp::Shl, byte, Expr::int(8 * at as i32))
                };
                let bits = (1..bytes).fold(byte(0), |bits, at| {
                    Expr::binary(BinaryOp::BitOr, bits, byte(at))
                });
                return Some(Stmt::Block(vec![
                    Stmt::declare(&array.name, ty, None),
                    Stmt::Expr(copy),
                    Stmt::Expr(Expr::compound(BinaryOp::BitXor, target, folded(bits))),
                ]));
            }
        };
        Some(Stmt::Expr(taken))
    }
}

/// The upper bits folded into the lower ones, so that no type loses them.
fn folded(bits: Expr) -> Expr {
    let mixed = Expr::binary(
        BinaryOp::Mul,
        bits,
        crate::code::value::Value::from_carrier(
            IntKind::ULongLong,
            0x9e37_79b9_7f4a_7c15_u64 as i64,
        )
        .into(),
    );
    Expr::binary(BinaryOp::Shr, mixed, Expr::int(40))
}

fn kind_of(var: &Var) -> FloatKind {
    match var.ty {
        Type::Float(kind) => kind,
        _ => FloatKind::Double,
    }
}
