//! The expressions of snippets: trees without values.

use super::SnippetWriter;
use crate::code::builtin::Wide;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::types::{IntKind, Target};
use crate::code::value::Value;
use crate::variant::generate::builtins::counts_and_swaps;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::fill::HoleFiller;
use crate::variant::generate::shapes::{TEMPLATES, some_template};
use crate::variant::generate::template::{TemplateExpr, TemplateKind};
use crate::variant::generate::weights::{BINARY, COMPARISONS, SNIPPET_NODES, UNARY};
use rand::Rng;
use std::collections::BTreeMap;

/// What a node of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::variant::generate) enum SnippetNode {
    Binary,
    Comparison,
    Unary,
    Cast,
    Conditional,
    Logical,
    Template,
    Builtin,
    Call,
    /// A truth as 0 or -1.
    Mask,
    /// A variable that is changed on the way.
    Effect,
    /// One of two values that have to do with what was compared.
    Selection,
    /// Something computed in up to 128 bits.
    Wide,
}

impl SnippetWriter {
    /// An expression of some depth.
    pub(super) fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.draw_node() {
            SnippetNode::Binary => self.binary(depth),
            SnippetNode::Comparison => self.comparison(depth - 1),
            SnippetNode::Unary => {
                let op = self.policy.draw(&UNARY, &mut self.dice);
                Expr::unary(op, self.expr(depth - 1))
            }
            SnippetNode::Cast => {
                let kind = self.kind();
                self.expr(depth - 1).cast(kind)
            }
            SnippetNode::Conditional => {
                let condition = self.condition(depth - 1);
                let yes = self.expr(depth - 1);
                Expr::conditional(condition, yes, self.expr(depth - 1))
            }
            SnippetNode::Logical => {
                let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
                let left = self.condition(depth - 1);
                Expr::logical(op, left, self.condition(depth - 1))
            }
            SnippetNode::Template => self.template(depth - 1),
            SnippetNode::Builtin => self.builtin(depth - 1),
            SnippetNode::Call => self.call(depth - 1),
            SnippetNode::Mask => {
                let truth = self.comparison(depth - 1);
                let kind = self.kind();
                let truth = if self.dice.random() {
                    truth.cast(kind)
                } else {
                    truth
                };
                Expr::unary(UnaryOp::Minus, truth)
            }
            SnippetNode::Effect => self.effect(),
            SnippetNode::Selection => self.selection(),
            SnippetNode::Wide => self.by_wide(depth - 1),
        }
    }

    fn draw_node(&mut self) -> SnippetNode {
        let features = self.policy.features;
        let calls = !self.snippet.functions.is_empty();
        let wide = self.has_wide();
        let node = self
            .policy
            .draw_where(&SNIPPET_NODES, &mut self.dice, |node| match node {
                SnippetNode::Conditional | SnippetNode::Logical | SnippetNode::Selection => {
                    features.has(Feature::Choices)
                }
                SnippetNode::Template => features.has(Feature::Shapes),
                SnippetNode::Builtin => features.has(Feature::Builtins),
                SnippetNode::Wide => wide,
                SnippetNode::Call => calls && features.has(Feature::Calls),
                _ => true,
            });
        node.unwrap_or(SnippetNode::Binary)
    }

    fn binary(&mut self, depth: u32) -> Expr {
        let features = self.policy.features;
        let op = self.policy.draw_where(&BINARY, &mut self.dice, |op| {
            !op.is_comparison() && features.allows_operator(op)
        });
        let op = op.unwrap_or(BinaryOp::Add);
        let left = self.expr(depth - 1);
        let right = if op.is_shift() {
            self.count_of(&left)
        } else if is_constant(&left) {
            self.variable()
        } else {
            self.expr(depth - 1)
        };
        // Hardly anything is left of what has the same variable on both sides.
        let right = if right == left && self.percent(80) {
            self.constant()
        } else {
            right
        };
        Expr::binary(op, left, right)
    }

    /// A number of bits to shift something by.
    fn count_of(&mut self, shifted: &Expr) -> Expr {
        let bits = self.bits_of(shifted) as i32;
        match self.dice.random_range(0..10) {
            0..5 => Expr::int(self.dice.random_range(0..bits)),
            5..8 => {
                let count = self.leaf();
                Expr::binary(BinaryOp::BitAnd, count, Expr::int(bits - 1))
            }
            _ => self.leaf(),
        }
    }

    /// How many bits an expression has once it is promoted.
    fn bits_of(&self, expr: &Expr) -> u32 {
        let kind = self.types.type_of(expr).ok().and_then(|ty| ty.int_kind());
        kind.unwrap_or(IntKind::Int).promoted().bits(self.target())
    }

    pub(super) fn leaf(&mut self) -> Expr {
        if self.percent(22) {
            return self.constant();
        }
        self.variable()
    }

    /// A scalar, if one is in sight.
    fn variable(&mut self) -> Expr {
        match self.readable() {
            Some(expr) => expr,
            None => self.constant(),
        }
    }

    /// Something that is compared with a constant or something else.
    fn comparison(&mut self, depth: u32) -> Expr {
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let left = if self.percent(50) {
            self.variable()
        } else {
            self.expr(depth)
        };
        let right = match self.dice.random_range(0..10) {
            0..6 => self.constant(),
            6..9 => self.leaf(),
            _ => self.expr(depth),
        };
        Expr::binary(op, left, right)
    }

    /// What an `if` or a loop asks.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        match self.dice.random_range(0..20) {
            0..13 => self.comparison(depth),
            13 | 14 => {
                let left = self.variable();
                Expr::binary(BinaryOp::BitAnd, left, self.constant())
            }
            15 | 16 if depth > 0 && self.has(Feature::Choices) => {
                let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
                let left = self.comparison(depth - 1);
                Expr::logical(op, left, self.comparison(depth - 1))
            }
            17 => Expr::unary(UnaryOp::Not, self.expr(depth)),
            _ => self.expr(depth),
        }
    }

    /// `x < c ? f(x) : g(x)`, where the constants are near to each other.
    fn selection(&mut self) -> Expr {
        let value = self.variable();
        let limit = if self.percent(75) {
            self.constant()
        } else {
            self.leaf()
        };
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let condition = Expr::binary(op, value.clone(), limit.clone());
        let [yes, no] = [(); 2].map(|()| self.selected(&value, &limit));
        Expr::conditional(condition, yes, no)
    }

    /// What may be chosen after something was compared with a limit.
    fn selected(&mut self, value: &Expr, limit: &Expr) -> Expr {
        match self.dice.random_range(0..14) {
            0..3 => value.clone(),
            3 | 4 => limit.clone(),
            5 | 6 => self.constant(),
            7 => {
                let op = self.policy.draw(&UNARY, &mut self.dice);
                Expr::unary(op, value.clone())
            }
            8 => value.clone().cast(self.kind()),
            9 if self.has(Feature::Builtins) => self.builtin_of(value.clone()),
            10 => {
                // The same again, with a limit of its own.
                let limit = self.constant();
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let condition = Expr::binary(op, value.clone(), limit.clone());
                let other = self.constant();
                Expr::conditional(condition, value.clone(), other)
            }
            _ => {
                let ops = [
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::BitXor,
                    BinaryOp::BitAnd,
                    BinaryOp::BitOr,
                    BinaryOp::Mul,
                ];
                let op = self.one_of(&ops);
                let other = if self.percent(60) {
                    self.constant()
                } else {
                    self.leaf()
                };
                Expr::binary(op, value.clone(), other)
            }
        }
    }

    fn builtin(&mut self, depth: u32) -> Expr {
        let operand = self.expr(depth);
        self.builtin_of(operand)
    }

    /// A builtin that counts or swaps bits.
    fn builtin_of(&mut self, operand: Expr) -> Expr {
        let wide = if self.bits_of(&operand) == 64 {
            Wide::Long
        } else {
            Wide::Int
        };
        let builtin = self.one_of(&counts_and_swaps(wide));
        Expr::builtin(builtin, vec![operand])
    }

    /// `x++`, `--x` or an assignment inside an expression.
    fn effect(&mut self) -> Expr {
        let Some(target) = self.writable() else {
            return self.leaf();
        };
        const STEPS: [StepOp; 4] = [
            StepOp::PreIncrement,
            StepOp::PreDecrement,
            StepOp::PostIncrement,
            StepOp::PostDecrement,
        ];
        if self.percent(60) {
            Expr::step(self.one_of(&STEPS), target)
        } else {
            Expr::assign(target, self.leaf())
        }
    }

    /// A form that instruction combiners know.
    fn template(&mut self, depth: u32) -> Expr {
        let template = some_template(TEMPLATES, &mut self.dice);
        let mut x = self.expr(depth);
        if is_constant(&x) {
            x = self.variable();
        }
        let terms = [x, self.leaf(), self.leaf()];
        let mut filler = SnippetFiller::new(self, terms);
        let filled = template
            .expression()
            .and_then(|template| template.fill(&mut filler));
        match filled {
            Some(expr) => expr,
            None => self.leaf(),
        }
    }
}

/// Whether an expression reads no variable.
fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    expr.for_each_var(&mut |_| constant = false);
    constant
}

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
