//! Preferences of a part of a program: a few operators, types or variables, so that what the
//! part computes hangs together.

use super::Author;
use super::names::KnownVariable;
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use rand::Rng;

/// Families of operators that optimisers treat together.
const CONTEXTS: &[&[BinaryOp]] = &[
    &[BinaryOp::Add, BinaryOp::Sub],
    &[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul],
    &[BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor],
    &[
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Add,
    ],
    &[
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitOr,
        BinaryOp::BitAnd,
    ],
    &[BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem],
    &[
        BinaryOp::Lt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::BitAnd,
    ],
    &[BinaryOp::Mul, BinaryOp::Add],
];

/// What a part of a program prefers; an empty list means no preference.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) operators: &'static [BinaryOp],
    pub(super) kinds: Vec<IntKind>,
    pub(super) favourites: Vec<KnownVariable>,
    /// Leaves of a hundred that are constants.
    pub(super) constants: u32,
    pub(super) comparisons: bool,
    /// Many `?:`, `&&` and `||`.
    pub(super) choices: bool,
}

impl Default for Region {
    fn default() -> Region {
        Region {
            operators: &[],
            kinds: Vec::new(),
            favourites: Vec::new(),
            constants: 25,
            comparisons: false,
            choices: false,
        }
    }
}

impl Author<'_> {
    /// Draws preferences for a part of the program, and gives those of the part around.
    pub(super) fn enter_region(&mut self) -> Region {
        let around = self.region.clone();
        if !self.policy.regions {
            return around;
        }
        // Variables of the part around may be out of sight in a function of its own.
        self.region.favourites.clear();
        if self.percent(40) {
            return around;
        }
        let mut region = Region::default();
        if self.percent(30) {
            region.operators = CONTEXTS[self.dice.random_range(0..CONTEXTS.len())];
        }
        region.constants = match self.dice.random_range(0..20) {
            0 => 85,
            1 => 50,
            2..6 => 10,
            _ => 25,
        };
        if self.percent(50) {
            let count = self.dice.random_range(2..=4);
            let narrow = self.percent(20);
            self.region.kinds.clear();
            while region.kinds.len() < count {
                let kind = self.kind();
                if !narrow || kind.rank() <= 3 || self.percent(5) {
                    region.kinds.push(kind);
                }
            }
        }
        if self.percent(20) {
            let count = self.dice.random_range(1..=2);
            region.favourites = (0..count).filter_map(|_| self.some_variable()).collect();
        }
        region.comparisons = self.percent(10);
        region.choices = self.percent(10);
        self.region = region;
        around
    }
}
