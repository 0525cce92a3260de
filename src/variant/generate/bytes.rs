//! Numbers as bytes: unions, copies to and from arrays of bytes, loops over bytes.

use super::Author;
use super::feature::Feature;
use super::names::KnownVariable;
use crate::code::builtin::MemoryOp;
use crate::code::ctype::{Field, Type};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::wide::WideKind;
use rand::Rng;
use rand::seq::IndexedRandom;

pub(super) const BYTE: Type = Type::Int(IntKind::UChar);
/// Statements tried before something else is written.
const TRIES: u32 = 4;

/// What byte code of a program works with.
#[derive(Debug, Default)]
pub(super) struct ByteData {
    unions: Vec<KnownVariable>,
    buffers: Vec<(KnownVariable, u32)>,
}

/// Types of numbers in unions, with their bytes.
pub(super) const NUMBERS: [(IntKind, u32, &str); 8] = [
    (IntKind::UShort, 2, "h"),
    (IntKind::Short, 2, "s"),
    (IntKind::UInt, 4, "u"),
    (IntKind::Int, 4, "i"),
    (IntKind::ULong, 8, "w"),
    (IntKind::Long, 8, "l"),
    (IntKind::SChar, 1, "c"),
    (IntKind::UChar, 1, "b"),
];

impl Author<'_> {
    /// The unions and arrays of bytes that a program has.
    pub(super) fn make_byte_data(&mut self) {
        if !self.policy.features.has(Feature::Bytes) {
            return;
        }
        for _ in 0..self.dice.random_range(1..=2) {
            let bytes = [8, 8, 16][self.dice.random_range(0..3)];
            let mut fields = vec![Field::new("b", BYTE.array(bytes.into()))];
            for (kind, each, name) in NUMBERS {
                if name != "b" && self.percent(60) {
                    let len = u64::from(bytes / each);
                    fields.push(Field::new(name, Type::Int(kind).array(len)));
                }
            }
            self.add_vector_members(bytes, &mut fields);
            let name = self.fresh("union u");
            let ty = self.ledger.session.define_union(&name, fields);
            for _ in 0..2 {
                let named =
                    self.extra_global("u", &ty, 0, |author, _| author.dice.random_range(0..256));
                self.bytes.unions.extend(named);
            }
        }
        for _ in 0..self.dice.random_range(1..=2) {
            let len = self.dice.random_range(16..=40);
            let ty = BYTE.array(u64::from(len));
            let named =
                self.extra_global("b", &ty, 0, |author, _| author.dice.random_range(0..256));
            self.bytes.buffers.extend(named.map(|named| (named, len)));
        }
    }

    /// Vectors, and a number of 128 bits, as members of a union of so many bytes.
    fn add_vector_members(&mut self, bytes: u32, fields: &mut Vec<Field>) {
        let features = self.policy.features;
        if bytes == 16 && features.has(Feature::Int128) && self.percent(60) {
            fields.push(Field::new("q", Type::Wide(WideKind::UInt128).array(1)));
        }
        let mut vectors = self.vectors.types.iter();
        if let Some(vector) = vectors.find(|ty| ty.vector_bytes() == Some(bytes)) {
            fields.push(Field::new("v", vector.clone().array(1)));
        }
    }

    /// A statement that sees numbers as bytes.
    pub(super) fn byte_statement(&mut self) {
        let features = self.policy.features;
        for _ in 0..TRIES {
            let most = if features.has(Feature::Memory) { 12 } else { 9 };
            let made = match self.dice.random_range(0..most) {
                0..=2 => self.union_written(),
                3..=5 => self.union_read(),
                6 => self.union_copied(),
                7 => self.byte_loop(),
                8 => self.word_loop(),
                9 => self.number_packed(),
                10 => self.number_unpacked(),
                _ => self.bytes_moved(),
            };
            if let Some(stmt) = made.and_then(|stmt| self.try_run(stmt)) {
                return self.push(stmt);
            }
        }
        self.assign();
    }

    /// A number in a union, at a constant or computed index.
    fn union_part(&mut self) -> Option<Expr> {
        let named = self.bytes.unions.choose(&mut self.dice)?.clone();
        let Type::Record(name) = &named.ty else {
            return None;
        };
        let fields = self.types().get(name)?.fields.clone();
        let field = fields.choose(&mut self.dice)?;
        let Type::Array { len, .. } = &field.ty else {
            return None;
        };
        let index = if self.percent(30) {
            let term = self.scalar_leaf()?;
            self.bent(term, *len).expr
        } else {
            Expr::int(self.dice.random_range(0..*len as i32))
        };
        let part = named.expr().field(&field.name).index(index);
        // One lane of a vector.
        Some(match &field.ty {
            Type::Array { of, .. } => match **of {
                Type::Vector { len, .. } => {
                    part.index(Expr::int(self.dice.random_range(0..len as i32)))
                }
                _ => part,
            },
            _ => part,
        })
    }

    fn union_written(&mut self) -> Option<Stmt> {
        let part = self.union_part()?;
        let value = if self.percent(30) {
            self.union_part()?
        } else {
            self.small_expression().expr
        };
        Some(Stmt::Expr(if self.percent(30) {
            let ops = [BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::Add];
            Expr::compound(*ops.choose(&mut self.dice)?, part, value)
        } else {
            Expr::assign(part, value)
        }))
    }

    fn union_read(&mut self) -> Option<Stmt> {
        let part = self.union_part()?;
        let holder = self.writable_holder()?;
        let value = if self.percent(50) {
            let other = self.union_part()?;
            let ops = [BinaryOp::BitXor, BinaryOp::BitAnd, BinaryOp::BitOr];
            Expr::binary(*ops.choose(&mut self.dice)?, part, other)
        } else {
            part
        };
        Some(Stmt::Expr(Expr::assign(holder.expr, value)))
    }

    fn union_copied(&mut self) -> Option<Stmt> {
        let to = self.bytes.unions.choose(&mut self.dice)?.clone();
        let mut same = self.bytes.unions.iter();
        let same = same.find(|other| other.ty == to.ty && other.name != to.name)?;
        Some(Stmt::Expr(Expr::assign(to.expr(), same.expr())))
    }

    /// A pointer to so many bytes of a buffer.
    fn byte_pointer(&mut self, room: u32) -> Option<Expr> {
        let (named, len) = self.bytes.buffers.choose(&mut self.dice)?.clone();
        let last = len.checked_sub(room)?;
        let at = self.dice.random_range(0..=last);
        Some(Expr::binary(
            BinaryOp::Add,
            named.expr(),
            Expr::int(at as i32),
        ))
    }

    /// A number's bytes copied into a buffer, wherever they may come to lie.
    fn number_packed(&mut self) -> Option<Stmt> {
        let (kind, bytes, _) = NUMBERS[self.dice.random_range(0..6)];
        let number = self.scratch("n", &Type::Int(kind))?;
        let value = self.small_expression().expr;
        let to = self.byte_pointer(bytes)?;
        let copy = Expr::memory(MemoryOp::Copy, to, number.clone().address_of(), kind, 1);
        Some(Stmt::Block(vec![
            Stmt::Expr(Expr::assign(number, value)),
            Stmt::Expr(copy),
        ]))
    }

    /// A number made of bytes of a buffer.
    fn number_unpacked(&mut self) -> Option<Stmt> {
        let (kind, bytes, _) = NUMBERS[self.dice.random_range(0..6)];
        let number = self.scratch("n", &Type::Int(kind))?;
        let from = self.byte_pointer(bytes)?;
        let copy = Expr::memory(MemoryOp::Copy, number.clone().address_of(), from, kind, 1);
        let holder = self.writable_holder()?;
        Some(Stmt::Block(vec![
            Stmt::Expr(copy),
            Stmt::Expr(Expr::assign(holder.expr, number)),
        ]))
    }

    fn counted(&self, counter: Expr, turns: u32, body: Stmt) -> Stmt {
        Stmt::for_loop(
            Expr::assign(counter.clone(), Expr::int(0)),
            Expr::binary(BinaryOp::Lt, counter.clone(), Expr::int(turns as i32)),
            Expr::step(StepOp::PostIncrement, counter),
            Stmt::Block(vec![body]),
        )
    }

    /// A loop over bytes: moved, reversed, combined.
    fn byte_loop(&mut self) -> Option<Stmt> {
        let counter = self.scratch("i", &Type::INT)?;
        let turns = self.dice.random_range(3..=15);
        let (to, from) = (self.byte_pointer(turns + 1)?, self.byte_pointer(turns + 1)?);
        let index = match self.dice.random_range(0..3) {
            0 => Expr::binary(BinaryOp::Sub, Expr::int(turns as i32), counter.clone()),
            1 => Expr::binary(BinaryOp::Add, counter.clone(), Expr::int(1)),
            _ => counter.clone(),
        };
        let value = from.index(index);
        let element = to.index(counter.clone());
        let body = Stmt::Expr(match self.dice.random_range(0..3) {
            0 => Expr::compound(BinaryOp::BitXor, element, value),
            1 => Expr::assign(element, Expr::int(self.dice.random_range(0..256))),
            _ => Expr::assign(element, value),
        });
        Some(self.counted(counter, turns, body))
    }

    /// A number taken apart or put together byte by byte, in one order or the other.
    fn word_loop(&mut self) -> Option<Stmt> {
        let counter = self.scratch("i", &Type::INT)?;
        let (kind, bytes) = if self.dice.random() {
            (IntKind::UInt, 4)
        } else {
            (IntKind::ULong, 8)
        };
        let word = self.scratch("n", &Type::Int(kind))?;
        let memory = self.byte_pointer(bytes)?;
        let turn = if self.dice.random() {
            counter.clone()
        } else {
            Expr::binary(BinaryOp::Sub, Expr::int(bytes as i32 - 1), counter.clone())
        };
        let shift = Expr::binary(BinaryOp::Mul, turn, Expr::int(8));
        let byte = memory.index(counter.clone());
        if self.dice.random() {
            let value = self.small_expression().expr;
            let part = Expr::binary(BinaryOp::Shr, word.clone(), shift);
            let body = Stmt::Expr(Expr::assign(byte, part));
            return Some(Stmt::Block(vec![
                Stmt::Expr(Expr::assign(word, value)),
                self.counted(counter, bytes, body),
            ]));
        }
        let part = Expr::binary(BinaryOp::Shl, byte.cast(kind), shift);
        let body = Stmt::Expr(Expr::compound(BinaryOp::BitOr, word.clone(), part));
        let holder = self.writable_holder()?;
        Some(Stmt::Block(vec![
            Stmt::Expr(Expr::assign(word.clone(), Expr::int(0))),
            self.counted(counter, bytes, body),
            Stmt::Expr(Expr::assign(holder.expr, word)),
        ]))
    }

    /// Parts of buffers moved, filled, or compared.
    fn bytes_moved(&mut self) -> Option<Stmt> {
        let count = self.dice.random_range(2..=14);
        let (to, from) = (self.byte_pointer(count)?, self.byte_pointer(count)?);
        let call = match self.dice.random_range(0..4) {
            0 => {
                let byte = Expr::int(self.dice.random_range(0..256));
                Expr::memory(MemoryOp::Set, to, byte, BYTE, count)
            }
            1 => {
                let op = if self.dice.random() {
                    MemoryOp::Equal
                } else {
                    MemoryOp::Less
                };
                let holder = self.writable_holder()?;
                Expr::assign(holder.expr, Expr::memory(op, to, from, BYTE, count))
            }
            // Copied where it is defined: else it is tried as a move.
            2 => Expr::memory(MemoryOp::Copy, to, from, BYTE, count),
            _ => Expr::memory(MemoryOp::Move, to, from, BYTE, count),
        };
        Some(Stmt::Expr(call))
    }
}
