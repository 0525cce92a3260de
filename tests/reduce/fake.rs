//! Compilers that are wrong on purpose: scripts around a real one.

use crate::support::executable;
use std::path::{Path, PathBuf};

/// A compiler whose programs print one line too many when the text, all white
/// space taken out, matches every one of the extended regular expressions.
pub(crate) fn wrong_output(directory: &Path, real: &str, shapes: &[&str]) -> PathBuf {
    let shaped: Vec<String> = shapes
        .iter()
        .map(|shape| format!("tr -d '[:space:]' < \"$source\" | grep -qE '{shape}'"))
        .collect();
    let condition = format!("[ -n \"$source\" ] && {}", shaped.join(" && "));
    script(directory, &format!("{real}-wrong"), real, "", &condition)
}

/// A compiler whose programs print one line too many at -O2 and above, unless one of
/// its arguments matches a pattern of the shell.
pub(crate) fn wrong_unless(directory: &Path, real: &str, pattern: &str) -> PathBuf {
    let look = format!(
        r#"wrong=
for word; do case $word in -O2 | -O3) wrong=1 ;; esac; done
for word; do case $word in {pattern}) wrong= ;; esac; done"#
    );
    script(
        directory,
        &format!("{real}-pass"),
        real,
        &look,
        "[ -n \"$wrong\" ]",
    )
}

/// A compiler whose programs print one line too many if for each of the patterns of the
/// shell one of its arguments matches, `-ffp-contract=off` aside.
pub(crate) fn wrong_with(directory: &Path, real: &str, patterns: &[&str]) -> PathBuf {
    let mut look = String::from("wrong=1\n");
    for pattern in patterns {
        look.push_str(&format!(
            "seen=\nfor word; do case $word in -ffp-contract=off) ;; {pattern}) seen=1 ;; esac; done\n\
             [ -n \"$seen\" ] || wrong=\n"
        ));
    }
    script(
        directory,
        &format!("{real}-flags"),
        real,
        &look,
        "[ -n \"$wrong\" ]",
    )
}

/// Compiles with the real one; `look` sees the arguments, and if the condition holds
/// the program is replaced by one that prints a line too many.
fn script(directory: &Path, name: &str, real: &str, look: &str, condition: &str) -> PathBuf {
    let path = directory.join(name);
    let text = format!(
        r#"#!/bin/sh
{real} "$@" || exit $?
{look}
while [ $# -gt 0 ]; do
    case $1 in
    -o) output=$2; shift ;;
    *.c) source=$1 ;;
    esac
    shift
done
case $output in program | ./program) ;; *) exit 0 ;; esac
if {condition}; then
    mv "$output" "$output.real"
    printf '#!/bin/sh\n./program.real "$@"\ncode=$?\necho wrong\nexit $code\n' > "$output"
    chmod +x "$output"
fi
"#
    );
    executable(&path, &text)
}

/// A compiler that does as it likes with texts that match a basic regular expression.
/// `body` is a piece of shell that ends, with the C file in `$source`.
pub(crate) fn failing(directory: &Path, name: &str, shape: &str, body: &str) -> PathBuf {
    let text = format!(
        r#"#!/bin/sh
case "$*" in --version) echo "fake 1.0 of gcc"; exit 0 ;; esac
source=
for word; do case $word in *.c) source=$word ;; esac; done
if [ -n "$source" ] && grep -q '{shape}' "$source"; then
{body}
fi
exec gcc "$@"
"#
    );
    executable(&directory.join(name), &text)
}

/// A gcc that writes other instructions than it should wherever a script of sed says so: as
/// with a real defect, it depends on all passes whether a program shows it.
pub(crate) fn miscompiling(directory: &Path, sed: &str) -> PathBuf {
    let text = format!(
        r#"#!/bin/bash
source= output= only= other=
for word; do
    case $word in
    -E | -S | -fsyntax-only | -Q | --help* | -fdump-passes | -fdbg-cnt-list) other=1 ;;
    -c) only=-c ;;
    *.c) source=$word ;;
    esac
done
if [ -z "$source" ] || [ -n "$other" ]; then exec gcc "$@"; fi
words=() objects=() before=
for word; do
    case $before$word in
    -o*) if [ -n "$before" ]; then output=$word before=; else before=-o; fi ;;
    -c) ;;
    -l* | *.o) objects+=("$word") ;;
    *) words+=("$word") ;;
    esac
done
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
gcc "${{words[@]}}" -S -o "$made/a.s" || exit $?
sed -i -E '{sed}' "$made/a.s"
gcc $only ${{output:+-o "$output"}} "$made/a.s" "${{objects[@]}}"
"#
    );
    executable(&directory.join("gcc"), &text)
}

/// A compiler that adds some lines of C to texts of a shape, the first that matches.
pub(crate) fn adding(directory: &Path, name: &str, added: &[(&str, &str)]) -> PathBuf {
    let choose: Vec<String> = added
        .iter()
        .map(|(shape, lines)| format!("if grep -q '{shape}' \"$source\"; then lines='{lines}'\n"))
        .collect();
    let body = format!(
        r#"lines=
{}fi
added=$(mktemp -d)
{{ cat "$source"; echo "$lines"; }} > "$added/$source"
for word; do
    shift
    case $word in "$source") set -- "$@" "$added/$source" ;; *) set -- "$@" "$word" ;; esac
done
gcc "$@"
status=$?
rm -r "$added"
exit $status"#,
        choose.join("el"),
    );
    failing(directory, name, "", &body)
}
