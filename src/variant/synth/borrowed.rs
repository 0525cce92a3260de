//! Calls of functions that come from other programs, with arguments that no optimiser knows.
//!
//! The arguments have one value each in all visits, so what the function gives is one number,
//! and stands for itself wherever a value may be mixed with what is known: the optimiser sees a
//! loop over a table, a conversion or a search at a place where it had a variable.

use super::{HelperCall, Synth, View};
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::donor::DonorFunction;
use rand::Rng;
use rand::seq::IndexedRandom;

/// How often other arguments are tried: many functions are defined for some only.
const TRIES: u32 = 4;

/// How many steps a call may take, and where it is made at every turn of a hot loop.
const STEPS: u64 = 1_500;
const STEPS_IF_HOT: u64 = 150;

impl<R: Rng> Synth<'_, R> {
    /// The value of `carrier` by way of a call of a donor function, in the unsigned type
    /// that it is computed in.
    pub(crate) fn by_borrowed_call(
        &mut self,
        view: &View,
        carrier: &Expr,
        donor: &DonorFunction,
        is_hot: bool,
    ) -> Option<HelperCall> {
        let donor = donor.renamed(|name| self.name(name).as_str().into())?;
        let (function, callees) = donor.functions().split_last()?;
        let functions = donor.by_name();
        let steps = if is_hot { STEPS_IF_HOT } else { STEPS };
        let evaluator = Evaluator::new(self.types)
            .with_functions(&functions)
            .with_step_limit(steps);
        let kind = function.result.int_kind()?.promoted().to_unsigned();
        let given = (0..TRIES).find_map(|_| {
            let kinds = function.params.iter().map(|param| param.ty.int_kind());
            let args = kinds.map(|kind| self.argument(view, kind?));
            let call = Expr::call(function.callee(), args.collect::<Option<_>>()?);
            let call = self.as_kind(call, kind);
            let math = view.world.only(evaluator, &call)?;
            Some((call, Value::new(kind, math, self.types.target)))
        })?;
        Some(HelperCall {
            expr: self.entangled_with(view, carrier, given)?,
            function: function.clone(),
            callees: callees.to_vec(),
        })
    }

    /// An expression with one value in all visits: mostly a small one, which most functions
    /// are defined for.
    fn argument(&mut self, view: &View, kind: IntKind) -> Option<Expr> {
        let target = self.types.target;
        if self.one_in(3) {
            let (expr, _) = self.fixed(view)?;
            let bits: u32 = *[3, 7, 8, 12, 31].choose(self.rng)?;
            let mask = Expr::int(i32::MAX >> (31 - bits));
            return Some(Expr::binary(BinaryOp::BitAnd, expr, mask));
        }
        let least = if kind.signed(target) && self.one_in(4) {
            -100
        } else {
            0
        };
        let most = *[9, 40, 127].choose(self.rng)?;
        let math = self.rng.random_range(least..=most);
        self.worth(view, Value::new(kind.promoted(), math, target))
    }
}
