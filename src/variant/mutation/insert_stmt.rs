//! A statement from elsewhere, where nothing runs.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - the names that fill the holes are visible there, or carry the mutation's
//!   number; all names in the guard are visible there;
//! - the names were chosen to fit the donor; the profile shows that control never
//!   reaches the place, or the guard is false in every recorded visit.
//!
//! Effect: the statement, in braces of its own and behind its guard if it has one,
//! stands before the other.

use super::kind::{MutationKind, Reason, Size};
use super::prepared::{LivePlace, Prepared};
use super::{Maker, Unfit};
use crate::code::expr::Expr;
use crate::code::stmt::Part;
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{Meaning, Program, StatementId, StatementKind};
use crate::variant::donor::{BoundName, Graft};
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// A donor's statement before another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertStmt {
    pub before: StatementId,
    /// A condition that never holds, where the place itself is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Expr>,
    pub graft: Graft,
}

impl MutationKind for InsertStmt {
    const IS_LIVE: bool = true;

    fn statement(&self) -> StatementId {
        self.before
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        fit::before(program, self.before)?;
        if let Some(guard) = &self.guard {
            fit::names(program, self.before, own, Part::Expr(guard))?;
        }
        let means = |name: &str| program.name_at(self.before, name);
        for binding in &self.graft.bindings {
            let name = binding.name();
            let is_visible = match binding {
                BoundName::Variable(_) => {
                    means(name).is_some_and(|known| matches!(known.meaning, Meaning::Variable(_)))
                }
                BoundName::Function(_) => match means(name) {
                    Some(known) => matches!(known.meaning, Meaning::Function(_)),
                    None => program.functions.iter().any(|f| f.name == name),
                },
                BoundName::Label(_) => has_label(program, self.before, name),
                BoundName::Own(_) if own.is_own(name) => true,
                BoundName::Own(_) => return Err(Unfit::ForeignName(name.to_owned())),
            };
            if !is_visible {
                return Err(Unfit::NotVisible(name.to_owned()));
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let statement = self.graft.text();
        match &self.guard {
            Some(guard) => format!("if ({guard}) {statement}"),
            None => statement,
        }
    }

    fn size(&self) -> Size {
        let guard = u32::from(self.guard.is_some());
        Size {
            statements: self.graft.statements + guard,
            edges: self.graft.edges + guard,
        }
    }

    fn reason(&self) -> Reason<'_> {
        match &self.guard {
            Some(condition) => Reason::Holds {
                locals: &[],
                condition,
                truth: false,
            },
            None => Reason::Unreached,
        }
    }

    fn has_material(prepared: &Prepared<'_>) -> bool {
        prepared.has_donors()
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<InsertStmt> {
        let view = maker.view(place);
        let guard = maker.synth.predicate(&view, false);
        let before = place.site.statement;
        Some(InsertStmt {
            before,
            guard: Some(guard),
            graft: maker.graft(before)?,
        })
    }

    fn has_dead_place(prepared: &Prepared<'_>) -> bool {
        !prepared.unreached.is_empty()
    }

    fn dead(maker: &mut Maker<'_, '_>) -> Option<InsertStmt> {
        let before = *maker.prepared.unreached.choose(maker.synth.rng)?;
        Some(InsertStmt {
            before,
            guard: None,
            graft: maker.graft(before)?,
        })
    }
}

fn has_label(program: &Program, at: StatementId, label: &str) -> bool {
    let function = program.statement(at).function;
    program.statements.iter().any(|statement| {
        statement.function == function
            && matches!(&statement.kind, StatementKind::Label { name, .. } if name == label)
    })
}
