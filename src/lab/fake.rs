//! An executor for tests that starts nothing: a script says what each compiler makes of
//! a text, and what programs do.
//!
//! What a fake compiler writes is who built it and from what, so running it can ask the
//! script again. Everything between a decision and the executor is thereby the real
//! thing: drivers, directories, files.

use super::process::{Command, Ending, Output};
use super::toolchain::{Compiler, Family};
use super::{Executor, Lab};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A compiler at work, or a program that it made.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Whether the program runs now, and is not only being built.
    pub(crate) is_run: bool,
    /// The compiler's file name.
    pub(crate) compiler: String,
    /// All words of the compiler's command line.
    pub(crate) flags: Vec<String>,
    pub(crate) text: String,
    /// How many calls of the script were made before.
    pub(crate) number: usize,
    pub(crate) is_alone: bool,
    pub(crate) wall: Duration,
}

impl Moment {
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|word| word == flag)
    }

    /// Whether a compiler is only asked what it takes.
    pub(crate) fn is_probe(&self) -> bool {
        self.has("probe.c")
    }
}

/// What happens then.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    ending: Ending,
    stdout: String,
    stderr: String,
}

impl Answer {
    /// Success: a compiler makes what it was asked for, a program ends and prints this.
    pub(crate) fn good(stdout: &str) -> Answer {
        Answer::ends(Ending::Exited(0), stdout, "")
    }

    pub(crate) fn fails(stderr: &str) -> Answer {
        Answer::ends(Ending::Exited(1), "", stderr)
    }

    pub(crate) fn hangs() -> Answer {
        Answer::ends(Ending::TimedOut, "", "")
    }

    pub(crate) fn ends(ending: Ending, stdout: &str, stderr: &str) -> Answer {
        Answer {
            ending,
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }
}

type Script = dyn Fn(&Moment) -> Answer + Send + Sync;

struct Fake {
    script: Box<Script>,
    calls: AtomicUsize,
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fake")
    }
}

/// A lab in which everything goes as the script says.
pub(crate) fn lab(script: impl Fn(&Moment) -> Answer + Send + Sync + 'static) -> Lab {
    Lab::new(Arc::new(Fake {
        script: Box::new(script),
        calls: AtomicUsize::new(0),
    }))
}

/// A compiler that is not there.
pub(crate) fn compiler(name: &str, family: Family) -> Compiler {
    Compiler {
        name: name.into(),
        path: PathBuf::from("/fake").join(name),
        family,
    }
}

const SEPARATOR: &str = "\u{0}";

impl Executor for Fake {
    fn run(&self, command: &Command) -> io::Result<Output> {
        let directory = command.working_directory().unwrap_or(Path::new("/"));
        let built = directory.join(super::EXECUTABLE);
        let program = command.program();
        let is_program = program == built.as_os_str() || program == OsStr::new("emulator");
        let mut moment = if is_program {
            Fake::read(&built)?
        } else {
            Fake::of_compiler(command, directory)?
        };
        moment.number = self.calls.fetch_add(1, Ordering::SeqCst);
        moment.is_alone = command.is_alone();
        moment.wall = command.time_limit();
        let answer = (self.script)(&moment);
        if !moment.is_run && answer.ending.is_success() {
            moment.write(directory)?;
        }
        Ok(Output {
            ending: answer.ending,
            stdout: answer.stdout.into(),
            stderr: answer.stderr.into(),
            wall: Duration::from_millis(1),
            cpu: Duration::from_millis(1),
            peak: 1 << 20,
        })
    }
}

impl Fake {
    /// The program that a fake compiler has made.
    fn read(path: &Path) -> io::Result<Moment> {
        let kept = fs::read_to_string(path)?;
        let mut parts = kept.split(SEPARATOR).map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let (compiler, text) = (next(), next());
        Ok(Moment {
            is_run: true,
            compiler,
            text,
            flags: parts.collect(),
            number: 0,
            is_alone: false,
            wall: Duration::ZERO,
        })
    }

    /// What a compiler is asked for: the last word that names a C file is its text, or
    /// an object that was made of one.
    fn of_compiler(command: &Command, directory: &Path) -> io::Result<Moment> {
        let words = command.arguments().iter();
        let words: Vec<String> = words.map(|w| w.to_string_lossy().into_owned()).collect();
        let is_run = words.iter().any(|word| word == "-run");
        let text = match words.iter().rfind(|word| word.ends_with(".c")) {
            Some(name) => fs::read_to_string(directory.join(name))?,
            None if words.iter().any(|word| word == super::OBJECT) => {
                return Ok(Moment {
                    is_run: false,
                    flags: words,
                    ..Fake::read(&directory.join(super::OBJECT))?
                });
            }
            None => String::new(),
        };
        let name = Path::new(command.program()).file_name().unwrap_or_default();
        Ok(Moment {
            is_run,
            compiler: name.to_string_lossy().into_owned(),
            flags: words,
            text,
            number: 0,
            is_alone: false,
            wall: Duration::ZERO,
        })
    }
}

impl Moment {
    /// Makes the file that the compiler was asked for.
    fn write(&self, directory: &Path) -> io::Result<()> {
        let mut words = self.flags.iter();
        let Some(file) = words.find(|word| *word == "-o").and_then(|_| words.next()) else {
            return Ok(());
        };
        let mut kept = vec![self.compiler.clone(), self.text.clone()];
        kept.extend(self.flags.iter().cloned());
        fs::write(directory.join(file), kept.join(SEPARATOR))
    }
}
