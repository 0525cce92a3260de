//! What a program should do.

use super::Behaviour;

/// What a program is judged against: what it should do on each input. The constructor
/// says how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation(Vec<Behaviour>);

impl Expectation {
    /// A variant must do what its seed does, and the seed the same again.
    pub(crate) fn as_seed(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation(behaviours)
    }

    /// A text without a seed must do what compilers that we trust make it do.
    pub fn measured(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation(behaviours)
    }

    /// A program of our own must do what was predicted when it was written.
    pub(crate) fn predicted(behaviours: Vec<Behaviour>) -> Expectation {
        Expectation(behaviours)
    }

    /// For a compiler that fails: nothing is run, so nothing is compared.
    pub(crate) fn nothing() -> Expectation {
        Expectation(Vec::new())
    }

    pub(crate) fn behaviours(&self) -> &[Behaviour] {
        &self.0
    }
}
