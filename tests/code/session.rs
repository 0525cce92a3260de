//! Sessions: what is run step by step equals one run of the whole, and what is
//! taken back leaves no trace.

use super::generate::Generator;
use super::world::World;
use mestra::code::ctype::{Type, Types};
use mestra::code::expr::{Expr, Var};
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::session::Session;
use mestra::code::stmt::{Function, Stmt};
use mestra::code::table::{Column, Table};
use mestra::code::types::{IntKind, Target};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::slice::from_ref;
use std::sync::Arc;

/// Writes a block while running it.
struct Writer<'w> {
    world: &'w World,
    session: Session,
    generator: Generator<'w, ChaCha8Rng>,
    names: u32,
    /// Locals in scope.
    locals: Vec<Expr>,
    kept: usize,
    dropped: usize,
}

impl<'w> Writer<'w> {
    fn new(world: &'w World, seed: u64) -> Writer<'w> {
        let mut session = Session::over(world.types.clone(), world.table.clone());
        for function in world.functions.values() {
            session.define(function).unwrap();
        }
        Writer {
            world,
            session,
            generator: Generator::new(world, ChaCha8Rng::seed_from_u64(seed)),
            names: 0,
            locals: Vec::new(),
            kept: 0,
            dropped: 0,
        }
    }

    fn chance(&mut self, of: u32) -> bool {
        self.generator.rng.random_ratio(1, of)
    }

    /// An expression, sometimes stored to a local or through one.
    fn expr(&mut self) -> Expr {
        let depth = self.generator.rng.random_range(1..4);
        let expr = self.generator.expr(depth);
        if self.locals.is_empty() || self.chance(2) {
            return expr;
        }
        let index = self.generator.rng.random_range(0..self.locals.len());
        let local = self.locals[index].clone();
        Expr::assign(local, expr)
    }

    /// Runs a statement and keeps it if it is defined.
    fn step(&mut self, stmt: Stmt, block: &mut Vec<Stmt>) {
        let before = self.session.table().clone();
        match self.session.step(&stmt) {
            Ok(exits) => {
                assert!(exits.ends());
                self.kept += 1;
                block.push(stmt);
            }
            Err(_) => {
                self.dropped += 1;
                assert_eq!(*self.session.table(), before, "{stmt}");
            }
        }
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let (mut block, locals) = (Vec::new(), self.locals.len());
        self.session.open();
        for _ in 0..self.generator.rng.random_range(0..3) {
            let init = self.generator.expr(2);
            let name = format!("local{}", self.names);
            let stmt = Stmt::declare(&name, IntKind::Long, Some(init));
            if self.session.declare(&stmt).is_ok() {
                self.names += 1;
                self.locals.push(Expr::var(&name, IntKind::Long));
                block.push(stmt);
            }
        }
        for _ in 0..self.generator.rng.random_range(1..6) {
            match self.generator.rng.random_range(0..8) {
                0 if depth > 0 => {
                    let inner = self.block(depth - 1);
                    block.push(Stmt::Block(inner));
                }
                1 | 2 if depth > 0 => self.branch(depth - 1, &mut block),
                3 if depth > 0 => self.detour(depth - 1),
                4 => {
                    let body = Stmt::Expr(self.expr());
                    let limit = self.generator.rng.random_range(0..9);
                    self.counted(limit, body, &mut block);
                }
                _ => {
                    let stmt = Stmt::Expr(self.expr());
                    self.step(stmt, &mut block);
                }
            }
        }
        self.session.close();
        self.locals.truncate(locals);
        block
    }

    /// Arms that are written for the rows that reach them.
    fn branch(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        let condition = self.expr();
        let Ok([yes, no]) = self.session.narrow(&condition) else {
            return;
        };
        self.session.activate(yes);
        let yes = self.block(depth);
        self.session.deactivate();
        self.session.activate(no);
        let no = self.block(depth);
        self.session.deactivate();
        block.push(Stmt::if_else(condition, Stmt::Block(yes), Stmt::Block(no)));
    }

    /// Something that is written and then taken back.
    fn detour(&mut self, depth: u32) {
        let before = self.session.table().clone();
        let (mark, names) = (self.session.mark(), self.names);
        self.block(depth);
        self.session.rollback(&mark);
        assert_eq!(*self.session.table(), before);
        self.session.release(mark);
        self.names = names;
    }

    fn counted(&mut self, limit: i32, body: Stmt, block: &mut Vec<Stmt>) {
        let i = || Expr::var("turn", IntKind::Int);
        let stmt = Stmt::Block(vec![
            Stmt::declare("turn", IntKind::Int, None),
            Stmt::for_loop(
                Expr::assign(i(), Expr::int(0)),
                Expr::binary(BinaryOp::Lt, i(), Expr::int(limit)),
                Expr::step(StepOp::PreIncrement, i()),
                body,
            ),
        ]);
        self.step(stmt, block);
    }
}

/// The objects of the world, without those that a session has added.
fn same_world(world: &World, one: &Table, two: &Table) {
    for (id, object) in world.table.objects() {
        assert_eq!(one.object(id), two.object(id), "{}", object.name);
    }
}

#[test]
fn any_sequence_of_steps_equals_one_run_of_the_block() {
    let (mut kept, mut dropped) = (0, 0);
    for seed in 0..150 {
        let rows = [1, 2, 4][seed as usize % 3];
        let mut rng = ChaCha8Rng::seed_from_u64(50_000 + seed);
        let world = World::new(Target::LP64, rows, &mut rng);
        let mut writer = Writer::new(&world, seed);
        let block = Stmt::Block(writer.block(3));
        let run = world.evaluator().run(&block, &world.table);
        let outcome = run.unwrap_or_else(|stop| panic!("{stop}: {block}"));
        assert!(outcome.ends());
        same_world(writer.world, writer.session.table(), &outcome.table);
        kept += writer.kept;
        dropped += writer.dropped;
    }
    println!("{kept} steps kept, {dropped} dropped");
    assert!(kept > 400 && dropped > 80, "{kept} kept, {dropped} dropped");
}

fn int(name: &str) -> Expr {
    Expr::var(name, IntKind::Int)
}

fn set(target: Expr, value: Expr) -> Stmt {
    Stmt::Expr(Expr::assign(target, value))
}

fn session(rows: u32) -> Session {
    Session::new(Types::new(Target::LP64), rows)
}

#[test]
fn pointers_to_a_closed_block_dangle() {
    let mut session = session(1);
    session.global("p", Type::INT.pointer(), vec![]).unwrap();
    let p = || Expr::var("p", Type::INT.pointer());
    session.open();
    let x = Stmt::declare("x", IntKind::Int, Some(Expr::int(3)));
    session.declare(&x).unwrap();
    session.step(&set(p(), int("x").address_of())).unwrap();
    assert_eq!(session.value(&p().deref()).unwrap().values, [3]);
    let mark = session.mark();
    session.close();
    let stop = session.value(&p().deref()).unwrap_err();
    assert!(stop.to_string().contains("outside its lifetime"), "{stop}");
    assert!(session.value(&int("x")).is_err());
    session.rollback(&mark);
    assert_eq!(session.value(&p().deref()).unwrap().values, [3]);
}

#[test]
fn a_function_is_written_from_a_call_and_then_called() {
    let mut session = session(2);
    let values = |list: &[i64]| vec![Column::values(list.to_vec())];
    session.global("g", IntKind::Int, values(&[5, -2])).unwrap();
    session.open();
    let hidden = Stmt::declare("x", IntKind::Int, Some(Expr::int(1)));
    session.declare(&hidden).unwrap();
    let param = Var {
        name: "n".into(),
        ty: IntKind::SChar.into(),
    };
    let wide = Expr::binary(BinaryOp::Add, int("g"), Expr::int(300));
    let mark = session.mark();
    let short = Type::Int(IntKind::Short);
    session
        .enter(from_ref(&param), &short, from_ref(&wide))
        .unwrap();
    let n = || Expr::var("n", IntKind::SChar);
    assert_eq!(session.value(&n()).unwrap().values, [49, 42]);
    assert!(session.value(&int("x")).is_err(), "the caller's");
    let body = set(int("g"), Expr::binary(BinaryOp::Mul, n(), Expr::int(2)));
    session.step(&body).unwrap();
    let back = Stmt::Return(Some(int("g")));
    assert!(!session.step(&back).unwrap().ends());
    // Globals that are made on the way stay, with the value they start with.
    session
        .global("late", IntKind::Int, values(&[8, 9]))
        .unwrap();
    session.step(&set(int("late"), Expr::int(0))).unwrap();
    session.rollback(&mark);
    session.release(mark);
    assert_eq!(session.value(&int("late")).unwrap().values, [8, 9]);
    assert_eq!(session.value(&int("g")).unwrap().values, [5, -2]);
    let function = Function {
        name: "f".into(),
        result: short,
        params: vec![param],
        body: Arc::new(Stmt::Block(vec![body, back])),
    };
    session.define(&function).unwrap();
    let call = Expr::call(function.callee(), vec![wide]);
    session.step(&set(int("x"), call)).unwrap();
    assert_eq!(session.value(&int("x")).unwrap().values, [98, 84]);
    session.close();
}

/// `for (i = 0; i < limit; i++) body`.
fn for_loop(body: Stmt) -> Stmt {
    Stmt::for_loop(
        Expr::assign(int("i"), Expr::int(0)),
        Expr::binary(BinaryOp::Lt, int("i"), int("limit")),
        Expr::step(StepOp::PostIncrement, int("i")),
        body,
    )
}

#[test]
fn turns_as_rows_are_defined_where_the_loop_is_and_compute_the_same() {
    let (mut defined, mut undefined) = (0, 0);
    for seed in 0..150 {
        let rows = [1, 2, 4][seed as usize % 3];
        let mut rng = ChaCha8Rng::seed_from_u64(70_000 + seed);
        let world = World::new(Target::LP64, rows, &mut rng);
        let mut writer = Writer::new(&world, 7_000 + seed);
        let session = &mut writer.session;
        let limits: Vec<i64> = (0..rows).map(|_| rng.random_range(1..40)).collect();
        let limit = vec![Column::values(limits.clone())];
        session.global("limit", IntKind::Int, limit).unwrap();
        session.global("i", IntKind::Int, vec![]).unwrap();
        let long = Type::Int(IntKind::Long);
        session
            .global("out", long.clone().array(40), vec![])
            .unwrap();
        let turns: Vec<Vec<i64>> = limits.iter().map(|limit| (0..*limit).collect()).collect();
        let out = || Expr::var("out", long.clone().array(40)).index(int("i"));
        session.expand(&int("i"), &turns).unwrap();
        let mut body = Vec::new();
        for _ in 0..4 {
            let expr = writer.generator.expr(2);
            if expr.has_effects() {
                continue;
            }
            let wild = Expr::binary(BinaryOp::BitXor, expr, int("i"));
            let sum = Expr::binary(BinaryOp::Add, wild, out());
            // The session's own verdict on the body so far, as a loop.
            let stmt = set(out(), sum);
            if session.step(&stmt).is_ok() {
                body.push(stmt);
                defined += 1;
                continue;
            }
            undefined += 1;
            let mark = session.mark();
            session.collapse();
            let with = [&body[..], &[stmt]].concat();
            assert!(session.step(&for_loop(Stmt::Block(with))).is_err());
            session.release(mark);
            session.expand(&int("i"), &turns).unwrap();
            for stmt in &body {
                session.step(stmt).unwrap();
            }
        }
        assert!(session.settle(&for_loop(Stmt::Block(body))).unwrap());
    }
    println!("{defined} statements defined in all turns, {undefined} not");
    assert!(defined > 100 && undefined > 20, "{defined}, {undefined}");
}

#[test]
fn turns_are_rows_and_settle_tells_whether_they_are_independent() {
    let mut session = session(2);
    let values = |list: &[i64]| vec![Column::values(list.to_vec())];
    session
        .global("limit", IntKind::Int, values(&[3, 5]))
        .unwrap();
    session.global("i", IntKind::Int, vec![]).unwrap();
    session.global("last", IntKind::Int, vec![]).unwrap();
    session.global("a", Type::INT.array(6), vec![]).unwrap();
    let a = |index: Expr| Expr::var("a", Type::INT.array(6)).index(index);
    let i = || int("i");
    let turns = [vec![0, 1, 2], vec![0, 1, 2, 3, 4]];
    let body = Stmt::Block(vec![
        set(a(i()), Expr::binary(BinaryOp::Mul, i(), int("limit"))),
        set(int("last"), a(i())),
    ]);
    let before = session.table().clone();
    session.expand(&i(), &turns).unwrap();
    assert_eq!(
        session.value(&i()).unwrap().values,
        [0, 1, 2, 0, 1, 2, 3, 4]
    );
    session.step(&body).unwrap();
    assert_eq!(
        session.value(&int("last")).unwrap().values,
        [0, 3, 6, 0, 5, 10, 15, 20]
    );
    // One turn of one row divides by zero.
    let three = Expr::binary(BinaryOp::Sub, i(), Expr::int(3));
    let divide = set(
        int("last"),
        Expr::binary(BinaryOp::Div, Expr::int(1), three),
    );
    assert!(session.step(&divide).is_err());
    let mark = session.mark();
    session.collapse();
    assert_eq!(*session.table(), before);
    session.release(mark);
    session.expand(&i(), &turns).unwrap();
    session.step(&body).unwrap();
    assert!(session.settle(&for_loop(body)).unwrap());
    assert_eq!(session.value(&i()).unwrap().values, [3, 5]);
    assert_eq!(session.value(&int("last")).unwrap().values, [6, 20]);
    // A turn that reads what the one before has written.
    let next = a(Expr::binary(BinaryOp::Add, i(), Expr::int(1)));
    let carried = set(next, Expr::binary(BinaryOp::Add, a(i()), Expr::int(1)));
    session.expand(&i(), &turns).unwrap();
    session.step(&carried).unwrap();
    assert!(!session.settle(&for_loop(carried)).unwrap());
    assert_eq!(session.value(&a(Expr::int(3))).unwrap().values, [3, 3]);
}
