//! Defects that campaigns find again and again: one bucket for each.

use super::text::reproduces;
use crate::campaign::{Place, SEED, VARIANT, command, ends_with};
use mestra::hunt::bucket::{Bucket, buckets};
use std::fs;

/// Runs a campaign over [`SEED`] with fake compilers, to the end, and sorts what it
/// has found.
fn found(place: &Place, compilers: &[&str], words: &[&str]) -> Vec<Bucket> {
    let seed = place.write("seed.c", SEED);
    let out = place.path("out");
    let mut arguments = vec!["campaign", "--out", out.to_str().unwrap()];
    arguments.extend(["--seeds", seed.to_str().unwrap()]);
    arguments.extend(["--strategy", "hermes", "--swarm", "false"]);
    arguments.extend(["--check-speculation", "0"]);
    for compiler in compilers {
        arguments.extend(["--compiler", compiler]);
    }
    arguments.extend(words);
    ends_with(&command(&arguments).run().unwrap(), 2);
    let found = buckets(&out, &[]).unwrap().buckets;
    for bucket in &found {
        println!("{} × {}", bucket.entries.len(), bucket.title);
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert_eq!(page.matches("<details class=\"bucket").count(), found.len());
    found
}

fn reduced(bucket: &Bucket) -> usize {
    let entries = bucket.entries.iter();
    entries.filter(|entry| entry.reduced.is_some()).count()
}

#[test]
fn a_crash_found_twenty_times_is_one_bucket_and_another_crash_another() {
    let place = Place::new();
    let crash = |line: u32| {
        let said = format!("internal compiler error: in fake_pass, at fake.cc:{line}");
        format!("echo \"$source:1:2: {said}\" >&2; exit 1")
    };
    // Few variants have the third mutation as a loop, all have some mutation.
    let body = format!(
        "grep -q mestra_3_i0 \"$source\" && {{ {}; }}\n{}",
        crash(12),
        crash(34)
    );
    let fake = place.fake("tcc-crashes", "tcc", "mestra_[0-9]", &body);
    let words = [
        "-n",
        "26",
        "--profile-probability",
        "1",
        "--reduce-time",
        "60s",
    ];
    let found = found(&place, &[&fake], &words);
    assert_eq!(found.len(), 2);
    let most = found.iter().max_by_key(|bucket| bucket.entries.len());
    let most = most.unwrap();
    assert!(most.entries.len() >= 20, "{}", most.entries.len());
    let said = most.first().fingerprint.signature.as_deref();
    assert_eq!(said, Some("in fake_pass, at fake.cc:34"));
    for bucket in &found {
        assert_eq!(reduced(bucket), 1, "one of each is enough");
        assert!(reproduces(&bucket.entries[0].directory));
    }
}

#[test]
#[ignore = "long"]
fn wrong_code_found_twenty_times_is_one_bucket() {
    let place = Place::new();
    let backup = "mestra_[0-9]*_b0";
    let wrong = place.fake("tcc-wrong", "tcc", backup, "exec tcc -DWRONG \"$@\"");
    let words = [
        "-n",
        "20",
        "--profile-probability",
        "1",
        "--reduce-time",
        "3m",
    ];
    let found = found(&place, &[&wrong], &words);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].entries.len(), 20);
    assert!(reduced(&found[0]) > 0);
}

#[test]
#[ignore = "long"]
fn wrong_code_of_two_passes_is_two_buckets() {
    let place = Place::new();
    let of_pass = |name: &str, flag: &str| {
        // Whole words: the names of findings have levels in them, too.
        let wrong = "*' -O2 '* | *' -O3 '*) exec gcc -DWRONG \"$@\" ;;";
        let body = format!("case \" $* \" in *' {flag} '*) ;; {wrong} esac");
        place.fake(name, "gcc", VARIANT, &body)
    };
    let fakes = [
        of_pass("gcc-one", "-fno-tree-ccp"),
        of_pass("gcc-two", "-fno-gcse"),
    ];
    let fakes: Vec<&str> = fakes.iter().map(String::as_str).collect();
    let sets = ["--flag-set=-O2", "--flag-set=-O3"];
    let words = [
        "-n",
        "1",
        "--profile-probability",
        "1",
        "--reduce-time",
        "60s",
    ];
    let found = found(&place, &fakes, &[&words[..], &sets].concat());
    let passes = found
        .iter()
        .map(|bucket| bucket.first().fingerprint.pass.as_deref());
    let mut places: Vec<&str> = passes.flatten().collect();
    places.sort_unstable();
    assert_eq!(places, ["-fgcse", "-ftree-ccp"]);
    assert!(found.iter().all(|bucket| bucket.entries.len() == 2));
}
