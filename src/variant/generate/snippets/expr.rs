//! The expressions of snippets: trees without values.

use super::filler::SnippetFiller;
use super::{SnippetStyle, SnippetWriter};
use crate::code::builtin::Wide;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::code::types::IntKind;
use crate::variant::generate::builtins::counts_and_swaps;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::forms::TEMPLATES;
use crate::variant::generate::shapes::some_template;
use crate::variant::generate::weights::{BINARY, ONCE_NODES, SNIPPET_NODES, UNARY};
use rand::Rng;

/// How many expressions can be written again, and how large they may be.
const REMEMBERED: usize = 5;
const REMEMBERED_SIZE: usize = 12;

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
    /// A function that has a model.
    Modelled,
    /// A function as other programs have it.
    Everyday,
}

impl SnippetWriter {
    /// An expression of some depth.
    pub(super) fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        if self.percent(12)
            && let Some(expr) = self.again(|writer| &writer.recent)
        {
            return expr;
        }
        let expr = self.new_expr(depth);
        self.remember(&expr, |writer| &mut writer.recent);
        expr
    }

    fn new_expr(&mut self, depth: u32) -> Expr {
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
            SnippetNode::Modelled => match self.modelled_call(depth - 1) {
                Some(call) => call,
                None => self.leaf(),
            },
            SnippetNode::Everyday => match self.everyday_call(depth - 1) {
                Some(call) => call,
                None => self.leaf(),
            },
        }
    }

    fn draw_node(&mut self) -> SnippetNode {
        let features = self.policy.features;
        let calls = !self.snippet.functions.is_empty();
        let wide = self.has_wide();
        let models = self.has(Feature::Extensions) && self.has(Feature::Calls);
        let weights = match self.style {
            SnippetStyle::Rows => &SNIPPET_NODES,
            SnippetStyle::Once => &ONCE_NODES,
        };
        let node = self
            .policy
            .draw_where(weights, &mut self.dice, |node| match node {
                SnippetNode::Conditional | SnippetNode::Logical | SnippetNode::Selection => {
                    features.has(Feature::Choices)
                }
                SnippetNode::Template => features.has(Feature::Shapes),
                SnippetNode::Builtin => features.has(Feature::Builtins),
                SnippetNode::Wide => wide,
                SnippetNode::Modelled => models,
                SnippetNode::Everyday => features.has(Feature::Everyday),
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

    /// The type of a number once it is promoted.
    pub(super) fn promoted_kind(&self, expr: &Expr) -> IntKind {
        let kind = self.types.type_of(expr).ok().and_then(|ty| ty.int_kind());
        kind.unwrap_or(IntKind::Int).promoted()
    }

    /// How many bits an expression has once it is promoted.
    pub(super) fn bits_of(&self, expr: &Expr) -> u32 {
        self.promoted_kind(expr).bits(self.target())
    }

    pub(super) fn leaf(&mut self) -> Expr {
        if self.percent(22) {
            return self.constant();
        }
        self.variable()
    }

    /// A scalar, if one is in sight.
    pub(super) fn variable(&mut self) -> Expr {
        match self.readable() {
            Some(expr) => expr,
            None => self.constant(),
        }
    }

    /// Something that was written before, which an optimiser must not take for the same where a
    /// variable has changed since.
    pub(super) fn again(&mut self, list: impl Fn(&Self) -> &Vec<Expr>) -> Option<Expr> {
        let count = list(self).len();
        let at = self.dice.random_range(0..count.max(1));
        let expr = list(self).get(at)?.clone();
        let mut in_sight = true;
        expr.for_each_var(&mut |var| {
            in_sight &= self.objects.contains(var) || self.counters.contains(var);
        });
        in_sight.then_some(expr)
    }

    pub(super) fn remember(&mut self, expr: &Expr, list: impl Fn(&mut Self) -> &mut Vec<Expr>) {
        if expr.size() <= REMEMBERED_SIZE && !expr.has_effects() && !is_constant(expr) {
            let list = list(self);
            list.push(expr.clone());
            if list.len() > REMEMBERED {
                list.remove(0);
            }
        }
    }

    fn builtin(&mut self, depth: u32) -> Expr {
        let operand = self.expr(depth);
        self.builtin_of(operand)
    }

    /// A builtin that counts or swaps bits.
    pub(super) fn builtin_of(&mut self, operand: Expr) -> Expr {
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
pub(super) fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    expr.for_each_var(&mut |_| constant = false);
    constant
}
