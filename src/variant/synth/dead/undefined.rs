//! Undefined behaviour on purpose, where nothing runs. An optimiser may conclude from it
//! that control never comes there, and must not conclude more.
//!
//! Operands are hidden in variables: compilers refuse some of it in constants.

use super::DeadBody;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

impl<R: Rng> DeadBody<'_, '_, R> {
    /// A statement that would be undefined if it ran.
    pub(super) fn undefined(&mut self) -> Option<Stmt> {
        let kind =
            *[IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::Short].choose(self.synth.rng)?;
        let name = self.synth.name("u0");
        let own = Expr::var(&name, kind);
        let target = self.scalar(true)?;
        let operand = self.expression(1);
        let choice = self.synth.rng.random_range(0..6);
        let (start, value) = match choice {
            // Never initialised.
            0 => (None, Expr::binary(BinaryOp::Add, operand, own)),
            1 | 2 => {
                let op = if choice == 1 {
                    BinaryOp::Div
                } else {
                    BinaryOp::Rem
                };
                (Some(Expr::int(0)), Expr::binary(op, operand, own))
            }
            3 => {
                let wide = Expr::int(*[-1, 31, 32, 64, 255].choose(self.synth.rng)?);
                (Some(wide), Expr::binary(BinaryOp::Shl, operand, own))
            }
            4 => {
                let most = Value::new(
                    kind,
                    kind.max(self.synth.types.target),
                    self.synth.types.target,
                );
                let one = Expr::int(self.synth.rng.random_range(1..=9));
                (Some(most.into()), Expr::binary(BinaryOp::Add, own, one))
            }
            _ => return self.through_null(target),
        };
        Some(Stmt::Block(vec![
            Stmt::declare(&name, kind, start),
            Stmt::Expr(Expr::assign(target, value)),
        ]))
    }

    /// A read or write through a null pointer.
    fn through_null(&mut self, target: Expr) -> Option<Stmt> {
        let ty = self.synth.types.type_of(&target).ok()?.pointer();
        let name = self.synth.name("u0");
        let pointed = Expr::var(&name, ty.clone()).deref();
        let (to, from) = if self.synth.rng.random() {
            (target, pointed)
        } else {
            (pointed, self.expression(1))
        };
        Some(Stmt::Block(vec![
            Stmt::declare(&name, ty.clone(), Some(Expr::Null(ty))),
            Stmt::Expr(Expr::assign(to, from)),
        ]))
    }
}
