//! Compilers that are wrong on purpose: scripts around a real one.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A compiler whose programs print one line too many when the text, all white
/// space taken out, matches every one of the extended regular expressions.
pub(crate) fn wrong_output(directory: &Path, real: &str, shapes: &[&str]) -> PathBuf {
    let shaped: Vec<String> = shapes
        .iter()
        .map(|shape| format!("tr -d '[:space:]' < \"$source\" | grep -qE '{shape}'"))
        .collect();
    script(
        directory,
        &format!("{real}-wrong"),
        &format!(
            r#"{real} "$@" || exit $?
while [ $# -gt 0 ]; do
    case $1 in
    -o) output=$2; shift ;;
    *.c) source=$1 ;;
    esac
    shift
done
[ -n "$source" ] && [ -n "$output" ] || exit 0
if {}; then
    mv "$output" "$output.real"
    printf '#!/bin/sh\n./program.real "$@"\ncode=$?\necho wrong\nexit $code\n' > "$output"
    chmod +x "$output"
fi"#,
            shaped.join(" && ")
        ),
    )
}

fn script(directory: &Path, name: &str, body: &str) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}
