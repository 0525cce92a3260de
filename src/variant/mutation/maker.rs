//! What a mutation is made with: a prepared program, dice, and how large things get.

use super::prepared::{LivePlace, Prepared};
use super::{Change, Kind, Mutation, OutsideVariable};
use crate::code::expr::Expr;
use crate::dice::Dice;
use crate::source::program::StatementId;
use crate::variant::donor::Graft;
use crate::variant::synth::{Sizes, Synth, View};
use rand::Rng;

/// How code is made, whatever its kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CodeStyle {
    pub(crate) sizes: Sizes,
    /// The probability that a live block compares what it computes with what was
    /// predicted.
    pub(crate) checks: f64,
    /// Whether code that never runs may have undefined behaviour on purpose.
    pub(crate) undefined: bool,
}

impl CodeStyle {
    /// The style of one variant: with a swarm, each has sizes of its own.
    pub(crate) fn of_variant(self, is_swarm: bool, rng: &mut Dice) -> CodeStyle {
        let sizes = if is_swarm {
            self.sizes.rolled(rng)
        } else {
            self.sizes
        };
        CodeStyle { sizes, ..self }
    }
}

/// Makes one mutation.
#[derive(Debug)]
pub(crate) struct Maker<'m, 'p> {
    pub(crate) prepared: &'m Prepared<'p>,
    /// Makes code; holds the dice and the mutation's number.
    pub(crate) synth: Synth<'m, Dice>,
    pub(crate) checks: f64,
    /// A variable at file level that code of the mutation may read.
    outside: Option<OutsideVariable>,
}

/// Scalars that optimisers know nothing about; with fewer of them at hand, a mutation more
/// often gets a variable of its own.
const ENOUGH_OPAQUE: usize = 2;

impl<'m, 'p> Maker<'m, 'p> {
    pub(crate) fn new(
        prepared: &'m Prepared<'p>,
        style: CodeStyle,
        number: u32,
        rng: &'m mut Dice,
    ) -> Maker<'m, 'p> {
        Maker {
            prepared,
            synth: Synth {
                types: &prepared.vocabulary.types,
                rng,
                sizes: style.sizes,
                number,
                labels: 0,
                undefined: style.undefined,
            },
            checks: style.checks,
            outside: None,
        }
    }

    /// A mutation for an executed point, if the dice find any.
    pub(crate) fn live(mut self, kind: Kind, place: &LivePlace<'_>) -> Option<Mutation> {
        let change = kind.live(&mut self, place)?;
        Some(self.mutation(change))
    }

    /// One where nothing runs, if the dice find any.
    pub(crate) fn dead(mut self, kind: Kind) -> Option<Mutation> {
        let change = kind.dead(&mut self)?;
        Some(self.mutation(change))
    }

    fn mutation(self, change: Change) -> Mutation {
        let mut made = Mutation {
            id: self.synth.number,
            outside: self.outside.into_iter().collect(),
            change,
        };
        made.drop_unused();
        made
    }

    /// Perhaps adds a variable of our own to a view whose value no optimiser knows.
    pub(super) fn expose(&mut self, view: &mut View) {
        let opaque = view.scalars.iter().filter(|known| known.is_opaque);
        let chance = if opaque.count() < ENOUGH_OPAQUE {
            0.95
        } else {
            0.75
        };
        if self.synth.rng.random_bool(chance) {
            // One is enough, however often a mutation is tried.
            let synth = &mut self.synth;
            let variable = self.outside.get_or_insert_with(|| synth.outside());
            view.add_outside(self.synth.types, variable);
        }
    }

    /// Some of the scalars at a place, chosen by dice, and all that is known of them.
    pub(super) fn view(&mut self, place: &LivePlace<'_>) -> View {
        place.site.view(self.synth.rng, self.synth.sizes.scalars)
    }

    /// The same of variables of which a test holds: all scalars that an expression may
    /// name, and some others.
    pub(super) fn steady_view(
        &mut self,
        place: &LivePlace<'_>,
        needed: Option<&Expr>,
        is_steady: &impl Fn(&str) -> bool,
    ) -> View {
        let most = self.synth.sizes.scalars;
        let rng = &mut *self.synth.rng;
        place.site.view_where(rng, most, needed, is_steady)
    }

    /// A statement from elsewhere that fits a place, if the dice find one.
    pub(super) fn graft(&mut self, at: StatementId) -> Option<Graft> {
        self.prepared.graft(at, self.synth.number, self.synth.rng)
    }
}
