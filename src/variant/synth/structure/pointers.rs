//! Pointers to known objects.

use super::Pieces;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

impl<R: Rng> Synth<'_, R> {
    /// Two pointers that point to the same object or to different ones, written and read
    /// in turns with the objects themselves.
    pub(super) fn through_pointers(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let object = pieces.addressable.choose(self.rng)?.clone();
        let ty = self.types.type_of(&object).ok()?;
        let kind = ty.int_kind()?;
        let start = self.operand(pieces);
        let (own, declaration) = self.fresh("v0", kind, Some(start));
        let pointer = |name: &str| Expr::var(name, ty.clone().pointer());
        let (p, q) = (self.name("p0"), self.name("p1"));
        let address = object.clone().address_of();
        // Of an enum, a pointer to an integer variable would have another type.
        let other = if ty == kind.into() {
            let question = self.question(pieces, std::slice::from_ref(&own));
            Expr::conditional(question, address.clone(), own.clone().address_of())
        } else {
            address.clone()
        };
        let mut items = vec![
            declaration,
            Stmt::declare(&p, ty.clone().pointer(), Some(address)),
            Stmt::declare(&q, ty.clone().pointer(), Some(other)),
        ];
        let through = [
            object,
            own.clone(),
            pointer(&p).deref(),
            pointer(&q).deref(),
        ];
        for _ in 0..self.rng.random_range(2..=4) {
            let target = through.choose(self.rng)?.clone();
            let leaf = through.choose(self.rng)?.clone();
            let arithmetic = self.arithmetic();
            let value = self.term(pieces, arithmetic, &[leaf]);
            items.push(Stmt::Expr(if self.rng.random() {
                Expr::assign(target, value)
            } else {
                Expr::compound(BinaryOp::BitXor, target, value)
            }));
        }
        items.push(self.deliver(pieces, own)?);
        Some(Stmt::Block(items))
    }

    /// A pointer that walks through an array.
    pub(super) fn walk(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let (own, mut items) = self.own_array(pieces, "a0");
        let declared = items.iter().filter(|item| matches!(item, Stmt::Declare(_)));
        let at = declared.count();
        let array = self.some_array(pieces, &own);
        let element = array.base.clone().index(Expr::int(0));
        let ty = self.types.type_of(&element).ok()?;
        let name = self.name("p0");
        let pointer = Expr::var(&name, ty.clone().pointer());
        let start = Some(element.address_of());
        let kind = self.width();
        let first = self.constant_of(kind);
        let (sum, declaration) = self.fresh("v0", kind, Some(first));
        let counter = self.counter(pieces, "n0", array.len);
        let step = Expr::step(StepOp::PostIncrement, pointer.clone());
        // Either the pointer moves, or it stays and is indexed.
        let read = if self.rng.random() {
            step.deref()
        } else {
            pointer.index(counter.var.clone())
        };
        let arithmetic = self.arithmetic();
        let (value, valued) = self.fresh("v1", ty.int_kind()?, None);
        let next = self.term(pieces, arithmetic, &[sum.clone(), value.clone()]);
        let body = vec![
            Stmt::Expr(Expr::assign(value, read)),
            Stmt::Expr(Expr::assign(sum.clone(), next)),
        ];
        let declarations = [
            Stmt::declare(&name, ty.pointer(), start),
            declaration,
            valued,
            counter.declaration.clone(),
        ];
        items.splice(at..at, declarations);
        items.push(counter.loop_over(body));
        items.push(self.deliver(pieces, sum)?);
        Some(Stmt::Block(items))
    }
}
