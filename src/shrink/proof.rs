//! The proof that a simpler mutation is still one: its code, evaluated over every
//! recorded visit of its point, is defined and does what its kind promises.

use crate::code::ctype::Types;
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::mutation::{Change, FalseBlock, Mutation, TrueBlock, TrueGuard};
use crate::profile::Profile;
use crate::program::{Program, StatementId};
use crate::synth::{Site, View, Vocabulary};

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
            Change::TrueGuard(TrueGuard { around, guard }) => {
                let Some(view) = self.view(*around) else {
                    return vec![];
                };
                let guards = tree::expressions(guard).into_iter();
                guards
                    .filter(|guard| view.world.truth(types, guard) == Some(true))
                    .map(|guard| {
                        Change::TrueGuard(TrueGuard {
                            around: *around,
                            guard,
                        })
                    })
                    .collect()
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
    // A constant is simpler than a variable, though both are one node.
    let weigh = |expr: &Expr| {
        let mut variables = 0;
        expr.for_each_var(&mut |_| variables += 1);
        expr.size() + variables
    };
    fn weigh_all(stmt: &Stmt, weigh: &impl Fn(&Expr) -> usize) -> usize {
        use crate::code::stmt::Part;
        let parts = stmt.parts().into_iter().map(|part| match part {
            Part::Stmt(stmt) => weigh_all(stmt, weigh),
            Part::Expr(expr) => weigh(expr),
        });
        1 + parts.sum::<usize>()
    }
    match change {
        Change::FalseBlock(change) => weigh_all(&change.block, &weigh),
        Change::TrueBlock(change) => weigh_all(&change.block, &weigh),
        Change::TrueGuard(change) => weigh(&change.guard),
    }
}
