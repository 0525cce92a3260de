//! Whether the text of a program can be changed at a statement, and if not, why.
//!
//! These are the checks that all kinds of changes share; each kind has further ones.

use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Part, Stmt};
use crate::source::outside::OwnNames;
use crate::source::own_structs;
use crate::source::program::{Meaning, NoPoint, Program, Statement, StatementId, StatementKind};
use std::collections::BTreeSet;
use std::fmt;

/// Why a change does not fit a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The program has no statement of that number.
    NoStatement(StatementId),
    /// No code may be put there.
    NoPoint(NoPoint),
    /// A name in the code means nothing at the place.
    NotVisible(String),
    /// A declared name lacks the mutation's number.
    ForeignName(String),
    /// It would part `[[fallthrough]];` from the label after it.
    Fallthrough,
    /// The end of the statement is not in the text.
    EndUnknown,
    /// What it declares would no longer be visible after the statement.
    Declaration,
    /// A label, or a statement with one inside.
    Label,
    /// A `break` or `continue` would leave something else.
    Jump,
    /// A statement of a kind that is left alone.
    Untouchable(&'static str),
    /// Something else mentions a variable that would be gone.
    StillUsed(String),
    /// A preprocessor line or pragma stands inside.
    Directive,
    /// Text that would be replaced, or become part of a macro, spans several lines.
    SeveralLines,
    /// The expression cannot be replaced, and why.
    NoOperand(&'static str),
    /// The statement cannot move into a function of its own, and why.
    NoOutline(&'static str),
    /// The program counts with `__COUNTER__`.
    Counter,
}

/// The statement before which code is to be inserted.
pub(crate) fn point(program: &Program, id: StatementId) -> Result<&Statement, Unfit> {
    let found = program.statements.get(id.index());
    let statement = found.ok_or(Unfit::NoStatement(id))?;
    statement.insertion.map_err(Unfit::NoPoint)?;
    Ok(statement)
}

/// Whether statements of this kind can be wrapped or deleted at all.
pub(crate) fn kind(statement: &Statement) -> Result<(), Unfit> {
    match &statement.kind {
        kind @ (StatementKind::Null
        | StatementKind::Attributed { .. }
        | StatementKind::ComputedGoto
        | StatementKind::Asm
        | StatementKind::Other) => Err(Unfit::Untouchable(kind.name())),
        _ => Ok(()),
    }
}

/// Whether code can be put around a statement: its end is known, nothing jumps into it, and
/// nothing that it declares is needed after it.
pub(crate) fn enclosable(program: &Program, id: StatementId) -> Result<(), Unfit> {
    let statement = point(program, id)?;
    match &statement.kind {
        StatementKind::Declaration { .. } => return Err(Unfit::Declaration),
        kind if kind.is_labelled() => return Err(Unfit::Label),
        _ => self::kind(statement)?,
    }
    if !statement.end_is_known {
        return Err(Unfit::EndUnknown);
    }
    if statement.has_literal || declares_type(program, statement) {
        return Err(Unfit::Declaration);
    }
    if program.has_case(id) || program.has_label(id) {
        return Err(Unfit::Label);
    }
    Ok(())
}

/// Whether a `break`, or a `continue` if that counts, leaves something around the
/// statement.
pub(crate) fn jumps_out(program: &Program, id: StatementId, counts_continue: bool) -> bool {
    leaves(program, id, true, counts_continue)
}

fn leaves(program: &Program, id: StatementId, breaks: bool, continues: bool) -> bool {
    let statement = program.statement(id);
    let is_loop = statement.kind.is_loop();
    let is_switch = matches!(statement.kind, StatementKind::Switch { .. });
    match statement.kind {
        StatementKind::Break => return breaks,
        StatementKind::Continue => return continues,
        _ => {}
    }
    let (breaks, continues) = (breaks && !is_loop && !is_switch, continues && !is_loop);
    let mut children = statement.children.iter();
    children.any(|child| leaves(program, *child, breaks, continues))
}

/// Whether code may be put before a statement.
pub(crate) fn before(program: &Program, id: StatementId) -> Result<(), Unfit> {
    point(program, id)?;
    apart_from_previous(program, id)
}

/// Whether a block of a mutation may be put before a statement.
pub(crate) fn block(
    program: &Program,
    at: StatementId,
    own: OwnNames<'_>,
    block: &Stmt,
) -> Result<(), Unfit> {
    before(program, at)?;
    names(program, at, own, Part::Stmt(block))
}

/// Whether code may go between a statement and the one before it: a fallthrough
/// attribute must be followed by its label.
fn apart_from_previous(program: &Program, id: StatementId) -> Result<(), Unfit> {
    let statement = program.statement(id);
    let Some(parent) = statement.parent else {
        return Ok(());
    };
    let siblings = &program.statement(parent).children;
    let before = siblings.iter().rposition(|sibling| *sibling < id);
    let Some(before) = before.filter(|_| statement.kind.is_labelled()) else {
        return Ok(());
    };
    let text = program.text(program.statement(siblings[before]).span);
    if text.windows(11).any(|word| word == b"fallthrough") {
        Err(Unfit::Fallthrough)
    } else {
        Ok(())
    }
}

/// Whether its own expressions may declare a struct, union or enum, as in
/// `sizeof(struct T { int a; })`.
pub(crate) fn declares_type(program: &Program, statement: &Statement) -> bool {
    let mut parts = statement.parts.iter();
    parts.any(|part| program.type_macros.may_declare(program.text(part.span)))
}

/// Whether every name in the code is declared in it, visible at the place or one of the
/// mutation's variables at file level, and every name it declares is the mutation's own.
pub(crate) fn names(
    program: &Program,
    at: StatementId,
    own: OwnNames<'_>,
    code: Part<'_>,
) -> Result<(), Unfit> {
    let is_visible = |name: &str| {
        let known = program.name_at(at, name);
        known.is_some_and(|name| !name.is_macro_too && matches!(name.meaning, Meaning::Variable(_)))
    };
    if aborts(code) && !program.abort_is_of_the_library() {
        return Err(Unfit::NotVisible("abort".into()));
    }
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut declared = Vec::new();
    collect_declared(code, &mut declared);
    for var in declared {
        if !own.is_own(&var.name) {
            return Err(Unfit::ForeignName(var.name.to_string()));
        }
        if let Some(name) = foreign_struct(&var.ty) {
            return Err(Unfit::NotVisible(name.to_owned()));
        }
        known.insert(&var.name);
    }
    let mut missing = None;
    each_expression(code, &mut |expr| {
        expr.for_each_var(&mut |var| {
            let is_ours = |name: &str| known.contains(name) || own.is_outside(name);
            if missing.is_none() && !is_ours(&var.name) && !is_visible(&var.name) {
                missing = Some(var.name.to_string());
            }
        });
    });
    match missing {
        Some(name) => Err(Unfit::NotVisible(name)),
        None => Ok(()),
    }
}

/// A struct that is not one of ours, if objects of the type are made of one. What the seed
/// calls its structs is not known.
fn foreign_struct(ty: &Type) -> Option<&str> {
    match ty {
        Type::Record(name) | Type::Opaque(name) => (!own_structs::is_own(name)).then_some(&**name),
        Type::Array { of, .. } => foreign_struct(of),
        Type::Pointer { to, .. } => foreign_struct(to),
        _ => None,
    }
}

fn aborts(code: Part<'_>) -> bool {
    match code {
        Part::Expr(_) => false,
        Part::Stmt(Stmt::Abort) => true,
        Part::Stmt(stmt) => stmt.parts().into_iter().any(aborts),
    }
}

fn collect_declared<'c>(code: Part<'c>, found: &mut Vec<&'c Var>) {
    if let Part::Stmt(stmt) = code {
        if let Stmt::Declare(declaration) = stmt {
            found.push(&declaration.var);
        }
        for part in stmt.parts() {
            collect_declared(part, found);
        }
    }
}

fn each_expression<'c>(code: Part<'c>, see: &mut impl FnMut(&'c Expr)) {
    match code {
        Part::Expr(expr) => see(expr),
        Part::Stmt(stmt) => {
            for part in stmt.parts() {
                each_expression(part, see);
            }
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoStatement(id) => write!(f, "the program has no statement {id}"),
            Unfit::NoPoint(reason) => write!(f, "no code may be put there: {reason}"),
            Unfit::NotVisible(name) => write!(f, "{name} is not visible there"),
            Unfit::ForeignName(name) => write!(f, "{name} is not a name of this mutation"),
            Unfit::Fallthrough => f.write_str("a fallthrough attribute must stay with its label"),
            Unfit::EndUnknown => f.write_str("the end of the statement is not in the text"),
            Unfit::Declaration => f.write_str("a declaration must stay as it is"),
            Unfit::Label => f.write_str("a statement with a label cannot be guarded"),
            Unfit::Jump => f.write_str("a jump inside it would go somewhere else"),
            Unfit::Untouchable(kind) => write!(f, "a statement of kind {kind} is left alone"),
            Unfit::StillUsed(name) => write!(f, "{name} is still used"),
            Unfit::Directive => f.write_str("it contains a preprocessor line"),
            Unfit::SeveralLines => f.write_str("its text spans several lines"),
            Unfit::NoOperand(why) => write!(f, "the expression cannot be replaced: {why}"),
            Unfit::NoOutline(why) => write!(f, "it cannot become a function: {why}"),
            Unfit::Counter => f.write_str("the program uses __COUNTER__"),
        }
    }
}

impl std::error::Error for Unfit {}
