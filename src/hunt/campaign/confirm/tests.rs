//! Every reason to dismiss and every confirmation, with compilers that do what a script
//! says. Nothing is started.

use super::*;
use crate::hunt::finding::AliasRule;
use crate::hunt::verify::{Objection, Survey};
use crate::lab::fake::{self, Answer, Moment};
use crate::lab::process::Ending;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::lab::{Behaviour, Patience, Stage};
use crate::source::clang::Clang;
use crate::source::open::OpenValue;
use crate::source::seed::Seed;
use crate::variant::mutate::{Chain, Mutator};
use crate::variant::profile::ProfileOptions;
use crate::variant::strategy::Orion;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const SEED: &str = "int x;\nint main(void)\n{\n    x = 1;\n    x = 2;\n    return 0;\n}\n";

/// What a compiler works on, or which program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worked {
    Seed,
    Variant,
    /// The seed with recording calls.
    Observed,
    /// The seed after a change that should not matter.
    Neutral,
    /// What records.
    Runtime,
}

fn text(moment: &Moment, seed: &str) -> Worked {
    match moment.text.as_str() {
        text if text == seed => Worked::Seed,
        text if text.contains("mestra__unused") => Worked::Neutral,
        text if text.contains("mestra__path[]") && text.contains("int main") => Worked::Observed,
        text if text.contains("mestra__") => Worked::Runtime,
        _ => Worked::Variant,
    }
}

/// What the compilers of a test do that is not right.
type Faults = fn(&Moment, Worked) -> Option<Answer>;

fn config(runner: Runner) -> Config {
    Config {
        runner,
        ..Config::new(fake::compiler("mycc", Family::Other), &["-O2"])
    }
}

/// The name of a trusted compiler, as scripts see it.
fn trusted(family: Family) -> Compiler {
    let mut trusted = Compiler::trusted().unwrap().into_iter();
    trusted.find(|c| c.family == family).unwrap()
}

/// Puts a config under suspicion, of a variant or of the seed, and says what came of it.
fn rule(
    config: &Config,
    of_seed: bool,
    faults: impl Fn(&Moment, Worked) -> Option<Answer> + Send + Sync + 'static,
) -> Ruling {
    rule_on(SEED, config, of_seed, faults)
}

/// The same with another seed.
fn rule_on(
    seed: &'static str,
    config: &Config,
    of_seed: bool,
    faults: impl Fn(&Moment, Worked) -> Option<Answer> + Send + Sync + 'static,
) -> Ruling {
    rule_against(Expectation::as_seed, seed, config, of_seed, faults)
}

/// The same with another source of what is expected.
fn rule_against(
    known: fn(Vec<Behaviour>) -> Expectation,
    seed: &'static str,
    config: &Config,
    of_seed: bool,
    faults: impl Fn(&Moment, Worked) -> Option<Answer> + Send + Sync + 'static,
) -> Ruling {
    let lab = fake::lab(move |moment| {
        let output = if moment.is_run { "3\n" } else { "" };
        faults(moment, text(moment, seed)).unwrap_or_else(|| Answer::good(output))
    });
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("seed.c");
    fs::write(&path, seed).unwrap();
    let seed = Seed::read(&path, &[]).unwrap();
    let options = ProfileOptions {
        probability: 0.0,
        ..ProfileOptions::default()
    };
    // Nothing is recorded, so all statements are dead, and this one deletes some.
    let mutator = Mutator {
        clang: Clang::load().unwrap(),
        profiler: Profiler::new(lab.clone(), Compiler::trusted().unwrap(), options).unwrap(),
        strategy: Box::new(Orion { most: 3 }),
        dice: 1,
        chain: Chain::ONCE,
    };
    let source = mutator.source(seed.clone(), None).unwrap();
    let variant = mutator.variants(&source, [1]).next().unwrap().unwrap();
    let Survey::Agreed(verifier) =
        Verifier::survey(&lab, &seed, &[], Duration::from_secs(1)).unwrap()
    else {
        panic!("the trusted compilers disagree");
    };
    let stage = Stage::new(&seed).unwrap();
    let expected = known(vec![Behaviour {
        ending: Ending::Exited(0),
        stdout: b"3\n".to_vec(),
        stderr: Vec::new(),
    }]);
    let judge = Judge {
        lab: &lab,
        config,
        stage: &stage,
        patience: Patience::default(),
        purpose: None,
        is_alone: false,
    };
    let text = if of_seed {
        &seed.source[..]
    } else {
        &variant.text
    };
    let outcome = judge.trial(text).unwrap();
    let suspicion = Suspicion {
        judge,
        text,
        expected: &expected,
        outcome: &outcome,
        verdict: &judge.verdict(&outcome, &expected),
        lead: &Config::new(trusted(Family::Gcc), &["-O0"]),
    };
    assert!(!suspicion.verdict.is_same(), "there is no suspicion");
    if of_seed {
        let evidence = SeedEvidence::of(&verifier);
        suspicion.of_seed(&source.program, evidence).unwrap()
    } else {
        let kind = suspicion.verdict.kind;
        let verifier = kind.needs_valid_program().then_some(&verifier);
        suspicion
            .of_variant(&variant, &source, verifier, &mutator)
            .unwrap()
    }
}

/// The ruling on a variant that `mycc` fails on.
fn on_variant(faults: Faults) -> Ruling {
    rule(&config(Runner::Direct), false, faults)
}

fn doubt(ruling: Ruling) -> Doubt {
    match ruling {
        Ruling::Dismissed(doubt) => doubt,
        Ruling::Kept(standing, done) => panic!("{standing:?}: {done:?}"),
    }
}

fn unchecked(ruling: Ruling) -> Unchecked {
    match ruling {
        Ruling::Kept(Standing::Unchecked { reason }, _) => reason,
        other => panic!("{other:?}"),
    }
}

/// What was established, by the first word of each.
fn established(ruling: &Ruling) -> Vec<String> {
    let Ruling::Kept(Standing::Confirmed, done) = ruling else {
        panic!("{ruling:?}");
    };
    let word = |done: &Confirmation| {
        let text = format!("{done:?}");
        text.split([' ', '(']).next().unwrap_or_default().to_owned()
    };
    done.iter().map(word).collect()
}

fn is_mycc(moment: &Moment, wanted: Worked, text: Worked) -> bool {
    moment.compiler == "mycc" && text == wanted
}

/// `mycc` makes the variant print something else.
fn wrong(moment: &Moment, text: Worked) -> Option<Answer> {
    (moment.is_run && is_mycc(moment, Worked::Variant, text)).then(|| Answer::good("4\n"))
}

#[test]
fn wrong_output_is_confirmed_by_everybody() {
    let ruling = on_variant(wrong);
    assert_eq!(
        established(&ruling),
        [
            "Repeated",
            "SeedPasses",
            "CompilersAgree",
            "SanitizersSilent",
            "SeedIsSteady",
            "ValuesPredicted"
        ]
    );
    let Ruling::Kept(Standing::Confirmed, done) = ruling else {
        unreachable!("it was confirmed");
    };
    assert_eq!(done[0], Confirmation::Repeated { times: 6 });
}

#[test]
fn a_crash_needs_no_witness() {
    let crashes: Faults = |moment, text| {
        assert!(
            text != Worked::Variant || moment.compiler == "mycc" || moment.is_probe(),
            "{moment:?}"
        );
        let crash = || Answer::fails("internal compiler error: in pass, at pass.cc:1\n");
        is_mycc(moment, Worked::Variant, text).then(crash)
    };
    assert_eq!(
        established(&on_variant(crashes)),
        ["Repeated", "SeedPasses"]
    );
    for ending in [
        Ending::Signalled(libc::SIGSEGV),
        Ending::TooMuchOutput,
        Ending::TooManyProcesses,
    ] {
        let ruling = rule(&config(Runner::Direct), false, move |moment, text| {
            is_mycc(moment, Worked::Variant, text).then(|| Answer::ends(ending, "", ""))
        });
        assert_eq!(established(&ruling), ["Repeated", "SeedPasses"], "{ending}");
    }
}

#[test]
fn a_rejection_counts_if_others_accept_the_variant() {
    let rejects: Faults = |moment, text| {
        is_mycc(moment, Worked::Variant, text).then(|| Answer::fails("seed.c:4: error: no\n"))
    };
    assert_eq!(
        established(&on_variant(rejects)),
        [
            "Repeated",
            "SeedPasses",
            "CompilersAgree",
            "SanitizersSilent"
        ]
    );
    let all_reject: Faults =
        |_, text| (text == Worked::Variant).then(|| Answer::fails("seed.c:4: error: no\n"));
    let Doubt::InvalidVariant { objection, .. } = doubt(on_variant(all_reject)) else {
        panic!("the variant is invalid");
    };
    let message = "line 4: error: no".into();
    assert_eq!(objection, Objection::DoesNotCompile { message });
}

#[test]
fn nobody_promises_to_inline_a_function() {
    const SAID: &str = "seed.c:1:5: error: inlining failed in call to 'always_inline' 'f': \
                        function not considered for inlining\n";
    let ruling = on_variant(|moment, text| {
        is_mycc(moment, Worked::Variant, text).then(|| Answer::fails(SAID))
    });
    assert_eq!(doubt(ruling), Doubt::NotInlined);
}

#[test]
fn a_header_that_a_compiler_lacks_is_no_fault_of_its() {
    let with = |said: &'static str| {
        rule(&config(Runner::Direct), false, move |moment, text| {
            is_mycc(moment, Worked::Variant, text).then(|| Answer::fails(said))
        })
    };
    for said in [
        "seed.c:1: error: include file 'stdatomic.h' not found\n",
        "seed.c:1:10: fatal error: 'stdatomic.h' file not found\n",
        "seed.c:1:10: fatal error: stdatomic.h: No such file or directory\n",
    ] {
        assert_eq!(doubt(with(said)), Doubt::NoHeader, "{said}");
    }
    assert!(!established(&with("seed.c:1: error: 'x' not found\n")).is_empty());
}

#[test]
fn what_is_not_seen_again_is_dismissed() {
    let runs = Arc::new(AtomicUsize::new(0));
    let ruling = rule(&config(Runner::Direct), false, move |moment, text| {
        wrong(moment, text).map(|answer| {
            if runs.fetch_add(1, Ordering::SeqCst) % 3 == 2 {
                Answer::good("3\n")
            } else {
                answer
            }
        })
    });
    assert!(matches!(doubt(ruling), Doubt::NotReproduced { .. }));
}

#[test]
fn a_hang_is_tried_again_alone_with_twice_the_time() {
    let hangs: Faults = |moment, text| {
        if !is_mycc(moment, Worked::Variant, text) {
            return None;
        }
        let limit = Patience::default().compile;
        let wanted = if moment.is_alone { limit * 2 } else { limit };
        assert_eq!(moment.wall, wanted);
        Some(Answer::hangs())
    };
    assert_eq!(
        established(&on_variant(hangs)),
        ["RepeatedAlone", "SeedPasses"]
    );
    let only_in_a_crowd: Faults = |moment, text| {
        (is_mycc(moment, Worked::Variant, text) && !moment.is_alone).then(Answer::hangs)
    };
    let Doubt::OnlyUnderLoad { verdict } = doubt(on_variant(only_in_a_crowd)) else {
        panic!("it does not hang when it is alone");
    };
    assert!(verdict.is_same());
}

#[test]
fn nothing_hangs_that_a_busy_machine_gives_no_time() {
    let starves: Faults = |moment, text| {
        is_mycc(moment, Worked::Variant, text).then(|| Answer::ends(Ending::Starved, "", ""))
    };
    assert_eq!(unchecked(on_variant(starves)), Unchecked::BusyMachine);
}

#[test]
fn a_seed_that_a_busy_machine_gives_no_time_is_not_one_that_fails() {
    let starves: Faults = |moment, text| {
        let is_late = moment.is_run && is_mycc(moment, Worked::Seed, text);
        let late = is_late.then(|| Answer::ends(Ending::Starved, "", ""));
        late.or_else(|| wrong(moment, text))
    };
    assert_eq!(unchecked(on_variant(starves)), Unchecked::BusyMachine);
}

#[test]
fn a_compiler_without_room_for_its_files_is_not_accused() {
    let is_full: Faults = |moment, text| {
        let said = "gcc: internal compiler error: File size limit exceeded signal terminated \
                    program as\n";
        is_mycc(moment, Worked::Variant, text).then(|| Answer::fails(said))
    };
    assert_eq!(unchecked(on_variant(is_full)), Unchecked::NoRoom);
}

#[test]
fn a_sanitizer_reports_other_addresses_each_time() {
    let runs = Arc::new(AtomicUsize::new(0));
    let reports = move |moment: &Moment, text| {
        wrong(moment, text).map(|_| {
            let at = runs.fetch_add(1, Ordering::SeqCst);
            let said = format!("==1==ERROR: AddressSanitizer: unknown address 0x{at:x}\n");
            Answer::ends(Ending::Exited(1), "3\n", &said)
        })
    };
    let config = Config {
        flags: vec!["-O2".into(), "-fsanitize=address".into()],
        ..config(Runner::Direct)
    };
    assert!(!established(&rule(&config, false, reports)).is_empty());
}

#[test]
fn lack_of_memory_is_tried_again_alone() {
    let starves: Faults = |moment, text| {
        let killed = Ending::Signalled(libc::SIGKILL);
        is_mycc(moment, Worked::Variant, text).then(|| Answer::ends(killed, "", ""))
    };
    assert_eq!(
        established(&on_variant(starves)),
        ["RepeatedAlone", "SeedPasses"]
    );
}

#[test]
fn a_program_that_hangs_is_waited_for_last() {
    let hangs: Faults = |moment, text| {
        (moment.is_run && is_mycc(moment, Worked::Variant, text)).then(Answer::hangs)
    };
    let established = established(&on_variant(hangs));
    assert_eq!(established.first().map(String::as_str), Some("SeedPasses"));
    assert_eq!(
        established.last().map(String::as_str),
        Some("RepeatedAlone")
    );
}

#[test]
fn a_seed_that_fails_now_and_then_says_nothing_of_its_variant() {
    let fails: Faults = |moment, text| {
        let is_program = moment.is_run && moment.compiler == "mycc";
        (is_program && text != Worked::Observed).then(|| Answer::good("4\n"))
    };
    assert!(matches!(doubt(on_variant(fails)), Doubt::SeedFails { .. }));
}

#[test]
fn a_variant_that_others_see_differently_is_not_one() {
    let all_differ: Faults =
        |moment, text| (moment.is_run && text == Worked::Variant).then(|| Answer::good("4\n"));
    let Doubt::InvalidVariant { objection, .. } = doubt(on_variant(all_differ)) else {
        panic!("the variant is invalid");
    };
    assert!(!objection.is_report());
    let reports: Faults = |moment, text| {
        let is_sanitized = moment.has("-fsanitize=memory") && text == Worked::Variant;
        let report = "WARNING: MemorySanitizer: use-of-uninitialized-value\n";
        let report = || Answer::ends(Ending::Exited(1), "3\n", report);
        wrong(moment, text).or_else(|| (moment.is_run && is_sanitized).then(report))
    };
    let Doubt::InvalidVariant { witness, objection } = doubt(on_variant(reports)) else {
        panic!("the variant is invalid");
    };
    assert!(objection.is_report());
    assert_eq!(witness.sanitizer.as_deref(), Some("memory"));
}

/// A trusted compiler under suspicion at `-O2`.
fn accuse_clang(faults: Faults) -> Ruling {
    rule(
        &Config::new(trusted(Family::Clang), &["-O2"]),
        false,
        faults,
    )
}

#[test]
fn a_trusted_compiler_that_is_accused_is_no_witness_for_the_others() {
    // It is wrong without optimisation, too.
    let wrong: Faults = |moment, text| {
        let is_wrong =
            moment.is_run && text == Worked::Variant && moment.compiler.contains("clang");
        is_wrong.then(|| Answer::good("4\n"))
    };
    let Ruling::Kept(Standing::Confirmed, done) = accuse_clang(wrong) else {
        panic!("the others agree on the variant");
    };
    let agree = done.iter().find_map(|done| match done {
        Confirmation::CompilersAgree { compilers, .. } => Some(compilers),
        _ => None,
    });
    assert!(
        agree.unwrap().iter().all(|name| !name.contains("clang")),
        "{done:?}"
    );
}

#[test]
fn a_check_of_the_library_that_flags_ask_for_is_not_held_against_a_compiler() {
    let aborts: Faults = |moment, text| {
        let is_checked = text == Worked::Variant
            && moment.has("-O2")
            && !moment.has("-Wp,-U_FORTIFY_SOURCE")
            && moment.compiler.contains("clang");
        let abort = Ending::Signalled(libc::SIGABRT);
        (moment.is_run && is_checked).then(|| Answer::ends(abort, "", ""))
    };
    let value = OpenValue::Fortification;
    assert_eq!(doubt(accuse_clang(aborts)), Doubt::Open { value, line: 1 });
    // What fails without the checks, too, fails by itself.
    let wrong: Faults = |moment, text| {
        let is_wrong = text == Worked::Variant && moment.has("-O2");
        let is_wrong = is_wrong && moment.is_run && moment.compiler.contains("clang");
        is_wrong.then(|| Answer::ends(Ending::Signalled(libc::SIGABRT), "", ""))
    };
    let flags = ["-O2", "-D_FORTIFY_SOURCE=2"];
    let config = Config::new(trusted(Family::Clang), &flags);
    assert!(matches!(
        rule(&config, false, wrong),
        Ruling::Kept(Standing::Confirmed, _)
    ));
}

#[test]
fn its_sanitizer_is_a_witness_all_the_same() {
    let reports: Faults = |moment, text| {
        if !moment.is_run || text != Worked::Variant || !moment.compiler.contains("clang") {
            return None;
        }
        Some(if moment.has("-fsanitize=address,undefined") {
            let report = "seed.c:4:3: runtime error: signed integer overflow\n";
            Answer::ends(Ending::Exited(0), "3\n", report)
        } else {
            Answer::good("4\n")
        })
    };
    let Doubt::InvalidVariant { objection, .. } = doubt(accuse_clang(reports)) else {
        panic!("the variant overflows");
    };
    let report = "line 4:3: runtime error: signed integer overflow".into();
    assert_eq!(objection, Objection::Report { report });
}

#[test]
fn what_cannot_be_observed_is_kept_unchecked() {
    let no_runtime: Faults = |moment, text| {
        let fails = is_mycc(moment, Worked::Runtime, text);
        wrong(moment, text).or_else(|| fails.then(|| Answer::fails("error: no threads\n")))
    };
    // It can still be linked.
    assert!(established(&on_variant(no_runtime)).contains(&"ValuesPredicted".to_owned()));
    let no_link: Faults = |moment, text| {
        let fails = !moment.is_run && is_mycc(moment, Worked::Observed, text);
        wrong(moment, text).or_else(|| fails.then(|| Answer::fails("error: cannot link\n")))
    };
    let Unchecked::NotObservable { reason } = unchecked(on_variant(no_link)) else {
        panic!("the seed cannot be observed");
    };
    assert!(reason.contains("cannot link"), "{reason}");
    let fails: Faults = |moment, text| {
        let fails = moment.is_run && is_mycc(moment, Worked::Observed, text);
        wrong(moment, text).or_else(|| fails.then(|| Answer::good("5\n")))
    };
    let reason = unchecked(on_variant(fails));
    assert!(
        matches!(reason, Unchecked::FailsWhenObserved { .. }),
        "{reason:?}"
    );
}

#[test]
fn other_values_than_predicted_are_the_right_of_a_compiler() {
    let visits: Faults = |moment, text| {
        if moment.is_run && is_mycc(moment, Worked::Observed, text) {
            record_a_visit(&moment.text);
        }
        wrong(moment, text)
    };
    let Doubt::OtherValues { statements, .. } = doubt(on_variant(visits)) else {
        panic!("it reaches what counts as dead");
    };
    assert_eq!(statements, 1);
}

/// Does what the runtime does at the first point: notes the visit in the file that the
/// text names.
fn record_a_visit(text: &str) {
    let (_, path) = text.split_once("mestra__path[] = \"").unwrap();
    let path = path.split('"').next().unwrap();
    let file = File::options().read(true).write(true).open(path).unwrap();
    let (started, counts) = (2, 3);
    let mut word = [0; 8];
    file.read_exact_at(&mut word, counts * 8).unwrap();
    let first = u64::from_ne_bytes(word);
    for at in [started, first] {
        file.write_all_at(&1_u64.to_ne_bytes(), at * 8).unwrap();
    }
}

#[test]
fn a_seed_that_differs_only_when_the_compiler_runs_it_is_dismissed() {
    let in_process = config(Runner::InProcess(vec!["-run".into()]));
    let only_then =
        |moment: &Moment, _| (moment.is_run && moment.has("-run")).then(|| Answer::good("4\n"));
    assert_eq!(
        doubt(rule(&in_process, true, only_then)),
        Doubt::OnlyInProcess
    );
    let always = |moment: &Moment, _| {
        (moment.is_run && moment.compiler == "mycc").then(|| Answer::good("4\n"))
    };
    assert_eq!(
        established(&rule(&in_process, true, always))[..2],
        ["Repeated", "WithoutRunner"]
    );
}

#[test]
fn a_seed_that_a_silent_sanitizer_changes_says_nothing_of_its_variant() {
    let moved: Faults = |moment, text| {
        let is_moved = moment.has("-fsanitize=memory") && text == Worked::Seed;
        wrong(moment, text).or_else(|| (moment.is_run && is_moved).then(|| Answer::good("5\n")))
    };
    let Doubt::Unsteady { witness } = doubt(on_variant(moved)) else {
        panic!("the seed depends on where its objects lie");
    };
    assert_eq!(witness.sanitizer.as_deref(), Some("memory"));
}

#[test]
fn what_trusted_compilers_cannot_run_in_time_is_kept_unchecked() {
    let slow: Faults = |moment, text| {
        let is_sanitized = moment.has("-fsanitize=memory") && text == Worked::Variant;
        wrong(moment, text).or_else(|| (moment.is_run && is_sanitized).then(Answer::hangs))
    };
    let Unchecked::OutOfTime { witness } = unchecked(on_variant(slow)) else {
        panic!("the memory sanitizer takes too long");
    };
    assert_eq!(witness.sanitizer.as_deref(), Some("memory"));
}

/// `clang -O2` makes the variant print something else.
fn clang_is_wrong(moment: &Moment, text: Worked) -> bool {
    let is_accused = moment.compiler.contains("clang") && moment.has("-O2");
    moment.is_run && is_accused && text == Worked::Variant
}

fn clang() -> Config {
    Config::new(trusted(Family::Clang), &["-O2"])
}

#[test]
fn a_seed_that_changes_with_a_flag_or_its_form_says_nothing_of_its_variant() {
    let with_flag: Faults = |moment, text| {
        let changes = moment.is_run && text == Worked::Seed && moment.has("-fno-builtin");
        (changes || clang_is_wrong(moment, text)).then(|| Answer::good("4\n"))
    };
    let flag = "-fno-builtin".into();
    assert_eq!(doubt(accuse_clang(with_flag)), Doubt::FlagMatters { flag });
    let in_other_form: Faults = |moment, text| {
        let is_accused = moment.compiler == "mycc" && text == Worked::Neutral;
        let changes = moment.is_run && is_accused;
        wrong(moment, text).or_else(|| changes.then(|| Answer::good("4\n")))
    };
    let change = crate::source::neutral::NeutralChange::VolatileReads;
    assert_eq!(
        doubt(on_variant(in_other_form)),
        Doubt::FormMatters { change }
    );
    // It cannot depend on anything open if what it prints was predicted.
    let (known, direct) = (Expectation::predicted, config(Runner::Direct));
    let ruling = rule_against(known, SEED, &direct, false, in_other_form);
    assert!(!established(&ruling).is_empty());
}

#[test]
fn a_failure_that_goes_with_a_flag_is_believed_all_the_same() {
    // True faults do: a pass is switched off, or arithmetic wraps.
    let goes: Faults = |moment, text| {
        let is_off = moment.has("-fno-strict-aliasing") || moment.has("-fno-builtin");
        (clang_is_wrong(moment, text) && !is_off).then(|| Answer::good("4\n"))
    };
    assert!(established(&accuse_clang(goes)).contains(&"SeedIsSteady".to_owned()));
}

const PUNNING: &str = "int x;\nint main(void)\n{\n    short *p = (short *)&x;\n    *p = 1;\n    \
                       x = 2;\n    return 0;\n}\n";

#[test]
fn what_may_be_an_aliasing_violation_is_kept_apart() {
    let goes = |moment: &Moment, text| {
        let is_off = moment.has("-fno-strict-aliasing");
        (clang_is_wrong(moment, text) && !is_off).then(|| Answer::good("4\n"))
    };
    let Ruling::Kept(standing, done) = rule_on(PUNNING, &clang(), false, goes) else {
        panic!("it was dismissed");
    };
    assert_eq!(
        standing,
        Standing::PossibleAliasing {
            line: 4,
            rule: AliasRule::Types
        }
    );
    assert!(done.contains(&Confirmation::ValuesPredicted), "{done:?}");
    let stays = |moment: &Moment, text| clang_is_wrong(moment, text).then(|| Answer::good("4\n"));
    assert!(!established(&rule_on(PUNNING, &clang(), false, stays)).is_empty());
}

const COMPARING: &str = "int strcmp(const char *, const char *);\nint x;\nint main(void)\n{\n    \
                         x = strcmp(\"a\", \"c\");\n    x = 2;\n    return x - 2;\n}\n";

#[test]
fn a_result_beyond_its_sign_is_open_unless_the_library_answers() {
    let folded = |moment: &Moment, text| {
        let is_off = moment.has("-fno-builtin");
        (clang_is_wrong(moment, text) && !is_off).then(|| Answer::good("4\n"))
    };
    let value = OpenValue::ComparisonResult;
    assert_eq!(
        doubt(rule_on(COMPARING, &clang(), false, folded)),
        Doubt::Open { value, line: 5 }
    );
    let stays = |moment: &Moment, text| clang_is_wrong(moment, text).then(|| Answer::good("4\n"));
    assert!(!established(&rule_on(COMPARING, &clang(), false, stays)).is_empty());
}

const NAMING: &str = "int puts(const char *);\nint x;\nint main(void)\n{\n    x = 1;\n    x = 2;\n    \
                      puts(__PRETTY_FUNCTION__);\n    return 0;\n}\n";

#[test]
fn the_name_of_a_function_is_for_each_compiler_to_write() {
    let goes = |moment: &Moment, text| {
        let is_plain = moment.has("-D__PRETTY_FUNCTION__=__func__");
        (clang_is_wrong(moment, text) && !is_plain).then(|| Answer::good("4\n"))
    };
    let value = OpenValue::FunctionName;
    assert_eq!(
        doubt(rule_on(NAMING, &clang(), false, goes)),
        Doubt::Open { value, line: 7 }
    );
    let stays = |moment: &Moment, text| clang_is_wrong(moment, text).then(|| Answer::good("4\n"));
    assert!(!established(&rule_on(NAMING, &clang(), false, stays)).is_empty());
}

const RESERVED: &str = "int x = __MMX__;\nint y __attribute__((aligned));\nint main(void)\n{\n    \
                        x = 1;\n    x = 2;\n    return y;\n}\n";

/// A variant that `clang -O2` makes wrong, and for which it takes names for what `sees` says.
fn wrong_where(sees: fn(&Moment) -> Option<&'static str>) -> Ruling {
    rule_on(RESERVED, &clang(), false, move |moment, text| {
        if moment.has("-E") {
            let seen = sees(moment).filter(|_| moment.has("-O2")).unwrap_or("1");
            return Some(Answer::good(&format!("# 1 \"seed.c\"\n{seen}\n")));
        }
        clang_is_wrong(moment, text).then(|| Answer::good("4\n"))
    })
}

#[test]
fn names_that_a_compiler_defines_otherwise_are_open() {
    let value = OpenValue::Macro;
    let all = wrong_where(|moment| (!moment.text.contains("ALIGNMENT")).then_some("2"));
    assert_eq!(doubt(all), Doubt::Open { value, line: 1 });
    // It only asks for them.
    let names = wrong_where(|moment| moment.text.starts_with("__MMX__").then_some("2"));
    assert!(!established(&names).is_empty());
    let value = OpenValue::Alignment;
    let alignment = wrong_where(|moment| moment.text.contains("ALIGNMENT").then_some("2"));
    assert_eq!(doubt(alignment), Doubt::Open { value, line: 2 });
}

const UNRETURNED: &str = "int x;\nint main(void)\n{\n    x = 1;\n    x = 2;\n}\n";

#[test]
fn before_c99_a_main_may_end_with_any_status() {
    let rule_with = |flags: &[&str], output: &'static str| {
        let config = Config::new(trusted(Family::Clang), flags);
        rule_on(UNRETURNED, &config, false, move |moment, text| {
            let ends = || Answer::ends(Ending::Exited(2), output, "");
            clang_is_wrong(moment, text).then(ends)
        })
    };
    let value = OpenValue::ExitStatus;
    assert_eq!(
        doubt(rule_with(&["-O2", "-std=gnu89"], "3\n")),
        Doubt::Open { value, line: 6 }
    );
    assert!(!established(&rule_with(&["-O2", "-std=gnu89"], "4\n")).is_empty());
    assert!(!established(&rule_with(&["-O2", "-std=gnu99"], "3\n")).is_empty());
}

const SHIFTING: &str = "typedef int v __attribute__((vector_size(16)));\nv a, b;\nint main(void)\n{\n    \
                        b = a << b;\n    b = a;\n    return 0;\n}\n";
const ADDING: &str = "typedef int v __attribute__((vector_size(16)));\nv a, b;\nint main(void)\n{\n    \
                      b = a + (b << 3);\n    b = a;\n    return 0;\n}\n";

#[test]
fn lanes_of_vectors_are_checked_by_nobody() {
    let stays = |moment: &Moment, text| clang_is_wrong(moment, text).then(|| Answer::good("4\n"));
    let wraps = |moment: &Moment, text| {
        (clang_is_wrong(moment, text) && !moment.has("-fwrapv")).then(|| Answer::good("4\n"))
    };
    let lanes = Unchecked::Vector { line: 5 };
    assert_eq!(unchecked(rule_on(SHIFTING, &clang(), false, stays)), lanes);
    assert_eq!(unchecked(rule_on(ADDING, &clang(), false, wraps)), lanes);
    assert!(!established(&rule_on(ADDING, &clang(), false, stays)).is_empty());
}

const CONDITIONAL: &str = "int x;\nint main(void)\n{\n    x = 1;\n#ifdef __ELF__\n    x = 2;\n\
                           #endif\n    return 0;\n}\n";

/// A variant that a compiler rejects; all show the marks of parts that `sees` says.
fn rejected_where(sees: fn(&Moment) -> bool) -> Ruling {
    rule_on(
        CONDITIONAL,
        &config(Runner::Direct),
        false,
        move |moment, text| {
            if moment.has("-E") {
                let seen = if sees(moment) {
                    "mestra__group_0\n"
                } else {
                    ""
                };
                return Some(Answer::good(&format!("# 1 \"seed.c\"\nint x;\n{seen}")));
            }
            let is_accused = moment.compiler == "mycc" && text == Worked::Variant;
            (is_accused && !moment.is_run).then(|| Answer::fails("seed.c:4: error: no\n"))
        },
    )
}

#[test]
fn a_compiler_that_sees_other_parts_of_a_program_is_not_accused() {
    let value = OpenValue::Macro;
    assert_eq!(
        doubt(rejected_where(|moment| moment.compiler != "mycc")),
        Doubt::Open { value, line: 5 }
    );
    assert!(!established(&rejected_where(|_| true)).is_empty());
}

#[test]
fn nothing_is_open_in_a_program_whose_output_was_predicted() {
    let with = |known| {
        let wrong_where_seen = |moment: &Moment, text| {
            if moment.has("-E") {
                let seen = ["", "mestra__group_0\n"][usize::from(moment.compiler == "mycc")];
                return Some(Answer::good(&format!("# 1 \"seed.c\"\nint x;\n{seen}")));
            }
            wrong(moment, text)
        };
        rule_against(
            known,
            CONDITIONAL,
            &config(Runner::Direct),
            false,
            wrong_where_seen,
        )
    };
    let value = OpenValue::Macro;
    let as_seed = with(Expectation::as_seed);
    assert_eq!(doubt(as_seed), Doubt::Open { value, line: 5 });
    assert!(!established(&with(Expectation::predicted)).is_empty());
}

#[test]
fn a_predicted_program_may_be_wrong_in_another_way_each_time() {
    let with = |known| {
        let runs = Arc::new(AtomicUsize::new(0));
        let wrong_anew = move |moment: &Moment, text| {
            wrong(moment, text).map(|_| {
                let garbage = runs.fetch_add(1, Ordering::SeqCst) + 100;
                Answer::good(&format!("{garbage}\n"))
            })
        };
        rule_against(known, SEED, &config(Runner::Direct), false, wrong_anew)
    };
    let as_seed = with(Expectation::as_seed);
    assert_eq!(unchecked(as_seed), Unchecked::WrongAnew);
    assert!(!established(&with(Expectation::predicted)).is_empty());
}

/// A program that fails in these ways, one run after the other, the last for ever.
fn rule_on_runs(
    known: fn(Vec<Behaviour>) -> Expectation,
    ways: &'static [fn() -> Answer],
) -> Ruling {
    let runs = Arc::new(AtomicUsize::new(0));
    let in_turn = move |moment: &Moment, text| {
        wrong(moment, text).map(|_| {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            ways[run.min(ways.len() - 1)]()
        })
    };
    rule_against(known, SEED, &config(Runner::Direct), false, in_turn)
}

#[test]
fn a_predicted_program_may_hang_crash_and_print_something_wrong_by_turns() {
    let prints: fn() -> Answer = || Answer::good("4\n");
    let crashes: fn() -> Answer = || Answer::ends(Ending::Signalled(libc::SIGSEGV), "", "");
    let hangs: fn() -> Answer = Answer::hangs;
    let hang_first: &[fn() -> Answer] = &[hangs, prints, crashes, prints];
    let hang_later: &[fn() -> Answer] = &[prints, crashes, hangs, crashes, prints];
    let hang_twice: &[fn() -> Answer] = &[crashes, prints, hangs];
    for (ways, last) in [
        (hang_first, "Repeated"),
        (hang_later, "Repeated"),
        (hang_twice, "RepeatedAlone"),
    ] {
        let ways: &'static [fn() -> Answer] = Vec::leak(ways.to_vec());
        let established = established(&rule_on_runs(Expectation::predicted, ways));
        assert!(established.contains(&last.to_owned()), "{established:?}");
        assert!(matches!(
            doubt(rule_on_runs(Expectation::as_seed, ways)),
            Doubt::OnlyUnderLoad { .. } | Doubt::NotReproduced { .. }
        ));
    }
}

#[test]
fn a_predicted_program_that_is_right_once_is_not_believed() {
    let right: fn() -> Answer = || Answer::good("3\n");
    let prints: fn() -> Answer = || Answer::good("4\n");
    let ways: &'static [fn() -> Answer] = Vec::leak(vec![Answer::hangs, prints, prints, right]);
    let ruling = rule_on_runs(Expectation::predicted, ways);
    assert!(matches!(doubt(ruling), Doubt::OnlyUnderLoad { .. }));
    // It hung only because of the load.
    let ways: &'static [fn() -> Answer] = Vec::leak(vec![prints, Answer::hangs, right]);
    let ruling = rule_on_runs(Expectation::predicted, ways);
    assert!(matches!(doubt(ruling), Doubt::NotReproduced { .. }));
}

const SPLIT_NUMBER: &str = "#define f 2\n#define text(x) #x\n#define full(x) text(x)\n\
                            const char *s = full(0x1p+f);\nint x;\nint main(void)\n{\n    \
                            x = 1;\n    x = 2;\n    return s[5] - s[5];\n}\n";

#[test]
fn a_compiler_that_divides_a_number_as_c90_does_is_not_accused() {
    let under = |version: &str| {
        let config = Config::new(fake::compiler("mycc", Family::Gcc), &["-O2", version]);
        rule_on(SPLIT_NUMBER, &config, false, wrong)
    };
    let value = OpenValue::NumberEnd;
    assert_eq!(doubt(under("-ansi")), Doubt::Open { value, line: 4 });
    assert!(!established(&under("-std=gnu89")).is_empty());
}

const FOLDING: &str = "void was_not_folded(void);\nint x;\nint main(void)\n{\n    x = 1;\n    \
                       x = 2;\n    if (!__builtin_constant_p(x)) was_not_folded();\n    \
                       return 0;\n}\n";

#[test]
fn a_call_that_one_compiler_leaves_out_and_another_cannot_link_accuses_nobody() {
    let rejects: Faults = |moment, text| {
        let is_accused = moment.compiler == "mycc" && text == Worked::Variant && !moment.is_run;
        let words = "program.c:7: undefined reference to `was_not_folded'\n";
        is_accused.then(|| Answer::fails(words))
    };
    let value = OpenValue::CompilerKnowledge;
    assert_eq!(
        doubt(rule_on(FOLDING, &config(Runner::Direct), false, rejects)),
        Doubt::Open { value, line: 7 }
    );
    assert!(!established(&rule(&config(Runner::Direct), false, rejects)).is_empty());
}
