//! Templates: idioms of C as text with holes, read into trees, and near misses of them.
//!
//! Optimisers know idioms: a rotation by two shifts, a population count by a loop. A template
//! is such an idiom in one line of C; its single letters are holes, which the caller fills.
//! A *near miss* has one token of a template exchanged for its like, such as `|` for `^`,
//! `u32` for `i32` or 8 for 7: there a rule may match what it should not.

use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::types::IntKind;
use rand::Rng;
use std::borrow::Cow;

/// An expression with holes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TemplateExpr {
    Number(i128),
    Hole(u8),
    /// An element of the array that a letter stands for.
    Element(u8, Box<TemplateExpr>),
    Cast(TemplateKind, Box<TemplateExpr>),
    Unary(UnaryOp, Box<TemplateExpr>),
    Binary(BinaryOp, Box<[TemplateExpr; 2]>),
    Logical(LogicalOp, Box<[TemplateExpr; 2]>),
    Conditional(Box<[TemplateExpr; 3]>),
}

/// A type, by name or by the letter of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplateKind {
    Is(IntKind),
    Hole(u8),
}

/// A statement with holes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TemplateStmt {
    /// `T t = x;`
    Local(TemplateKind, u8, TemplateExpr),
    Assign(TemplateExpr, TemplateExpr),
    Compound(BinaryOp, TemplateExpr, TemplateExpr),
    Step(StepOp, TemplateExpr),
    Block(Vec<TemplateStmt>),
    If(TemplateExpr, Box<TemplateStmt>, Option<Box<TemplateStmt>>),
    While(TemplateExpr, Box<TemplateStmt>),
    For(
        Box<TemplateStmt>,
        TemplateExpr,
        Box<TemplateStmt>,
        Box<TemplateStmt>,
    ),
    Break,
}

/// The tokens of a template.
#[derive(Clone, Debug)]
pub(super) struct Template {
    tokens: Vec<Cow<'static, str>>,
    at: usize,
}

/// Tokens with those that may stand in their place.
const ALIKE: &[(&str, &[&str])] = &[
    ("|", &["^", "+", "&"]),
    ("^", &["|", "+", "-"]),
    ("&", &["|", "^", "%"]),
    ("+", &["-", "|", "^"]),
    ("-", &["+", "^"]),
    ("*", &["+", "/"]),
    ("/", &["%", ">>"]),
    ("%", &["/", "&"]),
    ("<<", &[">>", "*"]),
    (">>", &["<<", "/"]),
    ("<", &["<=", ">", "!="]),
    ("<=", &["<", ">="]),
    (">", &[">=", "<", "!="]),
    (">=", &[">", "<="]),
    ("==", &["!=", "<="]),
    ("!=", &["==", "<"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("+=", &["-=", "^="]),
    ("-=", &["+="]),
    ("*=", &["+="]),
    (">>=", &["/="]),
    ("++", &["--"]),
    ("u8", &["i8", "u16"]),
    ("i8", &["u8", "i16"]),
    ("u16", &["i16", "u8", "u32"]),
    ("i16", &["u16", "i32"]),
    ("u32", &["i32", "u64", "u16"]),
    ("i32", &["u32", "i64"]),
    ("u64", &["i64", "u32"]),
    ("i64", &["u64", "i32"]),
    ("x", &["y"]),
    ("y", &["x", "z"]),
    ("z", &["y"]),
    ("c", &["d", "k"]),
    ("d", &["c"]),
    ("k", &["j", "p"]),
    ("n", &["k"]),
    ("m", &["p", "c"]),
];

/// Longer ones first.
const OPERATORS: [&str; 31] = [
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "<", ">", "&", "^", "|", "?",
];

/// How tightly binary operators bind.
const BINDING: [(&str, u8); 19] = [
    ("?", 1),
    ("||", 2),
    ("&&", 3),
    ("|", 4),
    ("^", 5),
    ("&", 6),
    ("==", 7),
    ("!=", 7),
    ("<", 8),
    (">", 8),
    ("<=", 8),
    (">=", 8),
    ("<<", 9),
    (">>", 9),
    ("+", 10),
    ("-", 10),
    ("*", 11),
    ("/", 11),
    ("%", 11),
];

const KINDS: [(&str, TemplateKind); 11] = [
    ("i8", TemplateKind::Is(IntKind::SChar)),
    ("u8", TemplateKind::Is(IntKind::UChar)),
    ("i16", TemplateKind::Is(IntKind::Short)),
    ("u16", TemplateKind::Is(IntKind::UShort)),
    ("i32", TemplateKind::Is(IntKind::Int)),
    ("u32", TemplateKind::Is(IntKind::UInt)),
    ("i64", TemplateKind::Is(IntKind::Long)),
    ("u64", TemplateKind::Is(IntKind::ULong)),
    ("b1", TemplateKind::Is(IntKind::Bool)),
    ("T", TemplateKind::Hole(b'T')),
    ("U", TemplateKind::Hole(b'U')),
];

impl TemplateKind {
    /// The type of a name.
    pub(super) fn named(name: &str) -> Option<TemplateKind> {
        let known = KINDS.iter().find(|(one, _)| *one == name);
        known.map(|(_, kind)| *kind)
    }
}

impl Template {
    pub(super) fn new(text: &'static str) -> Template {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let len = if first.is_ascii_alphanumeric() {
                let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric());
                end.unwrap_or(rest.len())
            } else {
                let operator = OPERATORS
                    .iter()
                    .find(|operator| rest.starts_with(**operator));
                operator.map_or(first.len_utf8(), |operator| operator.len())
            };
            tokens.push(Cow::Borrowed(&rest[..len]));
            rest = rest[len..].trim_start();
        }
        Template { tokens, at: 0 }
    }

    /// Exchanges one token for its like.
    pub(super) fn miss(&mut self, dice: &mut impl Rng) {
        let number = |token: &str| token.parse::<u64>().ok();
        let like = |token: &str| ALIKE.iter().find(|(one, _)| *one == token);
        let at: Vec<usize> = (0..self.tokens.len())
            .filter(|at| number(&self.tokens[*at]).is_some() || like(&self.tokens[*at]).is_some())
            .collect();
        if at.is_empty() {
            return;
        }
        let token = &mut self.tokens[at[dice.random_range(0..at.len())]];
        *token = match (number(token), like(token)) {
            (Some(number), _) => near(number, dice).to_string().into(),
            (None, Some((_, others))) => others[dice.random_range(0..others.len())].into(),
            (None, None) => return,
        };
    }

    /// The expression that the template is; `None` if it is none.
    pub(super) fn expression(mut self) -> Option<TemplateExpr> {
        let expr = self.bound(0)?;
        (self.at == self.tokens.len()).then_some(expr)
    }

    /// The statements that the template is; `None` if it is something else.
    pub(super) fn statements(mut self) -> Option<Vec<TemplateStmt>> {
        let mut all = Vec::new();
        while self.at < self.tokens.len() {
            all.push(self.statement()?);
        }
        Some(all)
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| token)
    }

    fn next(&mut self) -> Cow<'static, str> {
        let token = self.tokens.get(self.at).cloned().unwrap_or_default();
        self.at += 1;
        token
    }

    fn take(&mut self, token: &str) -> Option<()> {
        (self.peek() == token).then(|| self.at += 1)
    }

    fn kind(&mut self) -> Option<TemplateKind> {
        let (_, kind) = KINDS.iter().find(|(name, _)| *name == self.peek())?;
        self.at += 1;
        Some(*kind)
    }

    fn letter(&mut self) -> Option<u8> {
        match self.next().as_bytes() {
            [letter] if letter.is_ascii_lowercase() => Some(*letter),
            _ => None,
        }
    }

    fn statement(&mut self) -> Option<TemplateStmt> {
        if let Some(kind) = self.kind() {
            let letter = self.letter()?;
            self.take("=")?;
            let start = self.bound(0)?;
            self.take(";")?;
            return Some(TemplateStmt::Local(kind, letter, start));
        }
        let inner = |template: &mut Template| template.statement().map(Box::new);
        Some(if self.take("{").is_some() {
            let mut items = Vec::new();
            while self.take("}").is_none() {
                items.push(self.statement()?);
            }
            TemplateStmt::Block(items)
        } else if self.take("if").is_some() {
            let condition = self.bound(0)?;
            let yes = inner(self)?;
            let no = match self.take("else") {
                Some(()) => Some(inner(self)?),
                None => None,
            };
            TemplateStmt::If(condition, yes, no)
        } else if self.take("while").is_some() {
            TemplateStmt::While(self.bound(0)?, inner(self)?)
        } else if self.take("for").is_some() {
            self.take("(")?;
            let start = self.effect()?;
            self.take(";")?;
            let condition = self.bound(0)?;
            self.take(";")?;
            let step = self.effect()?;
            self.take(")")?;
            TemplateStmt::For(Box::new(start), condition, Box::new(step), inner(self)?)
        } else if self.take("break").is_some() {
            self.take(";")?;
            TemplateStmt::Break
        } else {
            let effect = self.effect()?;
            self.take(";")?;
            effect
        })
    }

    /// A statement that is an expression.
    fn effect(&mut self) -> Option<TemplateStmt> {
        let to = self.operand()?;
        let operator = self.next();
        Some(match &*operator {
            "=" => TemplateStmt::Assign(to, self.bound(0)?),
            "++" => TemplateStmt::Step(StepOp::PostIncrement, to),
            "--" => TemplateStmt::Step(StepOp::PostDecrement, to),
            operator => {
                let op = binary(operator.strip_suffix('=')?)?;
                TemplateStmt::Compound(op, to, self.bound(0)?)
            }
        })
    }

    /// An expression whose operators bind at least so tightly.
    fn bound(&mut self, least: u8) -> Option<TemplateExpr> {
        let mut left = self.operand()?;
        while let Some((operator, binding)) = BINDING.iter().find(|(op, _)| *op == self.peek()) {
            if *binding < least {
                break;
            }
            self.at += 1;
            left = if *operator == "?" {
                let yes = self.bound(1)?;
                self.take(":")?;
                TemplateExpr::Conditional(Box::new([left, yes, self.bound(1)?]))
            } else {
                let both = Box::new([left, self.bound(binding + 1)?]);
                match *operator {
                    "&&" => TemplateExpr::Logical(LogicalOp::And, both),
                    "||" => TemplateExpr::Logical(LogicalOp::Or, both),
                    _ => TemplateExpr::Binary(binary(operator)?, both),
                }
            };
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<TemplateExpr> {
        let operators = [
            ("-", UnaryOp::Minus),
            ("~", UnaryOp::Complement),
            ("!", UnaryOp::Not),
        ];
        if let Some((_, op)) = operators.iter().find(|(name, _)| *name == self.peek()) {
            self.at += 1;
            return Some(TemplateExpr::Unary(*op, Box::new(self.operand()?)));
        }
        if self.take("(").is_some() {
            if let Some(kind) = self.kind() {
                self.take(")")?;
                return Some(TemplateExpr::Cast(kind, Box::new(self.operand()?)));
            }
            let inside = self.bound(0)?;
            self.take(")")?;
            return Some(inside);
        }
        if let Ok(number) = self.peek().parse() {
            self.at += 1;
            return Some(TemplateExpr::Number(number));
        }
        let letter = self.letter()?;
        Some(if self.take("[").is_some() {
            let index = self.bound(0)?;
            self.take("]")?;
            TemplateExpr::Element(letter, Box::new(index))
        } else {
            TemplateExpr::Hole(letter)
        })
    }
}

/// Another number: one off, or what it would be for a type of twice or half the width.
fn near(number: u64, dice: &mut impl Rng) -> u64 {
    match dice.random_range(0..6) {
        0 | 1 if number > 0 => number - 1,
        2 => number.saturating_mul(2).saturating_add(1),
        3 if number > 1 => number / 2,
        _ => number.saturating_add(1),
    }
}

fn binary(operator: &str) -> Option<BinaryOp> {
    let mut all = BinaryOp::ALL.into_iter();
    all.find(|op| op.c_name() == operator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn operators_bind_as_in_c() {
        let plain = Template::new("x | y & z == x << 3 ? -x[y] : (u8)z").expression();
        let grouped = Template::new("((x | (y & (z == (x << 3)))) ? (-(x[y])) : ((u8)z))");
        assert!(plain.is_some());
        assert_eq!(plain, grouped.expression());
    }

    #[test]
    fn a_near_miss_is_another_template_that_can_be_read() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let text = "u32 t = x; for (i = 0; i < 8; i++) { if (t & 1) t = t >> 1 ^ c; else break; }";
        let original = Template::new(text).statements().unwrap();
        for _ in 0..200 {
            let mut template = Template::new(text);
            template.miss(&mut dice);
            assert_ne!(template.statements().unwrap(), original);
        }
    }
}
