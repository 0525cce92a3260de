//! What a skeleton is to combinatorics: classes of interchangeable variables, and holes
//! that take the variables of some classes.
//!
//! Nothing here knows of C. A filling gives every hole a variable; two fillings are the
//! same program if permuting the variables inside classes turns one into the other.

use num_bigint::BigUint;

/// Holes in the order of enumeration, and the classes they choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// How many variables each class has; at least one.
    sizes: Vec<u32>,
    /// The classes of each hole in the order they are tried; at least one.
    holes: Vec<Vec<u32>>,
    /// The last hole that takes each class.
    last: Vec<usize>,
}

/// What stands in a hole: a variable of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    pub class: u32,
    pub member: u32,
}

impl Pattern {
    pub fn new(sizes: Vec<u32>, holes: Vec<Vec<u32>>) -> Pattern {
        debug_assert!(sizes.iter().all(|size| *size > 0), "a class has variables");
        debug_assert!(
            holes.iter().all(|hole| !hole.is_empty()),
            "a hole can be filled"
        );
        let mut last = vec![0; sizes.len()];
        for (index, classes) in holes.iter().enumerate() {
            for class in classes {
                last[*class as usize] = index;
            }
        }
        Pattern { sizes, holes, last }
    }

    pub(super) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    pub(super) fn classes(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn holes(&self) -> &[Vec<u32>] {
        &self.holes
    }

    /// Whether a hole behind this one takes the class.
    pub(super) fn is_needed_after(&self, hole: usize, class: u32) -> bool {
        self.last[class as usize] > hole
    }

    /// The number of all fillings, renamed ones included.
    pub fn naive(&self) -> BigUint {
        let variables =
            |classes: &Vec<u32>| -> u32 { classes.iter().map(|class| self.size(*class)).sum() };
        self.holes
            .iter()
            .map(variables)
            .map(BigUint::from)
            .product()
    }
}
