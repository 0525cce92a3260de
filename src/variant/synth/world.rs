//! What is known of the variables at a point, and what trees do to it.
//!
//! A [`World`] is rows where they were kept and ranges where not; everything
//! that is synthesised asks it whether a tree is defined in every visit.

use super::knowledge::{Knowledge, ValueSummary};
use crate::code::ctype::{Type, Types};
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::range::Ranges;
use crate::code::stmt::{Declaration, Init, Stmt};
use crate::code::table::Table;
use crate::code::trouble::Stop;
use crate::code::types::IntKind;

/// The variables in all visits of a point.
#[derive(Debug)]
pub(crate) struct World {
    known: Box<dyn Knowledge>,
}

impl Clone for World {
    fn clone(&self) -> World {
        let known = self.known.boxed();
        World { known }
    }
}

impl From<Table> for World {
    fn from(table: Table) -> World {
        let known = Box::new(table);
        World { known }
    }
}

impl From<Ranges> for World {
    fn from(ranges: Ranges) -> World {
        let known = Box::new(ranges);
        World { known }
    }
}

/// The values of an expression in all visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    pub kind: IntKind,
    /// Distinct values in ascending order; of a range, its bounds.
    pub values: Vec<i128>,
    /// Whether `values` are all there are.
    pub is_exact: bool,
}

impl Spread {
    pub(crate) fn min(&self) -> i128 {
        self.values[0]
    }

    pub(crate) fn max(&self) -> i128 {
        self.values[self.values.len() - 1]
    }
}

/// How often a row may step through a synthesised block: it runs at every visit.
const STEP_LIMIT: u64 = 1_500;

impl World {
    /// Makes a variable known whose parts are not.
    pub(crate) fn declare(&mut self, types: &Types, name: &str, ty: Type) -> bool {
        debug_assert!(!self.known.knows(name), "{name} is declared twice");
        self.known.declare(types, name, ty)
    }

    /// Adds a local that starts with the value of an expression.
    pub(crate) fn add_local(
        &mut self,
        types: &Types,
        name: &str,
        ty: impl Into<Type>,
        start: &Expr,
    ) -> bool {
        let ty = ty.into();
        let declaration = Expr::assign(Expr::var(name, ty.clone()), start.clone());
        if self.known.knows(name) || !self.declare(types, name, ty) {
            return false;
        }
        match self.after(types, &Stmt::Expr(declaration)) {
            Ok(after) => {
                *self = after;
                true
            }
            Err(_) => false,
        }
    }

    /// The world behind declarations of scalars with their values; `None` if they are
    /// anything else, or may be undefined.
    pub(crate) fn with_locals(mut self, types: &Types, locals: &[Stmt]) -> Option<World> {
        for local in locals {
            let Stmt::Declare(Declaration {
                var,
                init: Some(Init::Value(start)),
                ..
            }) = local
            else {
                return None;
            };
            let kind = var.ty.int_kind()?;
            if !self.add_local(types, &var.name, kind, start) {
                return None;
            }
        }
        Some(self)
    }

    /// The values of an expression visit by visit, or its bounds; an error if it may be
    /// undefined.
    pub(super) fn observe(&self, types: &Types, expr: &Expr) -> Result<ValueSummary, Stop> {
        self.known.observe(Evaluator::new(types), expr)
    }

    /// The one value that an expression has in every visit, as an evaluator sees it.
    pub(crate) fn only(&self, evaluator: Evaluator<'_>, expr: &Expr) -> Option<i128> {
        let summary = self.known.observe(evaluator, expr).ok()?;
        let first = *summary.values.first()?;
        let is_one = summary.values.iter().all(|value| *value == first);
        (summary.is_exact && is_one).then_some(first)
    }

    /// Whether two expressions are defined and nothing tells them apart, as an evaluator
    /// sees them: rows show whether they are equal, ranges only where both have one value.
    pub(crate) fn may_be(&self, evaluator: Evaluator<'_>, one: &Expr, two: &Expr) -> bool {
        let observe = |expr| self.known.observe(evaluator, expr);
        match (observe(one), observe(two)) {
            (Ok(one), Ok(two)) if one.is_exact && two.is_exact => one.values == two.values,
            (Ok(_), Ok(_)) => true,
            _ => false,
        }
    }

    /// The values of an expression; an error if it may be undefined.
    pub(crate) fn spread(&self, types: &Types, expr: &Expr) -> Result<Spread, Stop> {
        let ValueSummary {
            kind,
            mut values,
            is_exact,
        } = self.observe(types, expr)?;
        values.sort_unstable();
        values.dedup();
        Ok(Spread {
            kind,
            values,
            is_exact,
        })
    }

    /// Whether a condition holds in every visit or in none; `None` if that
    /// differs, is not known, or the condition may be undefined.
    pub(crate) fn truth(&self, types: &Types, condition: &Expr) -> Option<bool> {
        self.known.truth(Evaluator::new(types), condition)
    }

    /// Whether a scalar holds the same as in another world of the same visits, as
    /// far as is known: visit by visit, or by its bounds, which may be equal
    /// although values are not.
    pub(crate) fn agrees_with(&self, other: &World, types: &Types, scalar: &Expr) -> bool {
        let observe = |world: &World| world.known.observe(Evaluator::new(types), scalar);
        match (observe(self), observe(other)) {
            (Ok(one), Ok(two)) => one.kind == two.kind && one.values == two.values,
            _ => false,
        }
    }

    /// Whether two expressions have the same values, visit by visit, or bounds.
    pub(super) fn has_same(&self, types: &Types, one: &Expr, two: &Expr) -> bool {
        match (self.observe(types, one), self.observe(types, two)) {
            (Ok(one), Ok(two)) => one.values == two.values,
            _ => false,
        }
    }

    /// Whether two expressions are known to be of one type and equal in every visit.
    pub(crate) fn is_same(&self, types: &Types, one: &Expr, two: &Expr) -> bool {
        match (self.observe(types, one), self.observe(types, two)) {
            (Ok(one), Ok(two)) => {
                let are_exact = one.is_exact && two.is_exact;
                are_exact && one.kind == two.kind && one.values == two.values
            }
            _ => false,
        }
    }

    /// Whether both expressions are defined in all visits and nothing tells them apart:
    /// rows show whether they are equal, ranges only where both have one value.
    pub(super) fn may_be_equal(&self, types: &Types, one: &Expr, two: &Expr) -> bool {
        self.may_be(Evaluator::new(types), one, two)
    }

    pub(crate) fn is_defined(&self, types: &Types, expr: &Expr) -> bool {
        self.trouble(types, expr).is_none()
    }

    /// What keeps an expression from being evaluated.
    pub(crate) fn trouble(&self, types: &Types, expr: &Expr) -> Option<Stop> {
        self.known.observe(Evaluator::new(types), expr).err()
    }

    /// The world after a statement that certainly runs to its end.
    pub(crate) fn after(&self, types: &Types, stmt: &Stmt) -> Result<World, Option<Stop>> {
        let evaluator = Evaluator::new(types).with_step_limit(STEP_LIMIT);
        self.known.after(evaluator, stmt)?.ok_or(None)
    }
}
