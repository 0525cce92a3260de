//! The documents say what is so.

use crate::support::repository;
use mestra::exit_code::ExitCode;
use mestra::process::Command;
use std::collections::BTreeSet;
use std::path::Path;

fn read(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap()
}

fn source_files(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(repository()).unwrap();
            found.insert(relative.to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_design_lists_every_source_file_and_no_other() {
    let mut files = BTreeSet::new();
    source_files(&repository().join("src"), &mut files);
    let listed: BTreeSet<String> = read("DESIGN.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| `src/")?.split('`').next())
        .map(|name| format!("src/{name}"))
        .collect();
    assert_eq!(listed, files);
}

#[test]
fn the_readme_lists_every_exit_code() {
    let readme = read("README.md");
    for (code, meaning) in ExitCode::TABLE {
        let row = format!("| {} | {meaning} |", *code as u8);
        assert!(readme.contains(&row), "README.md lacks {row}");
    }
}

#[test]
fn the_help_names_every_command_and_exit_code() {
    let help = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg("--help")
        .run()
        .unwrap();
    assert!(help.ending.is_success());
    let help = String::from_utf8(help.stdout).unwrap();
    for (code, meaning) in ExitCode::TABLE {
        assert!(
            help.contains(&format!("{:<4} {meaning}", *code as u8)),
            "{help}"
        );
    }
    assert!(help.contains("dump"), "{help}");
}

#[test]
fn every_corpus_file_is_in_its_table() {
    let table = read("corpora/README.md");
    for seed in crate::support::corpora() {
        let name = seed.file_name().unwrap().to_str().unwrap();
        assert!(table.contains(name), "corpora/README.md lacks {name}");
    }
}

#[test]
fn the_measurements_have_their_figures_and_plots() {
    let text = read("docs/measurements.md");
    for name in ["bench", "sample", "time", "remarks", "coverage", "kinds"] {
        let (_, rest) = text.split_once(&format!("<!-- {name} -->\n")).unwrap();
        let (section, _) = rest
            .split_once(&format!("\n<!-- end of {name} -->"))
            .unwrap();
        assert!(section.len() > 80, "{name}: {section}");
    }
    let plots: Vec<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|link| link.split(')').next())
        .filter(|path| path.ends_with(".svg"))
        .collect();
    assert_eq!(plots.len(), 4, "{plots:?}");
    for plot in plots {
        assert!(read(&format!("docs/{plot}")).starts_with("<svg"), "{plot}");
    }
}
