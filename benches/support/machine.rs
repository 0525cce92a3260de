//! The machine that something was measured on, in words.

use mestra::lab::Lab;
use mestra::lab::process::Command;
use mestra::lab::toolchain::{Compiler, newest_clang};
use std::fs;

/// Its processor and cores, system and compilers.
pub fn describe() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = read("/proc/cpuinfo");
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let os = read("/etc/os-release");
    let os = os
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))
        .map_or("Linux", |name| name.trim_matches('"'));
    let mut tools = Vec::new();
    for compiler in Compiler::find("gcc").into_iter().chain(newest_clang()) {
        tools.push(Lab::default().version(&compiler).unwrap_or(compiler.name));
    }
    // Csmith leaves a file where it runs, even if it is only asked for its version.
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    for (tool, option) in [("tcc", "-v"), ("csmith", "--version")] {
        let command = Command::new(tool).arg(option);
        let said = command.directory(directory.path()).run();
        let said = said.map(|outcome| outcome.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let line = said.lines().find(|line| !line.trim().is_empty());
        tools.push(line.unwrap_or(tool).trim().to_owned());
    }
    format!("{model}, {cores} cores, {os}; {}", tools.join("; "))
}

/// How many processes have wanted to run in the last minute, on average.
pub fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split_ascii_whitespace().next();
    first.and_then(|load| load.parse().ok()).unwrap_or(0.0)
}
