//! Vectors that are compared, and comparisons that are combined: each lane is 0 or -1, and what is
//! known of truths is applied to all lanes at once.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp, UnaryOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::vectors::{LANES, parts};
use crate::variant::generate::weights::COMPARISONS;
use rand::Rng;

/// How masks are combined.
const JOINS: [BinaryOp; 7] = [
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Mul,
];

impl SnippetWriter {
    /// A test of two or three vectors, all of whose lanes are outputs.
    pub(super) fn masks(&mut self) {
        let kind = self.kind();
        for _ in 0..3 {
            self.global(Type::Int(kind));
        }
        let bytes = self.one_of(&[8, 16, 16, 32, 64, 64]);
        let (lane, each) = self.one_of(&LANES);
        let ty = self.types.define_vector(lane, bytes / each);
        let lines = self.dice.random_range(2..=5);
        let loops = self.percent(30);
        let body = self.block_of(
            |writer| {
                let vectors = (0..writer.one_of(&[2, 2, 3])).map(|_| {
                    let start = writer.vector_of_numbers(&ty);
                    let var = writer.var("v", ty.clone());
                    let declared = Stmt::declare(&var.name, ty.clone(), Some(start));
                    writer.declarations.push(declared);
                    var
                });
                let vectors: Vec<Var> = vectors.collect();
                let mut items = Vec::new();
                for _ in 0..lines {
                    let at = writer.dice.random_range(0..vectors.len());
                    let depth = writer.one_of(&[1, 1, 2, 2, 3]);
                    let value = writer.mask(&vectors, &ty, depth);
                    let name = Expr::Var(vectors[at].clone());
                    items.push(Stmt::Expr(Expr::assign(name, value)));
                }
                if loops {
                    let again = writer.condition(1);
                    let again = Expr::logical(LogicalOp::And, again, writer.fuel());
                    items = vec![Stmt::do_loop(Stmt::Block(items), again)];
                }
                for vector in &vectors {
                    items.push(writer.all_lanes(vector));
                }
                items
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn mask(&mut self, vectors: &[Var], ty: &Type, depth: u32) -> Expr {
        if depth == 0 {
            if self.percent(15) {
                return self.vector_of_numbers(ty);
            }
            return Expr::Var(vectors[self.dice.random_range(0..vectors.len())].clone());
        }
        let left = self.mask(vectors, ty, depth - 1);
        match self.dice.random_range(0..10) {
            0..5 => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let right = self.mask(vectors, ty, 0);
                Expr::binary(op, left, right).cast(ty.clone())
            }
            5..8 => {
                let op = self.one_of(&JOINS);
                Expr::binary(op, left, self.mask(vectors, ty, 0))
            }
            8 => Expr::unary(UnaryOp::Complement, left),
            _ => Expr::unary(UnaryOp::Minus, left),
        }
    }

    /// What a vector comes to goes into an array.
    fn all_lanes(&mut self, vector: &Var) -> Stmt {
        let (kind, len) = parts(&vector.ty);
        let output = Expr::Var(self.output(Type::Int(kind).array(len.into())));
        let counter = Expr::Var(self.declare(IntKind::Int, None));
        let lane = Expr::Var(vector.clone()).index(counter.clone());
        let set = Stmt::Expr(Expr::assign(output.index(counter.clone()), lane));
        Stmt::counted(counter, len as i32, set)
    }
}
