//! What a compiler can be asked about a text without making a program of it.

use super::printable::printable;
use super::process::{Command, Limits, Output, Purpose};
use super::toolchain::Compiler;
use super::{BuildFailure, Lab, OBJECT, Stage, Task, Way, Workspace};
use crate::error::ToolMissing;
use crate::source::seed::hash_source;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::time::Duration;

impl Lab {
    /// Whether a gcc or clang takes a text, without anything being made of it.
    pub fn check_syntax(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
    ) -> Result<Result<(), BuildFailure>> {
        let output = self.ask_about(stage, text, way, |source| Task::Explain {
            source,
            flags: &["-fsyntax-only"],
        })?;
        Ok(if output.ending.is_success() {
            Ok(())
        } else {
            Err(BuildFailure {
                output,
                is_of_linker: false,
            })
        })
    }

    /// The text as the preprocessor leaves it; `None` if that fails.
    pub(crate) fn preprocess(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
    ) -> Result<Option<Vec<u8>>> {
        let output = self.ask_about(stage, text, way, |source| Task::Preprocess { source })?;
        Ok(output.ending.is_success().then_some(output.stdout))
    }

    /// What the preprocessor makes of the text and of headers that are not the system's,
    /// without blank lines; `None` if it fails.
    pub(crate) fn own_text(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
    ) -> Result<Option<Vec<u8>>> {
        let output = self.ask_about(stage, text, way, |source| Task::Trace { source })?;
        let is_good = output.ending.is_success() && !output.stdout.is_empty();
        Ok(is_good.then(|| without_system_headers(&output.stdout)))
    }

    /// The headers that the text includes and that are not the system's, as a rule of
    /// `make`.
    pub(crate) fn headers(&self, space: &Workspace<'_>, way: &Way) -> Result<Vec<u8>> {
        let task = Task::Headers {
            source: space.source(),
        };
        Ok(self.ask(space, way, &task)?.stdout)
    }

    /// What a compiler says, on either stream, while it compiles the text with further
    /// flags.
    pub(crate) fn explain(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
        flags: &[&str],
    ) -> Result<String> {
        let space = self.workspace(stage, text)?;
        let source = space.source();
        let output = self.ask(&space, way, &Task::Explain { source, flags })?;
        let said = [output.stdout, output.stderr].concat();
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// The remarks of an optimiser about a text, in the compiler's own form.
    ///
    /// # Errors
    /// Also if the compiler writes none that we can read.
    pub(crate) fn remarks(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
    ) -> Result<Result<Vec<u8>, BuildFailure>> {
        let name = &way.compiler.name;
        let remarks = way.compiler.family.driver().remarks();
        let (flags, file) = remarks
            .with_context(|| format!("{name} writes no optimisation remarks in a known format"))?;
        let space = self.workspace(stage, text)?;
        let task = Task::Explain {
            source: space.source(),
            flags,
        };
        if let Err(failure) = self.make(&space, way, &task, OBJECT, Purpose::Other)? {
            return Ok(Err(failure));
        }
        // The file is not there if there was nothing to remark on.
        match fs::read(space.path().join(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ok(Vec::new())),
            read => read.context("reading remarks").map(Ok),
        }
    }

    /// What a compiler says it is: a line of its own. It goes into reports and scripts, where
    /// control characters would act. Of one that says nothing its file is told, so that it is
    /// noticed if another takes its place.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn version(&self, compiler: &Compiler) -> Result<String, ToolMissing> {
        let unusable = || ToolMissing {
            what: format!("{} cannot be started", compiler.name),
            remedy: "look whether it works, or name others with --compiler".into(),
        };
        for option in ["--version", "-v"] {
            let command = Command::new(&compiler.path).arg(option).limits(Limits {
                wall: Duration::from_secs(20),
                ..Limits::default()
            });
            let output = self.executor.run(&command).map_err(|_| unusable())?;
            let said = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&said);
            let line = text.lines().map(str::trim).find(|line| !line.is_empty());
            if let (true, Some(line)) = (output.ending.is_success(), line) {
                return Ok(printable(line).into_owned());
            }
        }
        fs::read(&compiler.path)
            .map(|file| {
                let (bytes, hash) = (file.len(), hash_source(&file));
                format!("no version told; a file of {bytes} bytes, {hash:016x}")
            })
            .map_err(|_| unusable())
    }

    /// The machine that a compiler says it compiles for.
    pub(crate) fn target(&self, compiler: &Compiler) -> Option<String> {
        let command = Command::new(&compiler.path).arg("-dumpmachine");
        let command = command.limits(Limits {
            wall: Duration::from_secs(20),
            ..Limits::default()
        });
        let output = self.executor.run(&command).ok()?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_answer = output.ending.is_success() && !said.is_empty() && !said.contains('\n');
        is_answer.then_some(said)
    }

    /// What a compiler says of how it was built: target, configuration, version. Empty if it
    /// says nothing.
    pub(crate) fn build_of(&self, compiler: &Compiler) -> String {
        let command = Command::new(&compiler.path).arg("-v").limits(Limits {
            wall: Duration::from_secs(20),
            ..Limits::default()
        });
        let said = self.executor.run(&command).ok();
        let said = said.filter(|output| output.ending.is_success());
        said.map_or_else(String::new, |output| {
            let said = [output.stdout, output.stderr].concat();
            printable(&String::from_utf8_lossy(&said)).into_owned()
        })
    }

    /// Asks a compiler about a text that nothing is to be made of.
    fn ask_about(
        &self,
        stage: &Stage<'_>,
        text: &[u8],
        way: &Way,
        task: impl for<'s> FnOnce(&'s OsStr) -> Task<'s>,
    ) -> Result<Output> {
        let space = self.workspace(stage, text)?;
        self.ask(&space, way, &task(space.source()))
    }
}

/// Lines of a preprocessor's output that do not come from headers of the system, as
/// markers such as `# 1 "/usr/include/stdio.h" 1 3 4` tell.
fn without_system_headers(output: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut is_own = true;
    for line in output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        let marker = line.strip_prefix(b"# ").or(line.strip_prefix(b"#line "));
        match marker.filter(|rest| rest.first().is_some_and(u8::is_ascii_digit)) {
            Some(marker) => {
                let flags = marker
                    .rsplit(|byte| *byte == b'"')
                    .next()
                    .unwrap_or_default();
                is_own = !flags.contains(&b'3');
            }
            None if is_own && !line.is_empty() => {
                kept.extend_from_slice(line);
                kept.push(b'\n');
            }
            None => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake::{self, Answer};
    use crate::lab::toolchain::Family;

    #[test]
    fn what_a_compiler_calls_itself_has_no_control_characters() {
        let lab = fake::lab(|_| Answer::good("\x1b[31mevil\x1b[0m 1.0\x07\n"));
        let compiler = fake::compiler("evil", Family::Other);
        let shown = "\\x1b[31mevil\\x1b[0m 1.0\\x07";
        assert_eq!(lab.version(&compiler).unwrap(), shown);
        assert_eq!(lab.build_of(&compiler), format!("{shown}\n"));
    }

    #[test]
    fn what_headers_of_the_system_bring_is_not_the_programs_own() {
        let output = b"# 0 \"seed.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint printf();\n\
                       # 2 \"seed.c\" 2\n\nint x;\n# 1 \"own.h\" 1\n  int y;\n";
        assert_eq!(without_system_headers(output), b"int x;\nint y;\n");
    }
}
