//! Functions that are graphs of blocks, as a compiler has them inside: labels, jumps by truths and
//! by cases, loops that no `for` shows, some of which are entered in their middle.
//!
//! In the blocks are single operations on globals and locals of many widths, on whole vectors, and
//! on numbers seen as others. What is known of a variable comes to a block along several ways, and
//! some variables are set on one of them only.

use super::SnippetWriter;
use super::vectors::VectorBlock;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use rand::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Instructions that a row may execute in a graph.
const STEPS: u64 = 4_000;
/// Loops that wait for a counter.
const COUNTED: [u32; 5] = [1, 1, 2, 2, 3];

/// What the blocks of a graph have in common.
struct JumpGraph {
    /// One for each block, and one for the end.
    labels: Vec<Arc<str>>,
    /// The blocks that something jumps to.
    reached: BTreeSet<usize>,
    /// Locals that hold what conditions asked.
    truths: Vec<Var>,
    vectors: Option<VectorBlock>,
    /// Loops that may still be written.
    loops: u32,
}

impl JumpGraph {
    fn jump(&mut self, to: usize) -> Stmt {
        self.reached.insert(to);
        Stmt::Goto(self.labels[to].clone())
    }

    fn last(&self) -> usize {
        self.labels.len() - 1
    }
}

impl SnippetWriter {
    /// A test that is such a graph, or calls a function that is one.
    pub(super) fn graph(&mut self) {
        self.snippet.steps = STEPS;
        for _ in 0..self.dice.random_range(0..=2) {
            let kind = self.any_kind();
            self.kinds.push(kind);
        }
        for _ in 0..self.dice.random_range(2..=5) {
            let kind = self.kind();
            self.global(Type::Int(kind));
        }
        if self.has(Feature::Arrays) && self.percent(25) {
            let ty = self.array_type();
            self.global(ty);
        }
        if !self.has(Feature::Calls) {
            return self.graph_test();
        }
        if self.percent(30) {
            self.helper();
        }
        if self.percent(50) {
            return self.graph_test();
        }
        let kinds = (0..self.one_of(&[0, 1, 1, 2])).map(|_| Type::Int(self.kind()));
        let params = kinds.collect();
        let result = Type::Int(self.kind());
        let callee = self.function(params, result, true, Self::graph_lines);
        self.test_of(&callee);
    }

    fn graph_test(&mut self) {
        self.result = None;
        let body = self.block_of(Self::graph_lines, Self::keep_locals);
        self.add_test(body);
    }

    fn graph_lines(&mut self) -> Vec<Stmt> {
        let counters = self.counters.len();
        let mut graph = self.blank_graph();
        let mut blocks = Vec::new();
        for at in 0..graph.last() {
            let mut lines = Vec::new();
            for _ in 0..self.dice.random_range(1..=4) {
                lines.push(self.operation(&graph));
            }
            lines.extend(self.way_on(&mut graph, at));
            blocks.push(lines);
        }
        self.counters.truncate(counters);
        // A label stands before a statement.
        blocks.push(vec![Stmt::Empty]);
        let mut items = Vec::new();
        for (at, lines) in blocks.into_iter().enumerate() {
            if graph.reached.contains(&at) {
                items.push(Stmt::Label(graph.labels[at].clone()));
            }
            items.extend(lines);
        }
        if let Some(vectors) = &graph.vectors {
            items.extend(self.vectors_kept(vectors));
        }
        items
    }

    fn blank_graph(&mut self) -> JumpGraph {
        let blocks = self.dice.random_range(3..=9);
        let labels = (0..=blocks).map(|_| self.fresh("l").into()).collect();
        let truths = (0..self.one_of(&[1, 2, 2, 3])).map(|_| {
            let start = self.percent(90).then(|| self.comparison(1));
            self.declare(IntKind::Bool, start)
        });
        let truths = truths.collect();
        for _ in 0..self.one_of(&[1, 2, 2, 3, 4]) {
            let kind = self.kind();
            let start = self.percent(92).then(|| self.expr(1));
            self.declare(kind, start);
        }
        let vectors = (self.has(Feature::Vector) && self.percent(60)).then(|| self.vectors());
        JumpGraph {
            labels,
            reached: BTreeSet::new(),
            truths,
            vectors,
            loops: self.one_of(&COUNTED),
        }
    }

    /// A single operation.
    fn operation(&mut self, graph: &JumpGraph) -> Stmt {
        let has_functions = !self.snippet.functions.is_empty();
        match self.dice.random_range(0..22) {
            0..4 => self.assignment(),
            4..7 => {
                let value = self.variable();
                self.set(value)
            }
            7..9 => {
                let truth = self.truth_of(graph);
                let value = if self.percent(75) {
                    self.comparison(1)
                } else {
                    self.variable()
                };
                Stmt::Expr(Expr::assign(truth, value))
            }
            9 => self.compound(),
            10 | 11 if self.has(Feature::Builtins) => {
                let operand = self.variable();
                let value = self.builtin_of(operand);
                self.set(value)
            }
            12 => {
                let then = self.assignment();
                Stmt::if_then(self.truth_of(graph), then)
            }
            13 if has_functions => self.call_statement(),
            14 if self.has(Feature::Bytes) => self.byte_block(),
            15.. => match &graph.vectors {
                Some(vectors) => self.vector_operation(vectors, &graph.truths),
                None => self.assignment(),
            },
            _ => self.assignment(),
        }
    }

    fn set(&mut self, value: Expr) -> Stmt {
        match self.writable() {
            Some(target) if target != value => Stmt::Expr(Expr::assign(target, value)),
            _ => Stmt::Empty,
        }
    }

    fn truth_of(&mut self, graph: &JumpGraph) -> Expr {
        Expr::Var(graph.truths[self.dice.random_range(0..graph.truths.len())].clone())
    }

    /// What a jump depends on.
    fn asked(&mut self, graph: &JumpGraph) -> Expr {
        match self.dice.random_range(0..10) {
            0..5 => self.truth_of(graph),
            5 => self.variable(),
            _ => self.condition(1),
        }
    }

    /// A block behind another, mostly one of the next.
    fn ahead(&mut self, graph: &JumpGraph, at: usize) -> usize {
        let most = graph.last() - at;
        let far = if self.percent(60) { most.min(3) } else { most };
        at + self.dice.random_range(1..=far)
    }

    /// How control leaves a block; if by nothing, the next one follows.
    fn way_on(&mut self, graph: &mut JumpGraph, at: usize) -> Vec<Stmt> {
        match self.dice.random_range(0..20) {
            0..3 => Vec::new(),
            3..8 => {
                let asked = self.asked(graph);
                let to = self.ahead(graph, at);
                vec![Stmt::if_then(asked, graph.jump(to))]
            }
            8 | 9 => {
                let asked = self.asked(graph);
                let (yes, no) = (self.ahead(graph, at), self.ahead(graph, at));
                vec![Stmt::if_else(asked, graph.jump(yes), graph.jump(no))]
            }
            10..13 if self.has(Feature::Switches) => vec![self.ways_by_cases(graph, at)],
            13 => {
                // Nothing but the run shows that it ends.
                let asked = self.asked(graph);
                let to = self.dice.random_range(0..=at);
                vec![Stmt::if_then(asked, graph.jump(to))]
            }
            14..19 if graph.loops > 0 => {
                graph.loops -= 1;
                self.way_back(graph, at)
            }
            19 => {
                let asked = self.asked(graph);
                vec![Stmt::if_then(asked, Stmt::Return(self.returned(0)))]
            }
            _ => Vec::new(),
        }
    }

    /// A `switch` that does nothing but jump.
    fn ways_by_cases(&mut self, graph: &mut JumpGraph, at: usize) -> Stmt {
        let variable = self.variable();
        let (value, first) = if self.percent(50) {
            let mask = self.one_of(&[1, 3, 3, 7]);
            (Expr::binary(BinaryOp::BitAnd, variable, Expr::int(mask)), 0)
        } else {
            (variable, self.near_number().clamp(-99_999, 99_999))
        };
        let value = self.fit_for_cases(value);
        let kind = self.promoted_kind(&value);
        let mut taken = BTreeSet::new();
        let mut items = Vec::new();
        for _ in 0..self.dice.random_range(1..=3) {
            let number = first + self.dice.random_range(0..=3);
            if taken.insert(number) {
                let to = if self.percent(85) {
                    self.ahead(graph, at)
                } else {
                    self.dice.random_range(0..=at)
                };
                items.push(Stmt::Case(Value::new(kind, number, self.target())));
                items.push(graph.jump(to));
            }
        }
        if self.percent(50) {
            let to = self.ahead(graph, at);
            items.extend([Stmt::Default, graph.jump(to)]);
        }
        Stmt::switch(value, Stmt::Block(items))
    }

    /// A jump back, until a counter has come to its end.
    fn way_back(&mut self, graph: &mut JumpGraph, at: usize) -> Vec<Stmt> {
        let target = self.target();
        let kind = self.counting_kind();
        let step = self.one_of(&[1, 1, 1, 2, 3, 4, 5, -1, -1, -2]);
        let way = i128::from(step * self.dice.random_range(1..=6));
        let start = match self.dice.random_range(0..10) {
            0..6 => self.one_of(&[0, 0, 0, 1, 2]),
            6 => kind.min(target),
            7 => kind.max(target) - way,
            _ => self.near_number(),
        };
        let literal = |number| Expr::Const(Value::new(kind, number, target));
        let counter = self.declare(kind, Some(literal(start)));
        self.objects.retain(|var| *var != counter);
        self.counters.push(counter.clone());
        let counter = Expr::Var(counter);
        let counted = match step {
            1 => Expr::step(StepOp::PostIncrement, counter.clone()),
            -1 if self.percent(50) => Expr::step(StepOp::PostDecrement, counter.clone()),
            _ => Expr::compound(BinaryOp::Add, counter.clone(), Expr::int(step)),
        };
        let mut items = vec![Stmt::Expr(counted)];
        let back = self.dice.random_range(0..=at);
        let end = Value::new(kind, start + way, target);
        let to_go = |op| Expr::binary(op, counter.clone(), Expr::Const(end));
        match self.dice.random_range(0..10) {
            0..3 => items.push(Stmt::if_then(to_go(BinaryOp::Ne), graph.jump(back))),
            3 | 4 => {
                let op = if step > 0 { BinaryOp::Lt } else { BinaryOp::Gt };
                let mut asked = to_go(op);
                if self.percent(30) {
                    asked = Expr::logical(LogicalOp::And, asked, self.asked(graph));
                }
                items.push(Stmt::if_then(asked, graph.jump(back)));
            }
            5 | 6 => {
                let truth = self.truth_of(graph);
                items.push(Stmt::Expr(Expr::assign(truth.clone(), to_go(BinaryOp::Ne))));
                items.push(Stmt::if_then(truth, graph.jump(back)));
            }
            7 => {
                let to = self.ahead(graph, at);
                items.push(Stmt::if_then(to_go(BinaryOp::Eq), graph.jump(to)));
                items.push(graph.jump(back));
            }
            _ => {
                let to = self.ahead(graph, at);
                let end = Value::new(kind.promoted(), end.math(), target);
                let cases = vec![
                    Stmt::Case(end),
                    graph.jump(to),
                    Stmt::Default,
                    graph.jump(back),
                ];
                items.push(Stmt::switch(counter, Stmt::Block(cases)));
            }
        }
        items
    }
}
