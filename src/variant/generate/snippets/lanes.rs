//! The same expression for each of several neighbouring elements, stored side by side, summed
//! up or asked all together: what vectorisers of straight-line code look for.
//!
//! They narrow types, take selections for minima and reorder operands, so the expression mixes
//! widths, shifts and comparisons, and lanes may differ in a constant.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::{COMPARISONS, PLAIN};
use rand::Rng;

/// What the expressions of all lanes have in common.
struct LaneGroup {
    count: i32,
    arrays: Vec<Var>,
    scalars: Vec<Var>,
    /// The counter of a loop around them.
    counter: Option<Expr>,
}

impl LaneGroup {
    /// The number of a lane's element.
    fn index(&self, lane: i32) -> Expr {
        let Some(counter) = &self.counter else {
            return Expr::int(lane);
        };
        let start = Expr::binary(BinaryOp::Mul, counter.clone(), Expr::int(self.count));
        if lane == 0 {
            return start;
        }
        Expr::binary(BinaryOp::Add, start, Expr::int(lane))
    }
}

impl SnippetWriter {
    /// A test of a few such groups.
    pub(super) fn lanes_alike(&mut self) {
        let count = self.one_of(&[2, 3, 4, 4, 4, 4, 8, 8, 16]);
        let turns = if self.has(Feature::Loops) && count <= 4 && self.percent(40) {
            self.dice.random_range(2..=8)
        } else {
            1
        };
        let len = (count * turns) as u64;
        let kinds = [self.any_kind(), self.kind()];
        let arrays = (0..self.dice.random_range(1..=3)).map(|_| {
            let kind = self.one_of(&kinds);
            self.global(Type::Int(kind).array(len))
        });
        let arrays: Vec<Var> = arrays.collect();
        let scalars = (0..2).map(|_| {
            let kind = self.kind();
            self.global(Type::Int(kind))
        });
        let mut lanes = LaneGroup {
            count,
            arrays,
            scalars: scalars.collect(),
            counter: None,
        };
        let kind = self.any_kind();
        let output = self.output(Type::Int(kind).array(len));
        let sum = Expr::Var(self.output(kind.into()));
        let groups = self.one_of(&[1, 1, 2]);
        let body = self.block_of(
            |writer| {
                let counter = (turns > 1).then(|| Expr::Var(writer.declare(IntKind::Int, None)));
                lanes.counter = counter.clone();
                let group = |writer: &mut Self| writer.lane_group(&lanes, &output, &sum);
                let lines: Vec<Stmt> = (0..groups).flat_map(|_| group(writer)).collect();
                match counter {
                    Some(counter) => vec![Stmt::counted(counter, turns, Stmt::Block(lines))],
                    None => lines,
                }
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// Statements for all lanes: stores, a reduction, or a question about all of them.
    fn lane_group(&mut self, lanes: &LaneGroup, output: &Var, sum: &Expr) -> Vec<Stmt> {
        let depth = self.one_of(&[1, 2, 2, 3]);
        let turned = self.percent(15);
        let trees = self.each_lane(lanes, |writer, lane| {
            let lane = if turned { lanes.count - 1 - lane } else { lane };
            writer.lane_tree(lanes, lane, depth)
        });
        match self.dice.random_range(0..10) {
            0..5 => {
                let to = match self.dice.random_range(0..lanes.arrays.len() + 2) {
                    at if at < lanes.arrays.len() => &lanes.arrays[at],
                    _ => output,
                };
                let stores = (0..).zip(trees).map(|(lane, tree)| {
                    let place = Expr::Var(to.clone()).index(lanes.index(lane));
                    Stmt::Expr(Expr::assign(place, tree))
                });
                stores.collect()
            }
            5 | 6 => {
                let op = self.one_of(&PLAIN);
                let step = |tree| Stmt::Expr(Expr::compound(op, sum.clone(), tree));
                trees.into_iter().map(step).collect()
            }
            7 => {
                let op = self.one_of(&PLAIN);
                let all = folded(trees, |left, right| Expr::binary(op, left, right));
                vec![Stmt::Expr(Expr::compound(
                    BinaryOp::BitXor,
                    sum.clone(),
                    all,
                ))]
            }
            8 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let extreme = trees.into_iter().map(|tree| {
                    let less = Expr::binary(op, tree.clone(), sum.clone());
                    Stmt::if_then(less, Stmt::Expr(Expr::assign(sum.clone(), tree)))
                });
                extreme.collect()
            }
            _ => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let join = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
                let limit = self.constant();
                let asked = trees
                    .into_iter()
                    .map(|tree| Expr::binary(op, tree, limit.clone()));
                let all = folded(asked, |left, right| Expr::logical(join, left, right));
                let yes = Stmt::Expr(Expr::assign(sum.clone(), self.constant()));
                vec![Stmt::if_then(all, yes)]
            }
        }
    }

    /// The same for each lane: dice fall alike.
    fn each_lane(
        &mut self,
        lanes: &LaneGroup,
        mut write: impl FnMut(&mut Self, i32) -> Expr,
    ) -> Vec<Expr> {
        let start = self.dice.clone();
        let trees = (0..lanes.count).map(|lane| {
            self.dice = start.clone();
            write(self, lane)
        });
        trees.collect()
    }

    fn lane_tree(&mut self, lanes: &LaneGroup, lane: i32, depth: u32) -> Expr {
        if depth == 0 {
            return self.lane_leaf(lanes, lane);
        }
        match self.dice.random_range(0..20) {
            0..8 => {
                let op = self.one_of(&PLAIN);
                let left = self.lane_tree(lanes, lane, depth - 1);
                Expr::binary(op, left, self.lane_leaf(lanes, lane))
            }
            8..11 => {
                let op = self.one_of(&[BinaryOp::Shr, BinaryOp::Shr, BinaryOp::Shl]);
                let kind = self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::Long]);
                let left = self.lane_tree(lanes, lane, depth - 1).cast(kind);
                let by = self.one_of(&[1, 2, 4, 7, 8, 15, 16, 24]);
                Expr::binary(op, left, Expr::int(by))
            }
            11..14 => {
                let kind = self.any_kind();
                self.lane_tree(lanes, lane, depth - 1).cast(kind)
            }
            14 | 15 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let left = self.lane_tree(lanes, lane, depth - 1);
                let right = self.lane_leaf(lanes, lane);
                let asked = Expr::binary(op, left.clone(), right.clone());
                let other = self.lane_leaf(lanes, lane);
                match self.dice.random_range(0..3) {
                    0 => Expr::conditional(asked, left, right),
                    1 => Expr::conditional(asked, left, other),
                    _ => Expr::conditional(asked, right, other),
                }
            }
            16 | 17 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let left = self.lane_tree(lanes, lane, depth - 1);
                let truth = Expr::binary(op, left, self.lane_leaf(lanes, lane));
                if self.percent(50) {
                    Expr::unary(UnaryOp::Minus, truth)
                } else {
                    truth
                }
            }
            18 => {
                let op = self.one_of(&[UnaryOp::Minus, UnaryOp::Complement]);
                Expr::unary(op, self.lane_tree(lanes, lane, depth - 1))
            }
            _ => {
                let value = self.lane_leaf(lanes, lane);
                let negative = Expr::binary(BinaryOp::Lt, value.clone(), Expr::int(0));
                Expr::conditional(negative, Expr::unary(UnaryOp::Minus, value.clone()), value)
            }
        }
    }

    /// An element of the lane, or something that all lanes share or nearly share.
    fn lane_leaf(&mut self, lanes: &LaneGroup, lane: i32) -> Expr {
        let at = self.dice.random_range(0..lanes.arrays.len());
        let array = Expr::Var(lanes.arrays[at].clone());
        match self.dice.random_range(0..20) {
            0..13 => array.index(lanes.index(lane)),
            13 => array.index(lanes.index((lane ^ 1).min(lanes.count - 1))),
            14 | 15 => {
                let at = self.dice.random_range(0..lanes.scalars.len());
                Expr::Var(lanes.scalars[at].clone())
            }
            16..18 => self.constant(),
            _ => {
                let step = self.one_of(&[1, 1, -1, 2, 16]);
                let first = self.near_number().clamp(-1_000, 1_000);
                let number = first + i128::from(lane * step);
                Expr::Const(Value::new(IntKind::Int, number, self.target()))
            }
        }
    }
}

fn folded(all: impl IntoIterator<Item = Expr>, join: impl Fn(Expr, Expr) -> Expr) -> Expr {
    let joined = all.into_iter().reduce(join);
    joined.unwrap_or_else(|| Expr::int(0))
}
