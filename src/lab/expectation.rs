//! What a program should do.

use super::Behaviour;
use super::accesses::without_records;

/// What a program is judged against: what it should do on each input. The constructor
/// says how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    behaviours: Vec<Behaviour>,
    is_predicted: bool,
}

impl Expectation {
    /// A variant must do what its seed does, and the seed the same again.
    pub(crate) fn as_seed(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation::measured(behaviours)
    }

    /// A text without a seed must do what compilers that we trust make it do.
    pub fn measured(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation {
            behaviours,
            is_predicted: false,
        }
    }

    /// A program of our own must do what was predicted when it was written.
    pub(crate) fn predicted(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation {
            behaviours,
            is_predicted: true,
        }
    }

    /// For a compiler that fails: nothing is run, so nothing is compared.
    pub(crate) fn nothing() -> Expectation {
        Expectation::measured(Vec::new())
    }

    /// The same program, seen do more than is expected of it here, such as to record what it
    /// does.
    pub(crate) fn seen_as(&self, behaviours: Vec<Behaviour>) -> Expectation {
        Expectation {
            behaviours,
            ..*self
        }
    }

    /// What is left if a program records nothing.
    pub(crate) fn without_records(&self) -> Expectation {
        self.seen_as(without_records(&self.behaviours))
    }

    pub(crate) fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// Whether it holds for every correct compiler, whatever C leaves open elsewhere.
    pub(crate) fn is_predicted(&self) -> bool {
        self.is_predicted
    }
}
