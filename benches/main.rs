//! All measurements in one run: a table on standard output, and the same as JSON in
//! `bench.json` below the target directory.
//!
//! Costs are CPU time, children included, as a ratio to a `gcc -O0` compile of the
//! same program in the same run: the machine may be busy with other things. With the
//! names of groups, only those are measured; `--docs` also puts the table into
//! `docs/measurements.md`.

mod campaign;
mod donors;
mod evaluator;
mod merge;
mod size;
mod support;
mod table;
mod variants;

use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;
use support::{document, machine};
use table::Table;

type Group = (&'static str, fn(&mut Table));

const GROUPS: [Group; 6] = [
    ("variants", variants::measure),
    ("evaluator", evaluator::measure),
    ("size", size::measure),
    ("donors", donors::measure),
    ("campaign", campaign::measure),
    ("merge", merge::measure),
];

fn main() {
    // Cargo adds an option of its own.
    let wanted: Vec<String> = env::args().skip(1).filter(|a| a != "--bench").collect();
    let is_for_docs = wanted.iter().any(|a| a == "--docs");
    let names: Vec<&String> = wanted.iter().filter(|a| *a != "--docs").collect();
    let known = |name: &&String| GROUPS.iter().any(|(group, _)| group == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        eprintln!("there is no group {unknown}");
        std::process::exit(1);
    }
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let path = PathBuf::from(target).join("bench.json");
    let mut table = Table::new(machine::describe());
    for (name, measure) in GROUPS {
        if names.is_empty() || names.iter().any(|wanted| *wanted == name) {
            let (start, load) = (Instant::now(), machine::load());
            table.group(name, load);
            measure(&mut table);
            eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
            // Whoever stops it keeps what is there.
            keep(&path, &table.json());
            if is_for_docs {
                document::write("bench", &table.markdown());
            }
        }
    }
    print!("{}", table.text());
    println!("written to {}", path.display());
}

fn keep(path: &Path, json: &str) {
    let directory = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).expect("directories can be made");
    std::fs::write(path, json).expect("the target directory can be written");
}
