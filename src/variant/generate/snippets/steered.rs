//! Numbers that the writer knows and an optimiser does not: expressions over globals that
//! hold what they started with.
//!
//! Where a bound, an index or an argument is such an expression, passes that count turns, find
//! ranges or lay out memory work with a formula, and what they conclude can be wrong. It takes
//! a single row of inputs, so only snippets that run once have them.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use rand::Rng;

/// A global and what it holds at the start.
struct Key {
    /// The global itself, or a pointer to it followed.
    read: Expr,
    kind: IntKind,
    start: i128,
}

impl SnippetWriter {
    /// An expression that comes to a number as long as what it reads is not changed; the number
    /// itself where snippets run more than once.
    pub(super) fn steered(&mut self, wanted: i32) -> Expr {
        if self.style != SnippetStyle::Once {
            return Expr::int(wanted);
        }
        if self.has(Feature::Everyday)
            && self.percent(15)
            && let Some(call) = self.everyday_worth(wanted)
        {
            return call;
        }
        let key = self.key();
        let wanted = i128::from(wanted);
        if self.percent(12) && self.snippet.functions.len() < 4 {
            return self.steered_call(&key, wanted);
        }
        self.formula(&key, wanted)
    }

    /// A formula over a global for a number.
    pub(super) fn known(&mut self, wanted: i32) -> Expr {
        let key = self.key();
        self.formula(&key, wanted.into())
    }

    /// The same of so many times in a hundred, else the number itself.
    pub(super) fn steered_sometimes(&mut self, percent: u32, wanted: i32) -> Expr {
        if self.percent(percent) {
            self.steered(wanted)
        } else {
            Expr::int(wanted)
        }
    }

    fn formula(&mut self, key: &Key, wanted: i128) -> Expr {
        let (read, start) = (key.read.clone(), key.start);
        let form = self.dice.random_range(0..12);
        let less = |by: i128| Expr::binary(BinaryOp::Sub, read.clone(), self.literal(by));
        let plus = |expr: Expr, by: i128| match by {
            0 => expr,
            by => Expr::binary(BinaryOp::Add, expr, self.literal(by)),
        };
        let expr = match form {
            0..4 => plus(read.clone(), wanted - start),
            4 | 5 => less(start - wanted),
            6 | 7 => {
                let apart = i128::from(start as i8);
                let (left, right) = (less(start - apart), less(start - wanted + apart));
                Expr::binary(BinaryOp::Add, left, right)
            }
            8 => Expr::binary(
                BinaryOp::BitXor,
                read.clone(),
                self.literal((start ^ wanted) as i64 as i128),
            ),
            9 => {
                let equals = Expr::binary(BinaryOp::Eq, read.clone(), self.literal(start));
                plus(equals, wanted - 1)
            }
            10 => plus(less(start).cast(IntKind::UChar), wanted),
            _ if (0..=127).contains(&wanted) => less(start - wanted).cast(IntKind::UChar),
            _ => less(start - wanted).cast(IntKind::Short),
        };
        // Below zero, an unsigned number would be a large one.
        if wanted < 0 && key.kind.promoted().min(self.target()) == 0 {
            return expr.cast(IntKind::Int);
        }
        expr
    }

    /// The same in a function of its own.
    fn steered_call(&mut self, key: &Key, wanted: i128) -> Expr {
        let apart = self.dice.random_range(-9..=20);
        let value = self.formula(key, apart).cast(IntKind::Int);
        let callee = self.giving(Vec::new(), Vec::new(), Type::INT, value);
        let call = Expr::call(callee, Vec::new());
        if apart == wanted {
            return call;
        }
        Expr::binary(BinaryOp::Add, call, self.literal(wanted - apart))
    }

    /// A global that holds what it started with, at least so far, or a new one that nothing
    /// else in the snippet names.
    fn key(&mut self) -> Key {
        let target = self.target();
        let keys = self.snippet.inputs.iter().filter(|global| {
            let kind = global.var.ty.int_kind();
            kind.is_some_and(|kind| kind != IntKind::Bool) && !global.is_volatile
        });
        let keys: Vec<Var> = keys.map(|global| global.var.clone()).collect();
        let var = if keys.is_empty() || self.percent(40) {
            let kind = if self.percent(70) {
                IntKind::Int
            } else {
                self.counting_kind()
            };
            self.key_of(kind)
        } else {
            keys[self.dice.random_range(0..keys.len())].clone()
        };
        let kind = var.ty.int_kind().unwrap_or(IntKind::Int);
        let mut inputs = self.snippet.inputs.iter();
        let global = inputs.find(|global| global.var == var);
        let start = global.map_or(0, |global| global.fill.column(0)[0]);
        // It is not to be drawn anew.
        self.snippet.keys.push(var.clone());
        let address = Expr::Var(var.clone()).address_of();
        let mut pointers = self.snippet.pointers.iter();
        let pointer = pointers.find(|pointer| pointer.start == address);
        let pointer = pointer.map(|pointer| Expr::Var(pointer.var.clone()).deref());
        let read = match pointer {
            Some(pointer) if self.percent(60) => pointer,
            _ => Expr::Var(var),
        };
        let start = Value::new(kind, start.into(), target).math();
        Key { read, kind, start }
    }

    fn key_of(&mut self, kind: IntKind) -> Var {
        let var = self.global(Type::Int(kind));
        self.objects.retain(|object| *object != var);
        if self.percent(45) {
            let shift = self.dice.random_range(0..31);
            let start = self.dice.random::<i32>() >> shift;
            self.start_with(&var, start.into());
        }
        var
    }

    /// Sets what a global of a snippet that runs once starts with.
    pub(super) fn start_with(&mut self, var: &Var, start: i64) {
        let kind = var.ty.int_kind().unwrap_or(IntKind::Int);
        let carrier = Value::new(kind, start.into(), self.target()).carrier();
        let mut inputs = self.snippet.inputs.iter_mut();
        if let Some(global) = inputs.find(|global| global.var == *var) {
            global.fill.set_row(0, vec![carrier]);
        }
    }

    /// A type that numbers can be counted with.
    pub(super) fn counting_kind(&mut self) -> IntKind {
        match self.kind() {
            IntKind::Bool => IntKind::UChar,
            kind => kind,
        }
    }

    fn literal(&self, number: i128) -> Expr {
        let target = self.target();
        let fits = number >= IntKind::Int.min(target) && number <= IntKind::Int.max(target);
        let kind = if fits { IntKind::Int } else { IntKind::Long };
        Expr::Const(Value::new(kind, number, target))
    }
}
