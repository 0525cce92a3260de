//! Changes of a program, as data.
//!
//! A mutation is made once, with dice, when a strategy asks for one. From then on it
//! is fixed: it names statements of the seed by their numbers, holds its code as trees,
//! can be asked whether it fits a program, and always has the same effect. No mutation
//! needs another, so any part of a list of mutations is a variant too.
//!
//! Each kind is a file: its precondition and effect in English, its data, and the trait
//! [`kind::MutationKind`], which says how it is checked, applied, made and simplified.
//! Where and how often a kind is made is for `strategy/` to decide; the code comes from
//! `synth/` and `donor/`.

mod assert_fact;
mod call_again;
mod call_helper;
mod delete_stmt;
mod false_block;
mod helper;
mod insert_stmt;
mod kind;
mod maker;
mod outline_stmt;
mod prepared;
mod replace_expr;
mod simpler;
mod true_block;
mod true_guard;
mod wrap_stmt;

pub(crate) use crate::source::fit::Unfit;
pub use assert_fact::{AssertFact, Fact};
pub use call_again::CallAgain;
pub use call_helper::CallHelper;
pub use delete_stmt::DeleteStmt;
pub use false_block::FalseBlock;
pub use helper::{CallRoute, Helper};
pub(crate) use insert_stmt::InsertStmt;
pub(crate) use kind::Effect;
pub(crate) use kind::Reason;
pub(crate) use kind::Size;
pub(crate) use maker::{CodeStyle, Maker};
pub use outline_stmt::OutlineStmt;
pub(crate) use prepared::LivePlace;
pub use prepared::{Prepared, Subject, Wants};
pub use replace_expr::ReplaceExpr;
pub use simpler::Prover;
pub use true_block::TrueBlock;
pub use true_guard::TrueGuard;
pub use wrap_stmt::{WrapStmt, Wrapping};

use crate::code::stmt::Stmt;
use crate::source::edit::Edits;
pub use crate::source::outside::OutsideVariable;
use crate::source::outside::OwnNames;
use crate::source::program::{Program, StatementId};
use kind::{MutationKind, kinds};
use serde::{Deserialize, Serialize};

// Dice choose by position, so a new kind goes to the end.
kinds! {
    false_block::FalseBlock,
    true_guard::TrueGuard,
    true_block::TrueBlock,
    delete_stmt::DeleteStmt,
    insert_stmt::InsertStmt,
    assert_fact::AssertFact,
    replace_expr::ReplaceExpr,
    call_helper::CallHelper,
    wrap_stmt::WrapStmt,
    outline_stmt::OutlineStmt,
    call_again::CallAgain,
}

/// One change of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation {
    /// Its own number, which the names it declares carry.
    pub id: u32,
    /// Variables of its own that stand at file level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<OutsideVariable>,
    pub change: Change,
}

impl Mutation {
    pub fn kind(&self) -> Kind {
        self.change.kind()
    }

    /// The statement it stands at.
    pub fn statement(&self) -> StatementId {
        self.change.statement()
    }

    /// How much code is put in.
    pub(crate) fn size(&self) -> Size {
        self.change.size()
    }

    /// Whether the mutation can be made to a program; safe to ask of any.
    pub fn check(&self, program: &Program) -> Result<(), Unfit> {
        let own = OwnNames {
            id: self.id,
            outside: &self.outside,
        };
        if let Some(name) = own.foreign() {
            return Err(Unfit::ForeignName(name.to_owned()));
        }
        self.change.check(own, program)
    }

    /// Makes the change; [`Mutation::check`] must have passed.
    pub(crate) fn apply(&self, program: &Program, edits: &mut Edits) {
        for variable in &self.outside {
            edits.define(program, &variable.text());
        }
        self.change.apply(program, edits);
    }

    /// Leaves out variables at file level that the change does not name.
    fn drop_unused(&mut self) {
        if !self.outside.is_empty() {
            let text = self.text();
            self.outside
                .retain(|variable| text.contains(&*variable.name));
        }
    }

    /// The code that is put in, on one line; empty for a deletion.
    pub fn text(&self) -> String {
        self.change.text()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_called_the_same_in_records_and_in_options() {
        for kind in Kind::ALL {
            let in_records = serde_json::to_value(kind).unwrap();
            assert_eq!(in_records, kind.name());
        }
    }
}
