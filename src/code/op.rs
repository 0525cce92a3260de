//! The operators of C that our trees use, with their spelling.

use serde::{Deserialize, Serialize};

/// A unary operator that computes a value from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnaryOp {
    /// `+`: promotes and changes nothing else.
    Plus,
    /// `-`.
    Minus,
    /// `~`.
    Complement,
    /// `!`.
    Not,
}

/// A binary operator that evaluates both operands, in no particular order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `<<`.
    Shl,
    /// `>>`.
    Shr,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
}

/// An operator that evaluates its right operand only if the left asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogicalOp {
    /// `&&`.
    And,
    /// `||`.
    Or,
}

/// `++` and `--` on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOp {
    /// `++x`.
    PreIncrement,
    /// `--x`.
    PreDecrement,
    /// `x++`.
    PostIncrement,
    /// `x--`.
    PostDecrement,
}

impl UnaryOp {
    /// Every unary operator.
    pub const ALL: [UnaryOp; 4] = [
        UnaryOp::Plus,
        UnaryOp::Minus,
        UnaryOp::Complement,
        UnaryOp::Not,
    ];

    /// The operator as C spells it.
    pub(crate) fn c_name(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Complement => "~",
            UnaryOp::Not => "!",
        }
    }
}

impl BinaryOp {
    /// Every binary operator.
    pub const ALL: [BinaryOp; 16] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
    ];

    /// Those that compare.
    pub(crate) const COMPARISONS: [BinaryOp; 6] = [
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
    ];

    /// The operator as C spells it.
    pub(crate) fn c_name(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
        }
    }

    /// Relational and equality operators: the result is an `int`, 0 or 1.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
        )
    }

    /// `<<` and `>>`, whose operands are promoted each on its own.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    /// Whether C has a compound assignment of it (`+=` but no `<=`-assignment).
    pub fn has_assignment(self) -> bool {
        !self.is_comparison()
    }
}

impl LogicalOp {
    /// The operator as C spells it.
    pub(crate) fn c_name(self) -> &'static str {
        match self {
            LogicalOp::And => "&&",
            LogicalOp::Or => "||",
        }
    }
}

impl StepOp {
    /// Both steps on both sides.
    pub const ALL: [StepOp; 4] = [
        StepOp::PreIncrement,
        StepOp::PreDecrement,
        StepOp::PostIncrement,
        StepOp::PostDecrement,
    ];

    /// The operator as C spells it.
    pub(crate) fn c_name(self) -> &'static str {
        match self {
            StepOp::PreIncrement | StepOp::PostIncrement => "++",
            StepOp::PreDecrement | StepOp::PostDecrement => "--",
        }
    }

    /// Whether the value of the expression is the old one.
    pub(crate) fn is_postfix(self) -> bool {
        matches!(self, StepOp::PostIncrement | StepOp::PostDecrement)
    }

    /// The operator that does the step with the constant 1.
    pub(crate) fn binary(self) -> BinaryOp {
        match self {
            StepOp::PreIncrement | StepOp::PostIncrement => BinaryOp::Add,
            StepOp::PreDecrement | StepOp::PostDecrement => BinaryOp::Sub,
        }
    }
}
