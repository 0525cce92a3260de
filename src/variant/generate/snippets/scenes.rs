//! Snippets with a plan: shapes in which a pass has much to decide, so that dice need not meet
//! all their parts by chance.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, LogicalOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::{COMPARISONS, SCENES};
use rand::Rng;

/// The shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::variant::generate) enum SnippetScene {
    OverlappingPointers,
    ShiftedRecords,
    NeighbouringFields,
    Decisions,
    Nest,
    JoinedWays,
    PassedRecords,
    LinearConditions,
    Guards,
    Buffers,
    Lent,
    LanesAlike,
    Idiom,
    Sweeps,
    Truths,
    Counters,
    Cases,
    Twins,
    Brinks,
    SetLate,
    Masks,
    Graph,
    CallsItself,
    VectorLoop,
}

impl SnippetWriter {
    /// A snippet of one of the shapes, unless the program does without what it needs.
    pub(super) fn scene(&mut self) -> bool {
        let scene = self.policy.draw(&SCENES, &mut self.dice);
        if !self.can_have(scene) {
            return false;
        }
        match scene {
            SnippetScene::OverlappingPointers => self.overlapping_pointers(),
            SnippetScene::ShiftedRecords => self.shifted_records(),
            SnippetScene::NeighbouringFields => self.neighbouring_fields(),
            SnippetScene::Decisions => self.decisions(),
            SnippetScene::Nest => self.nest(),
            SnippetScene::JoinedWays => self.joined_ways(),
            SnippetScene::PassedRecords => self.passed_records(),
            SnippetScene::LinearConditions => self.linear_conditions(),
            SnippetScene::Guards => self.guards(),
            SnippetScene::Buffers => self.buffers(),
            SnippetScene::Lent => self.lent(),
            SnippetScene::LanesAlike => self.lanes_alike(),
            SnippetScene::Idiom => self.idiom_alone(),
            SnippetScene::Sweeps => self.sweeps(),
            SnippetScene::Truths => self.truths(),
            SnippetScene::Counters => self.counters(),
            SnippetScene::Cases => self.cases(),
            SnippetScene::Twins => self.twins(),
            SnippetScene::Brinks => self.brinks(),
            SnippetScene::SetLate => self.set_late(),
            SnippetScene::Masks => self.masks(),
            SnippetScene::Graph => self.graph(),
            SnippetScene::CallsItself => self.calls_itself(),
            SnippetScene::VectorLoop => self.vector_loop(),
        }
        true
    }

    fn can_have(&self, scene: SnippetScene) -> bool {
        let has = |feature| self.has(feature);
        let loops = has(Feature::Loops) && has(Feature::Arrays);
        let calls = has(Feature::Calls);
        let pointers = calls && has(Feature::Pointers);
        let records = !self.records.is_empty();
        match scene {
            SnippetScene::OverlappingPointers | SnippetScene::Buffers => loops && pointers,
            SnippetScene::ShiftedRecords => loops && records,
            SnippetScene::NeighbouringFields => pointers && has(Feature::BitFields),
            SnippetScene::Decisions
            | SnippetScene::Guards
            | SnippetScene::Cases
            | SnippetScene::Twins => calls,
            SnippetScene::Nest
            | SnippetScene::Sweeps
            | SnippetScene::Counters
            | SnippetScene::SetLate => loops,
            SnippetScene::JoinedWays => calls && has(Feature::Arrays),
            SnippetScene::PassedRecords => calls && records && has(Feature::StructValues),
            SnippetScene::Lent => pointers && has(Feature::Structs),
            SnippetScene::LanesAlike => has(Feature::Arrays),
            SnippetScene::Idiom => has(Feature::Idioms),
            SnippetScene::Masks | SnippetScene::VectorLoop => loops && has(Feature::Vector),
            SnippetScene::Graph => has(Feature::Gotos),
            SnippetScene::CallsItself => calls && has(Feature::Recursion),
            SnippetScene::LinearConditions | SnippetScene::Truths | SnippetScene::Brinks => true,
        }
    }

    /// A test that is an idiom, or two of them one after the other.
    fn idiom_alone(&mut self) {
        for _ in 0..self.dice.random_range(2..=4) {
            let kind = self.kind();
            self.global(Type::Int(kind));
        }
        let idioms = self.one_of(&[1, 1, 2]);
        let body = self.block_of(
            |writer| (0..idioms).map(|_| writer.idiom()).collect(),
            |_, _, _| {},
        );
        self.add_test(body);
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
        let record = self.narrow_record();
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

    /// Two ways that change an index and load by it, and one more load where they join.
    fn joined_ways(&mut self) {
        let kind = self.kind();
        let len = self.dice.random_range(2..=5);
        let array = self.global(Type::Int(kind).array(len));
        let params = vec![Type::INT, Type::Int(kind)];
        let callee = self.function(params, Type::Int(kind), true, |writer| {
            let params = writer.objects[writer.objects.len() - 2..].to_vec();
            let index = Expr::Var(params[0].clone());
            let sum = Expr::Var(writer.declare(kind, Some(Expr::int(0))));
            let element = Expr::Var(array.clone()).index(index.clone());
            let condition = if writer.percent(65) {
                // With the length of the array, that may leave one index only.
                let op = writer.policy.draw(&COMPARISONS, &mut writer.dice);
                let limit = Expr::int(writer.dice.random_range(0..=len as i32));
                Expr::binary(op, index.clone(), limit)
            } else {
                writer.comparison(0)
            };
            let [yes, no] = [(); 2].map(|()| {
                let steps = (0..writer.dice.random_range(1..=3))
                    .map(|_| writer.way_step(&index, &element, &sum, &params[1], &array));
                Stmt::Block(steps.collect())
            });
            let mut all = Vec::new();
            if writer.percent(60) {
                all.push(writer.way_step(&index, &element, &sum, &params[1], &array));
            }
            all.push(Stmt::if_else(condition, yes, no));
            let op = writer.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
            all.push(Stmt::Expr(Expr::compound(op, sum, element)));
            all
        });
        self.test_of(&callee);
    }

    /// Something on one of the ways: the index changes, an element is loaded or stored.
    fn way_step(
        &mut self,
        index: &Expr,
        element: &Expr,
        sum: &Expr,
        value: &Var,
        array: &Var,
    ) -> Stmt {
        Stmt::Expr(match self.dice.random_range(0..10) {
            0..3 => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub]);
                Expr::compound(op, index.clone(), Expr::int(1))
            }
            3..6 => Expr::assign(sum.clone(), element.clone()),
            6 => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::BitXor]);
                Expr::compound(op, sum.clone(), element.clone())
            }
            7 => Expr::assign(element.clone(), Expr::Var(value.clone())),
            _ => {
                let last = super::memory::length_of(&array.ty) as i32 - 1;
                let at = Expr::int(self.dice.random_range(0..=last));
                Expr::assign(Expr::Var(array.clone()).index(at), Expr::Var(value.clone()))
            }
        })
    }

    /// Structs that go by value through two functions and are changed on the way.
    fn passed_records(&mut self) {
        let Some(record) = self.some_known_record() else {
            return self.decisions();
        };
        self.global(record.clone());
        let mut result = record.clone();
        for _ in 0..2 {
            if self.percent(40) {
                result = Type::Int(self.kind());
            }
            // A struct that is returned is one that was passed.
            let mut types = vec![record.clone()];
            if result != record && self.percent(35) {
                types[0] = record.clone().pointer();
            }
            if self.percent(60) {
                types.push(Type::Int(self.kind()));
            }
            let statements = self.dice.random_range(1..=4);
            let callee = self.function(types, result.clone(), self.style.has_globals(), |writer| {
                writer.local_record();
                let one = |writer: &mut Self| match writer.dice.random_range(0..10) {
                    0..3 => writer.record_copy(),
                    3..5 => writer.members(),
                    5..7 if writer.snippet.functions.is_empty() => writer.compound(),
                    5..7 => writer.call_statement(),
                    7 => {
                        let condition = writer.condition(1);
                        Stmt::if_then(condition, writer.assignment())
                    }
                    _ => writer.assignment(),
                };
                (0..statements).map(|_| one(writer)).collect()
            });
            if self.snippet.functions.len() > 1 || self.percent(20) {
                self.test_of(&callee);
                return;
            }
        }
    }

    /// Sums of the same few variables that are compared with each other.
    fn linear_conditions(&mut self) {
        let kind = self.kind();
        for _ in 0..self.one_of(&[2, 3, 3]) {
            self.global(Type::Int(kind));
        }
        let marks = self.global(Type::Int(IntKind::Int));
        let statements = self.dice.random_range(1..=3);
        let body = self.block_of(
            |writer| {
                writer.declare(kind, None);
                let start = writer.sum();
                let local = writer.objects.last().cloned().map(Expr::Var);
                let mut all = Vec::new();
                all.extend(local.map(|local| Stmt::Expr(Expr::assign(local, start))));
                for _ in 0..statements {
                    all.push(writer.linear_statement(&marks));
                }
                all
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn linear_statement(&mut self, marks: &Var) -> Stmt {
        let condition = self.compared_sums();
        let mark = self.mark(marks);
        let change = match self.plain_variable() {
            Some(var) => {
                let value = self.sum();
                Stmt::Expr(Expr::assign(Expr::Var(var), value))
            }
            None => Stmt::Empty,
        };
        if self.percent(45) {
            let yes = Stmt::Block(vec![mark, change]);
            if self.percent(40) {
                let condition_again = self.compared_sums();
                let no = self.mark(marks);
                return Stmt::if_else(condition, yes, Stmt::if_then(condition_again, no));
            }
            return Stmt::if_then(condition, yes);
        }
        let goes_on = Expr::logical(LogicalOp::And, condition, self.fuel());
        Stmt::while_loop(goes_on, Stmt::Block(vec![change, mark]))
    }

    fn compared_sums(&mut self) -> Expr {
        let op = self.policy.draw(&COMPARISONS, &mut self.dice);
        let left = self.sum();
        let right = if self.percent(60) {
            self.sum()
        } else {
            self.constant()
        };
        Expr::binary(op, left, right)
    }

    /// `a + b - c`, where some may be multiplied.
    fn sum(&mut self) -> Expr {
        let mut sum = self.variable();
        for _ in 0..self.one_of(&[1, 1, 2]) {
            let mut term = self.leaf();
            if self.percent(20) {
                term = Expr::binary(BinaryOp::Mul, self.constant(), term);
            }
            let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub]);
            sum = Expr::binary(op, sum, term);
        }
        sum
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
    pub(super) fn mark(&mut self, marks: &Var) -> Stmt {
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
