//! What live code may read or write at a place, and why not other variables.

use super::Program;
use super::ids::{StatementId, VariableId};
use super::place::LeafKind;
use super::types::SeedType;
use super::variable::{Storage, Variable};
use serde::Serialize;
use std::fmt;

/// Why live code may not read a variable at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreadable {
    /// Some path to the place gives it no value.
    NotInitialised,
    /// No path leads to the place.
    NeverReached,
    Volatile,
    Atomic,
    /// No member can be read whichever was written last.
    Union,
    Pointer,
    FloatingPoint,
    /// A type whose values we do not model.
    Type,
    /// Its definition is not in the program, so a new use of it may not link.
    DefinedElsewhere,
    SystemHeader,
    /// Bound to a register or symbol by `asm("…")`.
    AsmName,
    /// A signal handler uses it.
    SignalHandler,
}

/// Why live code may not write a variable at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unwritable {
    Unreadable(Unreadable),
    Const,
}

impl Program {
    /// Every variable visible before `statement`, with whether it may be read.
    ///
    /// An aggregate is readable if at least one of its [`leaves`](Program::leaves)
    /// is a number; the leaves are what is read.
    pub(crate) fn readable_at(
        &self,
        statement: StatementId,
    ) -> Vec<(VariableId, Result<(), Unreadable>)> {
        self.visible_at(statement)
            .into_iter()
            .map(|variable| (variable, self.readable(variable, statement)))
            .collect()
    }

    /// Every variable visible before `statement`, with whether it may be written
    /// by a block that restores it before it ends.
    pub(crate) fn writable_at(
        &self,
        statement: StatementId,
    ) -> Vec<(VariableId, Result<(), Unwritable>)> {
        self.visible_at(statement)
            .into_iter()
            .map(|variable| (variable, self.writable(variable, statement)))
            .collect()
    }

    /// Whether parts of a visible variable can be named before `statement`.
    pub(crate) fn is_complete_at(&self, variable: VariableId, statement: StatementId) -> bool {
        let variable = self.variable(variable);
        let has_parts = matches!(
            self.types.get(variable.ty.id),
            SeedType::Record(_) | SeedType::Array { .. }
        );
        !has_parts || variable.complete_from <= self.statement(statement).span.start
    }

    /// Whether a visible variable may be read before `statement`.
    pub fn readable(&self, variable: VariableId, statement: StatementId) -> Result<(), Unreadable> {
        if let Some(reason) = self.permissions[variable.index()].unreadable {
            return Err(reason);
        }
        self.holds_value(variable, statement)
    }

    /// Whether a visible variable holds values before `statement` that can be
    /// recorded: all that can be read, and pointers.
    pub(crate) fn observable(
        &self,
        variable: VariableId,
        statement: StatementId,
    ) -> Result<(), Unreadable> {
        match self.readable(variable, statement) {
            Err(Unreadable::Pointer) => self.holds_value(variable, statement),
            other => other,
        }
    }

    /// Whether a variable can be recorded wherever it is visible and holds a value.
    pub(crate) fn is_observable(&self, variable: VariableId) -> bool {
        matches!(
            self.permissions[variable.index()].unreadable,
            None | Some(Unreadable::Pointer)
        )
    }

    fn holds_value(&self, variable: VariableId, statement: StatementId) -> Result<(), Unreadable> {
        if !self.variable(variable).storage.is_automatic() {
            return Ok(());
        }
        match self.initialised.holds(variable, statement) {
            Some(true) => Ok(()),
            Some(false) => Err(Unreadable::NotInitialised),
            None => Err(Unreadable::NeverReached),
        }
    }

    /// Whether a visible variable may be written, and restored, before `statement`.
    pub fn writable(&self, variable: VariableId, statement: StatementId) -> Result<(), Unwritable> {
        self.readable(variable, statement)
            .map_err(Unwritable::Unreadable)?;
        if self.permissions[variable.index()].has_writable_leaf {
            Ok(())
        } else {
            Err(Unwritable::Const)
        }
    }
}

/// What can be said of a variable wherever it is visible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Permission {
    unreadable: Option<Unreadable>,
    has_writable_leaf: bool,
}

impl Permission {
    pub(super) fn of(program: &Program, variable: VariableId) -> Permission {
        let leaves = program.sample_leaves(variable);
        let mut numbers = leaves
            .iter()
            .filter(|leaf| !matches!(leaf.kind, LeafKind::Pointer { .. }));
        let held = program.variable(variable);
        let unreadable = if held.ty.is_volatile {
            Some(Unreadable::Volatile)
        } else if held.has_asm_name {
            Some(Unreadable::AsmName)
        } else if held.is_used_by_handler {
            Some(Unreadable::SignalHandler)
        } else if held.is_from_system_header {
            Some(Unreadable::SystemHeader)
        } else if held.storage == Storage::External {
            Some(Unreadable::DefinedElsewhere)
        } else if numbers.clone().next().is_none() {
            // Among leaves without numbers, all are pointers.
            Some(if leaves.is_empty() {
                why_no_leaf(program, held)
            } else {
                Unreadable::Pointer
            })
        } else {
            None
        };
        Permission {
            unreadable,
            has_writable_leaf: numbers.any(|leaf| !leaf.is_const),
        }
    }
}

fn why_no_leaf(program: &Program, variable: &Variable) -> Unreadable {
    match program.types.get(variable.ty.id) {
        SeedType::Float(_) | SeedType::Complex => Unreadable::FloatingPoint,
        SeedType::Atomic { .. } => Unreadable::Atomic,
        SeedType::Record(record) if program.types.record(*record).is_union => Unreadable::Union,
        _ => Unreadable::Type,
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::NotInitialised => "not initialised on every path",
            Unreadable::NeverReached => "no path leads here",
            Unreadable::Volatile => "volatile",
            Unreadable::Atomic => "atomic",
            Unreadable::Union => "union",
            Unreadable::Pointer => "pointer",
            Unreadable::FloatingPoint => "floating point",
            Unreadable::Type => "no part that is a number",
            Unreadable::DefinedElsewhere => "defined elsewhere",
            Unreadable::SystemHeader => "from a system header",
            Unreadable::AsmName => "bound by asm",
            Unreadable::SignalHandler => "used by a signal handler",
        })
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Unreadable(reason) => reason.fmt(f),
            Unwritable::Const => f.write_str("const"),
        }
    }
}
