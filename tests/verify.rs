//! The check of variants itself: what it must notice, and who may object.

use crate::support::{executable, newest_clang, skipped};
use mestra::error::Disagreement;
use mestra::hunt::verify::{Objection, Problem, Soundness, Survey, Verifier};
use mestra::lab::process::{Command, Ending};
use mestra::lab::toolchain::{Compiler, Family};
use mestra::lab::{Behaviour, Expectation, Lab};
use mestra::source::clang::Clang;
use mestra::source::seed::Seed;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

fn seed(directory: &tempfile::TempDir, source: &str) -> Seed {
    let path = directory.path().join("seed.c");
    std::fs::write(&path, source).unwrap();
    Seed::read(&path, &[]).unwrap()
}

/// What is wrong with a text whose seed prints 3.
fn problems(text: &str) -> Vec<Problem> {
    let directory = tempfile::tempdir().unwrap();
    let printing = "#include <stdio.h>\nint main(void) { printf(\"3\\n\"); return 0; }\n";
    let seed = seed(&directory, printing);
    let verifier = Verifier::new(&Lab::default(), &seed, LIMIT).unwrap();
    assert!(verifier.notes().is_empty(), "{:?}", verifier.notes());
    verifier.check(text.as_bytes()).unwrap()
}

#[track_caller]
fn only_sanitizers_say(text: &str, what: &str) {
    let problems = problems(text);
    assert!(!problems.is_empty(), "{text}");
    for problem in &problems {
        assert!(problem.way.is_sanitizer(), "{problem}");
        assert!(problem.objection.is_report(), "{problem:?}");
    }
    assert!(
        problems
            .iter()
            .any(|p| p.objection.to_string().contains(what)),
        "{problems:?}"
    );
}

#[test]
fn the_same_output_is_no_problem() {
    let text = "#include <stdio.h>\nint main(void) { puts(\"3\"); return 0; }\n";
    assert_eq!(problems(text), []);
}

/// Sanitizers have a `qsort` of their own, which compares more often.
#[test]
fn a_sanitizer_that_changes_the_seed_does_not_judge_its_variants() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nstatic int calls;\n\
        static int order(const void *a, const void *b)\n\
        { calls++; return *(const int *)a - *(const int *)b; }\n\
        int main(void) { int t[9] = { 3, 1, 2 }; qsort(t, 9, sizeof *t, order);\n\
        printf(\"%d\\n\", calls); return 0; }\n";
    let directory = tempfile::tempdir().unwrap();
    let seed = seed(&directory, source);
    let verifier = Verifier::new(&Lab::default(), &seed, LIMIT).unwrap();
    let notes: Vec<String> = verifier.notes().iter().map(ToString::to_string).collect();
    assert!(!notes.is_empty());
    let is_known = |note: &String| note.contains("makes the seed itself do something else");
    assert!(notes.iter().all(is_known), "{notes:?}");
    // Right where nothing changes how often it compares.
    let plain = directory.path().join("plain");
    let build = Command::new("gcc").arg("-o").arg(&plain).arg(&seed.path);
    assert!(build.run().unwrap().ending.is_success());
    let counted = Command::new(&plain).run().unwrap();
    let counted = String::from_utf8(counted.stdout).unwrap();
    let variant = source.replace("return 0;", &format!("return calls != {};", counted.trim()));
    assert_eq!(verifier.check(variant.as_bytes()).unwrap(), []);
}

/// What lies there is the next struct's, so no other sanitizer objects.
#[test]
fn an_index_beyond_an_array_at_the_end_of_a_struct_is_reported() {
    let text = "#include <stdio.h>\nstruct s { int n, last[2]; } many[9];\n\
        int main(void) { volatile int i = 5; struct s *p = many;\n\
        p->last[i] = 1; puts(\"3\"); return 0; }\n";
    let newest = Compiler::find(newest_clang()).unwrap();
    let words = [
        "-fstrict-flex-arrays=1",
        "-x",
        "c",
        "-fsyntax-only",
        "/dev/null",
    ];
    if !Command::new(&newest.path)
        .args(words)
        .run()
        .unwrap()
        .ending
        .is_success()
    {
        skipped("arrays at the end", "no clang is new enough");
        return;
    }
    only_sanitizers_say(text, "out of bounds");
}

#[test]
fn everybody_sees_another_output_or_end() {
    let all = 2 + usize::from(Compiler::find("tcc").is_ok()) + 3;
    let other_end = "#include <stdio.h>\nint main(void) { puts(\"3\"); return 7; }\n";
    let found = problems(other_end);
    assert_eq!(found.len(), all, "{found:?}");
    let what = "on input 1: ends with exit status 7, its seed with exit status 0";
    assert!(
        found.iter().all(|p| p.objection.to_string() == what),
        "{found:?}"
    );
    let other_output = "#include <stdio.h>\nint main(void) { puts(\"4\"); return 0; }\n";
    let found = problems(other_output);
    assert_eq!(found.len(), all, "{found:?}");
    let what = "on input 1: line 1 of its output is \"4\", its seed's \"3\"";
    assert!(
        found.iter().all(|p| p.objection.to_string() == what),
        "{found:?}"
    );
    let found = problems("int main(void) { return y; }\n");
    assert_eq!(found.len(), all, "{found:?}");
    let is_rejected =
        |problem: &Problem| matches!(problem.objection, Objection::DoesNotCompile { .. });
    assert!(found.iter().all(is_rejected), "{found:?}");
}

#[test]
fn undefined_behaviour_is_seen_though_the_output_is_the_same() {
    only_sanitizers_say(
        "#include <stdio.h>\n#include <limits.h>\nint i = INT_MAX;\n\
         int main(void) { i = i + 1; puts(\"3\"); return 0; }\n",
        "signed integer overflow",
    );
    only_sanitizers_say(
        "#include <stdio.h>\nint a[3], n = 3;\nint b;\n\
         int main(void) { b = a[n]; puts(\"3\"); return 0; }\n",
        "out of bounds",
    );
    only_sanitizers_say(
        "#include <stdio.h>\nvoid f(int *p) {}\n\
         int main(void) { int i; f(&i); puts(i == 12345 ? \"4\" : \"3\"); return 0; }\n",
        "MemorySanitizer",
    );
}

/// A program that does something else with gcc than with clang.
const TWO_FACED: &str =
    "int main(void)\n{\n#ifdef __clang__\nreturn 1;\n#else\nreturn 0;\n#endif\n}\n";

#[test]
fn trusted_compilers_that_disagree_are_a_disagreement_also_as_witnesses() {
    let directory = tempfile::tempdir().unwrap();
    let seed = seed(&directory, TWO_FACED);
    let mut witnesses = Compiler::trusted().unwrap();
    for _ in 0..2 {
        let Survey::Split(split) =
            Verifier::survey(&Lab::default(), &seed, &witnesses, LIMIT).unwrap()
        else {
            panic!("gcc and clang agree on a program that tells them apart");
        };
        assert_eq!(split.one.0.compiler.family, Family::Gcc);
        assert_eq!(split.other.0.compiler.family, Family::Clang);
        let refused =
            Verifier::with_witnesses(&Lab::default(), &seed, &witnesses, LIMIT).unwrap_err();
        assert!(refused.is::<Disagreement>(), "{refused}");
        witnesses.clear();
    }
}

#[test]
fn a_witness_that_sees_another_seed_is_not_asked() {
    let directory = tempfile::tempdir().unwrap();
    let seed = seed(&directory, "int main(void) { return MARK; }\n");
    let seed = Seed {
        flags: vec!["-DMARK=0".into()],
        ..seed
    };
    // A gcc that does what it likes with the seed, and with every variant.
    let script = directory.path().join("gcc-other");
    executable(&script, "#!/bin/sh\nexec gcc \"$@\" -UMARK -DMARK=1\n");
    let witness = Compiler::find(script.to_str().unwrap()).unwrap();
    let verifier = Verifier::with_witnesses(
        &Lab::default(),
        &seed,
        std::slice::from_ref(&witness),
        LIMIT,
    )
    .unwrap();
    let notes: Vec<&Compiler> = verifier.notes().iter().map(|n| &n.way.compiler).collect();
    assert_eq!(notes, [&witness]);
    assert_eq!(verifier.check(&seed.source).unwrap(), []);
}

/// Whether a text may take the place of a start that returns 0.
fn is_c(start: &str, text: &str) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let seed = seed(&directory, start);
    let clang = Clang::load().unwrap();
    let expected = Expectation::measured(vec![Behaviour {
        ending: Ending::Exited(0),
        stdout: Vec::new(),
        stderr: Vec::new(),
    }]);
    let sound = Soundness::new(
        &Lab::default(),
        &clang,
        &seed,
        start.as_bytes(),
        &expected,
        LIMIT,
    )
    .unwrap();
    assert!(sound.is_c(start.as_bytes()), "{start}");
    sound.is_c(text.as_bytes())
}

#[test]
fn a_smaller_program_reads_nothing_that_was_not_written() {
    let start = "int main(void) { int i, j; for (i = 0; i < 2; i++) j = 0; j = 1; j--; return j; }";
    assert!(is_c(start, &start.replace("j--;", "")));
    // Nothing comes of `j--` here, and no sanitizer tells.
    let unwritten = "int main(void) { int i, j; for (i = 0; i < 2; i++) j = 0; j--; return 0; }";
    assert!(!is_c(start, unwritten));
    // What the start does already is no reason to stop, but for that variable only.
    let both =
        "int main(void) { int i, j, k; for (i = 0; i < 2; i++) j = k = 0; j--; k--; return 0; }";
    assert!(is_c(unwritten, unwritten));
    assert!(!is_c(unwritten, both));
}

#[test]
fn a_smaller_program_has_a_main_that_compilers_take() {
    let start = "int main(int argc, char **argv) { return 0; }";
    assert!(is_c(start, "int main(void) { return 0; }"));
    assert!(!is_c(start, "int main(int argc) { return 0; }"));
}
