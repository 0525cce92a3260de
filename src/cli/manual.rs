//! `mestra man` and `mestra completions`: what is installed beside the program, made
//! from the command line itself.

use super::print;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::{CompletionsCommand, ManCommand, Options};
use crate::lab::files::write_whole;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::fs;
use std::io;

/// Prints what a shell needs to complete our commands and options.
pub(super) fn completions(options: &CompletionsCommand) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Options::command(),
        "mestra",
        &mut script,
    );
    print(|out| out.write_all(&script))?;
    Ok(ExitCode::Done)
}

/// Writes a page for the program and one for each command.
pub(super) fn man(options: &ManCommand) -> Result<ExitCode> {
    let directory = &options.directory;
    fs::create_dir_all(directory)
        .with_context(|| format!("making the directory {}", directory.display()))?;
    let mut program = Options::command().disable_help_subcommand(true);
    program.build();
    let commands = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    for command in commands.chain([&program]) {
        let man = Man::new(command.clone())
            .source(concat!("mestra ", env!("CARGO_PKG_VERSION")))
            .manual("Mestra");
        let mut page = Vec::new();
        render(&man, command, &mut page).context("writing a manual page")?;
        write_whole(&directory.join(man.get_filename()), &page)?;
    }
    Ok(ExitCode::Done)
}

/// A page like those of clap_mangen, but with the help's own usage, which says where `--`
/// stands, and with sections for what our help says after the options: filled text would
/// join examples to one paragraph.
fn render(man: &Man, command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(page)?;
    man.render_name_section(page)?;
    synopsis(command).to_writer(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    let mut rest = Roff::new();
    let help = command.get_after_help().map(ToString::to_string);
    for paragraph in help.unwrap_or_default().split("\n\n") {
        section(paragraph, &mut rest);
    }
    if !command.has_subcommands() {
        rest.control("SH", ["SEE ALSO"]);
        rest.text([
            bold("mestra"),
            roman("(1), which lists all commands and exit codes"),
        ]);
    }
    rest.to_writer(page)
}

fn synopsis(command: &clap::Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([roman(usage.trim_start_matches("Usage: "))]);
    roff
}

/// `Title:` with indented lines below is a section with lines as they are; anything
/// else is text.
fn section(paragraph: &str, roff: &mut Roff) {
    let (first, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
    match first.strip_suffix(':') {
        Some(title) => {
            roff.control("SH", [title.to_uppercase().as_str()]);
            roff.control("nf", []);
            for line in lines.lines() {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
        }
        None => {
            roff.control("PP", []);
            roff.text([roman(paragraph)]);
        }
    }
}
