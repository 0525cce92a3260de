//! Facts that the compiler may take for granted: what holds at every position is told to it by
//! `__builtin_unreachable` or `__builtin_assume`, and what often holds by `__builtin_expect`.

use super::Author;
use super::feature::Feature;
use crate::code::builtin::Builtin;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::{BinaryOp, UnaryOp};
use crate::code::stmt::{Function, Stmt};
use rand::Rng;

/// The macro that tells of a fact.
const ASSUME: &str = "assume";

/// What the macro is for each compiler.
pub(super) const ASSUME_MACRO: &str = "\
#if defined __clang__
#define assume(fact) __builtin_assume(fact)
#elif defined __GNUC__ && __GNUC__ >= 13 && !defined __cplusplus
#define assume(fact) __attribute__((assume(fact)))
#elif defined __GNUC__
#define assume(fact) do { if (!(fact)) __builtin_unreachable(); } while (0)
#else
#define assume(fact) (void)0
#endif
";

/// The macro as it is called.
fn assume() -> Callee {
    Callee {
        name: ASSUME.into(),
        result: Type::Void,
        params: vec![Type::INT],
    }
}

/// What the macro means, as a function.
pub(super) fn assume_function() -> Function {
    let fact = Var {
        name: "fact".into(),
        ty: Type::INT,
    };
    let broken = Expr::unary(UnaryOp::Not, Expr::Var(fact.clone()));
    let never = Expr::builtin(Builtin::Unreachable, vec![]);
    let check = Stmt::if_then(broken, Stmt::Expr(never));
    Function {
        name: ASSUME.into(),
        result: Type::Void,
        params: vec![fact],
        body: Stmt::Block(vec![check]).into(),
    }
}

impl Author<'_> {
    /// Makes the macro known to the evaluator.
    pub(super) fn define_assume(&mut self) {
        let known = self.ledger.session.define(&assume_function());
        debug_assert!(known.is_ok(), "{known:?}");
    }

    /// `if (!fact) __builtin_unreachable();`.
    pub(super) fn fact(&mut self) {
        let term = self.small_expression();
        let kind = term.numbers.kind.promoted();
        let Some((least, most)) = term.spread() else {
            return;
        };
        let (op, bound) = match self.dice.random_range(0..3) {
            _ if least == most => (BinaryOp::Eq, least),
            0 => (BinaryOp::Le, most),
            1 => (BinaryOp::Ge, least),
            _ => (BinaryOp::Lt, (most + 1).min(kind.max(self.target()))),
        };
        let fact = self.apply(op, &term, &self.literal(kind, bound));
        let Some(fact) = fact.filter(|fact| fact.numbers.values.iter().all(|value| *value != 0))
        else {
            return self.assign();
        };
        if self.may_use_globals() && self.percent(40) {
            let call = Expr::call(assume(), vec![fact.expr]);
            return self.push(Stmt::Expr(call));
        }
        let broken = Expr::unary(UnaryOp::Not, fact.expr);
        let never = Expr::builtin(Builtin::Unreachable, vec![]);
        self.push(Stmt::if_then(broken, Stmt::Expr(never)));
    }

    /// A condition, sometimes with a hint which way it goes.
    pub(super) fn hinted(&mut self, condition: Expr) -> Expr {
        if !self.policy.features.has(Feature::Facts) || !self.percent(10) {
            return condition;
        }
        let truth = Expr::unary(UnaryOp::Not, Expr::unary(UnaryOp::Not, condition));
        let expected = Expr::int(self.dice.random_range(0..=1));
        Expr::builtin(Builtin::Expect, vec![truth, expected])
    }
}
