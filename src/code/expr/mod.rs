//! Expressions as trees.
//!
//! A tree stores what was written, not what it means: leaves and casts carry
//! types, and the types of operators follow from them (`plan/`). So a tree can
//! be built freely, and a record edited by hand cannot lie about a type.

mod make;
mod walk;

use super::builtin::{Builtin, MemoryOp};
use super::ctype::{FunctionType, Type};
use super::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use super::real::Real;
use super::value::Value;
use super::wide::WideNumber;
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

/// An expression. Children are shared, so a clone is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A constant.
    Const(Value),
    /// A constant of up to 128 bits.
    Wide(WideNumber),
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
