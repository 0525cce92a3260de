//! What tcc does not reach is left out of what gcc and clang compile. Nobody can tell
//! from the profile, whatever shape the program has.

use super::{default_profiler, profiled, profiler};
use crate::support::{csmith, in_parallel, lower_seed, newest_clang, repository, statement_at};
use mestra::source::seed::Seed;
use mestra::variant::profile::{PointProfile, Profile};
use std::path::{Path, PathBuf};

/// What a point shows that does not depend on the numbering of columns.
fn shown<'p>(profile: &'p Profile, point: &'p PointProfile) -> impl PartialEq + std::fmt::Debug {
    let sample = point.sample.as_ref().map(|sample| {
        let columns = sample.columns.iter();
        let names = columns.map(|&column| profile.columns[column as usize].text.clone());
        (
            names.collect::<Vec<_>>(),
            sample.values.clone(),
            sample.checksum,
        )
    });
    (point.visits, sample)
}

fn same_with_and_without_tcc(path: &Path) -> Result<(), String> {
    let seed = Seed::read(path, &[]).unwrap();
    let program = lower_seed(&seed).map_err(|refused| refused.to_string())?;
    let profile = |profiler: &mestra::variant::profile::Profiler| {
        let profile = profiler.profile(&seed, &program);
        profile.map_err(|error| format!("{}: {error:#}", path.display()))
    };
    let narrow = profile(&default_profiler())?;
    let full = profile(&profiler(&["gcc", newest_clang()]))?;
    if narrow.points.len() != full.points.len() {
        return Err(format!("{}: other points", path.display()));
    }
    let pairs = narrow.points.iter().zip(&full.points);
    // Values that tcc, too, was asked about may depend on its order of evaluation,
    // and it says nothing of points that it does not reach.
    let is_comparable = |(one, other): &(&PointProfile, &PointProfile)| {
        one.order_sensitive.is_none() && other.order_sensitive.is_none() && one.visits > 0
    };
    for (one, other) in pairs.clone().filter(is_comparable) {
        if shown(&narrow, one) != shown(&full, other) {
            let at = one.statement;
            return Err(format!("{}: another profile at {at}", path.display()));
        }
    }
    for (one, other) in pairs {
        if (one.visits == 0) && other.visits > 0 {
            let at = one.statement;
            return Err(format!("{}: {at} counts as unreached", path.display()));
        }
    }
    Ok(())
}

#[test]
fn profiles_are_the_same_as_of_the_whole_text() {
    let directory = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = (1..=2).map(|n| csmith(directory.path(), n)).collect();
    let names = [
        "computed_goto",
        "dead_code",
        "evaluation_order",
        "goto_into_block",
        "goto_over_declarations",
        "guarded_undefined",
        "label_at_block_end",
        "line_number_macro",
        "switch_case_ranges",
        "switch_declarations_first",
        "switch_default_middle",
        "switch_duff_device",
        "switch_nested",
        "switch_unbraced_body",
        "vla_basic",
    ];
    paths.extend(names.map(|name| repository().join(format!("corpora/{name}.c"))));
    in_parallel(&paths, |path| same_with_and_without_tcc(path));
}

#[test]
fn a_case_that_only_tcc_leaves_out_is_reached_after_all() {
    // tcc calls the arguments' functions from left to right, gcc from right to left.
    let (program, profile) = profiled(
        "static int last; static int f(int x) { last = x; return 0; }\n\
         static void two(int x, int y) { (void)x; (void)y; }\n\
         int main(void) { int r = 0; two(f(1), f(2));\n\
         switch (last) { case 1: r = 5; break; case 2: r = 6; break; default: r = 7; }\n\
         return r / 8; }",
    );
    for text in ["r = 5", "r = 6"] {
        let point = profile.point(statement_at(&program, text)).unwrap();
        assert!(point.visits > 0, "{text}");
        assert!(point.order_sensitive.is_some(), "{text}");
    }
    let point = profile.point(statement_at(&program, "r = 7")).unwrap();
    assert_eq!(point.visits, 0);
}
