//! Commands in the documents: they exist, and do what is shown.

use super::pages::{self, Block, Page};
use crate::support::{in_parallel, repository};
use clap::CommandFactory;
use mestra::cli::options::Options;
use mestra::lab::process::{Command, Ending, Limits};
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

/// What `make fresh` runs instead.
const BUILDS: [&str; 2] = ["make ", "cargo "];

/// Options of other programs that the text speaks of.
const FOREIGN: [&str; 2] = ["--max-funcs", "--target"];

/// Behind these there are flags of a compiler, or another command.
const ENDS: [&str; 4] = ["--", "|", "&&", "&"];

fn program() -> clap::Command {
    let mut program = Options::command();
    program.build();
    program
}

/// The long options of a command.
fn options(command: &clap::Command) -> BTreeSet<String> {
    let longs = command.get_arguments().filter_map(clap::Arg::get_long);
    longs.map(|long| format!("--{long}")).collect()
}

/// What is wrong with a command line of ours, if it is one.
fn problem(line: &str) -> Option<String> {
    let words = shlex::split(line)?;
    let ours = words
        .iter()
        .position(|word| matches!(word.as_str(), "mestra" | "target/release/mestra"))?;
    let name = words.get(ours + 1)?;
    if name == "help" || name.starts_with('-') || name.chars().any(char::is_uppercase) {
        return None;
    }
    let program = program();
    let Some(command) = program.find_subcommand(name) else {
        return Some(format!("{line}: there is no command {name}"));
    };
    let known = options(command);
    let mut typed = words[ours + 2..]
        .iter()
        .take_while(|word| !ENDS.contains(&word.as_str()));
    let unknown = typed.find(|word| {
        let option = word.split('=').next().unwrap_or_default();
        option.starts_with("--") && !known.contains(option)
    })?;
    Some(format!("{line}: {name} has no option {unknown}"))
}

#[test]
fn every_command_and_option_in_the_documents_exists() {
    let mut everywhere: BTreeSet<String> = options(&program());
    everywhere.extend(program().get_subcommands().flat_map(options));
    everywhere.extend(FOREIGN.map(String::from));
    let mut problems = Vec::new();
    for page in pages::all() {
        let typed = page.typed();
        let code: Vec<&str> = page.code().collect();
        let lines = typed.iter().map(String::as_str);
        problems.extend(lines.chain(code.iter().copied()).filter_map(problem));
        for option in code.iter().filter(|code| code.starts_with("--")) {
            let option = option.split([' ', '\n', '=']).next().unwrap_or_default();
            if option != "--" && !everywhere.contains(option) {
                problems.push(format!("{}: no {option}", page.path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(problem("mestra mutate --no-such x.c").is_some());
    assert!(problem("mestra nothing").is_some());
    assert!(problem("mestra dump x.c -- --target=arm").is_none());
}

#[test]
fn every_example_of_a_help_text_can_be_parsed() {
    for command in program().get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_else(|| panic!("{name} has no examples"));
        assert!(help.starts_with("Examples:\n"), "{name}: {help}");
        let lines = help.lines().map_while(|line| match line {
            "Examples:" => Some(""),
            line => line.strip_prefix("  "),
        });
        let mut examples = 0;
        for line in lines.filter(|line| line.starts_with("mestra ")) {
            // Behind four blanks there is a remark.
            let line = line.split("    ").next().unwrap();
            let words = shlex::split(line.split(" > ").next().unwrap()).unwrap();
            let parsed = <Options as clap::Parser>::try_parse_from(words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            examples += usize::from(line.starts_with(&format!("mestra {name}")));
        }
        assert!(examples > 0, "{name} has no example of itself");
    }
}

/// A directory that looks like the repository after `make build`.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["corpora", "docs"] {
        symlink(repository().join(name), place.path().join(name)).unwrap();
    }
    let release = place.path().join("target/release");
    std::fs::create_dir_all(&release).unwrap();
    symlink(env!("CARGO_BIN_EXE_mestra"), release.join("mestra")).unwrap();
    place
}

/// Runs a block's commands; what they print, or what went wrong.
fn run(block: &Block, directory: &Path) -> Result<String, String> {
    let mut printed = String::new();
    let commands = block.commands().into_iter();
    for line in commands.filter(|line| !BUILDS.iter().any(|word| line.starts_with(word))) {
        let outcome = Command::new("sh")
            .args(["-c", &line])
            .directory(directory)
            .limits(Limits {
                wall: Duration::from_secs(300),
                memory: None,
                ..Limits::default()
            })
            .run()
            .unwrap();
        printed.push_str(&String::from_utf8_lossy(&outcome.stdout));
        printed.push_str(&String::from_utf8_lossy(&outcome.stderr));
        // Findings are what campaigns are for.
        let is_fine = outcome.ending.is_success()
            || (line.contains("mestra campaign ") && outcome.ending == Ending::Exited(2));
        if !is_fine {
            return Err(format!("{line}: {:?}\n{printed}", outcome.ending));
        }
    }
    Ok(printed)
}

/// Whether a line is one that is shown, where `…` stands for anything.
fn is_shown(shown: &str, line: &str) -> bool {
    let mut rest = line;
    shown.trim().split('…').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

fn check(page: &Page) -> Result<(), String> {
    let place = place();
    let mut printed = None;
    for block in &page.blocks {
        match (block.language.as_str(), printed.take()) {
            ("sh", _) => {
                let output = run(block, place.path());
                printed = Some(output.map_err(|e| format!("{}: {e}", page.path.display()))?);
            }
            ("text", Some(printed)) => {
                for shown in block.text.lines().filter(|line| !line.trim().is_empty()) {
                    if !printed.lines().any(|line| is_shown(shown, line)) {
                        let page = page.path.display();
                        return Err(format!("{page}: nobody prints {shown:?}:\n{printed}"));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn the_commands_of_the_documents_run_as_written_and_print_what_is_shown() {
    let pages = pages::manual();
    let runs = pages.iter().flat_map(|page| &page.blocks);
    assert!(runs.filter(|block| block.language == "sh").count() >= 15);
    in_parallel(&pages, check);
}

#[test]
fn what_is_shown_is_compared() {
    assert!(is_shown("  i = 1, … (7 values)", "    i = 1, 2 (7 values)"));
    assert!(!is_shown("i = 1, … (8 values)", "    i = 1, 2 (7 values)"));
    assert!(!is_shown("i = 2", "i = 1"));
}
