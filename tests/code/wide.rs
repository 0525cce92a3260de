//! Integers of up to 128 bits against gcc and clang, and our verdict of what is undefined
//! against clang's sanitizer.

use super::build::{CLANG, Compiler, GCC, TCC};
use super::floats;
use super::scene::{Case, Scene};
use mestra::code::ctype::{Field, Type, Types};
use mestra::code::eval::Evaluator;
use mestra::code::expr::{Expr, Var, VectorExpr};
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::scalar::FloatKind;
use mestra::code::stmt::{Function, Stmt};
use mestra::code::table::Table;
use mestra::code::trouble::{Cause, Undefined};
use mestra::code::types::{IntKind, Target};
use mestra::code::wide::{WideKind, WideNumber, halves, joined};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

const USUAL: [IntKind; 7] = [
    IntKind::Bool,
    IntKind::SChar,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULongLong,
];
const WIDE: [WideKind; 2] = [WideKind::Int128, WideKind::UInt128];
const BITS: [WideKind; 14] = [
    WideKind::UBitInt(1),
    WideKind::BitInt(2),
    WideKind::BitInt(7),
    WideKind::UBitInt(8),
    WideKind::UBitInt(17),
    WideKind::BitInt(32),
    WideKind::UBitInt(32),
    WideKind::BitInt(33),
    WideKind::UBitInt(63),
    WideKind::BitInt(64),
    WideKind::BitInt(65),
    WideKind::UBitInt(100),
    WideKind::BitInt(127),
    WideKind::UBitInt(128),
];

/// A number worth trying: small ones, powers of two and limits with their neighbours, any.
fn number(rng: &mut impl Rng, kind: WideKind) -> i128 {
    let near = rng.random_range(-2..=2);
    let number = match rng.random_range(0..6) {
        0 => rng.random_range(0..140),
        1 => (1_i128 << rng.random_range(0..kind.bits().min(127))) + near,
        2 => -(1_i128 << rng.random_range(0..kind.bits().min(127))) + near,
        3 => i128::from(rng.random::<i64>() >> rng.random_range(0..64)),
        4 => rng.random::<i128>() >> rng.random_range(0..127),
        _ => rng.random(),
    };
    kind.wrap(number)
}

/// Carriers of any scalars; of wide ones both halves, one after the other.
fn carriers<R: Rng>(rng: &mut R) -> impl FnMut(&Type) -> i64 + '_ {
    let mut upper = None;
    move |ty| match (ty, upper.take()) {
        (Type::Wide(_), Some(upper)) => upper,
        (Type::Wide(kind), None) => {
            let [low, high] = halves(number(rng, *kind));
            upper = Some(high);
            low
        }
        _ => floats::value(rng, ty),
    }
}

/// The types of a test: wide ones, and those of C beside them.
struct Kinds {
    wide: Vec<WideKind>,
}

impl Kinds {
    fn all(&self) -> Vec<Type> {
        let wide = self.wide.iter().copied().map(Type::Wide);
        let usual = USUAL.into_iter().map(Type::Int);
        let floats = [FloatKind::Float, FloatKind::Double].map(Type::Float);
        wide.chain(usual).chain(floats).collect()
    }
}

fn var(role: &str, ty: &Type) -> Expr {
    let text = mestra::code::print::declare("", ty);
    let name: String = text
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    Expr::var(&format!("{role}_{name}"), ty.clone())
}

fn scene(kinds: &Kinds, rows: u32, rng: &mut impl Rng) -> Scene {
    let mut types = Types::new(Target::LP64);
    let first = kinds.wide[0];
    let record = types.define(
        "struct S",
        vec![
            Field::new("c", IntKind::UChar),
            Field::new("w", first),
            Field::new("a", Type::Wide(first).array(2)),
        ],
    );
    let mut scene = Scene::new(types, rows);
    let mut value = carriers(rng);
    let mut add = |expr: Expr| {
        let Expr::Var(Var { name, ty }) = expr else {
            unreachable!("a variable")
        };
        scene.add(&name, &ty, &mut value);
    };
    for ty in kinds.all() {
        for role in ["x", "y", "w"] {
            add(var(role, &ty));
        }
    }
    add(Expr::var("arr", Type::Wide(first).array(3)));
    add(Expr::var("rec", record));
    scene
}

/// Every operator and conversion on every pair of types of which one is wide.
fn systematic(kinds: &Kinds, scene: &Scene) -> Vec<Stmt> {
    let mut list = Vec::new();
    let holder = Type::Wide(*kinds.wide.last().unwrap());
    let result = |list: &mut Vec<Expr>, expr: Expr| {
        list.push(Expr::assign(var("w", &holder), expr));
    };
    let is_wide = |ty: &Type| matches!(ty, Type::Wide(_));
    for a in kinds.all() {
        let x = || var("x", &a);
        if is_wide(&a) {
            for op in UnaryOp::ALL {
                result(&mut list, Expr::unary(op, x()));
            }
            for op in StepOp::ALL {
                result(&mut list, Expr::step(op, var("w", &a)));
            }
        }
        for b in kinds.all() {
            if !is_wide(&a) && !is_wide(&b) {
                continue;
            }
            let y = || var("y", &b);
            for op in BinaryOp::ALL {
                result(&mut list, Expr::binary(op, x(), y()));
                if op.has_assignment() {
                    list.push(Expr::compound(op, var("w", &a), y()));
                }
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

struct Trees<'k, R> {
    kinds: &'k Kinds,
    rng: R,
}

impl<R: Rng> Trees<'_, R> {
    fn kind(&mut self) -> WideKind {
        *self.kinds.wide.choose(&mut self.rng).unwrap()
    }

    fn leaf(&mut self) -> Expr {
        let role = if self.rng.random() { "x" } else { "y" };
        let first = self.kinds.wide[0];
        match self.rng.random_range(0..10) {
            0..4 => var(role, &Type::Wide(self.kind())),
            4 | 5 => var(role, self.kinds.all().choose(&mut self.rng).unwrap()),
            6 => {
                let arr = Expr::var("arr", Type::Wide(first).array(3));
                let index = if self.rng.random() {
                    Expr::int(self.rng.random_range(0..3))
                } else {
                    var(role, &Type::INT)
                };
                arr.index(index)
            }
            7 => Expr::var("rec", Type::record("struct S")).field("w"),
            _ => {
                let kind = self.kind();
                WideNumber::new(kind, number(&mut self.rng, kind)).into()
            }
        }
    }

    fn tree(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.rng.random_range(0..16) {
            0 => {
                let op = *UnaryOp::ALL.choose(&mut self.rng).unwrap();
                Expr::unary(op, self.tree(depth))
            }
            1 | 2 => {
                let ty = self.kinds.all().choose(&mut self.rng).unwrap().clone();
                self.tree(depth).cast(ty)
            }
            3 => {
                let kind = self.kind();
                self.tree(depth).cast(kind)
            }
            4 => Expr::logical(LogicalOp::Or, self.tree(depth), self.tree(depth)),
            5 => Expr::conditional(self.tree(depth), self.tree(depth), self.tree(depth)),
            6 => self.leaf(),
            _ => Expr::binary(
                *BinaryOp::ALL.choose(&mut self.rng).unwrap(),
                self.tree(depth),
                self.tree(depth),
            ),
        }
    }

    fn stmt(&mut self, scene: &Scene) -> Stmt {
        loop {
            let first = self.kinds.wide[0];
            let rec = || Expr::var("rec", Type::record("struct S"));
            let target = match self.rng.random_range(0..8) {
                0 => var("w", self.kinds.all().choose(&mut self.rng).unwrap()),
                1 => rec().field("w"),
                2 => rec().field("a").index(Expr::int(1)),
                3 => Expr::var("arr", Type::Wide(first).array(3)).index(Expr::int(2)),
                _ => var("w", &Type::Wide(self.kind())),
            };
            let depth = self.rng.random_range(1..5);
            let expr = Expr::assign(target, self.tree(depth));
            if scene.types.type_of(&expr).is_ok() {
                return Stmt::Expr(expr);
            }
        }
    }
}

fn cases(
    kinds: &Kinds,
    scene: &Scene,
    seed: u64,
    random: usize,
) -> (Vec<Case>, BTreeMap<Cause, usize>) {
    let mut causes = BTreeMap::new();
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut trees = Trees { kinds, rng };
    let mut stmts = systematic(kinds, scene);
    stmts.extend((0..random).map(|_| trees.stmt(scene)));
    let cases = stmts.into_iter();
    let cases = cases.map(|stmt| scene.case(stmt, &mut causes)).collect();
    (cases, causes)
}

/// Kinds with some of the bit-precise types, which only clang has.
fn bit_precise(rng: &mut impl Rng) -> Kinds {
    let mut wide: Vec<WideKind> = BITS.choose_multiple(rng, 4).copied().collect();
    wide.push(WideKind::BitInt(rng.random_range(2..=128)));
    wide.push(WideKind::UBitInt(rng.random_range(1..=128)));
    Kinds { wide }
}

fn compared(kinds: &Kinds, seed: u64, rows: u32, random: usize, compilers: &[Compiler]) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scene = scene(kinds, rows, &mut rng);
    let (cases, causes) = cases(kinds, &scene, seed + 1, random);
    for undefined in [
        Undefined::SignedOverflow,
        Undefined::DivisionByZero,
        Undefined::ShiftCountTooLarge,
        Undefined::FloatToInteger,
    ] {
        let undefined = Cause::Undefined(undefined);
        assert!(causes.contains_key(&undefined), "{causes:?}");
    }
    let mut total = 0;
    for compiler in compilers {
        let evaluations = scene.compare("", &cases, compiler);
        println!("{}: {evaluations} evaluations", compiler.name);
        total += evaluations;
    }
    total
}

#[test]
fn integers_of_128_bits_equal_those_of_gcc_and_clang() {
    let kinds = Kinds {
        wide: WIDE.to_vec(),
    };
    let total = compared(&kinds, 61, 140, 900, &[GCC, CLANG]);
    assert!(total >= 400_000, "only {total}");
}

#[test]
fn bit_precise_integers_equal_those_of_clang() {
    let mut rng = ChaCha8Rng::seed_from_u64(63);
    let mut total = 0;
    for round in 0..2 {
        let kinds = bit_precise(&mut rng);
        total += compared(&kinds, 64 + 10 * round, 50, 300, &[CLANG]);
    }
    assert!(total >= 100_000, "only {total}");
}

#[test]
#[ignore = "takes minutes"]
fn long_wide_integers_equal_those_of_gcc_and_clang() {
    let (mut round, mut total) = (0, 0);
    let mut rng = ChaCha8Rng::seed_from_u64(70);
    while total < 5_000_000 {
        round += 1;
        let kinds = Kinds {
            wide: WIDE.to_vec(),
        };
        let optimised = [
            GCC,
            CLANG,
            GCC.with(&["-w", "-O2", "-ffp-contract=off"]),
            CLANG.with(&["-w", "-O2", "-ffp-contract=off"]),
        ];
        total += compared(&kinds, 70_000 + 10 * round, 256, 3_000, &optimised);
        let kinds = bit_precise(&mut rng);
        total += compared(&kinds, 80_000 + 10 * round, 100, 1_000, &[CLANG]);
    }
    println!("{total} evaluations in {round} rounds");
}

/// What clang's sanitizer reports of one operator is what we call undefined.
#[test]
fn undefined_operations_on_128_bits_are_those_that_a_sanitizer_reports() {
    let mut rng = ChaCha8Rng::seed_from_u64(65);
    let kinds = Kinds {
        wide: vec![WideKind::Int128, WideKind::UInt128],
    };
    let scene = scene(&kinds, 200, &mut rng);
    let mut causes = BTreeMap::new();
    let (mut all, mut goes_on) = (Vec::new(), Vec::new());
    for a in WIDE.map(Type::Wide) {
        for b in kinds.all() {
            if matches!(b, Type::Float(_)) {
                continue;
            }
            for op in BinaryOp::ALL {
                let expr = Expr::binary(op, var("x", &a), var("y", &b));
                let stmt = Stmt::Expr(Expr::assign(var("w", &a), expr));
                // A processor stops at a division that a sanitizer only reports.
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    all.push(scene.case(stmt, &mut BTreeMap::new()));
                } else {
                    goes_on.push(scene.case(stmt.clone(), &mut causes));
                    all.push(scene.case(stmt, &mut BTreeMap::new()));
                }
            }
        }
        let negated = Expr::unary(UnaryOp::Minus, var("x", &a));
        let stmt = Stmt::Expr(Expr::assign(var("w", &a), negated));
        goes_on.push(scene.case(stmt, &mut causes));
    }
    let undefined: usize = causes.values().sum();
    assert!(undefined > 2_000, "{causes:?}");
    const CHECKS: &str =
        "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow";
    // It traps if a row that we call defined is not.
    const TRAPS: Compiler = CLANG.with(&["-w", "-O0", CHECKS, "-fsanitize-trap=all"]);
    scene.compare("", &all, &TRAPS);
    // And reports all rows that we call undefined.
    const REPORTS: Compiler = CLANG.with(&[
        "-w",
        "-O0",
        CHECKS,
        "-fsanitize-minimal-runtime",
        "-fno-sanitize-link-runtime",
    ]);
    let handlers = [
        "add_overflow",
        "sub_overflow",
        "mul_overflow",
        "negate_overflow",
        "divrem_overflow",
        "shift_out_of_bounds",
        "float_cast_overflow",
    ];
    assert_eq!(scene.reported(&handlers, &goes_on, &REPORTS), undefined);
}

/// `__int128 least(__int128 a, long b) { if (a < b) return a; return b; }`
fn least() -> Function {
    let wide = Type::Wide(WideKind::Int128);
    let (a, b) = (
        || Expr::var("a", Type::Wide(WideKind::Int128)),
        || Expr::var("b", IntKind::Long),
    );
    let param = |name: &str, ty: &Type| Var {
        name: name.into(),
        ty: ty.clone(),
    };
    let smaller = Expr::binary(BinaryOp::Lt, a(), b());
    Function {
        name: "least".into(),
        result: wide.clone(),
        params: vec![param("a", &wide), param("b", &Type::Int(IntKind::Long))],
        body: Arc::new(Stmt::Block(vec![
            Stmt::if_then(smaller, Stmt::Return(Some(a()))),
            Stmt::Return(Some(b())),
        ])),
    }
}

#[test]
fn rows_return_numbers_of_128_bits_from_different_places() {
    let types = Types::new(Target::LP64);
    let mut table = Table::new(3);
    let numbers = [-1_i128 << 100, 5, 1 << 90];
    let low = numbers.map(|number| halves(number)[0]);
    let high = numbers.map(|number| halves(number)[1]);
    table.add_values("x", WideKind::Int128, [low, high].concat());
    table.add_values("y", IntKind::Long, vec![7, 3, -2]);
    let function = least();
    let callee = function.callee();
    let functions = BTreeMap::from([(function.name.clone(), function)]);
    let evaluator = Evaluator::new(&types).with_functions(&functions);
    let (x, y) = (
        Expr::var("x", WideKind::Int128),
        Expr::var("y", IntKind::Long),
    );
    let call = Expr::call(callee, vec![x, y]);
    let doubled = Expr::binary(BinaryOp::Mul, call, Expr::int(2));
    let values = evaluator.value(&doubled, &table).unwrap();
    assert_eq!(values.ty, Type::Wide(WideKind::Int128));
    let results: Vec<i128> = (0..3)
        .map(|row| joined(values.values[row], values.values[3 + row]))
        .collect();
    assert_eq!(results, [-1 << 101, 6, -4]);
}

/// Vectors of lanes of 128 bits.
#[test]
fn vectors_of_128_bits_equal_those_of_gcc_and_clang() {
    let mut rng = ChaCha8Rng::seed_from_u64(67);
    let mut types = Types::new(Target::LP64);
    let mut vectors = Vec::new();
    for lanes in [1, 2] {
        for kind in WIDE {
            vectors.push(types.define_vector(kind, lanes));
        }
        vectors.push(types.define_vector(IntKind::UInt, 4 * lanes));
        vectors.push(types.define_vector(IntKind::LongLong, 2 * lanes));
    }
    let mut scene = Scene::new(types, 60);
    let mut value = carriers(&mut rng);
    for ty in &vectors {
        for role in ["x", "y", "w"] {
            if let Expr::Var(var) = var(role, ty) {
                scene.add(&var.name, ty, &mut value);
            }
        }
    }
    scene.add("k", &Type::INT, &mut |_| 1);
    let mut list = Vec::new();
    for ty in &vectors {
        for op in BinaryOp::ALL {
            let result = Expr::binary(op, var("x", ty), var("y", ty));
            list.push(Expr::assign(var("w", ty), result.clone().cast(ty.clone())));
            if op.has_assignment() {
                list.push(Expr::compound(op, var("w", ty), var("y", ty)));
            }
        }
        for op in [UnaryOp::Minus, UnaryOp::Complement] {
            list.push(Expr::assign(var("w", ty), Expr::unary(op, var("x", ty))));
        }
        for other in &vectors {
            list.push(Expr::assign(var("w", ty), var("x", other).cast(ty.clone())));
            let (to, value) = (ty.clone(), Arc::new(var("x", other)));
            let converted = VectorExpr::Convert { to, value };
            list.push(Expr::assign(var("w", ty), converted.into()));
        }
        if let Type::Vector { len: 2, .. } = ty {
            let k = Expr::var("k", Type::INT);
            let lane = var("x", ty).index(k.clone());
            list.push(Expr::assign(var("w", ty).index(Expr::int(0)), lane));
            list.push(Expr::assign(var("w", ty).index(k), Expr::int(-9)));
            let operands = [var("x", ty), var("y", ty)].map(Arc::new);
            let lanes = vec![3, 0];
            let shuffled = VectorExpr::Shuffle { operands, lanes };
            list.push(Expr::assign(var("w", ty), shuffled.into()));
        }
    }
    list.retain(|expr| scene.types.type_of(expr).is_ok());
    assert!(list.len() > 100, "only {}", list.len());
    let mut causes = BTreeMap::new();
    let cases = list.into_iter().map(Stmt::Expr);
    let cases: Vec<Case> = cases.map(|stmt| scene.case(stmt, &mut causes)).collect();
    for compiler in [GCC, CLANG] {
        let evaluations = scene.compare("", &cases, &compiler);
        println!("{}: {evaluations} evaluations", compiler.name);
        assert!(evaluations > 4_000, "only {evaluations}");
    }
    // Others have neither.
    let text = "__int128 x;\n";
    let dir = tempfile::TempDir::new().unwrap();
    assert!(TCC.accepts(dir.path(), text).is_err());
}
