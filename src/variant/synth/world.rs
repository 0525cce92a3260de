//! What is known of the variables at a point, and what trees do to it.
//!
//! A [`World`] is rows where they were kept and ranges where not; everything
//! that is synthesised asks it whether a tree is defined in every visit.

use crate::code::ctype::{Type, Types};
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::range::{Range, Ranges};
use crate::code::stmt::Stmt;
use crate::code::table::{Column, State, Table};
use crate::code::trouble::Stop;
use crate::code::types::IntKind;
use crate::code::value::Value;

/// The variables in all visits of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum World {
    Rows(Table),
    Ranges(Ranges),
}

/// The values of an expression in all visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    pub kind: IntKind,
    /// Distinct values in ascending order; of a range, its bounds.
    pub values: Vec<i128>,
    /// Whether `values` are all there are.
    pub is_exact: bool,
}

impl Spread {
    pub fn min(&self) -> i128 {
        self.values[0]
    }

    pub fn max(&self) -> i128 {
        self.values[self.values.len() - 1]
    }
}

/// How often a row may step through a synthesised block: it runs at every visit.
const STEP_LIMIT: u64 = 400;

impl World {
    /// Makes a variable known whose parts are not.
    pub fn declare(&mut self, types: &Types, name: &str, ty: Type) -> bool {
        let (known, added) = match self {
            World::Rows(table) => (
                table.find(name).is_some(),
                table.add(types, name, ty, State::Unknown).is_some(),
            ),
            World::Ranges(ranges) => (
                ranges.find(name).is_some(),
                ranges.add(types, name, ty, State::Unknown).is_some(),
            ),
        };
        debug_assert!(!known, "{name} is declared twice");
        added
    }

    pub fn knows(&self, name: &str) -> bool {
        match self {
            World::Rows(table) => table.find(name).is_some(),
            World::Ranges(ranges) => ranges.find(name).is_some(),
        }
    }

    /// Adds a local that starts with the value of an expression.
    pub fn add_local(&mut self, types: &Types, name: &str, kind: IntKind, start: &Expr) -> bool {
        let declaration = Expr::assign(Expr::var(name, kind), start.clone());
        if !self.declare(types, name, kind.into()) {
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

    /// Says what a scalar holds in every row.
    pub fn set_rows(&mut self, types: &Types, lvalue: &Expr, values: Vec<i64>) -> bool {
        match self {
            World::Rows(table) => Evaluator::new(types).set(lvalue, table, Column::values(values)),
            World::Ranges(_) => false,
        }
    }

    /// Says what a scalar may hold.
    pub fn set_range(&mut self, types: &Types, lvalue: &Expr, range: Range) -> bool {
        let World::Ranges(ranges) = self else {
            return false;
        };
        match Evaluator::new(types).cell(lvalue, ranges.table()) {
            Some((object, cell)) => {
                ranges.set(object, cell, range);
                true
            }
            None => false,
        }
    }

    /// The values of an expression; an error if it may be undefined.
    pub fn spread(&self, types: &Types, expr: &Expr) -> Result<Spread, Stop> {
        let evaluator = Evaluator::new(types);
        match self {
            World::Rows(table) => {
                let found = evaluator.value(expr, table)?;
                let kind = found.ty.int_kind().unwrap_or(IntKind::Int);
                let mut values: Vec<i128> = found
                    .values
                    .iter()
                    .map(|carrier| Value::from_carrier(kind, *carrier).math())
                    .collect();
                values.sort_unstable();
                values.dedup();
                Ok(Spread {
                    kind,
                    values,
                    is_exact: true,
                })
            }
            World::Ranges(ranges) => {
                let (ty, range) = evaluator.range(expr, ranges)?;
                let mut values = vec![range.lo(), range.hi()];
                values.dedup();
                Ok(Spread {
                    kind: ty.int_kind().unwrap_or(IntKind::Int),
                    is_exact: values.len() == 1,
                    values,
                })
            }
        }
    }

    /// Whether a condition holds in every visit or in none; `None` if that
    /// differs, is not known, or the condition may be undefined.
    pub fn truth(&self, types: &Types, condition: &Expr) -> Option<bool> {
        let evaluator = Evaluator::new(types);
        match self {
            World::Rows(table) => {
                let found = evaluator.value(condition, table).ok()?;
                let first = *found.values.first()? != 0;
                found
                    .values
                    .iter()
                    .all(|value| (*value != 0) == first)
                    .then_some(first)
            }
            World::Ranges(ranges) => evaluator.range(condition, ranges).ok()?.1.truth(),
        }
    }

    /// Whether a scalar certainly holds the same in both worlds, visit by visit.
    pub fn agrees_with(&self, other: &World, types: &Types, scalar: &Expr) -> bool {
        let evaluator = Evaluator::new(types);
        match (self, other) {
            (World::Rows(one), World::Rows(two)) => {
                let values = [one, two].map(|table| evaluator.value(scalar, table));
                matches!(&values, [Ok(one), Ok(two)] if one == two)
            }
            // Of ranges, only a single value is known to be equal.
            _ => match (self.spread(types, scalar), other.spread(types, scalar)) {
                (Ok(one), Ok(two)) => one == two && one.values.len() == 1,
                _ => false,
            },
        }
    }

    pub fn is_defined(&self, types: &Types, expr: &Expr) -> bool {
        self.trouble(types, expr).is_none()
    }

    /// What keeps an expression from being evaluated.
    pub fn trouble(&self, types: &Types, expr: &Expr) -> Option<Stop> {
        let evaluator = Evaluator::new(types);
        match self {
            World::Rows(table) => evaluator.value(expr, table).err(),
            World::Ranges(ranges) => evaluator.range(expr, ranges).err(),
        }
    }

    /// The world after a statement that certainly runs to its end.
    pub fn after(&self, types: &Types, stmt: &Stmt) -> Result<World, Option<Stop>> {
        let evaluator = Evaluator::new(types).with_step_limit(STEP_LIMIT);
        match self {
            World::Rows(table) => {
                let outcome = evaluator.run(stmt, table).map_err(Some)?;
                if outcome.ends() {
                    Ok(World::Rows(outcome.table))
                } else {
                    Err(None)
                }
            }
            World::Ranges(ranges) => {
                let outcome = evaluator.run_ranges(stmt, ranges).map_err(Some)?;
                if outcome.ends {
                    Ok(World::Ranges(outcome.ranges))
                } else {
                    Err(None)
                }
            }
        }
    }
}
