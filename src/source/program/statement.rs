//! Statements: their kind, place in the tree and text, and whether code may be
//! put before them.

use super::ids::{FunctionId, ScopeId, Span, StatementId, VariableId};
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// A statement of a function body in the seed's own file.
#[derive(Clone, Debug, Serialize)]
pub struct Statement {
    pub kind: StatementKind,
    /// All of its text, the closing semicolon included where `end` is known.
    pub span: Span,
    pub function: FunctionId,
    /// The scope it stands in; names it declares at its own level belong there.
    pub scope: ScopeId,
    /// `None` for the body of a function.
    pub parent: Option<StatementId>,
    pub role: Role,
    /// Direct sub-statements, in order.
    pub children: Vec<StatementId>,
    /// Its own expressions and declarators in the order they stand.
    pub parts: Vec<StatementPart>,
    /// How code is put before it, or why none may be.
    pub insertion: Result<Insertion, NoPoint>,
    /// Whether its own expressions have a compound literal, which lasts as long as the
    /// block around.
    pub has_literal: bool,
    /// Whether `span.end` is certain, so that the text can be wrapped, replaced or deleted.
    pub end_is_known: bool,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    Compound,
    Expression,
    Null,
    Declaration {
        variables: Vec<VariableId>,
    },
    If {
        then: StatementId,
        otherwise: Option<StatementId>,
    },
    Switch {
        body: StatementId,
    },
    While {
        body: StatementId,
    },
    Do {
        body: StatementId,
    },
    For {
        body: StatementId,
        variables: Vec<VariableId>,
    },
    Label {
        name: String,
        inner: Option<StatementId>,
    },
    Case {
        inner: Option<StatementId>,
    },
    Default {
        inner: Option<StatementId>,
    },
    /// An attribute before a statement: `[[fallthrough]];`.
    Attributed {
        inner: StatementId,
    },
    Goto {
        label: String,
        target: Option<StatementId>,
    },
    ComputedGoto,
    Break,
    Continue,
    Return,
    Asm,
    Other,
}

impl StatementKind {
    pub fn name(&self) -> &'static str {
        match self {
            StatementKind::Compound => "block",
            StatementKind::Expression => "expression",
            StatementKind::Null => "empty",
            StatementKind::Declaration { .. } => "declaration",
            StatementKind::If { .. } => "if",
            StatementKind::Switch { .. } => "switch",
            StatementKind::While { .. } => "while",
            StatementKind::Do { .. } => "do",
            StatementKind::For { .. } => "for",
            StatementKind::Label { .. } => "label",
            StatementKind::Case { .. } => "case",
            StatementKind::Default { .. } => "default",
            StatementKind::Attributed { .. } => "attributed",
            StatementKind::Goto { .. } => "goto",
            StatementKind::ComputedGoto => "computed goto",
            StatementKind::Break => "break",
            StatementKind::Continue => "continue",
            StatementKind::Return => "return",
            StatementKind::Asm => "asm",
            StatementKind::Other => "unknown",
        }
    }

    pub(crate) fn is_loop(&self) -> bool {
        matches!(
            self,
            StatementKind::While { .. } | StatementKind::Do { .. } | StatementKind::For { .. }
        )
    }

    /// Whether the statement is a label of any sort: `name:`, `case` or `default`.
    pub(crate) fn is_labelled(&self) -> bool {
        matches!(
            self,
            StatementKind::Label { .. }
                | StatementKind::Case { .. }
                | StatementKind::Default { .. }
        )
    }
}

/// The role of a statement in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    FunctionBody,
    /// One of the statements of a block.
    Item,
    Then,
    Else,
    LoopBody,
    SwitchBody,
    /// Behind a label, `case`, `default` or attribute.
    Labelled,
    /// The block of a GNU statement expression.
    InExpression,
}

/// An expression or declarator of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatementPart {
    pub role: PartRole,
    pub span: Span,
    /// Indices into the uses of the program.
    pub uses: Range<u32>,
    /// Indices into the calls of the program.
    pub calls: Range<u32>,
    /// Indices into the expressions of the program.
    pub exprs: Range<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartRole {
    /// The expression of an expression statement, `return` or `goto *`.
    Value,
    /// What `if`, `switch` or a loop tests.
    Condition,
    /// The first clause of a `for`, when it is an expression.
    Init,
    /// The last clause of a `for`.
    Step,
    /// The constant of a `case`.
    CaseValue,
    /// A variable being declared, with its initialiser.
    Declarator(VariableId),
    /// Anything else that is declared: types, functions.
    OtherDeclaration,
}

/// How code goes before a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Insertion {
    /// The text just goes before it.
    Plain,
    /// It is the unbraced body of something: braces must enclose both.
    Braced,
}

/// Why no code may be put before a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoPoint {
    /// A block that is a body: its first statement is the place.
    Body,
    InMacro,
    InInclude,
    AfterLineDirective,
    /// A `#pragma` before it belongs to it.
    AfterPragma,
    InStatementExpression,
    /// The token before it does not end a statement, or its own end is not in the text.
    Unclear,
    /// Code before it, compiled only by other compilers, may belong to it.
    Conditional,
    /// `__label__` declarations must come first in their block.
    LocalLabels,
    FunctionHandsOff,
}

impl fmt::Display for NoPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoPoint::Body => "a body's own block",
            NoPoint::InMacro => "comes from a macro",
            NoPoint::InInclude => "comes from an included file",
            NoPoint::AfterLineDirective => "stands after a #line directive",
            NoPoint::AfterPragma => "a pragma belongs to it",
            NoPoint::InStatementExpression => "inside a statement expression",
            NoPoint::Unclear => "its limits in the text are not clear",
            NoPoint::Conditional => "may continue code that conditional compilation leaves out",
            NoPoint::LocalLabels => "declares local labels",
            NoPoint::FunctionHandsOff => "the function is left alone",
        })
    }
}
