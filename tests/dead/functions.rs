//! Functions of other programs: what their trees give is what compilers make of them.

use crate::support::{compile, newest_clang, program, run};
use mestra::code::ctype::Types;
use mestra::code::eval::Evaluator;
use mestra::code::expr::Expr;
use mestra::code::table::Table;
use mestra::code::types::Target;
use mestra::code::value::Value;
use mestra::source::seed::Input;
use mestra::variant::donor::{DonorFunction, everyday};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ffi::OsString;
use std::fmt::Write;

/// Calls of each function.
const CALLS: usize = 60;

/// Arguments as programs have them: small ones, and some from the whole range.
fn arguments(function: &DonorFunction, rng: &mut ChaCha8Rng) -> Vec<Value> {
    let params = function.entry().unwrap().params.iter();
    let kinds = params.map(|param| param.ty.int_kind().unwrap());
    let values = kinds.map(|kind| {
        let math = match rng.random_range(0..4) {
            0 => i128::from(rng.random::<i64>()),
            1 => rng.random_range(-20..300),
            _ => rng.random_range(0..128),
        };
        Value::new(kind, math, Target::LP64)
    });
    values.collect()
}

#[test]
fn everyday_functions_give_what_compilers_and_sanitizers_say() {
    let types = Types::new(Target::LP64);
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut text = include_str!("../../src/variant/donor/everyday.c").to_owned();
    text.push_str("\nextern int printf(const char *, ...);\nint main(void) {\n");
    let (mut expected, mut refused) = (String::new(), 0);
    for function in everyday().unwrap() {
        let functions = function.by_name();
        let entry = function.entry().unwrap();
        let evaluator = Evaluator::new(&types).with_functions(&functions);
        let mut defined = 0;
        for _ in 0..CALLS {
            let values = arguments(function, &mut rng);
            let args: Vec<Expr> = values.iter().map(|value| Expr::from(*value)).collect();
            let call = Expr::call(entry.callee(), args);
            let Ok(given) = evaluator.value(&call, &Table::new(1)) else {
                refused += 1;
                continue;
            };
            defined += 1;
            writeln!(text, "    printf(\"%lld\\n\", (long long){call});").unwrap();
            let kind = given.ty.int_kind().unwrap();
            let math = Value::from_carrier(kind, given.values[0]).math();
            writeln!(expected, "{}", math as i64).unwrap();
        }
        assert!(defined * 3 > CALLS, "{} is hardly ever defined", entry.name);
    }
    text.push_str("    return 0;\n}\n");
    println!("{refused} calls refused");
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("calls.c");
    std::fs::write(&source, text).unwrap();
    let checks = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"];
    for (compiler, flags) in [("gcc", &["-O2"][..]), (newest_clang(), &checks)] {
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let program = directory.path().join("calls");
        compile(compiler, &source, &flags, &program).unwrap();
        let output = run(&program, &Input::default()).unwrap();
        assert!(output.stderr.is_empty(), "{compiler}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

#[test]
fn functions_of_a_program_are_donors_if_they_depend_on_their_arguments_alone() {
    let donors = DonorFunction::all_of(&program(
        "static int g;
        static void put(int *to, int x) { *to = x; }
        int first(int x, char y) { int a; put(&a, x); return a + y; }
        int second(int x) { return x + g; }
        int third(void) { return 3; }
        int main(void) { return first(1, 2) - second(3) - third() + g; }",
    ));
    let names: Vec<&str> = donors
        .iter()
        .map(|one| &*one.entry().unwrap().name)
        .collect();
    assert_eq!(names, ["first"]);
}
