//! Unions, and numbers copied to and from bytes, against gcc, clang and tcc.

use super::build::{CLANG, GCC, TCC};
use super::floats::value;
use super::scene::{Case, Scene};
use mestra::code::builtin::MemoryOp;
use mestra::code::ctype::{Field, Type, Types};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::Stmt;
use mestra::code::trouble::{Cause, Undefined};
use mestra::code::types::{IntKind, Target};
use mestra::code::wide::WideKind;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

const BYTE: Type = Type::Int(IntKind::UChar);

/// The members of a union, with what can be read and written of each.
fn members(with_vectors: bool) -> Vec<(&'static str, Type)> {
    let mut members = vec![
        ("b", BYTE.array(16)),
        ("h", Type::Int(IntKind::Short).array(8)),
        ("i", Type::Int(IntKind::Int).array(4)),
        ("l", Type::Int(IntKind::ULongLong).array(2)),
        ("f", Type::Float(FloatKind::Float).array(4)),
        ("d", Type::Float(FloatKind::Double).array(2)),
        ("s", Type::record("struct S")),
    ];
    if with_vectors {
        members.push(("n", Type::Wide(WideKind::UInt128).array(1)));
        members.push(("v", Type::vector(IntKind::UShort, 8)));
        members.push(("w", Type::vector(FloatKind::Double, 2)));
    }
    members
}

fn scene(rows: u32, with_vectors: bool, rng: &mut impl Rng) -> Scene {
    let mut types = Types::new(Target::LP64);
    types.define(
        "struct S",
        vec![
            Field::new("a", IntKind::Int),
            Field::new("c", IntKind::SChar),
            Field::new("e", IntKind::UChar),
            Field::new("g", IntKind::UShort),
            Field::new("z", IntKind::LongLong),
        ],
    );
    if with_vectors {
        types.define_vector(IntKind::UShort, 8);
        types.define_vector(FloatKind::Double, 2);
    }
    let fields = members(with_vectors).into_iter();
    let fields = fields.map(|(name, ty)| Field::new(name, ty)).collect();
    let union = types.define_union("union U", fields);
    let mut scene = Scene::new(types, rows);
    let mut value = |ty: &Type| value(rng, ty);
    for name in ["u", "w"] {
        scene.add(name, &union, &mut value);
    }
    scene.add("buf", &BYTE.array(24), &mut value);
    for (name, kind) in [
        ("si", IntKind::Int),
        ("ss", IntKind::Short),
        ("sl", IntKind::Long),
        ("su", IntKind::UInt),
    ] {
        scene.add(name, &kind.into(), &mut value);
    }
    for (name, kind) in [("sf", FloatKind::Float), ("sd", FloatKind::Double)] {
        scene.add(name, &kind.into(), &mut value);
    }
    scene.add("k", &Type::INT, &mut |_| 0);
    scene
}

fn number(name: &str) -> Expr {
    let ty = match name {
        "si" | "k" => Type::INT,
        "ss" => Type::Int(IntKind::Short),
        "sl" => Type::Int(IntKind::Long),
        "su" => Type::Int(IntKind::UInt),
        "sf" => Type::Float(FloatKind::Float),
        _ => Type::Float(FloatKind::Double),
    };
    Expr::var(name, ty)
}

struct Trees<R> {
    rng: R,
    with_vectors: bool,
}

impl<R: Rng> Trees<R> {
    /// A number in a union.
    fn part(&mut self, union: &str) -> Expr {
        let whole = Expr::var(union, Type::record("union U"));
        let all = members(false);
        let (name, ty) = all.choose(&mut self.rng).unwrap();
        let member = whole.field(name);
        match ty {
            Type::Array { len, .. } => {
                let at = self.rng.random_range(0..*len as i32);
                // `k` is 0 in every row.
                let at = match self.rng.random_range(0..3) {
                    0 => Expr::binary(BinaryOp::Add, number("k"), Expr::int(at)),
                    1 => Expr::comma(Expr::step(StepOp::PreIncrement, number("k")), number("k")),
                    _ => Expr::int(at),
                };
                member.index(at)
            }
            _ => member.field(["a", "c", "e", "g", "z"].choose(&mut self.rng).unwrap()),
        }
    }

    fn scalar(&mut self) -> Expr {
        number(
            ["si", "ss", "sl", "su", "sf", "sd"]
                .choose(&mut self.rng)
                .unwrap(),
        )
    }

    fn buffer(&mut self, room: i32) -> Expr {
        let at = self.rng.random_range(0..=24 - room);
        let buf = Expr::var("buf", BYTE.array(24));
        match self.rng.random_range(0..3) {
            0 => buf.index(Expr::int(at)).address_of(),
            1 => Expr::binary(BinaryOp::Add, buf, Expr::int(at)),
            _ => {
                let bytes = Expr::var("u", Type::record("union U")).field("b");
                Expr::binary(BinaryOp::Add, bytes, Expr::int(at.min(16 - room)))
            }
        }
    }

    fn stmt(&mut self, types: &Types) -> Stmt {
        loop {
            let expr = match self.rng.random_range(0..10) {
                0 | 1 => Expr::assign(self.part("w"), self.part("u")),
                2 => Expr::assign(self.scalar(), self.part("u")),
                3 => Expr::assign(self.part("w"), self.scalar()),
                4 => {
                    let op = *BinaryOp::ALL[..10].choose(&mut self.rng).unwrap();
                    Expr::compound(op, self.part("w"), self.part("u"))
                }
                5 => Expr::assign(
                    Expr::var("w", Type::record("union U")),
                    Expr::var("u", Type::record("union U")),
                ),
                6 if self.with_vectors => {
                    let union = |name| Expr::var(name, Type::record("union U"));
                    let member = if self.rng.random() { "v" } else { "w" };
                    Expr::assign(union("w").field(member), union("u").field(member))
                }
                7 => Expr::assign(
                    self.scalar(),
                    Expr::binary(BinaryOp::Add, self.part("u"), self.part("w")),
                ),
                n => {
                    let scalar = self.scalar();
                    let Expr::Var(var) = &scalar else { continue };
                    let ty = var.ty.clone();
                    let (number, bytes) = (scalar.address_of(), self.buffer(8));
                    if n == 8 {
                        Expr::memory(MemoryOp::Copy, number, bytes, ty, 1)
                    } else {
                        Expr::memory(MemoryOp::Copy, bytes, number, ty, 1)
                    }
                }
            };
            if types.type_of(&expr).is_ok() {
                return Stmt::Expr(expr);
            }
        }
    }
}

fn cases(
    scene: &Scene,
    seed: u64,
    count: usize,
    with_vectors: bool,
) -> (Vec<Case>, BTreeMap<Cause, usize>) {
    let mut causes = BTreeMap::new();
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut trees = Trees { rng, with_vectors };
    let cases = (0..count).map(|_| scene.case(trees.stmt(&scene.types), &mut causes));
    (cases.collect(), causes)
}

#[test]
fn bytes_equal_those_of_gcc_clang_and_tcc() {
    for with_vectors in [false, true] {
        let mut rng = ChaCha8Rng::seed_from_u64(31);
        let scene = scene(70, with_vectors, &mut rng);
        let (cases, causes) = cases(&scene, 32, 800, with_vectors);
        let not_finite = Cause::Undefined(Undefined::FloatOverflow);
        assert!(causes.contains_key(&not_finite), "{causes:?}");
        for compiler in [GCC, CLANG, TCC] {
            if with_vectors && compiler.name == TCC.name {
                continue;
            }
            let evaluations = scene.compare("", &cases, &compiler);
            println!("{}: {evaluations} evaluations", compiler.name);
            assert!(evaluations >= 40_000, "only {evaluations}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn long_bytes_equal_those_of_gcc_clang_and_tcc() {
    let (mut round, mut total) = (0, 0);
    while total < 5_000_000 {
        round += 1;
        let mut rng = ChaCha8Rng::seed_from_u64(60_000 + round);
        let scene = scene(256, false, &mut rng);
        let (cases, _) = cases(&scene, 70_000 + round, 3_000, false);
        let optimised = CLANG.with(&["-w", "-O2", "-ffp-contract=off"]);
        for compiler in [GCC, CLANG, TCC, optimised] {
            total += scene.compare("", &cases, &compiler);
        }
    }
    println!("{total} evaluations in {round} rounds");
}

#[test]
fn a_union_whose_bytes_are_not_all_specified_is_refused() {
    let mut types = Types::new(Target::LP64);
    let padded = vec![
        Field::new("a", IntKind::Char),
        Field::new("b", IntKind::Int),
    ];
    types.define("struct P", padded);
    let unequal = vec![
        Field::new("i", IntKind::Int),
        Field::new("l", IntKind::LongLong),
    ];
    let unequal = types.define_union("union A", unequal);
    let with_padding = vec![
        Field::new("l", IntKind::LongLong),
        Field::new("p", Type::record("struct P")),
    ];
    let with_padding = types.define_union("union B", with_padding);
    for (ty, member) in [(unequal, "i"), (with_padding, "l")] {
        let read = Expr::var("u", ty).field(member);
        let mistake = types.type_of(&read).unwrap_err();
        assert_eq!(mistake.what, "a union whose bytes C does not all specify");
    }
}
