//! What expressions do with variables, and which functions they call, read off the
//! lowered expressions. Where a macro hides the operator, the access is `Unknown`.

use super::statements::Body;
use crate::source::program::expression::{ExprKind, siblings};
use crate::source::program::function::Call;
use crate::source::program::ids::{ExprId, VariableId};
use crate::source::program::types::SeedType;
use crate::source::program::variable::{Access, Use};

/// What the surrounding expression does with the value of an expression.
#[derive(Clone, Copy)]
pub(super) struct Context {
    access: Access,
    is_partial: bool,
    is_conditional: bool,
}

impl Context {
    pub(super) const READ: Context = Context {
        access: Access::Read,
        is_partial: false,
        is_conditional: false,
    };
    /// For code whose order or number of runs is not known.
    pub(super) const PERHAPS: Context = Context {
        is_conditional: true,
        ..Context::READ
    };

    /// A new operand: what encloses it decides only whether it runs at all.
    fn operand(self, access: Access) -> Context {
        // Nothing below `sizeof` is evaluated, whatever it looks like.
        let access = match self.access {
            Access::Unevaluated => Access::Unevaluated,
            _ => access,
        };
        Context {
            access,
            is_partial: false,
            is_conditional: self.is_conditional,
        }
    }

    fn partial(self) -> Context {
        Context {
            is_partial: true,
            ..self
        }
    }

    fn conditional(self) -> Context {
        Context {
            is_conditional: true,
            ..self
        }
    }
}

impl Body<'_, '_, '_> {
    /// Notes the uses and calls of an expression and all that it contains.
    pub(super) fn accesses(&mut self, id: ExprId, context: Context) {
        let read = context.operand(Access::Read);
        let kind = self.lowering.exprs[id.index()].kind;
        match kind {
            ExprKind::Integer(_)
            | ExprKind::Floating
            | ExprKind::String
            | ExprKind::Literal
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(_)
            | ExprKind::LabelAddress => {}
            // Its statements have recorded this already.
            ExprKind::StatementExpression(_) => {}
            ExprKind::Variable(variable) => self.variable_used(id, variable, context),
            ExprKind::AddressOf => self.each(id, context.operand(Access::AddressTaken)),
            ExprKind::Step(_) => self.each(id, context.operand(Access::ReadWrite)),
            ExprKind::HiddenUnary => self.each(id, context.operand(Access::Unknown)),
            ExprKind::Assign => self.first_and_rest(id, context.operand(Access::Write), read),
            ExprKind::CompoundAssign(_) => {
                self.first_and_rest(id, context.operand(Access::ReadWrite), read);
            }
            ExprKind::Logical(_) | ExprKind::Conditional => {
                self.first_and_rest(id, read, read.conditional());
            }
            ExprKind::HiddenBinary => {
                let unknown = context.operand(Access::Unknown);
                self.first_and_rest(id, unknown, read.conditional());
            }
            ExprKind::Subscript => {
                let context = self.decayed(id, context);
                self.parts_of_arrays(id, context);
            }
            ExprKind::Member { .. } => {
                let context = self.decayed(id, context);
                self.bases(id, context);
            }
            ExprKind::Call(function) => {
                self.lowering.calls.push(Call {
                    expr: id,
                    function,
                    span: self.lowering.exprs[id.index()].span,
                    is_conditional: context.is_conditional || context.access == Access::Unevaluated,
                });
                self.each(id, read);
            }
            ExprKind::SizeOf => self.each(id, context.operand(Access::Unevaluated)),
            // Only one of the associations is evaluated, and never the selector.
            ExprKind::Generic => {
                self.each(id, context.operand(Access::Unknown).conditional());
            }
            ExprKind::Deref
            | ExprKind::Unary(_)
            | ExprKind::Binary(_)
            | ExprKind::Comma
            | ExprKind::Cast
            | ExprKind::CompoundLiteral
            | ExprKind::InitList => self.each(id, read),
            // Builtins, designated initialisers, and additions of newer standards.
            ExprKind::VaArg | ExprKind::Other => {
                if self.operands_of(id).nth(1).is_none() {
                    self.each(id, context);
                } else {
                    self.each(id, context.operand(Access::Unknown));
                }
            }
        }
    }

    fn operands_of(&self, id: ExprId) -> impl Iterator<Item = ExprId> + '_ {
        let end = self.lowering.exprs[id.index()].end;
        siblings(&self.lowering.exprs, id.0 + 1..end)
    }

    fn each(&mut self, id: ExprId, context: Context) {
        self.first_and_rest(id, context, context);
    }

    fn first_and_rest(&mut self, id: ExprId, first: Context, rest: Context) {
        let end = self.lowering.exprs[id.index()].end;
        let (mut next, mut context) = (id.0 + 1, first);
        while next < end {
            self.accesses(ExprId(next), context);
            next = self.lowering.exprs[next as usize].end;
            context = rest;
        }
    }

    /// `a[i]` touches part of an array, but only reads a pointer; C also has `i[a]`.
    fn parts_of_arrays(&mut self, id: ExprId, context: Context) {
        let end = self.lowering.exprs[id.index()].end;
        let mut next = id.0 + 1;
        while next < end {
            let inner = if self.is_array(ExprId(next)) {
                context.partial()
            } else {
                context.operand(Access::Read)
            };
            self.accesses(ExprId(next), inner);
            next = self.lowering.exprs[next as usize].end;
        }
    }

    /// The base of `.` is touched in part, that of `->` is only read.
    fn bases(&mut self, id: ExprId, context: Context) {
        let Some(base) = self.operands_of(id).next() else {
            return;
        };
        let ty = self.lowering.exprs[base.index()].converted;
        let is_pointer = matches!(
            self.lowering.types.types.get(ty),
            SeedType::Pointer { .. } | SeedType::Array { .. } | SeedType::VariableArray { .. }
        );
        let inner = if is_pointer {
            context.operand(Access::Read)
        } else {
            context.partial()
        };
        self.accesses(base, inner);
    }

    /// Reading a part that is an array takes its address: `f(s.array)`, a row of a matrix.
    fn decayed(&self, id: ExprId, context: Context) -> Context {
        let is_whole = context.access == Access::Read && !context.is_partial;
        if is_whole && self.is_array(id) {
            context.operand(Access::AddressTaken)
        } else {
            context
        }
    }

    /// Whether the expression is an array itself, before it becomes a pointer.
    fn is_array(&self, id: ExprId) -> bool {
        let expr = &self.lowering.exprs[id.index()];
        self.lowering.types.types.is_array(expr.ty.id)
    }

    fn variable_used(&mut self, id: ExprId, variable: VariableId, context: Context) {
        let expr = &self.lowering.exprs[id.index()];
        let decays = context.access == Access::Read && !context.is_partial && self.is_array(id);
        self.lowering.uses.push(Use {
            variable,
            expr: id,
            span: expr.span,
            access: if decays {
                Access::AddressTaken
            } else {
                context.access
            },
            is_partial: context.is_partial,
            is_conditional: context.is_conditional,
            is_in_macro: expr.is_in_macro,
        });
    }
}
