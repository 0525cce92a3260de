//! Statements with structure: counted loops over arrays, searches, nests, switches, jumps,
//! pointers, structs, volatile variables, families of related expressions. What loop and
//! alias optimisers work on.
//!
//! They are made of [`Pieces`], the same way for code that runs and code that does not.
//! Each is a block with variables of its own that ends with a result in one of the
//! targets. Nothing here knows values: whoever wants a statement to run must ask a
//! `World` whether it is defined.

mod array;
mod counter;
mod families;
mod jumps;
mod live;
mod loops;
mod pointers;
mod structs;
mod term;
mod volatile;

pub(super) use array::Array;
pub(super) use counter::Counter;

use super::Synth;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

/// What structured statements are made of at a place.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Integers that may be read.
    pub(super) operands: Vec<Expr>,
    /// Integers that may be written.
    pub(super) targets: Vec<Expr>,
    /// Those that a pointer may point to.
    pub(super) addressable: Vec<Expr>,
    /// Operands that are small and positive, with the most they can be.
    pub(super) bounds: Vec<(Expr, u64)>,
    /// Arrays of the program that may be read.
    pub(super) arrays: Vec<Array>,
    /// Those that may be written.
    pub(super) written: Vec<Array>,
    /// The most turns of a loop, and elements of an array of ours.
    pub(super) turns: u64,
    /// Whether indices may be out of bounds.
    pub(super) is_wild: bool,
}

impl<R: Rng> Synth<'_, R> {
    /// A structured statement; `None` if there is nothing to make one of.
    pub(super) fn structure(&mut self, pieces: &Pieces) -> Option<Stmt> {
        match self.rng.random_range(0..19) {
            0..=2 => self.reduction(pieces),
            3..=5 => self.map(pieces),
            6 => self.copy(pieces),
            7 => self.search(pieces),
            8 | 9 => self.nest(pieces),
            10 => self.plain_loop(pieces),
            11 => self.fallthrough(pieces),
            12 => self.graph(pieces),
            13 => self.through_pointers(pieces),
            14 => self.walk(pieces),
            15 | 16 => self.copied_structs(pieces),
            17 => self.through_volatile(pieces),
            _ => self.family(pieces),
        }
    }

    /// `target = value;`, or `target op= value;` with an operator that is never undefined.
    fn deliver(&mut self, pieces: &Pieces, value: Expr) -> Option<Stmt> {
        let target = pieces.targets.choose(self.rng)?.clone();
        let ops = [BinaryOp::BitXor, BinaryOp::BitAnd, BinaryOp::BitOr];
        Some(Stmt::Expr(match ops.choose(self.rng) {
            Some(op) if self.one_in(3) => Expr::compound(*op, target, value),
            _ => Expr::assign(target, value),
        }))
    }

    /// A local of ours: its name as an expression, and its declaration.
    fn fresh(&mut self, role: &str, kind: IntKind, start: Option<Expr>) -> (Expr, Stmt) {
        let name = self.name(role);
        let declaration = Stmt::declare(&name, kind, start);
        (Expr::var(&name, kind), declaration)
    }

    /// A type for sums and elements, of any width.
    fn width(&mut self) -> IntKind {
        *[
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::UInt,
            IntKind::Short,
            IntKind::UShort,
            IntKind::SChar,
            IntKind::UChar,
            IntKind::Long,
            IntKind::ULong,
            IntKind::ULongLong,
        ]
        .choose(self.rng)
        .expect("the list is not empty")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ctype::Types;
    use crate::code::table::{Column, State, Table};
    use crate::code::types::Target;
    use crate::source::own_structs;
    use crate::variant::synth::World;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    /// What a statement is known by.
    fn features(text: &str) -> Vec<&'static str> {
        let known = [
            ("for", "for ("),
            ("while", "while ("),
            ("do", "do {"),
            ("switch", "switch ("),
            ("goto", "goto "),
            ("pointer", "*mestra_1_p"),
            ("break", "break;"),
            ("continue", "continue;"),
            ("conditional", " ? "),
            ("by counter", "[mestra_1_n0"),
            ("two dimensions", "][mestra_1_n1"),
            ("array of the program", "g[mestra_1_n0"),
            ("struct", "struct mestra_of_"),
            ("array of structs", "mestra_1_s0[2]"),
            ("copy of a struct", "mestra_1_s0 = mestra_1_s1;"),
            ("bit-field", "mestra_1_s1.mestra_b"),
            ("volatile", "volatile "),
        ];
        let found = known.iter().filter(|(_, part)| text.contains(part));
        found.map(|(name, _)| *name).collect()
    }

    #[test]
    fn most_structures_are_defined_and_every_sort_occurs() {
        let mut types = Types::new(Target::LP64);
        own_structs::define(&mut types);
        let mut table = Table::new(3);
        table.add_values("x", IntKind::Int, vec![i64::from(i32::MIN), -1, 7]);
        table.add_values("y", IntKind::UChar, vec![3, 5, 4]);
        table.add_values("z", IntKind::ULong, vec![-1, 0, 1]);
        let ty = crate::code::ctype::Type::INT.array(4);
        let g = table.add(&types, "g", ty.clone(), State::Unknown).unwrap();
        for cell in 0..4 {
            table.set(g, cell, Column::values(vec![i64::from(cell), -1, 40]));
        }
        let world = World::from(table);
        let var = |name: &str, kind| Expr::var(name, kind);
        let pieces = Pieces {
            operands: vec![
                var("x", IntKind::Int),
                var("y", IntKind::UChar),
                var("z", IntKind::ULong),
            ],
            targets: vec![var("x", IntKind::Int), var("y", IntKind::UChar)],
            addressable: vec![var("x", IntKind::Int)],
            bounds: vec![(var("y", IntKind::UChar), 5)],
            arrays: vec![Array {
                base: Expr::var("g", ty),
                len: 4,
            }],
            written: vec![],
            turns: 12,
            is_wild: false,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut defined = 0;
        for _ in 0..1000 {
            let mut synth = Synth::plain(&types, &mut rng);
            let made = synth.structure(&pieces).expect("there are pieces");
            types
                .check(&made)
                .unwrap_or_else(|wrong| panic!("{wrong}: {made}"));
            match world.after(&types, &made) {
                Ok(_) => {
                    defined += 1;
                    for feature in features(&made.to_string()) {
                        *seen.entry(feature).or_default() += 1;
                    }
                }
                Err(why) => println!("{why:?}: {made}"),
            }
        }
        println!("{defined} of 1000 are defined: {seen:?}");
        assert!(defined >= 750, "{defined}");
        assert_eq!(seen.len(), 17, "{seen:?}");
    }
}
