//! What a donor needs of the place it goes to: variables that fit, a function's type, a
//! loop around it.

use super::extract::Extractor;
use super::{Hole, Likeness, Need, Shape};
use crate::code::types::IntKind;
use crate::source::program::{
    Access, FunctionId, PartRole, Program, SeedType, StatementId, StatementKind, Use, VariableId,
};

impl Extractor<'_> {
    /// What all uses of a variable in the statement need together.
    pub(super) fn need(&self, id: StatementId, variable: VariableId) -> Need {
        let program = self.program;
        let held = program.variable(variable);
        let shape = Shape::of(program, held.ty);
        let mut need = Need {
            is_written: false,
            likeness: Likeness::AnyInteger,
            shape,
        };
        for at in program.within(id).map(StatementId) {
            let statement = program.statement(at);
            let is_switch = matches!(statement.kind, StatementKind::Switch { .. });
            for part in &statement.parts {
                // The type of the value decides which cases are the same.
                let decides = is_switch && part.role == PartRole::Condition;
                for used in program.uses_of(part) {
                    if used.variable == variable {
                        need.is_written |= used.access.writes() && !used.is_partial;
                        let likeness = self.likeness(used, &need.shape, decides);
                        need.likeness = need.likeness.max(likeness);
                    }
                }
            }
        }
        need
    }

    fn likeness(&self, used: &Use, shape: &Shape, decides: bool) -> Likeness {
        let ty = self.program.variable(used.variable).ty;
        let identical = Likeness::Identical {
            is_const: ty.is_const,
            is_volatile: ty.is_volatile,
        };
        match (used.access, shape) {
            // What is not evaluated must still be valid: `sizeof(x++)` is not for a const.
            (Access::Unknown | Access::Unevaluated, _) => identical,
            (_, Shape::Array { .. }) if used.is_partial => Likeness::AnyLength,
            (Access::AddressTaken, _) => identical,
            (access, _) if used.is_partial && access.writes() => identical,
            // Anything may be converted to `_Bool`, a pointer, too.
            (Access::Read, Shape::Int(_)) if !decides => Likeness::AnyInteger,
            (_, Shape::Int(kind)) if !decides && *kind != IntKind::Bool => Likeness::AnyInteger,
            _ => Likeness::SameType,
        }
    }

    /// What a `return` statement gives.
    pub(super) fn returned(&self, at: StatementId) -> Option<Shape> {
        let statement = self.program.statement(at);
        if statement.kind != StatementKind::Return {
            return None;
        }
        let function = self.program.function(statement.function);
        Some(match self.program.types.get(function.ty.id) {
            SeedType::Function { result, .. } if !statement.parts.is_empty() => {
                Shape::of(self.program, *result)
            }
            _ => Shape::Void,
        })
    }

    /// Whether the statement `at` is a `break`, or else a `continue`, that leaves
    /// something around `root`.
    pub(super) fn leaves(&self, root: StatementId, at: StatementId, is_break: bool) -> bool {
        let wanted = if is_break {
            StatementKind::Break
        } else {
            StatementKind::Continue
        };
        if self.program.statement(at).kind != wanted {
            return false;
        }
        let mut inner = at;
        while inner != root {
            let Some(parent) = self.program.statement(inner).parent else {
                break;
            };
            inner = parent;
            let kind = &self.program.statement(inner).kind;
            if kind.is_loop() || (is_break && matches!(kind, StatementKind::Switch { .. })) {
                return false;
            }
        }
        true
    }
}

impl Hole {
    /// The types it speaks of.
    pub(super) fn shapes(&self) -> Vec<&Shape> {
        match self {
            Hole::Variable(need) => vec![&need.shape],
            Hole::Function {
                result, parameters, ..
            } => parameters.iter().chain([result]).collect(),
            Hole::Label | Hole::OwnVariable | Hole::OwnLabel => vec![],
        }
    }
}

/// The hole that a function leaves; `None` unless its prototype says all.
pub(super) fn signature(program: &Program, id: FunctionId) -> Option<Hole> {
    let (result, parameters) = program.prototype(id)?;
    let parameters = parameters.iter().map(|ty| Shape::of(program, *ty));
    Some(Hole::Function {
        name: program.function(id).name.clone(),
        result: Shape::of(program, result),
        parameters: parameters.collect(),
    })
}
