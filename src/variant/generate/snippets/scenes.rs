//! Snippets with a plan: shapes in which a pass has much to decide, so that dice need not meet
//! all their parts by chance.

use super::SnippetWriter;
use crate::code::ctype::{Field, Type};
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use rand::Rng;

impl SnippetWriter {
    /// A snippet of one of the shapes, unless the program does without what it needs.
    pub(super) fn scene(&mut self) -> bool {
        let loops = self.has(Feature::Loops) && self.has(Feature::Arrays);
        let pointers = self.has(Feature::Pointers);
        match self.dice.random_range(0..10) {
            0..3 if loops && pointers => self.overlapping_pointers(),
            3..5 if loops && !self.records.is_empty() => self.shifted_records(),
            5..7 if pointers && self.has(Feature::BitFields) => self.neighbouring_fields(),
            7.. => self.decisions(),
            _ => return false,
        }
        true
    }

    /// Loops over what two pointers point to, which may be parts of one array.
    fn overlapping_pointers(&mut self) {
        let of = match self.records.first().cloned() {
            Some(record) if self.percent(30) => record,
            _ => Type::Int(self.kind()),
        };
        let mut types = vec![of.clone().pointer(); 2];
        if self.percent(40) {
            types.push(Type::INT);
        }
        let result = Type::Int(self.kind());
        let loops = self.one_of(&[1, 1, 2]);
        let callee = self.function(types, result, false, |writer| {
            (0..loops).map(|_| writer.counted(1)).collect()
        });
        self.test_of(&callee);
    }

    /// Structs that are copied to and fro in a nest of loops.
    fn shifted_records(&mut self) {
        let at = self.dice.random_range(0..self.records.len());
        let record = self.records[at].clone();
        let len = self.dice.random_range(2..=5);
        self.length = len - 1;
        self.global(record.clone().array(len));
        self.global(record);
        let kind = self.kind();
        self.global(Type::Int(kind));
        let statements = self.dice.random_range(2..=4);
        let body = self.block_of(
            |writer| {
                let copies = |writer: &mut Self| -> Vec<Stmt> {
                    (0..statements).map(|_| writer.shift()).collect()
                };
                vec![if writer.percent(60) {
                    writer.counted_of(|writer| vec![writer.counted_of(copies)])
                } else {
                    writer.counted_of(copies)
                }]
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn shift(&mut self) -> Stmt {
        match self.dice.random_range(0..10) {
            0..6 => self.record_copy(),
            6 => self.members(),
            _ => self.assignment(),
        }
    }

    /// A struct of narrow fields that are set, compared and copied side by side.
    fn neighbouring_fields(&mut self) {
        let mut fields = Vec::new();
        for number in 0..self.dice.random_range(3..=7) {
            let name = format!("m{number}");
            fields.push(match self.dice.random_range(0..10) {
                0..7 => {
                    let kind = self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::UInt]);
                    let width = self.one_of(&[1, 1, 1, 2, 3, 4, 5, 7, 8, 8, 9, 12, 16, 17, 24]);
                    Field::bits(&name, kind, width)
                }
                7 | 8 => {
                    let kind = self.one_of(&[IntKind::Char, IntKind::UChar, IntKind::Short]);
                    Field::new(&name, Type::Int(kind))
                }
                _ => Field::new(&name, self.any_kind()),
            });
        }
        let name = self.fresh("struct s");
        let record = self.types.define(&name, fields);
        let mut types = vec![record.clone().pointer(); 2];
        types.push(Type::Int(self.kind()));
        let result = Type::Int(self.kind());
        let statements = self.dice.random_range(2..=5);
        let callee = self.function(types, result, false, |writer| {
            let one = |writer: &mut Self| match writer.dice.random_range(0..10) {
                0..4 => writer.members(),
                4..7 => {
                    let condition = writer.condition(2);
                    let then = writer.small_block(0);
                    Stmt::if_then(condition, then)
                }
                _ => writer.assignment(),
            };
            (0..statements).map(|_| one(writer)).collect()
        });
        self.test_of(&callee);
    }

    /// Conditions on two or three numbers inside each other, whose limits are near to each
    /// other.
    fn decisions(&mut self) {
        let kind = self.kind();
        let mut types = vec![Type::Int(kind); self.one_of(&[1, 2, 2, 3])];
        if self.percent(30) {
            types[0] = Type::Int(self.kind());
        }
        let result = self.kind();
        let sequence = self.dice.random_range(1..=4);
        let callee = self.function(types, Type::Int(result), false, |writer| {
            let marks = writer.declare(result, Some(Expr::int(0)));
            (0..sequence).map(|_| writer.decision(&marks, 3)).collect()
        });
        self.test_of(&callee);
    }

    fn decision(&mut self, marks: &Var, depth: u32) -> Stmt {
        if depth == 0 || self.percent(25) {
            return self.mark(marks);
        }
        let condition = self.condition(1);
        let yes = Stmt::Block(vec![self.decision(marks, depth - 1)]);
        if self.percent(60) {
            let no = Stmt::Block(vec![self.decision(marks, depth - 1)]);
            return Stmt::if_else(condition, yes, no);
        }
        Stmt::if_then(condition, yes)
    }

    /// Something that tells which way was taken.
    fn mark(&mut self, marks: &Var) -> Stmt {
        let name = Expr::Var(marks.clone());
        let bit = Expr::int(1 << self.dice.random_range(0..7));
        Stmt::Expr(match self.dice.random_range(0..10) {
            0..3 => Expr::compound(BinaryOp::BitOr, name, bit),
            3 | 4 => Expr::compound(BinaryOp::Add, name, bit),
            5 => Expr::assign(name, self.constant()),
            6 => {
                let value = self.expr(1);
                Expr::assign(name, value)
            }
            7 | 8 => match self.plain_variable() {
                Some(var) => {
                    let value = self.near(var.clone());
                    Expr::assign(Expr::Var(var), value)
                }
                None => Expr::compound(BinaryOp::BitXor, name, bit),
            },
            _ => return Stmt::Return(self.returned(1)),
        })
    }
}
