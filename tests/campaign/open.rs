//! Programs whose output depends on what C and compilers leave open: nobody is accused.

use super::{LIVE, Place, SEED, command, ends_with, rows};
use crate::support::{newest_clang, repository, skipped};
use mestra::hunt::finding::Finding;
use mestra::lab::process::Command;
use mestra::source::seed::seeds_in;
use std::path::Path;

/// A campaign over seeds of `tests/data/open`; what was found, and what was dismissed.
fn campaign(seeds: &[&str], compilers: &[&str], flags: &[&str], variants: &str) -> String {
    let place = Place::new();
    let out = place.path("out");
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    arguments.extend(["-n", variants, "--profile-probability", "1"]);
    arguments.extend(["--strategy", "hermes,orion,athena,all"]);
    let directory = repository().join("tests/data/open");
    let seeds: Vec<String> = seeds
        .iter()
        .map(|seed| directory.join(seed).to_str().unwrap().to_owned())
        .collect();
    for seed in &seeds {
        arguments.extend(["--seeds", seed]);
    }
    for compiler in compilers {
        arguments.extend(["--compiler", compiler]);
    }
    let flags: Vec<String> = flags
        .iter()
        .map(|set| format!("--flag-set={set}"))
        .collect();
    arguments.extend(flags.iter().map(String::as_str));
    ends_with(&command(&arguments).run().unwrap(), 0);
    dismissed(&out)
}

fn dismissed(out: &Path) -> String {
    let dismissed = rows(
        out,
        "SELECT DISTINCT seeds.name || ': ' || dismissed FROM runs
         JOIN seeds ON seeds.number = runs.seed WHERE dismissed IS NOT NULL",
    );
    format!("{dismissed:#?}")
}

/// Whether the processor can run what `-march=haswell` makes.
fn has_fma() -> bool {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    about.contains(" fma ") && about.contains(" avx2 ")
}

#[test]
fn optimisers_that_fold_are_not_accused() {
    let seeds = ["sign_of_nan.c", "constant_p.c", "comparison_result.c"];
    let said = campaign(&seeds, &[newest_clang()], &["-O2"], "4");
    for value in ["nan", "compiler-knowledge", "comparison-result"] {
        assert!(said.contains(value), "no {value} in {said}");
    }
}

#[test]
fn checks_that_only_flags_ask_for_are_not_held_against_a_compiler() {
    let seeds = ["fortified_by_flags.c"];
    let said = campaign(&seeds, &["gcc"], &["-O2 -D_FORTIFY_SOURCE=2"], "1");
    assert!(said.contains("fortification"), "{said}");
}

#[test]
fn products_and_sums_are_not_fused_unless_flags_demand_it() {
    if !has_fma() {
        skipped("contraction", "the processor has no fused operations");
        return;
    }
    let seeds = ["contraction.c"];
    let fused = "-O3 -march=haswell -ffp-contract=fast";
    let said = campaign(&seeds, &["gcc"], &["-O3 -march=haswell"], "4");
    assert!(!said.contains("rounding"), "{said}");
    let said = campaign(&seeds, &["gcc"], &[fused], "4");
    assert!(said.contains("rounding"), "{said}");
}

#[test]
fn a_program_that_is_linked_only_if_calls_are_folded_accuses_nobody() {
    let said = campaign(&["only_unoptimised.c"], &["gcc"], &["-O2"], "16");
    assert!(said.contains("macro"), "{said}");
}

#[test]
fn compilers_may_believe_what_programs_promise_them() {
    let seeds = ["jump.c", "effect_of_const.c", "float_environment.c"];
    let said = campaign(&seeds, &["gcc"], &["-O2"], "1");
    for value in ["jump", "promise", "float-environment"] {
        assert!(said.contains(value), "no {value} in {said}");
    }
}

#[test]
fn a_compiler_that_stands_alone_may_do_so_where_a_program_breaks_its_word() {
    let seeds = ["constant_written.c", "literal.c"];
    let said = campaign(&seeds, &["gcc", newest_clang()], &["-O0"], "1");
    for value in ["promise", "literal"] {
        assert!(said.contains(value), "no {value} in {said}");
    }
}

/// One seed is known by sanitizers that move its objects, the other by one that reports it.
#[test]
fn where_objects_lie_is_up_to_the_compiler() {
    let seeds = ["one_past_the_end.c", "address_order.c"];
    let said = campaign(&seeds, &["gcc"], &["-O2"], "1");
    assert!(said.contains("unsteady"), "{said}");
}

#[test]
fn the_precision_of_the_x87_is_not_held_against_a_compiler() {
    let seeds = ["excess_precision.c"];
    let said = campaign(&seeds, &["gcc -mfpmath=387"], &["-O2"], "2");
    assert!(said.contains("rounding"), "{said}");
}

/// A campaign over a seed on which gcc and clang disagree without optimisation, which is kept
/// unchecked for this reason.
fn is_kept_unchecked(seed: &str, reason: &str) {
    let place = Place::new();
    let out = place.path("out");
    let seed = repository().join("tests/data/open").join(seed);
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    arguments.extend(["--seeds", seed.to_str().unwrap(), "-n", "1"]);
    arguments.extend(["--compiler", newest_clang(), "--flag-set=-O0"]);
    ends_with(&command(&arguments).run().unwrap(), 5);
    let kept = rows(&out, "SELECT standing, json FROM suspicions");
    assert!(kept.len() == 1 && kept[0].contains(reason), "{kept:?}");
    let directories = std::fs::read_dir(out.join("suspicions")).unwrap();
    assert_eq!(directories.count(), 1);
}

#[test]
fn compilers_that_evaluate_in_another_order_are_kept_unchecked() {
    is_kept_unchecked("order_of_evaluation.c", "open-order");
}

#[test]
fn compilers_to_which_a_word_means_something_else_are_kept_unchecked() {
    is_kept_unchecked("dialect_wide_field.c", "wide-field");
    is_kept_unchecked("dialect_mode.c", "other-dialect");
}

fn clang_version() -> u32 {
    let version = newest_clang().rsplit('-').next();
    version.and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn products_of_half_precision_are_rounded_in_two_ways() {
    if clang_version() < 22 {
        skipped("half precision", "this clang may not have it");
        return;
    }
    let seeds = ["half_precision.c"];
    let said = campaign(&seeds, &[newest_clang()], &["-O0"], "1");
    assert!(said.contains("rounding"), "{said}");
}

#[test]
fn lines_and_enumerators_that_compilers_see_differently_are_kept_unchecked() {
    is_kept_unchecked("dialect_line_number.c", "line-number");
    // Earlier versions know C23 less well.
    if clang_version() >= 22 {
        is_kept_unchecked("dialect_wide_enumerator.c", "wide-enumerator");
    } else {
        skipped(
            "enumerators",
            "this clang gives them the types that gcc 12 does",
        );
    }
}

#[test]
fn lanes_that_no_sanitizer_looks_at_accuse_nobody() {
    let place = Place::new();
    let out = place.path("out");
    let seed = repository().join("tests/data/open/dialect_vector.c");
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    arguments.extend(["--seeds", seed.to_str().unwrap(), "-n", "1"]);
    arguments.extend(["--compiler", "gcc", "--flag-set=-O2"]);
    ends_with(&command(&arguments).run().unwrap(), 5);
    let kept = rows(&out, "SELECT json FROM suspicions");
    assert!(!kept.is_empty() && kept[0].contains("vector"), "{kept:?}");
}

/// gcc and clang write the name of a function, and begin to evaluate, in two ways.
#[test]
fn habits_of_gcc_and_clang_accuse_nobody() {
    let seeds = ["assertion.c", "sequence.c", "exit_status.c"];
    let said = campaign(&seeds, &["gcc", newest_clang()], &["-O0"], "1");
    for value in ["function-name", "sequence", "exit-status"] {
        assert!(said.contains(value), "no {value} in {said}");
    }
}

#[test]
fn sections_and_twins_accuse_nobody() {
    let seeds = ["section.c", "inline_twin.c"];
    let said = campaign(&seeds, &["gcc"], &["-O2"], "1");
    for value in ["section", "promise"] {
        assert!(said.contains(value), "no {value} in {said}");
    }
}

#[test]
fn the_greatest_alignment_is_for_each_compiler_to_choose() {
    let said = campaign(&["greatest_alignment.c"], &["tcc"], &["-O0"], "1");
    assert!(said.contains("alignment"), "{said}");
}

#[test]
fn promises_by_attributes_labels_and_old_declarations_accuse_nobody() {
    let seeds = ["memory_not_new.c", "second_name.c", "argument_types.c"];
    let said = campaign(&seeds, &["gcc"], &["-O2"], "1");
    for seed in seeds {
        assert!(said.contains(seed), "nothing of {seed} in {said}");
    }
}

#[test]
fn bytes_that_belong_to_nobody_and_hidden_overflows_accuse_nobody() {
    let said = campaign(&["padding.c"], &["gcc"], &["-O2"], "1");
    assert!(said.contains("padding"), "{said}");
    let seeds = ["unsanitized.c"];
    let said = campaign(&seeds, &["gcc", newest_clang()], &["-O2"], "1");
    assert!(said.contains("unsanitized"), "{said}");
}

#[test]
fn functions_without_a_declaration_accuse_nobody() {
    let said = campaign(&["undeclared.c"], &["gcc"], &["-O2 -fno-builtin"], "1");
    assert!(said.contains("undeclared"), "{said}");
}

const ALIASING: &str = "#include <stdio.h>
static int one(int *whole, short *part)
{
    *whole = 1;
    *part = 7;
    return *whole;
}
int main(void)
{
    int x = 0;
    printf(\"%d\\n\", one(&x, (short *)&x));
    return 0;
}
";

/// The same memory by two types, without a cast.
const SILENT_ALIASING: &str = "#include <stdio.h>
static int one(int *whole, float *part)
{
    *whole = 1;
    *part = 2.0f;
    return *whole;
}
int main(void)
{
    int x = 0;
    void *p = &x;
    float *q = p;
    printf(\"%d\\n\", one(&x, q) == 1);
    return 0;
}
";

/// The same memory by two pointers of which each promises to be the only one.
const RESTRICTED: &str = "#include <stdio.h>
__attribute__((noinline)) static int sum(int *restrict a, int *restrict b)
{
    *a = 1;
    *b = 2;
    return *a + *b;
}
int main(void)
{
    int x = 0;
    printf(\"%d\\n\", sum(&x, &x));
    return 0;
}
";

#[test]
fn violations_that_no_cast_shows_are_shown_apart_as_well() {
    for (text, said) in [
        (SILENT_ALIASING, "line 12 of the seed takes memory"),
        (
            RESTRICTED,
            "right without the word restrict, which is in line 2",
        ),
    ] {
        let place = Place::new();
        let (out, seed) = (place.path("out"), place.write("seed.c", text));
        let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
        arguments.extend(["-n", "1", "--seeds", seed.to_str().unwrap()]);
        arguments.extend(["--compiler", "gcc", "--flag-set=-O2"]);
        ends_with(&command(&arguments).run().unwrap(), 6);
        let kept = rows(&out, "SELECT id FROM suspicions");
        let finding = Finding::read(&out.join("suspicions").join(&kept[0])).unwrap();
        let standing = finding.standing.to_string();
        assert!(standing.contains(said), "{standing}");
    }
}

#[test]
fn what_may_be_an_aliasing_violation_is_shown_apart() {
    let place = Place::new();
    let (out, seed) = (place.path("out"), place.write("seed.c", ALIASING));
    let mut arguments = vec!["campaign", "-o", out.to_str().unwrap(), "-n", "1"];
    arguments.extend(["--seeds", seed.to_str().unwrap()]);
    arguments.extend(["--compiler", "gcc", "--flag-set=-O2"]);
    let outcome = command(&arguments).run().unwrap();
    ends_with(&outcome, 6);
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(said.contains("1 possible aliasing violation"), "{said}");
    let kept = rows(&out, "SELECT id, standing FROM suspicions");
    assert_eq!(kept, ["s000001-seed-gcc-O2 | possible-aliasing"]);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("line 11 of the seed takes memory"), "{page}");
}

#[test]
fn a_failure_that_cannot_be_checked_is_kept_with_all_that_shows_it() {
    let place = Place::new();
    let (out, seed) = (place.path("out"), place.write("seed.c", SEED));
    // It takes no program that records its values.
    let refuses = "grep -q mestra__ \"$source\" && exit 1; exec gcc -DWRONG \"$@\"";
    let compiler = place.fake("mycc", "gcc", "mestra_", refuses);
    let mut arguments = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    arguments.extend(LIVE);
    arguments.extend(["--seeds", seed.to_str().unwrap(), "--compiler", &compiler]);
    arguments.extend(["--flag-set=-O1", "-n", "2", "--profile-probability", "1"]);
    ends_with(&command(&arguments).run().unwrap(), 5);
    let kept = rows(&out, "SELECT id FROM suspicions");
    let finding = Finding::read(&out.join("suspicions").join(&kept[0])).unwrap();
    let standing = finding.standing.to_string();
    assert!(standing.contains("cannot be observed"), "{standing}");
    let script = out.join("suspicions").join(&kept[0]).join("repro.sh");
    let shown = Command::new(script).directory("/").run().unwrap();
    ends_with(&shown, 0);
}

#[test]
#[ignore = "long"]
fn nobody_is_accused_of_what_is_open() {
    let levels = ["-O1", "-O2", "-O3", "-O3 -march=haswell"];
    let levels = if has_fma() { &levels[..] } else { &levels[..3] };
    let seeds = seeds_in(&repository().join("tests/data/open")).unwrap();
    let names = seeds.iter().filter_map(|path| path.file_name()?.to_str());
    // Which are kept unchecked; see above.
    let is_unchecked = |name: &&str| name.starts_with("order_") || name.starts_with("dialect_");
    let names: Vec<&str> = names.filter(|name| !is_unchecked(name)).collect();
    campaign(&names, &["gcc", newest_clang()], levels, "10");
}
