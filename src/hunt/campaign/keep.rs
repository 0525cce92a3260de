//! Writing a finding's directory, which reproduces the failure by itself.

use super::copies::{has_all_of, remove};
use super::repro;
use super::seeds::Numbered;
use crate::hunt::finding::{
    FINDINGS, Finding, KeptInput, SUSPICIONS, SeedOrigin, UNFINISHED, file,
};
use crate::lab::files::place_directory;
use crate::lab::process::Purpose;
use crate::lab::toolchain::Config;
use crate::lab::{Lab, Outcome, Patience, Stage, Way};
use crate::variant::mutate::Variant;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// A finding with everything that goes into its directory.
#[derive(Debug)]
pub(super) struct KeptFinding<'a> {
    pub(super) finding: &'a Finding,
    pub(super) numbered: &'a Numbered,
    pub(super) variant: Option<&'a Variant>,
    pub(super) outcome: &'a Outcome,
    pub(super) headers: &'a Headers,
}

/// Headers that a seed includes from outside the system directories.
#[derive(Debug, Default)]
pub(super) struct Headers(Vec<(PathBuf, Vec<u8>)>);

impl Headers {
    /// Asks a compiler which headers a seed includes.
    pub(super) fn find(lab: &Lab, stage: &Stage<'_>, config: &Config) -> Result<Headers> {
        let way = Way::of(config, Patience::default()).counted_as(Purpose::Confirm);
        let space = lab.workspace(stage, &stage.seed.source)?;
        let rule = lab.headers(&space, &way)?;
        let roots = include_directories(&stage.flags);
        let mut headers = Vec::new();
        for path in dependencies(&rule) {
            if path.as_os_str() == space.source() {
                continue;
            }
            let path = space.path().join(path);
            let root = roots.iter().filter(|root| path.starts_with(root));
            let root = root.max_by_key(|root| root.as_os_str().len());
            let name = root.and_then(|root| path.strip_prefix(root).ok());
            let Some(name) = name.or(path.file_name().map(Path::new)) else {
                continue;
            };
            let text = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            headers.push((name.to_owned(), text));
        }
        Ok(Headers(headers))
    }
}

impl SeedOrigin {
    /// What a finding says about its seed.
    pub(super) fn of(numbered: &Numbered) -> SeedOrigin {
        let seed = &numbered.seed;
        let inputs = seed
            .inputs
            .iter()
            .enumerate()
            .map(|(index, input)| KeptInput {
                arguments: input
                    .arguments
                    .iter()
                    .map(|argument| argument.to_string_lossy().into_owned())
                    .collect(),
                stdin: input.stdin.as_ref().map(|_| input_name(index)),
            });
        SeedOrigin {
            number: numbered.number,
            origin: numbered.origin.clone(),
            file_name: seed.program_name().to_string_lossy().into_owned(),
            flags: without_include_directories(&seed.flags),
            inputs: inputs.collect(),
        }
    }
}

impl KeptFinding<'_> {
    /// Writes the directory atomically. One of the same name is replaced unless its files
    /// are the same.
    pub(super) fn write(&self, campaign: &Path) -> Result<PathBuf> {
        let id = &self.finding.id;
        let which = if self.finding.standing.is_confirmed() {
            FINDINGS
        } else {
            SUSPICIONS
        };
        let parent = campaign.join(which);
        let target = parent.join(id);
        let unfinished = parent.join(format!("{UNFINISHED}{id}"));
        let write = || -> Result<()> {
            remove(&unfinished)?;
            fs::create_dir_all(&unfinished)?;
            self.fill(&unfinished)?;
            // A seed that is started again finds the same again, and what was derived from
            // it since, such as its reduction, is still valid.
            if has_all_of(&target, &unfinished)? {
                remove(&unfinished)?
            } else {
                place_directory(&unfinished, &target)?
            }
            Ok(())
        };
        write().with_context(|| format!("writing the finding {}", target.display()))?;
        Ok(target)
    }

    fn fill(&self, directory: &Path) -> Result<()> {
        let put = |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes);
        put(file::FINDING, &self.finding.to_json()?)?;
        put(file::SEED, &self.numbered.seed.source)?;
        if let Some(variant) = self.variant {
            put(file::VARIANT, &variant.text)?;
            put(file::RECORD, &variant.record.to_json()?)?;
        }
        if self.finding.config.second.is_some() {
            let variant = self.variant.map(|variant| variant.text.as_slice());
            let text = variant.unwrap_or(&self.numbered.seed.source);
            let units = self.finding.config.both_files(text);
            put(file::UNITS, units.as_deref().unwrap_or(text))?;
        }
        for (name, text) in &self.headers.0 {
            // One that is named from a directory further up has no place here.
            if name
                .components()
                .filter(|one| *one == Component::ParentDir)
                .count()
                > 1
            {
                continue;
            }
            let path = directory.join(file::INCLUDE).join(name);
            fs::create_dir_all(path.parent().unwrap_or(directory))?;
            fs::write(path, text)?;
        }
        for (index, input) in self.numbered.seed.inputs.iter().enumerate() {
            if let Some(stdin) = &input.stdin {
                fs::copy(stdin, directory.join(input_name(index)))?;
            }
        }
        put(file::EXPECTED, &repro::shown(&self.finding.expected))?;
        let actual = match self.outcome {
            Outcome::Ran(actual) => repro::shown(actual),
            Outcome::Failed(failure) => failure.output.stderr.clone(),
        };
        put(file::ACTUAL, &actual)?;
        put(file::REPRO, repro::script(self.finding).as_bytes())?;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(directory.join(file::REPRO), executable)?;
        Ok(())
    }
}

/// Removes what a killed campaign left half-written.
pub(super) fn clean(campaign: &Path) -> Result<()> {
    let parents = [FINDINGS, SUSPICIONS].map(|which| fs::read_dir(campaign.join(which)));
    for entry in parents.into_iter().flatten().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            let path = entry.path();
            remove(&path).with_context(|| format!("removing {}", path.display()))?;
        }
    }
    Ok(())
}

fn input_name(index: usize) -> String {
    format!("input-{}.txt", index + 1)
}

/// The files of a rule `x: a.c b.h \` of make.
fn dependencies(rule: &[u8]) -> Vec<PathBuf> {
    let after = rule
        .iter()
        .position(|&byte| byte == b':')
        .map_or(0, |at| at + 1);
    let mut files = Vec::new();
    let mut name = Vec::new();
    let mut bytes = rule[after..].iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if matches!(bytes.peek(), Some(b' ' | b'#')) => name.extend(bytes.next()),
            // To make, a single one would begin a variable.
            b'$' if bytes.peek() == Some(&b'$') => name.extend(bytes.next()),
            b'\\' if bytes.peek() == Some(&b'\n') => {}
            b' ' | b'\n' => {
                if !name.is_empty() {
                    files.push(std::mem::take(&mut name));
                }
            }
            byte => name.push(byte),
        }
    }
    if !name.is_empty() {
        files.push(name);
    }
    let path = |name: Vec<u8>| PathBuf::from(std::ffi::OsStr::from_bytes(&name));
    files.into_iter().map(path).collect()
}

/// Options that name a directory of headers in the next word.
fn is_include_option(flag: &[u8]) -> bool {
    matches!(flag, b"-I" | b"-isystem" | b"-iquote" | b"-idirafter")
}

fn include_directories(flags: &[OsString]) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let bytes = flag.as_encoded_bytes();
        if is_include_option(bytes) {
            directories.extend(flags.next().map(PathBuf::from));
        } else if let Some(directory) = bytes.strip_prefix(b"-I") {
            directories.push(std::ffi::OsStr::from_bytes(directory).into());
        }
    }
    directories
}

fn without_include_directories(flags: &[OsString]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let bytes = flag.as_encoded_bytes();
        if is_include_option(bytes) {
            flags.next();
        } else if !bytes.starts_with(b"-I") {
            kept.push(flag.to_string_lossy().into_owned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let rule = b"x: a.c /usr/include/csmith/csmith.h \\\n  with\\ space.h b.h\n";
        assert_eq!(
            dependencies(rule),
            ["a.c", "/usr/include/csmith/csmith.h", "with space.h", "b.h"].map(PathBuf::from)
        );
        let odd = b"x: a$$(b).c c\\#.h\n";
        assert_eq!(dependencies(odd), ["a$(b).c", "c#.h"].map(PathBuf::from));
    }

    #[test]
    fn flags_lose_their_directories() {
        let flags = ["-DX", "-Ia", "-I", "b", "-isystem", "c", "-m32"].map(OsString::from);
        assert_eq!(without_include_directories(&flags), ["-DX", "-m32"]);
        assert_eq!(
            include_directories(&flags),
            ["a", "b", "c"].map(PathBuf::from)
        );
    }
}
