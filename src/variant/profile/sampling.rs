//! Which points of a program record values.

use super::{ProfileOptions, Unreached};
use crate::dice::{self, Draw};
use crate::source::consequence::Consequences;
use crate::source::program::{Program, StatementId};
use crate::source::seed::hash_source;
use crate::variant::places;

/// So many points record values, however few there are and however often they are
/// visited.
const FEWEST_POINTS: usize = 10;

/// So many visits record values in one run, if it can be helped: each takes about half
/// a microsecond.
const MOST_VISITS: u64 = 2_000_000;

/// Chooses points, given how often each was visited if that is known.
pub(super) type Choose<'c> = dyn Fn(Option<&[u64]>) -> Vec<StatementId> + 'c;

/// Draws the points that record values by what they are worth, of those that were
/// visited if that is known. Of a small program more of them do, so that something
/// is left to be mutated.
pub(super) fn sampled(
    program: &Program,
    options: &ProfileOptions,
    visits: Option<&[u64]>,
) -> Vec<StatementId> {
    if options.probability >= 1.0 {
        return program.points().collect();
    }
    let points = program.points().enumerate();
    let visited = points.filter_map(|(number, point)| match visits {
        Some(visits) => (visits[number] > 0).then_some((point, visits[number])),
        None => Some((point, 0)),
    });
    let (points, visits): (Vec<StatementId>, Vec<u64>) = visited.unzip();
    let is_left_out = |point: &StatementId| points.binary_search(point).is_err();
    let unreached = program.points().filter(is_left_out).collect();
    let unreached = Unreached::by_points(program, unreached);
    let consequences = Consequences::new(program, |id| !unreached.is_dead(id));
    let count = match options.probability {
        0.0 => 0,
        asked => FEWEST_POINTS.max((asked * points.len() as f64).ceil() as usize),
    };
    let mut rng = dice::generator(options.dice, hash_source(&program.source), Draw::Sampling);
    let (mut taken, mut left) = (0, MOST_VISITS);
    let is_taken = |at: usize| {
        let is_taken = taken < FEWEST_POINTS || visits[at] <= left;
        if is_taken {
            taken += 1;
            left = left.saturating_sub(visits[at]);
        }
        is_taken
    };
    let weights = places::weights(program, &points, &consequences);
    let mut chosen = places::draw(&weights, count, &mut rng, is_taken);
    chosen.sort_unstable();
    chosen.into_iter().map(|at| points[at]).collect()
}
