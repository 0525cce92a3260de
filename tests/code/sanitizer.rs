//! Our verdict of undefined behaviour against clang's UBSan.

use super::build::{CLANG, Compiler};
use super::generate::{Generator, systematic};
use super::values::Case;
use super::world::World;
use mestra::code::expr::Expr;
use mestra::code::trouble::{Cause, Undefined};
use mestra::code::types::Target;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

const UBSAN: Compiler = CLANG.with(&[
    "-w",
    "-O0",
    "-fsanitize=undefined",
    "-fsanitize-minimal-runtime",
    "-fno-sanitize-link-runtime",
]);

/// What the sanitizer calls when it finds something. Each leaves the
/// expression: behind a division by zero waits a real trap.
const HANDLERS: [&str; 14] = [
    "type_mismatch",
    "add_overflow",
    "sub_overflow",
    "mul_overflow",
    "negate_overflow",
    "divrem_overflow",
    "shift_out_of_bounds",
    "out_of_bounds",
    "builtin_unreachable",
    "missing_return",
    "load_invalid_value",
    "pointer_overflow",
    "function_type_mismatch",
    "alignment_assumption",
];

/// A program that says of every case and row whether it is undefined.
fn program(world: &World, cases: &[Case]) -> String {
    let mut text = String::from(
        "#include <setjmp.h>\nextern int putchar(int);\nstatic jmp_buf out;\n\
         #define HANDLER(n) void __ubsan_handle_##n##_minimal(void) { longjmp(out, 1); }\n",
    );
    for handler in HANDLERS {
        writeln!(text, "HANDLER({handler})").unwrap();
    }
    text.push_str(&world.to_c());
    for (index, case) in cases.iter().enumerate() {
        writeln!(text, "static void e{index}(void) {{ {}; }}", case.expr).unwrap();
    }
    text.push_str("static void (*const cases[])(void) = {\n");
    for index in 0..cases.len() {
        writeln!(text, "e{index},").unwrap();
    }
    writeln!(
        text,
        "}};\nint main(void) {{\n    static int c, r;\n    for (c = 0; c < {}; c++)\n        \
         for (r = 0; r < {}; r++) {{\n            load(r);\n            \
         if (setjmp(out)) putchar(1); else {{ cases[c](); putchar(0); }}\n        }}\n    \
         return 0;\n}}",
        cases.len(),
        world.singles.len()
    )
    .unwrap();
    text
}

/// What a sanitizer cannot see. C does not order these accesses; at run time
/// some order happens, and nothing goes wrong.
fn is_beyond(cause: Cause) -> bool {
    cause == Cause::Undefined(Undefined::Unsequenced)
}

/// `++` on an `unsigned f:31` that is full. C says it is `f = f + 1`, whose `f`
/// promotes to `int`, so the sum overflows; clang computes it in unsigned and
/// its sanitizer is silent. We keep to C.
fn is_full_step(expr: &Expr, cause: Cause) -> bool {
    let step = matches!(expr, Expr::Step { target, .. }
        if matches!(&**target, Expr::Field { name, .. } if &**name == "u31"));
    cause == Cause::Undefined(Undefined::SignedOverflow)
        && (step
            || expr
                .children()
                .into_iter()
                .any(|child| is_full_step(child, cause)))
}

#[derive(Default)]
struct Count {
    defined: usize,
    undefined: BTreeMap<Cause, usize>,
    beyond: usize,
}

impl Count {
    fn compared(&self) -> usize {
        self.defined + self.undefined.values().sum::<usize>()
    }
}

fn compare(world: &World, cases: &[Case], count: &mut Count) {
    let output = UBSAN.output(&program(world, cases), &[]);
    let mut output = output.into_iter();
    let mut wrong = 0;
    for case in cases {
        for (row, ours) in case.rows.iter().enumerate() {
            let theirs = output.next().unwrap() == 1;
            let agrees = match ours {
                Ok(_) => {
                    count.defined += 1;
                    !theirs
                }
                Err(cause) if is_beyond(*cause) || is_full_step(&case.expr, *cause) => {
                    count.beyond += 1;
                    true
                }
                Err(cause) => {
                    assert!(cause.is_undefined(), "{cause}: {}", case.expr);
                    *count.undefined.entry(*cause).or_default() += 1;
                    theirs
                }
            };
            if !agrees {
                wrong += 1;
                if wrong <= 20 {
                    println!("row {row}: we say {ours:?}, UBSan {theirs}: {}", case.expr);
                }
            }
        }
    }
    assert_eq!(output.next(), None);
    assert_eq!(wrong, 0, "verdicts differ");
}

fn random_cases(world: &World, seed: u64, count: usize) -> Vec<Case> {
    let mut generator = Generator::new(world, ChaCha8Rng::seed_from_u64(seed));
    (0..count)
        .map(|index| Case::new(world, generator.expr(1 + index as u32 % 5)))
        .collect()
}

fn report(count: &Count) {
    println!(
        "UBSan: {} verdicts compared, {} defined, {:?}; {} beyond it",
        count.compared(),
        count.defined,
        count.undefined,
        count.beyond
    );
    for undefined in [
        Undefined::SignedOverflow,
        Undefined::DivisionByZero,
        Undefined::ShiftCountNegative,
        Undefined::ShiftCountTooLarge,
        Undefined::ShiftOfNegative,
        Undefined::ShiftOverflow,
        Undefined::IndexOutOfBounds,
        Undefined::NullDereference,
    ] {
        assert!(
            count.undefined.contains_key(&Cause::Undefined(undefined)),
            "{undefined:?}"
        );
    }
}

#[test]
fn undefined_behaviour_is_where_ubsan_sees_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let world = World::new(Target::LP64, 40, &mut rng);
    let mut cases: Vec<Case> = systematic(&world)
        .into_iter()
        .step_by(3)
        .map(|expr| Case::new(&world, expr))
        .collect();
    cases.extend(random_cases(&world, 12, 2_500));
    let mut count = Count::default();
    compare(&world, &cases, &mut count);
    report(&count);
    assert!(count.compared() >= 100_000, "only {}", count.compared());
}

#[test]
#[ignore = "takes minutes"]
fn long_undefined_behaviour_is_where_ubsan_sees_it() {
    let mut count = Count::default();
    let mut round = 0;
    while count.compared() < 2_000_000 {
        round += 1;
        let mut rng = ChaCha8Rng::seed_from_u64(3_000 + round);
        let world = World::new(Target::LP64, 128, &mut rng);
        let offset = (round as usize - 1) % 4;
        let sample = systematic(&world).into_iter().skip(offset).step_by(4);
        let mut cases: Vec<Case> = sample.map(|expr| Case::new(&world, expr)).collect();
        cases.extend(random_cases(&world, 4_000 + round, 3_000));
        compare(&world, &cases, &mut count);
    }
    report(&count);
}
