//! A profiled program, ready for any number of variants.

use super::orion::Deletable;
use crate::mutation::TrueGuard;
use crate::profile::{Profile, Unreached};
use crate::program::Program;
use crate::synth::{Site, Surroundings, Vocabulary};

/// All that strategies ask of a program again and again.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub(super) program: &'a Program,
    pub(super) vocabulary: &'a Vocabulary,
    /// Where live code can go.
    pub(super) places: Vec<Place<'a>>,
    pub(super) deletable: Deletable,
    /// The least number that no name in the program carries.
    first: u32,
}

/// A point that is executed.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) site: Site<'a>,
    pub(super) around: Surroundings,
    pub(super) takes_guard: bool,
}

/// Which parts of a program a strategy works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wants {
    pub(super) live: bool,
    pub(super) dead: bool,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        program: &'a Program,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
        wants: Wants,
    ) -> Prepared<'a> {
        let sampled = profile.sampled().filter(|_| wants.live);
        let places = sampled.filter_map(|(point, _)| {
            let site = Site::new(program, vocabulary, profile, point.statement)?;
            Some(Place {
                site,
                around: Surroundings::new(program, vocabulary, point.statement),
                takes_guard: TrueGuard::fits(program, point.statement).is_ok(),
            })
        });
        let unreached = Unreached::new(program, profile);
        Prepared {
            program,
            vocabulary,
            places: places.collect(),
            deletable: Deletable::new(program, |id| wants.dead && unreached.is_dead(id)),
            first: first_number(&program.source),
        }
    }

    /// The number of the first mutation, if those before `next` are used: behind
    /// all that names in the program carry.
    pub(super) fn number(&self, next: u32) -> u32 {
        next.max(self.first)
    }
}

/// One more than the highest number in a name `mestra_N_…` of the text.
fn first_number(source: &[u8]) -> u32 {
    let prefix = b"mestra_";
    let starts = source.windows(prefix.len()).enumerate();
    let numbers = starts.filter(|(_, word)| word == prefix).map(|(at, _)| {
        let digits = source[at + prefix.len()..]
            .iter()
            .take(9)
            .take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    });
    numbers.max().unwrap_or(0) + 1
}
