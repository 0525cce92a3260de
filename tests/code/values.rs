//! Our values and types against those of gcc, clang and tcc.

use super::build::{CLANG, Compiler, GCC, TCC, words};
use super::generate::{Generator, systematic};
use super::world::World;
use mestra::code::ctype::{Type, Types};
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, UnaryOp};
use mestra::code::print::{Parens, Style};
use mestra::code::trouble::{Cause, Stop, Undefined};
use mestra::code::types::{IntKind, Target};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

/// An expression with what we say of it: in each row a value and the state
/// afterwards, or that it is undefined.
pub(super) struct Case {
    pub(super) expr: Expr,
    pub(super) kind: IntKind,
    pub(super) rows: Vec<Result<(u64, u64), Cause>>,
}

impl Case {
    /// Evaluates an expression in every row alone, and in all defined rows at
    /// once, which must give the same.
    pub(super) fn new(world: &World, expr: Expr) -> Case {
        let evaluator = world.evaluator();
        let effects = expr.has_effects();
        let mut rows = Vec::new();
        let mut good = Vec::new();
        for (row, single) in world.singles.iter().enumerate() {
            let result = if effects {
                evaluator
                    .perform(&expr, single)
                    .map(|(values, after)| (values.values[0] as u64, world.state(&after, 0)))
            } else {
                evaluator
                    .value(&expr, single)
                    .map(|values| (values.values[0] as u64, 0))
            };
            rows.push(match result {
                Ok(result) => {
                    good.push(row as u32);
                    Ok(result)
                }
                Err(Stop::Trouble(trouble)) => {
                    assert!(expr.at(&trouble.path).is_some() || trouble.function.is_some());
                    Err(trouble.cause)
                }
                Err(Stop::Mistake(mistake)) => panic!("{mistake}: {expr}"),
            });
        }
        let together = evaluator.value(&expr, &world.table.select(&good)).unwrap();
        for (value, row) in together.values.iter().zip(&good) {
            let alone = rows[*row as usize].unwrap().0;
            assert_eq!(
                *value as u64, alone,
                "row {row} alone and among others: {expr}"
            );
        }
        let kind = world.types.type_of(&expr).unwrap().int_kind().unwrap();
        Case { expr, kind, rows }
    }

    pub(super) fn defined(&self) -> usize {
        self.rows.iter().filter(|row| row.is_ok()).count()
    }
}

/// Whether a compiler can be asked for the type: the type of a bit-field that
/// was not promoted is nobody's business.
fn shows_type(expr: &Expr) -> bool {
    !matches!(
        expr,
        Expr::Field { .. }
            | Expr::Assign { .. }
            | Expr::Compound { .. }
            | Expr::Step { .. }
            | Expr::Comma { .. }
    )
}

/// One C file for many cases: every defined row is evaluated, and values,
/// states and types are written to standard output.
fn program(world: &World, cases: &[Case]) -> String {
    let mut text = String::from("extern int putchar(int);\n");
    text.push_str(&world.to_c());
    text.push_str("#define KIND(e) _Generic((e)");
    for (index, kind) in IntKind::ALL.into_iter().enumerate() {
        write!(text, ", {}: {index}", kind.c_name()).unwrap();
    }
    text.push_str(", default: 99)\nstatic void put(word w) { int i; for (i = 0; i < 8; i++) ");
    text.push_str("putchar((int)(w >> 8 * i & 255)); }\n");
    for (index, case) in cases.iter().enumerate() {
        let parens = match index % 3 {
            0 => Parens::Needed,
            1 => Parens::All,
            _ => Parens::Some(index as u64),
        };
        let c = case.expr.to_c_operand(Style { parens });
        writeln!(text, "static word e{index}(void) {{ return (word){c}; }}").unwrap();
        if shows_type(&case.expr) {
            writeln!(text, "static int k{index}(void) {{ return KIND({c}); }}").unwrap();
        }
    }
    text.push_str("static const struct { word (*eval)(void); int (*kind)(void); int state; ");
    let groups = world.singles.len().div_ceil(8);
    writeln!(text, "unsigned char good[{groups}]; }} cases[] = {{").unwrap();
    for (index, case) in cases.iter().enumerate() {
        let kind = if shows_type(&case.expr) {
            format!("k{index}")
        } else {
            "0".into()
        };
        let state = i32::from(case.expr.has_effects());
        write!(text, "{{e{index}, {kind}, {state}, {{").unwrap();
        for group in case.rows.chunks(8) {
            let bits = group.iter().enumerate();
            let mask: u32 = bits.map(|(bit, row)| u32::from(row.is_ok()) << bit).sum();
            write!(text, "{mask},").unwrap();
        }
        text.push_str("}},\n");
    }
    writeln!(
        text,
        "}};\nint main(void) {{\n    int c, r;\n    for (c = 0; c < {}; c++) {{\n        \
         if (cases[c].kind) put(cases[c].kind());\n        \
         for (r = 0; r < {}; r++) {{\n            \
         if (!(cases[c].good[r / 8] >> r % 8 & 1)) continue;\n            \
         load(r); put(cases[c].eval()); if (cases[c].state) put(state());\n        }}\n    }}\n    \
         return 0;\n}}",
        cases.len(),
        world.singles.len()
    )
    .unwrap();
    text
}

/// A place where a compiler and we disagree.
#[derive(Debug)]
pub(super) struct Disagreement {
    pub(super) compiler: &'static str,
    pub(super) what: String,
    pub(super) expr: Expr,
}

/// Compares all cases with a compiler; gives the number of evaluations.
fn compare(
    cases: &[Case],
    text: &str,
    compiler: &Compiler,
    found: &mut Vec<Disagreement>,
) -> usize {
    let output = words(&compiler.output(text, &[]));
    let mut output = output.into_iter();
    let mut evaluations = 0;
    for case in cases {
        let mut differ = |what: String| {
            found.push(Disagreement {
                compiler: compiler.name,
                what,
                expr: case.expr.clone(),
            });
        };
        if shows_type(&case.expr) {
            let kind = IntKind::ALL.get(output.next().unwrap() as usize);
            if kind != Some(&case.kind) {
                differ(format!("type {kind:?}, we say {:?}", case.kind));
            }
        }
        let mut wrong = None;
        for (row, expected) in case.rows.iter().enumerate() {
            let Ok((value, state)) = expected else {
                continue;
            };
            evaluations += 1;
            let theirs = output.next().unwrap();
            if theirs != *value {
                wrong.get_or_insert(format!("row {row}: {theirs:#x}, we say {value:#x}"));
            }
            if case.expr.has_effects() && output.next().unwrap() != *state {
                wrong.get_or_insert(format!("row {row}: another state"));
            }
        }
        if let Some(what) = wrong {
            differ(what);
        }
    }
    assert_eq!(output.next(), None, "{} wrote too much", compiler.name);
    evaluations
}

fn random_cases(world: &World, seed: u64, count: usize) -> Vec<Case> {
    let mut generator = Generator::new(world, ChaCha8Rng::seed_from_u64(seed));
    (0..count)
        .map(|index| Case::new(world, generator.expr(1 + index as u32 % 5)))
        .collect()
}

/// Why a disagreement is tcc's own. gcc and clang agree with us in all of
/// these, which the same test shows.
fn excuse(disagreement: &Disagreement) -> Option<&'static str> {
    if disagreement.compiler != "tcc" {
        return None;
    }
    // Folding loses types in ways that differ with every neighbour, such as
    // `x | 0U`, which is `x` with the type of `x`. Values must still agree.
    let folded = disagreement.what.starts_with("type").then_some(FOLDED);
    tcc_defect(&disagreement.expr).or(folded)
}

/// What tcc 0.9.27 may get wrong in an expression.
pub(super) fn tcc_defect(expr: &Expr) -> Option<&'static str> {
    let any = |found: &dyn Fn(&Expr) -> bool| contains(expr, found);
    let kind_of = |expr: &Expr| Types::new(Target::LP64).type_of(expr).ok()?.int_kind();
    let is_enum = |expr: &Expr| match expr {
        Expr::Var(var) => matches!(var.ty, Type::Enum { .. }),
        Expr::Cast { to, .. } => matches!(to, Type::Enum { .. }),
        Expr::Field { name, .. } => &**name == "e3",
        _ => false,
    };
    if any(&is_enum) {
        return Some("an enum is an int (C leaves it open; gcc and clang take unsigned)");
    }
    if any(&|expr| {
        matches!(
            expr,
            Expr::Cast {
                to: Type::Int(IntKind::UShort),
                ..
            }
        )
    }) {
        return Some("a signed char cast to unsigned short keeps its upper bits");
    }
    let is_logical = |expr: &Expr| matches!(expr, Expr::Logical { .. });
    if any(&|expr| match expr {
        Expr::Logical { left, .. } => is_logical(left),
        _ => false,
    }) {
        return Some("`x && 1U || y` inside _Generic generates nonsense");
    }
    if any(&|expr| match expr {
        Expr::Logical { right, .. } => kind_of(right) == Some(IntKind::Bool),
        _ => false,
    }) {
        return Some("&& and || of a _Bool are a _Bool");
    }
    let is_truth = |expr: &Expr| match expr {
        Expr::Logical { .. }
        | Expr::Unary {
            op: UnaryOp::Not, ..
        } => true,
        Expr::Binary { op, .. } => op.is_comparison(),
        _ => false,
    };
    if any(&|expr| matches!(expr, Expr::Cast { value, .. } if is_truth(value))) {
        return Some("a cast of a comparison, !, && or || is lost");
    }
    if any(&|expr| match expr {
        Expr::Unary {
            op: UnaryOp::Not,
            value,
        } => kind_of(value) == Some(IntKind::Bool),
        _ => false,
    }) {
        return Some("! of a _Bool is a _Bool");
    }
    None
}

const FOLDED: &str = "the type of a folded operation is that of its operand";

fn contains(expr: &Expr, found: &dyn Fn(&Expr) -> bool) -> bool {
    found(expr)
        || expr
            .children()
            .into_iter()
            .any(|child| contains(child, found))
}

fn check(found: Vec<Disagreement>, expressions: usize) {
    let mut excuses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut real = 0;
    for disagreement in &found {
        if let Some(why) = excuse(disagreement) {
            *excuses.entry(why).or_default() += 1;
            continue;
        }
        real += 1;
        if real <= 20 {
            println!(
                "{}: {}: {}",
                disagreement.compiler, disagreement.what, disagreement.expr
            );
        }
    }
    println!("tcc's own: {excuses:?}");
    assert_eq!(real, 0, "disagreements");
    assert!(found.len() * 200 < expressions, "excuses must stay rare");
    let folded = excuses.get(FOLDED).copied().unwrap_or(0);
    assert!(
        folded * 1_000 < expressions + 2_000,
        "{folded} types differ"
    );
}

#[test]
fn values_and_types_equal_those_of_gcc_clang_and_tcc() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let world = World::new(Target::LP64, 48, &mut rng);
    let mut cases: Vec<Case> = systematic(&world)
        .into_iter()
        .map(|expr| Case::new(&world, expr))
        .collect();
    cover_everything(&cases);
    cases.extend(random_cases(&world, 2, 2_000));
    let text = program(&world, &cases);
    let mut found = Vec::new();
    for compiler in [&GCC, &CLANG, &TCC] {
        let evaluations = compare(&cases, &text, compiler, &mut found);
        println!(
            "{}: {} expressions, {evaluations} evaluations",
            compiler.name,
            cases.len()
        );
        assert!(evaluations >= 200_000, "only {evaluations}");
    }
    check(found, cases.len());
}

/// A sample of the systematic cases and random ones, on another target.
fn compare_on(target: Target, compilers: &[Compiler], seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let world = World::new(target, 24, &mut rng);
    let sample = systematic(&world).into_iter().step_by(4);
    let mut cases: Vec<Case> = sample.map(|expr| Case::new(&world, expr)).collect();
    cases.extend(random_cases(&world, seed, 1_000));
    let text = program(&world, &cases);
    let mut found = Vec::new();
    for compiler in compilers {
        let evaluations = compare(&cases, &text, compiler, &mut found);
        println!(
            "{compiler:?}: {} expressions, {evaluations} evaluations",
            cases.len()
        );
        assert!(evaluations > 50_000, "only {evaluations}");
    }
    check(found, cases.len());
}

#[test]
fn values_and_types_equal_those_of_32_bit_compilers() {
    let (gcc, clang) = (GCC.with(&["-w", "-m32"]), CLANG.with(&["-w", "-m32"]));
    compare_on(Target::ILP32, &[gcc, clang], 3);
}

#[test]
fn values_and_types_equal_with_unsigned_char() {
    let (gcc, clang) = (
        GCC.with(&["-w", "-funsigned-char"]),
        CLANG.with(&["-w", "-funsigned-char"]),
    );
    let tcc = TCC.with(&["-w", "-funsigned-char"]);
    compare_on(Target::LP64.with_char_signed(false), &[gcc, clang, tcc], 4);
}

#[test]
#[ignore = "takes minutes"]
fn long_values_and_types_equal_those_of_gcc_clang_and_tcc() {
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut round = 0;
    let (mut found, mut expressions) = (Vec::new(), 0);
    while totals.values().min().is_none_or(|least| *least < 5_000_000) {
        round += 1;
        let mut rng = ChaCha8Rng::seed_from_u64(1_000 + round);
        let world = World::new(Target::LP64, 128, &mut rng);
        let offset = (round as usize - 1) % 4;
        let sample = systematic(&world).into_iter().skip(offset).step_by(4);
        let mut cases: Vec<Case> = sample.map(|expr| Case::new(&world, expr)).collect();
        cases.extend(random_cases(&world, 2_000 + round, 4_000));
        let text = program(&world, &cases);
        expressions += cases.len();
        for compiler in [&GCC, &CLANG, &TCC] {
            let evaluations = compare(&cases, &text, compiler, &mut found);
            *totals.entry(compiler.name).or_default() += evaluations;
        }
    }
    println!("{totals:?} evaluations of {expressions} expressions in {round} rounds");
    check(found, expressions);
}

/// Every operator on every pair of kinds must have been evaluated, in rows
/// that are defined and, where it can be undefined, in rows that are not.
fn cover_everything(cases: &[Case]) {
    let mut pairs: BTreeMap<(BinaryOp, IntKind, IntKind), usize> = BTreeMap::new();
    let mut unary: BTreeMap<(UnaryOp, IntKind), usize> = BTreeMap::new();
    let mut causes: BTreeMap<Undefined, usize> = BTreeMap::new();
    let kind = |expr: &Expr| match expr {
        Expr::Var(var) => var.ty.int_kind(),
        _ => None,
    };
    for case in cases {
        match &case.expr {
            Expr::Binary { op, left, right } => {
                if let (Some(left), Some(right)) = (kind(left), kind(right)) {
                    *pairs.entry((*op, left, right)).or_default() += case.defined();
                }
            }
            Expr::Unary { op, value } => {
                if let Some(kind) = kind(value) {
                    *unary.entry((*op, kind)).or_default() += case.defined();
                }
            }
            _ => {}
        }
        for row in &case.rows {
            if let Err(Cause::Undefined(undefined)) = row {
                *causes.entry(*undefined).or_default() += 1;
            }
        }
    }
    // Bit-fields take part in arithmetic, all but those whose type is unclear.
    let mut fields: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases {
        if let Expr::Binary { left, .. } = &case.expr
            && let Expr::Field { name, .. } = &**left
        {
            *fields.entry(name).or_default() += case.defined();
        }
    }
    let names: Vec<&str> = fields.keys().copied().collect();
    let expected = [
        "b1", "e3", "i1", "i32", "i5", "ll64", "sc7", "u3", "u31", "u32", "us9",
    ];
    assert_eq!(names, expected);
    assert!(fields.values().all(|count| *count > 500), "{fields:?}");
    assert_eq!(pairs.len(), 16 * 12 * 12);
    assert_eq!(unary.len(), 4 * 12);
    let least = pairs.iter().min_by_key(|(_, count)| **count).unwrap();
    println!("least covered pair: {least:?}; undefined rows: {causes:?}");
    assert!(*least.1 > 0);
    assert!(unary.values().all(|count| *count > 0));
    for undefined in [
        Undefined::SignedOverflow,
        Undefined::DivisionByZero,
        Undefined::ShiftCountNegative,
        Undefined::ShiftCountTooLarge,
        Undefined::ShiftOfNegative,
        Undefined::ShiftOverflow,
    ] {
        assert!(causes.contains_key(&undefined), "{undefined:?}");
    }
}
