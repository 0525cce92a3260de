//! How small our own reducer makes programs that real miscompilations show in.
//!
//! A defect is planted in the assembly that gcc writes (see [`crate::defects`]): whether it
//! shows depends on what gcc's passes make of the program, as with a real one. This program
//! itself plays the compiler, when a script calls it. The first program of our generator or of
//! Csmith that behaves wrongly is reduced without C-Vise, by this version and by an older one
//! that `MESTRA_BEFORE` names.

use crate::defects::{self, Assembly};
use crate::support::csmith;
use mestra::hunt::finding::{FINDINGS, Reduced};
use mestra::lab::process::{Command, Limits};
use mestra::variant::generate::{GenerateRequest, generate};
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, process};

/// Names the defect that this program has when it plays a compiler.
pub const DEFECT: &str = "MESTRA_STUDY_DEFECT";

/// Defects that are not rare and not everywhere, by the beginning of their lines.
pub const PLANTED: [&str; 6] = [
    "negl {a} => notl {a}",
    "sarl %cl, {a}",
    "cmovl {a}, {b}",
    "leal ({a},{a},2), {b}",
    "sarl $31, {a}",
    "cmpl {a}, {b} ; setg {c}",
];

/// How long one program may be reduced, unless `MESTRA_REDUCTION_TIME` says otherwise.
const TIME: &str = "5m";

/// Numbers of programs that are tried for each defect.
const PROGRAMS: std::ops::RangeInclusive<u32> = 1..=12;

/// Compiles like gcc, but for the defect; what gcc is asked besides compiling, gcc answers.
pub fn play_compiler(defect: &str) -> ! {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let compiles = arguments.iter().any(|argument| argument.ends_with(".c"));
    let is_other = ["-E", "-S", "-fsyntax-only", "-Q", "-M", "-MM"]
        .into_iter()
        .any(has);
    let code = if compiles && !is_other {
        compile(defect, &arguments)
    } else {
        gcc(&arguments)
    };
    process::exit(code)
}

fn gcc(arguments: &[String]) -> i32 {
    let status = process::Command::new("gcc").args(arguments).status();
    status.ok().and_then(|status| status.code()).unwrap_or(1)
}

fn compile(defect: &str, arguments: &[String]) -> i32 {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let assembly = directory.path().join("a.s");
    let path = assembly.display().to_string();
    let (mut front, mut back) = (vec!["-S".into(), "-o".into(), path.clone()], vec![path]);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-o" => back.extend([argument.clone()].into_iter().chain(rest.next().cloned())),
            "-c" => back.push(argument.clone()),
            other if other.starts_with("-l") || other.ends_with(".o") => back.push(other.into()),
            other => front.push(other.into()),
        }
    }
    let code = gcc(&front);
    if code != 0 {
        return code;
    }
    let text = fs::read_to_string(&assembly).expect("gcc has written assembly");
    let all = defects::all();
    let planted = all
        .iter()
        .find(|one| one.name == defect)
        .expect("a defect of the table");
    if let Some(wrong) = Assembly::read(&text).with(planted) {
        fs::write(&assembly, wrong).expect("the directory is writable");
    }
    gcc(&back)
}

/// A compiler with a defect, in a directory of its own: a script that lets this program play it.
pub fn planted(directory: &Path, defect: &str) -> PathBuf {
    let compiler = directory.join("gcc-planted");
    let own = env::current_exe().expect("this program has a path");
    let script = format!(
        "#!/bin/sh\n{DEFECT}='{defect}' exec '{}' \"$@\"\n",
        own.display()
    );
    fs::write(&compiler, script).expect("the directory is writable");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it is ours");
    compiler
}

/// The line of the table that begins so.
pub fn defect(prefix: &str) -> &'static str {
    let all = defects::all();
    let found = all.iter().find(|defect| defect.name.starts_with(prefix));
    found.expect("a defect of the table").name
}

/// A program that a defect shows in, as a campaign has found it.
struct Sample {
    defect: &'static str,
    source: &'static str,
    campaign: PathBuf,
}

/// What a reducer made of a sample.
struct Outcome {
    tokens: usize,
    lines: usize,
    is_finished: bool,
    seconds: f64,
}

pub fn study(_: usize) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let mestra = PathBuf::from(env!("CARGO_BIN_EXE_mestra"));
    let before = env::var_os("MESTRA_BEFORE").map(PathBuf::from);
    let mut text =
        String::from("| defect | program | tokens | before | now |\n|---|---|---:|---:|---:|\n");
    let (mut sums, mut rows) = ([0; 2], 0);
    for prefix in PLANTED {
        let defect = defect(prefix);
        for (source, of_csmith) in [("ours", false), ("Csmith", true)] {
            let Some(sample) = find(directory.path(), &mestra, defect, source, of_csmith) else {
                eprintln!("reduction: {defect}: shows in no program of {source}");
                continue;
            };
            let outcomes = [before.as_deref(), Some(mestra.as_path())]
                .map(|binary| binary.map(|binary| reduced(&sample, binary)));
            let start = size(&sample);
            let cells = outcomes.iter().map(|outcome| cell(outcome.as_ref()));
            let cells: Vec<String> = cells.collect();
            let row = format!(
                "| `{}` | {} | {start} | {} |",
                sample.defect,
                sample.source,
                cells.join(" | ")
            );
            eprintln!("reduction: {row}");
            let _ = writeln!(text, "{row}");
            if outcomes.iter().all(Option::is_some) {
                rows += 1;
                for (sum, outcome) in sums.iter_mut().zip(&outcomes) {
                    *sum += outcome.as_ref().map_or(0, |outcome| outcome.tokens);
                }
            }
        }
    }
    if rows > 0 {
        let [old, new] = sums.map(|sum| sum as f64 / f64::from(rows));
        let _ = writeln!(text, "\nOn average {old:.0} tokens before, {new:.0} now.");
    }
    text
}

fn time() -> String {
    env::var("MESTRA_REDUCTION_TIME").unwrap_or_else(|_| TIME.into())
}

fn cell(outcome: Option<&Outcome>) -> String {
    outcome.map_or("–".into(), |outcome| {
        let mark = if outcome.is_finished {
            ""
        } else {
            ", not finished"
        };
        let Outcome {
            tokens,
            lines,
            seconds,
            ..
        } = outcome;
        format!("{tokens} ({lines} lines, {seconds:.0} s{mark})")
    })
}

/// Runs a campaign over one program after the other until one fails.
fn find(
    directory: &Path,
    mestra: &Path,
    defect: &'static str,
    source: &'static str,
    of_csmith: bool,
) -> Option<Sample> {
    let place = tempfile::tempdir_in(directory)
        .expect("a directory can be made")
        .keep();
    let compiler = planted(&place, defect);
    let seeds = place.join("seeds");
    fs::create_dir(&seeds).expect("the directory is writable");
    for number in PROGRAMS {
        let program = if of_csmith {
            csmith(&place, number).source.to_vec()
        } else {
            generate(&GenerateRequest::default(), number.into())
                .text
                .into_bytes()
        };
        fs::write(seeds.join(format!("{number:02}.c")), program).expect("it is writable");
        let campaign = place.join(format!("campaign{number}"));
        let ran = Command::new(mestra)
            .args([
                "campaign",
                "--no-reduce",
                "--flag-set=-O2",
                "--schedule",
                "fixed",
                "-n",
                "1",
                "--jobs",
                "1",
            ])
            .arg("--seeds")
            .arg(seeds.join(format!("{number:02}.c")))
            .arg("--compiler")
            .arg(&compiler)
            .arg("--out")
            .arg(&campaign)
            .limits(patient())
            .run()
            .expect("a campaign can be started");
        let found = fs::read_dir(campaign.join(FINDINGS)).is_ok_and(|mut all| all.next().is_some());
        if found && ran.ending == mestra::lab::process::Ending::Exited(2) {
            return Some(Sample {
                defect,
                source,
                campaign,
            });
        }
    }
    None
}

pub fn patient() -> Limits {
    Limits {
        wall: Duration::from_secs(3600),
        memory: None,
        ..Limits::default()
    }
}

/// The one finding of a campaign that is reduced.
fn finding(campaign: &Path) -> PathBuf {
    let all = fs::read_dir(campaign.join(FINDINGS)).expect("the campaign has findings");
    let mut all: Vec<PathBuf> = all.map(|entry| entry.expect("readable").path()).collect();
    all.sort();
    all.remove(0)
}

fn size(sample: &Sample) -> usize {
    let finding = finding(&sample.campaign);
    let variant = fs::read(finding.join("variant.c"));
    let program = variant.or_else(|_| fs::read(finding.join("seed.c")));
    mestra::hunt::reduce::TextSize::of(&program.expect("it has a program")).tokens
}

fn reduced(sample: &Sample, binary: &Path) -> Outcome {
    let finding = finding(&sample.campaign);
    let _ = fs::remove_dir_all(finding.join(mestra::hunt::finding::REDUCED));
    let ran = Command::new(binary)
        .args(["reduce", "--no-cvise", "--time", &time()])
        .arg(&finding)
        .limits(patient())
        .run()
        .expect("a reduction can be started");
    let reduced = Reduced::read(&finding)
        .expect("it can be read")
        .expect("it was reduced");
    Outcome {
        tokens: reduced.tokens,
        lines: reduced.lines,
        is_finished: reduced.is_finished,
        seconds: ran.wall.as_secs_f64(),
    }
}
