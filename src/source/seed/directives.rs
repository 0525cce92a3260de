//! Directives: the flags and inputs that a seed, or a file beside it, asks for.

use super::{Input, Seed, cannot_read};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What lines with directives start with.
const FLAGS: &str = "mestra-flags:";
const RUN: &str = "mestra-run:";

impl Seed {
    /// Takes the flags and inputs that the seed asks for.
    pub(super) fn read_directives(&mut self) -> Result<(), String> {
        let source = Arc::clone(&self.source);
        let text = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&source);
        let Heading { lines, code } = heading(text);
        let mut own = lines;
        own.retain(|(_, line)| line.starts_with(b"mestra-"));
        if let Some(below) = late_directive(code) {
            let number = line_ends(&text[..text.len() - code.len()]) + below;
            return Err(format!(
                "line {number}: a directive after code has no effect; move it up"
            ));
        }
        let path = beside(&self.path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match fs::read(&path) {
            Ok(sidecar) => {
                if let Some((number, _)) = own.first() {
                    return Err(format!(
                        "line {number} and {name} both specify flags or runs; keep only one of them"
                    ));
                }
                let lines = sidecar.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
                let said = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#");
                let lines = (1..).zip(lines).filter(|(_, line)| said(line));
                self.obey(lines, &format!(" of {name}"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.obey(own, ""),
            Err(error) => Err(format!("{name} {}", cannot_read(&error))),
        }
    }

    /// Takes flags and inputs from numbered lines; `of` says in messages which file they are in.
    fn obey<'l>(
        &mut self,
        lines: impl IntoIterator<Item = (usize, &'l [u8])>,
        of: &str,
    ) -> Result<(), String> {
        for (number, line) in lines {
            self.obey_line(line)
                .map_err(|what| format!("line {number}{of}: {what}"))?;
        }
        if self.inputs.is_empty() {
            self.inputs.push(Input::default());
        }
        Ok(())
    }

    fn obey_line(&mut self, line: &[u8]) -> Result<(), String> {
        if let Some(flags) = line.strip_prefix(FLAGS.as_bytes()) {
            let words = words(flags).ok_or("mestra-flags: unbalanced quotes")?;
            self.flags.extend(words);
        } else if let Some(run) = line.strip_prefix(RUN.as_bytes()) {
            let words = words(run).ok_or("mestra-run: unbalanced quotes")?;
            self.inputs.push(self.input(words)?);
        } else {
            let line = String::from_utf8_lossy(line);
            let word = line.split_whitespace().next().unwrap_or_default();
            return Err(format!(
                "{word} is not a directive; the directives are {FLAGS} and {RUN}"
            ));
        }
        Ok(())
    }

    pub(super) fn input(&self, words: Vec<OsString>) -> Result<Input, String> {
        let mut input = Input::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "<" {
                let file = words.next().ok_or("mestra-run: no file after <")?;
                let directory = self.path.parent().unwrap_or(Path::new(""));
                input.stdin = Some(directory.join(file));
            } else {
                input.arguments.push(word);
            }
        }
        Ok(input)
    }
}

/// What comes before the first code of a seed.
struct Heading<'t> {
    /// The lines of all comments, with their numbers and without the comments' marks.
    lines: Vec<(usize, &'t [u8])>,
    /// The rest of the text.
    code: &'t [u8],
}

fn heading(text: &[u8]) -> Heading<'_> {
    let mut lines = Vec::new();
    let mut number = 1;
    let mut rest = text;
    loop {
        let start = rest.trim_ascii_start();
        number += line_ends(&rest[..rest.len() - start.len()]);
        let (end, is_block) = match start {
            [b'/', b'*', ..] => (&b"*/"[..], true),
            [b'/', b'/', ..] => (&b"\n"[..], false),
            _ => return Heading { lines, code: start },
        };
        let comment = &start[2..];
        let found = comment.windows(end.len()).position(|bytes| bytes == end);
        let length = found.unwrap_or(comment.len());
        for (below, line) in comment[..length].split(|&byte| byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            // Lines of a block often start with a star.
            let bare = line.strip_prefix(b"*").filter(|_| is_block);
            lines.push((number + below, bare.unwrap_or(line).trim_ascii_start()));
        }
        let after = comment.len().min(length + end.len());
        number += line_ends(&comment[..after]);
        rest = &comment[after..];
    }
}

/// The number of the first line of code that is a comment with a directive.
fn late_directive(code: &[u8]) -> Option<usize> {
    let is_directive = |line: &[u8]| {
        let line = line.trim_ascii_start();
        let comment = line.strip_prefix(b"/*").or(line.strip_prefix(b"//"));
        let comment = comment.unwrap_or_default().trim_ascii_start();
        comment.starts_with(FLAGS.as_bytes()) || comment.starts_with(RUN.as_bytes())
    };
    let mut lines = code.split(|&byte| byte == b'\n');
    lines.position(is_directive).map(|index| index + 1)
}

fn line_ends(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// The file beside a seed that holds its directives.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".mestra");
    name.into()
}

/// Splits as a shell would, without expanding anything.
pub(super) fn words(text: &[u8]) -> Option<Vec<OsString>> {
    let mut words = shlex::bytes::Shlex::new(text);
    let split: Vec<OsString> = words.by_ref().map(OsString::from_vec).collect();
    (!words.had_error).then_some(split)
}
