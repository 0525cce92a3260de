//! Variables of ours whose value no optimiser knows, for points where it knows all others:
//! locals that are read from volatile ones, and variables that other files could change.

use super::super::{KnownScalar, Synth, View};
use crate::code::ctype::Types;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::source::outside::OutsideVariable;
use rand::Rng;
use rand::seq::IndexedRandom;

/// The types of variables at file level.
const KINDS: [IntKind; 7] = [
    IntKind::Int,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULongLong,
    IntKind::Short,
    IntKind::UChar,
];

impl View {
    /// Adds a variable at file level as one more scalar, which live code may only read.
    pub(crate) fn add_outside(&mut self, types: &Types, variable: &OutsideVariable) {
        let OutsideVariable { name, value } = variable;
        let kind = value.kind();
        if self.world.add_local(types, name, kind, &(*value).into()) {
            self.scalars.push(KnownScalar::outside(name, kind));
        }
    }
}

impl<R: Rng> Synth<'_, R> {
    /// A variable at file level.
    pub(crate) fn outside(&mut self) -> OutsideVariable {
        let kind = *KINDS.choose(self.rng).expect("there are some");
        let bits = self.rng.random_range(1..=kind.bits(self.types.target));
        let math = self.rng.random::<u64>() >> (64 - bits);
        let value = Value::new(kind, math.into(), self.types.target);
        OutsideVariable {
            name: self.name("x0").into(),
            value,
        }
    }

    /// A local with a value that was read from a volatile one, and the declarations of
    /// both. It is one more scalar of the view, which nothing may write.
    ///
    /// Two reads of a volatile object in one expression would not be sequenced, hence the
    /// second local.
    pub(crate) fn hidden(&mut self, view: &mut View) -> Option<Vec<Stmt>> {
        let kind = IntKind::UInt;
        let value = Value::new(kind, self.rng.random::<u32>().into(), self.types.target);
        let (source, name) = (self.name("s0"), self.name("q0"));
        if !view.world.add_local(self.types, &name, kind, &value.into()) {
            return None;
        }
        let mut local = KnownScalar::local(&name, kind);
        local.is_writable = false;
        local.is_opaque = true;
        view.scalars.push(local);
        let seen = Stmt::Declare(Declaration {
            var: Var {
                name: source.as_str().into(),
                ty: kind.into(),
            },
            init: Some(Init::Value(value.into())),
            specifiers: Specifiers {
                volatile: true,
                ..Specifiers::default()
            },
        });
        let unseen = Stmt::declare(&name, kind, Some(Expr::var(&source, kind)));
        Some(vec![seen, unseen])
    }
}
