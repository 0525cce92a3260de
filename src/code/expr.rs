//! Expressions as trees.
//!
//! A tree stores what was written, not what it means: leaves and casts carry
//! types, and the types of operators follow from them (`plan/`). So a tree can
//! be built freely, and a record edited by hand cannot lie about a type.

use super::builtin::{Builtin, MemoryOp};
use super::ctype::{FunctionType, Type};
use super::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use super::real::Real;
use super::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A variable by its C name, with its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Var {
    /// The name in the scope where the tree stands.
    pub name: Arc<str>,
    /// The declared type; a mistake if the scope says otherwise.
    #[serde(rename = "type")]
    pub ty: Type,
}

/// A function by its C name, with what its prototype says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Callee {
    /// The name, by which the body is found.
    pub name: Arc<str>,
    /// The result type.
    pub result: Type,
    /// The parameters' types.
    pub params: Vec<Type>,
}

/// A call of a builtin function on memory, for a number of elements of one type. Size and
/// bytes are what they are on the target: `count * sizeof(of)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemoryCall {
    /// The function.
    pub op: MemoryOp,
    /// A pointer to the first element that is written, or compared.
    pub to: Arc<Expr>,
    /// A pointer to the first element that is read; for `memset` the byte.
    pub from: Arc<Expr>,
    /// What an element is.
    pub of: Type,
    /// How many elements there are.
    pub count: u32,
}

impl Callee {
    /// The type of the function.
    pub fn ty(&self) -> Type {
        Type::Function(Arc::new(FunctionType {
            result: self.result.clone(),
            params: self.params.clone(),
        }))
    }
}

/// An expression that only vectors have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorExpr {
    /// `(type){ … }`, with all lanes.
    Literal {
        /// The vector type.
        #[serde(rename = "type")]
        ty: Type,
        /// A value for each lane.
        lanes: Vec<Expr>,
    },
    /// `__builtin_shufflevector(left, right, …)`.
    Shuffle {
        /// The two vectors, of one type.
        operands: [Arc<Expr>; 2],
        /// For each lane of the result the number of a lane, those of the right operand
        /// after those of the left.
        lanes: Vec<u32>,
    },
    /// `__builtin_convertvector(value, to)`: each lane converted as by a cast.
    Convert {
        /// The vector type, with as many lanes.
        to: Type,
        /// The vector.
        value: Arc<Expr>,
    },
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

/// An expression. Children are shared, so a clone is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A constant.
    Const(Value),
    /// A floating-point constant.
    Real(Real),
    /// The null pointer of a pointer type.
    Null(Type),
    /// A variable.
    Var(Var),
    /// `base.name`; of a dereferenced pointer it prints as `base->name`.
    Field {
        /// The struct, an lvalue.
        base: Arc<Expr>,
        /// The member's name.
        name: Arc<str>,
    },
    /// `base[index]` of an array or a pointer.
    Index {
        /// The array or pointer.
        base: Arc<Expr>,
        /// The integer to move by.
        index: Arc<Expr>,
    },
    /// `*pointer`.
    Deref(Arc<Expr>),
    /// `&object`.
    AddressOf(Arc<Expr>),
    /// `(to)value`.
    Cast {
        /// The type converted to.
        to: Type,
        /// The operand.
        value: Arc<Expr>,
    },
    /// A unary operator on a value.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        value: Arc<Expr>,
    },
    /// A binary operator that evaluates both operands.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: Arc<Expr>,
        /// The right operand.
        right: Arc<Expr>,
    },
    /// `&&` or `||`.
    Logical {
        /// The operator.
        op: LogicalOp,
        /// The operand that is always evaluated.
        left: Arc<Expr>,
        /// The operand that is evaluated only if the left one does not decide.
        right: Arc<Expr>,
    },
    /// `condition ? yes : no`.
    Conditional {
        /// The condition.
        condition: Arc<Expr>,
        /// The value if the condition holds.
        yes: Arc<Expr>,
        /// The value if it does not.
        no: Arc<Expr>,
    },
    /// `left, right`.
    Comma {
        /// The operand that is evaluated first and dropped.
        left: Arc<Expr>,
        /// The operand whose value is the result.
        right: Arc<Expr>,
    },
    /// `target = value`.
    Assign {
        /// The lvalue that is written.
        target: Arc<Expr>,
        /// The value, converted to its type.
        value: Arc<Expr>,
    },
    /// `target op= value`.
    Compound {
        /// The operator before the `=`.
        op: BinaryOp,
        /// The lvalue that is read and written.
        target: Arc<Expr>,
        /// The right operand.
        value: Arc<Expr>,
    },
    /// `++` or `--`.
    Step {
        /// Which of the two, and on which side.
        op: StepOp,
        /// The lvalue that is read and written.
        target: Arc<Expr>,
    },
    /// A call of a function by name.
    Call {
        /// The function.
        callee: Arc<Callee>,
        /// The arguments, one for each parameter.
        args: Vec<Expr>,
    },
    /// A function by name, as the pointer to it.
    FunctionName(Arc<Callee>),
    /// A call through a pointer to a function.
    CallPointer {
        /// The pointer.
        function: Arc<Expr>,
        /// The arguments, one for each parameter.
        args: Vec<Expr>,
    },
    /// A call of a builtin function on values.
    Builtin {
        /// The function.
        builtin: Builtin,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A call of a builtin function on memory.
    Memory(Arc<MemoryCall>),
    /// Something that only vectors have.
    Vector(Arc<VectorExpr>),
}

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

    /// The operands, in the order they are written. Paths count them from 0.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_)
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

impl From<Value> for Expr {
    fn from(value: Value) -> Expr {
        Expr::Const(value)
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
