//! How large skeletons are, one by one and together, in the measures of the literature.

use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use std::fmt;

/// The size of one skeleton.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SkeletonSize {
    pub holes: usize,
    /// Functions with holes.
    pub functions: usize,
    /// Scopes and types of the variables that holes can be filled with.
    pub scopes: usize,
    pub types: usize,
    /// Candidates of all holes together.
    pub candidates: usize,
    /// The number of all fillings.
    #[serde(serialize_with = "in_decimal")]
    pub naive: BigUint,
    /// The number of fillings that are different programs, the seed included.
    #[serde(serialize_with = "in_decimal")]
    pub canonical: BigUint,
}

/// The sizes of many.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EnumerationTotals {
    /// Seeds that have more canonical fillings are counted apart.
    pub limit: u64,
    pub refused: usize,
    pub all: SizeSum,
    pub within_limit: SizeSum,
}

/// The sum of some sizes.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SizeSum {
    pub seeds: usize,
    #[serde(flatten)]
    pub sum: SkeletonSize,
}

/// Numbers may be larger than any that JSON's readers take.
fn in_decimal<S: Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl EnumerationTotals {
    pub(crate) fn new(limit: u64) -> EnumerationTotals {
        EnumerationTotals {
            limit,
            refused: 0,
            all: SizeSum::default(),
            within_limit: SizeSum::default(),
        }
    }

    pub(crate) fn add(&mut self, size: &SkeletonSize) {
        self.all.add(size);
        if size.canonical <= self.limit.into() {
            self.within_limit.add(size);
        }
    }
}

impl SizeSum {
    fn add(&mut self, size: &SkeletonSize) {
        self.seeds += 1;
        let sum = &mut self.sum;
        sum.holes += size.holes;
        sum.functions += size.functions;
        sum.scopes += size.scopes;
        sum.types += size.types;
        sum.candidates += size.candidates;
        sum.naive += &size.naive;
        sum.canonical += &size.canonical;
    }

    /// How many programs an average seed has, to two decimals.
    fn average(&self) -> String {
        let hundredths = &self.sum.canonical * 100u32 / self.seeds.max(1);
        let (whole, part) = (&hundredths / 100u32, &hundredths % 100u32);
        format!("{whole}.{part:02}")
    }
}

fn ratio(of: usize, to: usize) -> f64 {
    of as f64 / to.max(1) as f64
}

impl fmt::Display for SkeletonSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_hole = ratio(self.candidates, self.holes);
        write!(
            f,
            "holes {}, functions {}, scopes {}, types {}, variables per hole {per_hole:.2}, \
             naive {}, canonical {}",
            self.holes, self.functions, self.scopes, self.types, self.naive, self.canonical
        )
    }
}

impl fmt::Display for EnumerationTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "refused: {}", self.refused)?;
        writeln!(f, "all seeds: {}", self.all)?;
        let limit = self.limit;
        write!(f, "at most {limit} programs: {}", self.within_limit)
    }
}

impl fmt::Display for SizeSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SkeletonSize {
            holes,
            functions,
            scopes,
            types,
            candidates,
            naive,
            canonical,
        } = &self.sum;
        let each = |number: &usize| ratio(*number, self.seeds);
        write!(
            f,
            "{}; on average holes {:.2}, functions {:.2}, scopes {:.2}, types {:.2}, \
             variables per hole {:.2}; in all naive {naive}, canonical {canonical}, {} each",
            self.seeds,
            each(holes),
            each(functions),
            each(scopes),
            each(types),
            ratio(*candidates, *holes),
            self.average(),
        )
    }
}
