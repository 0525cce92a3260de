//! A seed as it comes from disk: the program's bytes, and how to compile and run it.
//!
//! A seed is a file `*.c`, or `*.i` if it is preprocessed already.
//!
//! Flags and inputs stand in comments before the first line of code:
//!
//! ```c
//! /* mestra-flags: -std=gnu89 -DX=3 */
//! /* mestra-run: 3 "hello world" < numbers.txt */
//! ```
//!
//! or, without the comments' marks, as lines of a file of the same name with
//! `.mestra` added. A seed that has both is refused: which of them is meant?
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
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Seeds larger than this are refused rather than worked on for minutes.
const MAX_BYTES: u64 = 16 << 20;

/// What is said of a file that is not named as a seed is.
pub(crate) const NO_SEED: &str = "a seed must be a .c or .i file";

/// What lines with directives start with.
const FLAGS: &str = "mestra-flags:";
const RUN: &str = "mestra-run:";

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
        if !is_seed(path) {
            return Err(refused(NO_SEED.into()));
        }
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

    /// Adds the flag of a version of C, unless the seed's flags name one already.
    pub(crate) fn set_standard(&mut self, flag: Option<&str>) {
        let is_standard = |flag: &OsString| {
            let flag = flag.as_encoded_bytes();
            flag == b"-ansi" || flag.starts_with(b"-std=") || flag.starts_with(b"--std=")
        };
        if let Some(flag) = flag
            && !self.flags.iter().any(is_standard)
        {
            self.flags.insert(0, flag.into());
        }
    }

    /// The inputs that the seed itself asks for.
    fn own_inputs(&self) -> Result<Vec<Input>, String> {
        let mut own = Seed {
            flags: Vec::new(),
            inputs: Vec::new(),
            ..self.clone()
        };
        own.read_directives()?;
        Ok(own.inputs)
    }

    /// The inputs that somebody has given in place of the seed's own; none if it has
    /// kept those.
    pub fn given_inputs(&self) -> &[Input] {
        if self.own_inputs().as_ref() == Ok(&self.inputs) {
            &[]
        } else {
            &self.inputs
        }
    }

    /// What the program is called where compilers see it. They would not preprocess a
    /// file `x.i`, and we add directives to it.
    pub(crate) fn program_name(&self) -> OsString {
        let name = self.path.with_extension("c");
        name.file_name().unwrap_or(OsStr::new("seed.c")).to_owned()
    }

    fn read_directives(&mut self) -> Result<(), String> {
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

    /// Takes flags and inputs from numbered lines, and tells where they are `of`.
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

/// Whether a file is named as a seed is.
pub(crate) fn is_seed(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "c" || extension == "i")
}

/// The seeds of a directory, in the order of their names.
pub fn seeds_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_seed(&path) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
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
        return Err(format!("has {has} MB; the limit for a seed is {may} MB"));
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

/// Hashes a seed's text; stable across versions and machines (64-bit FNV-1a).
pub fn hash_source(source: &[u8]) -> u64 {
    source.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
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
    fn a_seed_that_names_no_standard_is_given_one() {
        let given = |own: &[&str]| {
            let mut seed = Seed {
                path: PathBuf::from("x.c"),
                source: (*b"").into(),
                flags: own.iter().map(OsString::from).collect(),
                inputs: vec![Input::default()],
            };
            seed.set_standard(Some("-std=gnu17"));
            seed.flags
        };
        assert_eq!(given(&["-DX"]), ["-std=gnu17", "-DX"]);
        for own in ["-std=c99", "--std=c99", "-ansi"] {
            assert_eq!(given(&[own]), [own]);
        }
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
    fn directives_stand_in_any_comment_before_code() {
        let seed = seed(
            "/* A licence\n * of two lines. */\n// mestra-flags: -DA\r\n\
             /*\n * mestra-run: 1\n * mestra-run: 2\n */ /* mestra-flags: -DB */\n\
             int x;\n/* mestra-late: */\n",
        )
        .unwrap();
        assert_eq!(seed.flags, ["-DA", "-DB", "-DLAST"]);
        assert_eq!(seed.inputs.len(), 2);
    }

    /// A seed `x.c` with a file of directives beside it.
    fn seed_beside(text: &str, directives: &str) -> Result<Seed, SeedRefused> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.c");
        fs::write(&path, text).unwrap();
        fs::write(directory.path().join("x.c.mestra"), directives).unwrap();
        Seed::read(&path, &[])
    }

    #[test]
    fn a_file_beside_the_seed_gives_flags_and_inputs() {
        let words = "# words\n\nmestra-flags: -DX\nmestra-run: 1\nmestra-run: 2 < in.txt\n";
        let seed = seed_beside("int main(void) {}\n", words).unwrap();
        assert_eq!(seed.flags, ["-DX"]);
        assert_eq!(seed.inputs.len(), 2);
        assert_eq!(seed.inputs[0].arguments, ["1"]);
        let stdin = seed.path.with_file_name("in.txt");
        assert_eq!(seed.inputs[1].stdin, Some(stdin));
    }

    #[test]
    fn directives_in_the_seed_and_beside_it_are_refused() {
        let own = "/* words */\n/* mestra-run: own */\nint main(void) {}\n";
        let both = seed_beside(own, "mestra-flags: -DX\n").unwrap_err();
        let what = "line 2 and x.c.mestra both specify flags or runs; keep only one of them";
        assert_eq!(both.reason, what);
    }

    #[test]
    fn a_seed_is_called_c_or_i_and_compilers_see_a_c_file() {
        let directory = tempfile::tempdir().unwrap();
        let named = |name: &str| {
            let path = directory.path().join(name);
            fs::write(&path, "int main(void){}\n").unwrap();
            Seed::read(&path, &[])
        };
        for (name, shown) in [("x.c", "x.c"), ("x.y.i", "x.y.c")] {
            assert_eq!(named(name).unwrap().program_name(), shown);
        }
        for name in ["x.cpp", "x.txt", "x", "x.C"] {
            assert_eq!(named(name).unwrap_err().reason, NO_SEED);
        }
        let found = seeds_in(directory.path()).unwrap();
        assert_eq!(
            found,
            ["x.c", "x.y.i"].map(|name| directory.path().join(name))
        );
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
        let known = "is not a directive; the directives are mestra-flags: and mestra-run:";
        let late = seed("/* words */\nint x;\n  // mestra-run: a\n").unwrap_err();
        let what = "line 3: a directive after code has no effect; move it up";
        assert_eq!(late.reason, what);
        let typo = seed("/* words\n*/\n/* mestra-rum: a */\n").unwrap_err();
        assert_eq!(typo.reason, format!("line 3: mestra-rum: {known}"));
        let beside = seed_beside("int main(void) {}\n", "# words\nflags: -DX\n").unwrap_err();
        let what = format!("line 2 of x.c.mestra: flags: {known}");
        assert_eq!(beside.reason, what);
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
