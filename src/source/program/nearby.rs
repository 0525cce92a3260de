//! Which variables the code around a statement uses.

use super::{Access, Program, StatementId, VariableId};

/// Statements before and behind in the text whose variables count as near.
const BEFORE: u32 = 3;
const BEHIND: u32 = 5;

impl Program {
    /// The variables used by a statement and its neighbours in the text, nearest first; then
    /// those in the conditions and loop steps that control it.
    pub(crate) fn used_near(&self, id: StatementId) -> Vec<VariableId> {
        let mut found = Vec::new();
        let own = self.statement(id).function;
        for distance in 0..=BEFORE.max(BEHIND) {
            let behind = (distance <= BEHIND).then(|| id.0 + distance);
            let before = (1..=BEFORE)
                .contains(&distance)
                .then(|| id.0.checked_sub(distance));
            for number in behind.into_iter().chain(before.flatten()) {
                let statement = self.statements.get(number as usize);
                if statement.is_some_and(|statement| statement.function == own) {
                    self.add_uses(StatementId(number), &mut found);
                }
            }
        }
        let parent = |at: StatementId| self.statement(at).parent;
        for around in std::iter::successors(parent(id), |at| parent(*at)) {
            self.add_uses(around, &mut found);
        }
        found
    }

    /// Adds the variables that a statement's own expressions use.
    fn add_uses(&self, id: StatementId, found: &mut Vec<VariableId>) {
        for part in &self.statement(id).parts {
            for one in self.uses_of(part) {
                if one.access != Access::Unevaluated && !found.contains(&one.variable) {
                    found.push(one.variable);
                }
            }
        }
    }
}
