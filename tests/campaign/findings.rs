//! Findings and seeds: directories that reproduce alone, seeds that are set aside.

use super::{ANY, LIVE, Place, SEED, VARIANT, campaign, command, ends_with, files, rows};
use mestra::hunt::campaign::judge::Judge;
use mestra::hunt::finding::{self, Finding};
use mestra::lab::{Lab, Stage};
use mestra::variant::replay::VariantRecord;
use std::fs;
use std::process::Command;

#[test]
fn a_finding_reproduces_alone_in_another_place() {
    let place = Place::new();
    place.write("seeds/inner/part.h", "static int part = 1;\n");
    let text = format!(
        "/* mestra-flags: -I{}/seeds/inner */\n/* mestra-run: 'a b' < in.txt */\n\
         #include \"part.h\"\n#include \"beside.h\"\n{}",
        place.path("").display(),
        SEED.replace(
            "return 0;",
            "printf(\"%d %d\\n\", getchar(), part + BESIDE); return 0;"
        )
    );
    place.write("seeds/beside.h", "#define BESIDE 5\n");
    place.write("seeds/in.txt", "xyz\n");
    let seed = place.write("seeds/my seed.c", &text);
    let wrong = place.fake("gcc-wrong", "gcc", VARIANT, "exec gcc -DWRONG \"$@\"");
    let crash = place.fake("gcc-crash", "gcc", ANY, "kill -ABRT $$");
    let out = place.path("out");
    let arguments = [
        "--seeds",
        seed.to_str().unwrap(),
        "--compiler",
        &wrong,
        "--compiler",
        &crash,
        "--flag-set=-O1",
        "-n",
        "1",
        "--profile-probability",
        "1",
    ];
    ends_with(&campaign(&out, &arguments), 2);
    let directories = finding::directories(&out).unwrap();
    let names: Vec<_> = directories.iter().map(|d| d.file_name().unwrap()).collect();
    assert_eq!(
        names,
        ["s000001-seed-gcc-crash-O1", "s000001-v001-gcc-wrong-O1"]
    );
    fs::remove_dir_all(place.path("seeds")).unwrap();
    for directory in &directories {
        let elsewhere = place.path("elsewhere");
        let copied = Command::new("cp")
            .arg("-r")
            .arg(directory)
            .arg(&elsewhere)
            .status();
        assert!(copied.unwrap().success());
        let repro = |cc: Option<&str>| {
            let mut repro = Command::new(elsewhere.join("repro.sh"));
            repro.current_dir("/");
            repro.envs(cc.map(|cc| ("CC", cc)));
            let output = repro.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            (output.status.code(), said)
        };
        let (status, said) = repro(None);
        assert!(
            status == Some(0) && said.contains("the failure is reproduced"),
            "{said}"
        );
        let (status, said) = repro(Some("gcc"));
        assert!(
            status == Some(1) && said.contains("not reproduced"),
            "{said}"
        );

        // The judge says the same of the failing text, and nothing of the seed.
        let finding = Finding::read(&elsewhere).unwrap();
        let seed = finding.seed(&elsewhere).unwrap();
        let stage = Stage::new(&seed).unwrap();
        let lab = Lab::default();
        let judge = Judge::of_finding(&lab, &finding, &stage);
        let verdict = |text: &[u8]| judge.judge(text, &finding.expectation()).unwrap();
        assert_eq!(
            verdict(&finding.program(&elsewhere).unwrap()),
            finding.verdict
        );
        assert_eq!(verdict(&seed.source).is_same(), finding.variant.is_some());
        fs::remove_dir_all(elsewhere).unwrap();
    }
    let finding = Finding::read(&directories[1]).unwrap();
    assert_eq!(
        finding.confirmations.len(),
        6,
        "{:?}",
        finding.confirmations
    );
    let text = fs::read(directories[1].join("variant.c")).unwrap();
    let record = VariantRecord::read(&directories[1].join("record.json")).unwrap();
    let seed = finding.seed(&directories[1]).unwrap();
    let replayed = record.replay(&crate::support::clang(), &seed, None);
    assert!(replayed.unwrap() == text);
    let names: Vec<_> = files(&directories[1])
        .into_iter()
        .map(|file| file.0)
        .collect();
    let names: Vec<_> = names.iter().map(|name| name.to_str().unwrap()).collect();
    let expected = [
        "actual.txt",
        "expected.txt",
        "finding.json",
        "include/beside.h",
        "include/part.h",
        "input-1.txt",
        "record.json",
        "repro.sh",
        "seed.c",
        "variant.c",
    ];
    assert_eq!(names, expected);
}

#[test]
fn seeds_of_no_use_are_set_aside_with_the_reason() {
    let place = Place::new();
    let bad = [
        (
            "clock.c",
            "#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf(\"%d\\n\", (int)getpid()); return 0; }\n",
            "changes-from-run-to-run",
        ),
        (
            "endless.c",
            "int main(void) { volatile int x = 1; while (x) {} return 0; }\n",
            "does-not-end",
        ),
        ("no_program.c", "int main(void) { return x; }\n", "rejected"),
        (
            "undefined.c",
            "#include <limits.h>\nint main(void) { volatile int x = INT_MAX; x = x + 1; return 0; }\n",
            "signed integer overflow",
        ),
        (
            "uninitialised.c",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); int x = 0; if (*p == 77) x = 1; free(p); return x; }\n",
            "MemorySanitizer",
        ),
    ];
    for (name, text, _) in bad {
        place.write(&format!("seeds/{name}"), text);
    }
    let out = place.path("out");
    let seeds = place.path("seeds");
    let arguments = [
        "--seeds",
        seeds.to_str().unwrap(),
        "--compiler",
        "tcc",
        "-n",
        "1",
        "--seed-timeout",
        "1",
    ];
    let outcome = campaign(&out, &arguments);
    // Nothing was tested.
    ends_with(&outcome, 3);
    let summary = String::from_utf8_lossy(&outcome.stdout).into_owned();
    for reason in [
        "behaves differently from run to run",
        "does not end within 1 s",
        "gcc -O0: rejected: '…' undeclared",
        "reports the seed itself: runtime error: signed integer overflow: … + 1 cannot",
        "reports the seed itself: WARNING: MemorySanitizer: use-of-uninitialized-value",
    ] {
        assert!(summary.contains(reason), "{summary}");
    }
    let said = rows(
        &out,
        "SELECT name, state, reason FROM seeds ORDER BY number",
    );
    assert_eq!(said.len(), bad.len());
    for ((name, _, reason), row) in bad.iter().zip(&said) {
        assert!(
            row.starts_with(&format!("{name} | set aside | ")) && row.contains(reason),
            "{row}"
        );
    }
}

#[test]
fn trusted_compilers_that_disagree_on_a_seed_are_a_finding() {
    let place = Place::new();
    // Without two calls in one sum, whose order might explain a difference.
    let seed = place.write("seed.c", &SEED.replace("ADD(first(), second())", "first()"));
    let clang = crate::support::newest_clang();
    // The newest clang on PATH is trusted.
    place.fake(
        "clang-59",
        clang,
        ANY,
        &format!("exec {clang} -DWRONG \"$@\""),
    );
    let out = place.path("out");
    let path = format!(
        "{}:{}",
        place.path("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let outcome = command(&[
        "campaign",
        "--no-reduce",
        "--out",
        out.to_str().unwrap(),
        "--seeds",
        seed.to_str().unwrap(),
        "--compiler",
        "tcc",
        "-n",
        "1",
    ])
    .env("PATH", path)
    .run()
    .unwrap();
    ends_with(&outcome, 2);
    let found = rows(&out, "SELECT id, verdict, signature FROM findings");
    assert_eq!(found, ["s000001-seed-clang-59-O0 | wrong-output | output"]);
    let aside = rows(&out, "SELECT reason FROM seeds");
    assert_eq!(
        aside,
        [
            r#"{"kind":"compilers-disagree","one":{"compiler":"gcc"},"other":{"compiler":"clang-59"}}"#
        ]
    );
    let directory = out.join("findings/s000001-seed-clang-59-O0");
    let said = Finding::read(&directory).unwrap().confirmations;
    let says = |what: &str| said.iter().any(|one| one.to_string().contains(what));
    assert!(
        says("clang-59 -O0 stands alone against tcc -O0, gcc -O0"),
        "{said:?}"
    );
    assert!(says("sanitizers report nothing about the seed"), "{said:?}");
    assert!(!says(" agree"), "{said:?}");
}

#[test]
fn a_sanitizer_of_the_accused_compiler_is_believed() {
    let place = Place::new();
    let undefined = "#ifdef UB\n    int big = 2147483647;\n    calls += big + 1 < 0;\n#endif\n";
    let seed = place.write(
        "seed.c",
        &SEED.replace("#ifdef WRONG", &format!("{undefined}#ifdef WRONG")),
    );
    // The newest clang on PATH is trusted.
    let clang = crate::support::newest_clang();
    let clang = place.fake(
        "clang-59",
        clang,
        VARIANT,
        &format!(
            "case \"$*\" in\n\
             *-fsanitize=address,undefined*) exec {clang} -DUB \"$@\";;\n\
             *-O1*) exec {clang} -DWRONG \"$@\";;\n\
             esac"
        ),
    );
    let out = place.path("out");
    let path = std::env::var("PATH").unwrap();
    let mut words = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    words.extend(LIVE);
    words.extend(["--seeds", seed.to_str().unwrap(), "--compiler", &clang]);
    words.extend(["--flag-set=-O1", "-n", "1", "--profile-probability", "1"]);
    let outcome = command(&words)
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .run()
        .unwrap();
    ends_with(&outcome, 0);
    let dismissed = rows(
        &out,
        "SELECT dismissed FROM runs WHERE dismissed IS NOT NULL",
    );
    assert_eq!(dismissed.len(), 1, "{dismissed:?}");
    let says = |what: &str| dismissed[0].contains(what);
    assert!(says(r#"{"kind":"invalid-variant""#), "{dismissed:?}");
    assert!(
        says(r#""compiler":"clang-59","sanitizer":"address,undefined""#),
        "{dismissed:?}"
    );
    assert!(says("signed integer overflow"), "{dismissed:?}");
}

#[test]
fn a_trusted_compiler_that_crashes_is_found_though_its_sanitizers_crash_with_it() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    // The newest clang on PATH is trusted.
    let crash = "echo 'internal compiler error: in fold, at fold.c:7' >&2; exit 1";
    let clang = place.fake("clang-59", crate::support::newest_clang(), VARIANT, crash);
    let out = place.path("out");
    let path = std::env::var("PATH").unwrap();
    let mut words = vec!["campaign", "--no-reduce", "-o", out.to_str().unwrap()];
    words.extend(LIVE);
    words.extend(["--seeds", seed.to_str().unwrap(), "--compiler", &clang]);
    words.extend(["--flag-set=-O1", "-n", "1", "--profile-probability", "1"]);
    let outcome = command(&words)
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .run()
        .unwrap();
    ends_with(&outcome, 2);
    let found = rows(&out, "SELECT verdict, signature FROM findings");
    assert_eq!(found, ["compiler-crash | in fold, at fold.c:7"]);
}

#[test]
fn programs_are_run_by_emulators_and_by_compilers() {
    let place = Place::new();
    place.write("seeds/plain.c", SEED);
    let named = SEED
        .replace("main(void)", "main(int argc, char **argv)")
        .replace("return 0;", "puts(argv[argc - 1]); return 0;");
    place.write("seeds/prints_its_name.c", &named);
    let seeds = place.path("seeds");
    let out = place.path("out");
    let words = [
        "--compiler",
        "gcc | env -u NOTHING",
        "--compiler",
        "tcc | -run",
    ];
    let mut arguments = vec![
        "--seeds",
        seeds.to_str().unwrap(),
        "--flag-set=-O0",
        "-n",
        "2",
    ];
    arguments.extend(words);
    ends_with(&campaign(&out, &arguments), 0);
    let all = rows(
        &out,
        "SELECT seed, config, verdict, dismissed, count(*) FROM runs GROUP BY 1, 2, 3, 4",
    );
    let expected = [
        "1 | gcc -O0 | same | - | 3",
        "1 | tcc -O0 -run | same | - | 3",
        "2 | gcc -O0 | same | - | 3",
        // Its name is another when the compiler runs it, which is nobody's fault.
        r#"2 | tcc -O0 -run | wrong-output | {"kind":"only-in-process"} | 1"#,
    ];
    assert_eq!(all, expected);
}

#[test]
fn a_finding_of_a_preprocessed_seed_reproduces() {
    let place = Place::new();
    let seed = place.write("seed.i", SEED);
    let wrong = place.fake("tcc-wrong", "tcc", VARIANT, "exec tcc -DWRONG \"$@\"");
    let out = place.path("out");
    let seeds = ["--seeds", seed.to_str().unwrap(), "--compiler", &wrong];
    let few = ["-n", "1", "--profile-probability", "1"];
    ends_with(&campaign(&out, &[seeds, few].concat()), 2);
    let directories = finding::directories(&out).unwrap();
    assert_eq!(directories.len(), 1);
    let repro = Command::new(directories[0].join("repro.sh")).output();
    let repro = repro.unwrap();
    assert!(repro.status.success(), "{repro:?}");
}

#[test]
fn bad_settings_are_one_clear_line() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let seed = seed.to_str().unwrap();
    let other = place.fake(
        "gcc-other-types",
        "gcc",
        "long long",
        "exec gcc -funsigned-char \"$@\"",
    );
    let file = place.write("wrong.toml", "variants = \"many\"\n");
    for (code, arguments, what) in [
        (1, vec!["--seeds", "/no/such/place"], "/no/such/place"),
        (
            4,
            vec!["--seeds", seed, "--compiler", "no-such-cc"],
            "no-such-cc was not found",
        ),
        (
            4,
            vec!["--seeds", seed, "--compiler", &other],
            "its types differ",
        ),
        (
            4,
            vec!["--seeds", seed, "--compiler", "gcc -fno-such"],
            "cannot build and run",
        ),
        (
            4,
            vec!["--seeds", seed, "--compiler", "g++"],
            "it compiles C++, and seeds are programs of C",
        ),
        (
            1,
            vec!["--seeds", seed, "--compiler", "gcc", "--compiler", "gcc"],
            "gcc -O0 is given twice",
        ),
        (
            1,
            vec!["--config", file.to_str().unwrap()],
            "wrong.toml:1: invalid type",
        ),
        (
            1,
            vec!["--seeds", seed, "-n", "0"],
            "--variants: expected a number of at least 1",
        ),
        (1, vec!["--resume"], "does not contain a campaign"),
        (1, vec!["--seed-command", "echo"], "does not contain {seed}"),
    ] {
        let out = place.path("out");
        let outcome = campaign(&out, &arguments);
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        ends_with(&outcome, code);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(what), "{said}");
        assert!(!out.exists(), "{said}");
    }
}

#[test]
fn the_store_knows_how_chains_went_and_what_became_of_each_kind() {
    let place = Place::new();
    let dead = SEED.replace(
        "return 10;",
        "if (total < 0) { calls = 7; total = 3; } return 10;",
    );
    let seed = place.write("seed.c", &dead);
    let parts = ["part1", "part2"].map(|name| place.path(name));
    for (part, strategy) in parts.iter().zip(["all", "hermes"]) {
        let arguments = [
            "--seeds",
            seed.to_str().unwrap(),
            "--compiler",
            "tcc",
            "-n",
            "3",
        ];
        let settings = [
            "--strategy",
            strategy,
            "--swarm",
            "false",
            "--profile-probability",
            "1",
        ];
        let arguments = [&arguments[..], &settings].concat();
        ends_with(&campaign(part, &arguments), 0);
    }
    let of = |part: &std::path::Path| mestra::hunt::campaign::store::Store::open(part).unwrap().0;
    let with_chains = of(&parts[0]);
    let chains = with_chains.chains().unwrap().unwrap();
    // The default length of a chain is 200.
    assert_eq!((chains.chains, chains.steps.proposed), (3, 600));
    assert_eq!(chains.acceptance.len(), 3);
    let kinds = with_chains.kinds().unwrap();
    let added = kinds.values().map(|kind| kind.additions.accepted);
    let accepted = added.sum::<u64>() + chains.removals.accepted;
    assert_eq!(accepted, chains.steps.accepted);
    assert!(accepted > 0 && accepted < 600, "{accepted}");
    let made: u64 = kinds.values().map(|kind| kind.made).sum();
    let total = rows(&parts[0], "SELECT sum(mutations) FROM variants");
    assert_eq!(total, [made.to_string()]);
    // Hermes has no chain.
    let without = of(&parts[1]);
    assert_eq!(without.chains().unwrap(), None);
    assert!(without.kinds().unwrap().values().all(|kind| kind.made > 0));
    let report = command(&["report", parts[0].to_str().unwrap()])
        .run()
        .unwrap();
    ends_with(&report, 0);
    let page = fs::read_to_string(parts[0].join("report.html")).unwrap();
    let rate = format!("{:.1} %", chains.steps.rate().unwrap() * 100.0);
    assert!(page.contains(&format!("<b>{rate}</b><span>chain steps accepted")));
    assert!(page.contains("<td>delete_stmt</td>") && page.contains("<td>removal</td>"));
}
