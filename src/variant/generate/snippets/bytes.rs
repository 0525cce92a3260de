//! Numbers of snippets seen as bytes: unions, and copies to and from arrays of bytes.

use super::SnippetWriter;
use crate::code::builtin::MemoryOp;
use crate::code::ctype::{Field, Type};
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::bytes::{BYTE, NUMBERS};
use rand::Rng;

/// The bytes of each array.
const ROOM: u32 = 16;

impl SnippetWriter {
    /// A block with bytes of its own, of which something is left in numbers of the snippet.
    pub(super) fn byte_block(&mut self) -> Stmt {
        if self.percent(50) {
            self.union_block()
        } else {
            self.copies()
        }
    }

    /// Members of a union written and read in turn.
    fn union_block(&mut self) -> Stmt {
        let bytes = self.one_of(&[4, 8, 8, 16]);
        let mut fields = Vec::new();
        for (kind, each, name) in NUMBERS {
            if each <= bytes && (fields.is_empty() || self.percent(50)) {
                let len = u64::from(bytes / each);
                fields.push(Field::new(name, Type::Int(kind).array(len)));
            }
        }
        let name = self.fresh("union u");
        let ty = self.types.define_union(&name, fields.clone());
        let var = self.var("u", ty.clone());
        let whole = Expr::Var(var.clone());
        let mut items = vec![Stmt::declare(&var.name, ty, None)];
        // Each byte has been written before one is read.
        let first = fields[0].clone();
        for at in 0..super::memory::length_of(&first.ty) {
            let part = whole.clone().field(&first.name).index(Expr::int(at as i32));
            let value = self.expr(1);
            items.push(Stmt::Expr(Expr::assign(part, value)));
        }
        for _ in 0..self.dice.random_range(1..=4) {
            let part = self.part_of(&whole, &fields);
            let stmt = if self.percent(50) {
                let value = self.expr(1);
                Expr::assign(part, value)
            } else {
                match self.writable() {
                    Some(target) => Expr::assign(target, part),
                    None => part,
                }
            };
            items.push(Stmt::Expr(stmt));
        }
        if let Some(target) = self.writable() {
            let part = self.part_of(&whole, &fields);
            items.push(Stmt::Expr(Expr::compound(BinaryOp::BitXor, target, part)));
        }
        Stmt::Block(items)
    }

    /// A vector seen as numbers, or made of them: `{ union u x; x.v[0] = vector; n = x.w[1]; }`.
    pub(super) fn seen_as_other(&mut self, vector: &Expr, ty: &Type) -> Stmt {
        let bytes = ty.vector_bytes().unwrap_or(8);
        let fitting = NUMBERS.into_iter();
        let fitting = fitting.filter(|(_, each, _)| (2..=bytes).contains(each));
        let fitting: Vec<(IntKind, u32, &str)> = fitting.collect();
        let (kind, each, name) = self.one_of(&fitting);
        let len = u64::from(bytes / each);
        let fields = vec![
            Field::new("v", ty.clone().array(1)),
            Field::new(name, Type::Int(kind).array(len)),
        ];
        let union_name = self.fresh("union u");
        let union = self.types.define_union(&union_name, fields.clone());
        let var = self.var("u", union.clone());
        let whole = Expr::Var(var.clone());
        let view = whole.clone().field("v").index(Expr::int(0));
        let mut items = vec![Stmt::declare(&var.name, union, None)];
        let numbers = &fields[1..];
        if self.percent(50) {
            items.push(Stmt::Expr(Expr::assign(view, vector.clone())));
            if self.percent(30) {
                let value = self.leaf();
                let part = self.part_of(&whole, numbers);
                items.push(Stmt::Expr(Expr::assign(part, value)));
            }
            let part = self.part_of(&whole, numbers);
            if let Some(target) = self.writable() {
                items.push(Stmt::Expr(Expr::assign(target, part)));
            }
        } else {
            for at in 0..len as i32 {
                let value = self.leaf();
                let part = whole.clone().field(name).index(Expr::int(at));
                items.push(Stmt::Expr(Expr::assign(part, value)));
            }
            items.push(Stmt::Expr(Expr::assign(vector.clone(), view)));
        }
        Stmt::Block(items)
    }

    fn part_of(&mut self, whole: &Expr, fields: &[Field]) -> Expr {
        let field = &fields[self.dice.random_range(0..fields.len())];
        let (name, len) = (field.name.clone(), super::memory::length_of(&field.ty));
        let index = if self.percent(70) {
            Expr::int(self.dice.random_range(0..len) as i32)
        } else {
            self.index(len)
        };
        whole.clone().field(&name).index(index)
    }

    /// Numbers copied into an array of bytes and out of it, wherever they come to lie.
    fn copies(&mut self) -> Stmt {
        let ty = BYTE.array(ROOM.into());
        let array = self.var("b", ty.clone());
        let mut items = vec![Stmt::declare(&array.name, ty, None)];
        let start = |at: u32| {
            let array = Expr::Var(array.clone());
            Expr::binary(BinaryOp::Add, array, Expr::int(at as i32))
        };
        let byte = self.one_of(&[0, 0, 1, 255, 170]);
        items.push(Stmt::Expr(Expr::memory(
            MemoryOp::Set,
            start(0),
            Expr::int(byte),
            BYTE,
            ROOM,
        )));
        let numbers = NUMBERS.map(|(kind, bytes, _)| (kind, bytes));
        for _ in 0..self.dice.random_range(2..=5) {
            let (kind, bytes) = self.one_of(&numbers);
            let at = self.dice.random_range(0..=(ROOM - bytes).min(9));
            let place = match self.counters.last().cloned() {
                // Parts of numbers that lie over each other from turn to turn.
                Some(counter) if self.percent(60) => {
                    let step = self.one_of(&[1, 2, 4, 4]);
                    let by = Expr::binary(BinaryOp::Mul, Expr::Var(counter), Expr::int(step));
                    Expr::binary(BinaryOp::Add, start(at.min(4)), by)
                }
                _ => start(at),
            };
            match self.dice.random_range(0..10) {
                0..5 => {
                    let value = self.expr(1);
                    items.push(self.packed(kind, value, place));
                }
                5..8 => items.extend(self.unpacked(kind, place)),
                8 => {
                    let from = self.dice.random_range(0..=8);
                    let count = self.dice.random_range(1..=7);
                    let (to, from) = (start(at.min(8)), start(from));
                    items.push(Stmt::Expr(Expr::memory(
                        MemoryOp::Move,
                        to,
                        from,
                        BYTE,
                        count,
                    )));
                }
                _ => {
                    let index = self.index(ROOM.into());
                    let value = self.expr(1);
                    let element = Expr::Var(array.clone()).index(index);
                    items.push(Stmt::Expr(Expr::assign(element, value)));
                }
            }
        }
        let (kind, bytes) = self.one_of(&numbers);
        let at = self.dice.random_range(0..=ROOM - bytes);
        items.extend(self.unpacked(kind, start(at)));
        Stmt::Block(items)
    }

    fn packed(&mut self, kind: IntKind, value: Expr, to: Expr) -> Stmt {
        let number = self.var("n", Type::Int(kind));
        let name = Expr::Var(number.clone());
        Stmt::Block(vec![
            Stmt::declare(&number.name, kind, Some(value)),
            Stmt::Expr(Expr::memory(MemoryOp::Copy, to, name.address_of(), kind, 1)),
        ])
    }

    fn unpacked(&mut self, kind: IntKind, from: Expr) -> Option<Stmt> {
        let number = self.var("n", Type::Int(kind));
        let name = Expr::Var(number.clone());
        let copy = Expr::memory(MemoryOp::Copy, name.clone().address_of(), from, kind, 1);
        let target = self.writable()?;
        let taken = if self.percent(50) {
            Expr::assign(target, name)
        } else {
            Expr::compound(BinaryOp::BitXor, target, name)
        };
        Some(Stmt::Block(vec![
            Stmt::declare(&number.name, kind, None),
            Stmt::Expr(copy),
            Stmt::Expr(taken),
        ]))
    }
}
