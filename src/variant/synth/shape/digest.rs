//! One number that depends on everything a live block has computed.

use super::Growing;
use crate::code::expr::Expr;
use crate::code::types::IntKind;
use crate::variant::synth::{KnownScalar, Synth, View};
use rand::Rng;

impl<R: Rng> Synth<'_, R> {
    /// A local for the digest.
    pub(super) fn digest_local(&mut self, growing: &mut Growing) -> Option<KnownScalar> {
        let start = match self.some_mixed(&growing.view) {
            Some(mixed) => mixed,
            None => self.constant(),
        };
        let name = self.name("h0");
        growing.declare(self.types, &name, IntKind::ULongLong, start)
    }

    /// The digest takes in these values, as far as they can be made the same in all visits.
    pub(super) fn digested<'k>(
        &mut self,
        view: &View,
        digest: &'k KnownScalar,
        taken: impl Iterator<Item = &'k KnownScalar>,
    ) -> Expr {
        let mut parts = Vec::new();
        for known in taken.chain([digest]) {
            if let Some((part, _)) = self.fixed_from(view, &known.read) {
                parts.push(part);
            }
        }
        let mixed = self.mixed(view, parts);
        Expr::assign(digest.lvalue.clone(), mixed)
    }
}
