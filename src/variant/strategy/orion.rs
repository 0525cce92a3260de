//! Orion: deletes what never runs.
//!
//! From the top of each function down, a dead statement is deleted, with all that is
//! in it, with some probability; if it stays, the statements inside it are tried.
//! Statements with others inside and those without have probabilities of their own,
//! chosen anew for each variant, so that variants differ in kind and not only in
//! detail.

use super::{Rolled, Strategy, VariantNumbers, dead_code};
use crate::dice::Dice;
use crate::source::program::StatementId;
use crate::variant::mutation::{Change, DeleteStmt, Mutation, Prepared, Subject, Wants};
use anyhow::Result;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The strategy with its settings.
#[derive(Clone, Debug)]
pub struct Orion {
    /// The most mutations of one variant.
    pub most: usize,
}

/// The probabilities of one variant.
struct Chances {
    with_children: f64,
    leaf: f64,
}

impl Strategy for Orion {
    fn name(&self) -> &'static str {
        "orion"
    }

    fn wants(&self) -> Wants {
        Wants {
            dead: true,
            ..Wants::default()
        }
    }

    fn is_of_use(&self, prepared: &Prepared<'_>) -> bool {
        !prepared.deletable.is_empty()
    }

    fn note(&self, subject: Subject<'_>) -> Option<&'static str> {
        let note = "no dead code that could be deleted, so no variants";
        dead_code(subject).deletable.is_empty().then_some(note)
    }

    /// Rolls the deletions of one variant; one at least if anything is dead.
    fn variant(
        &self,
        prepared: &Prepared<'_>,
        numbers: VariantNumbers,
        rng: &mut Dice,
    ) -> Result<Rolled> {
        let chances = Chances {
            with_children: rng.random(),
            leaf: rng.random(),
        };
        let mut chosen = Vec::new();
        for (_, _, definition) in prepared.program.definitions() {
            prune(prepared, &chances, definition.body(), rng, &mut chosen);
        }
        if chosen.is_empty() {
            chosen.extend(prepared.deletable.list().choose(rng));
        }
        if chosen.len() > self.most {
            chosen.shuffle(rng);
            chosen.truncate(self.most);
            chosen.sort_unstable();
        }
        let numbered = (prepared.number(numbers.mutation)..).zip(chosen);
        let mutations = numbered.map(|(id, statement)| Mutation {
            id,
            outside: vec![],
            change: Change::DeleteStmt(DeleteStmt { statement }),
        });
        Ok(Rolled {
            strategy: self.name(),
            mutations: mutations.collect(),
            trace: None,
        })
    }
}

fn prune(
    prepared: &Prepared<'_>,
    chances: &Chances,
    id: StatementId,
    rng: &mut Dice,
    chosen: &mut Vec<StatementId>,
) {
    let children = &prepared.program.statement(id).children;
    let chance = if children.is_empty() {
        chances.leaf
    } else {
        chances.with_children
    };
    if prepared.deletable.contains(id) && rng.random_bool(chance) {
        chosen.push(id);
        return;
    }
    for child in children {
        prune(prepared, chances, *child, rng, chosen);
    }
}
