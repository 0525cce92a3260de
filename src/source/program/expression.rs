//! The seed's expressions, as they stand in its text.
//!
//! All of them lie in one list, each followed by what it contains, so that a subtree is
//! a range. Two things of C are not nodes of their own. Parentheses belong to what they
//! enclose ([`SeedExpr::outer`]). Implicit conversions belong to what is converted: `ty`
//! is the type of the expression itself, `converted` the type in which the expression
//! around it, or the statement, takes its value.
//!
//! What a macro hides is marked and has no text that could be edited. Some expressions
//! are not here at all, so that nobody can change them: those in attributes, in the
//! parameters of functions, and in directives.

use super::Program;
use super::ids::{ExprId, FunctionId, RecordId, Span, StatementId, TypeId, VariableId};
use super::statement::StatementPart;
use super::types::Qualified;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use serde::Serialize;
use std::ops::{BitOr, BitOrAssign, Range};

/// An expression of the seed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SeedExpr {
    pub kind: ExprKind,
    /// Its own type, with the qualifiers of the object if it names one.
    pub ty: Qualified,
    /// The type of its value after the implicit conversions that its place asks for.
    pub converted: TypeId,
    /// How an object becomes a value here.
    pub conversion: Conversion,
    /// Its text without parentheses around it; see [`SeedExpr::is_in_macro`].
    pub span: Span,
    /// Its text with all parentheses around it, where these stand in the text.
    pub outer: Span,
    /// The expression around it.
    pub parent: Option<ExprId>,
    /// Past the last expression that it contains.
    pub(super) end: u32,
    /// What it does itself, not counting its operands.
    pub own_effects: Effects,
    /// What it does, including all that it contains.
    pub effects: Effects,
    /// Whether C demands a constant expression here: in a `case`, an array size, the width
    /// of a bit-field, the value of an enum constant, a static initialiser, `_Static_assert`.
    pub is_constant: bool,
    /// False for operands of `sizeof` and similar operators.
    pub is_evaluated: bool,
    /// Whether its first or last token comes from a macro or an included file. Then its
    /// spans are those of the macro's use, which may belong to other expressions, too.
    pub is_in_macro: bool,
}

/// What an expression is. Operands are the children, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// An integer or character constant: the bits of its value, sign-extended.
    Integer(u64),
    Floating,
    String,
    /// A constant of another sort, or one whose text a macro hides.
    Literal,
    Variable(VariableId),
    /// The name of a function.
    Function(FunctionId),
    EnumConstant(i64),
    /// `.` or `->`, which the type of the operand tells apart.
    Member {
        record: RecordId,
        /// Index into the fields of the record.
        field: u32,
    },
    /// `a[i]`, or `i[a]`.
    Subscript,
    Deref,
    AddressOf,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Logical(LogicalOp),
    Comma,
    Assign,
    /// `op=`; `None` if a macro hides the operator.
    CompoundAssign(Option<BinaryOp>),
    /// `++` or `--`.
    Step(StepOp),
    /// An operator with one operand that a macro hides.
    HiddenUnary,
    /// An operator with two operands that a macro hides.
    HiddenBinary,
    Conditional,
    /// The first child is what is called; a call by name also says which function.
    Call(Option<FunctionId>),
    /// A cast that is written.
    Cast,
    /// `sizeof`, `_Alignof` and similar operators: of the only child, or of a type, whose array
    /// sizes are the children.
    SizeOf,
    CompoundLiteral,
    InitList,
    /// `({ … })`. Its children are the expressions of its statements.
    StatementExpression(StatementId),
    /// `_Generic`: what it selects by, then the associations.
    Generic,
    VaArg,
    /// `&&label`.
    LabelAddress,
    Other,
}

impl ExprKind {
    /// Whether the expression names an object.
    pub(crate) fn is_lvalue(self) -> bool {
        matches!(
            self,
            ExprKind::Variable(_)
                | ExprKind::Member { .. }
                | ExprKind::Subscript
                | ExprKind::Deref
                | ExprKind::CompoundLiteral
                | ExprKind::String
        )
    }
}

/// How an object that an expression names becomes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conversion {
    /// Not at all: it is no object, or the object itself is meant, as in `&x` and `x = 1`.
    None,
    /// It is read.
    Read,
    /// An array or a function becomes a pointer.
    Decay,
}

/// What evaluating an expression may do: a set.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects(u8);

impl Effects {
    pub(crate) const NONE: Effects = Effects(0);
    /// Reads an object.
    pub(crate) const READS: Effects = Effects(1);
    pub(crate) const WRITES: Effects = Effects(2);
    pub(crate) const CALLS: Effects = Effects(4);
    /// Reads or writes something volatile or atomic.
    pub(crate) const VOLATILE: Effects = Effects(8);
    /// Something that is not understood; it may do anything.
    pub(crate) const UNKNOWN: Effects = Effects(16);

    const NAMES: [(Effects, &'static str); 5] = [
        (Effects::READS, "reads"),
        (Effects::WRITES, "writes"),
        (Effects::CALLS, "calls"),
        (Effects::VOLATILE, "volatile"),
        (Effects::UNKNOWN, "unknown"),
    ];

    /// Whether the two sets intersect.
    pub(crate) fn intersects(self, other: Effects) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let held = move |(effect, _): &(Effects, _)| self.intersects(*effect);
        Effects::NAMES
            .into_iter()
            .filter(held)
            .map(|(_, name)| name)
    }
}

impl BitOr for Effects {
    type Output = Effects;

    fn bitor(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
}

impl BitOrAssign for Effects {
    fn bitor_assign(&mut self, other: Effects) {
        *self = *self | other;
    }
}

impl std::fmt::Debug for Effects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl Serialize for Effects {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl SeedExpr {
    /// The text that can be replaced by other text, parentheses included. These tell
    /// where an expression begins and ends, whatever macros stand between them.
    pub fn editable(&self) -> Option<Span> {
        (!self.is_in_macro || self.is_parenthesised()).then_some(self.outer)
    }

    pub(crate) fn is_parenthesised(&self) -> bool {
        self.outer != self.span
    }
}

impl Program {
    pub fn expr(&self, id: ExprId) -> &SeedExpr {
        &self.exprs[id.index()]
    }

    pub fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len()).map(ExprId::new)
    }

    /// The operands of an expression, in the order of the text.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> + '_ {
        siblings(&self.exprs, id.0 + 1..self.expr(id).end)
    }

    /// The expression and all that it contains.
    pub fn subtree(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        (id.0..self.expr(id).end).map(ExprId)
    }

    /// The whole expressions of one part of a statement.
    pub fn roots(&self, part: &StatementPart) -> impl Iterator<Item = ExprId> + '_ {
        siblings(&self.exprs, part.exprs.clone())
    }
}

/// The expressions of a range that are not inside others of it.
pub(super) fn siblings(exprs: &[SeedExpr], range: Range<u32>) -> impl Iterator<Item = ExprId> + '_ {
    let mut next = range.start;
    std::iter::from_fn(move || {
        let found = next;
        (found < range.end).then(|| {
            next = exprs[found as usize].end;
            ExprId(found)
        })
    })
}
