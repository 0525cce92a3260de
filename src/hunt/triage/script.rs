//! Shell scripts that work without Mestra: the interestingness test that C-Vise runs, and
//! a whole finding packed into one file.

use super::case::Case;
use crate::hunt::campaign::crash::NO_RESULT;
use crate::hunt::finding::Finding;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::verify::Soundness;
use crate::lab::process::Ending;
use crate::lab::toolchain::{Compiler, Family, Runner};
use crate::lab::{Patience, Way};
use crate::source::units::UNIT;
use std::fmt::Write;

/// The program with what the memory sanitizer needs behind it.
const WATCHED: &str = "watched.c";

/// A script that says with exit status 0 that what `program` became, in a file of this
/// name in the directory it is run in, fails as the case does and has one meaning. It
/// asks what [`super::Oracle`] asks, in the same order.
pub(super) fn interestingness(
    case: &Case,
    patience: Patience,
    sound: &Soundness<'_>,
    program: &[u8],
    name: &str,
) -> String {
    let finding = &case.finding;
    let words = |words: &mut dyn Iterator<Item = &str>| {
        let quoted: Vec<String> = words.map(quoted).collect();
        quoted.join(" ")
    };
    let own = finding.seed.flags.iter().map(String::as_str);
    let seed_flags = words(&mut own.clone());
    let only = match finding.config.runner {
        Runner::CompileOnly => Some("-c"),
        _ => None,
    };
    let accused = finding.config.flags.iter().map(String::as_str);
    let flags = words(&mut accused.chain(own).chain(only));
    let run = patience.run.as_secs_f64().max(1.0);
    let compile = patience.compile.as_secs().max(1);
    let name = quoted(name);
    let mut text = format!(
        "#!/bin/sh\n\
         # Exit status 0: {name} shows {} under {} and has one meaning.\n\
         export LC_ALL=C\n\
         # No core files, and no endless output.\n\
         ulimit -c 0; ulimit -f 131072\n\
         program={name}\n\
         build() {{ limit=$1; output=$2; shift 2; timeout $limit \"$@\" -o \"$output\" \"$program\" -lm >/dev/null 2>\"$output.said\"; }}\n\
         show() {{ for input in {}; do run \"$1\" \"$input\"; done >\"$1.seen\" 2>/dev/null; }}\n",
        finding.verdict.to_string().replace('\n', " "),
        finding.config.name,
        (1..=finding.seed.inputs.len())
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(" "),
    );
    let through = match &finding.config.runner {
        Runner::Through(runner) => words(&mut runner.iter().map(String::as_str)),
        _ => String::new(),
    };
    text.push_str("run() {\n    through=; [ \"$1\" = accused ] && through=");
    let _ = writeln!(text, "{}", quoted(&through));
    text.push_str("    case $2 in\n");
    for (number, input) in (1..).zip(&case.seed.inputs) {
        let arguments: Vec<String> = input
            .arguments
            .iter()
            .map(|a| quoted(&a.to_string_lossy()))
            .collect();
        let stdin = input
            .stdin
            .as_ref()
            .map_or("/dev/null".into(), |file| file.to_string_lossy());
        let _ = writeln!(
            text,
            "    {number}) timeout {run} $through ./\"$1\" {} <{} ;;",
            arguments.join(" "),
            quoted(&stdin)
        );
    }
    text.push_str("    esac\n    echo \"[status $?]\"\n}\n");
    let ways: Vec<_> = sound.ways().collect();
    let mut sanitizers = ways.iter().filter(|way| way.is_sanitizer());
    if let Some(clang) = sanitizers.find(|way| way.compiler.family == Family::Clang) {
        let warnings = sound.warnings(program).into_iter();
        let warnings = warnings.map(|name| format!("-Werror={name}"));
        let _ = writeln!(
            text,
            "{} -fsyntax-only -Wno-everything {} {seed_flags} {name} 2>/dev/null || exit 1",
            quoted(&clang.compiler.path.to_string_lossy()),
            warnings.collect::<Vec<_>>().join(" "),
        );
    }
    let accused = called(&finding.config.compiler);
    match &finding.config.second {
        None => {
            let _ = writeln!(
                text,
                "accuse() {{ build {compile} accused {accused} {flags}; }}"
            );
        }
        Some(second) => {
            let others = second.flags.iter().map(String::as_str);
            let others = words(&mut others.chain(finding.seed.flags.iter().map(String::as_str)));
            let other = called(&second.compiler);
            let mut together = |step: &str, made: &str, first: &str| {
                let _ = writeln!(
                    text,
                    "{step}() {{ {{ timeout {compile} {first} -D{UNIT}=1 -c -o first.o {name} &&\n    \
                     timeout {compile} {other} {others} -D{UNIT}=2 -c -o second.o {name} &&\n    \
                     timeout {compile} {first} -o {made} first.o second.o -lm; }} >/dev/null 2>{made}.said; }}"
                );
            };
            together("accuse", "accused", &format!("{accused} {flags}"));
            if second.records {
                together("compare", "compared", &format!("{other} {others}"));
            }
        }
    }
    if !finding.verdict.kind.is_of_a_run() {
        failing_compiler(&mut text, finding);
        for (number, way) in ways.iter().filter(|s| !s.is_sanitizer()).enumerate() {
            let compiler = called(&way.compiler);
            let _ = writeln!(
                text,
                "build 60 plain{number} {compiler} -O0 {seed_flags} || exit 1"
            );
        }
        text.push_str("exit 0\n");
        return text;
    }
    let build = |way: &Way, number: usize| {
        let compiler = called(&way.compiler);
        let flags: Vec<_> = way
            .flags
            .iter()
            .map(|flag| flag.to_string_lossy())
            .collect();
        let flags = flags.join(" ");
        let sanitizer = way
            .sanitizer
            .map_or(String::new(), |name| format!(" -g1 -fsanitize={name}"));
        let call = format!("build 60 way{number} {compiler} {flags}{sanitizer} {seed_flags}");
        let behind = sound.behind(way, program);
        let call = if behind.is_empty() {
            call
        } else {
            format!(
                "{{ cat \"$program\"; cat <<'END'\n\n{behind}END\n}} >{WATCHED}\n\
                 (program={WATCHED}; {call})"
            )
        };
        format!("{call} || exit 1\nshow way{number}\n")
    };
    if let Some(first) = ways.first() {
        text.push_str(&build(first, 0));
        text.push_str("grep -q 'status 124\\|status 13[0-9]' way0.seen && exit 1\n");
    }
    if finding.verdict.kind == VerdictKind::WrongAccesses {
        text.push_str(
            "# What the program records of its volatile variables, on standard error.\n\
             records() { ./\"$1\" 2>&1 >/dev/null </dev/null | grep -a '^\\[volatile\\]'; }\n\
             accuse && compare || exit 1\nshow accused\n\
             cmp -s way0.seen accused.seen || exit 1\n\
             records accused | grep -q '^.volatile. recorded' || exit 1\n\
             records compared | grep -q '^.volatile. recorded' || exit 1\n\
             [ \"$(records accused)\" != \"$(records compared)\" ] || exit 1\n",
        );
    } else {
        text.push_str(
            "accuse || exit 1\nshow accused\n\
             cmp -s way0.seen accused.seen && exit 1\n",
        );
        failing_program(&mut text, finding);
    }
    text.push_str("export ASAN_OPTIONS=detect_leaks=0:detect_invalid_pointer_pairs=2 UBSAN_OPTIONS=halt_on_error=1:exitcode=99\n");
    for (number, way) in ways.iter().enumerate().skip(1) {
        text.push_str(&build(way, number));
        let _ = writeln!(text, "cmp -s way0.seen way{number}.seen || exit 1");
    }
    text.push_str("exit 0\n");
    text
}

/// A compiler with the flags of every call.
fn called(compiler: &Compiler) -> String {
    let path = quoted(&compiler.path.to_string_lossy());
    format!("{path} {}", compiler.family.driver().first().join(" "))
}

/// Goes on if the program that was run fails as it did.
fn failing_program(text: &mut String, finding: &Finding) {
    let signal = finding.actual.iter().find_map(|seen| match seen.ending {
        Ending::Signalled(signal) => Some(signal),
        _ => None,
    });
    let ends_by = |status: &str| format!("grep -qa 'status {status}\\]$' accused.seen");
    let any_signal = ends_by("1[3-9][0-9]");
    text.push_str(&match finding.verdict.kind {
        VerdictKind::RunHang => format!("{} || exit 1\n", ends_by("124")),
        VerdictKind::RunCrash => match signal {
            Some(signal) => format!("{} || exit 1\n", ends_by(&(128 + signal).to_string())),
            None => format!("{any_signal} || exit 1\n"),
        },
        _ => {
            let are = if finding.verdict.ends_otherwise() {
                "!="
            } else {
                "="
            };
            format!(
                "{} && exit 1\n{any_signal} && exit 1\n\
                 statuses() {{ grep -oa '\\[status [0-9]*\\]$' \"$1\"; }}\n\
                 [ \"$(statuses way0.seen)\" {are} \"$(statuses accused.seen)\" ] || exit 1\n",
                ends_by("124"),
            )
        }
    });
}

/// Builds with a compiler that fails, and goes on if it fails as it did.
fn failing_compiler(text: &mut String, finding: &Finding) {
    let memory = match finding.verdict.kind {
        VerdictKind::CompilerMemory => {
            format!("ulimit -v {}; ", finding.patience.compile_memory >> 10)
        }
        _ => String::new(),
    };
    let _ = writeln!(text, "({memory}accuse); status=$?");
    let said = finding.telling_words();
    text.push_str(match finding.verdict.kind {
        VerdictKind::CompilerHang => "[ $status -eq 124 ] || exit 1\n",
        _ if finding.verdict.signature == NO_RESULT => {
            "[ $status -eq 0 ] && [ ! -s accused ] || exit 1\n"
        }
        VerdictKind::CompilerCrash if said.is_empty() && finding.message.trim().is_empty() => {
            "[ $status -ge 128 ] || exit 1\n"
        }
        _ => "[ $status -ne 0 ] && [ $status -ne 124 ] || exit 1\n",
    });
    for words in said {
        let _ = writeln!(text, "grep -qF -e {} accused.said || exit 1", quoted(words));
    }
}

/// A file to pack.
pub(super) struct Packed<'p> {
    pub(super) name: &'p str,
    pub(super) content: &'p [u8],
}

/// One script that unpacks the files into a directory of its own and runs the last
/// one there.
pub(super) fn pack(title: &str, files: &[Packed<'_>]) -> String {
    let mut text = format!(
        "#!/bin/sh\n# {}\n# This file is all that is needed. Exit status: 0 if the failure is reproduced,\n\
         # 1 if it is not, 2 if something is missing. CC=... uses another compiler.\n\
         files=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$files\"' EXIT\n",
        title.replace('\n', " ")
    );
    for file in files {
        let to = format!("\"$files\"/{}", quoted(file.name));
        match std::str::from_utf8(file.content) {
            Ok(content) if content.is_empty() || content.ends_with('\n') => {
                let mut end = "END".to_owned();
                while content.lines().any(|line| line == end) {
                    end.push('_');
                }
                let _ = write!(text, "cat >{to} <<'{end}'\n{content}{end}\n");
            }
            // A here-document ends with a newline and holds text.
            _ => {
                let bytes: String = file
                    .content
                    .iter()
                    .map(|byte| format!("\\{byte:03o}"))
                    .collect();
                let _ = writeln!(text, "printf '{bytes}' >{to}");
            }
        }
    }
    if let Some(last) = files.last() {
        let _ = writeln!(text, "sh \"$files\"/{}", quoted(last.name));
    }
    text
}

fn quoted(word: &str) -> String {
    match word {
        "" => String::new(),
        word => shlex::try_quote(word).map_or_else(|_| "''".into(), |word| word.into_owned()),
    }
}
