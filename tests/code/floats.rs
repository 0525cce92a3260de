//! Floating-point numbers against gcc, clang and tcc, and our verdict of undefined
//! conversions against clang's sanitizer.

use super::build::{CLANG, Compiler, GCC, TCC};
use super::scene::{Case, Scene};
use super::world::any_value;
use mestra::code::ctype::{Type, Types};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::real::{Precision, Real};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::Stmt;
use mestra::code::trouble::{Cause, Undefined};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::Value;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

const INTEGERS: [IntKind; 6] = [
    IntKind::Bool,
    IntKind::SChar,
    IntKind::UShort,
    IntKind::Int,
    IntKind::Long,
    IntKind::ULongLong,
];
const FLOATS: [FloatKind; 2] = [FloatKind::Float, FloatKind::Double];

fn types() -> Vec<Type> {
    let integers = INTEGERS.into_iter().map(Type::Int);
    integers
        .chain(FLOATS.into_iter().map(Type::Float))
        .collect()
}

fn name(role: &str, ty: &Type) -> String {
    let text = mestra::code::print::declare("", ty);
    format!("{role}_{}", text.trim().replace(' ', "_"))
}

fn var(role: &str, ty: &Type) -> Expr {
    Expr::var(&name(role, ty), ty.clone())
}

/// A number worth trying: small ones, limits of formats and integer types, any bits.
pub(super) fn number(rng: &mut impl Rng, precision: Precision) -> i64 {
    let power = |rng: &mut ChaCha8Rng| {
        let powers = [
            -149, -126, -24, -1, 7, 23, 24, 31, 32, 52, 53, 62, 63, 64, 100,
        ];
        2f64.powi(*powers.choose(rng).unwrap())
    };
    let mut own = ChaCha8Rng::seed_from_u64(rng.random());
    let number = match own.random_range(0..8) {
        0 => 0.0,
        1 => f64::from(own.random_range(-9..10)),
        2 => f64::from(own.random_range(-99..100)) / 8.0,
        3 => power(&mut own),
        4 => power(&mut own) - 1.0,
        5 => power(&mut own) + 0.5,
        6 => f64::from(own.random::<f32>() - 0.5) * power(&mut own),
        _ => (own.random::<f64>() - 0.5) * power(&mut own),
    };
    precision.carrier(if own.random() { number } else { -number })
}

/// A value of any scalar type, by its carrier.
pub(super) fn value(rng: &mut impl Rng, ty: &Type) -> i64 {
    match ty {
        Type::Float(kind) => number(rng, kind.precision().unwrap()),
        _ => {
            let kind = ty.int_kind().unwrap();
            let math = any_value(rng, kind, Target::LP64);
            Value::new(kind, math, Target::LP64).carrier()
        }
    }
}

fn scene(rows: u32, rng: &mut impl Rng) -> Scene {
    let mut scene = Scene::new(Types::new(Target::LP64), rows);
    for ty in types() {
        for role in ["x", "y", "w"] {
            scene.add(&name(role, &ty), &ty, &mut |ty| value(rng, ty));
        }
    }
    let array = Type::Float(FloatKind::Float).array(3);
    scene.add("arr", &array, &mut |ty| value(rng, ty));
    scene
}

/// Every operator and conversion on every pair of types of which one is a float.
fn systematic(scene: &Scene) -> Vec<Stmt> {
    let mut list = Vec::new();
    let result = |list: &mut Vec<Expr>, expr: Expr| {
        let w = var("w", &Type::Float(FloatKind::Double));
        list.push(Expr::assign(w, expr));
    };
    for a in types() {
        let x = || var("x", &a);
        for op in UnaryOp::ALL {
            result(&mut list, Expr::unary(op, x()));
        }
        for op in StepOp::ALL {
            result(
                &mut list,
                Expr::step(op, var("w", &Type::Float(FloatKind::Float))),
            );
        }
        for b in types() {
            let is_float = |ty: &Type| matches!(ty, Type::Float(_));
            if !is_float(&a) && !is_float(&b) {
                continue;
            }
            let y = || var("y", &b);
            for op in BinaryOp::ALL {
                result(&mut list, Expr::binary(op, x(), y()));
                list.push(Expr::compound(op, var("w", &a), y()));
            }
            result(&mut list, Expr::logical(LogicalOp::And, x(), y()));
            result(&mut list, Expr::conditional(x(), x(), y()));
            list.push(Expr::assign(var("w", &a), y()));
            result(&mut list, y().cast(a.clone()));
        }
    }
    list.retain(|expr| scene.types.type_of(expr).is_ok());
    list.into_iter().map(Stmt::Expr).collect()
}

struct Trees<R> {
    rng: R,
}

impl<R: Rng> Trees<R> {
    fn float(&mut self) -> Type {
        Type::Float(*FLOATS.choose(&mut self.rng).unwrap())
    }

    fn leaf(&mut self) -> Expr {
        let role = if self.rng.random() { "x" } else { "y" };
        match self.rng.random_range(0..8) {
            0..4 => {
                let ty = self.float();
                var(role, &ty)
            }
            4 => var(role, types().choose(&mut self.rng).unwrap()),
            5 => {
                let arr = Expr::var("arr", Type::Float(FloatKind::Float).array(3));
                arr.index(Expr::int(self.rng.random_range(0..3)))
            }
            _ => {
                let kind = *FLOATS.choose(&mut self.rng).unwrap();
                let carrier = number(&mut self.rng, kind.precision().unwrap());
                Real::from_carrier(kind, carrier).into()
            }
        }
    }

    fn tree(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.rng.random_range(0..16) {
            0 => Expr::unary(UnaryOp::Minus, self.tree(depth)),
            1 => Expr::unary(UnaryOp::Not, self.tree(depth)),
            2 | 3 => {
                let ty = types().choose(&mut self.rng).unwrap().clone();
                self.tree(depth).cast(ty)
            }
            4 => Expr::logical(LogicalOp::Or, self.tree(depth), self.tree(depth)),
            5 => Expr::conditional(self.tree(depth), self.tree(depth), self.tree(depth)),
            6 => Expr::binary(
                *BinaryOp::ALL[10..].choose(&mut self.rng).unwrap(),
                self.tree(depth),
                self.tree(depth),
            ),
            7 => self.leaf(),
            _ => Expr::binary(
                *BinaryOp::ALL[..4].choose(&mut self.rng).unwrap(),
                self.tree(depth),
                self.tree(depth),
            ),
        }
    }

    fn stmt(&mut self, scene: &Scene) -> Stmt {
        loop {
            let ty = if self.rng.random_ratio(1, 4) {
                types().choose(&mut self.rng).unwrap().clone()
            } else {
                self.float()
            };
            let depth = self.rng.random_range(1..5);
            let expr = Expr::assign(var("w", &ty), self.tree(depth));
            // tcc computes constants in another precision.
            if scene.types.type_of(&expr).is_ok() && !folds(&expr) {
                return Stmt::Expr(expr);
            }
        }
    }
}

fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    expr.for_each_var(&mut |_| constant = false);
    constant
}

/// Whether some operator works on constants alone.
fn folds(expr: &Expr) -> bool {
    let children = expr.children();
    !children.is_empty() && is_constant(expr) || children.into_iter().any(folds)
}

fn cases(scene: &Scene, seed: u64, random: usize) -> (Vec<Case>, BTreeMap<Cause, usize>) {
    let mut causes = BTreeMap::new();
    let mut trees = Trees {
        rng: ChaCha8Rng::seed_from_u64(seed),
    };
    let mut stmts = systematic(scene);
    stmts.extend((0..random).map(|_| trees.stmt(scene)));
    let cases = stmts.into_iter();
    let cases = cases.map(|stmt| scene.case(stmt, &mut causes)).collect();
    (cases, causes)
}

#[test]
fn floats_equal_those_of_gcc_clang_and_tcc() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let scene = scene(160, &mut rng);
    let (cases, causes) = cases(&scene, 12, 1_100);
    for undefined in [
        Undefined::FloatOverflow,
        Undefined::FloatToInteger,
        Undefined::DivisionByZero,
    ] {
        assert!(
            causes.contains_key(&Cause::Undefined(undefined)),
            "{causes:?}"
        );
    }
    for compiler in [GCC, CLANG, TCC] {
        let evaluations = scene.compare("", &cases, &compiler);
        println!("{}: {evaluations} evaluations", compiler.name);
        assert!(evaluations >= 200_000, "only {evaluations}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn long_floats_equal_those_of_gcc_clang_and_tcc() {
    let (mut round, mut total) = (0, 0);
    while total < 5_000_000 {
        round += 1;
        let mut rng = ChaCha8Rng::seed_from_u64(20_000 + round);
        let scene = scene(256, &mut rng);
        let (cases, _) = cases(&scene, 30_000 + round, 4_000);
        let optimised = GCC.with(&["-w", "-O2", "-ffp-contract=off"]);
        for compiler in [GCC, CLANG, TCC, optimised] {
            total += scene.compare("", &cases, &compiler);
        }
    }
    println!("{total} evaluations in {round} rounds");
}

/// A number is converted to an integer type exactly where clang's sanitizer has nothing to
/// say.
#[test]
fn undefined_conversions_are_those_that_a_sanitizer_reports() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let scene = scene(256, &mut rng);
    let mut causes = BTreeMap::new();
    let mut cases = Vec::new();
    for kind in FLOATS {
        for to in INTEGERS.iter().filter(|kind| **kind != IntKind::Bool) {
            let target = var("w", &Type::Int(*to));
            let expr = Expr::assign(target, var("x", &Type::Float(kind)));
            cases.push(scene.case(Stmt::Expr(expr), &mut causes));
        }
    }
    let undefined = causes[&Cause::Undefined(Undefined::FloatToInteger)];
    assert!(undefined > 300, "{causes:?}");
    const TRAPS: Compiler = CLANG.with(&[
        "-w",
        "-O0",
        "-fsanitize=float-cast-overflow",
        "-fsanitize-trap=all",
    ]);
    // It traps if a row that we call defined is not.
    scene.compare("", &cases, &TRAPS);
    // And in all rows that we call undefined.
    const REPORTS: Compiler = CLANG.with(&[
        "-w",
        "-O0",
        "-fsanitize=float-cast-overflow",
        "-fsanitize-minimal-runtime",
        "-fno-sanitize-link-runtime",
    ]);
    let reported = scene.reported(&["float_cast_overflow"], &cases, &REPORTS);
    assert_eq!(reported, undefined);
}
