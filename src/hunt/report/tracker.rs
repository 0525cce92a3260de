//! A finding in the form that its compiler's developers take bugs in: fields of GCC's
//! Bugzilla, an issue of LLVM at GitHub, or a mail for others.

use super::explorer;
use super::markdown::{command, fenced, said, shown, target};
use crate::hunt::bucket::{aborts, base_name, title};
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Finding, Reduced, dotted, version_number};
use crate::lab::toolchain::Family;
use std::fmt::Write;

/// The text to file, with its fields on top.
pub(crate) fn text(reduced: &Reduced, program: &str) -> String {
    let finding = &reduced.finding;
    match finding.config.compiler.family {
        Family::Gcc => bugzilla(reduced, program),
        Family::Clang => github(reduced, program),
        Family::Tcc | Family::Other => mail(reduced, program),
    }
}

fn bugzilla(reduced: &Reduced, program: &str) -> String {
    let finding = &reduced.finding;
    let mut text = String::from("Where: https://gcc.gnu.org/bugzilla/enter_bug.cgi?product=gcc\n");
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(text, "{name}: {value}");
    };
    field("Summary", &title(finding, Some(reduced)));
    field("Component", component(reduced));
    field("Keywords", keyword(finding.verdict.kind));
    field("Target", &target());
    for (name, fails) in [("Known to fail", true), ("Known to work", false)] {
        if let Some(versions) = versions(reduced, fails) {
            field(name, &versions);
        }
    }
    text.push_str("\nDescription:\n\n");
    let _ = writeln!(text, "{program}");
    let _ = writeln!(text, "$ {}", command(finding));
    text.push_str(&what_happens(finding));
    text.push('\n');
    further(&mut text, reduced, program);
    if !reduced.build.is_empty() {
        let _ = write!(text, "\n$ gcc -v\n{}\n", reduced.build.trim());
    }
    text
}

fn github(reduced: &Reduced, program: &str) -> String {
    let finding = &reduced.finding;
    let mut text = String::from("Where: https://github.com/llvm/llvm-project/issues/new\n");
    let _ = writeln!(text, "Title: {}", title(finding, Some(reduced)));
    let label = match finding.verdict.kind {
        kind if kind.is_of_a_run() => "miscompilation",
        VerdictKind::CompilerCrash => "crash",
        VerdictKind::CompilerHang | VerdictKind::CompilerMemory => "slow-compile",
        _ => "rejects-valid",
    };
    let _ = writeln!(text, "Labels: {label}\n");
    text.push_str(&fenced("c", program));
    let happens = format!("$ {}\n{}", command(finding), what_happens(finding));
    let _ = write!(text, "\n{}\n", fenced("console", &happens));
    for (name, fails) in [("Fails", true), ("Works", false)] {
        if let Some(versions) = versions(reduced, fails) {
            let _ = writeln!(text, "{name}: {versions}.");
        }
    }
    further(&mut text, reduced, program);
    if !reduced.build.is_empty() {
        let _ = write!(text, "\n{}", fenced("text", reduced.build.trim()));
    }
    text
}

fn mail(reduced: &Reduced, program: &str) -> String {
    let finding = &reduced.finding;
    let mut text = format!("Subject: {}\n\n", title(finding, Some(reduced)));
    let _ = writeln!(text, "{program}");
    let _ = writeln!(text, "$ {}", command(finding));
    let _ = writeln!(text, "{}", what_happens(finding));
    let _ = writeln!(text, "Version: {}", finding.config.version);
    further(&mut text, reduced, program);
    text
}

/// What is expected and what is seen instead.
fn what_happens(finding: &Finding) -> String {
    if finding.verdict.kind.is_of_a_run() {
        let (expected, actual) = (shown(&finding.expected), shown(&finding.actual));
        let meaning = if aborts(finding) {
            "(it calls abort() where a value is not what it must be)\n"
        } else {
            ""
        };
        format!("{actual}{meaning}expected:\n{expected}")
    } else {
        format!("{}\n", said(finding).trim_end())
    }
}

/// Where the fault is, why it is not the program's, and how it was found.
fn further(text: &mut String, reduced: &Reduced, program: &str) {
    let finding = &reduced.finding;
    text.push('\n');
    let own = &finding.config.compiler.name;
    let fails = reduced.located.failing_flags(own);
    if !fails.is_empty() {
        let _ = write!(text, "It fails with {}", fails.join(", "));
        let works = reduced.located.working_flags(own);
        if !works.is_empty() {
            let _ = write!(text, "; it works with {}", works.join(", "));
        }
        text.push_str(".\n");
    }
    for step in &reduced.located.steps {
        let _ = writeln!(text, "{step}");
    }
    if finding.verdict.kind.is_of_a_run() {
        let _ = writeln!(
            text,
            "The program has no undefined behaviour that is known: {}",
            soundness(reduced)
        );
    }
    let _ = writeln!(
        text,
        "It was found by a fuzzer (Mestra {}) and reduced; it is not from a program that \
         people use.",
        finding.mestra
    );
    if let Some(link) = explorer::link(finding, program) {
        let _ = writeln!(text, "Compiler Explorer: {link}");
    }
}

/// Why a wrong result is not the program's fault.
fn soundness(reduced: &Reduced) -> String {
    let finding = &reduced.finding;
    let others = finding.trusted.iter();
    let others = others.filter(|version| **version != finding.config.version);
    let others: Vec<&str> = others.map(String::as_str).collect();
    format!(
        "compilers warn of none, it is clean under the address, undefined-behaviour and memory \
         sanitizers where they apply, and others agree on what it does ({}).",
        others.join("; ")
    )
}

/// The installed versions that fail at some level, or at none, if there are any; by number, since
/// nobody else knows what `gcc` is on this machine.
fn versions(reduced: &Reduced, fails: bool) -> Option<String> {
    let versions = reduced.located.versions();
    let of = versions.iter().filter(|(.., failing)| *failing == fails);
    let mut names: Vec<String> = of
        .map(|(name, version, _)| match version_number(version) {
            number if number.is_empty() => base_name(name).to_owned(),
            number => dotted(&number),
        })
        .collect();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The component of GCC that somebody who knows better will correct.
fn component(reduced: &Reduced) -> &'static str {
    let pass = reduced.located.pass.as_deref().unwrap_or_default();
    let is = |words: &[&str]| words.iter().any(|word| pass.contains(word));
    match reduced.finding.verdict.kind {
        VerdictKind::Rejected => "c",
        _ if pass.is_empty() => "middle-end",
        _ if is(&["ipa", "inline"]) => "ipa",
        _ if is(&[
            "rtl", "gcse", "ira", "lra", "schedule", "combine", "peephole", "web",
        ]) =>
        {
            "rtl-optimization"
        }
        _ => "tree-optimization",
    }
}

fn keyword(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::CompilerCrash => "ice-on-valid-code",
        VerdictKind::CompilerHang => "compile-time-hog",
        VerdictKind::CompilerMemory => "memory-hog",
        VerdictKind::Rejected => "rejects-valid",
        _ => "wrong-code",
    }
}
