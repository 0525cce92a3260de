//! How much of optimisers programs of our own exercise, against Csmith's and against our own
//! without policies, for the same time of compiling; and what making them costs.

use crate::remarks::general;
use crate::support::{cpu, csmith, median};
use mestra::lab::process::{Command, Output};
use mestra::lab::toolchain::newest_clang;
use mestra::variant::generate::{GenerateRequest, GenerationStats, generate};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Seconds that gcc compiles the programs of each kind for a seed that is asked for.
const SECONDS: f64 = 1.0;

/// Makes the program of a number.
type Maker<'m> = &'m dyn Fn(u32) -> Vec<u8>;

/// What compilers did with some programs.
#[derive(Default)]
struct Measured {
    programs: u32,
    source: usize,
    object: u64,
    vectorised: u64,
    optimised: BTreeSet<String>,
    statistics: BTreeSet<String>,
    passed: BTreeSet<String>,
    gcc: Duration,
    runs: Vec<f64>,
}

pub fn study(seeds: usize) -> String {
    let budget = Duration::from_secs_f64(seeds as f64 * SECONDS);
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let plain = GenerateRequest {
        policies: false,
        ..GenerateRequest::default()
    };
    let of = |request: &GenerateRequest, number| generate(request, number).text.into_bytes();
    let kinds: [(&str, Maker<'_>); 3] = [
        ("ours", &|number| {
            of(&GenerateRequest::default(), number.into())
        }),
        ("ours without policies", &|number| of(&plain, number.into())),
        ("Csmith's", &|number| {
            csmith(directory.path(), number).source.to_vec()
        }),
    ];
    let mut text = format!(
        "Programs of each kind until gcc -O3 has compiled for {:.0} s.\n\n\
         | programs | number | KB each | loops vectorised a second | kinds of gcc remarks | \
         kinds of gcc statistics | kinds of clang's passed remarks | .text bytes a KB | \
         run, median and longest |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        budget.as_secs_f64()
    );
    for (name, make) in kinds {
        let mut measured = Measured::default();
        for number in 1.. {
            if measured.gcc >= budget {
                break;
            }
            measured.add(directory.path(), &make(number));
        }
        measured.row(name, &mut text);
    }
    text.push('\n');
    text += &making();
    text
}

impl Measured {
    fn add(&mut self, directory: &Path, text: &[u8]) {
        fs::write(directory.join("a.c"), text).expect("the temporary directory can be written");
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().ends_with(".statistics") {
                let _ = fs::remove_file(entry.path());
            }
        }
        let flags = [
            "-O3",
            "-c",
            "-fopt-info-optimized=remarks",
            "-fdump-statistics",
        ];
        self.gcc += run(directory, "gcc", &flags).cpu;
        self.programs += 1;
        self.source += text.len();
        for line in read(directory, "remarks").lines() {
            let Some((_, remark)) = line.split_once(": optimized: ") else {
                continue;
            };
            self.vectorised += u64::from(remark.contains("loop vectorized"));
            self.optimised.insert(general(remark));
        }
        self.add_statistics(directory);
        let sizes = run_tool(directory, "size", &["a.o"]);
        let sizes = String::from_utf8_lossy(&sizes.stdout).into_owned();
        let object = sizes
            .lines()
            .nth(1)
            .and_then(|line| line.split_whitespace().next());
        self.object += object
            .and_then(|bytes| bytes.parse::<u64>().ok())
            .unwrap_or(0);
        if let Some(clang) = newest_clang() {
            let record = [
                "-fsave-optimization-record",
                "-foptimization-record-file=record",
            ];
            run(directory, &clang.name, &["-O3", "-c", record[0], record[1]]);
            self.add_passed(&read(directory, "record"));
        }
        run(directory, "gcc", &["-O0"]);
        // Some of Csmith's do not end.
        let ran = run_tool(directory, "timeout", &["5", "./a.o"]);
        self.runs.push(ran.wall.as_secs_f64() * 1000.0);
    }

    fn add_statistics(&mut self, directory: &Path) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".statistics") {
                continue;
            }
            for line in read(directory, &name).lines() {
                let fields: Vec<&str> = line.split('"').collect();
                if let [pass, event, ..] = fields[..] {
                    let pass = pass.split_whitespace().last().unwrap_or_default();
                    self.statistics.insert(format!("{pass} {}", general(event)));
                }
            }
        }
    }

    fn add_passed(&mut self, record: &str) {
        for remark in record.split("--- !Passed\n").skip(1) {
            let word = |key: &str| {
                let line = remark.lines().find(|line| line.starts_with(key));
                line.map_or("", |line| line[key.len()..].trim()).to_owned()
            };
            self.passed
                .insert(format!("{} {}", word("Pass:"), word("Name:")));
        }
    }

    fn row(&self, name: &str, text: &mut String) {
        let kilobytes = self.source as f64 / 1024.0;
        let longest = self.runs.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "| {name} | {} | {:.0} | {:.1} | {} | {} | {} | {:.0} | {:.1} ms, {longest:.0} ms |",
            self.programs,
            kilobytes / f64::from(self.programs),
            self.vectorised as f64 / self.gcc.as_secs_f64(),
            self.optimised.len(),
            self.statistics.len(),
            self.passed.len(),
            self.object as f64 / kilobytes,
            median(self.runs.clone()),
        );
    }
}

/// What making programs costs, and how that grows.
fn making() -> String {
    const PROGRAMS: u64 = 40;
    let mut stats = GenerationStats::default();
    let ((), time) = cpu(|| {
        for number in 1..=PROGRAMS {
            stats.add(&generate(&GenerateRequest::default(), number).stats);
        }
    });
    let seconds = time.as_secs_f64();
    let of_size = |size: u32| {
        let request = GenerateRequest {
            size: size..=size,
            ..GenerateRequest::default()
        };
        let mut bytes = 0;
        let ((), time) = cpu(|| {
            for number in 1..=PROGRAMS / 2 {
                bytes += generate(&request, number).stats.bytes;
            }
        });
        (bytes as f64, time.as_secs_f64())
    };
    let (small, large) = (of_size(10_000), of_size(160_000));
    let exponent = (large.1 / small.1).ln() / (large.0 / small.0).ln();
    let [conditions, both] = stats.conditions;
    format!(
        "Making them: {:.0} programs and {:.1} MB a second of CPU time; from 10 to 160 KB the \
         time grows as size to the power of {exponent:.2}. {:.0} % of the conditions of branches \
         go both ways.\n",
        PROGRAMS as f64 / seconds,
        stats.bytes as f64 / 1e6 / seconds,
        100.0 * both as f64 / conditions.max(1) as f64
    )
}

fn run(directory: &Path, compiler: &str, flags: &[&str]) -> Output {
    let csmith = ["-I/usr/include/csmith"];
    let output = Command::new(compiler)
        .directory(directory)
        .args(["-w", "-o", "a.o", "a.c"])
        .args(csmith)
        .args(flags)
        .run();
    let output = output.expect("the compiler is installed");
    if !output.ending.is_success() {
        // Programs of ours are made to bring compilers to that; the others still count.
        let message = String::from_utf8_lossy(&output.stderr);
        eprintln!("{compiler} fails: {}", message.lines().next().unwrap_or(""));
    }
    output
}

fn run_tool(directory: &Path, tool: &str, arguments: &[&str]) -> Output {
    let output = Command::new(tool)
        .directory(directory)
        .args(arguments)
        .run();
    output.expect("the tool is installed")
}

/// A file that is not there if nothing was said.
fn read(directory: &Path, name: &str) -> String {
    let bytes = fs::read(directory.join(name)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
