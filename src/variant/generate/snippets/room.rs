//! Arrays of snippets whose length is computed, on the stack and on the heap (`room`).
//!
//! The length is known to the writer, and running the snippet shows that it comes to that; so
//! no access is out of bounds. An optimiser has to find out as much.

use super::{SnippetStyle, SnippetWriter};
use crate::code::builtin::MemoryOp;
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Declaration, Init, Room, Specifiers, Stmt};
use crate::code::types::IntKind;
use rand::Rng;

impl SnippetWriter {
    /// A block with such an array, of which something is left in numbers of the snippet.
    pub(super) fn room_block(&mut self) -> Stmt {
        let kind = self.kind();
        let len = self.dice.random_range(1..=12_i32);
        let mut items = Vec::new();
        let length = if self.style == SnippetStyle::Once && self.percent(70) {
            self.steered(len)
        } else {
            let var = self.var("n", Type::INT);
            items.push(Stmt::Declare(Declaration {
                var: var.clone(),
                specifiers: Specifiers {
                    volatile: self.percent(40),
                    ..Specifiers::default()
                },
                init: Some(Init::Value(Expr::int(len))),
            }));
            Expr::Var(var)
        };
        let room = self.one_of(&[Room::Stack, Room::Heap]);
        let var = self.var("a", Type::Int(kind).array(len as u64));
        items.push(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init: Some(Init::Room { length, room }),
        }));
        let array = || Expr::Var(var.clone());
        let counter = self.var("i", Type::INT);
        items.push(Stmt::declare(&counter.name, IntKind::Int, None));
        let i = || Expr::Var(counter.clone());
        let each = |body: Expr| {
            Stmt::for_loop(
                Expr::assign(i(), Expr::int(0)),
                Expr::binary(BinaryOp::Lt, i(), Expr::int(len)),
                Expr::step(StepOp::PostIncrement, i()),
                Stmt::Block(vec![Stmt::Expr(body)]),
            )
        };
        if self.percent(25) {
            let byte = Expr::int(self.one_of(&[0, 1, 255]));
            let set = Expr::memory(MemoryOp::Set, array(), byte, kind, len as u32);
            items.push(Stmt::Expr(set));
        } else {
            let value = self.expr(1);
            let mixed = Expr::binary(BinaryOp::BitXor, value.cast(IntKind::UInt), i());
            items.push(each(Expr::assign(array().index(i()), mixed)));
        }
        for _ in 0..self.dice.random_range(1..=3) {
            let index = self.index(len as u64);
            let element = array().index(index);
            let value = self.expr(1);
            items.push(Stmt::Expr(if self.percent(50) {
                Expr::assign(element, value)
            } else {
                Expr::compound(BinaryOp::BitXor, element, value)
            }));
        }
        if let Some(target) = self.writable() {
            let taken = if self.percent(50) {
                each(Expr::compound(BinaryOp::BitXor, target, array().index(i())))
            } else {
                let index = self.index(len as u64);
                let element = array().index(index);
                Stmt::Expr(Expr::compound(BinaryOp::BitXor, target, element))
            };
            items.push(taken);
        }
        Stmt::Block(items)
    }
}
