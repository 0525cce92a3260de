//! Campaigns over the programs of seeds' skeletons.

use super::{Place, campaign, command, ends_with, files, results, rows};
use crate::reduce::text::{reproduces, work};
use crate::support::signal;
use mestra::hunt::finding;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// All four variables have initial values of their own, so that every filling of the four
/// holes is another program. One in eight divides by zero.
const SEED: &str = r#"#include <stdio.h>
int main(void)
{
    int one = 1, none = 0;
    printf("%d\n", one + none + 7 / one);
    return none;
}
"#;

/// Makes a compiler take one number for another.
const WRONG: &str = r#"mkdir -p "$here/wrong.$$"
sed 's/7/8/' "$source" >"$here/wrong.$$/$source"
for word; do
    shift
    case $word in *.c) word=$here/wrong.$$/$word ;; esac
    set -- "$@" "$word"
done
exec tcc "$@""#;

const CRASH: &str = "echo 'a.c:1: internal compiler error: in fold, at fold.cc:1' >&2; exit 4";

fn words<'w>(seeds: &'w Path, more: &[&'w str]) -> Vec<&'w str> {
    let seeds = ["--seeds", seeds.to_str().unwrap(), "--flag-set=-O1"];
    [&seeds[..], more].concat()
}

fn with_spe<'w>(seeds: &'w Path, more: &[&'w str]) -> Vec<&'w str> {
    [
        &words(seeds, more)[..],
        &["--strategy", "spe", "--instances", "15"],
    ]
    .concat()
}

#[test]
fn an_instance_that_is_compiled_wrongly_is_a_finding_with_its_own_expectation() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let when = "none + none + 7 . one";
    let fake = place.fake("tcc-wrong", "tcc", when, WRONG);
    let out = place.path("out");
    ends_with(&campaign(&out, &with_spe(&seed, &["--compiler", &fake])), 2);
    let found = finding::directories(&out).unwrap();
    // What is returned may be either.
    assert_eq!(found.len(), 2, "{found:?}");
    let case = finding::Finding::read(&found[0]).unwrap();
    assert!(
        case.seed.origin.starts_with("rank "),
        "{}",
        case.seed.origin
    );
    assert_eq!(case.expected[0].stdout, b"7\n");
    assert_eq!(case.actual[0].stdout, b"8\n");
    work(&found[0], Duration::from_secs(2)).unwrap();
    assert!(reproduces(&found[0]));
}

#[test]
fn instances_without_a_meaning_are_only_compiled_and_the_others_are_mutated_as_well() {
    let place = Place::new();
    let seed = place.write("seed.c", SEED);
    let fake = place.fake("gcc-crash", "gcc", "7 . none", CRASH);
    let compiles = format!("{fake} | -");
    let more = ["--compiler", "tcc", "--compiler", &compiles, "-n", "1"];
    let mut words = words(&seed, &more);
    words.extend(["--strategy", "hermes,spe", "--instances", "15"]);
    let out = place.path("out");
    ends_with(&campaign(&out, &words), 2);
    let unsound = "SELECT count(*) FROM seeds WHERE state = 'set aside'";
    assert_eq!(rows(&out, unsound), ["8"]);
    let runs = |of: &str| {
        let of_runs = "SELECT DISTINCT config, verdict FROM runs WHERE variant = 0 AND seed IN";
        let query = format!("{of_runs} (SELECT number FROM seeds WHERE state = '{of}') ORDER BY 1");
        let runs = rows(&out, &query);
        let short = |run: &String| run.rsplit('/').next().unwrap().to_owned();
        runs.iter().map(short).collect::<Vec<_>>()
    };
    assert_eq!(runs("set aside"), ["gcc-crash -O1 -c | compiler-crash"]);
    assert_eq!(runs("done"), ["gcc-crash -O1 -c | same", "tcc -O1 | same"]);
    let variants = "SELECT count(DISTINCT seed) FROM variants";
    assert_eq!(rows(&out, variants), ["8"]);
    let mut found = finding::directories(&out).unwrap();
    // Variants may divide so, too.
    found.retain(|directory| directory.to_string_lossy().contains("-seed-"));
    assert_eq!(found.len(), 8);
    work(&found[0], Duration::from_secs(2)).unwrap();
    assert!(reproduces(&found[0]));
}

/// What is no program at all is a start for a reduction, too.
#[test]
fn with_any_type_compilers_may_reject_but_not_crash() {
    let place = Place::new();
    let text = "struct pair { int a, b; } pair;\nint number;\n\
                int twice(int by) { return number * by; }\n";
    let seed = place.write("seed.c", text);
    let fake = place.fake("gcc-crash", "gcc", "pair . pair", CRASH);
    let out = place.path("out");
    let mut words = with_spe(&seed, &["--compiler", &fake, "--compiler", "tcc"]);
    words.extend(["--types", "any"]);
    ends_with(&campaign(&out, &words), 2);
    let kinds = "SELECT verdict, count(*) FROM runs WHERE config LIKE 'tcc%' GROUP BY 1 ORDER BY 1";
    assert_eq!(rows(&out, kinds), ["rejected | 5", "same | 4"]);
    let aside = "SELECT count(*) FROM seeds WHERE state <> 'done'";
    assert_eq!(rows(&out, aside), ["0"]);
    let found = finding::directories(&out).unwrap();
    assert_eq!(found.len(), 1);
    work(&found[0], Duration::from_secs(2)).unwrap();
    assert!(reproduces(&found[0]));

    let mut wrong = words.clone();
    wrong[words.iter().position(|word| *word == "spe").unwrap()] = "hermes,spe";
    ends_with(&campaign(&place.path("wrong"), &wrong), 1);
}

#[test]
fn instances_in_parts_or_after_a_kill_are_the_whole() {
    let place = Place::new();
    place.write("seeds/a.c", SEED);
    place.write("seeds/b.c", "int main(void) { return 0; }\n");
    let fake = place.fake("tcc-wrong", "tcc", "one + one", WRONG);
    let seeds = place.path("seeds");
    let arguments = with_spe(&seeds, &["--compiler", &fake, "--seed-timeout", "2"]);
    let whole = place.path("whole");
    ends_with(&campaign(&whole, &arguments), 2);
    assert_eq!(rows(&whole, "SELECT count(*) FROM seeds"), ["17"]);

    let parts = ["1/2", "2/2"].map(|shard| {
        let out = place.path(&shard.replace('/', "of"));
        campaign(&out, &[&arguments[..], &["--shard", shard]].concat());
        out
    });
    let merged = place.path("merged");
    let mut merge = vec![Path::new("merge"), &merged];
    merge.extend(parts.iter().map(PathBuf::as_path));
    ends_with(&command(&merge).run().unwrap(), 2);
    assert_eq!(results(&merged), results(&whole));
    assert!(files(&merged.join("findings")) == files(&whole.join("findings")));

    let killed = place.path("killed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["campaign", "--no-reduce", "--out"])
        .arg(&killed)
        .args(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !killed.join("campaign.db").exists() || fs::read_dir(killed.join("findings")).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(700));
    signal(&child, "-KILL");
    child.wait().unwrap();
    ends_with(&campaign(&killed, &["--resume", "--strategy", "spe"]), 2);
    assert_eq!(results(&killed), results(&whole));
}
