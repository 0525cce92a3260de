//! Several patterns filled side by side, such as one for each function.
//!
//! Each pattern has a filling of its own, the seed's. All combinations are too many
//! to walk through from one end, so they come by the number of patterns that are not as
//! in the seed: rank 0 is the seed itself, then every pattern is changed alone, then
//! pairs, and so on. With the same number, an earlier pattern is changed first, and its
//! filling changes slowest.

use super::count::{TooManyStates, canonical};
use super::growth::GrowthString;
use super::pattern::{Choice, Pattern};
use super::rank::RankTable;
use num_bigint::BigUint;

/// A pattern and how the seed fills it, canonically.
#[derive(Clone, Debug)]
pub struct Factor {
    pub pattern: Pattern,
    pub seed: Vec<Choice>,
}

/// Factors whose fillings are combined freely.
#[derive(Clone, Debug)]
pub struct Product {
    factors: Vec<Factor>,
    /// The number of canonical fillings of each.
    counts: Vec<BigUint>,
    /// The factors that have more fillings than the seed's.
    free: Vec<usize>,
}

impl Product {
    pub(crate) fn new(factors: Vec<Factor>) -> Result<Product, TooManyStates> {
        let counts: Vec<BigUint> = factors
            .iter()
            .map(|factor| canonical(&factor.pattern))
            .collect::<Result<_, _>>()?;
        let one = BigUint::from(1u32);
        let free = (0..factors.len()).filter(|index| counts[*index] > one);
        Ok(Product {
            free: free.collect(),
            factors,
            counts,
        })
    }

    /// The number of canonical fillings, the seed's included.
    pub fn count(&self) -> BigUint {
        self.counts.iter().product()
    }

    /// The number of all fillings, renamed ones included.
    pub(crate) fn naive(&self) -> BigUint {
        self.factors.iter().map(|f| f.pattern.naive()).product()
    }
}

/// Fillings in the order of their ranks, in constant memory.
#[derive(Clone, Debug)]
pub struct FillingWalk<'p> {
    product: &'p Product,
    /// The filling of each factor.
    strings: Vec<GrowthString<'p>>,
    /// Places in the list of free factors of those that are not as in the seed.
    changed: Vec<usize>,
}

impl<'p> FillingWalk<'p> {
    /// A walk that stands at the seed.
    pub fn from_seed(product: &'p Product) -> FillingWalk<'p> {
        let seed: Vec<Vec<Choice>> = product.factors.iter().map(|f| f.seed.clone()).collect();
        FillingWalk::at(product, &seed)
    }

    /// A walk that stands at a canonical filling.
    pub(crate) fn at(product: &'p Product, filling: &[Vec<Choice>]) -> FillingWalk<'p> {
        let pairs = product.factors.iter().zip(filling);
        let strings = pairs.map(|(factor, choices)| GrowthString::at(&factor.pattern, choices));
        let is_changed = |place: &usize| {
            let factor = product.free[*place];
            filling[factor] != product.factors[factor].seed
        };
        FillingWalk {
            product,
            strings: strings.collect(),
            changed: (0..product.free.len()).filter(is_changed).collect(),
        }
    }

    /// The choices of each factor.
    pub fn filling(&self) -> impl Iterator<Item = &[Choice]> {
        self.strings.iter().map(GrowthString::choices)
    }

    /// Moves to the filling of the next rank; false if there is none.
    pub fn advance(&mut self) -> bool {
        let free = self.product.free.len();
        let number = self.changed.len();
        for last in (0..number).rev() {
            if self.advance_factor(self.changed[last]) {
                self.change_from(last + 1, self.changed[last] + 1, number);
                return true;
            }
            // It is as in the seed again; the next factor takes its turn, if there is
            // room for those that follow.
            let next = self.changed[last] + 1;
            if next + (number - last) <= free {
                self.change_from(last, next, number);
                return true;
            }
        }
        let has_room = number < free;
        if has_room {
            self.change_from(0, 0, number + 1);
        }
        has_room
    }

    /// Changes factors from place `next` on, until `number` are changed, of which the
    /// first `kept` are.
    fn change_from(&mut self, kept: usize, next: usize, number: usize) {
        self.changed.truncate(kept);
        for place in next..next + (number - kept) {
            // The seed's filling is one of at least two.
            let factor = self.product.free[place];
            self.strings[factor] = GrowthString::first(&self.product.factors[factor].pattern);
            if self.is_as_in_seed(factor) {
                self.strings[factor].advance();
            }
            self.changed.push(place);
        }
    }

    /// Moves one factor to its next filling that is not the seed's, or back to that.
    fn advance_factor(&mut self, place: usize) -> bool {
        let index = self.product.free[place];
        let mut is_next = self.strings[index].advance();
        if is_next && self.is_as_in_seed(index) {
            is_next = self.strings[index].advance();
        }
        if !is_next {
            let factor = &self.product.factors[index];
            self.strings[index] = GrowthString::at(&factor.pattern, &factor.seed);
        }
        is_next
    }

    fn is_as_in_seed(&self, factor: usize) -> bool {
        self.strings[factor].choices() == self.product.factors[factor].seed
    }
}

/// From ranks to fillings of a product and back.
#[derive(Clone, Debug)]
pub struct Ranking<'p> {
    product: &'p Product,
    tables: Vec<RankTable<'p>>,
    /// The rank of the seed's filling in each factor.
    seeds: Vec<BigUint>,
    /// `ways[i][n]`: in how many ways n of the free factors from place i on are changed.
    ways: Vec<Vec<BigUint>>,
}

impl<'p> Ranking<'p> {
    pub fn new(product: &'p Product) -> Result<Ranking<'p>, TooManyStates> {
        let tables: Vec<RankTable<'p>> = product
            .factors
            .iter()
            .map(|factor| RankTable::new(&factor.pattern))
            .collect::<Result<_, _>>()?;
        let seeds = tables.iter().zip(&product.factors);
        let seeds = seeds.map(|(table, factor)| table.rank(&factor.seed));
        let mut ways = vec![vec![BigUint::from(1u32)]];
        for factor in product.free.iter().rev() {
            let others = &product.counts[*factor] - 1u32;
            let behind = &ways[ways.len() - 1];
            let of = |number: usize| behind.get(number).cloned().unwrap_or_default();
            let changed = |number: usize| match number.checked_sub(1) {
                Some(fewer) => of(fewer) * &others,
                None => BigUint::default(),
            };
            let here = (0..=behind.len()).map(|number| of(number) + changed(number));
            let here = here.collect();
            ways.push(here);
        }
        ways.reverse();
        Ok(Ranking {
            product,
            seeds: seeds.collect(),
            tables,
            ways,
        })
    }

    /// The filling of a rank; `None` from [`Product::count`] on.
    pub fn unrank(&self, rank: &BigUint) -> Option<Vec<Vec<Choice>>> {
        let mut rest = rank.clone();
        let mut number = 0;
        while rest >= *self.ways[0].get(number)? {
            rest -= &self.ways[0][number];
            number += 1;
        }
        let factors = self.product.factors.iter();
        let mut filling: Vec<Vec<Choice>> = factors.map(|factor| factor.seed.clone()).collect();
        for (place, factor) in self.product.free.iter().enumerate() {
            let Some(behind) = self.ways_behind(place, number) else {
                break;
            };
            let changed = (&self.product.counts[*factor] - 1u32) * behind;
            if rest >= changed {
                rest -= changed;
                continue;
            }
            let mut own = &rest / behind;
            rest %= behind;
            if own >= self.seeds[*factor] {
                own += 1u32;
            }
            filling[*factor] = self.tables[*factor].unrank(&own);
            number -= 1;
        }
        Some(filling)
    }

    /// The rank of a canonical filling.
    // Used by tests only.
    pub fn rank(&self, filling: &[Vec<Choice>]) -> BigUint {
        let is_changed = |factor: usize| filling[factor] != self.product.factors[factor].seed;
        let free = &self.product.free;
        let mut number = free.iter().filter(|factor| is_changed(**factor)).count();
        let mut rank: BigUint = self.ways[0][..number].iter().sum();
        for (place, factor) in free.iter().enumerate() {
            let Some(behind) = self.ways_behind(place, number) else {
                break;
            };
            if !is_changed(*factor) {
                rank += (&self.product.counts[*factor] - 1u32) * behind;
                continue;
            }
            let mut own = self.tables[*factor].rank(&filling[*factor]);
            if own > self.seeds[*factor] {
                own -= 1u32;
            }
            rank += own * behind;
            number -= 1;
        }
        rank
    }

    /// In how many ways the factors behind one that is changed can be, if `number` are
    /// to be changed from it on.
    fn ways_behind(&self, place: usize, number: usize) -> Option<&BigUint> {
        self.ways[place + 1].get(number.checked_sub(1)?)
    }
}
