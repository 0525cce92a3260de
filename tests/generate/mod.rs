//! Programs of our own: what they print is what was predicted, and the same number makes the
//! same program.

use crate::support::newest_clang;
use mestra::variant::generate::{
    Feature, GenerateRequest, GeneratedProgram, OutputCheck, ProgramLanguage, ProgramMode,
    generate, shrink,
};
use rayon::prelude::*;
use std::path::Path;
use std::process::Command;

/// Small programs, so that many are quickly compiled.
fn small() -> GenerateRequest {
    GenerateRequest {
        size: 2_000..=8_000,
        // tcc has none.
        without: vec![Feature::Vector, Feature::Int128],
        ..GenerateRequest::default()
    }
}

/// What a program prints, built this way; an error if it does not build or fails.
fn printed(program: &GeneratedProgram, compiler: &[&str], dir: &Path) -> Result<String, String> {
    let (source, binary) = (dir.join("own.c"), dir.join("own.out"));
    std::fs::write(&source, &program.text).unwrap();
    let [name, flags @ ..] = compiler else {
        panic!("a compiler has a name")
    };
    let built = Command::new(name)
        .args(flags)
        .arg("-w")
        .arg("-o")
        .args([&binary, &source])
        .output()
        .unwrap();
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let ran = Command::new("timeout")
        .arg("10")
        .arg(&binary)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    if ran.status.success() {
        Ok(text)
    } else {
        let report = String::from_utf8_lossy(&ran.stderr).into_owned();
        Err(format!("{}: {text}{report}", ran.status))
    }
}

/// tcc first, because it is fast; where it differs, gcc and clang must both agree with the
/// prediction: tcc has defects of its own.
fn is_as_predicted(number: u64, program: &GeneratedProgram) -> Result<bool, String> {
    let dir = tempfile::tempdir().unwrap();
    let expected = Ok(program.output.clone());
    if printed(program, &["tcc"], dir.path()) == expected {
        return Ok(true);
    }
    for compiler in ["gcc", newest_clang()] {
        let got = printed(program, &[compiler, "-O0"], dir.path());
        if got != expected {
            return Err(format!("program {number} with {compiler}: {got:?}"));
        }
    }
    Ok(false)
}

fn check(request: &GenerateRequest, numbers: std::ops::Range<u64>) {
    let count = numbers.end - numbers.start;
    let outcomes: Vec<Result<bool, String>> = numbers
        .into_par_iter()
        .map(|number| is_as_predicted(number, &generate(request, number)))
        .collect();
    let wrong: Vec<&String> = outcomes.iter().filter_map(|o| o.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let tcc = outcomes.iter().filter(|o| **o == Ok(true)).count() as u64;
    assert!(
        tcc * 10 >= count * 8,
        "tcc agrees with {tcc} of {count} only"
    );
}

#[test]
fn three_hundred_programs_print_what_was_predicted() {
    check(&small(), 1..301);
}

/// Programs of which every one has a feature, of compilers that have it.
fn check_feature(feature: Feature, numbers: std::ops::Range<u64>, compilers: &[&[&str]]) {
    let request = GenerateRequest {
        features: vec![
            feature,
            Feature::Loops,
            Feature::Arrays,
            Feature::Calls,
            Feature::Structs,
            Feature::Memory,
            Feature::Narrow,
            Feature::Wide,
        ],
        without: Vec::new(),
        ..small()
    };
    check_request(&request, numbers, compilers);
}

/// Programs that all of some compilers must translate as predicted.
fn check_request(
    request: &GenerateRequest,
    numbers: impl IntoParallelIterator<Item = u64>,
    compilers: &[&[&str]],
) {
    let wrong: Vec<String> = numbers
        .into_par_iter()
        .flat_map_iter(|number| {
            let program = generate(request, number);
            let dir = tempfile::tempdir().unwrap();
            let differs = |compiler: &&&[&str]| {
                printed(&program, compiler, dir.path()).as_ref() != Ok(&program.output)
            };
            let wrong = compilers.iter().filter(differs);
            let wrong = wrong.map(|compiler| format!("{}: {compiler:?}", request.title(number)));
            wrong.collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const FAST_MATH: [&str; 4] = ["gcc", "-O3", "-ffast-math", "-march=x86-64-v3"];

#[test]
fn exact_floats_are_as_predicted_also_with_fast_math() {
    let clang: &[&str] = &[newest_clang(), "-O2", "-ffast-math"];
    check_feature(Feature::Float, 1..25, &[&["gcc"], clang, &FAST_MATH]);
}

#[test]
fn vectors_are_as_predicted() {
    check_feature(Feature::Vector, 1..25, &[&["gcc"], &[newest_clang()]]);
}

#[test]
fn integers_of_128_bits_are_as_predicted() {
    let clang: &[&str] = &[newest_clang(), "-O2"];
    check_feature(Feature::Int128, 1..25, &[&["gcc"], clang]);
}

#[test]
fn bit_precise_integers_are_as_predicted() {
    check_feature(Feature::BitInt, 1..25, &[&[newest_clang()]]);
}

#[test]
fn bytes_are_as_predicted() {
    check_feature(Feature::Bytes, 1..25, &[&["gcc"], &[newest_clang()]]);
}

/// Programs of snippets that may have a feature: those that do, as a word tells.
fn check_snippets(feature: Feature, word: &str, compilers: &[&[&str]]) {
    let request = snippets_with(feature);
    let has_word = |number: &u64| generate(&request, *number).text.contains(word);
    let numbers: Vec<u64> = (1..1_000).filter(has_word).take(12).collect();
    assert!(numbers.len() >= 4, "{numbers:?} have {word}");
    check_request(&request, numbers, compilers);
}

fn snippets_with(feature: Feature) -> GenerateRequest {
    GenerateRequest {
        features: vec![
            feature,
            Feature::Loops,
            Feature::Arrays,
            Feature::Calls,
            Feature::Choices,
            Feature::Narrow,
            Feature::Wide,
        ],
        without: Vec::new(),
        mode: ProgramMode::Snippets,
        ..small()
    }
}

#[test]
fn rounded_floats_are_as_predicted() {
    let gcc: &[&str] = &["gcc", "-O2", "-ffp-contract=off", "-march=x86-64-v3"];
    let clang: &[&str] = &[newest_clang(), "-O1", "-ffp-contract=off"];
    check_snippets(Feature::Ieee, "double", &[&["gcc"], gcc, clang]);
}

#[test]
fn arrays_of_computed_length_are_as_predicted() {
    let sanitized: &[&str] = &[
        newest_clang(),
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    check_snippets(
        Feature::Room,
        "__builtin_free(a",
        &[&["gcc", "-O2"], &["tcc"], sanitized],
    );
}

#[test]
fn vectors_with_floating_point_lanes_are_as_predicted_also_with_fast_math() {
    let clang: &[&str] = &[newest_clang(), "-O1", "-ffast-math"];
    check_snippets(Feature::Vector, "(float)", &[&["gcc"], clang, &FAST_MATH]);
}

#[test]
fn the_smallest_and_the_largest_vectors_are_as_predicted() {
    let request = GenerateRequest {
        size: 10_000..=20_000,
        ..snippets_with(Feature::Vector)
    };
    for size in ["vector_size(4)", "vector_size(128)"] {
        let has_one = |number: &u64| generate(&request, *number).text.contains(size);
        let numbers: Vec<u64> = (1..400).filter(has_one).take(4).collect();
        assert_eq!(numbers.len(), 4, "{size}");
        check_request(&request, numbers, &[&["gcc"], &[newest_clang()]]);
    }
}

#[test]
fn loops_that_come_back_to_elements_are_as_predicted() {
    let sanitized: &[&str] = &[
        newest_clang(),
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    for index in [" & 3]", " % 4]", " / 2]", " ^ 1]"] {
        check_snippets(Feature::Pointers, index, &[&["gcc"], sanitized]);
    }
}

/// Each feature that not all compilers have, and then all together, in small programs:
/// `MESTRA_TEST_PROGRAMS` says how many of each.
#[test]
#[ignore = "hundreds of programs of each feature take an hour"]
fn long_features_are_as_predicted() {
    let count = std::env::var("MESTRA_TEST_PROGRAMS");
    let count: u64 = count.map_or(500, |count| count.parse().unwrap());
    let clang = newest_clang();
    let sanitized = [
        clang,
        "-O0",
        "-g1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    let plain: [&[&str]; 3] = [&["gcc"], &[clang], &sanitized];
    for feature in [
        Feature::Float,
        Feature::Vector,
        Feature::Bytes,
        Feature::Int128,
    ] {
        check_feature(feature, 1_000..1_000 + count, &plain);
        println!("{feature:?}: {count} programs");
    }
    check_feature(Feature::BitInt, 1_000..1_000 + count, &plain[1..]);
    let fast = [clang, "-O3", "-ffast-math", "-march=x86-64-v3"];
    check_feature(Feature::Float, 9_000..9_000 + count, &[&fast, &FAST_MATH]);
    for feature in [Feature::Ieee, Feature::Room, Feature::Vector] {
        let request = snippets_with(feature);
        check_request(&request, 1_000..1_000 + count, &plain);
        println!("{feature:?}, in snippets: {count} programs");
    }
    let together = GenerateRequest {
        without: Vec::new(),
        ..small()
    };
    check_request(&together, 1_000..1_000 + count, &plain);
}

#[test]
fn long_expressions_have_the_predicted_values() {
    let request = GenerateRequest {
        mode: ProgramMode::Orange,
        ..small()
    };
    check(&request, 1..31);
}

fn snippets() -> GenerateRequest {
    GenerateRequest {
        size: 6_000..=12_000,
        mode: ProgramMode::Snippets,
        ..GenerateRequest::default()
    }
}

#[test]
fn snippets_do_what_was_predicted() {
    let for_tcc = GenerateRequest {
        without: vec![Feature::Int128, Feature::Vector],
        ..snippets()
    };
    check(&for_tcc, 1..101);
}

#[test]
fn snippets_are_defined() {
    let sanitizer = "-fsanitize=undefined,address";
    let compiler = [
        newest_clang(),
        "-O1",
        sanitizer,
        "-fno-sanitize-recover=all",
    ];
    (1..31u64).into_par_iter().for_each(|number| {
        let dir = tempfile::tempdir().unwrap();
        let program = generate(&snippets(), number);
        let got = printed(&program, &compiler, dir.path());
        assert_eq!(got, Ok(program.output.clone()), "program {number}");
    });
}

#[test]
fn snippets_have_all_that_their_documentation_names() {
    let texts: Vec<String> = (1..201u64)
        .into_par_iter()
        .map(|number| generate(&snippets(), number).text)
        .collect();
    let signs = [
        ("vectors", "__attribute__((vector_size("),
        ("unions", "union u"),
        ("bytes of numbers", "__builtin_memcpy(b"),
        ("structs by value", "    return p"),
        ("walking pointers", "*--q"),
        ("a table of globals", "} list["),
        ("a table of tests", "tests[t]();"),
    ];
    for (what, sign) in signs {
        let count = texts.iter().filter(|text| text.contains(sign)).count();
        assert!(count > 0, "{what}: in no program");
    }
}

/// Snippets that call functions whose text trees cannot hold.
fn extensions() -> GenerateRequest {
    GenerateRequest {
        features: vec![
            Feature::Extensions,
            Feature::Calls,
            Feature::Arrays,
            Feature::Loops,
            Feature::Narrow,
            Feature::Wide,
            Feature::Pointers,
            Feature::Structs,
            Feature::Bytes,
            Feature::Memory,
            Feature::Gotos,
            Feature::Switches,
            Feature::Recursion,
            Feature::Builtins,
            Feature::Float,
            Feature::Vector,
            Feature::Int128,
        ],
        ..snippets()
    }
}

#[test]
fn functions_as_text_do_what_their_models_do() {
    let sanitized = [
        newest_clang(),
        "-O1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    check_request(&extensions(), 1..41, &[&["gcc", "-O0"], &sanitized]);
}

#[test]
fn reduction_leaves_texts_and_their_models_as_they_are() {
    // Planted: a length is one too many.
    let right = "return strlen(s);";
    let planted = |program: &GeneratedProgram| GeneratedProgram {
        text: program.text.replace(right, "return strlen(s) + 1;"),
        ..program.clone()
    };
    let differs = |program: &GeneratedProgram| {
        let dir = tempfile::tempdir().unwrap();
        let got = printed(program, &["gcc", "-O0"], dir.path());
        got.is_ok_and(|got| got != program.output)
    };
    let wrong = |program: &GeneratedProgram| Ok(differs(&planted(program)));
    let has_one = |number: &u64| differs(&planted(&generate(&extensions(), *number)));
    let number = (1..300)
        .find(has_one)
        .expect("some programs ask for a length");
    let small = shrink(&extensions(), number, &wrong, &|| false).unwrap();
    let program = small.expect("it shows the defect").program;
    assert!(program.text.contains(right), "{}", program.text);
    assert!(!differs(&program), "{}", program.text);
}

#[test]
fn the_size_of_snippets_is_about_the_one_that_was_asked_for() {
    let request = GenerateRequest {
        size: 20_000..=20_000,
        ..snippets()
    };
    for number in 1..20 {
        let size = generate(&request, number).text.len();
        assert!((12_000..30_000).contains(&size), "{number}: {size}");
    }
}

#[test]
fn a_snippet_that_shows_a_defect_is_found_among_the_others() {
    // Planted: whoever counts bits gets one too many.
    let wrong = |program: &GeneratedProgram| -> anyhow::Result<bool> {
        let dir = tempfile::tempdir().unwrap();
        let planted = program
            .text
            .replace("__builtin_popcount(", "1 + __builtin_popcount(");
        let planted = GeneratedProgram {
            text: planted,
            ..program.clone()
        };
        let got = printed(&planted, &["gcc", "-O0"], dir.path());
        Ok(got.is_ok_and(|got| got != program.output))
    };
    let request = GenerateRequest {
        size: 20_000..=30_000,
        ..snippets()
    };
    let has_one = |number: &u64| wrong(&generate(&request, *number)).unwrap();
    let number = (1..100).find(has_one).expect("some programs count bits");
    let small = shrink(&request, number, &wrong, &|| false).unwrap();
    let text = small.expect("it shows the defect").program.text;
    // Before it stand builtin functions for compilers that have none.
    let program = text.split("#endif\n").last().unwrap();
    // What is printed of a large global is for the reduction of texts to leave out.
    let lines = program.lines().filter(|line| !line.contains("printf("));
    assert!(lines.count() <= 25, "{text}");
}

#[test]
fn asserts_find_every_output_as_predicted() {
    let request = GenerateRequest {
        check: OutputCheck::Asserts,
        ..small()
    };
    for number in 1..6 {
        let program = generate(&request, number);
        assert_eq!(program.output, "as predicted\n");
        assert!(is_as_predicted(number, &program).is_ok());
    }
}

#[test]
fn the_same_number_makes_the_same_program() {
    let texts = |jobs| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(jobs)
            .build()
            .unwrap();
        let make = |number| generate(&small(), number).text;
        pool.install(|| (1..9u64).into_par_iter().map(make).collect::<Vec<_>>())
    };
    let texts = [texts(1), texts(4)];
    assert_eq!(texts[0], texts[1]);
    assert_ne!(texts[0][0], texts[0][1]);
}

#[test]
fn programs_do_without_what_is_not_wanted() {
    let request = GenerateRequest {
        without: vec![
            Feature::Gotos,
            Feature::Builtins,
            Feature::Facts,
            Feature::Memory,
            Feature::Vector,
            Feature::Int128,
        ],
        ..small()
    };
    for number in 1..20 {
        let text = generate(&request, number).text;
        let own = text.split("#endif").last().unwrap();
        assert!(
            !own.contains("goto ") && !own.contains("__builtin_"),
            "{number}"
        );
    }
}

#[test]
fn programs_mean_the_same_in_c_plus_plus() {
    let clang = newest_clang().replace("clang", "clang++");
    (1..41u64).into_par_iter().for_each(|number| {
        let language = ProgramLanguage::CPlusPlus;
        let program = generate(
            &GenerateRequest {
                language,
                ..small()
            },
            number,
        );
        let dir = tempfile::tempdir().unwrap();
        let compiler = if number % 4 < 2 { "g++" } else { &clang };
        let got = printed(&program, &[compiler, "-x", "c++"], dir.path());
        assert_eq!(got, Ok(program.output.clone()), "{number} with {compiler}");
    });
}

/// The program as a compiler would translate it that takes `^` for `|` in functions.
fn with_planted_defect(program: &GeneratedProgram) -> GeneratedProgram {
    let text = &program.text;
    let start = text.rfind("#endif").unwrap_or(0);
    let end = text.find("static volatile long long in[");
    let end = end.or_else(|| text.find("int main")).unwrap();
    let functions = text[start..end].replace(" ^ ", " | ");
    GeneratedProgram {
        text: format!("{}{functions}{}", &text[..start], &text[end..]),
        ..program.clone()
    }
}

#[test]
fn what_shows_a_planted_defect_becomes_small_without_sanitizers() {
    let shows = |program: &GeneratedProgram| {
        let dir = tempfile::tempdir().unwrap();
        let printed = printed(&with_planted_defect(program), &["tcc"], dir.path());
        Ok(printed.is_ok_and(|printed| printed != program.output))
    };
    // Floats and bytes need the text that loads and checks them.
    let request = GenerateRequest {
        without: vec![
            Feature::Vector,
            Feature::Float,
            Feature::Bytes,
            Feature::Int128,
        ],
        ..small()
    };
    let mut sizes = Vec::new();
    for number in 1..30 {
        if sizes.len() == 3 {
            break;
        }
        let Some(small) = shrink(&request, number, &shows, &|| false).unwrap() else {
            continue;
        };
        let text = &small.program.text;
        let own = text.rfind("#endif").map_or(text.as_str(), |at| &text[at..]);
        sizes.push(own.lines().count());
        // It is still a program with a known output.
        let dir = tempfile::tempdir().unwrap();
        let got = printed(&small.program, &["gcc"], dir.path());
        assert_eq!(got, Ok(small.program.output.clone()), "{text}");
    }
    sizes.sort_unstable();
    assert!(sizes.len() >= 3, "{sizes:?}");
    assert!(sizes[sizes.len() / 2] <= 40, "{sizes:?}");
}

#[test]
#[ignore = "ten thousand programs and all sanitizers take an hour"]
fn ten_thousand_programs_of_all_sizes_are_as_predicted_and_defined() {
    let request = GenerateRequest {
        without: vec![Feature::Vector, Feature::Int128],
        ..GenerateRequest::default()
    };
    let sanitizers: [&[&str]; 4] = [
        &[
            newest_clang(),
            "-O1",
            "-fsanitize=undefined,address",
            "-fno-sanitize-recover=all",
        ],
        &[
            newest_clang(),
            "-O1",
            "-fsanitize=memory",
            "-fno-sanitize-recover=all",
        ],
        &[
            "gcc",
            "-O1",
            "-fsanitize=undefined,address",
            "-fno-sanitize-recover=all",
        ],
        &[newest_clang(), "-O0"],
    ];
    check(&request, 1..10_001);
    (0..500u64)
        .into_par_iter()
        .map(|at| 1 + 20 * at)
        .for_each(|number| {
            let program = generate(&request, number);
            let dir = tempfile::tempdir().unwrap();
            for sanitizer in sanitizers {
                let got = printed(&program, sanitizer, dir.path());
                assert_eq!(got, Ok(program.output.clone()), "{number} {sanitizer:?}");
            }
        });
}
