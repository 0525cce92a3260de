//! Everyday functions in programs of our own: there from the start, called where their
//! arguments suit them.

use super::Author;
use super::feature::Feature;
use super::functions::Purity;
use crate::code::stmt::Function;
use crate::code::unit::FunctionDefinition;
use crate::variant::donor::{DonorFunction, everyday};
use rand::Rng;

/// The most of them in a program.
const MOST: u32 = 5;

impl Author<'_> {
    /// Adds some everyday functions, which expressions and statements can call.
    pub(super) fn borrow_functions(&mut self) {
        let features = self.policy.features;
        if !features.has(Feature::Everyday) || !features.has(Feature::Calls) {
            return;
        }
        for _ in 0..self.dice.random_range(1..=MOST) {
            let prefix = self.fresh("f");
            let Some(donor) = some_donor(&mut self.dice, &prefix) else {
                return;
            };
            let Some((entry, helpers)) = donor.functions().split_last() else {
                return;
            };
            for helper in helpers {
                // Addresses of locals come with what calls it only.
                self.lend(helper, false);
            }
            self.lend(entry, true);
        }
    }

    fn lend(&mut self, function: &Function, callable: bool) {
        let known = self.ledger.session.define(function).is_ok();
        let definition = FunctionDefinition::new_static(function.clone());
        self.finish(definition, Purity::Const, known && callable);
    }
}

/// An everyday function chosen by dice, with all its functions under names that begin alike.
pub(super) fn some_donor(dice: &mut impl Rng, prefix: &str) -> Option<DonorFunction> {
    let donors = everyday().ok()?;
    let donor = donors.get(dice.random_range(0..donors.len().max(1)))?;
    donor.renamed(|name| {
        if donor.defines(name) {
            format!("{prefix}{JOINT}{name}").into()
        } else {
            name.into()
        }
    })
}

/// What stands between a program's own name and the one that the function came with.
const JOINT: char = '_';

/// Whether a function of a program is an everyday one.
pub(super) fn is_borrowed(function: &Function) -> bool {
    function.name.contains(JOINT)
}
