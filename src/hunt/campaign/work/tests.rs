//! What becomes of a seed, with compilers that do what a script says. Nothing is started.

use super::super::How;
use super::super::flags::FlagPool;
use super::super::settings::Settings;
use super::super::store::{Header, Store};
use super::*;
use crate::dice::{self, Draw};
use crate::lab::fake::{self, Answer, Moment};
use crate::lab::process::Ending;
use crate::lab::toolchain::Family;
use crate::variant::observer::Observer;
use rand::Rng;
use std::fs;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SEED: &str = "int x;\nint main(void)\n{\n    x = 1;\n    x = 2;\n    return 0;\n}\n";

/// Keeps what happens, in short.
#[derive(Debug, Default)]
struct EventLog(Mutex<Vec<String>>);

impl Observer<Event> for EventLog {
    fn observe(&self, event: &Event) -> Result<()> {
        let line = match event {
            Event::SeedSetAside { reason, .. } => format!("set aside: {reason}"),
            Event::SeedDone { .. } => "done".into(),
            Event::VariantDone => "variant".into(),
            Event::Found { id, verdict, .. } => format!("found {id}: {verdict}"),
            Event::KeptApart { id, standing, .. } => format!("kept {id}: {standing}"),
            Event::Dismissed { doubt, .. } => format!("dismissed: {:?}", doubt.kind()),
            _ => return Ok(()),
        };
        self.0.lock().unwrap().push(line);
        Ok(())
    }
}

/// Works on the seed, a file, with `mycc` at two levels; all compilers are right unless
/// `faults` says otherwise.
fn work(faults: impl Fn(&Moment) -> Option<Answer> + Send + Sync + 'static) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let seed = directory.path().join("seed.c");
    fs::write(&seed, SEED).unwrap();
    work_with(&format!("seeds = [{seed:?}]\nseed-timeout = 1.0\n"), faults)
}

/// The same with the seed made by a command, and sanitizers that see it only if they
/// have to.
fn work_on_generated(
    faults: impl Fn(&Moment) -> Option<Answer> + Send + Sync + 'static,
) -> Vec<String> {
    let dice = (0..).find(|&dice| !dice::generator(dice, 1, Draw::Sanitizing).random_ratio(1, 16));
    let settings = format!(
        "seed-command = \"maker {{seed}}\"\nseed = {}\n",
        dice.unwrap()
    );
    work_with(&settings, faults)
}

fn work_with(
    settings: &str,
    faults: impl Fn(&Moment) -> Option<Answer> + Send + Sync + 'static,
) -> Vec<String> {
    let lab = fake::lab(move |moment| {
        let output = match () {
            () if moment.has("--version") => "fake 1.0\n",
            () if moment.compiler == "maker" => SEED,
            () if moment.is_run => "3\n",
            () => "",
        };
        faults(moment).unwrap_or_else(|| Answer::good(output))
    });
    let directory = tempfile::tempdir().unwrap();
    let settings: Settings = toml::from_str(&format!(
        "variants = 2\nstrategies = [\"orion\"]\n{settings}"
    ))
    .unwrap();
    let mut compiler = fake::compiler("mycc", Family::Other);
    let mut flag_pools = Vec::new();
    if settings.random_flags == Some(true) {
        compiler.family = Family::Gcc;
        let mut drawn = Config::new(compiler.clone(), &["-DDRAWN"]);
        drawn.name = "mycc random flags".into();
        flag_pools.extend(FlagPool::find(&lab, &drawn, |_| Ok(true)).unwrap());
    }
    let header = Header {
        mestra: String::new(),
        settings,
        configs: ["-O0", "-O2"]
            .map(|level| Config::new(compiler.clone(), &[level]))
            .into(),
        trusted: Vec::new(),
        standard: None,
        flag_pools,
        two_files: false,
        volatile: false,
        prices: Vec::new(),
        lacks: Vec::new(),
        generator: None,
    };
    let out = directory.path().join("out");
    fs::create_dir(&out).unwrap();
    let how = How::default();
    let store = Store::create(&out, &header, how.shard).unwrap();
    let log = EventLog::default();
    let campaign = Campaign::new(lab, header, store, how, &log).unwrap();
    campaign.work_on(1).unwrap();
    drop(campaign);
    log.0.into_inner().unwrap()
}

fn is_seed(moment: &Moment) -> bool {
    moment.text == SEED
}

#[test]
fn a_good_seed_is_given_to_all_with_its_variants() {
    assert_eq!(work(|_| None), ["variant", "variant", "done"]);
}

#[test]
fn a_seed_is_set_aside_before_anything_is_made_of_it() {
    let runs = Arc::new(AtomicUsize::new(0));
    let log = work(move |moment| {
        let number = runs.fetch_add(usize::from(moment.is_run), Ordering::SeqCst);
        moment.is_run.then(|| Answer::good(&number.to_string()))
    });
    assert_eq!(log, ["set aside: behaves differently from run to run"]);
    let log = work(|moment| moment.is_run.then(Answer::hangs));
    assert_eq!(log, ["set aside: does not end within 1 s"]);
    let rejects = |moment: &Moment| {
        (moment.compiler == "gcc" && is_seed(moment)).then(|| Answer::fails("error: no\n"))
    };
    assert_eq!(work(rejects), ["set aside: gcc -O0: rejected: error: no"]);
}

#[test]
fn a_crash_on_a_seed_is_found_even_if_a_trusted_compiler_crashes_too() {
    let log = work(|moment| {
        let is_hit = moment.compiler == "mycc" || moment.compiler.starts_with("clang");
        (is_hit && !moment.is_run).then(crashes)?
    });
    let found = log.iter().filter(|line| line.starts_with("found "));
    assert_eq!(found.count(), 2, "{log:?}");
    assert!(
        log.iter().any(|line| line.contains("cannot compile it")),
        "{log:?}"
    );
    // What everybody rejects is no C program.
    let log = work(|moment| {
        let is_hit = moment.compiler == "mycc" || moment.compiler.starts_with("clang");
        (is_hit && !moment.is_run).then(|| Answer::fails("seed.c:1: error: no\n"))
    });
    assert!(
        !log.iter().any(|line| line.starts_with("found ")),
        "{log:?}"
    );
}

#[test]
fn a_seed_that_a_sanitizer_reports_is_set_aside() {
    let log = work(|moment| {
        let is_sanitized = moment.has("-fsanitize=memory") && is_seed(moment);
        let report = "WARNING: MemorySanitizer: use-of-uninitialized-value\n";
        (moment.is_run && is_sanitized).then(|| Answer::ends(Ending::Exited(1), "3\n", report))
    });
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].contains("MemorySanitizer"), "{log:?}");
}

#[test]
fn a_generated_seed_that_does_not_end_is_known_after_one_build_and_a_second() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let log = work_on_generated(move |moment| {
        if is_seed(moment) {
            let who = (moment.compiler.clone(), moment.is_run, moment.wall);
            seen.lock().unwrap().push(who);
        }
        moment.is_run.then(Answer::hangs)
    });
    assert_eq!(log, ["set aside: does not end within 1 s"]);
    let asked = asked.lock().unwrap();
    let [build, run] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!((build.0.as_str(), build.1), ("tcc", false));
    assert_eq!(*run, ("tcc".into(), true, Duration::from_secs(1)));
}

#[test]
fn sanitizers_see_a_generated_seed_only_if_something_is_suspected() {
    let is_sanitized = |moment: &Moment| moment.flags.iter().any(|f| f.starts_with("-fsanitize"));
    let log = work_on_generated(move |moment| {
        assert!(!is_sanitized(moment), "{moment:?}");
        // A compiler that crashes is wrong whatever the program.
        let is_accused = moment.compiler == "mycc" && moment.has("-O2");
        is_accused.then(|| Answer::fails("internal compiler error: in pass, at pass.cc:1\n"))
    });
    let found = "found s000001-seed-mycc-O2: compiler-crash: in pass, at pass.cc:1";
    assert_eq!(log, [found, "variant", "variant", "done"]);
    let reports = |moment: &Moment| {
        let report = "WARNING: MemorySanitizer: use-of-uninitialized-value\n";
        let is_reported = moment.has("-fsanitize=memory") && is_seed(moment);
        (moment.is_run && is_reported).then(|| Answer::ends(Ending::Exited(1), "3\n", report))
    };
    let is_wrong = |moment: &Moment| {
        moment.is_run && moment.compiler == "mycc" && !moment.text.contains("mestra__")
    };
    let wrong = || Answer::good("4\n");
    let log = work_on_generated(move |moment| {
        reports(moment).or_else(|| (is_wrong(moment) && is_seed(moment)).then(wrong))
    });
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].contains("MemorySanitizer"), "{log:?}");
    let mut log = work_on_generated(move |moment| {
        reports(moment).or_else(|| (is_wrong(moment) && !is_seed(moment)).then(wrong))
    });
    log.sort();
    let dismissed = "dismissed: InvalidSeed";
    let expected = [dismissed; 4]
        .into_iter()
        .chain(["done", "variant", "variant"]);
    assert_eq!(log, expected.collect::<Vec<_>>());
}

#[test]
fn a_sanitizer_that_does_not_work_at_all_has_nothing_against_a_seed() {
    let log = work(|moment| {
        let fails = moment.has("-fsanitize=memory");
        fails.then(|| Answer::fails("error: unsupported option\n"))
    });
    assert_eq!(log, ["variant", "variant", "done"]);
}

#[test]
fn trusted_compilers_that_disagree_are_a_finding() {
    let log = work(|moment| {
        let differs = moment.is_run && moment.compiler.contains("clang");
        (differs && is_seed(moment)).then(|| Answer::good("4\n"))
    });
    assert_eq!(log.len(), 2, "{log:?}");
    assert!(log[0].starts_with("found s000001-seed-clang"), "{log:?}");
    assert!(log[1].contains("disagree on what it does"), "{log:?}");
}

#[test]
fn the_compiler_that_stands_alone_is_accused_even_if_it_leads() {
    let log = work(|moment| {
        let differs = moment.is_run && moment.compiler == "gcc";
        (differs && is_seed(moment)).then(|| Answer::good("4\n"))
    });
    assert_eq!(log.len(), 2, "{log:?}");
    assert!(log[0].starts_with("found s000001-seed-gcc-O0"), "{log:?}");
    assert!(log[1].contains("disagree on what it does"), "{log:?}");
}

#[test]
fn nobody_is_accused_where_two_sides_have_equal_weight() {
    let log = work(|moment| {
        let is_other = moment.compiler.contains("clang") || moment.compiler == "tcc";
        (moment.is_run && is_other && is_seed(moment)).then(|| Answer::good("4\n"))
    });
    assert_eq!(log.len(), 3, "{log:?}");
    let is_unchecked =
        |line: &String| line.starts_with("kept") && line.contains("no other compiler");
    assert!(log[..2].iter().all(is_unchecked), "{log:?}");
}

#[test]
fn a_config_that_fails_on_the_seed_sees_no_variants() {
    let log = work(|moment| {
        let is_accused = moment.compiler == "mycc" && moment.has("-O2");
        assert!(!is_accused || is_seed(moment), "{moment:?}");
        is_accused.then(|| Answer::fails("internal compiler error: in pass, at pass.cc:1\n"))
    });
    let found = "found s000001-seed-mycc-O2: compiler-crash: in pass, at pass.cc:1";
    assert_eq!(log, [found, "variant", "variant", "done"]);
}

#[test]
fn what_fails_on_a_variant_is_found_or_dismissed() {
    let wrong = |moment: &Moment| {
        let is_variant = !is_seed(moment) && !moment.text.contains("mestra__");
        moment.is_run && moment.compiler == "mycc" && moment.has("-O2") && is_variant
    };
    let mut log = work(move |moment| wrong(moment).then(|| Answer::good("4\n")));
    log.sort();
    let found = |number| format!("found s000001-v00{number}-mycc-O2: wrong-output: output");
    assert_eq!(log[1..3], [found(1), found(2)], "{log:?}");
    let runs = AtomicUsize::new(0);
    let mut log = work(move |moment| {
        let is_odd = || runs.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        (wrong(moment) && is_odd()).then(|| Answer::good("4\n"))
    });
    log.sort();
    assert!(
        !log.is_empty() && log.iter().all(|line| !line.starts_with("found")),
        "{log:?}"
    );
    assert!(log[0].starts_with("dismissed: NotReproduced"), "{log:?}");
}

/// The same as [`work`], with flags that dice choose for `mycc`, which does what `fault`
/// says whenever it gets some.
fn work_with_dice(fault: fn(&Moment) -> Option<Answer>) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let seed = directory.path().join("seed.c");
    fs::write(&seed, SEED).unwrap();
    let settings = format!("seeds = [{seed:?}]\nseed-timeout = 1.0\nrandom-flags = true\n");
    work_with(&settings, move |moment| {
        // When the table is probed, warnings are wanted.
        let is_drawn = moment.has("-DDRAWN") && moment.has("-w");
        (is_drawn && !moment.is_run).then(|| fault(moment))?
    })
}

fn crashes() -> Option<Answer> {
    Some(Answer::fails(
        "internal compiler error: in fold, at fold.c:1\n",
    ))
}

#[test]
fn a_variant_that_fails_under_drawn_flags_is_a_finding_of_its_own() {
    let log = work_with_dice(|moment| (!is_seed(moment)).then(crashes)?);
    let found = log.iter().filter(|line| line.starts_with("found "));
    let mut found: Vec<&str> = found.map(String::as_str).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "found s000001-v001-mycc-random-flags: compiler-crash: in fold, at fold.c:1",
            "found s000001-v002-mycc-random-flags: compiler-crash: in fold, at fold.c:1",
        ]
    );
}

#[test]
fn a_seed_that_fails_under_the_flags_of_its_variants_is_found_with_each_of_them() {
    let log = work_with_dice(|_| crashes());
    let mut ids: Vec<&str> = log
        .iter()
        .filter_map(|line| line.strip_prefix("found ")?.split(':').next())
        .collect();
    ids.sort_unstable();
    assert_eq!(
        ids,
        [
            "s000001-seed-mycc-random-flags",
            "s000001-seed-mycc-random-flags-1",
            "s000001-seed-mycc-random-flags-2",
        ]
    );
}

#[test]
fn flags_that_do_not_go_together_are_no_finding() {
    let log = work_with_dice(|_| Some(Answer::fails("error: not together\n")));
    let conflicts = log.iter().filter(|line| line.contains("FlagsConflict"));
    assert_eq!(conflicts.count(), 3, "{log:?}");
    assert!(!log.iter().any(|line| line.starts_with("found")), "{log:?}");
}
