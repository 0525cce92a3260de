//! Functions and the reasons to leave one alone.

use super::ids::{ExprId, FunctionId, ScopeId, Span, StatementId, VariableId};
use super::types::Qualified;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// A function that the program defines, declares or calls.
#[derive(Clone, Debug, Serialize)]
pub struct SeedFunction {
    pub name: String,
    /// Its function type.
    pub ty: Qualified,
    pub is_static: bool,
    /// Whether a header, and nothing in the seed's own text, declares it first.
    pub is_from_header: bool,
    /// `__attribute__((pure))`, on any declaration.
    pub is_pure: bool,
    /// `__attribute__((const))`, on any declaration.
    pub is_const: bool,
    /// Byte of the seed from which the name is known.
    pub declared_at: u32,
    /// Present for a definition in the seed's own text.
    pub definition: Option<Definition>,
}

/// The definition of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    pub span: Span,
    /// Its statements, first the body's block.
    pub statements: Range<u32>,
    pub parameters: Vec<VariableId>,
    pub scope: ScopeId,
    /// Why no statement of it may be changed; empty when it may.
    pub hands_off: Vec<HandsOff>,
}

impl Definition {
    /// The outermost block.
    pub fn body(&self) -> StatementId {
        StatementId(self.statements.start)
    }

    pub fn statement_ids(&self) -> impl Iterator<Item = StatementId> + use<> {
        self.statements.clone().map(StatementId)
    }
}

/// Why a whole function is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandsOff {
    /// Inline assembly may depend on registers, flags and layout.
    InlineAsm,
    /// `goto *p`: the text does not say where control goes.
    ComputedGoto,
    /// After `longjmp`, changed automatic variables are indeterminate.
    SetJmp,
    /// The compiler may call it fewer times than written, so its rows are not fixed.
    PureOrConst,
    /// A jump out of or a label in a statement expression.
    JumpInExpression,
    /// A statement of a kind we do not know.
    UnknownStatement,
    /// Two labels of one name (`__label__`), so a `goto` is not resolved.
    AmbiguousLabel,
    /// It handles signals, or is called by what does: what it sees and changes is hidden from
    /// compilers.
    SignalHandler,
    /// `-finstrument-functions`: the program is told of every call, including new ones.
    WatchedCalls,
}

impl fmt::Display for HandsOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HandsOff::InlineAsm => "inline assembly",
            HandsOff::ComputedGoto => "computed goto",
            HandsOff::SetJmp => "calls setjmp or its like",
            HandsOff::PureOrConst => "attribute pure or const",
            HandsOff::JumpInExpression => "jump in or out of a statement expression",
            HandsOff::UnknownStatement => "a statement of unknown kind",
            HandsOff::AmbiguousLabel => "two labels of one name",
            HandsOff::SignalHandler => "handles signals",
            HandsOff::WatchedCalls => "the program watches its calls",
        })
    }
}

/// A call, direct or through a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    pub expr: ExprId,
    /// `None` for a call through a pointer.
    pub function: Option<FunctionId>,
    pub span: Span,
    /// See [`super::variable::Use::is_conditional`].
    pub is_conditional: bool,
}
