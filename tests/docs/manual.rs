//! Manual pages and completions.

use crate::support::repository;
use clap::CommandFactory;
use mestra::cli::options::Options;
use mestra::lab::process::{Command, Output};
use std::fs;
use std::path::Path;

fn mestra(arguments: &[&str]) -> Output {
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(arguments)
        .run()
        .unwrap();
    assert!(outcome.ending.is_success(), "{arguments:?}");
    outcome
}

/// The commands that users see.
fn commands() -> Vec<clap::Command> {
    let program = Options::command();
    let seen = program.get_subcommands().filter(|c| !c.is_hide_set());
    seen.cloned().collect()
}

/// A page as it is read, with lines wide enough not to be broken.
fn read(page: &Path) -> String {
    let source = fs::read_to_string(page).unwrap();
    source
        .replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fI", "")
        .replace("\\fR", "")
}

#[test]
fn every_command_has_a_manual_page_with_its_options() {
    let directory = tempfile::tempdir().unwrap();
    let man = directory.path().join("man/man1");
    mestra(&["man", man.to_str().unwrap()]);
    let overview = read(&man.join("mestra.1"));
    for command in commands() {
        let name = format!("mestra-{}", command.get_name());
        assert!(overview.contains(&format!("{name}(1)")), "{overview}");
        let page = read(&man.join(format!("{name}.1")));
        for argument in command.get_arguments().filter(|a| !a.is_hide_set()) {
            let word = match argument.get_long() {
                Some(long) => format!("--{long}"),
                None => argument.get_value_names().unwrap()[0].to_string(),
            };
            assert!(page.contains(&word), "{name} lacks {word}:\n{page}");
        }
        assert!(page.contains("SH EXAMPLES\n"), "{page}");
        if command.get_positionals().any(|a| a.get_id() == "flags") {
            assert!(page.contains("[-- <CFLAGS>...]"), "{page}");
        }
    }
    assert!(overview.contains("EXIT CODES"), "{overview}");
    assert!(!overview.contains("guard"), "what is hidden stays so");
    assert_eq!(fs::read_dir(&man).unwrap().count(), commands().len() + 1);
}

#[test]
fn examples_stand_line_by_line_in_manual_pages() {
    let directory = tempfile::tempdir().unwrap();
    mestra(&["man", directory.path().to_str().unwrap()]);
    let page = fs::read_to_string(directory.path().join("mestra-replay.1")).unwrap();
    let examples = page.split(".SH EXAMPLES\n").nth(1).unwrap();
    let lines: Vec<&str> = examples.lines().take(4).collect();
    assert_eq!(lines[0], ".nf");
    assert!(lines[1].contains("replay seed.c"), "{lines:?}");
    assert!(lines[2].contains("only 3,5"), "{lines:?}");
    assert_eq!(lines[3], ".fi");
}

#[test]
fn completions_know_every_command_and_option() {
    for shell in ["bash", "zsh", "fish"] {
        let script = String::from_utf8(mestra(&["completions", shell]).stdout).unwrap();
        for command in commands() {
            let name = command.get_name();
            assert!(script.contains(name), "{shell} lacks {name}");
            for long in command.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(script.contains(long), "{shell} lacks {name} --{long}");
            }
        }
    }
}

/// What bash offers after these words.
fn offered(directory: &Path, words: &str) -> String {
    let script = format!(
        "source {}/bash || exit 1; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _mestra mestra \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; \
         echo \"${{COMPREPLY[@]}}\"",
        directory.display()
    );
    let outcome = Command::new("bash").args(["-c", &script]).run().unwrap();
    String::from_utf8(outcome.stdout).unwrap().trim().to_owned()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let directory = tempfile::tempdir().unwrap();
    let script = mestra(&["completions", "bash"]).stdout;
    let path = directory.path().join("bash");
    fs::write(&path, script).unwrap();
    let parsed = Command::new("bash").arg("-n").arg(&path).run().unwrap();
    assert!(parsed.ending.is_success());
    assert_eq!(offered(directory.path(), "mestra cam"), "campaign");
    assert_eq!(
        offered(directory.path(), "mestra campaign --res"),
        "--resume"
    );
    assert_eq!(offered(directory.path(), "mestra completions fi"), "fish");
}

#[test]
fn make_install_puts_everything_where_it_is_looked_for() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = Command::new("make")
        .arg("-C")
        .arg(repository())
        .args(["install", "PREFIX=/usr"])
        .arg(concat!("MESTRA=", env!("CARGO_BIN_EXE_mestra")))
        .arg(format!("DESTDIR={}", directory.path().display()))
        .run()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(outcome.ending.is_success(), "{said}");
    for file in [
        "bin/mestra",
        "share/man/man1/mestra.1",
        "share/man/man1/mestra-campaign.1",
        "share/bash-completion/completions/mestra",
        "share/zsh/site-functions/_mestra",
        "share/fish/vendor_completions.d/mestra.fish",
    ] {
        let path = directory.path().join("usr").join(file);
        assert!(fs::metadata(&path).is_ok_and(|m| m.len() > 100), "{file}");
    }
}
