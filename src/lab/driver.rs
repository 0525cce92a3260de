//! How compilers of a family are called. `docs/scripts.md` lists every form; a compiler
//! of an unknown family must understand those of [`PlainDriver`] and no others.

use super::toolchain::{Family, around_file};
use super::way::MEMORY;
use super::{EXECUTABLE, OBJECT, Way};
use std::ffi::{OsStr, OsString};

/// What a compiler is asked to do in a directory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task<'t> {
    /// Makes an object of a file.
    Compile {
        source: &'t OsStr,
        object: &'t OsStr,
    },
    /// Makes the program of [`OBJECT`] and further objects.
    Link { further: &'t [&'t OsStr] },
    /// Makes the program of a file and further objects in one call.
    Build {
        source: &'t OsStr,
        objects: &'t [&'t OsStr],
    },
    /// Runs a file without making a program.
    Run {
        source: &'t OsStr,
        options: &'t [String],
    },
    /// Prints a file as the preprocessor leaves it.
    Preprocess { source: &'t OsStr },
    /// The same with the places that the lines come from.
    Trace { source: &'t OsStr },
    /// Prints the headers that a file includes, except those of the system, as a rule
    /// of `make`.
    Headers { source: &'t OsStr },
    /// Compiles a file and says more about it, as further flags ask.
    Explain {
        source: &'t OsStr,
        flags: &'t [&'t str],
    },
}

/// The options of one family of compilers.
pub(crate) trait Driver: Sync {
    /// Flags of every call, before all others, so that others can say otherwise.
    fn first(&self) -> &'static [&'static str] {
        &["-w"]
    }

    /// Flags of every call, after all others.
    fn always(&self) -> &'static [&'static str] {
        &[]
    }

    /// The values of `-fsanitize=` that are worth asking.
    fn sanitizers(&self) -> &'static [&'static str] {
        &[]
    }

    /// Flags that have remarks about optimisations written to a file of that name;
    /// `None` if we cannot read them.
    fn remarks(&self) -> Option<(&'static [&'static str], &'static str)> {
        None
    }

    /// Whether optimisation levels are worth telling apart.
    fn has_levels(&self) -> bool {
        true
    }

    /// The words after the compiler's name; `own` are the flags of the program itself.
    fn arguments(&self, way: &Way, own: &[OsString], task: &Task<'_>) -> Vec<OsString> {
        let mut words = Words(Vec::new());
        words.add(self.first());
        words.0.extend_from_slice(&way.flags);
        words.0.extend_from_slice(own);
        if let Some(sanitizer) = way.sanitizer {
            words.add([format!("-fsanitize={sanitizer}").as_str(), "-g1"]);
        }
        words.add(self.always());
        match *task {
            Task::Compile { source, object } => {
                words.add(["-c", "-o"]);
                words.add([object, source]);
            }
            Task::Link { further } => {
                words.add(["-o", EXECUTABLE, OBJECT]);
                words.add(further);
                words.add(["-lm"]);
            }
            Task::Build { source, objects } => {
                words.add(["-o", EXECUTABLE]);
                words.add([source]);
                words.add(objects);
                words.add(["-lm"]);
            }
            Task::Run { source, options } => {
                words.add(["-lm"]);
                let (before, after) = around_file(options);
                words.add(before);
                words.add([source]);
                words.add(after);
            }
            Task::Preprocess { source } => {
                words.add(["-E", "-P"]);
                words.add([source]);
            }
            Task::Trace { source } => {
                words.add(["-E"]);
                words.add([source]);
            }
            Task::Headers { source } => {
                words.add(["-MM", "-MT", "x"]);
                words.add([source]);
            }
            Task::Explain { source, flags } => {
                words.add(flags);
                words.add(["-c", "-o", OBJECT]);
                words.add([source]);
            }
        }
        words.0
    }
}

struct Words(Vec<OsString>);

impl Words {
    fn add<W: AsRef<OsStr>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.0
            .extend(words.into_iter().map(|word| word.as_ref().to_owned()));
    }
}

/// A compiler may fuse `a * b + c` into one operation that rounds once, here and not there.
/// gcc does so where the processor can, clang since version 14.
pub(crate) const NO_CONTRACTION: &str = "-ffp-contract=off";

const QUIET_AND_UNCONTRACTED: &[&str] = &["-w", NO_CONTRACTION];

struct GccDriver;
struct ClangDriver;
struct TccDriver;
struct PlainDriver;

impl Driver for GccDriver {
    fn first(&self) -> &'static [&'static str] {
        QUIET_AND_UNCONTRACTED
    }

    /// It knows when a compound literal ends, and when pointers into different objects are
    /// compared or subtracted; clang's does not.
    fn sanitizers(&self) -> &'static [&'static str] {
        &["address,pointer-compare,pointer-subtract"]
    }

    fn remarks(&self) -> Option<(&'static [&'static str], &'static str)> {
        Some((&["-fopt-info-optall=remarks"], "remarks"))
    }
}

impl Driver for ClangDriver {
    fn first(&self) -> &'static [&'static str] {
        QUIET_AND_UNCONTRACTED
    }

    /// It would compile again to write down what it crashed on.
    fn always(&self) -> &'static [&'static str] {
        &["-fno-crash-diagnostics"]
    }

    fn sanitizers(&self) -> &'static [&'static str] {
        &["address,undefined", MEMORY]
    }

    fn remarks(&self) -> Option<(&'static [&'static str], &'static str)> {
        let flags = &[
            "-fsave-optimization-record",
            "-foptimization-record-file=remarks",
        ];
        Some((flags, "remarks"))
    }
}

impl Driver for TccDriver {
    fn has_levels(&self) -> bool {
        false
    }
}

impl Driver for PlainDriver {}

impl Family {
    pub(crate) fn driver(self) -> &'static dyn Driver {
        match self {
            Family::Gcc => &GccDriver,
            Family::Clang => &ClangDriver,
            Family::Tcc => &TccDriver,
            Family::Other => &PlainDriver,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::toolchain::{Config, Runner};
    use super::super::{Patience, fake};
    use super::*;

    /// The command line of a task after the compiler's name.
    fn line(family: Family, sanitizer: Option<&'static str>, task: Task<'_>) -> String {
        let config = Config::new(fake::compiler("mycc", family), &["-O2"]);
        let way = Way {
            sanitizer,
            runner: Runner::Direct,
            ..Way::of(&config, Patience::default())
        };
        let own = [OsString::from("-I…")];
        let words = family.driver().arguments(&way, &own, &task);
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        words.join(" ")
    }

    #[test]
    fn an_unknown_compiler_is_called_as_the_documents_say() {
        let page = include_str!("../../docs/scripts.md");
        let (source, object) = (OsStr::new("seed.c"), OsStr::new(OBJECT));
        let runtime = [OsStr::new("runtime.o")];
        for task in [
            Task::Compile { source, object },
            Task::Link { further: &[] },
            Task::Build {
                source,
                objects: &[],
            },
            Task::Build {
                source,
                objects: &runtime,
            },
            Task::Trace { source },
        ] {
            let line = line(Family::Other, None, task);
            assert!(page.contains(&format!("$ mycc {line}\n")), "{line}");
        }
    }

    #[test]
    fn options_of_a_compiler_that_runs_programs_stand_on_either_side_of_the_file() {
        let source = OsStr::new("seed.c");
        for (options, words) in [("-run", "-run seed.c"), ("-s {} -eg", "-s seed.c -eg")] {
            let options: Vec<String> = options.split(' ').map(str::to_owned).collect();
            let options = &options;
            let line = line(Family::Other, None, Task::Run { source, options });
            assert_eq!(line, format!("-w -O2 -I… -lm {words}"));
        }
    }

    #[test]
    fn families_differ_in_what_they_are_told_besides() {
        let clang = line(Family::Clang, Some("memory"), Task::Link { further: &[] });
        assert_eq!(
            clang,
            "-w -ffp-contract=off -O2 -I… -fsanitize=memory -g1 -fno-crash-diagnostics -o ./program program.o -lm"
        );
        assert!(Family::Other.driver().remarks().is_none());
        assert!(Family::Other.driver().sanitizers().is_empty());
        assert!(!Family::Tcc.driver().has_levels());
    }
}
