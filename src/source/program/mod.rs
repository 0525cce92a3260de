//! The seed as our own tree: functions, statements, expressions, scopes, variables,
//! types, all with byte spans into the seed's text.
//!
//! `lower` is the only code here that sees clang's cursors; everything else
//! works on owned tables that any thread may read. Statements keep the numbers
//! they get here for as long as the seed's text is the same: mutations name
//! their places by them.

mod attributes;
mod dump;
mod expression;
mod extent;
mod flow;
mod function;
mod ids;
mod init;
mod lines;
mod listing;
mod lower;
mod macros;
mod nearby;
mod new_code;
mod place;
mod probe;
mod prologue;
mod readable;
mod scope;
mod statement;
mod tokens;
mod types;
mod unions;
mod variable;

pub(crate) use attributes::{has_attribute, has_bare_attribute};
pub use dump::Dump;
pub use expression::{Conversion, Effects, ExprKind, SeedExpr};
pub(crate) use flow::{Flow, FlowStep};
pub use function::{Call, Definition, HandsOff, SeedFunction};
pub use ids::{ExprId, FunctionId, RecordId, ScopeId, Span, StatementId, TypeId, VariableId};
pub(crate) use lines::Lines;
pub use lower::{check, complaints, lower, lower_part};
pub use place::{AccessPath, Leaf, LeafKind, PathStep};
pub use probe::{FrontEndProbe, probe_with};
pub(crate) use prologue::{Prologue, without_frame};
pub use readable::{Unreadable, Unwritable};
pub use scope::{DeclaredName, Meaning, Scope};
pub use statement::{Insertion, NoPoint, PartRole, Role, Statement, StatementKind, StatementPart};
pub(crate) use tokens::{Token, TokenKind, Tokens, mentions};
pub use types::{Qualified, SeedField, SeedRecord, SeedType, SeedTypes, TypeInfo};
pub use variable::{Access, Initializer, Storage, Use, Variable};

use crate::code::types::Target;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A lowered seed.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub source: Arc<[u8]>,
    pub target: Target,
    /// The flags that it was read with.
    pub flags: Vec<OsString>,
    pub types: SeedTypes,
    pub scopes: Vec<Scope>,
    pub variables: Vec<Variable>,
    pub functions: Vec<SeedFunction>,
    pub statements: Vec<Statement>,
    /// All expressions; see [`SeedExpr`].
    pub exprs: Vec<SeedExpr>,
    pub uses: Vec<Use>,
    pub calls: Vec<Call>,
    /// The names of all macros that are defined anywhere.
    pub macros: HashSet<String>,
    /// Whether the text or a header says `__COUNTER__`, whose values depend on what is
    /// before it.
    pub has_counter: bool,
    /// Whether it uses memory that others provide unfilled, as `malloc` does.
    pub gets_memory: bool,
    /// Whether bytes that nobody has written may be read through a pointer or index.
    pub has_blank_bytes: bool,
    /// Whether a function is declared with the attribute `malloc`: what it returns may
    /// not be reached by another name, as with `restrict`.
    pub hands_out_memory: bool,
    /// Whether the word `restrict` stands in it anywhere.
    pub says_restrict: bool,
    /// Whether a type may have the attribute `may_alias` or `aligned`: one that is written
    /// anew, in our own words, would lack it.
    pub has_special_types: bool,
    /// Whether a variable may have the attribute `cleanup`: leaving its block calls a
    /// function that no expression names.
    pub has_cleanups: bool,
    /// Whether clang warned about something that is an error by default, such as a call of an
    /// undeclared function.
    pub has_old_habits: bool,
    /// The macros that may hide a part of a type's declaration.
    pub(crate) type_macros: macros::TypeMacros,
    /// Where in its list each ordinary identifier of the outermost scope is.
    file_names: HashMap<String, usize>,
    /// Per variable: what may be done with it wherever it is visible.
    permissions: Vec<readable::Permission>,
    /// Per statement: which automatic variables certainly hold a value before it.
    initialised: init::Initialised,
}

impl Program {
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.index()]
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &SeedFunction {
        &self.functions[id.index()]
    }

    pub fn statement_ids(&self) -> impl Iterator<Item = StatementId> + use<> {
        (0..self.statements.len()).map(StatementId::new)
    }

    /// The functions that the seed's own text defines, in its order.
    pub fn definitions(&self) -> impl Iterator<Item = (FunctionId, &SeedFunction, &Definition)> {
        self.functions
            .iter()
            .enumerate()
            .filter_map(|(index, function)| {
                let definition = function.definition.as_ref()?;
                Some((FunctionId::new(index), function, definition))
            })
    }

    /// The statements that code may be put before.
    pub fn points(&self) -> impl Iterator<Item = StatementId> + '_ {
        self.statement_ids()
            .filter(|&id| self.statement(id).insertion.is_ok())
    }

    /// The result and the parameters of a function, if its prototype says all.
    pub(crate) fn prototype(&self, id: FunctionId) -> Option<(Qualified, &[Qualified])> {
        match self.types.get(self.function(id).ty.id) {
            SeedType::Function {
                result,
                parameters,
                variadic: false,
                prototyped: true,
            } => Some((*result, parameters)),
            _ => None,
        }
    }

    /// The uses of variables in one part of a statement.
    pub(crate) fn uses_of(&self, part: &StatementPart) -> &[Use] {
        &self.uses[part.uses.start as usize..part.uses.end as usize]
    }

    /// The statements of a statement, itself first: their numbers are in a row.
    pub(crate) fn within(&self, id: StatementId) -> Range<u32> {
        let mut last = id;
        while let Some(child) = self.statement(last).children.last() {
            last = *child;
        }
        id.0..last.0 + 1
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &[u8] {
        &self.source[span.range()]
    }
}
