//! Buffers whose lives do not overlap, which compilers put into the same memory, beside an
//! array that lives on: what is written to one must not be seen in the other.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;

/// A function with a buffer of its own, and what it gives for a number.
struct BufferUser {
    callee: Callee,
    given: i32,
    gives: i32,
}

impl BufferUser {
    fn call(&self) -> Expr {
        Expr::call(self.callee.clone(), vec![Expr::int(self.given)])
    }

    /// Zero, by way of a call.
    fn nothing(&self) -> Expr {
        Expr::binary(BinaryOp::Sub, self.call(), Expr::int(self.gives))
    }
}

impl SnippetWriter {
    /// A test with an array that is set element by element, and a function with a buffer in
    /// between.
    pub(super) fn buffers(&mut self) {
        let user = self.buffer_user();
        let kind = self.counting_kind();
        let turns = self.dice.random_range(1..=4);
        let len = (turns + self.dice.random_range(0..=2)) as u64;
        let body = if self.percent(12) {
            self.array_of_each_turn(&user, kind, turns)
        } else if self.percent(50) {
            self.pointers_that_stay(&user, kind, turns, len)
        } else {
            self.numbers_that_stay(&user, kind, turns, len)
        };
        self.add_test(body);
    }

    /// `int use(int n) { char buffer[20]; return fill(buffer, n); }`
    fn buffer_user(&mut self) -> BufferUser {
        let kind = self.one_of(&[
            IntKind::Char,
            IntKind::SChar,
            IntKind::UChar,
            IntKind::Short,
            IntKind::Int,
        ]);
        let given = self.one_of(&[2, 3, 4, 5, 8, 15]);
        let room = given + self.dice.random_range(0..=8);
        let (fill, gives) = self.buffer_filler(kind, given);
        let n = self.var("p", Type::INT);
        let buffer = self.var("a", Type::Int(kind).array(room as u64));
        let start = Expr::Var(buffer.clone()).index(Expr::int(0)).address_of();
        let call = Expr::call(fill, vec![start, Expr::Var(n.clone())]);
        let declared = Stmt::declare(&buffer.name, buffer.ty.clone(), None);
        let callee = self.giving(vec![n], vec![declared], Type::INT, call);
        BufferUser {
            callee,
            given,
            gives,
        }
    }

    /// A function that writes to some elements of what a pointer points to, and what it gives
    /// for that many elements.
    fn buffer_filler(&mut self, kind: IntKind, given: i32) -> (Callee, i32) {
        let params = vec![
            self.var("p", Type::Int(kind).pointer()),
            self.var("p", Type::INT),
        ];
        let [buffer, n] = [0, 1].map(|at: usize| Expr::Var(params[at].clone()));
        let at = self.var("x", Type::INT);
        let i = Expr::Var(at.clone());
        let zero = Stmt::declare(&at.name, Type::INT, Some(Expr::int(0)));
        let next = Expr::step(StepOp::PostIncrement, i.clone());
        let value = self.constant();
        let (body, gives) = match self.dice.random_range(0..4) {
            0 | 1 => {
                let set = Expr::assign(buffer.index(i.clone()), value);
                let condition = Expr::binary(BinaryOp::Lt, i.clone(), n);
                let start = Expr::assign(i.clone(), Expr::int(0));
                let all = Stmt::for_loop(start, condition, next, Stmt::Expr(set));
                (all, given)
            }
            2 => {
                // The digits of a number that is used up.
                let base = self.one_of(&[2, 4, 10]);
                let left = Expr::compound(BinaryOp::Div, n.clone(), Expr::int(base));
                let set = Stmt::Expr(Expr::assign(buffer.index(next), left));
                let (mut digits, mut number) = (0, given);
                while number > 0 {
                    number /= base;
                    digits += 1;
                }
                (Stmt::while_loop(n, set), digits)
            }
            _ => {
                let last = Expr::binary(BinaryOp::Sub, n.clone(), Expr::int(1));
                let first = Expr::assign(buffer.clone().index(Expr::int(0)), value);
                let set = Stmt::Expr(Expr::assign(buffer.index(last), first));
                let few = Expr::binary(BinaryOp::Lt, n, Expr::int(2));
                let leave = Stmt::if_then(few, Stmt::Return(Some(Expr::int(7))));
                (Stmt::Block(vec![leave, set]), 0)
            }
        };
        (self.giving(params, vec![zero, body], Type::INT, i), gives)
    }

    /// `for (d = 0; d < turns; d++) a[d] = value;`, where the bound or the index goes through a
    /// call.
    fn set_in_turns(
        &mut self,
        user: &BufferUser,
        counter: &Expr,
        turns: i32,
        set: impl FnOnce(Expr) -> Stmt,
    ) -> Stmt {
        let added = |expr: Expr| Expr::binary(BinaryOp::Add, expr, counter.clone());
        let way = self.dice.random_range(0..4);
        let asked = match way {
            0 | 1 => added(user.nothing()),
            _ => counter.clone(),
        };
        let end = self.steered_sometimes(30, turns);
        let condition = Expr::binary(BinaryOp::Lt, asked, end);
        let index = match way {
            0 => added(self.steered(0)),
            1 => counter.clone(),
            2 => added(user.nothing()),
            _ => added(self.steered_sometimes(40, 0)),
        };
        let mut items = vec![set(index)];
        if way == 3 || self.percent(20) {
            items.insert(self.dice.random_range(0..2), Stmt::Expr(user.call()));
        }
        let start = Expr::assign(counter.clone(), Expr::int(0));
        let next = Expr::step(StepOp::PostIncrement, counter.clone());
        Stmt::for_loop(start, condition, next, Stmt::Block(items))
    }

    /// A counter of the test, or a global.
    fn test_counter(&mut self) -> Expr {
        if self.percent(35) {
            return Expr::Var(self.global(Type::INT));
        }
        Expr::Var(self.declare(IntKind::Int, None))
    }

    fn numbers_that_stay(
        &mut self,
        user: &BufferUser,
        kind: IntKind,
        turns: i32,
        len: u64,
    ) -> Stmt {
        let array = self.var("a", Type::Int(kind).array(len));
        let output = Expr::Var(self.output(kind.into()));
        self.array_that_stays(user, &array, turns, Self::constant, |writer, element| {
            let op = writer.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
            (Expr::compound(op, output, element.clone()), element)
        })
    }

    fn pointers_that_stay(
        &mut self,
        user: &BufferUser,
        kind: IntKind,
        turns: i32,
        len: u64,
    ) -> Stmt {
        let target = self.global(Type::Int(kind));
        let array = self.var("a", target.ty.clone().pointer().array(len));
        let address = Expr::Var(target).address_of();
        self.array_that_stays(
            user,
            &array,
            turns,
            |_| address,
            |writer, element| {
                let place = element.deref();
                let op = writer.one_of(&[BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd]);
                (Expr::compound(op, place.clone(), writer.constant()), place)
            },
        )
    }

    /// Sets a local array to a value in turns and uses one of its elements; `used` gives that use
    /// and a scalar to look at later.
    fn array_that_stays(
        &mut self,
        user: &BufferUser,
        array: &Var,
        turns: i32,
        value: impl FnOnce(&mut Self) -> Expr,
        used: impl FnOnce(&mut Self, Expr) -> (Expr, Expr),
    ) -> Stmt {
        self.block_of(
            |writer| {
                let name = Expr::Var(array.clone());
                let declared = Stmt::declare(&array.name, array.ty.clone(), None);
                writer.declarations.push(declared);
                let counter = writer.test_counter();
                let value = value(writer);
                let set = |index| Stmt::Expr(Expr::assign(name.clone().index(index), value));
                let fill = writer.set_in_turns(user, &counter, turns, set);
                let at = writer.dice.random_range(0..turns);
                let (used, scalar) = used(writer, name.index(Expr::int(at)));
                let more = writer.more_turns(scalar);
                vec![fill, Stmt::Expr(used), more]
            },
            |_, _, _| {},
        )
    }

    /// A loop of a global that looks at something in each turn.
    fn more_turns(&mut self, read: Expr) -> Stmt {
        if self.percent(40) {
            return Stmt::Empty;
        }
        let counter = Expr::Var(self.global(Type::Int(IntKind::SChar)));
        let last = Expr::int(self.dice.random_range(2..=6));
        let condition = Expr::binary(BinaryOp::Le, counter.clone(), last);
        let output = Expr::Var(self.output(Type::INT));
        let body = if self.percent(50) {
            Stmt::if_then(read, Stmt::Break)
        } else {
            let asked = Expr::binary(BinaryOp::Eq, read, self.constant());
            Stmt::Expr(Expr::assign(output, asked))
        };
        let next = Expr::step(StepOp::PostIncrement, counter.clone());
        let start = Expr::assign(counter.clone(), self.steered_sometimes(50, 0));
        Stmt::for_loop(start, condition, next, body)
    }

    /// An array of an outer loop's body, which an inner loop sets with calls in between.
    fn array_of_each_turn(&mut self, user: &BufferUser, kind: IntKind, turns: i32) -> Stmt {
        let array = self.var("a", Type::Int(kind).array(turns as u64));
        let output = Expr::Var(self.output(kind.into()));
        self.block_of(
            |writer| {
                let [outer, inner, again] =
                    [(); 3].map(|()| Expr::Var(writer.declare(IntKind::Int, None)));
                let name = Expr::Var(array.clone());
                let value = writer.constant();
                let loop_to = |counter: &Expr, op, end: Expr, body| {
                    let start = Expr::assign(counter.clone(), Expr::int(0));
                    let condition = Expr::binary(op, counter.clone(), end);
                    let next = Expr::step(StepOp::PostIncrement, counter.clone());
                    Stmt::for_loop(start, condition, next, body)
                };
                let mut lines = vec![
                    Stmt::Expr(Expr::assign(name.clone().index(inner.clone()), value)),
                    Stmt::Expr(user.call()),
                ];
                if writer.percent(30) {
                    lines.swap(0, 1);
                }
                let set = loop_to(&inner, BinaryOp::Lt, outer.clone(), Stmt::Block(lines));
                let op = writer.one_of(&[BinaryOp::Add, BinaryOp::BitOr, BinaryOp::BitXor]);
                let read = Stmt::Expr(Expr::compound(op, output, name.index(again.clone())));
                let read = loop_to(&again, BinaryOp::Lt, outer.clone(), read);
                let declared = Stmt::declare(&array.name, array.ty.clone(), None);
                let end = writer.steered_sometimes(30, turns);
                let body = Stmt::Block(vec![declared, set, read]);
                vec![loop_to(&outer, BinaryOp::Le, end, body)]
            },
            |_, _, _| {},
        )
    }
}
