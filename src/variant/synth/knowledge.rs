//! What rows and ranges can each say of the visits of a point.

use super::world::World;
use crate::code::ctype::{Type, Types};
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::range::Ranges;
use crate::code::stmt::Stmt;
use crate::code::table::{State, Table};
use crate::code::trouble::Stop;
use crate::code::types::IntKind;
use crate::code::value::Value;
use std::fmt::Debug;

/// The value of an expression, as far as it is known.
pub(super) struct ValueSummary {
    pub(super) kind: IntKind,
    /// One number for each visit; of ranges, the bounds.
    pub(super) values: Vec<i128>,
    /// Whether there are no values but these.
    pub(super) is_exact: bool,
}

/// Something that knows the variables in all visits of a point.
pub(super) trait Knowledge: Debug {
    fn boxed(&self) -> Box<dyn Knowledge>;

    fn knows(&self, name: &str) -> bool;

    /// Adds a variable none of whose parts are known; false if it cannot be.
    fn declare(&mut self, types: &Types, name: &str, ty: Type) -> bool;

    fn observe(&self, evaluator: Evaluator, expr: &Expr) -> Result<ValueSummary, Stop>;

    /// Whether a condition holds in every visit or in none; `None` if neither
    /// is certain.
    fn truth(&self, evaluator: Evaluator, condition: &Expr) -> Option<bool>;

    /// What is known after a statement; `None` unless it certainly runs to its
    /// end.
    fn after(&self, evaluator: Evaluator, stmt: &Stmt) -> Result<Option<World>, Stop>;
}

/// The integers that stand for the values of a type; of a floating-point number, its bits.
fn kind_of(ty: &Type) -> IntKind {
    match ty {
        Type::Float(_) => IntKind::ULongLong,
        _ => ty.int_kind().unwrap_or(IntKind::Int),
    }
}

impl Knowledge for Table {
    fn boxed(&self) -> Box<dyn Knowledge> {
        Box::new(self.clone())
    }

    fn knows(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn declare(&mut self, types: &Types, name: &str, ty: Type) -> bool {
        self.add(types, name, ty, State::Unknown).is_some()
    }

    fn observe(&self, evaluator: Evaluator, expr: &Expr) -> Result<ValueSummary, Stop> {
        let found = evaluator.value(expr, self)?;
        let kind = kind_of(&found.ty);
        let carriers = found.values.into_iter();
        Ok(ValueSummary {
            kind,
            values: carriers
                .map(|carrier| Value::from_carrier(kind, carrier).math())
                .collect(),
            is_exact: true,
        })
    }

    fn truth(&self, evaluator: Evaluator, condition: &Expr) -> Option<bool> {
        let values = evaluator.value(condition, self).ok()?.values;
        let first = *values.first()? != 0;
        let is_same = values.iter().all(|value| (*value != 0) == first);
        is_same.then_some(first)
    }

    fn after(&self, evaluator: Evaluator, stmt: &Stmt) -> Result<Option<World>, Stop> {
        let outcome = evaluator.run(stmt, self)?;
        Ok(outcome.ends().then(|| outcome.table.into()))
    }
}

impl Knowledge for Ranges {
    fn boxed(&self) -> Box<dyn Knowledge> {
        Box::new(self.clone())
    }

    fn knows(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn declare(&mut self, types: &Types, name: &str, ty: Type) -> bool {
        self.add(types, name, ty, State::Unknown).is_some()
    }

    fn observe(&self, evaluator: Evaluator, expr: &Expr) -> Result<ValueSummary, Stop> {
        let (ty, range) = evaluator.range(expr, self)?;
        Ok(ValueSummary {
            kind: kind_of(&ty),
            values: vec![range.lo(), range.hi()],
            is_exact: range.only().is_some(),
        })
    }

    fn truth(&self, evaluator: Evaluator, condition: &Expr) -> Option<bool> {
        evaluator.range(condition, self).ok()?.1.truth()
    }

    fn after(&self, evaluator: Evaluator, stmt: &Stmt) -> Result<Option<World>, Stop> {
        let outcome = evaluator.run_ranges(stmt, self)?;
        Ok(outcome.ends.then(|| outcome.ranges.into()))
    }
}
