//! Operations that are undefined at some position, bent until they are defined at all.
//!
//! The operands are defined. The sorts of repair are tried in an order drawn by weight; the
//! last resort of every operator is total: it is defined whatever the operands hold.

use super::Author;
use super::expr::Term;
use super::weights::REPAIRS;
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use std::fmt;

/// A way to make an operation defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RepairSort {
    /// The opposite operator.
    Flip,
    /// The right operand moved by a constant, as far as it must be and no further.
    Edge,
    /// In a wider type.
    Widen,
    /// In the unsigned type of the same width.
    Unsigned,
    /// An operand cut by a mask, or made odd.
    Mask,
    /// What is defined for all operands.
    Total,
}

impl fmt::Display for RepairSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RepairSort::Flip => "the opposite operator",
            RepairSort::Edge => "a constant added to an operand",
            RepairSort::Widen => "a wider type",
            RepairSort::Unsigned => "an unsigned type",
            RepairSort::Mask => "a mask",
            RepairSort::Total => "what is defined for all operands",
        })
    }
}

/// The sorts that are drawn from, in the order of the table of weights.
const SORTS: [RepairSort; 5] = [
    RepairSort::Flip,
    RepairSort::Edge,
    RepairSort::Widen,
    RepairSort::Unsigned,
    RepairSort::Mask,
];

impl Author<'_> {
    /// The operator applied to two terms, if it is defined at every active position.
    pub(super) fn apply(&self, op: BinaryOp, left: &Term, right: &Term) -> Option<Term> {
        let numbers = operator::binary(self.target(), op, &left.numbers, &right.numbers).ok()?;
        Some(Term {
            expr: Expr::binary(op, left.expr.clone(), right.expr.clone()),
            numbers,
        })
    }

    /// A unary operator; the minus of a smallest number is taken in the unsigned type.
    pub(super) fn apply_unary(&mut self, op: UnaryOp, operand: Term) -> Term {
        match operator::unary(self.target(), op, &operand.numbers) {
            Ok(numbers) => Term {
                expr: Expr::unary(op, operand.expr),
                numbers,
            },
            Err(_) => {
                self.stats.repaired(RepairSort::Total);
                let zero = self.literal(IntKind::Int, 0);
                self.in_unsigned(BinaryOp::Sub, &zero, &operand)
                    .unwrap_or(zero)
            }
        }
    }

    /// A term converted to another type.
    pub(super) fn cast(&self, term: &Term, kind: IntKind) -> Term {
        Term {
            expr: term.expr.clone().cast(kind),
            numbers: operator::convert(self.target(), &term.numbers, kind),
        }
    }

    /// The operator applied to two terms, repaired if need be.
    pub(super) fn combine(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        if let Some(term) = self.apply(op, &left, &right) {
            self.stats.operators += 1;
            return term;
        }
        self.stats.operators += 1;
        let mut tried = [false; SORTS.len()];
        while let Some(sort) = self.policy.draw_where(&REPAIRS, &mut self.dice, |sort| {
            !tried[SORTS.iter().position(|s| *s == sort).unwrap_or(0)]
        }) {
            tried[SORTS.iter().position(|s| *s == sort).unwrap_or(0)] = true;
            if let Some(term) = self.repaired(sort, op, &left, &right) {
                self.stats.repaired(sort);
                return term;
            }
        }
        self.stats.repaired(RepairSort::Total);
        self.total(op, &left, &right)
    }

    fn repaired(
        &mut self,
        sort: RepairSort,
        op: BinaryOp,
        left: &Term,
        right: &Term,
    ) -> Option<Term> {
        match sort {
            RepairSort::Flip => self.apply(flipped(op)?, left, right),
            RepairSort::Edge => self.moved(op, left, right),
            RepairSort::Widen => {
                let kind = left.numbers.kind.promoted();
                (kind.bits(self.target()) < 64).then_some(())?;
                self.apply(op, &self.cast(left, IntKind::Long), right)
            }
            RepairSort::Unsigned => self.in_unsigned(op, left, right),
            RepairSort::Mask => self.masked(op, left, right),
            RepairSort::Total => Some(self.total(op, left, right)),
        }
    }

    /// The type that the operator computes in.
    fn common(&self, op: BinaryOp, left: &Term, right: &Term) -> IntKind {
        if op.is_shift() {
            left.numbers.kind.promoted()
        } else {
            left.numbers.kind.common(right.numbers.kind, self.target())
        }
    }

    /// `a op (b - c)` or `a op (b + c)`, with a constant that every position allows.
    fn moved(&mut self, op: BinaryOp, left: &Term, right: &Term) -> Option<Term> {
        let kind = self.common(op, left, right);
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let (low, high) = edge_interval(op, kind, left, right, self)?;
                let by = if self.dice.random() { low } else { high };
                let by = self.literal(kind, by);
                let moved = self.apply(BinaryOp::Sub, right, &by)?;
                self.apply(op, left, &moved)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = i128::from(kind.bits(self.target()));
                let (least, most) = right.spread()?;
                (most - least < bits).then_some(())?;
                let by = if self.dice.random() {
                    least
                } else {
                    most - (bits - 1)
                };
                let by = self.literal(right.numbers.kind.promoted(), by);
                let moved = self.apply(BinaryOp::Sub, right, &by)?;
                self.apply(op, left, &moved)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let (least, _) = right.spread()?;
                let mut tries = vec![1, -1, 2, 3, 1 - least];
                tries.push(i128::from(self.dice.random_range(1..100)));
                while !tries.is_empty() {
                    let by = tries.swap_remove(self.dice.random_range(0..tries.len()));
                    let by = self.literal(right.numbers.kind.promoted(), by);
                    if let Some(moved) = self.apply(BinaryOp::Add, right, &by)
                        && let Some(term) = self.apply(op, left, &moved)
                    {
                        return Some(term);
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// `(T)((U)a op (U)b)`.
    fn in_unsigned(&self, op: BinaryOp, left: &Term, right: &Term) -> Option<Term> {
        let kind = self.common(op, left, right);
        let unsigned = kind.to_unsigned();
        let left = self.cast(left, unsigned);
        let right = if op.is_shift() {
            right.clone()
        } else {
            self.cast(right, unsigned)
        };
        let term = self.apply(op, &left, &right)?;
        Some(if unsigned == kind {
            term
        } else {
            self.cast(&term, kind)
        })
    }

    /// Operands cut to a few bits, divisors made odd, counts made less than the width.
    fn masked(&mut self, op: BinaryOp, left: &Term, right: &Term) -> Option<Term> {
        let bits = self.common(op, left, right).bits(self.target());
        let mask = |author: &Author<'_>, term: &Term, mask: i128| {
            let mask = author.literal(IntKind::Int, mask);
            author.apply(BinaryOp::BitAnd, term, &mask)
        };
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let odd = self.apply(BinaryOp::BitOr, right, &self.literal(IntKind::Int, 1))?;
                self.apply(op, left, &odd)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = mask(self, right, i128::from(bits - 1))?;
                self.apply(op, left, &count)
            }
            _ => {
                let most = (1 << self.dice.random_range(3..12)) - 1;
                let (left, right) = (mask(self, left, most)?, mask(self, right, most)?);
                self.apply(op, &left, &right)
            }
        }
    }

    /// The form that is defined for all operands.
    fn total(&self, op: BinaryOp, left: &Term, right: &Term) -> Term {
        let kind = self.common(op, left, right);
        let one = self.literal(IntKind::Int, 1);
        let right = match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let right = self.cast(right, kind.to_unsigned());
                self.apply(BinaryOp::BitOr, &right, &one)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let last = i128::from(kind.bits(self.target()) - 1);
                self.apply(BinaryOp::BitAnd, right, &self.literal(IntKind::Int, last))
            }
            _ => Some(right.clone()),
        };
        let right = right.unwrap_or_else(|| one.clone());
        let term = if op == BinaryOp::Shr {
            self.apply(op, left, &right)
        } else {
            self.in_unsigned(op, left, &right)
        };
        term.unwrap_or(one)
    }
}

fn flipped(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Add => BinaryOp::Sub,
        BinaryOp::Sub => BinaryOp::Add,
        BinaryOp::Mul => BinaryOp::Div,
        BinaryOp::Div => BinaryOp::Mul,
        BinaryOp::Rem => BinaryOp::BitAnd,
        BinaryOp::Shl => BinaryOp::Shr,
        BinaryOp::Shr => BinaryOp::Shl,
        _ => return None,
    })
}

/// The constants `c` for which `a op (b - c)` is defined at every position.
fn edge_interval(
    op: BinaryOp,
    kind: IntKind,
    left: &Term,
    right: &Term,
    author: &Author<'_>,
) -> Option<(i128, i128)> {
    let target = author.target();
    let (min, max) = (kind.min(target), kind.max(target));
    let (mut low, mut high) = (min, max);
    let numbers = |numbers: &Numbers| {
        operator::convert(target, numbers, kind)
            .values
            .into_iter()
            .map(|carrier| Value::from_carrier(kind, carrier).math())
            .collect::<Vec<_>>()
    };
    for (a, b) in numbers(&left.numbers)
        .into_iter()
        .zip(numbers(&right.numbers))
    {
        let (from, to) = if op == BinaryOp::Add {
            (a + b - max, a + b - min)
        } else {
            (min - a + b, max - a + b)
        };
        low = low.max(from).max(b - max);
        high = high.min(to).min(b - min);
    }
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::generate::GenerateRequest;

    const OPS: [BinaryOp; 7] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
    ];

    /// Sixteen values of a type, four bits' worth: both ends and what is around 0 and the
    /// widths.
    fn values(kind: IntKind, author: &Author<'_>) -> Vec<i64> {
        let target = author.target();
        let (min, max) = (kind.min(target), kind.max(target));
        let near = [min, min + 1, max / 2, max - 1, max, -2, -1, 0, 1, 2, 3, 7];
        let widths = [30, 31, 32, 63];
        near.into_iter()
            .chain(widths)
            .map(|math| Value::new(kind, math, target).carrier())
            .collect()
    }

    fn term(name: &str, kind: IntKind, values: Vec<i64>) -> Term {
        Term {
            expr: Expr::var(name, kind),
            numbers: Numbers { kind, values },
        }
    }

    /// The repaired operation evaluated as a whole gives what was predicted.
    fn check(author: &mut Author<'_>, op: BinaryOp, left: Term, right: Term) {
        use crate::code::eval::Evaluator;
        use crate::code::table::Table;
        let mut table = Table::new(left.numbers.values.len() as u32);
        table.add_values("a", left.numbers.kind, left.numbers.values.clone());
        table.add_values("b", right.numbers.kind, right.numbers.values.clone());
        for term in [
            author.combine(op, left.clone(), right.clone()),
            author.total(op, &left, &right),
        ] {
            let got = Evaluator::new(author.types()).value(&term.expr, &table);
            let got = got.unwrap_or_else(|stop| panic!("{stop} in {}", term.expr));
            assert_eq!(got.values, term.numbers.values, "{}", term.expr);
            assert_eq!(got.ty.int_kind(), Some(term.numbers.kind), "{}", term.expr);
        }
    }

    #[test]
    fn every_operator_on_every_pair_of_values_is_repaired() {
        let request = GenerateRequest {
            rows: Some(1),
            ..GenerateRequest::default()
        };
        let mut author = Author::new(&request, 1);
        let kinds = [
            IntKind::SChar,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
        ];
        for op in OPS {
            for left_kind in kinds {
                for right_kind in kinds {
                    for a in values(left_kind, &author) {
                        for b in values(right_kind, &author) {
                            let left = term("a", left_kind, vec![a]);
                            let right = term("b", right_kind, vec![b]);
                            check(&mut author, op, left, right);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_operator_is_repaired_for_two_rows_at_once() {
        let request = GenerateRequest {
            rows: Some(2),
            ..GenerateRequest::default()
        };
        let mut author = Author::new(&request, 1);
        for op in OPS {
            for kind in [IntKind::Int, IntKind::Long] {
                let values: Vec<i64> = values(kind, &author).into_iter().step_by(2).collect();
                for a in &values {
                    for b in &values {
                        for c in &values {
                            for d in &values {
                                let left = term("a", kind, vec![*a, *b]);
                                let right = term("b", kind, vec![*c, *d]);
                                check(&mut author, op, left, right);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_edge_constant_takes_some_row_to_a_limit() {
        let request = GenerateRequest {
            rows: Some(1),
            ..GenerateRequest::default()
        };
        let author = Author::new(&request, 1);
        let left = term("a", IntKind::Int, vec![i64::from(i32::MAX) - 2]);
        let right = term("b", IntKind::Int, vec![9]);
        assert!(author.apply(BinaryOp::Add, &left, &right).is_none());
        let interval = edge_interval(BinaryOp::Add, IntKind::Int, &left, &right, &author);
        let (low, _) = interval.unwrap();
        let by = author.literal(IntKind::Int, low);
        let moved = author.apply(BinaryOp::Sub, &right, &by).unwrap();
        let sum = author.apply(BinaryOp::Add, &left, &moved).unwrap();
        assert_eq!(sum.numbers.values, [i64::from(i32::MAX)]);
    }
}
