//! Making expressions: a function for each kind of node.

use super::{Callee, Expr, MemoryCall, Var, VectorExpr};
use crate::code::builtin::{Builtin, MemoryOp};
use crate::code::ctype::Type;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::real::Real;
use crate::code::value::Value;
use crate::code::wide::WideNumber;
use std::sync::Arc;

impl Expr {
    /// An `int` constant.
    pub fn int(value: i32) -> Expr {
        Expr::Const(Value::int(value))
    }

    /// A variable by name and type.
    pub fn var(name: &str, ty: impl Into<Type>) -> Expr {
        Expr::Var(Var {
            name: name.into(),
            ty: ty.into(),
        })
    }

    /// A member of this struct.
    pub fn field(self, name: &str) -> Expr {
        Expr::Field {
            base: Arc::new(self),
            name: name.into(),
        }
    }

    /// An element of this array, or of what this pointer points into.
    pub fn index(self, index: Expr) -> Expr {
        Expr::Index {
            base: Arc::new(self),
            index: Arc::new(index),
        }
    }

    /// What this pointer points to.
    pub fn deref(self) -> Expr {
        Expr::Deref(Arc::new(self))
    }

    /// The address of this lvalue.
    pub fn address_of(self) -> Expr {
        Expr::AddressOf(Arc::new(self))
    }

    /// This value converted to a type.
    pub fn cast(self, to: impl Into<Type>) -> Expr {
        Expr::Cast {
            to: to.into(),
            value: Arc::new(self),
        }
    }

    /// A unary operator on a value.
    pub fn unary(op: UnaryOp, value: Expr) -> Expr {
        Expr::Unary {
            op,
            value: Arc::new(value),
        }
    }

    /// A binary operator on two values.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary {
            op,
            left: Arc::new(left),
            right: Arc::new(right),
        }
    }

    /// `left && right` or `left || right`.
    pub fn logical(op: LogicalOp, left: Expr, right: Expr) -> Expr {
        Expr::Logical {
            op,
            left: Arc::new(left),
            right: Arc::new(right),
        }
    }

    /// `condition ? yes : no`.
    pub fn conditional(condition: Expr, yes: Expr, no: Expr) -> Expr {
        Expr::Conditional {
            condition: Arc::new(condition),
            yes: Arc::new(yes),
            no: Arc::new(no),
        }
    }

    /// `left, right`.
    pub fn comma(left: Expr, right: Expr) -> Expr {
        Expr::Comma {
            left: Arc::new(left),
            right: Arc::new(right),
        }
    }

    /// `target = value`.
    pub fn assign(target: Expr, value: Expr) -> Expr {
        Expr::Assign {
            target: Arc::new(target),
            value: Arc::new(value),
        }
    }

    /// `target op= value`.
    pub fn compound(op: BinaryOp, target: Expr, value: Expr) -> Expr {
        Expr::Compound {
            op,
            target: Arc::new(target),
            value: Arc::new(value),
        }
    }

    /// `++` or `--` on either side of `target`.
    pub fn step(op: StepOp, target: Expr) -> Expr {
        Expr::Step {
            op,
            target: Arc::new(target),
        }
    }

    /// A call with its arguments.
    pub fn call(callee: Callee, args: Vec<Expr>) -> Expr {
        Expr::Call {
            callee: Arc::new(callee),
            args,
        }
    }

    /// A call through a pointer to a function.
    pub fn call_pointer(function: Expr, args: Vec<Expr>) -> Expr {
        Expr::CallPointer {
            function: Arc::new(function),
            args,
        }
    }

    /// A call of a builtin function on values.
    pub fn builtin(builtin: Builtin, args: Vec<Expr>) -> Expr {
        Expr::Builtin { builtin, args }
    }

    /// A call of a builtin function on a number of elements of a type.
    pub fn memory(op: MemoryOp, to: Expr, from: Expr, of: impl Into<Type>, count: u32) -> Expr {
        Expr::Memory(Arc::new(MemoryCall {
            op,
            to: Arc::new(to),
            from: Arc::new(from),
            of: of.into(),
            count,
        }))
    }
}

impl From<Value> for Expr {
    fn from(value: Value) -> Expr {
        Expr::Const(value)
    }
}

impl From<WideNumber> for Expr {
    fn from(wide: WideNumber) -> Expr {
        Expr::Wide(wide)
    }
}

impl From<Real> for Expr {
    fn from(real: Real) -> Expr {
        Expr::Real(real)
    }
}

impl From<Var> for Expr {
    fn from(var: Var) -> Expr {
        Expr::Var(var)
    }
}

impl From<VectorExpr> for Expr {
    fn from(vector: VectorExpr) -> Expr {
        Expr::Vector(Arc::new(vector))
    }
}
