//! Simpler forms of a mutation, and the proof that they are still harmless: the code,
//! evaluated over every recorded visit of its point, is defined and does what its kind
//! promises. What that is, each kind says for itself.

pub(super) mod tree;

use super::{Mutation, OutsideVariable};
use crate::code::ctype::Types;
use crate::code::stmt::Part;
use crate::source::program::{Program, StatementId};
use crate::source::vocabulary::Vocabulary;
use crate::variant::profile::Profile;
use crate::variant::synth::{Sites, View};
use std::sync::Arc;

/// Knows what a seed does at the points of its mutations.
#[derive(Debug)]
pub struct Prover<'p> {
    program: &'p Program,
    profile: &'p Profile,
    vocabulary: Arc<Vocabulary>,
    /// The variables at file level of the mutation in question.
    outside: Vec<OutsideVariable>,
}

impl<'p> Prover<'p> {
    /// The profile must have values for the points in question; nothing is proved
    /// at others.
    pub fn new(program: &'p Program, profile: &'p Profile) -> Prover<'p> {
        Prover {
            program,
            profile,
            vocabulary: Vocabulary::new(program).into(),
            outside: vec![],
        }
    }

    /// The same for the code of a mutation, which may read its variables at file level.
    pub(crate) fn of(&self, mutation: &Mutation) -> Prover<'p> {
        Prover {
            vocabulary: Arc::clone(&self.vocabulary),
            outside: mutation.outside.clone(),
            ..*self
        }
    }

    /// Mutations that are one step simpler and provably harmless, the simplest first.
    pub fn simpler(&self, mutation: &Mutation) -> Vec<Mutation> {
        let weight = mutation.change.weight();
        let changes = mutation.change.simpler(&self.of(mutation)).into_iter();
        let mut found: Vec<Mutation> = changes
            .filter(|change| change.weight() < weight)
            .map(|change| {
                let mut simpler = Mutation {
                    change,
                    ..mutation.clone()
                };
                simpler.drop_unused();
                simpler
            })
            .filter(|simpler| simpler.check(self.program).is_ok())
            .collect();
        found.sort_by_cached_key(|simpler| simpler.change.weight());
        found
    }

    /// The words for the program's types and variables in trees.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub(crate) fn types(&self) -> &Types {
        &self.vocabulary.types
    }

    /// Everything that is known at a point.
    pub(crate) fn view(&self, at: StatementId) -> Option<View> {
        let site = Sites::new(self.program, &self.vocabulary, self.profile).at(at)?;
        let mut view = site.whole_view();
        for variable in &self.outside {
            view.add_outside(self.types(), variable);
        }
        Some(view)
    }
}

/// The number of nodes; a variable counts twice, so that a constant is simpler.
pub(super) fn weight(part: Part<'_>) -> usize {
    match part {
        Part::Expr(expr) => {
            let mut variables = 0;
            expr.for_each_var(&mut |_| variables += 1);
            expr.size() + variables
        }
        Part::Stmt(stmt) => 1 + stmt.parts().into_iter().map(weight).sum::<usize>(),
    }
}
