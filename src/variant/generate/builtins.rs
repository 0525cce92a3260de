//! Builtin functions of gcc and clang, in expressions and on memory.

use super::Author;
use super::expr::Term;
use super::names::KnownVariable;
use crate::code::builtin::{Builtin, MemoryOp, Wide};
use crate::code::ctype::Type;
use crate::code::eval::operator;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;

/// The builtin functions that compute one number from one, for a width.
pub(super) fn counts_and_swaps(wide: Wide) -> [Builtin; 10] {
    [
        Builtin::Clz(wide),
        Builtin::Ctz(wide),
        Builtin::Popcount(wide),
        Builtin::Parity(wide),
        Builtin::Ffs(wide),
        Builtin::Clrsb(wide),
        Builtin::Abs(wide),
        Builtin::Bswap16,
        Builtin::Bswap32,
        Builtin::Bswap64,
    ]
}

impl Author<'_> {
    /// A builtin function of a term.
    pub(super) fn builtin(&mut self, operand: Term) -> Term {
        let wide = operand.numbers.kind.bits(self.target()) == 64;
        let wide = if wide || self.percent(10) {
            Wide::Long
        } else {
            Wide::Int
        };
        let all = counts_and_swaps(wide);
        let builtin = all[self.dice.random_range(0..all.len())];
        if let Some(term) = self.apply_builtin(builtin, &operand) {
            return term;
        }
        // Not for 0, and not for the smallest number.
        let one = self.literal(IntKind::Int, 1);
        let bent = match builtin {
            Builtin::Abs(_) => self.apply(BinaryOp::Shr, &operand, &one),
            _ => self.apply(BinaryOp::BitOr, &operand, &one),
        };
        let bent = bent.and_then(|bent| self.apply_builtin(builtin, &bent));
        bent.unwrap_or(operand)
    }

    fn apply_builtin(&self, builtin: Builtin, operand: &Term) -> Option<Term> {
        let numbers = operator::builtin(self.target(), builtin, &operand.numbers)?.ok()?;
        Some(Term {
            expr: Expr::builtin(builtin, vec![operand.expr.clone()]),
            numbers,
        })
    }

    /// Copies, fills or compares arrays by a function on memory.
    pub(super) fn memory_statement(&mut self) {
        let Some((to, len)) = self.some_array() else {
            return self.assign();
        };
        let Type::Array { of, .. } = &to.ty else {
            return;
        };
        let of = (**of).clone();
        let count = self.dice.random_range(1..=len as u32);
        let start =
            |named: &KnownVariable, at: u32| named.expr().index(Expr::int(at as i32)).address_of();
        let at = self.dice.random_range(0..=len as u32 - count);
        let expr = match self.dice.random_range(0..5) {
            4 => return self.comparison_of(&to, at, count),
            0 => {
                let byte = Expr::int(self.dice.random_range(0..=255));
                Expr::memory(MemoryOp::Set, start(&to, at), byte, of, count)
            }
            1 => {
                let from = self.dice.random_range(0..=len as u32 - count);
                Expr::memory(MemoryOp::Move, start(&to, at), start(&to, from), of, count)
            }
            _ => {
                let Some((from, other)) = self.array_like(&to, count) else {
                    return self.assign();
                };
                let other = self.dice.random_range(0..=other as u32 - count);
                Expr::memory(
                    MemoryOp::Copy,
                    start(&to, at),
                    start(&from, other),
                    of,
                    count,
                )
            }
        };
        if let Some(stmt) = self.try_run(Stmt::Expr(expr)) {
            self.push(stmt);
        }
    }

    /// Whether elements equal those of another array, or come before them.
    fn comparison_of(&mut self, one: &KnownVariable, at: u32, count: u32) {
        let Some((other, len)) = self.array_like(one, count) else {
            return self.assign();
        };
        let Type::Array { of, .. } = &one.ty else {
            return;
        };
        let bytes = matches!(of.int_kind(), Some(IntKind::UChar));
        let op = if bytes && self.dice.random() {
            MemoryOp::Less
        } else {
            MemoryOp::Equal
        };
        let start =
            |named: &KnownVariable, at: u32| named.expr().index(Expr::int(at as i32)).address_of();
        let other_at = self.dice.random_range(0..=len as u32 - count);
        let (left, right) = (start(one, at), start(&other, other_at));
        let compared = Expr::memory(op, left, right, (**of).clone(), count);
        if let Ok(values) = self.ledger.run(|session| session.value(&compared)) {
            self.use_result(Self::term(compared, IntKind::Int, values.values));
        }
    }

    /// `flag = __builtin_add_overflow(a, b, &result);`.
    pub(super) fn overflow_statement(&mut self) {
        let all = [
            Builtin::AddOverflow,
            Builtin::SubOverflow,
            Builtin::MulOverflow,
        ];
        let builtin = all[self.dice.random_range(0..all.len())];
        let mark = self.bookmark();
        // Bit-fields and truths are no operands of these.
        let mut operand = || {
            let term = self.small_expression();
            self.cast(&term, term.numbers.kind.promoted())
        };
        let (left, right) = (operand(), operand());
        let kind = match self.kind() {
            IntKind::Bool => IntKind::Int,
            kind => kind,
        };
        let zero = self.literal(kind, 0);
        let result = self.new_local(kind, &zero, false);
        let flag = self.new_local(IntKind::Int, &zero, false);
        let args = vec![left.expr, right.expr, result.expr.clone().address_of()];
        let call = Expr::builtin(builtin, args);
        match self.try_run(Stmt::Expr(Expr::assign(flag.expr, call))) {
            Some(stmt) => {
                self.push(stmt);
                self.usage.written(&result.expr);
            }
            None => self.go_back(&mark),
        }
    }

    /// Another array of the same elements that is long enough, with its length.
    fn array_like(&mut self, array: &KnownVariable, count: u32) -> Option<(KnownVariable, u64)> {
        let Type::Array { of, .. } = &array.ty else {
            return None;
        };
        let mut others = self.globals.iter().map(|global| &global.named);
        others.find_map(|named| match &named.ty {
            Type::Array { of: other, len } if other == of && *len >= u64::from(count) => {
                (named.name != array.name).then(|| (named.clone(), *len))
            }
            _ => None,
        })
    }
}
