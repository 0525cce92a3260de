//! From the message of a failing compiler to a verdict with a signature.
//!
//! A signature must be the same when other programs meet the same defect, so
//! everything specific to the program is removed: positions, quoted names, addresses.

use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::lab::BuildFailure;
use crate::lab::process::Ending;
use crate::lab::toolchain::{ASSEMBLER, LINKER, error_line};

/// Frames of crash handlers, which say nothing about the defect.
const HANDLERS: [&str; 9] = [
    "PrintStackTrace",
    "SignalHandler",
    "RunSignalHandlers",
    "CleanupOnSignal",
    "HandleCrash",
    "raise",
    "abort",
    "__assert_fail",
    "__restore_rt",
];

/// How many frames of a stack make a signature.
const FRAMES: usize = 3;

/// The signature of a compiler that exits successfully without an output file.
pub(crate) const NO_RESULT: &str = "success without a result";

/// The signature of a crash without a message.
const NO_MESSAGE: &str = "a crash without a message";

/// The verdict on a compiler that failed.
pub(crate) fn of_failure(failure: &BuildFailure) -> Verdict {
    let ending = failure.output.ending;
    let text = String::from_utf8_lossy(&failure.output.stderr);
    let of_itself = of_itself(&text);
    match ending {
        _ if failure.claims_success() => Verdict::new(VerdictKind::CompilerCrash, NO_RESULT),
        Ending::TimedOut | Ending::Starved => {
            Verdict::new(VerdictKind::CompilerHang, "no end in time")
        }
        Ending::Signalled(signal) if signal == libc::SIGXCPU => {
            Verdict::new(VerdictKind::CompilerHang, "no end in time")
        }
        Ending::TooMuchOutput | Ending::TooManyProcesses => {
            Verdict::new(VerdictKind::CompilerCrash, ending.to_string())
        }
        _ if is_out_of_memory(ending, &of_itself) => {
            Verdict::new(VerdictKind::CompilerMemory, "out of memory")
        }
        Ending::Signalled(_) => {
            let signature = crash(&of_itself).unwrap_or_else(|| ending.to_string());
            Verdict::new(VerdictKind::CompilerCrash, signature)
        }
        Ending::Exited(_) => match crash(&of_itself) {
            Some(signature) => Verdict::new(VerdictKind::CompilerCrash, signature),
            None => Verdict::new(VerdictKind::Rejected, rejection(&text, ending)),
        },
    }
}

/// The same for whoever has to act on this one failure: a rejection with its place and names.
/// What changes from call to call, such as the names of a linker's files, is left out.
pub(super) fn in_full(failure: &BuildFailure) -> String {
    let verdict = of_failure(failure);
    let text = String::from_utf8_lossy(&failure.output.stderr);
    match error_line(&text) {
        Some(line) if verdict.kind == VerdictKind::Rejected => {
            let marks = LINKER.iter().chain([&ASSEMBLER]);
            let at = marks.filter_map(|mark| line.find(mark)).min();
            format!("{}: {}", verdict.kind, line[at.unwrap_or(0)..].trim())
        }
        _ => verdict.to_string(),
    }
}

/// Whether a compiler failed since a limit of ours was reached or a disk was full, which says
/// nothing about it: both are met by whoever has little room.
pub(super) fn lacked_room(failure: &BuildFailure) -> bool {
    let text = String::from_utf8_lossy(&failure.output.stderr);
    let said = ["File size limit exceeded", "No space left on device"];
    failure.output.ending == Ending::Signalled(libc::SIGXFSZ)
        || said.iter().any(|words| of_itself(&text).contains(words))
}

/// What a compiler says of itself: without what it says about places in the program, where it may
/// quote any words, and without the lines of the program that it shows.
fn of_itself(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_shown = lines.peek().is_some_and(|next| is_marker(next));
        if !(is_shown || is_excerpt(line) || is_about_a_place(line)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// `   12 | int x;`, or the line below it, which has no number.
fn is_excerpt(line: &str) -> bool {
    let rest = line.trim_start();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+');
    rest.trim_start().starts_with('|')
}

/// `    ^~~~` below a line of the program.
fn is_marker(line: &str) -> bool {
    line.contains('^') && line.chars().all(|c| c == ' ' || c == '^' || c == '~')
}

/// `x.c:3:1: error: …`; compilers tell of their own failures in other words.
fn is_about_a_place(line: &str) -> bool {
    let mut kinds = [": error: ", ": warning: ", ": note: "].into_iter();
    kinds.any(|kind| {
        line.split_once(kind)
            .is_some_and(|(place, _)| place.ends_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a signature says only how a compiler ended, which is the same for many
/// defects.
pub(crate) fn is_mute(verdict: &Verdict) -> bool {
    let signature = verdict.signature.as_str();
    match verdict.kind {
        VerdictKind::CompilerCrash => {
            let ended = [Ending::TooMuchOutput, Ending::TooManyProcesses];
            let mut ended = ended.iter().map(ToString::to_string);
            let is_signal = signature.starts_with("SIG") || signature.starts_with("signal ");
            is_signal
                || [NO_RESULT, NO_MESSAGE].contains(&signature)
                || ended.any(|ending| ending == signature)
        }
        VerdictKind::Rejected => signature.starts_with("exit status "),
        _ => true,
    }
}

/// The kernel kills a process for lack of memory by SIGKILL; when we send that signal
/// ourselves, the ending is another one.
fn is_out_of_memory(ending: Ending, text: &str) -> bool {
    let said = [
        "virtual memory exhausted",
        "out of memory",
        "memory exhausted",
        "Cannot allocate memory",
        "std::bad_alloc",
        "Killed signal terminated program",
        "unable to execute command: Killed",
    ];
    ending == Ending::Signalled(libc::SIGKILL) || said.iter().any(|words| text.contains(words))
}

/// The signature of a crash, if the text is of one.
fn crash(text: &str) -> Option<String> {
    let after = |line: &str, words: &str| line.split_once(words).map(|(_, rest)| rest.to_owned());
    let message = text.lines().find_map(|line| {
        after(line, "internal compiler error: ")
            .or_else(|| after(line, "fatal error: error in backend: "))
            .or_else(|| after(line, "LLVM ERROR: "))
            // pcc says so of itself; what it says of programs has "error:" only.
            .or_else(|| after(line, ": compiler error: "))
            .or_else(|| {
                let is_assertion = line.contains("Assertion") && line.contains("failed");
                is_assertion.then(|| line.to_owned())
            })
            .or_else(|| {
                line.contains("UNREACHABLE executed")
                    .then(|| line.to_owned())
            })
    });
    if let Some(message) = message {
        return Some(normalised(&message));
    }
    let is_crash = text.lines().any(|line| {
        line.contains("PLEASE submit a bug report")
            || line.contains("Segmentation fault")
            || line.contains("frontend command failed")
            || line.contains("command failed due to signal")
            || line.contains("Stack dump:")
    });
    if !is_crash {
        return None;
    }
    let frames: Vec<String> = text
        .lines()
        .filter_map(frame)
        .filter(|name| !HANDLERS.iter().any(|handler| name.contains(handler)))
        .take(FRAMES)
        .collect();
    if !frames.is_empty() {
        return Some(frames.join(" < "));
    }
    let pass = text.lines().find_map(|line| {
        let (_, pass) = line.split_once("Running pass '")?;
        Some(format!("in pass {}", pass.split('\'').next()?))
    });
    Some(pass.unwrap_or_else(|| NO_MESSAGE.into()))
}

/// The function of a line such as ` #4 0x00007f9c llvm::f(int) (/usr/lib/x.so+0x1)`.
fn frame(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let (address, rest) = rest.trim_start().split_once(' ')?;
    let is_address = address.starts_with("0x") && !rest.starts_with("(/");
    let name = rest.split('(').next()?.trim();
    (is_address && !name.is_empty()).then(|| name.to_owned())
}

/// The first error, without its place.
fn rejection(text: &str, ending: Ending) -> String {
    match error_line(text) {
        Some(line) => {
            let of_linker = LINKER.iter().find_map(|said| line.find(said));
            let mut words = ["error: ", ASSEMBLER].into_iter();
            let after_place = words.find_map(|word| Some(line.split_once(word)?.1));
            let said = of_linker.map(|at| &line[at..]).or(after_place);
            without_numbers(&normalised(said.unwrap_or(line)))
        }
        None => ending.to_string(),
    }
}

/// A message without the numbers of the program, such as a constant that is too large.
fn without_numbers(message: &str) -> String {
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| c.is_ascii_punctuation());
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words = message.split(' ');
    let words = words.map(|word| if is_number(word) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A message without quoted names, addresses and directories.
pub(super) fn normalised(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message.trim();
    while let Some(at) = rest.find(['\'', '‘', '"', '`']) {
        let (before, quoted) = rest.split_at(at);
        let mut characters = quoted.chars();
        let open = characters.next().unwrap_or('\'');
        let inside = characters.as_str();
        let close = match open {
            '‘' => '’',
            '`' => '\'',
            other => other,
        };
        let Some(end) = inside.find(close) else { break };
        // An assertion is quoted whole by `…' and is what tells crashes apart.
        let is_assertion = message.contains("Assertion");
        text.push_str(before);
        text.push(open);
        text.push_str(if is_assertion { &inside[..end] } else { "…" });
        text.push(close);
        rest = &inside[end + close.len_utf8()..];
    }
    text.push_str(rest);
    let words = text.split(' ').map(|word| match word.rsplit_once('/') {
        _ if word.starts_with("0x") => "0x…",
        Some((directory, file)) if directory.contains('/') => file,
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::process::Output;
    use std::time::Duration;

    fn failure(ending: Ending, stderr: &str) -> BuildFailure {
        BuildFailure {
            output: Output {
                ending,
                stdout: Vec::new(),
                stderr: stderr.into(),
                wall: Duration::ZERO,
                cpu: Duration::ZERO,
                peak: 0,
            },
            is_of_linker: false,
        }
    }

    fn verdict(ending: Ending, stderr: &str) -> String {
        of_failure(&failure(ending, stderr)).to_string()
    }

    #[test]
    fn an_internal_error_of_gcc_is_known_by_its_place_in_gcc() {
        let text = "ice.c: In function 'main':\n\
                    ice.c:1:24: internal compiler error: in gimplify_expr, at gimplify.cc:15905\n\
                    0x7fe495209249 __libc_start_call_main\n\
                    \t../sysdeps/nptl/libc_start_call_main.h:58\n\
                    Please submit a full bug report\n";
        assert_eq!(
            verdict(Ending::Exited(1), text),
            "compiler-crash: in gimplify_expr, at gimplify.cc:15905"
        );
    }

    #[test]
    fn pcc_s_own_errors_are_no_rejections() {
        let text = "x.c, line 4: compiler error: Cannot generate code, node 0x556c64969550 op %\n\
                    error: ccom terminated with status 1\n";
        assert_eq!(
            verdict(Ending::Exited(1), text),
            "compiler-crash: Cannot generate code, node 0x… op %"
        );
    }

    #[test]
    fn a_crash_that_says_nothing_does_not_name_its_defect() {
        let of = |kind, signature: &str| is_mute(&Verdict::new(kind, signature));
        for signature in [
            "SIGSEGV",
            "signal 35",
            NO_RESULT,
            "more output than allowed",
        ] {
            assert!(of(VerdictKind::CompilerCrash, signature), "{signature}");
        }
        assert!(of(VerdictKind::CompilerHang, "no end in time"));
        assert!(of(VerdictKind::Rejected, "exit status 1"));
        assert!(!of(VerdictKind::CompilerCrash, "in f, at g.cc:1"));
        assert!(!of(VerdictKind::Rejected, "'…' is bad"));
    }

    #[test]
    fn a_crash_of_clang_is_known_by_its_frames() {
        let text = "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\n\
            Stack dump:\n0.\tProgram arguments: clang-19\n\
            \x20#0 0x00007f9cc86b73c6 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so+0xeb73c6)\n\
            \x20#1 0x00007f9cc86b5070 llvm::sys::RunSignalHandlers() (/lib/libLLVM.so+0xeb5070)\n\
            \x20#2 0x00007f9cc85fd210 (/lib/libLLVM.so+0xdfd210)\n\
            \x20#4 0x00007f9cd005ff18 clang::Parser::ParseDirectDeclarator(clang::Declarator&) (/usr/lib/x.so+0xc5ff18)\n\
            \x20#5 0x00007f9cd005d855 clang::Parser::ParseDeclaratorInternal(clang::Declarator&) (/usr/lib/x.so+0x1)\n";
        assert_eq!(
            verdict(Ending::Exited(132), text),
            "compiler-crash: clang::Parser::ParseDirectDeclarator < \
             clang::Parser::ParseDeclaratorInternal"
        );
    }

    #[test]
    fn an_assertion_is_kept_and_its_directory_is_not() {
        let text = "clang: /build/llvm/lib/IR/Value.cpp:90: void f(): Assertion `x > 0 && \"no\"' failed.\n";
        let expected =
            "compiler-crash: clang: Value.cpp:90: void f(): Assertion `x > 0 && \"no\"' failed.";
        assert_eq!(verdict(Ending::Signalled(6), text), expected);
        assert_eq!(verdict(Ending::Exited(134), text), expected);
    }

    #[test]
    fn a_signal_without_a_word_is_a_crash() {
        assert_eq!(
            verdict(Ending::Signalled(11), ""),
            "compiler-crash: SIGSEGV"
        );
    }

    #[test]
    fn lack_of_memory_is_no_crash() {
        for (ending, text) in [
            (Ending::Signalled(9), ""),
            (
                Ending::Exited(1),
                "gcc: fatal error: Killed signal terminated program cc1",
            ),
            (
                Ending::Exited(1),
                "cc1: out of memory allocating 65536 bytes",
            ),
            (Ending::Exited(1), "virtual memory exhausted"),
        ] {
            assert_eq!(verdict(ending, text), "compiler-memory: out of memory");
        }
    }

    #[test]
    fn what_a_program_says_is_not_said_by_its_compiler() {
        for text in [
            "x.c:1:26: error: 'n' undeclared\n    1 | int f(void) { die(n, \"out of memory\"); }\n      |                   ^\n",
            "x.c:1:26: error: use of undeclared identifier 'n'\nchar *s = \"PLEASE submit a bug report\" n;\n         ^ ~~\n",
            "x.c:7:2: error: #error Segmentation fault\n",
            "x.c:7: warning: Assertion of memory exhausted failed\nx.c:8: error: no\n",
        ] {
            let said = verdict(Ending::Exited(1), text);
            assert!(said.starts_with("rejected: "), "{said}");
        }
        let crash = "x.c:1:2: warning: out of memory\n\
                     x.c:1:24: internal compiler error: in f, at g.cc:1\n";
        assert_eq!(
            verdict(Ending::Exited(1), crash),
            "compiler-crash: in f, at g.cc:1"
        );
    }

    #[test]
    fn lack_of_room_is_known() {
        let lacks = |ending, stderr: &str| lacked_room(&failure(ending, stderr));
        let gcc =
            "gcc: internal compiler error: File size limit exceeded signal terminated program as\n";
        let clang =
            "fatal error: error in backend: IO failure on output stream: No space left on device\n";
        assert!(lacks(Ending::Exited(4), gcc) && lacks(Ending::Exited(70), clang));
        assert!(lacks(Ending::Signalled(libc::SIGXFSZ), ""));
        assert!(!lacks(
            Ending::Exited(1),
            "x.c:1:2: error: No space left on device\n"
        ));
    }

    #[test]
    fn a_rejection_tells_the_error_without_names_and_place() {
        let text =
            "x.c:3:1: warning: something\nx.c:9:2: error: 'mestra_3_a' undeclared (first use)\n";
        assert_eq!(
            verdict(Ending::Exited(1), text),
            "rejected: '…' undeclared (first use)"
        );
        let text = "x.o: in function `f':\n\
                    (.text+0x364): relocation truncated to fit: GPRELHIGH against `.bss'\n\
                    collect2: error: ld returned 1 exit status\n";
        assert_eq!(
            verdict(Ending::Exited(1), text),
            "rejected: relocation truncated to fit: GPRELHIGH against `…'"
        );
        let text = "/tmp/ccZ3kQ.s: Assembler messages:\n\
                    /tmp/ccZ3kQ.s:16: Error: value of 4294967296 too large for `x'\n\
                    gcc: error: assembler command failed with exit code 1\n";
        assert_eq!(
            verdict(Ending::Exited(1), text),
            "rejected: value of … too large for `…'"
        );
        let text = "./program.s: Assembler messages:\n";
        assert_eq!(verdict(Ending::Exited(1), text), "rejected: exit status 1");
        let text = "p.c:3: static int f(void)\n       ^ expected ','\n";
        assert_eq!(verdict(Ending::Exited(1), text), "rejected: expected '…'");
        assert_eq!(verdict(Ending::Exited(7), ""), "rejected: exit status 7");
    }

    #[test]
    fn a_rejection_in_full_has_its_names_and_place_but_no_passing_ones() {
        let said = |stderr: &str| in_full(&failure(Ending::Exited(1), stderr));
        assert_eq!(
            said("a.c: In function 'f':\na.c:3:5: error: 'x' undeclared\n"),
            "rejected: a.c:3:5: error: 'x' undeclared"
        );
        assert_eq!(
            said(
                "/usr/bin/ld: /tmp/ccX1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n"
            ),
            "rejected: undefined reference to `main'"
        );
        assert_eq!(
            said(
                "/tmp/ccX2.s: Assembler messages:\n/tmp/ccX2.s:9: Error: no such instruction: `foo'\n"
            ),
            "rejected: Error: no such instruction: `foo'"
        );
        let crash = "a.c:1:1: internal compiler error: in f, at g.cc:1\n";
        assert_eq!(said(crash), verdict(Ending::Exited(1), crash));
    }
}
