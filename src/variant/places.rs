//! Which points are worth changing, and draws by that worth.
//!
//! Optimisers do most in loops and in functions that others call, and least in the
//! straight line of `main` that prints or sums up what was computed, and drop what nobody
//! looks at. The profile records values where it is worth most, and each variant draws
//! points of its own from those.

use crate::source::consequence::Consequences;
use crate::source::program::{FunctionId, PartRole, Program, StatementId, StatementKind};
use rand::Rng;
use std::collections::HashMap;

/// The weight of a point about which nothing is special.
const ORDINARY: u32 = 8;

/// A function that one other calls in so many statements of their own is one that sums
/// up or prints, such as Csmith's `transparent_crc`.
const MANY_CALLS: usize = 6;

/// What each point is worth, in the same order; never 0.
pub(crate) fn weights(
    program: &Program,
    points: &[StatementId],
    consequences: &Consequences,
) -> Vec<u32> {
    let sums = calls_as_statements(program);
    let weight = |&id: &StatementId| {
        let statement = program.statement(id);
        let function = program.function(statement.function);
        let definition = function.definition.as_ref();
        let mut weight = ORDINARY;
        if is_in_loop(program, id) {
            weight *= 3;
        }
        if function.name == "main" {
            weight /= 16;
        } else if definition.is_some_and(|definition| !definition.parameters.is_empty()) {
            weight *= 2;
        }
        let is_sum = called(program, id)
            .and_then(|callee| sums.get(&(statement.function, callee)))
            .is_some_and(|calls| *calls >= MANY_CALLS);
        if is_sum {
            weight /= 3;
        }
        if !consequences.has(id) {
            weight /= 4;
        }
        weight.max(1)
    };
    points.iter().map(weight).collect()
}

/// How many points there are, counted as if all had the same weight: as many as make two
/// draws of a share of them have that share in common. (The sum's square by the sum of
/// squares.)
pub(crate) fn effective_count(weights: &[u32]) -> f64 {
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let squares: f64 = weights.iter().copied().map(|w| f64::from(w).powi(2)).sum();
    if squares > 0.0 {
        sum * sum / squares
    } else {
        0.0
    }
}

/// Up to `count` different positions, drawn one after the other by their weights, which
/// should be small. What `is_taken` declines is passed over.
pub(crate) fn draw(
    weights: &[u32],
    count: usize,
    rng: &mut impl Rng,
    mut is_taken: impl FnMut(usize) -> bool,
) -> Vec<usize> {
    // To draw by weight without putting back is to sort by the highest of as many
    // throws as the weight says (Efraimidis and Spirakis).
    let mut key = |weight: &u32| (0..*weight).map(|_| rng.random::<u64>()).max();
    let mut order: Vec<(Option<u64>, usize)> =
        weights.iter().map(&mut key).zip(0..weights.len()).collect();
    order.sort_unstable_by(|one, other| other.cmp(one));
    let drawn = order.into_iter().map(|(_, at)| at);
    drawn.filter(|at| is_taken(*at)).take(count).collect()
}

/// Whether a statement is repeated by a loop of its function.
fn is_in_loop(program: &Program, id: StatementId) -> bool {
    let parent = |at: StatementId| program.statement(at).parent;
    let mut around = std::iter::successors(parent(id), |at| parent(*at));
    around.any(|at| program.statement(at).kind.is_loop())
}

/// How often each function calls each other in a statement that does nothing else.
fn calls_as_statements(program: &Program) -> HashMap<(FunctionId, FunctionId), usize> {
    let mut counts = HashMap::new();
    for id in program.statement_ids() {
        if let Some(callee) = called(program, id) {
            let caller = program.statement(id).function;
            *counts.entry((caller, callee)).or_default() += 1;
        }
    }
    counts
}

/// The function whose call is all that a statement does.
fn called(program: &Program, id: StatementId) -> Option<FunctionId> {
    let statement = program.statement(id);
    if statement.kind != StatementKind::Expression {
        return None;
    }
    let part = statement.parts.iter().find(|p| p.role == PartRole::Value)?;
    let calls = &program.calls[part.calls.start as usize..part.calls.end as usize];
    let whole = calls.iter().find(|call| call.span == part.span)?;
    whole.function
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn draws_follow_the_weights_and_repeat_nothing() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let weights = [1, 90, 1, 90, 1, 90];
        let mut light = 0;
        for _ in 0..200 {
            let mut drawn = draw(&weights, 3, &mut rng, |_| true);
            light += drawn.iter().filter(|at| **at % 2 == 0).count();
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), 3);
        }
        assert!((1..60).contains(&light), "{light} of 600");
        assert_eq!(draw(&weights, 9, &mut rng, |_| true).len(), 6);
        assert_eq!(draw(&weights, 9, &mut rng, |at| at != 1).len(), 5);
    }

    #[test]
    fn points_of_little_weight_hardly_count() {
        assert_eq!(effective_count(&[]), 0.0);
        assert_eq!(effective_count(&[7, 7, 7]), 3.0);
        assert!(effective_count(&[100, 100, 1, 1, 1, 1]) < 2.1);
    }
}
