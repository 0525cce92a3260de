//! Which lines of a small compiler programs exercise: tcc, built with gcov from
//! Debian's source package.

use crate::draw;
use crate::plot::{Bars, grouped};
use crate::sample::{STRATEGIES, Sample};
use mestra::lab::process::{Command, Limits};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The files of tcc that compile C for this machine; others assemble, link or run.
const FILES: [&str; 3] = ["tccpp.c", "tccgen.c", "x86_64-gen.c"];

/// Lines of each file that were run, and all of them.
type Lines = [(usize, usize); FILES.len()];

struct Tcc {
    directory: PathBuf,
    sources: String,
    flags: Vec<OsString>,
}

pub fn study(sample: &Sample) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let tcc = match Tcc::build(directory.path(), sample.flags()) {
        Ok(tcc) => tcc,
        Err(reason) => return format!("tcc could not be built from its sources: {reason}\n"),
    };
    let base = tcc.lines(sample.seeds());
    let mut rows = Vec::new();
    for (index, (_, name)) in STRATEGIES.iter().enumerate() {
        let texts = sample.seeds().chain(sample.variants(index));
        rows.push((format!("and variants by {name}"), tcc.lines(texts)));
    }
    let all = (0..STRATEGIES.len()).flat_map(|index| sample.variants(index));
    rows.push((
        "and the four together".into(),
        tcc.lines(sample.seeds().chain(all)),
    ));
    let others = tcc.lines(sample.seeds().chain(sample.others()));
    rows.push(("and further seeds".into(), others));

    let mut text = String::from(
        "Lines of tcc's preprocessor, parser and code generator that are run when it compiles \
         the programs, `gcov` counting.\n\n| programs |",
    );
    for (file, (_, all)) in FILES.iter().zip(&base) {
        let _ = write!(text, " {file}, of {all} |");
    }
    text.push_str(" together |\n|---|---:|---:|---:|---:|\n");
    let sum = |lines: &Lines| lines.iter().map(|(run, _)| run).sum::<usize>();
    let mut row = |name: &str, lines: &Lines| {
        let _ = write!(text, "| {name} |");
        for (run, _) in lines {
            let _ = write!(text, " {run} |");
        }
        let _ = writeln!(
            text,
            " {} ({:+}) |",
            sum(lines),
            sum(lines) as i64 - sum(&base) as i64
        );
    };
    row("seeds", &base);
    let mut series = Vec::new();
    for (name, lines) in &rows {
        row(name, lines);
        let more = base
            .iter()
            .zip(lines)
            .map(|((base, _), (run, _))| *run as f64 - *base as f64);
        series.push(Bars::of_row(name, more.collect()));
    }
    draw(
        "coverage",
        &grouped(
            "Lines of tcc run, more than by the seeds alone",
            &FILES,
            &series,
        ),
    );
    text.push_str("\n![More lines of tcc than by the seeds alone](studies/coverage.svg)\n");
    text
}

impl Tcc {
    fn build(directory: &Path, flags: &[OsString]) -> Result<Tcc, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/tcc-with-gcov.sh");
        let limits = Limits {
            wall: Duration::from_secs(300),
            ..Limits::default()
        };
        let built = Command::new(script).arg(directory).limits(limits).run();
        let built = built.map_err(|error| error.to_string())?;
        if !built.ending.is_success() {
            let said = String::from_utf8_lossy(&built.stderr);
            return Err(said.lines().last().unwrap_or("it says nothing").to_owned());
        }
        let sources = fs::read_to_string(directory.join("where")).map_err(|e| e.to_string())?;
        Ok(Tcc {
            directory: directory.to_owned(),
            flags: flags.to_owned(),
            sources: sources.trim().to_owned(),
        })
    }

    /// What is run when tcc compiles all of these texts.
    fn lines<'t>(&self, texts: impl Iterator<Item = &'t [u8]>) -> Lines {
        // Counters add up in a file until it is removed.
        let counters = self.directory.join("tcc.gcda");
        let _ = fs::remove_file(&counters);
        for text in texts {
            fs::write(self.directory.join("a.c"), text).expect("the directory can be written");
            let outcome = Command::new(self.directory.join("tcc"))
                .directory(&self.directory)
                .arg(format!("-B{}", self.sources))
                .arg(format!("-I{}/include", self.sources))
                .args(["-w", "-c", "a.c", "-o", "a.o"])
                .args(&self.flags)
                .run();
            let outcome = outcome.expect("tcc was built");
            assert!(
                outcome.ending.is_success(),
                "{}",
                String::from_utf8_lossy(&outcome.stderr)
            );
        }
        let said = Command::new("gcov")
            .directory(&self.sources)
            .args(["-n", "-o"])
            .args([&self.directory, &counters])
            .run();
        let said = String::from_utf8_lossy(&said.expect("gcov comes with gcc").stdout).into_owned();
        FILES.map(|file| {
            // `File 'tccpp.c'` and then `Lines executed:68.22% of 2366`.
            let (_, after) = said
                .split_once(&format!("File '{file}'\n"))
                .unwrap_or_default();
            let line = after.lines().next().unwrap_or_default();
            let figures = line
                .strip_prefix("Lines executed:")
                .and_then(|l| l.split_once("% of "));
            let (share, all) = figures.expect("gcov knows the file");
            let share: f64 = share.parse().expect("a share is a number");
            let all: usize = all.trim().parse().expect("a count is a number");
            ((share / 100.0 * all as f64).round() as usize, all)
        })
    }
}
