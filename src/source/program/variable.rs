//! Variables and what the program does with them.

use super::ids::{ExprId, FunctionId, ScopeId, Span, StatementId, VariableId};
use super::types::Qualified;
use serde::Serialize;

/// A variable or parameter of the program.
#[derive(Clone, Debug, Serialize)]
pub struct Variable {
    /// Empty for an unnamed parameter.
    pub name: String,
    pub ty: Qualified,
    pub storage: Storage,
    pub is_register: bool,
    pub is_thread_local: bool,
    pub initializer: Initializer,
    /// The value or list that it is initialised with.
    pub initial: Option<ExprId>,
    /// Where it is declared; `None` outside the seed's own text.
    pub declaration: Option<Span>,
    /// The scope its name belongs to.
    pub scope: ScopeId,
    /// The function it is local to.
    pub function: Option<FunctionId>,
    /// The declaration statement or `for` that declares it.
    pub statement: Option<StatementId>,
    /// Whether `&` is applied to it or part of it, or it decays to a pointer, anywhere.
    pub address_taken: bool,
    /// Whether anything outside its own declaration uses it. Unused variables may be deleted,
    /// so inserted code must not name them.
    pub is_used_elsewhere: bool,
    /// From where in the text its type is certainly complete: `extern struct s x;` may
    /// stand before the struct's fields.
    pub complete_from: u32,
    /// Whether it carries an `asm("…")` name: a register or a symbol with other rules.
    pub has_asm_name: bool,
    /// Whether a signal handler uses it, which compilers need not expect.
    pub is_used_by_handler: bool,
    /// Whether a system header declares it.
    pub is_from_system_header: bool,
}

impl Variable {
    /// Whether a new use of it might not link, or mean something else.
    pub(crate) fn is_foreign(&self) -> bool {
        self.storage == Storage::External || self.is_from_system_header || self.has_asm_name
    }
}

/// Where a variable lives and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    Automatic,
    Parameter,
    /// `static` inside a function.
    LocalStatic,
    /// At file scope, defined here.
    Global,
    /// Declared `extern` and defined in no part of this program that we see.
    External,
}

impl Storage {
    /// Whether the object begins and ends with a block or call.
    pub(crate) fn is_automatic(self) -> bool {
        matches!(self, Storage::Automatic | Storage::Parameter)
    }
}

/// How a variable gets its first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Initializer {
    None,
    /// `= { … }` or a string: every element and field gets a value.
    List,
    /// `= expression`.
    Value,
}

/// One appearance of a variable in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Use {
    pub variable: VariableId,
    pub expr: ExprId,
    /// The name; the whole macro call where the name comes from a macro.
    pub span: Span,
    pub access: Access,
    /// Whether only a part (a field, an element) is accessed.
    pub is_partial: bool,
    /// Whether the surrounding part of the statement may run without it:
    /// the right of `&&`, an arm of `?:`, a statement expression.
    pub is_conditional: bool,
    pub is_in_macro: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    Read,
    Write,
    ReadWrite,
    AddressTaken,
    /// Under `sizeof` and similar operators.
    Unevaluated,
    /// In text we do not look into; anything may happen.
    Unknown,
}

impl Access {
    pub(crate) fn writes(self) -> bool {
        matches!(self, Access::Write | Access::ReadWrite | Access::Unknown)
    }
}
