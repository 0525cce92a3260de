//! The features of programs that can be switched on and off by name.

use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Something that a program may have or do without.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Loops whose turns do not depend on each other, and reductions.
    Loops,
    /// Loops whose turns use what earlier ones have computed.
    Carried,
    /// Loops that end when the data say so.
    Searches,
    /// Loops whose counters start or end near the limits of their type.
    FarCounters,
    /// Loops inside loops.
    Nests,
    /// Arrays.
    Arrays,
    /// Arrays of two and three dimensions.
    Matrices,
    /// Structs.
    Structs,
    /// Bit-fields.
    BitFields,
    /// Structs as parameters and results.
    StructValues,
    /// Pointers, also to the same object.
    Pointers,
    /// Functions that are called in expressions and statements.
    Calls,
    /// Recursive functions.
    Recursion,
    /// Tables of function pointers.
    FunctionPointers,
    /// Attributes of functions, such as noinline.
    Attributes,
    /// Divisions and remainders.
    Divisions,
    /// Multiplications.
    Products,
    /// Shifts.
    Shifts,
    /// 64-bit arithmetic.
    Wide,
    /// Arithmetic with types narrower than int.
    Narrow,
    /// `?:`, `&&` and `||`.
    Choices,
    /// Forms that instruction combiners know.
    Shapes,
    /// Idioms of several statements that optimisers look for.
    Idioms,
    /// Builtin functions such as `__builtin_clz`.
    Builtins,
    /// `memcpy`, `memset` and their like.
    Memory,
    /// `__builtin_unreachable` and `__builtin_expect`.
    Facts,
    /// `switch`.
    Switches,
    /// Graphs of `goto`.
    Gotos,
    /// Returns in the middle of functions.
    Returns,
    /// Volatile, const and static variables.
    Qualifiers,
    /// Undefined behaviour in code that never runs.
    DeadUndefined,
    /// Floating-point numbers, all of them exact.
    Float,
    /// Vectors of gcc and clang.
    Vector,
    /// Unions, and numbers as bytes.
    Bytes,
    /// Arrays whose length is computed, on the stack and on the heap, in snippets.
    Room,
    /// Heap memory, strings, arrays of variable length, labels as values and more that only
    /// text can hold, in functions of their own.
    Extensions,
    /// Functions as other programs have them: conversions, checksums, searches.
    Everyday,
    /// `__int128`.
    #[value(name = "int128")]
    Int128,
    /// `_BitInt(N)`.
    #[value(name = "bitint")]
    #[serde(rename = "bitint")]
    BitInt,
    /// Floating-point numbers that are rounded, in snippets.
    Ieee,
}

impl Feature {
    /// Those that only some compilers have.
    pub(crate) const OPTIONAL: [Feature; 4] = [
        Feature::Vector,
        Feature::Int128,
        Feature::BitInt,
        Feature::Ieee,
    ];

    /// The name on a command line.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether little of interest can be made without it.
    pub(super) fn is_base(self) -> bool {
        matches!(self, Feature::Loops | Feature::Arrays | Feature::Calls)
    }

    /// Whether so few compilers have it that programs do only if asked to.
    pub(super) fn is_rare(self) -> bool {
        matches!(self, Feature::BitInt | Feature::Ieee)
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSet(u64);

impl FeatureSet {
    /// Every feature.
    pub fn all() -> FeatureSet {
        Feature::value_variants().iter().copied().collect()
    }

    /// Whether a feature is in the set.
    pub fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }

    /// Whether programs may have a type.
    pub(super) fn allows_kind(self, kind: IntKind) -> bool {
        match kind.rank() {
            0..=2 => self.has(Feature::Narrow),
            4.. => self.has(Feature::Wide),
            _ => true,
        }
    }

    /// Whether programs may have an operator.
    pub(super) fn allows_operator(self, op: BinaryOp) -> bool {
        match op {
            BinaryOp::Div | BinaryOp::Rem => self.has(Feature::Divisions),
            BinaryOp::Mul => self.has(Feature::Products),
            BinaryOp::Shl | BinaryOp::Shr => self.has(Feature::Shifts),
            _ => true,
        }
    }

    /// Takes a feature out.
    pub fn remove(&mut self, feature: Feature) {
        self.0 &= !(1 << feature as u32);
    }

    /// The features, in their order.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        let all = Feature::value_variants().iter().copied();
        all.filter(move |feature| self.has(*feature))
    }
}

impl FromIterator<Feature> for FeatureSet {
    fn from_iter<I: IntoIterator<Item = Feature>>(features: I) -> FeatureSet {
        let bits = features.into_iter().map(|feature| 1 << feature as u32);
        FeatureSet(bits.fold(0, |set, bit: u64| set | bit))
    }
}
