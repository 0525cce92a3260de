//! Variables of ours that are volatile: each access is made, so what goes through one is
//! computed, and what comes out of it is not known.

use super::Pieces;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::variant::synth::Synth;
use rand::Rng;

impl<R: Rng> Synth<'_, R> {
    /// A value that goes through a volatile variable again and again.
    pub(super) fn through_volatile(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let kind = self.width();
        let name = self.name("w0");
        let start = self.operand(pieces);
        let declaration = Stmt::Declare(Declaration {
            var: Var {
                name: name.as_str().into(),
                ty: kind.into(),
            },
            specifiers: Specifiers {
                volatile: true,
                ..Specifiers::default()
            },
            init: Some(Init::Value(start)),
        });
        let through = Expr::var(&name, kind);
        let width = self.width();
        let first = self.constant_of(width);
        let (sum, summed) = self.fresh("v0", width, Some(first));
        let counter = self.counter(pieces, "n0", pieces.turns.min(6));
        let mut items = vec![declaration, summed, counter.declaration.clone()];
        let arithmetic = self.arithmetic();
        let taken = self.term(pieces, arithmetic, &[sum.clone(), through.clone()]);
        let mut steps = vec![Stmt::Expr(Expr::assign(sum.clone(), taken))];
        for _ in 0..self.rng.random_range(1..=2) {
            let given = self.term(pieces, arithmetic, &[sum.clone(), counter.var.clone()]);
            steps.push(Stmt::Expr(Expr::assign(through.clone(), given)));
        }
        items.push(counter.loop_over(steps));
        // What was written last is read once more.
        let last = self.term(pieces, arithmetic, &[through, sum]);
        items.push(self.deliver(pieces, last)?);
        Some(Stmt::Block(items))
    }
}
