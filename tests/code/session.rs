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
use std::sync::Arc;

/// Writes a block while running it.
struct Writer<'w> {
    world: &'w World,
    session: Session,
    generator: Generator<'w, ChaCha8Rng>,
    /// The rows that are active.
    rows: Vec<u32>,
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
            rows: (0..world.table.rows()).collect(),
            kept: 0,
            dropped: 0,
        }
    }

    fn expr(&mut self) -> Expr {
        let depth = self.generator.rng.random_range(1..4);
        self.generator.expr(depth)
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
        let mut block = Vec::new();
        for _ in 0..self.generator.rng.random_range(1..6) {
            match self.generator.rng.random_range(0..8) {
                0..3 if depth > 0 => self.branch(depth - 1, &mut block),
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
        block
    }

    /// Arms that are written for the rows that reach them.
    fn branch(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        let condition = self.expr();
        let Ok(truth) = self.session.perform(&condition) else {
            return;
        };
        let active = self.rows.clone();
        let of = |holds: bool| {
            let rows = active.iter().zip(&truth.values);
            let rows = rows.filter(|(_, value)| (**value != 0) == holds);
            rows.map(|(row, _)| *row).collect::<Vec<u32>>()
        };
        let [yes, no] = [of(true), of(false)].map(|rows| {
            self.session.activate_list(rows.clone());
            self.rows = rows;
            let arm = self.block(depth);
            self.session.deactivate();
            Stmt::Block(arm)
        });
        self.rows = active;
        block.push(Stmt::if_else(condition, yes, no));
    }

    /// Something that is written and then taken back.
    fn detour(&mut self, depth: u32) {
        let before = self.session.table().clone();
        let mark = self.session.mark();
        self.block(depth);
        self.session.rollback(&mark);
        assert_eq!(*self.session.table(), before);
        self.session.release(mark);
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
fn globals_and_functions_stay_when_a_session_goes_back() {
    let mut session = session(2);
    let values = |list: &[i64]| vec![Column::values(list.to_vec())];
    session.global("g", IntKind::Int, values(&[5, -2])).unwrap();
    let mark = session.mark();
    let parameter = Var {
        name: "n".into(),
        ty: IntKind::SChar.into(),
    };
    let n = Expr::var("n", IntKind::SChar);
    let body = set(int("g"), Expr::binary(BinaryOp::Mul, n, Expr::int(2)));
    let function = Function {
        name: "f".into(),
        result: Type::Int(IntKind::Short),
        params: vec![parameter],
        body: Arc::new(Stmt::Block(vec![body, Stmt::Return(Some(int("g")))])),
    };
    session.define(&function).unwrap();
    session
        .global("late", IntKind::Int, values(&[8, 9]))
        .unwrap();
    session.step(&set(int("late"), Expr::int(0))).unwrap();
    session.rollback(&mark);
    session.release(mark);
    assert_eq!(session.value(&int("late")).unwrap().values, [8, 9]);
    let wide = Expr::binary(BinaryOp::Add, int("g"), Expr::int(300));
    let call = Expr::call(function.callee(), vec![wide]);
    // What a value changes on the way is forgotten, what is performed stays.
    assert_eq!(session.value(&call).unwrap().values, [98, 84]);
    assert_eq!(session.value(&int("g")).unwrap().values, [5, -2]);
    assert_eq!(session.perform(&call).unwrap().values, [98, 84]);
    assert_eq!(session.value(&int("g")).unwrap().values, [98, 84]);
}
