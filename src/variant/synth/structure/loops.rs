//! Counted loops over arrays.

use super::{Array, Counter, Pieces};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A block being made: declarations come first in C89.
#[derive(Default)]
struct LoopDraft {
    declarations: Vec<Stmt>,
    statements: Vec<Stmt>,
}

impl LoopDraft {
    /// Adds statements of which those that declare come first.
    fn add(&mut self, items: impl IntoIterator<Item = Stmt>) {
        for item in items {
            match item {
                Stmt::Declare(_) => self.declarations.push(item),
                _ => self.statements.push(item),
            }
        }
    }

    fn block(mut self) -> Stmt {
        self.declarations.append(&mut self.statements);
        Stmt::Block(self.declarations)
    }
}

impl<R: Rng> Synth<'_, R> {
    /// A sum, product or other fold of an array's elements.
    pub(super) fn reduction(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let (own, setup) = self.own_array(pieces, "a0");
        draft.add(setup);
        let array = self.some_array(pieces, &own);
        let sum = self.fold(pieces, &mut draft, &array, "n0");
        draft.add(self.deliver(pieces, sum));
        (!pieces.targets.is_empty()).then(|| draft.block())
    }

    /// Adds a loop that folds the elements of an array into a new variable.
    fn fold(&mut self, pieces: &Pieces, draft: &mut LoopDraft, array: &Array, role: &str) -> Expr {
        let counter = self.counter(pieces, role, array.len);
        let kind = self.width();
        let start = self.constant_of(kind);
        let (sum, declaration) = self.fresh("v0", kind, Some(start));
        let element = self.element(pieces, array, &counter);
        let arithmetic = self.arithmetic();
        let mut leaves = vec![sum.clone(), element.clone()];
        if self.one_in(3) {
            leaves.push(counter.var.clone());
        }
        let fold = match self.rng.random_range(0..4) {
            // The plain sum, which vectorisers know best.
            0 | 1 => {
                let value = self.term(pieces, arithmetic, &leaves[1..]);
                Expr::compound(self.folding(), sum.clone(), value)
            }
            _ => Expr::assign(sum.clone(), self.term(pieces, arithmetic, &leaves)),
        };
        let mut body = vec![Stmt::Expr(fold)];
        if self.one_in(4) {
            let question = self.question(pieces, &[element]);
            body = vec![Stmt::if_then(question, Stmt::Block(body))];
        }
        draft.add([declaration, counter.declaration.clone()]);
        draft.add([counter.loop_over(body)]);
        sum
    }

    fn folding(&mut self) -> BinaryOp {
        let ops = [
            BinaryOp::Add,
            BinaryOp::BitXor,
            BinaryOp::Sub,
            BinaryOp::BitOr,
        ];
        ops[self.rng.random_range(0..ops.len())]
    }

    /// Each element of one array from elements of another or its own neighbours.
    pub(super) fn map(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let (own, setup) = self.own_array(pieces, "a0");
        draft.add(setup);
        let from = self.some_array(pieces, &own);
        let counter = self.counter(pieces, "n0", own.len);
        let arithmetic = self.arithmetic();
        let mut leaves: Vec<Expr> = (0..self.rng.random_range(1..=3))
            .map(|_| self.element(pieces, &from, &counter))
            .collect();
        if self.rng.random() {
            leaves.push(counter.var.clone());
        }
        let value = self.term(pieces, arithmetic, &leaves);
        let to = match pieces.written.choose(self.rng) {
            Some(array) if self.rng.random() => array.clone(),
            _ => own.clone(),
        };
        let written = self.element(pieces, &to, &counter);
        let mut body = vec![Stmt::Expr(Expr::assign(written, value))];
        if self.one_in(4) {
            let question = self.question(pieces, &leaves[..1]);
            body.insert(
                0,
                Stmt::if_then(question, Stmt::Block(vec![Stmt::Continue])),
            );
        }
        draft.add([counter.declaration.clone()]);
        draft.add([counter.loop_over(body)]);
        self.deliver_from(pieces, &mut draft, &own);
        (!pieces.targets.is_empty()).then(|| draft.block())
    }

    /// Delivers all of an array, or one element.
    fn deliver_from(&mut self, pieces: &Pieces, draft: &mut LoopDraft, array: &Array) {
        let value = if self.rng.random() {
            self.fold(pieces, draft, array, "n9")
        } else {
            let at = Expr::int(self.rng.random_range(0..array.len as i32));
            array.base.clone().index(at)
        };
        draft.add(self.deliver(pieces, value));
    }

    /// One array from another, as it is, reversed or shifted; both may be the same.
    pub(super) fn copy(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let (to, setup) = self.own_array(pieces, "a0");
        draft.add(setup);
        let (other, setup) = self.own_array(pieces, "a1");
        let from = match self.rng.random_range(0..3) {
            0 => to.clone(),
            1 => self.some_array(pieces, &to),
            _ => {
                draft.add(setup);
                other
            }
        };
        let counter = self.counter(pieces, "n0", to.len.min(from.len));
        let written = self.element(pieces, &to, &counter);
        let read = self.element(pieces, &from, &counter);
        draft.add([counter.declaration.clone()]);
        draft.add([counter.loop_over(vec![Stmt::Expr(Expr::assign(written, read))])]);
        self.deliver_from(pieces, &mut draft, &to);
        (!pieces.targets.is_empty()).then(|| draft.block())
    }

    /// The first element of an array that a condition holds for.
    pub(super) fn search(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let (own, setup) = self.own_array(pieces, "a0");
        draft.add(setup);
        let array = self.some_array(pieces, &own);
        let counter = self.counter(pieces, "n0", array.len);
        let kind = self.width();
        let (found, declaration) = self.fresh("v0", kind, Some(Expr::int(-1)));
        let element = self.element(pieces, &array, &counter);
        let question = self.question(pieces, std::slice::from_ref(&element));
        let seen = if self.rng.random() {
            counter.var.clone()
        } else {
            element
        };
        let hit = vec![Stmt::Expr(Expr::assign(found.clone(), seen)), Stmt::Break];
        let body = vec![Stmt::if_then(question, Stmt::Block(hit))];
        draft.add([declaration, counter.declaration.clone()]);
        draft.add([counter.loop_over(body)]);
        draft.add(self.deliver(pieces, found));
        (!pieces.targets.is_empty()).then(|| draft.block())
    }

    /// Two or three loops in each other over an array of as many dimensions, or of one.
    pub(super) fn nest(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let depth = if self.one_in(4) { 3 } else { 2 };
        let turns = if depth == 3 {
            3
        } else {
            pieces.turns.clamp(2, 5)
        };
        let counters: Vec<Counter> = (0..depth)
            .map(|at| self.counter(pieces, &format!("n{at}"), turns))
            .collect();
        let name = self.name("a0");
        let kind = self.width();
        let ty = (0..depth).fold(Type::from(kind), |ty, _| ty.array(turns + 1));
        // In braces for each dimension, as a list of lists.
        let first = Init::Value(self.constant_of(kind));
        let init = (0..depth).fold(first, |init, _| Init::List(vec![init]));
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        let init = Some(init);
        draft.add([Stmt::Declare(Declaration {
            var,
            specifiers: Specifiers::default(),
            init,
        })]);
        let element = |synth: &mut Self| {
            let at = |base: Expr, counter: &Counter| {
                let own = Array {
                    base,
                    len: turns + 1,
                };
                synth.element(pieces, &own, counter)
            };
            counters.iter().fold(Expr::var(&name, ty.clone()), at)
        };
        let (written, read) = (element(self), element(self));
        let start = self.constant_of(kind);
        let (sum, declaration) = self.fresh("v0", kind, Some(start));
        let arithmetic = self.arithmetic();
        let mut leaves: Vec<Expr> = counters.iter().map(|one| one.var.clone()).collect();
        leaves.push(read.clone());
        let value = self.term(pieces, arithmetic, &leaves);
        let fold = self.term(pieces, arithmetic, &[sum.clone(), read]);
        let mut body = vec![
            Stmt::Expr(Expr::assign(written, value)),
            Stmt::Expr(Expr::assign(sum.clone(), fold)),
        ];
        for counter in counters.iter().rev() {
            body = vec![counter.loop_over(body)];
        }
        draft.add([declaration]);
        draft.add(counters.into_iter().map(|one| one.declaration));
        draft.add(body);
        draft.add(self.deliver(pieces, sum));
        (!pieces.targets.is_empty()).then(|| draft.block())
    }

    /// A loop with `while` or `do` over a recurrence in scalars.
    pub(super) fn plain_loop(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut draft = LoopDraft::default();
        let counter = self.counter(pieces, "n0", pieces.turns);
        let kind = self.width();
        let start = self.operand(pieces);
        let (one, first) = self.fresh("v0", kind, Some(start));
        let start = self.constant_of(kind);
        let (two, second) = self.fresh("v1", kind, Some(start));
        let arithmetic = self.arithmetic();
        let next = self.term(pieces, arithmetic, &[one.clone(), two.clone()]);
        let body = vec![
            Stmt::Expr(Expr::assign(two.clone(), next)),
            Stmt::Expr(Expr::compound(
                self.folding(),
                one.clone(),
                counter.var.clone(),
            )),
        ];
        draft.add([first, second, counter.declaration.clone()]);
        draft.add(if self.rng.random() {
            counter.while_over(body)
        } else {
            counter.do_over(body)
        });
        draft.add(self.deliver(pieces, two));
        (!pieces.targets.is_empty()).then(|| draft.block())
    }
}
