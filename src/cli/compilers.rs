//! `mestra compilers`: what is there to be tested, and what each compiler can do.

use super::print;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::CompilersCommand;
use crate::hunt::campaign::plan::{CompilerCard, survey};
use crate::lab::printable::printable;
use crate::lab::{Lab, process};
use anyhow::Result;

pub(super) fn compilers(options: &CompilersCommand) -> Result<ExitCode> {
    process::confine_programs();
    let cards = survey(&Lab::default(), options.compiler.clone())?;
    print(|out| {
        for card in &cards {
            writeln!(out, "{}", printable(&card.name))?;
            for (what, value) in lines_of(card) {
                writeln!(out, "  {what:<11} {}", printable(&value))?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::Done)
}

/// What is said of a compiler, a line each.
fn lines_of(card: &CompilerCard) -> Vec<(&'static str, String)> {
    let list = |words: &[String]| match words {
        [] => "none".to_owned(),
        words => words.join(", "),
    };
    let mut lines = vec![("version", card.version.clone())];
    lines.extend(card.target.clone().map(|target| ("target", target)));
    match &card.problem {
        Some(problem) => lines.push(("not usable", problem.clone())),
        None => {
            lines.push(("features", list(&card.features)));
            lines.push(("sanitizers", list(&card.sanitizers)));
            let flags = match card.flags {
                0 => "none are known, so levels only".to_owned(),
                count => format!("{count} to choose from at random"),
            };
            lines.push(("flags", flags));
            lines.push(("linking", list(&card.linking)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> CompilerCard {
        CompilerCard {
            name: "mycc".into(),
            version: "mycc 1.0".into(),
            target: None,
            problem: None,
            features: vec!["int128".into()],
            sanitizers: Vec::new(),
            flags: 0,
            linking: Vec::new(),
        }
    }

    #[test]
    fn what_a_compiler_cannot_do_is_said_too() {
        let said: Vec<String> = lines_of(&card()).into_iter().map(|line| line.1).collect();
        let levels = "none are known, so levels only";
        assert_eq!(said, ["mycc 1.0", "int128", "none", levels, "none"]);
    }

    #[test]
    fn of_a_compiler_that_cannot_be_used_only_the_reason_is_told() {
        let broken = CompilerCard {
            problem: Some("its types differ".into()),
            ..card()
        };
        assert_eq!(lines_of(&broken).last().unwrap().1, "its types differ");
    }
}
