//! Orion: deletes what never runs.
//!
//! From the top of each function down, a dead statement goes with a chance, and
//! all that is in it; if it stays, the statements in it have their chance.
//! Statements with others inside and those without have chances of their own,
//! rolled anew for each variant, so that variants differ in kind and not only in
//! detail.

use super::prepared::Prepared;
use crate::source::deletion;
use crate::source::program::{Program, StatementId};
use crate::variant::mutation::{Change, DeleteStmt, Mutation};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The strategy with its settings.
#[derive(Clone, Debug)]
pub struct Orion {
    /// Mutations of one variant at most.
    pub most: usize,
}

/// The chances of one variant.
struct Chances {
    with_children: f64,
    leaf: f64,
}

/// What is dead and can be deleted.
#[derive(Clone, Debug)]
pub(super) struct Deletable {
    can_go: Vec<bool>,
    /// The same as a list.
    pub(super) statements: Vec<StatementId>,
}

impl Deletable {
    pub(super) fn new(program: &Program, is_dead: impl Fn(StatementId) -> bool) -> Deletable {
        let can_go: Vec<bool> = program
            .statement_ids()
            .map(|id| is_dead(id) && deletion::check(program, id).is_ok())
            .collect();
        let statements = program.statement_ids().filter(|id| can_go[id.index()]);
        Deletable {
            statements: statements.collect(),
            can_go,
        }
    }
}

impl Orion {
    /// Rolls the deletions of one variant; one at least if anything is dead.
    pub(super) fn variant(
        &self,
        prepared: &Prepared<'_>,
        first: u32,
        rng: &mut impl Rng,
    ) -> Vec<Mutation> {
        let deletable = &prepared.deletable;
        let chances = Chances {
            with_children: rng.random(),
            leaf: rng.random(),
        };
        let mut chosen = Vec::new();
        for (_, _, definition) in prepared.program.definitions() {
            prune(prepared, &chances, definition.body(), rng, &mut chosen);
        }
        if chosen.is_empty() {
            chosen.extend(deletable.statements.choose(rng));
        }
        if chosen.len() > self.most {
            chosen.shuffle(rng);
            chosen.truncate(self.most);
            chosen.sort_unstable();
        }
        let numbered = (first..).zip(chosen);
        let mutations = numbered.map(|(id, statement)| Mutation {
            id,
            change: Change::DeleteStmt(DeleteStmt { statement }),
        });
        mutations.collect()
    }
}

fn prune(
    prepared: &Prepared<'_>,
    chances: &Chances,
    id: StatementId,
    rng: &mut impl Rng,
    chosen: &mut Vec<StatementId>,
) {
    let children = &prepared.program.statement(id).children;
    let chance = match children.is_empty() {
        true => chances.leaf,
        false => chances.with_children,
    };
    if prepared.deletable.can_go[id.index()] && rng.random_bool(chance) {
        chosen.push(id);
        return;
    }
    for child in children {
        prune(prepared, chances, *child, rng, chosen);
    }
}
