//! The holes of templates, filled with what a snippet has.

use super::SnippetWriter;
use crate::code::expr::{Expr, Var};
use crate::code::types::{IntKind, Target};
use crate::code::value::Value;
use crate::variant::generate::fill::HoleFiller;
use crate::variant::generate::template::{TemplateExpr, TemplateKind};
use rand::Rng;
use std::collections::BTreeMap;

/// A writer who fills the holes of templates.
pub(super) struct SnippetFiller<'w> {
    pub(super) writer: &'w mut SnippetWriter,
    terms: [Expr; 3],
    letters: BTreeMap<u8, Expr>,
    kinds: BTreeMap<u8, IntKind>,
    arrays: BTreeMap<u8, Var>,
    /// A count of bits that powers and masks go with.
    count: Option<u32>,
}

impl<'w> SnippetFiller<'w> {
    pub(super) fn new(writer: &'w mut SnippetWriter, terms: [Expr; 3]) -> SnippetFiller<'w> {
        SnippetFiller {
            writer,
            terms,
            letters: BTreeMap::new(),
            kinds: BTreeMap::new(),
            arrays: BTreeMap::new(),
            count: None,
        }
    }

    fn bits(&mut self) -> (IntKind, u32, u32) {
        let bits = self.writer.bits_of(&self.terms[0]);
        let kind = if bits == 64 {
            IntKind::Long
        } else {
            IntKind::Int
        };
        let dice = &mut self.writer.dice;
        let count = *self
            .count
            .get_or_insert_with(|| dice.random_range(1..bits - 1));
        (kind, bits, count)
    }

    /// The shortest of the arrays that were taken.
    fn length(&mut self) -> Option<u64> {
        for letter in [b'a', b'b'] {
            self.array(letter)?;
        }
        let lengths = self
            .arrays
            .values()
            .map(|var| super::memory::length_of(&var.ty));
        lengths.min()
    }

    fn letter(&mut self, letter: u8) -> Option<Expr> {
        let (kind, bits, count) = self.bits();
        let target = self.target();
        let number = |kind, number| Some(Expr::Const(Value::new(kind, number, target)));
        match letter {
            b'o' | b'q' => {
                let taken: Vec<Expr> = self.letters.values().cloned().collect();
                let variable = self.writer.plain_variable().map(Expr::Var)?;
                (!taken.contains(&variable)).then_some(variable)
            }
            b'l' => number(IntKind::Int, self.length()?.into()),
            b'k' | b'j' => {
                let small = self.writer.dice.random_range(1..=17);
                number(IntKind::Int, small)
            }
            b'n' => number(IntKind::Int, count.into()),
            b'p' => number(kind, 1 << count),
            b'm' => number(kind, (1 << count) - 1),
            b'h' => number(IntKind::Int, (bits - 1).into()),
            b'd' if self.writer.percent(50) => Some(self.related()),
            _ => Some(self.writer.constant()),
        }
    }

    /// A constant that has to do with the template's other one.
    fn related(&mut self) -> Expr {
        let Some(Expr::Const(other)) = self.leaf(b'c') else {
            return self.writer.constant();
        };
        let number = other.math();
        let number = match self.writer.dice.random_range(0..8) {
            0 => number,
            1 | 2 => number + 1,
            3 | 4 => number - 1,
            5 => -number,
            6 => !number,
            _ => number.wrapping_mul(2),
        };
        Expr::Const(Value::new(other.kind(), number, self.target()))
    }
}

impl HoleFiller for SnippetFiller<'_> {
    fn leaf(&mut self, letter: u8) -> Option<Expr> {
        if let b'x' | b'y' | b'z' = letter {
            return Some(self.terms[usize::from(letter - b'x')].clone());
        }
        if let Some(expr) = self.letters.get(&letter) {
            return Some(expr.clone());
        }
        let expr = self.letter(letter)?;
        self.letters.insert(letter, expr.clone());
        Some(expr)
    }

    fn array(&mut self, letter: u8) -> Option<Expr> {
        if let Some(array) = self.arrays.get(&letter) {
            return Some(Expr::Var(array.clone()));
        }
        let array = self.writer.idiom_array(letter == b'e');
        self.arrays.insert(letter, array.clone());
        Some(Expr::Var(array))
    }

    fn kind(&mut self, kind: TemplateKind) -> IntKind {
        match kind {
            TemplateKind::Is(kind) => kind,
            TemplateKind::Hole(letter) => {
                let writer = &mut *self.writer;
                *self.kinds.entry(letter).or_insert_with(|| writer.kind())
            }
        }
    }

    fn local(&mut self, kind: TemplateKind, letter: u8, start: &TemplateExpr) -> Option<()> {
        let start = start.fill(self)?;
        let kind = self.kind(kind);
        let local = self.writer.declare(kind, Some(start));
        self.letters.insert(letter, Expr::Var(local));
        Some(())
    }

    fn target(&self) -> Target {
        self.writer.target()
    }
}
