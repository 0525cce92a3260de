//! Statements that only a run can prove: loops whose turns depend on each other, jumps,
//! recursion. They are run as a whole; where a run finds an operation undefined, the operation
//! is replaced by its total form and the statement is run again.

use super::Author;
use super::common::CommonRing;
use super::edit::with_expr;
use crate::code::builtin::Builtin;
use crate::code::ctype::{Type, Types};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::session::Session;
use crate::code::stmt::Stmt;
use crate::code::trouble::{Stop, Trouble};
use crate::code::types::IntKind;
use crate::code::wide::WideNumber;

/// Operations that are replaced before a statement is given up.
const MENDED: u32 = 12;
/// Instructions that a row may execute in one such statement.
const STEPS: u64 = 3_000;

impl Author<'_> {
    /// Runs a statement, mended if need be; `None` if nothing helps, and then nothing has
    /// changed. Every row must reach its end.
    pub(super) fn try_run(&mut self, mut stmt: Stmt) -> Option<Stmt> {
        self.common = CommonRing::default();
        for _ in 0..MENDED {
            let trouble = match self.ledger.run(|session| ran(session, &stmt)) {
                Ok(()) => return Some(stmt),
                Err(trouble) => trouble?,
            };
            if trouble.function.is_some() {
                return None;
            }
            stmt = mended(self.types(), &stmt, &trouble.path)?;
        }
        None
    }
}

/// Runs a statement to its end in all active rows, or says what went wrong.
fn ran(session: &mut Session, stmt: &Stmt) -> Result<(), Option<Trouble>> {
    session.set_step_limit(STEPS);
    let mark = session.mark();
    let outcome = match session.step(stmt) {
        Ok(exits) if exits.ends() => Ok(()),
        Ok(_) => {
            session.rollback(&mark);
            Err(None)
        }
        Err(Stop::Trouble(trouble)) => Err(Some(trouble)),
        Err(Stop::Mistake(mistake)) => {
            debug_assert!(false, "{mistake:?} in {stmt}");
            Err(None)
        }
    };
    session.release(mark);
    outcome
}

/// The statement with the expression at a path replaced by its total form.
pub(super) fn mended(types: &Types, stmt: &Stmt, path: &[u32]) -> Option<Stmt> {
    with_expr(stmt, path, &|expr| total(types, expr))
}

/// The form of an operation that is defined for all operands.
fn total(types: &Types, expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Binary { op, left, right } => total_binary(types, *op, left, right),
        Expr::Unary {
            op: UnaryOp::Minus,
            value,
        } => total_binary(types, BinaryOp::Sub, &Expr::int(0), value),
        Expr::Compound { op, target, value } => {
            let result = total_binary(types, *op, target, value)?;
            Some(Expr::assign((**target).clone(), result))
        }
        Expr::Step { op, target } => {
            let result = total_binary(types, op.binary(), target, &Expr::int(1))?;
            Some(Expr::assign((**target).clone(), result))
        }
        Expr::Builtin { builtin, args } => {
            let [arg] = args.as_slice() else {
                return None;
            };
            let one = Expr::int(1);
            let (op, by) = match builtin {
                Builtin::Clz(_) | Builtin::Ctz(_) => (BinaryOp::BitOr, one),
                Builtin::Abs(_) => (BinaryOp::Shr, one),
                _ => return None,
            };
            let bent = Expr::binary(op, arg.clone(), by);
            Some(Expr::builtin(*builtin, vec![bent]))
        }
        Expr::Index { base, index } => {
            let Expr::Var(var) = &**base else {
                return None;
            };
            let Type::Array { len, .. } = &var.ty else {
                return None;
            };
            let len = Expr::int(i32::try_from(*len).ok()?);
            let index = (**index).clone().cast(IntKind::UInt);
            let bent = Expr::binary(BinaryOp::Rem, index, len);
            Some((**base).clone().index(bent))
        }
        _ => None,
    }
}

fn total_binary(types: &Types, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
    if let Some(total) = total_wide(types, op, left, right) {
        return Some(total);
    }
    let kind = |expr: &Expr| types.type_of(expr).ok()?.int_kind();
    let (left_kind, right_kind) = (kind(left)?, kind(right)?);
    let kind = if op.is_shift() {
        left_kind.promoted()
    } else {
        left_kind.common(right_kind, types.target)
    };
    let unsigned = kind.to_unsigned();
    let last = Expr::int(kind.bits(types.target) as i32 - 1);
    let cast = |expr: &Expr| expr.clone().cast(unsigned);
    let left_cast = cast(left);
    Some(match op {
        BinaryOp::Shr => {
            let count = Expr::binary(BinaryOp::BitAnd, right.clone(), last);
            Expr::binary(op, left.clone(), count)
        }
        BinaryOp::Shl => {
            let count = Expr::binary(BinaryOp::BitAnd, right.clone(), last);
            Expr::binary(op, left_cast, count).cast(kind)
        }
        BinaryOp::Div | BinaryOp::Rem => {
            let odd = Expr::binary(BinaryOp::BitOr, cast(right), Expr::int(1));
            Expr::binary(op, left_cast, odd).cast(kind)
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            Expr::binary(op, left_cast, cast(right)).cast(kind)
        }
        _ => return None,
    })
}

/// The same of numbers of up to 128 bits.
fn total_wide(types: &Types, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
    let result = types.type_of(&Expr::binary(op, left.clone(), right.clone()));
    let Ok(Type::Wide(kind)) = result else {
        return None;
    };
    let unsigned = kind.to_unsigned();
    let cast = |expr: &Expr| expr.clone().cast(unsigned);
    let count = || {
        let count = right.clone().cast(IntKind::UInt);
        Expr::binary(BinaryOp::Rem, count, Expr::int(kind.bits() as i32))
    };
    Some(match op {
        BinaryOp::Shr => Expr::binary(op, left.clone(), count()),
        BinaryOp::Shl => Expr::binary(op, cast(left), count()).cast(kind),
        BinaryOp::Div | BinaryOp::Rem => {
            let odd = Expr::binary(
                BinaryOp::BitOr,
                cast(right),
                WideNumber::new(unsigned, 1).into(),
            );
            Expr::binary(op, cast(left), odd).cast(kind)
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            Expr::binary(op, cast(left), cast(right)).cast(kind)
        }
        _ => return None,
    })
}
