//! Reductions that go on, that share their time, and that nobody makes worse.

use super::fake::{adding, wrong_output};
use super::finding::{config, write};
use super::planted::campaign;
use super::text::{reproduces, work};
use crate::campaign::command;
use mestra::hunt::bucket::buckets;
use mestra::hunt::finding::{FINDINGS, REDUCED, Reduced};
use mestra::hunt::reduce::TextSize;
use mestra::lab::process::Ending;
use mestra::source::seed::Seed;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program whose output depends on all of its functions, and one of them is compiled
/// wrongly.
fn seed(directory: &Path, name: &str, guilty: &str) -> Seed {
    let mut text = String::from("#include <stdio.h>\nstatic int sum;\n");
    for number in 0..12 {
        text += &format!(
            "static int f{number}(int x)\n{{\n    int i, y = x;\n    for (i = 0; i < {number}; i++)\n\
             \x20       y += i ^ x;\n    if (y > 100)\n        y -= 7;\n    return y;\n}}\n"
        );
    }
    text +=
        &format!("static int guilty(int x)\n{{\n    return {guilty};\n}}\nint main(void)\n{{\n");
    for number in 0..12 {
        text += &format!("    sum += f{number}({number} + sum);\n");
    }
    text += "    sum += guilty(sum & 15);\n    printf(\"%d\\n\", sum);\n    return 0;\n}\n";
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    Seed::read(&path, &[]).unwrap()
}

fn size(finding: &Path) -> usize {
    let text = fs::read(finding.join(REDUCED).join("reduced.c")).unwrap();
    TextSize::of(&text).tokens
}

#[test]
fn a_reduction_goes_on_from_what_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let fake = wrong_output(directory.path(), "gcc", &["x%3"]);
    let seed = seed(directory.path(), "seed.c", "x % 3");
    let finding = write(directory.path(), "f", &seed, None, &config(&fake, &["-O1"]));
    let first = work(&finding, Duration::from_secs(3)).unwrap();
    let before = size(&finding);
    assert_eq!(first.tokens, before);
    // Somebody has gone on by hand, and left a smaller program.
    let small =
        "#include <stdio.h>\nint x = 5;\nint main(void) { printf(\"%d\\n\", x % 3 + 0); }\n";
    fs::write(finding.join(REDUCED).join("reduced.c"), small).unwrap();
    let mut known = Reduced::read(&finding).unwrap().unwrap();
    known.finding.expected[0].stdout = b"2\n".to_vec();
    known.is_finished = false;
    let json = serde_json::to_vec(&known).unwrap();
    fs::write(finding.join(REDUCED).join("reduction.json"), json).unwrap();
    let by_hand = TextSize::of(small.as_bytes()).tokens;
    let second = work(&finding, Duration::from_secs(400)).unwrap();
    assert!(second.is_finished, "{second:?}");
    assert!(second.tokens <= by_hand && by_hand < before, "{second:?}");
    assert_eq!(second.tokens_before, first.tokens_before);
    assert!(second.tests > first.tests);
    assert!(reproduces(&finding));
    // Nothing is left to do, and nothing gets worse.
    let third = work(&finding, Duration::from_secs(400)).unwrap();
    assert_eq!(third.tokens, second.tokens);
    assert_eq!(third.located, second.located);
}

#[test]
fn a_reduction_that_does_not_fail_any_more_is_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let fake = wrong_output(directory.path(), "gcc", &["x%3"]);
    let seed = seed(directory.path(), "seed.c", "x % 3");
    let finding = write(directory.path(), "f", &seed, None, &config(&fake, &["-O1"]));
    work(&finding, Duration::from_secs(30)).unwrap();
    let right = "#include <stdio.h>\nint main(void) { printf(\"1\\n\"); }\n";
    fs::write(finding.join(REDUCED).join("reduced.c"), right).unwrap();
    work(&finding, Duration::from_secs(30)).unwrap();
    let text = fs::read_to_string(finding.join(REDUCED).join("reduced.c")).unwrap();
    assert!(text.contains("% 3"), "{text}");
    assert!(reproduces(&finding));
}

/// A campaign with findings of several defects, each several times, reduced in the time for
/// all of them.
fn in_time(out: &Path, defects: &[(&str, &str)], limit: Duration) {
    drop(campaign(out));
    let wrong = "#include <stdio.h>\n\
                 __attribute__((constructor)) static void wrong(void) { puts(\"wrong\"); }";
    let added: Vec<(&str, &str)> = defects.iter().map(|(_, shape)| (*shape, wrong)).collect();
    let fake = adding(out, "gcc-wrong", &added);
    let config = config(&fake, &["-O1"]);
    for (again, context) in CONTEXTS.iter().enumerate() {
        for (number, (guilty, _)) in defects.iter().enumerate() {
            let id = format!("s{number:06}-v{again:03}-gcc");
            let guilty = context.replace('@', guilty);
            let seed = seed(out, &format!("{id}.c"), &guilty);
            write(&out.join(FINDINGS), &id, &seed, None, &config);
        }
    }
    let time = format!("{}s", limit.as_secs());
    let arguments = [
        "reduce",
        "--no-cvise",
        "--time",
        &time,
        out.to_str().unwrap(),
    ];
    let start = Instant::now();
    let outcome = command(&arguments).run().unwrap();
    let took = start.elapsed();
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert_eq!(outcome.ending, Ending::Exited(2), "{said}");
    // One test may be under way when time is up.
    println!("{took:?} of {limit:?}");
    assert!(took < limit + Duration::from_secs(20), "{took:?}: {said}");
}

/// What stands around the expression that is compiled wrongly.
const CONTEXTS: [&str; 5] = [
    "@",
    "(@) + 3",
    "x > 2 ? @ : x",
    "f3(x) - (@)",
    "(int)(unsigned char)(@)",
];

#[test]
#[ignore = "long"]
fn thirty_findings_of_six_defects_become_six_small_programs_in_time() {
    let defects = [
        ("x % 3", "x % 3"),
        ("x << 2", "x << 2"),
        ("x / 5", "x \\/ 5"),
        ("x * 7", "x \\* 7"),
        ("~x", "~x"),
        ("x | 9", "x | 9"),
    ];
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("campaign");
    in_time(&out, &defects, Duration::from_secs(600));
    let found = buckets(&out, &[]).unwrap().buckets;
    // Which defects are in a bucket, by the numbers of their seeds.
    let mut sizes = vec![usize::MAX; defects.len()];
    let mut of_defect = vec![BTreeSet::new(); defects.len()];
    for bucket in &found {
        let mut count = vec![0; defects.len()];
        for entry in &bucket.entries {
            let number: usize = entry.finding.id[1..7].parse().unwrap();
            count[number] += 1;
            of_defect[number].insert(bucket.known_as.name.clone());
            sizes[number] = sizes[number].min(entry.tokens.unwrap_or(usize::MAX));
        }
        println!("{:?} {}", count, bucket.title);
    }
    println!("tokens: {sizes:?}");
    println!("buckets of each: {of_defect:?}");
    assert!(sizes.iter().all(|size| *size < 60), "{sizes:?}");
}
