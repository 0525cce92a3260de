//! The documents say what is so.

mod commands;
mod manual;
mod pages;
pub(crate) mod schemas;

use crate::support::repository;
use clap::CommandFactory;
use mestra::cli::exit_code::ExitCode;
use mestra::cli::options::Options;
use mestra::hunt::campaign::settings::Settings;
use mestra::hunt::finding::verdict::VerdictKind;
use mestra::lab::process::Command;
use mestra::variant::mutation::Kind;
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
fn every_command_and_exit_code_is_documented() {
    let page = read("docs/commands.md");
    for (code, meaning) in ExitCode::TABLE {
        let row = format!("| {} | {meaning} |", *code as u8);
        assert!(page.contains(&row), "docs/commands.md lacks {row}");
    }
    let program = Options::command();
    for command in program.get_subcommands().filter(|c| !c.is_hide_set()) {
        let row = format!("| `mestra {}` |", command.get_name());
        assert!(page.contains(&row), "docs/commands.md lacks {row}");
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
    let program = Options::command();
    for command in program.get_subcommands().filter(|c| !c.is_hide_set()) {
        let line = format!("\n  {} ", command.get_name());
        assert!(help.contains(&line), "{help}");
    }
    assert!(help.contains("A short tour:"), "{help}");
}

#[test]
fn links_lead_somewhere() {
    for page in pages::all() {
        let directory = page.path.parent().unwrap();
        for link in page.links().filter(|link| !link.starts_with("https://")) {
            let leads = match link.strip_prefix('#') {
                Some(section) => page.sections().any(|name| name == section),
                None => repository().join(directory).join(link).exists(),
            };
            assert!(leads, "{} links to {link}", page.path.display());
        }
    }
}

#[test]
fn the_guide_lists_every_page() {
    let index = read("docs/README.md");
    for page in pages::markdown(Path::new("docs")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_listed = name == "README.md" || index.contains(&format!("]({name})"));
        assert!(is_listed, "docs/README.md does not list {name}");
    }
}

/// The keys that settings have, from the words about one that they do not have.
fn keys() -> Vec<String> {
    let error = toml::from_str::<Settings>("no-such-key = 1").unwrap_err();
    let words = error.message().split('`').skip(1).step_by(2);
    let keys: Vec<String> = words
        .filter(|w| *w != "no-such-key")
        .map(String::from)
        .collect();
    assert!(keys.len() >= 18, "{keys:?}");
    keys
}

#[test]
fn every_key_of_the_settings_is_explained() {
    let page = read("docs/mestra-toml.md");
    for key in keys() {
        assert!(
            page.contains(&format!("\n| `{key}` | ")),
            "no row for {key}"
        );
    }
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(
        rows.count(),
        keys().len(),
        "a row for something that is no key"
    );
}

#[test]
fn settings_that_are_shown_can_be_read() {
    let mut read = 0;
    for page in pages::manual() {
        for block in page.blocks.iter().filter(|block| block.language == "toml") {
            let settings: Settings = toml::from_str(&block.text).unwrap();
            settings.check().unwrap();
            read += 1;
        }
    }
    assert!(read > 0);
}

#[test]
fn every_kind_and_every_verdict_is_named() {
    for name in ["docs/profile-and-variants.md", "docs/concepts.md"] {
        let page = read(name);
        for kind in Kind::ALL {
            assert!(page.contains(&format!("`{kind}`")), "{name} lacks {kind}");
        }
    }
    let page = read("docs/report.md");
    for verdict in VerdictKind::ALL
        .into_iter()
        .filter(|v| *v != VerdictKind::Same)
    {
        assert!(
            page.contains(&format!("| `{}` |", verdict.name())),
            "{verdict:?}"
        );
    }
}

#[test]
fn every_kind_of_doubt_is_explained() {
    let source = read("src/hunt/finding/doubt.rs");
    let (_, kinds) = source.split_once("pub enum DoubtKind {\n").unwrap();
    let (kinds, _) = kinds.split_once('}').unwrap();
    let page = read("docs/faq.md");
    let kinds = kinds.split(',').map(str::trim);
    let mut explained = 0;
    for kind in kinds.filter(|kind| !kind.is_empty() && *kind != "Untyped") {
        let name = kind.chars().fold(String::new(), |mut name, c| {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
            name
        });
        assert!(
            page.contains(&format!("`{name}`")),
            "docs/faq.md lacks {name}"
        );
        explained += 1;
    }
    assert!(explained > 10);
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
    for name in [
        "bench", "sample", "time", "remarks", "coverage", "kinds", "cluster",
    ] {
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
    assert_eq!(plots.len(), 6, "{plots:?}");
    for plot in plots {
        assert!(read(&format!("docs/{plot}")).starts_with("<svg"), "{plot}");
    }
}
