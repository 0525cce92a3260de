//! Vectors against gcc and clang.

use super::build::{CLANG, GCC};
use super::floats::value;
use super::scene::{Case, Scene};
use mestra::code::ctype::{Type, Types};
use mestra::code::expr::{Callee, Expr, Var, VectorExpr};
use mestra::code::op::{BinaryOp, UnaryOp};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::{Function, Stmt};
use mestra::code::trouble::{Cause, Undefined};
use mestra::code::types::{IntKind, Target};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The lanes with their sizes.
fn lanes() -> Vec<(Type, u32)> {
    let integers = [
        (IntKind::SChar, 1),
        (IntKind::UChar, 1),
        (IntKind::Short, 2),
        (IntKind::UShort, 2),
        (IntKind::Int, 4),
        (IntKind::UInt, 4),
        (IntKind::LongLong, 8),
        (IntKind::ULongLong, 8),
    ];
    let integers = integers.map(|(kind, bytes)| (Type::Int(kind), bytes));
    let floats = [(FloatKind::Float, 4), (FloatKind::Double, 8)];
    let floats = floats.map(|(kind, bytes)| (Type::Float(kind), bytes));
    integers.into_iter().chain(floats).collect()
}

/// The scalars, vectors and functions of a test, for vectors of one size.
struct Vectors {
    scene: Scene,
    types: Vec<Type>,
}

fn var(role: &str, ty: &Type) -> Expr {
    let name = format!("{role}_{}", mestra::code::print::declare("", ty));
    Expr::var(&name.replace(' ', "_"), ty.clone())
}

fn vectors(bytes: u32, rows: u32, rng: &mut impl Rng) -> Vectors {
    let mut types = Types::new(Target::LP64);
    let mut all = Vec::new();
    for (of, each) in lanes() {
        for len in [bytes / each, bytes / each / 2, bytes / each * 2] {
            // Halves and doubles for conversions and shuffles.
            if (4..=128).contains(&(len * each)) {
                types.define_vector(of.clone(), len);
            }
        }
        if each <= bytes {
            all.push(Type::vector(of, bytes / each));
        }
    }
    let mut scene = Scene::new(types, rows);
    let mut add = |scene: &mut Scene, lvalue: Expr, ty: &Type, tame: bool| {
        let Expr::Var(var) = lvalue else { return };
        scene.add(&var.name, ty, &mut |ty| match ty {
            // Counts for shifts, and divisors.
            Type::Int(_) if tame => rng.random_range(0..8),
            _ => value(rng, ty),
        });
    };
    for ty in &all {
        for (role, tame) in [("x", false), ("y", false), ("c", true), ("w", false)] {
            add(&mut scene, var(role, ty), ty, tame);
        }
    }
    add(&mut scene, var("i", &Type::INT), &Type::INT, true);
    for (of, _) in lanes() {
        add(&mut scene, var("s", &of), &of, false);
    }
    Vectors { scene, types: all }
}

struct Trees<'v, R> {
    vectors: &'v Vectors,
    rng: R,
}

impl<R: Rng> Trees<'_, R> {
    fn some(&mut self) -> Type {
        self.vectors.types.choose(&mut self.rng).unwrap().clone()
    }

    fn lane_of(ty: &Type) -> (Type, u32) {
        match ty {
            Type::Vector { of, len } => ((**of).clone(), *len),
            _ => unreachable!("a vector"),
        }
    }

    /// A vector of the type.
    fn tree(&mut self, ty: &Type, depth: u32) -> Expr {
        let (of, len) = Self::lane_of(ty);
        if depth == 0 {
            return var(["x", "y", "c"].choose(&mut self.rng).unwrap(), ty);
        }
        let depth = depth - 1;
        match self.rng.random_range(0..12) {
            0 => {
                let op = *UnaryOp::ALL[..3].choose(&mut self.rng).unwrap();
                Expr::unary(op, self.tree(ty, depth))
            }
            1 => {
                let other = self.some();
                self.tree(&other, depth).cast(ty.clone())
            }
            2 => {
                let lanes = (0..len).map(|_| self.lane(&of)).collect();
                let ty = ty.clone();
                VectorExpr::Literal { ty, lanes }.into()
            }
            3 | 4 => {
                let operands = [self.tree(ty, depth), self.tree(ty, depth)].map(Arc::new);
                let lanes = (0..len).map(|_| self.rng.random_range(0..2 * len));
                let lanes = lanes.collect();
                VectorExpr::Shuffle { operands, lanes }.into()
            }
            5 => {
                let from = self.some();
                let (_, other) = Self::lane_of(&from);
                let value = Arc::new(self.tree(&from, depth));
                let to = ty.clone();
                if other == len {
                    VectorExpr::Convert { to, value }.into()
                } else {
                    Expr::clone(&value).cast(to)
                }
            }
            6 => {
                let op = *BinaryOp::ALL[10..].choose(&mut self.rng).unwrap();
                let other = self.some();
                let compared = Expr::binary(op, self.tree(&other, depth), self.tree(&other, depth));
                compared.cast(ty.clone())
            }
            7 => {
                let op = *BinaryOp::ALL[..10].choose(&mut self.rng).unwrap();
                Expr::binary(op, self.tree(ty, depth), var("s", &of))
            }
            8 => Expr::binary(BinaryOp::Shl, self.tree(ty, depth), var("c", ty)),
            _ => {
                let op = *BinaryOp::ALL[..10].choose(&mut self.rng).unwrap();
                let right = if op.is_shift() {
                    var("c", ty)
                } else {
                    self.tree(ty, depth)
                };
                Expr::binary(op, self.tree(ty, depth), right)
            }
        }
    }

    /// A number.
    fn lane(&mut self, of: &Type) -> Expr {
        let ty = self.some();
        let (_, len) = Self::lane_of(&ty);
        let index = if self.rng.random() {
            Expr::int(self.rng.random_range(0..len as i32))
        } else {
            var("i", &Type::INT)
        };
        match self.rng.random_range(0..3) {
            0 => var("s", of),
            1 => var("x", &ty).index(index),
            _ => self.tree(&ty, 1).index(index),
        }
    }

    fn stmt(&mut self) -> Stmt {
        loop {
            let ty = self.some();
            let (of, len) = Self::lane_of(&ty);
            let depth = self.rng.random_range(1..4);
            let w = var("w", &ty);
            let expr = match self.rng.random_range(0..6) {
                0 => {
                    let op = *BinaryOp::ALL[..10].choose(&mut self.rng).unwrap();
                    Expr::compound(op, w, self.tree(&ty, depth))
                }
                1 => {
                    let index = self.rng.random_range(0..len as i32);
                    Expr::assign(w.index(Expr::int(index)), self.lane(&of))
                }
                2 => Expr::assign(w.index(var("i", &Type::INT)), self.lane(&of)),
                3 => Expr::assign(var("s", &of), self.lane(&of)),
                _ => Expr::assign(w, self.tree(&ty, depth)),
            };
            if self.vectors.scene.types.type_of(&expr).is_ok() {
                return Stmt::Expr(expr);
            }
        }
    }
}

/// Every operator on every type.
fn systematic(vectors: &Vectors) -> Vec<Stmt> {
    let mut list = Vec::new();
    for ty in &vectors.types {
        for op in BinaryOp::ALL {
            let right = var(if op.is_shift() { "c" } else { "y" }, ty);
            let result = Expr::binary(op, var("x", ty), right.clone());
            let result = if op.is_comparison() {
                result.cast(ty.clone())
            } else {
                list.push(Expr::compound(op, var("w", ty), right));
                result
            };
            list.push(Expr::assign(var("w", ty), result));
        }
        for other in &vectors.types {
            list.push(Expr::assign(var("w", ty), var("x", other).cast(ty.clone())));
            let (to, value) = (ty.clone(), Arc::new(var("x", other)));
            let converted = VectorExpr::Convert { to, value };
            list.push(Expr::assign(var("w", ty), converted.into()));
        }
    }
    let types = &vectors.scene.types;
    list.retain(|expr| types.type_of(expr).is_ok());
    list.into_iter().map(Stmt::Expr).collect()
}

fn cases(vectors: &Vectors, seed: u64, random: usize) -> (Vec<Case>, BTreeMap<Cause, usize>) {
    let mut causes = BTreeMap::new();
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut trees = Trees { vectors, rng };
    let mut stmts = systematic(vectors);
    stmts.extend((0..random).map(|_| trees.stmt()));
    let cases = stmts.into_iter();
    let cases = cases.map(|stmt| vectors.scene.case(stmt, &mut causes));
    (cases.collect(), causes)
}

#[test]
fn vectors_equal_those_of_gcc_and_clang() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let vectors = vectors(16, 40, &mut rng);
    let (cases, causes) = cases(&vectors, 22, 500);
    for undefined in [
        Undefined::SignedOverflow,
        Undefined::DivisionByZero,
        Undefined::IndexOutOfBounds,
    ] {
        let undefined = Cause::Undefined(undefined);
        assert!(causes.contains_key(&undefined), "{causes:?}");
    }
    for compiler in [GCC, CLANG] {
        let evaluations = vectors.scene.compare("", &cases, &compiler);
        println!("{}: {evaluations} evaluations", compiler.name);
        assert!(evaluations >= 10_000, "only {evaluations}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn long_vectors_equal_those_of_gcc_and_clang() {
    let (mut round, mut total) = (0, 0);
    while total < 2_000_000 {
        for bytes in [4, 8, 16, 32, 64, 128] {
            round += 1;
            let mut rng = ChaCha8Rng::seed_from_u64(40_000 + round);
            let vectors = vectors(bytes, 100, &mut rng);
            let (cases, _) = cases(&vectors, 50_000 + round, 1_000);
            let wide = GCC.with(&["-w", "-O1", "-march=x86-64-v3", "-ffp-contract=off"]);
            for compiler in [GCC, CLANG, wide] {
                total += vectors.scene.compare("", &cases, &compiler);
            }
        }
    }
    println!("{total} evaluations in {round} rounds");
}

/// `v4i32 turned(v4i32 v, int n) { v[n] = -v[n]; return v; }`
fn turned(ty: &Type) -> Function {
    let (v, n) = (
        || Expr::var("v", ty.clone()),
        || Expr::var("n", IntKind::Int),
    );
    let lane = || v().index(n());
    let negated = Expr::unary(UnaryOp::Minus, lane());
    Function {
        name: "turned".into(),
        result: ty.clone(),
        params: vec![
            Var {
                name: "v".into(),
                ty: ty.clone(),
            },
            Var {
                name: "n".into(),
                ty: Type::INT,
            },
        ],
        body: Arc::new(Stmt::Block(vec![
            Stmt::Expr(Expr::assign(lane(), negated)),
            Stmt::Return(Some(v())),
        ])),
    }
}

#[test]
fn vectors_are_passed_and_returned_by_value() {
    use mestra::code::eval::Evaluator;
    use mestra::code::table::{Column, State, Table};
    let mut types = Types::new(Target::LP64);
    let ty = types.define_vector(IntKind::Int, 4);
    let mut table = Table::new(1);
    for name in ["x", "w"] {
        let object = table.add(&types, name, ty.clone(), State::Value).unwrap();
        for lane in 0..4 {
            table.set(object, lane, Column::values(vec![i64::from(lane) + 1]));
        }
    }
    let function = turned(&ty);
    let callee: Callee = function.callee();
    let functions = BTreeMap::from([(function.name.clone(), function)]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let x = || Expr::var("x", ty.clone());
    let call = Expr::call(callee, vec![x(), Expr::int(2)]);
    let sum = Expr::binary(BinaryOp::Add, call, x());
    let stmt = Stmt::Expr(Expr::assign(Expr::var("w", ty.clone()), sum));
    assert_eq!(stmt.to_string(), "w = turned(x, 2) + x;\n");
    let after = evaluator.run(&stmt, &table).unwrap().table;
    let w = after.object(after.find("w").unwrap());
    let lanes: Vec<i64> = (0..4).map(|lane| w.get(lane, 0).unwrap()).collect();
    assert_eq!(lanes, [2, 4, 0, 8]);
    let address = x().index(Expr::int(0)).address_of();
    let mistake = types.type_of(&address).unwrap_err();
    assert_eq!(mistake.what, "the address of a vector's lane");
}
