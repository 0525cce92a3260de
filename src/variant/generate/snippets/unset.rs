//! Variables that are set late: what is read before is read only on ways that are never taken, or
//! not in the first turn. Optimisers may choose any value for what is not set, but not two, and
//! not where it is set after all.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use rand::Rng;
use std::sync::Arc;

/// The loop around such a variable.
struct LateLoop {
    /// What is not set at first.
    late: Expr,
    counter: Expr,
    marks: Var,
    /// A global that is 0, or a condition that does not hold.
    never: Expr,
}

impl SnippetWriter {
    /// A test that is a loop with such a variable, and perhaps a jump into it.
    pub(super) fn set_late(&mut self) {
        let marks = self.global(Type::INT);
        let never = self.never();
        let kind = self.kind();
        self.global(Type::Int(kind));
        let body = self.block_of(
            |writer| {
                let kind = writer.counting_kind();
                let late = writer.declare(kind, None);
                let counter = if writer.percent(50) {
                    writer.global(Type::INT)
                } else {
                    writer.declare(IntKind::Int, None)
                };
                writer.objects.retain(|var| *var != late && *var != counter);
                let looped = LateLoop {
                    late: Expr::Var(late),
                    counter: Expr::Var(counter),
                    marks,
                    never,
                };
                writer.late_lines(&looped)
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// Something that no row of inputs makes true.
    pub(super) fn never(&mut self) -> Expr {
        match self.style {
            SnippetStyle::Once => self.steered(0),
            SnippetStyle::Rows => self.never_in_rows(),
        }
    }

    /// An input that holds 0 in all rows.
    fn never_in_rows(&mut self) -> Expr {
        let var = self.global(Type::INT);
        self.objects.retain(|object| *object != var);
        self.snippet.keys.push(var.clone());
        let rows = self.rows;
        let mut inputs = self.snippet.inputs.iter_mut();
        if let Some(global) = inputs.find(|global| global.var == var) {
            (0..rows).for_each(|row| global.fill.set_row(row, vec![0]));
        }
        Expr::Var(var)
    }

    fn late_lines(&mut self, looped: &LateLoop) -> Vec<Stmt> {
        let turns = self.dice.random_range(1..=4);
        let inside = (self.has(Feature::Gotos) && self.percent(40)).then(|| self.fresh("l"));
        let inside: Option<Arc<str>> = inside.map(Into::into);
        let mut items = Vec::new();
        for _ in 0..self.one_of(&[0, 1, 1, 2]) {
            items.push(self.late_use(looped));
        }
        if self.percent(40) {
            let uses = vec![self.late_use(looped)];
            items.push(self.counted_of(|_| uses));
        }
        if self.percent(50) {
            items.push(self.statement(1));
        }
        items.insert(
            self.dice.random_range(0..=items.len()),
            self.late_set(looped),
        );
        let mut all = Vec::new();
        if let Some(label) = inside {
            let jump = Stmt::if_then(looped.never.clone(), Stmt::Goto(label.clone()));
            all.push(jump);
            items.insert(self.dice.random_range(0..=items.len()), Stmt::Label(label));
            // A label stands before a statement.
            items.push(Stmt::Empty);
        }
        let end = self.steered_sometimes(20, turns);
        let goes_on = Expr::binary(BinaryOp::Lt, looped.counter.clone(), end);
        let start = Expr::assign(looped.counter.clone(), Expr::int(0));
        let next = Expr::step(StepOp::PostIncrement, looped.counter.clone());
        all.push(Stmt::for_loop(start, goes_on, next, Stmt::Block(items)));
        all.push(self.late_use(looped));
        all
    }

    /// It is set, mostly in every turn.
    fn late_set(&mut self, looped: &LateLoop) -> Stmt {
        let value = self.expr(1);
        let set = Stmt::Expr(Expr::assign(looped.late.clone(), value));
        match self.dice.random_range(0..10) {
            0 => Stmt::if_then(self.condition(1), set),
            1 => Stmt::if_then(looped.never.clone(), set),
            2 => {
                let first = Expr::binary(BinaryOp::Eq, looped.counter.clone(), Expr::int(0));
                Stmt::if_then(first, set)
            }
            _ => set,
        }
    }

    /// It is used where something does not hold, or holds later.
    fn late_use(&mut self, looped: &LateLoop) -> Stmt {
        let late = looped.late.clone();
        let marks = Expr::Var(looped.marks.clone());
        let used = match self.dice.random_range(0..6) {
            0 => Expr::step(
                self.one_of(&[StepOp::PostDecrement, StepOp::PostIncrement]),
                late,
            ),
            1 => {
                let op = self.one_of(&[BinaryOp::Rem, BinaryOp::Div]);
                Expr::assign(
                    marks,
                    Expr::binary(op, late, Expr::int(self.one_of(&[2, 3]))),
                )
            }
            2 => {
                let value = Expr::binary(BinaryOp::BitXor, late.clone(), self.constant());
                Expr::assign(late, value)
            }
            3 => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::BitOr, BinaryOp::BitXor]);
                Expr::compound(op, marks, late)
            }
            _ => Expr::assign(marks, late),
        };
        let used = Stmt::Expr(used);
        let asked = match self.dice.random_range(0..10) {
            0..4 => looped.never.clone(),
            4..6 => Expr::binary(BinaryOp::Gt, looped.counter.clone(), Expr::int(0)),
            6 => {
                let turn = Expr::int(self.dice.random_range(0..3));
                Expr::binary(BinaryOp::Eq, looped.counter.clone(), turn)
            }
            7 => self.condition(1),
            _ => return used,
        };
        Stmt::if_then(asked, used)
    }
}
