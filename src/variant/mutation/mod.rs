//! Changes of a program, as data.
//!
//! A mutation is made once, with dice, by a strategy. From then on it is fixed:
//! it names statements of the seed by their numbers, holds its code as trees,
//! can be asked whether it fits a program, and always has the same effect. No
//! mutation needs another, so any part of a list of mutations is a variant too.
//!
//! Each kind is a file with its precondition and effect written above it.

mod delete_stmt;
mod false_block;
mod insert_stmt;
mod true_block;
mod true_guard;

pub use crate::source::fit::Unfit;
pub use delete_stmt::DeleteStmt;
pub use false_block::FalseBlock;
pub use insert_stmt::InsertStmt;
pub use true_block::TrueBlock;
pub use true_guard::TrueGuard;

use crate::code::stmt::{Part, Stmt};
use crate::source::edit::Edits;
use crate::source::program::{Program, StatementId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One change of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation {
    /// Its own number, which the names it declares carry.
    pub id: u32,
    pub change: Change,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    FalseBlock(FalseBlock),
    TrueGuard(TrueGuard),
    TrueBlock(TrueBlock),
    DeleteStmt(DeleteStmt),
    InsertStmt(InsertStmt),
}

/// The kinds of mutations, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    FalseBlock,
    TrueGuard,
    TrueBlock,
    DeleteStmt,
    InsertStmt,
}

impl Kind {
    pub const ALL: [Kind; 5] = [
        Kind::FalseBlock,
        Kind::TrueGuard,
        Kind::TrueBlock,
        Kind::DeleteStmt,
        Kind::InsertStmt,
    ];

    /// The kinds that are made where code is executed.
    pub const LIVE: [Kind; 3] = [Kind::FalseBlock, Kind::TrueGuard, Kind::TrueBlock];

    pub fn name(self) -> &'static str {
        match self {
            Kind::FalseBlock => "false_block",
            Kind::TrueGuard => "true_guard",
            Kind::TrueBlock => "true_block",
            Kind::DeleteStmt => "delete_stmt",
            Kind::InsertStmt => "insert_stmt",
        }
    }
}

impl Mutation {
    pub fn kind(&self) -> Kind {
        match self.change {
            Change::FalseBlock(_) => Kind::FalseBlock,
            Change::TrueGuard(_) => Kind::TrueGuard,
            Change::TrueBlock(_) => Kind::TrueBlock,
            Change::DeleteStmt(_) => Kind::DeleteStmt,
            Change::InsertStmt(_) => Kind::InsertStmt,
        }
    }

    /// The statement it stands at.
    pub fn statement(&self) -> StatementId {
        match &self.change {
            Change::FalseBlock(change) => change.before,
            Change::TrueGuard(change) => change.around,
            Change::TrueBlock(change) => change.before,
            Change::DeleteStmt(change) => change.statement,
            Change::InsertStmt(change) => change.before,
        }
    }

    /// How many statements, and how many edges of the control-flow graph that start
    /// in them, are put in.
    pub fn size(&self) -> (u32, u32) {
        match &self.change {
            Change::FalseBlock(change) => tree_size(&change.block),
            Change::TrueBlock(change) => tree_size(&change.block),
            Change::TrueGuard(change) => {
                let (statements, edges) = change.otherwise.as_ref().map_or((0, 0), tree_size);
                (statements + 1, edges + 1)
            }
            Change::DeleteStmt(_) => (0, 0),
            Change::InsertStmt(change) => {
                let guard = u32::from(change.guard.is_some());
                (change.graft.statements + guard, change.graft.edges + guard)
            }
        }
    }

    /// Whether the mutation can be made to a program; safe to ask of any.
    pub fn check(&self, program: &Program) -> Result<(), Unfit> {
        match &self.change {
            Change::FalseBlock(change) => change.check(self.id, program),
            Change::TrueGuard(change) => change.check(self.id, program),
            Change::TrueBlock(change) => change.check(self.id, program),
            Change::DeleteStmt(change) => change.check(program),
            Change::InsertStmt(change) => change.check(self.id, program),
        }
    }

    /// Makes the change; [`Mutation::check`] must have passed.
    pub fn apply(&self, program: &Program, edits: &mut Edits) {
        match &self.change {
            Change::FalseBlock(change) => change.apply(program, edits),
            Change::TrueGuard(change) => change.apply(program, edits),
            Change::TrueBlock(change) => change.apply(program, edits),
            Change::DeleteStmt(change) => change.apply(program, edits),
            Change::InsertStmt(change) => change.apply(program, edits),
        }
    }

    /// The code that is put in, on one line; empty for a deletion.
    pub fn text(&self) -> String {
        match &self.change {
            Change::FalseBlock(change) => one_line(&change.block),
            Change::TrueGuard(change) => change.text(),
            Change::TrueBlock(change) => one_line(&change.block),
            Change::DeleteStmt(_) => String::new(),
            Change::InsertStmt(change) => change.text(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Statements of a tree, and edges from one to the next: two from a condition.
fn tree_size(stmt: &Stmt) -> (u32, u32) {
    let own = match stmt {
        Stmt::Block(_) => (0, 0),
        Stmt::If { .. } | Stmt::While { .. } | Stmt::Do { .. } | Stmt::For { .. } => (1, 2),
        _ => (1, 1),
    };
    stmt.parts().into_iter().fold(own, |sum, part| match part {
        Part::Stmt(inner) => {
            let inner = tree_size(inner);
            (sum.0 + inner.0, sum.1 + inner.1)
        }
        Part::Expr(_) => sum,
    })
}

/// Puts the text of a mutation before a statement.
fn insert(program: &Program, before: StatementId, text: &str, edits: &mut Edits) {
    edits.insert_at_point(program.statement(before), format!("{text} "));
}

/// A statement without line breaks: seeds may print `__LINE__`.
fn one_line(stmt: &Stmt) -> String {
    // Trees hold no strings or characters, so white space only parts words.
    let text = stmt.to_string();
    let mut line = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
