//! Truths, masks and their complements, combined in straight lines and asked about at the end.
//!
//! `~(a || 0) ^ b` and its like are what algebra on single bits rewrites: each rule knows which
//! values an operand can have, and a value that is 0 or -1 looks much like one that is 0 or 1.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::weights::COMPARISONS;
use rand::Rng;

/// How truths are combined.
const JOINS: [BinaryOp; 9] = [
    BinaryOp::BitXor,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitOr,
    BinaryOp::Sub,
    BinaryOp::Add,
    BinaryOp::Mul,
];

impl SnippetWriter {
    /// A test that computes truths from truths.
    pub(super) fn truths(&mut self) {
        let globals = (0..self.dice.random_range(2..=4)).map(|_| {
            let kind = self.truth_kind();
            self.global(Type::Int(kind))
        });
        let globals: Vec<Var> = globals.collect();
        let lines = self.dice.random_range(2..=5);
        let marks = self.global(Type::INT);
        let body = self.block_of(
            |writer| {
                let local = writer.truth_kind();
                let start = writer.truth(&globals, 1);
                let mut all = globals.clone();
                all.push(writer.declare(local, Some(start)));
                writer.recent.clear();
                let mut items = Vec::new();
                for _ in 0..lines {
                    items.push(writer.truth_line(&all, &marks));
                }
                if writer.percent(25) {
                    let again = Expr::logical(LogicalOp::And, writer.truth(&all, 1), writer.fuel());
                    items = vec![Stmt::do_loop(Stmt::Block(items), again)];
                }
                let last = Expr::Var(all[writer.dice.random_range(0..all.len())].clone());
                let op = writer.policy.draw(&COMPARISONS, &mut writer.dice);
                let asked = Expr::binary(op, last, writer.bit_constant());
                let mark = writer.mark(&marks);
                items.push(Stmt::if_then(asked, mark));
                items
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn truth_kind(&mut self) -> IntKind {
        match self.dice.random_range(0..10) {
            0..5 => IntKind::Int,
            5 => IntKind::UInt,
            6 => IntKind::SChar,
            7 => IntKind::UChar,
            _ => self.kind(),
        }
    }

    fn truth_line(&mut self, all: &[Var], marks: &Var) -> Stmt {
        let at = self.dice.random_range(0..all.len());
        let depth = self.one_of(&[2, 2, 3, 3, 4]);
        let value = self.truth(all, depth);
        let set = Stmt::Expr(Expr::assign(Expr::Var(all[at].clone()), value));
        match self.dice.random_range(0..10) {
            0 => Stmt::if_then(self.truth(all, 2), set),
            1 => {
                let condition = self.truth(all, 2);
                let yes = self.mark(marks);
                Stmt::if_else(condition, yes, set)
            }
            _ => set,
        }
    }

    /// A number that has few bits which can be set.
    fn truth(&mut self, all: &[Var], depth: u32) -> Expr {
        let truth = self.new_truth(all, depth);
        if depth == 1 {
            self.remember(&truth, |writer| &mut writer.recent);
        }
        truth
    }

    fn new_truth(&mut self, all: &[Var], depth: u32) -> Expr {
        if depth == 0 {
            // What occurs twice is what rules are about.
            if self.percent(25)
                && let Some(expr) = self.again(|writer| &writer.recent)
            {
                return expr;
            }
            return if self.percent(75) {
                Expr::Var(all[self.dice.random_range(0..all.len())].clone())
            } else {
                self.bit_constant()
            };
        }
        let less = depth - 1;
        match self.dice.random_range(0..24) {
            0..8 => {
                let op = self.one_of(&JOINS);
                let left = self.truth(all, less);
                Expr::binary(op, left, self.truth(all, less))
            }
            8..12 => Expr::unary(UnaryOp::Complement, self.truth(all, less)),
            12 | 13 => Expr::unary(UnaryOp::Minus, self.truth(all, less)),
            14 => Expr::unary(UnaryOp::Not, self.truth(all, less)),
            15..18 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let left = self.truth(all, less);
                Expr::binary(op, left, self.truth(all, 0))
            }
            18 | 19 => {
                let op = self.one_of(&[LogicalOp::And, LogicalOp::Or]);
                let left = self.truth(all, less);
                Expr::logical(op, left, self.truth(all, 0))
            }
            20 => {
                let kind = self.one_of(&[IntKind::Bool, IntKind::SChar, IntKind::UChar]);
                self.truth(all, less).cast(kind)
            }
            21 => {
                let condition = self.truth(all, 1);
                let yes = self.truth(all, less);
                Expr::conditional(condition, yes, self.truth(all, 0))
            }
            22 => {
                let left = self.truth(all, less);
                let by = self.one_of(&[1, 1, 2, 7, 15, 31]);
                Expr::binary(BinaryOp::Shr, left, Expr::int(by))
            }
            _ => {
                let op = self.one_of(&[BinaryOp::Div, BinaryOp::Rem, BinaryOp::Shl]);
                let left = self.truth(all, less);
                Expr::binary(op, left, Expr::int(self.one_of(&[1, 2, 2, 3])))
            }
        }
    }

    fn bit_constant(&mut self) -> Expr {
        Expr::int(self.one_of(&[0, 0, 1, 1, -1, 2, -2, 3]))
    }
}
