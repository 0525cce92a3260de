//! Forms that instruction combiners know, as text with holes.
//!
//! Rewrite rules of optimisers match expressions of a few operators with relations between
//! their constants, which random trees hardly ever have. A template is such an expression:
//! `x`, `y` and `z` are terms, the other letters constants (see [`Holes::constant`]). What
//! would be undefined is repaired like everything else.

use super::Author;
use super::expr::{Term, merge};
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::types::IntKind;
use rand::Rng;
use std::collections::BTreeMap;

/// One a line; in a comment what it is about.
const TEMPLATES: &[&str] = &[
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
    // Population and parity tricks.
    "(x & 1431655765) + (x >> 1 & 1431655765)",
    "(x ^ x >> 1) & 858993459",
    "x & x - 1 ? y : z",
];

/// What the letters of a template stand for.
struct Holes {
    terms: [Term; 3],
    constants: BTreeMap<u8, Term>,
}

/// The text that is left, and what its letters stand for.
struct TemplateReader<'t> {
    rest: &'t [u8],
    holes: Holes,
}

impl Author<'_> {
    /// A template around a term.
    pub(super) fn shape(&mut self, x: Term, depth: u32) -> Term {
        let template = TEMPLATES[self.dice.random_range(0..TEMPLATES.len())];
        let (y, z) = (self.tree(0, depth), self.tree(0, depth));
        self.filled(template, [x, y, z])
    }

    fn filled(&mut self, template: &str, terms: [Term; 3]) -> Term {
        let mut reader = TemplateReader {
            rest: template.as_bytes(),
            holes: Holes {
                terms,
                constants: BTreeMap::new(),
            },
        };
        self.shape_expression(&mut reader, 0)
    }

    /// An expression whose operators bind at least so tightly.
    fn shape_expression(&mut self, reader: &mut TemplateReader<'_>, least: u8) -> Term {
        let mut left = self.shape_operand(reader);
        while let Some((operator, binding)) = reader.operator() {
            if binding < least {
                break;
            }
            reader.advance(operator.len());
            left = match operator {
                "?" => {
                    let yes = self.shape_expression(reader, 1);
                    reader.expect(b':');
                    let no = self.shape_expression(reader, 1);
                    self.chosen(left, yes, no)
                }
                "&&" | "||" => {
                    let right = self.shape_expression(reader, binding + 1);
                    both(operator == "&&", left, right)
                }
                _ => {
                    let right = self.shape_expression(reader, binding + 1);
                    self.combine(binary(operator), left, right)
                }
            };
        }
        left
    }

    fn shape_operand(&mut self, reader: &mut TemplateReader<'_>) -> Term {
        reader.skip_spaces();
        if let Some(kind) = reader.cast() {
            let operand = self.shape_operand(reader);
            return self.cast(&operand, kind);
        }
        let first = reader.next();
        match first {
            b'(' => {
                let inside = self.shape_expression(reader, 0);
                reader.expect(b')');
                inside
            }
            b'-' => {
                let operand = self.shape_operand(reader);
                self.apply_unary(UnaryOp::Minus, operand)
            }
            b'~' => {
                let operand = self.shape_operand(reader);
                self.apply_unary(UnaryOp::Complement, operand)
            }
            b'!' => {
                let operand = self.shape_operand(reader);
                self.apply_unary(UnaryOp::Not, operand)
            }
            b'0'..=b'9' => {
                let mut number = i128::from(first - b'0');
                while let Some(digit) = reader.digit() {
                    number = number * 10 + i128::from(digit);
                }
                let kind = if number > i128::from(i32::MAX) {
                    IntKind::UInt
                } else {
                    IntKind::Int
                };
                self.literal(kind, number)
            }
            b'x' | b'y' | b'z' => reader.holes.terms[usize::from(first - b'x')].clone(),
            letter => match reader.holes.constants.get(&letter) {
                Some(constant) => constant.clone(),
                None => {
                    let constant = self.hole_constant(letter, &reader.holes);
                    reader.holes.constants.insert(letter, constant.clone());
                    constant
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

/// `&&` or `||` of terms that are defined at all positions.
fn both(and: bool, left: Term, right: Term) -> Term {
    let pairs = left.numbers.values.iter().zip(&right.numbers.values);
    let values = pairs.map(|(left, right)| {
        let (left, right) = (*left != 0, *right != 0);
        i64::from(if and { left && right } else { left || right })
    });
    let op = if and { LogicalOp::And } else { LogicalOp::Or };
    Term {
        numbers: Numbers {
            kind: IntKind::Int,
            values: values.collect(),
        },
        expr: Expr::logical(op, left.expr, right.expr),
    }
}

/// The operators of templates, longer ones first, and how tightly they bind.
const OPERATORS: [(&str, u8); 19] = [
    ("<<", 9),
    (">>", 9),
    ("<=", 8),
    (">=", 8),
    ("==", 7),
    ("!=", 7),
    ("&&", 3),
    ("||", 2),
    ("*", 11),
    ("/", 11),
    ("%", 11),
    ("+", 10),
    ("-", 10),
    ("<", 8),
    (">", 8),
    ("&", 6),
    ("^", 5),
    ("|", 4),
    ("?", 1),
];

fn binary(operator: &str) -> BinaryOp {
    let mut all = BinaryOp::ALL.into_iter();
    all.find(|op| op.c_name() == operator)
        .unwrap_or(BinaryOp::Add)
}

impl TemplateReader<'_> {
    fn skip_spaces(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    fn advance(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    /// The next letter; a space where the text ends.
    fn next(&mut self) -> u8 {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first
            }
            [] => b' ',
        }
    }

    fn expect(&mut self, letter: u8) {
        self.skip_spaces();
        let found = self.next();
        debug_assert_eq!(found, letter, "a template that cannot be read");
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = self.rest.first()?.checked_sub(b'0')?;
        (digit < 10).then(|| self.advance(1))?;
        Some(digit)
    }

    fn operator(&mut self) -> Option<(&'static str, u8)> {
        self.skip_spaces();
        let mut all = OPERATORS.into_iter();
        all.find(|(operator, _)| self.rest.starts_with(operator.as_bytes()))
    }

    /// A cast such as `(u8)`.
    fn cast(&mut self) -> Option<IntKind> {
        const CASTS: [(&[u8], IntKind); 9] = [
            (b"(i8)", IntKind::SChar),
            (b"(u8)", IntKind::UChar),
            (b"(i16)", IntKind::Short),
            (b"(u16)", IntKind::UShort),
            (b"(i32)", IntKind::Int),
            (b"(u32)", IntKind::UInt),
            (b"(i64)", IntKind::Long),
            (b"(u64)", IntKind::ULong),
            (b"(b1)", IntKind::Bool),
        ];
        let (text, kind) = CASTS
            .into_iter()
            .find(|(text, _)| self.rest.starts_with(text))?;
        self.advance(text.len());
        Some(kind)
    }
}
