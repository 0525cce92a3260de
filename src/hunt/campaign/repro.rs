//! The script that reproduces a finding from the files beside it.

use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Finding, file};
use crate::lab::Behaviour;
use crate::lab::process::Ending;
use crate::lab::toolchain::{Compiler, Runner, around_file};
use crate::source::units::UNIT;
use std::borrow::Cow;
use std::fmt::Write;

/// The text of `repro.sh`.
pub fn script(finding: &Finding) -> String {
    let config = &finding.config;
    let program = match finding.variant {
        _ if config.second.is_some() => file::UNITS,
        Some(_) => file::VARIANT,
        None => file::SEED,
    };
    let flags = all_flags(&config.compiler, &config.flags, finding);
    let name = &finding.seed.file_name;
    let source = quoted(&if name.starts_with('-') {
        format!("./{name}")
    } else {
        name.clone()
    })
    .into_owned();
    let patience = &finding.patience;
    let (compile, run) = (
        patience.compile.as_secs().max(1),
        patience.run.as_secs().max(1),
    );
    let mut text = format!(
        "#!/bin/sh\n\
         # {}: {}\n\
         # {}\n\
         # Reproduces the failure from the files beside this one. Exit status: 0 if it is\n\
         # reproduced, 1 if it is not, 2 if something is missing. CC=... uses another compiler.\n\
         set -u\n\
         here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n\
         work=$(mktemp -d) || exit 2\n\
         trap 'rm -rf \"$work\"' EXIT\n\
         cc=${{CC:-{}}}\n\
         command -v \"$cc\" >/dev/null || {{ echo \"$cc was not found\" >&2; exit 2; }}\n\
         cp \"$here/{program}\" \"$work\"/{} || exit 2\n\
         cd \"$work\" || exit 2\n\n",
        one_line(&config.name),
        one_line(&finding.verdict.to_string()),
        one_line(&config.version),
        quoted(&config.compiler.path.to_string_lossy()),
        quoted(&finding.seed.file_name),
    );
    let memory = match finding.verdict.kind {
        VerdictKind::CompilerMemory => {
            format!("ulimit -v {} && ", finding.patience.compile_memory >> 10)
        }
        _ => String::new(),
    };
    let (made, build) = match (&config.runner, &config.second) {
        (Runner::InProcess(_) | Runner::CompileOnly, _) => (
            "program.o",
            vec![format!("\"$cc\" {flags} -c -o program.o {source}")],
        ),
        (_, None) => (
            "program",
            vec![format!("\"$cc\" {flags} -o program {source} -lm")],
        ),
        (_, Some(second)) => {
            let others = all_flags(&second.compiler, &second.flags, finding);
            let path = second.compiler.path.to_string_lossy();
            let other = quoted(&path);
            let steps = [
                format!("\"$cc\" {flags} -D{UNIT}=1 -c -o first.o {source}"),
                format!("{other} {others} -D{UNIT}=2 -c -o second.o {source}"),
                format!("\"$cc\" {flags} -o program first.o second.o -lm"),
            ];
            ("program", steps.into())
        }
    };
    let limited =
        |step: &String| format!("({memory}ulimit -f 131072; exec timeout -k 5 {compile} {step})");
    let steps: Vec<String> = build.iter().map(limited).collect();
    let steps = match steps.as_slice() {
        [step] => step.clone(),
        steps => format!("{{ {}; }}", steps.join(" &&\n  ")),
    };
    let _ = write!(
        text,
        "{steps} >compiler.txt 2>&1\n\
         status=$?\n\
         head -c 20000 compiler.txt >&2\n"
    );
    if !finding.verdict.kind.is_of_a_run() {
        let seen = match finding.verdict.kind {
            VerdictKind::CompilerHang => "[ $status -eq 124 ]".to_owned(),
            _ => format!("[ $status -ne 0 ] || [ ! -s {made} ]"),
        };
        let _ = write!(
            text,
            "echo \"the compiler exited with status $status\"\n\
             if {seen}; then echo 'the failure is reproduced'; exit 0; fi\n\
             echo 'the failure is not reproduced'\nexit 1\n"
        );
        return text;
    }
    let _ = write!(
        text,
        "[ $status -eq 0 ] || {{ echo 'the compiler failed' >&2; exit 2; }}\n\n\
         # Runs the program and prints what it does in the form of expected.txt.\n\
         show() {{\n    \
             (ulimit -s {} 2>/dev/null; ulimit -c 0; exec env -i PATH=\"$PATH\" LC_ALL=C \\\n        \
                 timeout -k 5 {run} \"$@\") >out.txt 2>err.txt\n    \
             status=$?\n    \
             cat out.txt\n    \
             if [ -s err.txt ]; then echo '[standard error]'; cat err.txt; fi\n    \
             echo \"[status $status]\"\n\
         }}\n{{\n",
        finding.patience.stack >> 10
    );
    for input in &finding.seed.inputs {
        let command = match &config.runner {
            Runner::Direct | Runner::CompileOnly => "./program".to_owned(),
            Runner::Through(words) => {
                let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
                format!("{} ./program", words.join(" "))
            }
            Runner::InProcess(options) => {
                let (before, after) = around_file(options);
                let before = before.iter().map(|option| quoted(option));
                let after = after.iter().map(|option| quoted(option));
                let words: Vec<_> = before
                    .chain([source.as_str().into()])
                    .chain(after)
                    .collect();
                format!("\"$cc\" {flags} -lm {}", words.join(" "))
            }
        };
        let _ = write!(text, "    show {command}");
        for argument in &input.arguments {
            let _ = write!(text, " {}", quoted(argument));
        }
        let _ = match &input.stdin {
            Some(stdin) => writeln!(text, " <\"$here/{stdin}\""),
            None => writeln!(text, " </dev/null"),
        };
    }
    let _ = write!(
        text,
        "}} >actual.txt\n\
         if cmp -s actual.txt \"$here/{expected}\"; then\n    \
             echo 'the failure is not reproduced'\n    exit 1\nfi\n\
         echo 'the failure is reproduced; expected and actual:'\n\
         diff \"$here/{expected}\" actual.txt\nexit 0\n",
        expected = file::EXPECTED
    );
    text
}

/// All flags of a call of a compiler.
fn all_flags(compiler: &Compiler, own: &[String], finding: &Finding) -> String {
    let first = compiler.family.driver().first();
    let mut flags: Vec<Cow<'_, str>> = first.iter().map(|&flag| flag.into()).collect();
    flags.extend(own.iter().chain(&finding.seed.flags).map(|f| quoted(f)));
    flags.push("-I\"$here\"".into());
    flags.push(format!("-I\"$here/{}\"", file::INCLUDE).into());
    flags.join(" ")
}

/// Runs as `repro.sh` prints them: output, standard error, and the status that a shell
/// sees.
pub(crate) fn shown(behaviours: &[Behaviour]) -> Vec<u8> {
    let mut text = Vec::new();
    for behaviour in behaviours {
        text.extend_from_slice(&behaviour.stdout);
        if !behaviour.stderr.is_empty() {
            text.extend_from_slice(b"[standard error]\n");
            text.extend_from_slice(&behaviour.stderr);
        }
        let status = match behaviour.ending {
            Ending::Exited(status) => status,
            Ending::Signalled(signal) => 128 + signal,
            // The status that `timeout` returns.
            Ending::TimedOut
            | Ending::Starved
            | Ending::TooMuchOutput
            | Ending::TooManyProcesses => 124,
        };
        text.extend_from_slice(format!("[status {status}]\n").as_bytes());
    }
    text
}

/// A word quoted for the shell.
fn quoted(word: &str) -> Cow<'_, str> {
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

/// A newline would end the comment.
fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
