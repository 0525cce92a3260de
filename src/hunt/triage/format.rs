//! A small program laid out by clang-format, where there is one.

use crate::hunt::reduce::are_alike;
use crate::lab::process::{Command, Limits};
use crate::lab::toolchain::find_tool;
use crate::lab::{Lab, scratch};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The text with other white space; `None` if there is no clang-format, or it changes more.
pub(super) fn formatted(lab: &Lab, text: &[u8]) -> Result<Option<Vec<u8>>> {
    let Some(tool) = clang_format() else {
        return Ok(None);
    };
    let directory = scratch::directory().context("making a directory")?;
    let name = "program.c";
    fs::write(directory.path().join(name), text).context("writing a program")?;
    // A style of somebody's own must not decide what a report looks like.
    let style = "--style={BasedOnStyle: LLVM, SortIncludes: Never}";
    let command = Command::new(tool)
        .directory(directory.path())
        .args([style, name])
        .limits(Limits {
            wall: Duration::from_secs(10),
            ..Limits::default()
        })
        .for_the_rest();
    let output = lab.run_tool(&command).context("starting clang-format")?;
    let is_good = output.ending.is_success() && are_alike(text, &output.stdout);
    Ok(is_good.then_some(output.stdout))
}

fn clang_format() -> Option<PathBuf> {
    let numbered = (13..60)
        .rev()
        .map(|version| format!("clang-format-{version}"));
    let mut names = std::iter::once("clang-format".to_owned()).chain(numbered);
    names.find_map(|name| find_tool(&name))
}
