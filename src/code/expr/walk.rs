//! Walking over expressions: operands in order, paths, and questions about a whole tree.

use super::{Expr, Var, VectorExpr};
use crate::code::builtin::MemoryOp;
use std::sync::Arc;

impl Expr {
    /// The operands, in the order they are written. Paths count them from 0.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_)
            | Expr::Wide(_)
            | Expr::Real(_)
            | Expr::Null(_)
            | Expr::Var(_)
            | Expr::FunctionName(_) => vec![],
            Expr::Field { base, .. } => vec![base],
            Expr::Deref(value) | Expr::AddressOf(value) => vec![value],
            Expr::Cast { value, .. } | Expr::Unary { value, .. } => vec![value],
            Expr::Step { target, .. } => vec![target],
            Expr::Index { base, index } => vec![base, index],
            Expr::Binary { left, right, .. }
            | Expr::Logical { left, right, .. }
            | Expr::Comma { left, right } => vec![left, right],
            Expr::Assign { target, value } | Expr::Compound { target, value, .. } => {
                vec![target, value]
            }
            Expr::Conditional { condition, yes, no } => vec![condition, yes, no],
            Expr::Call { args, .. } | Expr::Builtin { args, .. } => args.iter().collect(),
            Expr::CallPointer { function, args } => {
                let mut children: Vec<&Expr> = vec![function];
                children.extend(args);
                children
            }
            Expr::Memory(call) => vec![&call.to, &call.from],
            Expr::Vector(vector) => vector.children(),
        }
    }

    /// The operands for replacing them, in the same order; a call of a
    /// function and what only vectors have give none of these.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Arc<Expr>> {
        match self {
            Expr::Const(_)
            | Expr::Wide(_)
            | Expr::Real(_)
            | Expr::Null(_)
            | Expr::Var(_)
            | Expr::FunctionName(_)
            | Expr::Call { .. }
            | Expr::CallPointer { .. }
            | Expr::Builtin { .. }
            | Expr::Vector(_) => vec![],
            Expr::Memory(call) => {
                let call = Arc::make_mut(call);
                vec![&mut call.to, &mut call.from]
            }
            Expr::Field { base: value, .. }
            | Expr::Deref(value)
            | Expr::AddressOf(value)
            | Expr::Cast { value, .. }
            | Expr::Unary { value, .. }
            | Expr::Step { target: value, .. } => vec![value],
            Expr::Index {
                base: one,
                index: two,
            }
            | Expr::Binary {
                left: one,
                right: two,
                ..
            }
            | Expr::Logical {
                left: one,
                right: two,
                ..
            }
            | Expr::Comma {
                left: one,
                right: two,
            }
            | Expr::Assign {
                target: one,
                value: two,
            }
            | Expr::Compound {
                target: one,
                value: two,
                ..
            } => vec![one, two],
            Expr::Conditional { condition, yes, no } => vec![condition, yes, no],
        }
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.children().into_iter().map(Expr::size).sum::<usize>()
    }

    /// The node a path leads to.
    pub fn at(&self, path: &[u32]) -> Option<&Expr> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => self.children().get(*first as usize)?.at(rest),
        }
    }

    /// Whether evaluating it can change anything.
    pub fn has_effects(&self) -> bool {
        let own = match self {
            Expr::Assign { .. }
            | Expr::Compound { .. }
            | Expr::Step { .. }
            | Expr::Call { .. }
            | Expr::CallPointer { .. } => true,
            Expr::Builtin { builtin, .. } => builtin.has_effects(),
            Expr::Memory(call) => !matches!(call.op, MemoryOp::Equal | MemoryOp::Less),
            _ => false,
        };
        own || self.children().into_iter().any(Expr::has_effects)
    }

    /// Calls `see` for every variable, from left to right.
    pub fn for_each_var<'e>(&'e self, see: &mut impl FnMut(&'e Var)) {
        if let Expr::Var(var) = self {
            see(var);
        }
        for child in self.children() {
            child.for_each_var(see);
        }
    }
}

impl VectorExpr {
    fn children(&self) -> Vec<&Expr> {
        match self {
            VectorExpr::Literal { lanes, .. } => lanes.iter().collect(),
            VectorExpr::Shuffle { operands, .. } => operands.iter().map(|one| &**one).collect(),
            VectorExpr::Convert { value, .. } => vec![value],
        }
    }
}
