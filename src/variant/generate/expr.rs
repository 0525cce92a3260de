//! Expressions, made from the leaves up together with their values.
//!
//! Every node is evaluated once, when it is made: one call of a kernel over the values of
//! its operands. The operands of `?:`, `&&` and `||` are made with only those positions
//! active that reach them, so `b ? a / b : c` needs no repair.

use super::Author;
use super::feature::Feature;
use super::weights::{BINARY, COMPARISONS, KINDS, NODES, SIMPLE, UNARY};
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, LogicalOp};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;

/// Expressions are nested no deeper.
const DEEPEST: u32 = 12;
/// Conditions tried until one goes both ways.
const CONDITION_TRIES: u32 = 12;

/// Types of a hundred that are narrow enough for many lanes, in loops for vector units.
pub(super) const LANES: u32 = 88;

/// An expression with its value at every active position.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) expr: Expr,
    pub(super) numbers: Numbers,
}

impl Term {
    /// The smallest and the largest value; `None` if no position is active.
    pub(super) fn spread(&self) -> Option<(i128, i128)> {
        let kind = self.numbers.kind;
        let math = self.numbers.values.iter();
        let math = math.map(|carrier| Value::from_carrier(kind, *carrier).math());
        Some((math.clone().min()?, math.max()?))
    }

    /// Whether it is true at some positions and false at others.
    pub(super) fn goes_both_ways(&self) -> bool {
        let mut values = self.numbers.values.iter().map(|value| *value != 0);
        values
            .next()
            .is_some_and(|first| values.any(|other| other != first))
    }
}

/// What an inner node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeChoice {
    Binary,
    Unary,
    Cast,
    Conditional,
    Logical,
    /// A form that instruction combiners know.
    Shape,
    /// A builtin function.
    Builtin,
    /// An expression that was used before.
    Common,
    /// A call of a function without effects.
    Call,
    /// A number computed by way of floating-point ones.
    Float,
    /// A number computed by way of ones of up to 128 bits.
    Wide,
}

impl Author<'_> {
    /// An expression of a size that suits a statement.
    pub(super) fn expression(&mut self) -> Term {
        let operators = match self.dice.random_range(0..20) {
            _ if self.simple => self.dice.random_range(1..=3),
            0..5 => 1,
            5..12 => self.dice.random_range(2..=4),
            12..19 => self.dice.random_range(4..=9),
            _ => self.dice.random_range(10..=30),
        };
        let term = self.tree(operators, DEEPEST);
        self.remember(&term);
        term
    }

    /// A small expression.
    pub(super) fn small_expression(&mut self) -> Term {
        let operators = self.dice.random_range(0..=3);
        self.tree(operators, DEEPEST)
    }

    /// A tree with about so many operators, no deeper than said.
    pub(super) fn tree(&mut self, operators: u32, depth: u32) -> Term {
        if operators == 0 || depth == 0 {
            return self.leaf();
        }
        let left = self.dice.random_range(0..operators);
        let right = operators - 1 - left;
        match self.draw_node() {
            NodeChoice::Binary => {
                let op = self.binary_op();
                // Truths say little: they are compared now and then only.
                let comparing = self.comparing;
                self.comparing |= op.is_comparison();
                let left = self.tree(left, depth - 1);
                let right = if op.is_shift() && (self.simple || self.percent(60)) {
                    let most = left.numbers.kind.promoted().bits(self.target());
                    let count = self.dice.random_range(0..most);
                    self.literal(IntKind::Int, count.into())
                } else {
                    self.tree(right, depth - 1)
                };
                self.comparing = comparing;
                self.combine(op, left, right)
            }
            NodeChoice::Unary => {
                let op = self.draw(&UNARY);
                let operand = self.tree(operators - 1, depth - 1);
                self.apply_unary(op, operand)
            }
            NodeChoice::Cast => {
                let operand = self.tree(operators - 1, depth - 1);
                let kind = self.kind();
                self.cast(&operand, kind)
            }
            NodeChoice::Conditional => self.conditional(operators, depth),
            NodeChoice::Logical => self.logical(left, right, depth),
            NodeChoice::Shape => {
                let operand = self.tree(operators - 1, depth - 1);
                self.shape(operand, depth - 1)
            }
            NodeChoice::Builtin => {
                let operand = self.tree(operators - 1, depth - 1);
                self.builtin(operand)
            }
            NodeChoice::Common => match self.remembered() {
                Some(term) => term,
                None => self.tree(operators - 1, depth - 1),
            },
            NodeChoice::Float => self.float_node(operators - 1, depth - 1),
            NodeChoice::Wide => self.wide_node(operators - 1, depth - 1),
            NodeChoice::Call => match self.call_in_expression(operators, depth) {
                Some(term) => term,
                None => self.tree(operators - 1, depth - 1),
            },
        }
    }

    fn draw_node(&mut self) -> NodeChoice {
        let features = self.policy.features;
        if self.simple {
            return match self.dice.random_range(0..20) {
                0 => NodeChoice::Cast,
                1 => NodeChoice::Unary,
                2 | 3 if features.has(Feature::Choices) => NodeChoice::Conditional,
                _ => NodeChoice::Binary,
            };
        }
        let wide = self.has_wide();
        let calls = self.may_call() && self.guesses.is_empty();
        let rich = self.region.choices;
        if rich && features.has(Feature::Choices) && self.percent(30) {
            return if self.dice.random() {
                NodeChoice::Conditional
            } else {
                NodeChoice::Logical
            };
        }
        let choice = self
            .policy
            .draw_where(&NODES, &mut self.dice, |node| match node {
                NodeChoice::Conditional | NodeChoice::Logical => features.has(Feature::Choices),
                NodeChoice::Shape => features.has(Feature::Shapes),
                NodeChoice::Builtin => features.has(Feature::Builtins),
                NodeChoice::Call => calls,
                NodeChoice::Float => features.has(Feature::Float),
                NodeChoice::Wide => wide,
                _ => true,
            });
        choice.unwrap_or(NodeChoice::Binary)
    }

    fn binary_op(&mut self) -> BinaryOp {
        if self.simple {
            return SIMPLE[self.dice.random_range(0..SIMPLE.len())];
        }
        if !self.region.operators.is_empty() && self.percent(80) {
            let at = self.dice.random_range(0..self.region.operators.len());
            return self.region.operators[at];
        }
        let compare = !self.comparing || self.percent(15);
        if compare && self.region.comparisons && self.percent(40) {
            return self.draw(&COMPARISONS);
        }
        let features = self.policy.features;
        let op = self.policy.draw_where(&BINARY, &mut self.dice, |op| {
            features.allows_operator(op) && (compare || !op.is_comparison())
        });
        op.unwrap_or(BinaryOp::Add)
    }

    /// A type that this part of the program uses.
    pub(super) fn kind(&mut self) -> IntKind {
        if self.simple && self.percent(LANES) {
            const KINDS: [IntKind; 6] = [
                IntKind::Int,
                IntKind::UInt,
                IntKind::Int,
                IntKind::Short,
                IntKind::UShort,
                IntKind::UChar,
            ];
            return KINDS[self.dice.random_range(0..KINDS.len())];
        }
        if !self.region.kinds.is_empty() {
            let at = self.dice.random_range(0..self.region.kinds.len());
            return self.region.kinds[at];
        }
        let features = self.policy.features;
        let kind = self
            .policy
            .draw_where(&KINDS, &mut self.dice, |kind| features.allows_kind(kind));
        kind.unwrap_or(IntKind::Int)
    }

    /// A variable, or a constant.
    fn leaf(&mut self) -> Term {
        if !self.percent(self.region.constants)
            && let Some(term) = self.scalar_leaf()
        {
            return term;
        }
        let kind = self.kind();
        self.constant(kind)
    }

    fn conditional(&mut self, operators: u32, depth: u32) -> Term {
        let condition = self.condition(operators / 3, depth - 1);
        let [yes, no] = self.ledger.split(&condition.numbers.values);
        let share = operators.saturating_sub(1) / 3;
        let yes_term = self.reached_by(&yes, |author| author.tree(share, depth - 1));
        let no_term = self.reached_by(&no, |author| author.tree(share, depth - 1));
        let target = self.target();
        let kind = yes_term.numbers.kind.common(no_term.numbers.kind, target);
        let yes_values = operator::convert(target, &yes_term.numbers, kind).values;
        let no_values = operator::convert(target, &no_term.numbers, kind).values;
        let values = merge(&condition.numbers.values, yes_values, no_values);
        Term {
            expr: Expr::conditional(condition.expr, yes_term.expr, no_term.expr),
            numbers: Numbers { kind, values },
        }
    }

    /// Something made for the positions of a set. If there are none, it is made for all
    /// active ones, so that it is defined although it is never evaluated, and no values are
    /// kept.
    fn reached_by(
        &mut self,
        set: &super::ledger::ActiveSet,
        make: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        if set.is_empty() {
            let mut term = make(self);
            term.numbers.values.clear();
            return term;
        }
        let around = self.ledger.activate(set.clone());
        let term = make(self);
        self.ledger.activate(around);
        term
    }

    fn logical(&mut self, left: u32, right: u32, depth: u32) -> Term {
        let op = if self.dice.random() {
            LogicalOp::And
        } else {
            LogicalOp::Or
        };
        let first = self.tree(left, depth - 1);
        let [yes, no] = self.ledger.split(&first.numbers.values);
        let (goes_on, decided) = match op {
            LogicalOp::And => (yes, 0),
            LogicalOp::Or => (no, 1),
        };
        let second = self.reached_by(&goes_on, |author| author.tree(right, depth - 1));
        let mut rest = second.numbers.values.iter();
        let values = first.numbers.values.iter().map(|value| {
            if i64::from(*value != 0) == decided {
                decided
            } else {
                rest.next().map_or(decided, |value| i64::from(*value != 0))
            }
        });
        let numbers = Numbers {
            kind: IntKind::Int,
            values: values.collect(),
        };
        Term {
            expr: Expr::logical(op, first.expr, second.expr),
            numbers,
        }
    }

    /// A condition, one that is true at some positions and false at others if that can be.
    pub(super) fn condition(&mut self, operators: u32, depth: u32) -> Term {
        let mut left = self.tree(operators.min(3), depth.min(4));
        for _ in 0..CONDITION_TRIES {
            if self.ledger.len() < 2 || left.spread().is_some_and(|(least, most)| least < most) {
                break;
            }
            left = self.tree(operators.min(3), depth.min(4));
        }
        let op = self.draw(&COMPARISONS);
        if self.percent(40) {
            let right = self.leaf();
            let condition = self.combine(op, left.clone(), right);
            if condition.goes_both_ways() {
                return condition;
            }
        }
        let right = self.dividing(op, &left);
        self.combine(op, left, right)
    }

    /// A constant that some values of a term are on one side of, and some on the other.
    fn dividing(&mut self, op: BinaryOp, term: &Term) -> Term {
        let kind = term.numbers.kind.promoted();
        let Some((least, most)) = term.spread() else {
            return self.constant(kind);
        };
        let at = self.dice.random_range(0..term.numbers.values.len());
        let seen = Value::from_carrier(term.numbers.kind, term.numbers.values[at]).math();
        let any = if self.percent(30) {
            (least + most) / 2
        } else {
            seen
        };
        let math = match op {
            BinaryOp::Lt | BinaryOp::Ge => any.max((least + 1).min(most)),
            BinaryOp::Gt | BinaryOp::Le => any.min((most - 1).max(least)),
            _ => seen,
        };
        self.literal(kind, math)
    }

    /// A term of the given values, for what C computes in a way of its own.
    pub(super) fn term(expr: Expr, kind: IntKind, values: Vec<i64>) -> Term {
        Term {
            expr,
            numbers: Numbers { kind, values },
        }
    }
}

/// The values of both sides in the order of the positions.
pub(super) fn merge(condition: &[i64], yes: Vec<i64>, no: Vec<i64>) -> Vec<i64> {
    let (mut yes, mut no) = (yes.into_iter(), no.into_iter());
    let values = condition.iter().map(|truth| {
        let side = if *truth != 0 { &mut yes } else { &mut no };
        side.next().unwrap_or(0)
    });
    values.collect()
}
