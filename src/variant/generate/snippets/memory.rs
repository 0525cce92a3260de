//! Pointers, and functions on memory.

use super::SnippetWriter;
use crate::code::builtin::MemoryOp;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::scalar::ScalarKind;
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::variant::generate::idioms::LENGTH;
use crate::variant::generate::request::ProgramLanguage;
use rand::Rng;

/// How many elements an array has.
pub(super) fn length_of(ty: &Type) -> u64 {
    match ty {
        Type::Array { len, .. } => *len,
        _ => 0,
    }
}

impl SnippetWriter {
    /// Declares an array or struct with what its first scalars hold.
    pub(super) fn declare_list(&mut self, var: Var, items: Vec<Expr>) {
        let items = items.into_iter().enumerate();
        let items = items.map(|(cell, item)| self.listed(&var.ty, cell as u32, item));
        let init = Init::List(items.collect());
        self.declarations.push(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init: Some(init),
        }));
        self.objects.push(var);
    }

    /// A value for a scalar of something that is initialised by a list: in C++ it must fit.
    pub(super) fn listed(&self, ty: &Type, cell: u32, value: Expr) -> Init {
        Init::Value(match self.types.scalar_at(ty, cell) {
            Some(ScalarKind::Int(kind)) if self.language == ProgramLanguage::CPlusPlus => {
                value.cast(kind)
            }
            _ => value,
        })
    }

    /// A pointer to a variable or an element, which later statements follow.
    pub(super) fn pointer(&mut self) -> Stmt {
        let numbers = self.targets(|ty| ty.int_kind().is_some());
        if numbers.is_empty() {
            return self.assignment();
        }
        let (target, ty) = numbers[self.dice.random_range(0..numbers.len())].clone();
        let alike = numbers.iter().filter(|(_, other)| *other == ty);
        let alike: Vec<Expr> = alike.map(|(target, _)| target.clone()).collect();
        let other = alike[self.dice.random_range(0..alike.len())].clone();
        let address = if other != target && self.percent(50) {
            let condition = self.condition(1);
            Expr::conditional(condition, target.address_of(), other.address_of())
        } else {
            target.address_of()
        };
        let pointer = self.var("q", ty.pointer());
        self.declarations.push(Stmt::declare(
            &pointer.name,
            pointer.ty.clone(),
            Some(address),
        ));
        self.objects.push(pointer.clone());
        let value = self.expr(1);
        Stmt::Expr(Expr::assign(Expr::Var(pointer).deref(), value))
    }

    /// A pointer that walks over an array, forwards or back, and reads or writes on its way.
    pub(super) fn walk(&mut self) -> Stmt {
        let arrays = self.number_arrays(2);
        if arrays.is_empty() {
            return self.compound();
        }
        let array = arrays[self.dice.random_range(0..arrays.len())].clone();
        let Type::Array { of, len } = &array.ty else {
            return self.compound();
        };
        let name = Expr::Var(array.clone());
        let at = |number: u64| Expr::binary(BinaryOp::Add, name.clone(), Expr::int(number as i32));
        let pointer = self.var("q", (**of).clone().pointer());
        let back = self.percent(40);
        let (start, end) = if back {
            (at(*len), at(0))
        } else {
            (at(0), at(*len))
        };
        self.declarations.push(Stmt::declare(
            &pointer.name,
            pointer.ty.clone(),
            Some(start),
        ));
        let pointer = Expr::Var(pointer);
        let goes_on = if self.percent(50) {
            Expr::binary(BinaryOp::Ne, pointer.clone(), end)
        } else if back {
            Expr::binary(BinaryOp::Gt, pointer.clone(), end)
        } else {
            Expr::binary(BinaryOp::Lt, pointer.clone(), end)
        };
        let condition = if self.percent(40) {
            Expr::logical(LogicalOp::And, goes_on, self.condition(1))
        } else {
            goes_on
        };
        let step = if back {
            StepOp::PreDecrement
        } else {
            StepOp::PostIncrement
        };
        let element = Expr::step(step, pointer).deref();
        let stmt = match self.writable() {
            Some(target) if self.percent(50) => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub]);
                Expr::compound(op, target, element)
            }
            _ => {
                let value = self.expr(1);
                Expr::assign(element, value)
            }
        };
        let mut body = vec![Stmt::Expr(stmt)];
        if self.percent(40) {
            body.push(self.compound());
        }
        Stmt::while_loop(condition, Stmt::Block(body))
    }

    /// The arrays of numbers in sight that have so many elements or more.
    pub(super) fn number_arrays(&self, least: u64) -> Vec<Var> {
        let arrays = self.objects.iter().filter(|var| match &var.ty {
            Type::Array { of, len } => of.int_kind().is_some() && *len >= least,
            _ => false,
        });
        arrays.cloned().collect()
    }

    /// What a pointer to one of some types can point to: variables in sight, and the first
    /// elements of arrays.
    pub(super) fn targets(&self, is_target: impl Fn(&Type) -> bool) -> Vec<(Expr, Type)> {
        let targets = self.objects.iter().filter_map(|var| {
            let name = Expr::Var(var.clone());
            match &var.ty {
                ty if is_target(ty) => Some((name, ty.clone())),
                Type::Array { of, .. } if is_target(of) => {
                    Some((name.index(Expr::int(0)), (**of).clone()))
                }
                _ => None,
            }
        });
        targets.collect()
    }

    /// `memcpy`, `memset` and their like on arrays.
    pub(super) fn memory_call(&mut self) -> Stmt {
        let arrays = self.number_arrays(1);
        if arrays.is_empty() {
            return self.compound();
        }
        let to = arrays[self.dice.random_range(0..arrays.len())].clone();
        let Type::Array { of, len } = &to.ty else {
            return self.compound();
        };
        let alike = arrays.iter().filter(|other| match &other.ty {
            Type::Array { of: other, .. } => other == of,
            _ => false,
        });
        let alike: Vec<Var> = alike.cloned().collect();
        let from = alike[self.dice.random_range(0..alike.len())].clone();
        let shortest = (*len).min(length_of(&from.ty));
        let count = self.dice.random_range(1..=shortest) as u32;
        let [to_at, from_at] = [*len, length_of(&from.ty)]
            .map(|len| self.dice.random_range(0..=len - u64::from(count)) as i32);
        let start = |var: &Var, at: i32| Expr::Var(var.clone()).index(Expr::int(at)).address_of();
        let (to, from) = (start(&to, to_at), start(&from, from_at));
        let of = (**of).clone();
        Stmt::Expr(match self.dice.random_range(0..3) {
            0 => {
                let byte = Expr::int(self.dice.random_range(0..=255));
                Expr::memory(MemoryOp::Set, to, byte, of, count)
            }
            1 => Expr::memory(MemoryOp::Copy, to, from, of, count),
            _ => Expr::memory(MemoryOp::Move, to, from, of, count),
        })
    }

    /// An array that is long enough for idioms, a new one if there is none; of bytes if wanted.
    pub(super) fn idiom_array(&mut self, bytes: bool) -> Var {
        let suits = |var: &&Var| match &var.ty {
            Type::Array { of, len } => {
                let kind = of.int_kind();
                *len >= LENGTH && kind.is_some() && (!bytes || kind == Some(IntKind::UChar))
            }
            _ => false,
        };
        let known: Vec<Var> = self.objects.iter().filter(suits).cloned().collect();
        if !known.is_empty() && self.percent(70) {
            return known[self.dice.random_range(0..known.len())].clone();
        }
        let kind = if bytes { IntKind::UChar } else { self.kind() };
        let len = self.dice.random_range(LENGTH..=LENGTH + 8);
        // In sight of this statement and those behind it.
        self.global(Type::Int(kind).array(len))
    }
}
