//! A finding in the form that gcc's and LLVM's bug trackers ask for: versions, target,
//! command, expected and actual behaviour, the program, how it was found.

use crate::hunt::bucket::{aborts, base_name, title};
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Finding, Reduced, file};
use crate::lab::Behaviour;
use crate::lab::printable::printable;
use crate::lab::toolchain::Runner;
use crate::lab::words::plural;
use crate::source::units::UNIT;
use std::borrow::Cow;
use std::fmt::Write;

/// Longer output is cut.
const MOST_SHOWN: usize = 2_000;

/// The text for a reduced finding.
pub(crate) fn finding(reduced: &Reduced, program: &str) -> String {
    let finding = &reduced.finding;
    let mut text = format!("# {}\n\n", title(finding, Some(reduced)));
    let _ = writeln!(text, "**Compiler:** {}  ", finding.config.version);
    let _ = writeln!(text, "**Target:** {}  ", target());
    let _ = writeln!(text, "**Command:** `{}`\n", command(finding));
    let _ = writeln!(text, "## Program\n\n{}", fenced("c", program));
    if finding.verdict.kind.is_of_a_run() {
        let _ = writeln!(
            text,
            "## Expected\n\n{}",
            fenced("text", &shown(&finding.expected))
        );
        let _ = writeln!(
            text,
            "## Actual\n\n{}",
            fenced("text", &shown(&finding.actual))
        );
        if finding.verdict.kind == VerdictKind::WrongAccesses {
            text.push_str(ACCESSES);
        }
        if aborts(finding) {
            text.push_str(
                "The program calls `abort()` where a value is not what it must be: the compiled \
                 program computes another one.\n\n",
            );
        }
    } else {
        let expected = match finding.verdict.kind {
            VerdictKind::Rejected => "The program is valid; other compilers accept it.",
            _ => "The compiler terminates, with a program or with an error message.",
        };
        let _ = writeln!(text, "## Expected\n\n{expected}\n");
        let _ = writeln!(text, "## Actual\n\n{}", fenced("text", &said(finding)));
    }
    where_it_fails(&mut text, reduced);
    how_it_was_found(&mut text, reduced);
    text
}

/// How records of accesses are read.
const ACCESSES: &str = "The output is right. Lines that begin with `[volatile]` say how each volatile variable is \
    accessed: `r4` is a read of four bytes, `w4` a write. `units.c` is the program together with \
    what records that, and `repro.sh` builds and runs both.\n\n";

/// The message of a compiler that failed, or how it ended if there is none.
pub(crate) fn said(finding: &Finding) -> String {
    match finding.message.trim() {
        "" => finding.verdict.to_string(),
        said => clipped(said),
    }
}

/// The call of the compiler, and of the program where it matters.
pub(crate) fn command(finding: &Finding) -> String {
    let config = &finding.config;
    let mut words = vec![base_name(&config.compiler.name).to_owned()];
    // A report needs what decides the outcome; warnings do not.
    let first = config.compiler.family.driver().first().iter();
    words.extend(first.filter(|flag| **flag != "-w").map(|&flag| flag.into()));
    words.extend(config.flags.iter().chain(&finding.seed.flags).cloned());
    if config.runner == Runner::CompileOnly {
        words.push("-c".into());
    }
    // What is wrong about accesses, developers see in the assembly.
    if config.records_accesses() {
        words.extend(["-S".to_owned(), finding.seed.file_name.clone()]);
        return words.join(" ");
    }
    let mut text = match &config.second {
        None => {
            words.push(finding.seed.file_name.clone());
            words.join(" ")
        }
        Some(second) => {
            let (first, units) = (words.join(" "), file::UNITS);
            let other = [
                &[base_name(&second.compiler.name).to_owned()],
                &second.flags[..],
            ];
            let other = [&other.concat()[..], &finding.seed.flags]
                .concat()
                .join(" ");
            format!(
                "{first} -D{UNIT}=1 -c -o first.o {units} && \
                 {other} -D{UNIT}=2 -c -o second.o {units} && {first} first.o second.o"
            )
        }
    };
    if finding.verdict.kind.is_of_a_run() {
        let arguments: Vec<&str> = match finding.seed.inputs.first() {
            Some(input) => input.arguments.iter().map(String::as_str).collect(),
            None => vec![],
        };
        text.push_str(" && ./a.out");
        for argument in arguments {
            text.push(' ');
            text.push_str(argument);
        }
    }
    text
}

fn where_it_fails(text: &mut String, reduced: &Reduced) {
    let located = &reduced.located;
    let versions = located.versions();
    if versions.is_empty() && located.steps.is_empty() {
        return;
    }
    let _ = writeln!(text, "## Where it fails\n");
    if !versions.is_empty() {
        let _ = writeln!(text, "| compiler | version | fails with | works with |");
        let _ = writeln!(text, "|---|---|---|---|");
        for (name, version, _) in &versions {
            let _ = writeln!(
                text,
                "| {} | {version} | {} | {} |",
                base_name(name),
                located.failing_flags(name).join(", "),
                located.working_flags(name).join(", ")
            );
        }
        text.push('\n');
        let first = versions.iter().find(|(.., fails)| *fails);
        if let Some((name, ..)) = first.filter(|_| versions.len() > 1) {
            let _ = writeln!(
                text,
                "First installed version that fails: {}.\n",
                base_name(name)
            );
        }
    }
    for step in &located.steps {
        let _ = writeln!(text, "- {step}");
    }
    if !located.steps.is_empty() {
        text.push('\n');
    }
}

fn how_it_was_found(text: &mut String, reduced: &Reduced) {
    let finding = &reduced.finding;
    let _ = writeln!(text, "## How it was found\n");
    match &reduced.shrunk {
        Some(shrunk) => {
            let kinds: Vec<String> = shrunk
                .kinds
                .iter()
                .map(|(kind, count)| format!("{count} × {kind}"))
                .collect();
            let _ = writeln!(
                text,
                "By Mestra {}, using a variant of the program `{}` that must behave the same \
                 (equivalence modulo inputs): the failure needs {} of its {} mutations ({}).",
                finding.mestra,
                origin(finding),
                shrunk.after,
                shrunk.before,
                kinds.join(", ")
            );
        }
        None => {
            let _ = writeln!(
                text,
                "By Mestra {}, using the program `{}`.",
                finding.mestra,
                origin(finding)
            );
        }
    }
    if let Some(flags) = &reduced.flags {
        let _ = writeln!(
            text,
            "Its flags were drawn at random: of `{}`, the failure needs `{}`.",
            flags.before.join(" "),
            flags.after.join(" ")
        );
    }
    // The accused compiler may be one of the trusted ones.
    let trusted = finding.trusted.iter();
    let trusted: Vec<&str> = trusted
        .filter(|version| **version != finding.config.version)
        .map(String::as_str)
        .collect();
    let by = if reduced.by_cvise {
        "Mestra and C-Vise"
    } else {
        "Mestra"
    };
    let lines = plural(reduced.lines, "line");
    if !reduced.is_finished {
        text.push_str("The reduction is not finished; `mestra reduce` goes on with it. ");
    }
    if reduced.is_smaller() {
        let before = plural(reduced.tokens_before, "token");
        let after = reduced.tokens;
        let _ = write!(
            text,
            "It was reduced from {before} to {after} in {lines} by {by}; the result"
        );
    } else {
        let tokens = plural(reduced.tokens, "token");
        let _ = write!(
            text,
            "It has {tokens} in {lines} and was not made smaller; it"
        );
    }
    text.push_str(" compiles without warnings about undefined behaviour");
    // If the compiler fails, the program was never run.
    text.push_str(if finding.verdict.kind.is_of_a_run() {
        ", is clean under the address, undefined-behaviour and memory sanitizers where they \
             apply, and trusted compilers agree on what it does: "
    } else {
        ", and trusted compilers accept it: "
    });
    let _ = writeln!(text, "{}.", trusted.join("; "));
}

pub(super) fn shown(behaviours: &[Behaviour]) -> String {
    let text: String = behaviours.iter().map(ToString::to_string).collect();
    clipped(&text)
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{}\n[…]\n", &text[..at]),
        None => text.to_owned(),
    }
}

/// A fenced block, with a fence that does not occur in the text.
pub(super) fn fenced(language: &str, content: &str) -> String {
    // A program stays as it is.
    let content = match language {
        "c" => Cow::Borrowed(content),
        _ => printable(content),
    };
    let mut fence = "```".to_owned();
    while content.contains(fence.as_str()) {
        fence.push('`');
    }
    let newline = if content.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{content}{newline}{fence}\n")
}

/// The machine that programs run on.
pub(super) fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// The seed's origin without directories of this machine.
pub(crate) fn origin(finding: &Finding) -> &str {
    let origin = &finding.seed.origin;
    if origin.starts_with('/') {
        base_name(origin)
    } else {
        origin
    }
}
