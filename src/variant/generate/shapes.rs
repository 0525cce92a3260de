//! Templates of expressions filled with terms and constants.
//!
//! In a template `x`, `y` and `z` are
//! terms, the other letters constants (see [`Author::hole_constant`]). What would be undefined
//! is repaired like everything else.

use super::Author;
use super::expr::{Term, merge};
use super::forms::TEMPLATES;
use super::template::{Template, TemplateExpr, TemplateKind};
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::LogicalOp;
use crate::code::types::IntKind;
use rand::Rng;
use std::collections::BTreeMap;

/// Templates of a hundred that become near misses.
const MISSED: u32 = 25;

/// What the letters of a template stand for.
pub(super) struct Holes {
    pub(super) terms: [Term; 3],
    constants: BTreeMap<u8, Term>,
    kinds: BTreeMap<u8, IntKind>,
}

impl Holes {
    pub(super) fn new(terms: [Term; 3]) -> Holes {
        Holes {
            terms,
            constants: BTreeMap::new(),
            kinds: BTreeMap::new(),
        }
    }
}

/// One of a list of templates, or a near miss of it.
pub(super) fn some_template(list: &[&'static str], dice: &mut impl Rng) -> Template {
    let mut template = Template::new(list[dice.random_range(0..list.len())]);
    if dice.random_ratio(MISSED, 100) {
        template.miss(dice);
    }
    template
}

impl Author<'_> {
    /// A template around a term.
    pub(super) fn shape(&mut self, x: Term, depth: u32) -> Term {
        let template = self.template(TEMPLATES);
        let (y, z) = (self.tree(0, depth), self.tree(0, depth));
        let mut holes = Holes::new([x, y, z]);
        match template.expression() {
            Some(expr) => self.filled(&expr, &mut holes),
            None => holes.terms[0].clone(),
        }
    }

    /// One of a list of templates, or a near miss of it.
    pub(super) fn template(&mut self, list: &[&'static str]) -> Template {
        some_template(list, &mut self.dice)
    }

    /// The term that a template is once its holes are filled.
    pub(super) fn filled(&mut self, expr: &TemplateExpr, holes: &mut Holes) -> Term {
        match expr {
            TemplateExpr::Number(number) => self.literal(number_kind(*number), *number),
            TemplateExpr::Hole(letter) => self.hole(*letter, holes),
            TemplateExpr::Cast(kind, operand) => {
                let operand = self.filled(operand, holes);
                let kind = self.hole_kind(*kind, holes);
                self.cast(&operand, kind)
            }
            TemplateExpr::Unary(op, operand) => {
                let operand = self.filled(operand, holes);
                self.apply_unary(*op, operand)
            }
            TemplateExpr::Binary(op, both) => {
                let [left, right] = both.each_ref().map(|side| self.filled(side, holes));
                self.combine(*op, left, right)
            }
            TemplateExpr::Logical(op, both) => {
                let [left, right] = both.each_ref().map(|side| self.filled(side, holes));
                logical(*op, left, right)
            }
            TemplateExpr::Conditional(parts) => {
                let [condition, yes, no] = parts.each_ref().map(|part| self.filled(part, holes));
                self.chosen(condition, yes, no)
            }
            // Elements are not known before the statement is run.
            TemplateExpr::Element(_, index) => self.filled(index, holes),
        }
    }

    /// What a letter stands for: the same wherever it occurs.
    pub(super) fn hole(&mut self, letter: u8, holes: &mut Holes) -> Term {
        if let b'x' | b'y' | b'z' = letter {
            return holes.terms[usize::from(letter - b'x')].clone();
        }
        if let Some(constant) = holes.constants.get(&letter) {
            return constant.clone();
        }
        let constant = self.hole_constant(letter, holes);
        holes.constants.insert(letter, constant.clone());
        constant
    }

    /// The type that a template names or leaves open.
    pub(super) fn hole_kind(&mut self, kind: TemplateKind, holes: &mut Holes) -> IntKind {
        match kind {
            TemplateKind::Is(kind) => kind,
            TemplateKind::Hole(letter) => match holes.kinds.get(&letter) {
                Some(kind) => *kind,
                None => {
                    let kind = self.kind();
                    holes.kinds.insert(letter, kind);
                    kind
                }
            },
        }
    }

    /// `c` and `d` are any constants, `k` and `j` small ones that are not 0; `n` is a count of
    /// bits, `p` a power of two and `m` a low mask with it, and `h` the last bit's number.
    fn hole_constant(&mut self, letter: u8, holes: &Holes) -> Term {
        let kind = holes.terms[0].numbers.kind.promoted();
        let bits = kind.bits(self.target());
        let count = match holes.constants.get(&b'n') {
            Some(count) => count
                .numbers
                .values
                .first()
                .map_or(1, |count| *count as u32),
            None => self.dice.random_range(1..bits - 1),
        };
        match letter {
            b'k' | b'j' => {
                let small = self.dice.random_range(1..=17);
                self.literal(IntKind::Int, small)
            }
            b'n' => self.literal(IntKind::Int, count.into()),
            b'p' => self.literal(kind, 1 << count),
            b'm' => self.literal(kind, (1 << count) - 1),
            b'h' => self.literal(IntKind::Int, (bits - 1).into()),
            _ => self.constant(kind),
        }
    }

    /// `condition ? yes : no` of terms that are defined at all positions.
    pub(super) fn chosen(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let target = self.target();
        let kind = yes.numbers.kind.common(no.numbers.kind, target);
        let pick = |numbers: &Numbers, truth: bool| {
            let values = operator::convert(target, numbers, kind).values.into_iter();
            let values = values.zip(&condition.numbers.values);
            let values = values.filter(|(_, value)| (**value != 0) == truth);
            values.map(|(value, _)| value).collect()
        };
        let (yes_values, no_values) = (pick(&yes.numbers, true), pick(&no.numbers, false));
        let values = merge(&condition.numbers.values, yes_values, no_values);
        Term {
            expr: Expr::conditional(condition.expr, yes.expr, no.expr),
            numbers: Numbers { kind, values },
        }
    }
}

/// The type of a number as it is written in a template.
pub(super) fn number_kind(number: i128) -> IntKind {
    if number > i128::from(i32::MAX) {
        IntKind::UInt
    } else {
        IntKind::Int
    }
}

/// `&&` or `||` of terms that are defined at all positions.
fn logical(op: LogicalOp, left: Term, right: Term) -> Term {
    let pairs = left.numbers.values.iter().zip(&right.numbers.values);
    let values = pairs.map(|(left, right)| {
        let (left, right) = (*left != 0, *right != 0);
        i64::from(match op {
            LogicalOp::And => left && right,
            LogicalOp::Or => left || right,
        })
    });
    Term {
        numbers: Numbers {
            kind: IntKind::Int,
            values: values.collect(),
        },
        expr: Expr::logical(op, left.expr, right.expr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_an_expression() {
        for text in TEMPLATES {
            assert!(Template::new(text).expression().is_some(), "{text}");
        }
    }
}
