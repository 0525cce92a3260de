//! Who starts processes: the lab, and nobody else.

use crate::support::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// Those that put a command together and hand it to the lab; none of them is a compiler.
const TOOLS: [&str; 5] = [
    // This program again, for what may crash libclang.
    "src/cli/probe.rs",
    // Csmith, and whatever `--seed-command` names.
    "src/hunt/campaign/seeds/command.rs",
    "src/hunt/triage/cvise.rs",
    // clang-format, for small programs.
    "src/hunt/triage/format.rs",
    // git, and the user's command that builds a version.
    "src/hunt/bisect.rs",
];

/// What starts a process, or gets hold of what does.
const STARTS: [&str; 7] = [
    "std::process::Command",
    "process::{Child",
    "posix_spawn",
    "fork(",
    "execve(",
    ".spawn()",
    "Host",
];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn nothing_outside_the_lab_starts_a_process() {
    let root = repository();
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    let mut starts = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap();
        if name.starts_with("src/lab/") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let is_tool = TOOLS.contains(&name);
        for (number, line) in (1..).zip(text.lines()) {
            let is_start = STARTS.iter().any(|start| line.contains(start));
            let is_command = line.contains("Command::new(");
            if is_start || is_command && !is_tool {
                starts.push(format!("{name}:{number}: {}", line.trim()));
            }
        }
        assert!(!is_tool || text.contains("run_tool(&command)"), "{name}");
    }
    assert!(starts.is_empty(), "{starts:#?}");
}
