//! The proof that a simpler mutation is still one: its code, evaluated over every
//! recorded visit of its point, is defined and does what its kind promises.

use crate::code::ctype::Types;
use crate::code::stmt::{Part, Stmt};
use crate::source::program::{Program, StatementId};
use crate::source::vocabulary::Vocabulary;
use crate::variant::mutation::{Change, FalseBlock, Mutation, TrueBlock, TrueGuard};
use crate::variant::profile::Profile;
use crate::variant::synth::{Site, View};

use super::tree;

/// Knows what a seed does at the points of its mutations.
#[derive(Debug)]
pub struct Prover<'p> {
    program: &'p Program,
    profile: &'p Profile,
    vocabulary: Vocabulary,
}

impl<'p> Prover<'p> {
    /// The profile must have values for the points in question; nothing is proved
    /// at others.
    pub fn new(program: &'p Program, profile: &'p Profile) -> Prover<'p> {
        Prover {
            program,
            profile,
            vocabulary: Vocabulary::new(program),
        }
    }

    /// Mutations that are one step simpler and certainly as good, the simplest first.
    pub fn simpler(&self, mutation: &Mutation) -> Vec<Mutation> {
        let mut found: Vec<(usize, Mutation)> = self
            .changes(&mutation.change)
            .into_iter()
            .map(|change| Mutation {
                id: mutation.id,
                change,
            })
            .filter(|simpler| simpler.check(self.program).is_ok())
            .map(|simpler| (size(&simpler.change), simpler))
            .filter(|(size_of, _)| *size_of < size(&mutation.change))
            .collect();
        found.sort_by_key(|(size, _)| *size);
        found.into_iter().map(|(_, simpler)| simpler).collect()
    }

    fn changes(&self, change: &Change) -> Vec<Change> {
        let types = &self.vocabulary.types;
        match change {
            Change::FalseBlock(FalseBlock { before, block }) => {
                let Some(view) = self.view(*before) else {
                    return vec![];
                };
                let blocks = tree::statements(block).into_iter();
                blocks
                    .filter(|block| types.check(block).is_ok() && never_runs(types, &view, block))
                    .map(|block| {
                        Change::FalseBlock(FalseBlock {
                            before: *before,
                            block,
                        })
                    })
                    .collect()
            }
            Change::TrueGuard(old) => {
                let Some(view) = self.view(old.around) else {
                    return vec![];
                };
                let guards = tree::expressions(&old.guard).into_iter();
                let guards = guards
                    .filter(|guard| view.world.truth(types, guard) == Some(true))
                    .map(|guard| TrueGuard {
                        guard,
                        ..old.clone()
                    });
                // What never runs must be C, and may be nothing.
                let bodies = old.otherwise.iter().flat_map(|body| {
                    let simpler = tree::statements(body).into_iter();
                    let simpler = simpler.filter(|body| types.check(body).is_ok());
                    std::iter::once(None).chain(simpler.map(Some))
                });
                let bodies = bodies.map(|otherwise| TrueGuard {
                    otherwise,
                    ..old.clone()
                });
                guards.chain(bodies).map(Change::TrueGuard).collect()
            }
            Change::TrueBlock(TrueBlock { before, block }) => {
                let Some(view) = self.view(*before) else {
                    return vec![];
                };
                let blocks = tree::statements(block).into_iter();
                blocks
                    .filter(|block| leaves_no_trace(types, &view, block))
                    .map(|block| {
                        Change::TrueBlock(TrueBlock {
                            before: *before,
                            block,
                        })
                    })
                    .collect()
            }
            // Deleted text is as simple as can be, and donors are no trees.
            Change::DeleteStmt(_) | Change::InsertStmt(_) => vec![],
        }
    }

    /// Everything that is known at a point.
    fn view(&self, at: StatementId) -> Option<View> {
        let site = Site::new(self.program, &self.vocabulary, self.profile, at)?;
        Some(site.whole_view())
    }
}

/// Whether the condition in front of a block holds in no visit.
fn never_runs(types: &Types, view: &View, block: &Stmt) -> bool {
    let condition = match block {
        Stmt::If {
            condition,
            no: None,
            ..
        }
        | Stmt::While { condition, .. } => condition,
        Stmt::For {
            start: None,
            condition: Some(condition),
            ..
        } => condition,
        _ => return false,
    };
    view.world.truth(types, condition) == Some(false)
}

/// Whether a block is defined, ends, and leaves every variable as it was in every
/// single visit.
fn leaves_no_trace(types: &Types, view: &View, block: &Stmt) -> bool {
    let Ok(after) = view.world.after(types, block) else {
        return false;
    };
    let mut scalars = view.scalars.iter();
    scalars.all(|known| after.agrees_with(&view.world, types, &known.read))
}

fn size(change: &Change) -> usize {
    match change {
        Change::FalseBlock(change) => weight(Part::Stmt(&change.block)),
        Change::TrueBlock(change) => weight(Part::Stmt(&change.block)),
        Change::TrueGuard(change) => {
            let otherwise = change.otherwise.as_ref();
            weight(Part::Expr(&change.guard)) + otherwise.map_or(0, |body| weight(Part::Stmt(body)))
        }
        Change::DeleteStmt(_) | Change::InsertStmt(_) => 0,
    }
}

/// The number of nodes; a variable counts twice, so that a constant is simpler.
fn weight(part: Part<'_>) -> usize {
    match part {
        Part::Expr(expr) => {
            let mut variables = 0;
            expr.for_each_var(&mut |_| variables += 1);
            expr.size() + variables
        }
        Part::Stmt(stmt) => 1 + stmt.parts().into_iter().map(weight).sum::<usize>(),
    }
}
