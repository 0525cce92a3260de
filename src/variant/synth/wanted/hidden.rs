//! Locals whose value no optimiser knows, for points where it knows all others.

use super::super::{KnownScalar, Synth, View};
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

impl<R: Rng> Synth<'_, R> {
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
