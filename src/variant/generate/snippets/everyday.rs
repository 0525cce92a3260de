//! Calls of everyday functions: the code of real programs, with numbers that a snippet has.
//!
//! Loops over small tables, conversions by way of buffers and searches are what optimisers
//! meet, and inlined beside a snippet's own loops they bring about what neither does alone.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Types;
use crate::code::eval::Evaluator;
use crate::code::expr::{Callee, Expr};
use crate::code::op::BinaryOp;
use crate::code::table::Table;
use crate::code::unit::FunctionDefinition;
use crate::code::value::Value;
use crate::variant::donor::DonorFunction;
use crate::variant::generate::borrowed::{is_borrowed, some_donor};
use rand::Rng;

/// Functions of this sort that a snippet may have.
const MOST: usize = 2;

/// How many steps a snippet may take that calls one.
const STEPS: u64 = 6_000;

/// How many steps one call takes whose value is to be known while the snippet is written.
const STEPS_OF_CALL: u64 = 1_000;

impl SnippetWriter {
    /// A call with arguments of the snippet.
    pub(super) fn everyday_call(&mut self, depth: u32) -> Option<Expr> {
        let donor = self.some_donor()?;
        let callee = self.add_donor(&donor)?;
        self.call_of(callee, depth)
    }

    /// A call that comes to a number as long as what its arguments read is not changed. Only
    /// snippets that run once know such arguments.
    pub(super) fn everyday_worth(&mut self, wanted: i32) -> Option<Expr> {
        if self.style != SnippetStyle::Once {
            return None;
        }
        let donor = self.some_donor()?;
        let params = donor.entry()?.params.len();
        let most = self.one_of(&[9, 40, 127]);
        let numbers = (0..params).map(|_| self.dice.random_range(0..=most));
        let numbers: Vec<i32> = numbers.collect();
        let given = value_of(&self.types, &donor, &numbers)?;
        let apart = i32::try_from(i128::from(wanted) - given).ok()?;
        let is_small = apart.checked_abs().is_some_and(|apart| apart < 1 << 30);
        if !is_small {
            return None;
        }
        let callee = self.add_donor(&donor)?;
        let args = numbers.into_iter().map(|number| self.known(number));
        let call = Expr::call(callee, args.collect());
        Some(match apart {
            0 => call,
            apart => Expr::binary(BinaryOp::Add, call, Expr::int(apart)),
        })
    }

    /// An everyday function, if the snippet has not enough of them.
    fn some_donor(&mut self) -> Option<DonorFunction> {
        let functions = self.snippet.functions.iter();
        if functions.filter(|one| is_borrowed(&one.function)).count() >= MOST {
            return None;
        }
        let prefix = self.fresh("f");
        some_donor(&mut self.dice, &prefix)
    }

    /// Adds a function, with those that it calls.
    fn add_donor(&mut self, donor: &DonorFunction) -> Option<Callee> {
        for function in donor.functions() {
            let mut definition = FunctionDefinition::new_static(function.clone());
            definition.attributes = self.some_attributes();
            self.snippet.functions.push(definition);
        }
        self.snippet.steps = self.snippet.steps.max(STEPS);
        donor.entry().map(|entry| entry.callee())
    }
}

/// What a function gives for some arguments, if it is defined for them and soon done.
fn value_of(types: &Types, donor: &DonorFunction, numbers: &[i32]) -> Option<i128> {
    let functions = donor.by_name();
    let args = numbers.iter().map(|number| Expr::int(*number)).collect();
    let call = Expr::call(donor.entry()?.callee(), args);
    let evaluator = Evaluator::new(types)
        .with_functions(&functions)
        .with_step_limit(STEPS_OF_CALL);
    let values = evaluator.value(&call, &Table::new(1)).ok()?;
    let kind = values.ty.int_kind()?;
    Some(Value::from_carrier(kind, *values.values.first()?).math())
}
