//! Forms that instruction combiners know, as templates of expressions.
//!
//! Rewrite rules of optimisers match expressions of a few operators with relations between
//! their constants, which random trees hardly ever have. In a template `x`, `y` and `z` are
//! terms, the other letters constants (see [`Author::hole_constant`]). What would be undefined
//! is repaired like everything else.

use super::Author;
use super::expr::{Term, merge};
use super::template::{Template, TemplateExpr, TemplateKind};
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::LogicalOp;
use crate::code::types::IntKind;
use rand::Rng;
use std::collections::BTreeMap;

/// Templates of a hundred that become near misses.
const MISSED: u32 = 25;

/// One a line; in a comment what it is about.
pub(super) const TEMPLATES: &[&str] = &[
    // Bits that meet: De Morgan, absorption, distribution.
    "(x | c) ^ (x | d)",
    "(x & c) | (x & ~c)",
    "(x & c) ^ (x & d)",
    "(x | y) & ~(x & y)",
    "~(~x & y)",
    "~(x | ~y)",
    "(x ^ y) & (x ^ ~y)",
    "(x & y) + (x | y)",
    "(x ^ y) + 2 * (x & y)",
    "(x | y) - (x & y)",
    "(x & y) ^ (x | y)",
    "x & (x ^ y)",
    "x | (x ^ y)",
    "(x | c) & d",
    "(x ^ c) & m",
    "(x & m) == c",
    "((x ^ y) & m) ^ y",
    "(x & ~m) | (y & m)",
    "~x + 1",
    "-x - 1",
    "~(x - 1)",
    "-(~x)",
    "(x & -x)",
    "x & (x - 1)",
    "x | (x - 1)",
    "x ^ (x - 1)",
    "~x & (x + 1)",
    "(x & p) != 0",
    "(x & p) == p",
    "((x >> n) & 1) != 0",
    "(x & p) ? x ^ p : x | p",
    "(x & y) == x",
    "(x | y) == y",
    "(x & -x) == x",
    "(x & ~m) == (y & ~m)",
    "x - (x & y)",
    "(x + c) ^ ~y",
    "((x & p) != 0) == ((y & p) != 0)",
    "(x & p ? c : d) & (y & p ? d : c)",
    "!(x & y) | !(x | y)",
    "1 & ~(x >> n)",
    "(b1)(x & 1) != (b1)(y & 2)",
    "x != 0 & y != 0",
    "x == 0 | y == 0",
    "(x & 128) >> 7 ^ 1",
    // Sums and differences.
    "x + c - (y + d)",
    "c - (x - d)",
    "(x - y) + y",
    "(x + y) - (x - y)",
    "x - (x / k) * k",
    "(x * k) + (x * j)",
    "x * k - x",
    "(x + c) * k",
    "(x << n) + x",
    "(x << n) - x",
    "x * p / p",
    "(x * k) / k",
    "-(x - y)",
    "-x * -y",
    "(x - y) * (x + y)",
    "x * x - y * y",
    "(x * 3 + y * 5) - (x * 2 + y * 4)",
    "(x ? 3 : 5) + (y ? 5 : 3)",
    "(x | 1) - (y | 1)",
    "x * c + y * d",
    "x * c - y * c",
    // Comparisons with constants and ranges.
    "x / k == j",
    "x / k != j",
    "x / k < j",
    "x % k == 0",
    "x % p == 1",
    "(u32)x % k == j",
    "(u32)(x - c) < (u32)d",
    "x >= c && x <= d",
    "x < c || x > d",
    "x == c || x == c + 1",
    "x != c && x != d",
    "x > c && x > d",
    "x < y && x != y",
    "x <= y && x >= y",
    "x + c < y + c",
    "x - y == 0",
    "(x ^ y) == 0",
    "(x ^ y) < 0",
    "x * k == y * k",
    "-x == -y",
    "~x < ~y",
    "x - y < 0",
    "(x | y) == 0",
    "(x & y) == -1",
    "!x == !y",
    "(x < 0) != (y < 0)",
    "(x > y) - (x < y)",
    "(x == c) + (x == d)",
    "(u64)x + (u64)y < (u64)x",
    "(u32)x + (u32)y < (u32)y",
    "(u32)x - (u32)y > (u32)x",
    "x << n == c",
    "(x >> n) < c",
    "x % y == 0",
    "x / y * y == x",
    "(x ^ c) < d",
    "(u32)(x + c) > (u32)(y + c)",
    "x - 1 < y",
    "x <= y - 1",
    "x == -x",
    "x == ~x",
    "(x < y) == (y < z)",
    "(x < y) ^ (x > y)",
    "(x < c) + (x < d) + (x < 0)",
    "(x ^ y) > x",
    "(u8)x == (u8)y && (u8)(x >> 8) == (u8)(y >> 8)",
    "(x >> h ^ x) < 0",
    // Masks out of comparisons, minima and maxima.
    "-(x < y)",
    "-(x != 0)",
    "-(x < y) & z",
    "(x < y) ? x : y",
    "(x > y) ? x : y",
    "x < c ? c : x > d ? d : x",
    "x < 0 ? -x : x",
    "x < y ? y - x : x - y",
    "(x ^ (x >> h)) - (x >> h)",
    "x == c ? c : x",
    "x ? y : 0",
    "x == 0 ? 0 : y / x",
    "x != y ? x - y : 0",
    "(x > 0) - (x < 0)",
    "x > y ? x > z ? x : z : y > z ? y : z",
    "(x < y) * z",
    "y & -(x & 1)",
    "(x & 1) ? y ^ c : y",
    "(x > y ? x : y) - (x < y ? x : y)",
    "(x > c ? x : c) > d",
    "(x < c ? c : x) == c",
    "x > 0 ? x < 255 ? x : 255 : 0",
    "(x < 0 ? 0 : x) & m",
    "x < c ? c : x < d ? x : d",
    "x > y ? x - y : 0",
    "x & 1 ? x * 3 + 1 : x / 2",
    "x ? x : y",
    "x < y ? c : d",
    "x >= 0 ? x : -x - 1",
    "-(u32)(x & 1) & c",
    "(x >> h) | 1",
    "~(x >> h)",
    "(x ^ -(y < z)) + (y < z)",
    // Shifts, rotates, bytes.
    "(x >> n) << n",
    "(u32)x << n >> n",
    "(x << n) >> n",
    "((u32)x << n) | ((u32)x >> (32 - n & 31))",
    "((u64)x << n) | ((u64)x >> (64 - n & 63))",
    "((u16)x >> 8 | (u16)x << 8) & 65535",
    "((u32)x >> 24) | ((u32)x >> 8 & 65280) | ((u32)x << 8 & 16711680) | ((u32)x << 24)",
    "(u32)(u8)x | (u32)(u8)y << 8 | (u32)(u8)z << 16",
    "(u8)(x >> 8)",
    "(u8)x * 257",
    "1 << (x & 31)",
    "(u32)1 << (x & 31) & y",
    "x >> h",
    "(u32)x >> 31",
    "x >> n >> j",
    "(x ^ y) >> n",
    "(x & c) >> n",
    "(x + p / 2) >> n",
    "(u32)x << (y & 31) | (u32)x >> (-y & 31)",
    "(u64)x >> (y & 63) | (u64)x << (-y & 63)",
    "(u8)((u8)x << (y & 7) | (u8)x >> (-y & 7))",
    "(u16)((u16)x >> (y & 15) | (u16)x << (-y & 15))",
    "(u8)((u8)x << 4 | (u8)x >> 4)",
    "(u16)((u16)x << n | (u16)x >> (16 - n & 15))",
    "(i32)(((u32)x & 255) << 24 | ((u32)x & 65280) << 8 | ((u32)x >> 8 & 65280)) | (i32)x >> 24",
    "((u64)x & 255) << 56 | (u64)x >> 56",
    "(u32)(u8)(x >> 24) | (u32)(u8)(x >> 16) << 8 | (u32)(u8)(x >> 8) << 16 | (u32)(u8)x << 24",
    "(u32)x >> (y & 31)",
    "x << (y & 15) >> (y & 15)",
    "(i16)x >> (y & 15)",
    "(x >> n) ^ (y >> n)",
    "(x << n) & (y << n)",
    "(x & m) << n",
    "(i64)x << 32 >> 32",
    "(i32)((u32)x << 16) >> 16",
    "(i8)((u8)x >> 1)",
    "(u64)(u8)x << 56 >> 56",
    "p << (x & 7)",
    "(x >> n & m) << n",
    // Signed division by powers, and remainders.
    "x / p",
    "x % p",
    "x - x % p",
    "(x % p + p) % p",
    "x / -p",
    "x / c",
    "x % c",
    "(u32)x / c",
    "(u64)x / k * j",
    "x / y * y + x % y",
    "x / k / j",
    "x % k % j",
    "(x % k) * j / k",
    "x / k - y / k",
    "(u32)x * k >> n",
    "(x + k) / k * k",
    "(u32)x % p + (u32)x / p * p",
    "(x / p) << n",
    "(x + m) & -p",
    "(u32)x / k == (u32)y / k",
    // Narrowing and widening.
    "(i32)(u8)x",
    "(i32)(i8)x",
    "(i8)x + (u8)y",
    "(i16)(x + y)",
    "(i64)(i32)x * (i64)(i32)y",
    "(u64)(u32)x * (u64)(u32)y >> 32",
    "(i32)((i64)(i32)x + (i32)y)",
    "(u8)(x + c) < (u8)d",
    "(i16)x == x",
    "(u16)(i8)x",
    "(i64)(u32)x - (i64)(u32)y < 0",
    "(i8)(x << 4) >> 4",
    "(u8)~x",
    "(b1)x ^ (b1)y",
    "((u8)x ^ 128) - 128",
    "((x & 65535) ^ 32768) - 32768",
    "(u16)x * (u16)y",
    "(u64)x * k >> 3",
    "(i16)(x >> 4) << 4",
    // What vector units have instructions for: averages, saturation, high halves of products.
    "(u8)((u8)x + (u8)y + 1 >> 1)",
    "(u16)((u16)x + (u16)y >> 1)",
    "(i16)((i16)x * (i16)y >> 15)",
    "(i16)((i16)x * (i16)y + 16384 >> 15)",
    "(u8)((u8)x > (u8)y ? (u8)x - (u8)y : 0)",
    "(u8)((u8)x + (u8)y | -((u8)x + (u8)y >> 8))",
    "(u8)x + (u8)y > 255 ? 255 : (u8)x + (u8)y",
    "(u32)(u8)x * (u8)y",
    "(i32)(i16)x * (i16)y + (i16)z",
    "(u16)((u8)x << 8 | (u8)y)",
    "(i16)x > 127 ? 127 : (i16)x < -128 ? -128 : (i16)x",
    "(i16)(x < y ? y - x : x - y)",
    "(u8)(x < y ? x : y) + (u8)(x < y ? y : x)",
    // What is scaled on both sides of a choice, and behind it.
    "(x * k > y * k ? x * k : y * k) * j",
    "(x * k < y * j ? x * k : y * j) / j",
    "(x > y ? x : y) * k - (x > z ? x : z) * k",
    "(x + c > y + c ? x + c : y + c) - d",
    "(x < c ? c : x) + (y > d ? d : y)",
    "(x < c ? x + d : c + d) - d",
    "(x ? y * k : z * k) / k",
    "c * x - d * y",
    "(x - c) * k + (y - d) * k",
    // Rotations of narrow numbers by counts that are not those of their width.
    "(u8)((u8)x << (y & 31) | (u8)x >> (-y & 7))",
    "(u16)((u16)x << (y & 31) | (u16)x >> (-y & 15))",
    "(u8)((u32)(u8)x << y | (u32)(u8)x >> (8 - y))",
    // Truths that are compared, added and spread.
    "-(i64)(x == c) > d",
    "-(i64)((u64)x > (u64)y) <= z",
    "((x != 0) + (y != 0)) * z - 1",
    "(b1)x <= (b1)y",
    "(x == 0) << n | (y == 0)",
    "(x < 0) - (y < 0) == z",
    "~-(x < y) & z",
    "!x - !y",
    "(x | -x) >> h",
    "(x & y | ~x & z) == z",
    // Population and parity tricks.
    "(x & 1431655765) + (x >> 1 & 1431655765)",
    "(x ^ x >> 1) & 858993459",
    "x & x - 1 ? y : z",
];

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
