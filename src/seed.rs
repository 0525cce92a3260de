//! A seed as it comes from disk: the program's bytes, and how to compile and run it.
//!
//! Flags and inputs stand in comments before the first line of code:
//!
//! ```c
//! /* mestra-flags: -std=gnu89 -DX=3 */
//! /* mestra-run: 3 "hello world" < numbers.txt */
//! ```
//!
//! or, without the comments' marks, as lines of a file of the same name with
//! `.mestra` added, which then counts instead:
//!
//! ```text
//! mestra-flags: -std=gnu89 -DX=3
//! ```
//!
//! Each `mestra-run` is one input: arguments in the shell's quoting, and perhaps
//! a file for standard input, named relative to the seed. Without any there is
//! one input, with no arguments and nothing to read.

use crate::error::SeedRefused;
use anyhow::Context;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Seeds larger than this are refused rather than worked on for minutes.
const MAX_BYTES: u64 = 16 << 20;

/// A C program with all that is needed to compile and run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    pub path: PathBuf,
    pub source: Arc<[u8]>,
    /// Compiler flags: those of the file itself, then those of the command line.
    pub flags: Vec<OsString>,
    /// At least one.
    pub inputs: Vec<Input>,
}

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub arguments: Vec<OsString>,
    /// Read as standard input; nothing if `None`.
    pub stdin: Option<PathBuf>,
}

impl Seed {
    /// Reads a seed; `flags` are added to those that the file itself asks for.
    pub fn read(path: &Path, flags: &[OsString]) -> Result<Seed, SeedRefused> {
        let refused = |reason: String| SeedRefused::new(path, reason);
        let source = read_bounded(path).map_err(refused)?;
        let mut seed = Seed {
            path: path.to_owned(),
            source: source.into(),
            flags: Vec::new(),
            inputs: Vec::new(),
        };
        seed.read_directives().map_err(refused)?;
        seed.flags.extend_from_slice(flags);
        if includes_csmith(&seed.source)
            && let Some(directory) = csmith_headers()
        {
            // Last, so that the user's own directories come first.
            let mut flag = OsString::from("-I");
            flag.push(directory);
            seed.flags.push(flag);
        }
        Ok(seed)
    }

    /// Replaces the inputs: each of the arguments, in the shell's quoting, with each
    /// of the files as standard input. With neither, the seed's own stay.
    pub fn set_inputs(&mut self, arguments: &[String], files: &[PathBuf]) -> anyhow::Result<()> {
        if arguments.is_empty() && files.is_empty() {
            return Ok(());
        }
        let mut runs: Vec<Vec<OsString>> = Vec::new();
        for line in arguments {
            let run = words(line.as_bytes());
            runs.push(run.with_context(|| format!("--arg {line}: unbalanced quotes"))?);
        }
        if runs.is_empty() {
            runs.push(Vec::new());
        }
        let files: Vec<Option<&PathBuf>> = if files.is_empty() {
            vec![None]
        } else {
            files.iter().map(Some).collect()
        };
        let pairs = runs
            .iter()
            .flat_map(|run| files.iter().map(move |file| (run, *file)));
        self.inputs = pairs
            .map(|(run, file)| Input {
                arguments: run.clone(),
                stdin: file.cloned(),
            })
            .collect();
        Ok(())
    }

    fn read_directives(&mut self) -> Result<(), String> {
        let source = Arc::clone(&self.source);
        let text = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&source);
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.enumerate().filter(|(_, line)| !line.is_empty());
        match fs::read(beside(&self.path)) {
            Ok(sidecar) => {
                let lines = sidecar.split(|&byte| byte == b'\n').enumerate();
                self.obey(lines.map(|(number, line)| (number, line.trim_ascii())))
            }
            Err(_) => self.obey(lines.map_while(|(number, line)| {
                let comment = line.strip_prefix(b"/*")?.strip_suffix(b"*/")?;
                Some((number, comment.trim_ascii()))
            })),
        }
    }

    /// Takes flags and inputs from numbered lines; others say nothing to us.
    fn obey<'l>(
        &mut self,
        lines: impl IntoIterator<Item = (usize, &'l [u8])>,
    ) -> Result<(), String> {
        for (number, comment) in lines {
            let bad = |what: &str| format!("line {}: {what}", number + 1);
            if let Some(flags) = comment.strip_prefix(b"mestra-flags:") {
                let words = words(flags).ok_or_else(|| bad("mestra-flags: unbalanced quotes"))?;
                self.flags.extend(words);
            } else if let Some(run) = comment.strip_prefix(b"mestra-run:") {
                let words = words(run).ok_or_else(|| bad("mestra-run: unbalanced quotes"))?;
                self.inputs
                    .push(self.input(words).map_err(|what| bad(&what))?);
            }
        }
        if self.inputs.is_empty() {
            self.inputs.push(Input::default());
        }
        Ok(())
    }

    fn input(&self, words: Vec<OsString>) -> Result<Input, String> {
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

/// The file beside a seed that holds its directives.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".mestra");
    name.into()
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(&error))?;
    if metadata.is_dir() {
        return Err("is a directory, not a C file".into());
    }
    if !metadata.is_file() {
        return Err("is not a regular file".into());
    }
    if metadata.len() > MAX_BYTES {
        let (has, may) = (metadata.len() >> 20, MAX_BYTES >> 20);
        return Err(format!("has {has} MB; a seed may have {may} MB"));
    }
    let mut source = Vec::with_capacity(metadata.len() as usize);
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut source))
        .map_err(|error| cannot_read(&error))?;
    if source.is_empty() {
        return Err("is empty".into());
    }
    Ok(source)
}

fn cannot_read(error: &std::io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Splits as a shell would, without expanding anything.
fn words(text: &[u8]) -> Option<Vec<OsString>> {
    let words = shlex::bytes::Shlex::new(text);
    let mut words = words;
    let split: Vec<OsString> = words.by_ref().map(OsString::from_vec).collect();
    (!words.had_error).then_some(split)
}

fn includes_csmith(source: &[u8]) -> bool {
    source.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        line.starts_with(b"#include") && line.ends_with(b"\"csmith.h\"")
    })
}

/// Where Csmith's headers are, by `CSMITH_HOME` or in the usual places.
fn csmith_headers() -> Option<PathBuf> {
    let home = std::env::var_os("CSMITH_HOME").map(PathBuf::from);
    let of_home = home
        .iter()
        .flat_map(|home| [home.join("include"), home.join("runtime")]);
    let usual = ["/usr/include/csmith", "/usr/local/include/csmith"].map(PathBuf::from);
    of_home
        .chain(usual)
        .find(|directory| directory.join("csmith.h").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn seed(text: &str) -> Result<Seed, SeedRefused> {
        let mut file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Seed::read(file.path(), &["-DLAST".into()])
    }

    #[test]
    fn directives_give_flags_and_inputs() {
        let seed = seed(
            "/* mestra-flags: -std=gnu89 '-DX=a b' */\n\
             /* mestra-run: 3 \"hello world\" < numbers.txt */\n\
             /* mestra-run: */\n/* words */\nint x; /* mestra-run: late */\n",
        )
        .unwrap();
        assert_eq!(seed.flags, ["-std=gnu89", "-DX=a b", "-DLAST"]);
        assert_eq!(seed.inputs.len(), 2);
        assert_eq!(seed.inputs[0].arguments, ["3", "hello world"]);
        assert_eq!(
            seed.inputs[0].stdin.as_ref().unwrap().file_name().unwrap(),
            "numbers.txt"
        );
        assert_eq!(seed.inputs[1], Input::default());
    }

    #[test]
    fn a_file_beside_the_seed_counts_instead_of_its_comments() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.c");
        fs::write(&path, "/* mestra-run: own */\nint main(void) {}\n").unwrap();
        let words = "# words\nmestra-flags: -DX\nmestra-run: 1\nmestra-run: 2 < in.txt\n";
        fs::write(directory.path().join("x.c.mestra"), words).unwrap();
        let seed = Seed::read(&path, &[]).unwrap();
        assert_eq!(seed.flags, ["-DX"]);
        assert_eq!(seed.inputs.len(), 2);
        assert_eq!(seed.inputs[0].arguments, ["1"]);
        assert_eq!(seed.inputs[1].stdin, Some(directory.path().join("in.txt")));
    }

    #[test]
    fn without_directives_there_is_one_empty_input() {
        assert_eq!(
            seed("int main(void){}\n").unwrap().inputs,
            [Input::default()]
        );
    }

    #[test]
    fn bad_directives_are_refused_with_their_line() {
        let unbalanced = seed("\n/* mestra-run: \"a */\n").unwrap_err();
        assert_eq!(unbalanced.reason, "line 2: mestra-run: unbalanced quotes");
        let no_file = seed("/* mestra-run: a < */\n").unwrap_err();
        assert_eq!(no_file.reason, "line 1: mestra-run: no file after <");
    }

    #[test]
    fn the_command_line_replaces_the_inputs() {
        let mut seed = seed("/* mestra-run: own */\nint main(void){}\n").unwrap();
        seed.set_inputs(&[], &[]).unwrap();
        assert_eq!(seed.inputs[0].arguments, ["own"]);
        seed.set_inputs(&["1 'a b'".into(), "2".into()], &["f".into(), "g".into()])
            .unwrap();
        let runs: Vec<_> = seed
            .inputs
            .iter()
            .map(|input| (input.arguments.len(), input.stdin.clone().unwrap()))
            .collect();
        assert_eq!(
            runs,
            [
                (2, "f".into()),
                (2, "g".into()),
                (1, "f".into()),
                (1, "g".into())
            ]
        );
        assert!(seed.set_inputs(&["'".into()], &[]).is_err());
    }

    #[test]
    fn csmith_programs_find_their_header() {
        assert!(includes_csmith(b"/* x */\n#include \"csmith.h\"\r\n"));
        assert!(!includes_csmith(b"// #include \"csmith.h\"\n"));
    }
}
