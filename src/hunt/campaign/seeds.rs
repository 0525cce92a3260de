//! Where a campaign's seeds come from: files, databases of compile commands, Csmith, any
//! command, our own generator.
//!
//! Seeds are numbered from 1: files first, in order, then generated ones. A generated
//! seed depends only on its number and the master seed.

mod command;
mod csmith;
mod database;
mod files;
mod joined;

pub(super) use command::absolute;

use super::settings::{Schedule, Settings};
use super::store::Header;
use crate::dice::{self, Dice, Draw};
use crate::error::{SeedRefused, ToolMissing};
use crate::lab::process::Ending;
use crate::lab::toolchain::Compiler;
use crate::lab::{Behaviour, Lab, scratch};
use crate::source::seed::{Input, Seed};
use crate::variant::enumerate::Instance;
use crate::variant::generate::{
    Feature, GenerateRequest, GeneratedProgram, ProgramMode, generate, generate_again,
};
use anyhow::{Context, Result, ensure};
use files::{SeedFile, collect};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Turns in which other generators than our own have one, if time is spread: testing what they
/// make costs far more.
const ROUND: usize = 8;
/// Bytes of programs of snippets.
const SNIPPETS: RangeInclusive<u32> = 10_000..=40_000;
/// The ways in which our own generator writes programs, and how many turns of [`MODES`] each
/// has.
const OWN_MODES: [(Option<ProgramMode>, u32); 3] = [
    (Some(ProgramMode::Snippets), 10),
    (Some(ProgramMode::Orange), 1),
    (Some(ProgramMode::Mixed), 9),
];
const MODES: u32 = 20;
/// The seeds of our own generator, by name.
pub(super) const OWN: &str = "own";

/// All seeds of a campaign.
#[derive(Clone, Debug)]
pub struct Seeds {
    lab: Lab,
    files: Vec<SeedFile>,
    /// They take turns, as the schedule says.
    generators: Vec<Generator>,
    schedule: Schedule,
    /// How many are generated; unlimited if `None`.
    count: Option<u64>,
    dice: u64,
    flags: Vec<OsString>,
    /// The flag of the version of C that a seed gets if it names none.
    standard: Option<String>,
    /// What each of the compilers under test lacks of [`Feature::OPTIONAL`].
    lacking: Vec<Vec<Feature>>,
    /// What all own programs are to be like.
    own: GenerateRequest,
    /// Of own programs; drawn for each if `None`.
    mode: Option<ProgramMode>,
}

#[derive(Clone, Debug)]
enum Generator {
    Csmith(PathBuf),
    /// The words of a command, with `{seed}` for the number and perhaps `{dir}` for a
    /// directory that it fills.
    Command(Vec<String>),
    /// Programs of our own, made in this process.
    Own,
}

/// One of the generators, and how it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SeedSource {
    generator: usize,
    /// Of our own generator.
    mode: Option<ProgramMode>,
}

/// A seed with its number and origin.
#[derive(Debug)]
pub struct Numbered {
    pub number: u64,
    pub seed: Seed,
    /// The file, or the command that made it.
    pub origin: String,
    /// What it does, if that was known before any compiler saw it.
    pub(super) predicted: Option<Behaviour>,
    /// Holds a generated seed.
    directory: Option<Arc<TempDir>>,
    /// Whether it is a program of another seed's skeleton.
    pub(super) is_instance: bool,
    /// What it may have of [`Feature::OPTIONAL`], if it is one of our own.
    pub(super) features: Vec<Feature>,
}

impl Numbered {
    /// Whether it was made for this campaign and is not a file of the user's.
    pub(super) fn is_generated(&self) -> bool {
        self.directory.is_some()
    }

    /// The same under another number.
    pub(super) fn with_number(self, number: u64) -> Numbered {
        Numbered { number, ..self }
    }

    /// A program of its skeleton in its place.
    pub(super) fn with_instance(&self, number: u64, instance: &Instance) -> Numbered {
        Numbered {
            number,
            seed: instance.seed.clone(),
            origin: format!("rank {} of {}", instance.record.rank, self.origin),
            predicted: None,
            directory: self.directory.clone(),
            is_instance: true,
            features: self.features.clone(),
        }
    }

    /// The name of the seed's file.
    pub(crate) fn name(&self) -> String {
        let name = self.seed.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

impl Seeds {
    /// Interprets the settings; directories and lists are read now.
    pub fn new(lab: &Lab, settings: &Settings) -> Result<Seeds> {
        let default = match settings.seed_command {
            Some(_) => vec![],
            None => vec!["csmith".to_owned()],
        };
        let mut files = Vec::new();
        let mut generators = Vec::new();
        for what in settings.seeds.as_ref().unwrap_or(&default) {
            if what == "csmith" {
                generators.push(csmith(settings.csmith.as_deref())?);
            } else if what == OWN {
                generators.push(Generator::Own);
            } else {
                collect(Path::new(what), &mut files)?;
            }
        }
        if let Some(command) = &settings.seed_command {
            ensure!(
                generators.is_empty(),
                "--seeds csmith and --seeds own cannot be combined with --seed-command"
            );
            let words = shlex::split(command).filter(|words| !words.is_empty());
            let words = words.with_context(|| format!("{command}: unbalanced quotes"))?;
            ensure!(
                words.iter().any(|word| word.contains("{seed}")),
                "the seed command does not contain {{seed}}, which stands for the number"
            );
            generators.push(Generator::Command(words));
        }
        ensure!(
            !generators.is_empty() || !files.is_empty(),
            "no C files found in --seeds {}",
            settings
                .seeds
                .iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
                .join(", ")
        );
        Ok(Seeds {
            lab: lab.clone(),
            files,
            count: if generators.is_empty() {
                Some(0)
            } else {
                settings.count
            },
            generators,
            schedule: settings.schedule(),
            dice: settings.dice(),
            standard: None,
            lacking: vec![Feature::OPTIONAL.into()],
            own: GenerateRequest {
                features: settings.features.clone().unwrap_or_default(),
                without: settings.without.clone().unwrap_or_default(),
                ..GenerateRequest::default()
            },
            mode: settings.mode,
            flags: settings
                .flags
                .iter()
                .flatten()
                .map(OsString::from)
                .collect(),
        })
    }

    /// Whether all generators can be started.
    ///
    /// # Errors
    /// If one cannot.
    pub(super) fn check_commands(&self) -> Result<(), ToolMissing> {
        for generator in &self.generators {
            if let Generator::Command(words) = generator {
                command::check(&words[0])?;
            }
        }
        Ok(())
    }

    /// The paths of the settings in which there is no seed: probably a mistake.
    pub(super) fn without_any(settings: &Settings) -> Result<Vec<&str>> {
        let mut empty = Vec::new();
        for what in settings.seeds.iter().flatten() {
            let mut files = Vec::new();
            if what != "csmith" && what != OWN {
                collect(Path::new(what), &mut files)?;
                if files.is_empty() {
                    empty.push(what.as_str());
                }
            }
        }
        Ok(empty)
    }

    /// With the flag of a version of C for seeds that name none.
    pub(super) fn with_standard(self, flag: Option<&str>) -> Seeds {
        Seeds {
            standard: flag.map(str::to_owned),
            ..self
        }
    }

    /// Each own program has what one of the campaign's compilers has.
    pub(super) fn with_features(mut self, header: &Header) -> Seeds {
        let mut seen = BTreeSet::new();
        let each = header.configs.iter().zip(&header.lacks);
        let each = each.filter(|(config, lacks)| seen.insert((&config.compiler.path, *lacks)));
        let lacking: Vec<Vec<Feature>> = each.map(|(_, lacks)| lacks.clone()).collect();
        if !lacking.is_empty() {
            self.lacking = lacking;
        }
        self
    }

    /// How many seeds there are; unlimited if `None`.
    pub(crate) fn total(&self) -> Option<u64> {
        self.count.map(|count| self.files.len() as u64 + count)
    }

    /// Reads or makes a seed.
    ///
    /// # Errors
    /// [`SeedRefused`] if the file or the generated program cannot be used.
    pub fn get(&self, number: u64) -> Result<Numbered> {
        self.get_from(number, None)
    }

    /// The same, from one of [`Seeds::sources`] unless the seed is a file.
    pub(super) fn get_from(&self, number: u64, source: Option<SeedSource>) -> Result<Numbered> {
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        if let Some(SeedFile { path, flags }) = self.files.get(index) {
            let seed = self.read(path, flags)?;
            return Ok(Numbered {
                number,
                predicted: prediction(&seed),
                seed,
                origin: path.display().to_string(),
                directory: None,
                is_instance: false,
                features: Vec::new(),
            });
        }
        ensure!(!self.generators.is_empty(), "the seed does not exist");
        let generator = match source {
            Some(source) => &self.generators[source.generator],
            None => self.generator(index),
        };
        match generator {
            Generator::Own => self.own(number, source.and_then(|source| source.mode)),
            Generator::Csmith(program) => {
                let (options, seed) = csmith::options(&mut self.rng(number));
                let mut words = vec![program.display().to_string()];
                words.extend(options);
                words.extend(["--seed".to_owned(), seed]);
                self.by_command("csmith", number, &words)
            }
            Generator::Command(words) => {
                let seed = seed_number(&mut self.rng(number)).to_string();
                let words = words.iter().map(|word| word.replace("{seed}", &seed));
                self.by_command("seed", number, &words.collect::<Vec<_>>())
            }
        }
    }

    /// Whatever makes seeds, each way of our own generator by itself, and how often each has
    /// its turn if time is spread.
    pub(super) fn sources(&self) -> Vec<(SeedSource, f64)> {
        let is_own = |generator: &Generator| matches!(generator, Generator::Own);
        let others = self.generators.iter().filter(|g| !is_own(g)).count();
        let has_own = others < self.generators.len();
        let round = ROUND as f64;
        let mut sources = Vec::new();
        for (place, generator) in self.generators.iter().enumerate() {
            let chance = match (is_own(generator), has_own) {
                (true, _) if others == 0 => 1.0,
                (true, _) => (round - 1.0) / round,
                (false, true) => 1.0 / round / others as f64,
                (false, false) => 1.0 / others as f64,
            };
            let modes = if is_own(generator) {
                &OWN_MODES[..]
            } else {
                &[(None, MODES)]
            };
            for (mode, of_modes) in modes {
                let source = SeedSource {
                    generator: place,
                    mode: *mode,
                };
                sources.push((source, chance * f64::from(*of_modes) / f64::from(MODES)));
            }
        }
        sources
    }

    /// Whose turn it is.
    fn generator(&self, index: usize) -> &Generator {
        let is_own = |generator: &&Generator| matches!(generator, Generator::Own);
        let own = self.generators.iter().find(is_own);
        let others: Vec<&Generator> = self.generators.iter().filter(|g| !is_own(g)).collect();
        match own {
            Some(own) if self.schedule == Schedule::Spread && !others.is_empty() => {
                if index.is_multiple_of(ROUND) {
                    others[index / ROUND % others.len()]
                } else {
                    own
                }
            }
            _ => &self.generators[index % self.generators.len()],
        }
    }

    fn rng(&self, number: u64) -> Dice {
        dice::generator(self.dice, number, Draw::Seed)
    }

    /// A program of our own.
    fn own(&self, number: u64, mode: Option<ProgramMode>) -> Result<Numbered> {
        let mut dice = self.rng(number);
        let own_number = seed_number(&mut dice);
        let (request, features) = self.own_request(&mut dice, mode);
        let program = generate(&request, own_number);
        let directory = scratch::directory().context("making a directory for a seed")?;
        let path = directory.path().join(format!("own{number}.c"));
        fs::write(&path, &program.text).context("writing a seed")?;
        Ok(Numbered {
            number,
            seed: self.read(&path, &[])?,
            origin: request.title(own_number),
            predicted: Some(behaviour(program)),
            directory: Some(Arc::new(directory)),
            is_instance: false,
            features,
        })
    }

    /// What a program of our own is to be like, and what it may have of [`Feature::OPTIONAL`]:
    /// half of them consist of snippets, which are cheap and cover most ground, a few of long
    /// expressions, unless settings want one form. Each is written for one of the compilers, with
    /// all that this one has.
    fn own_request(
        &self,
        dice: &mut Dice,
        mode: Option<ProgramMode>,
    ) -> (GenerateRequest, Vec<Feature>) {
        let mut request = self.own.clone();
        let mut turn = dice.random_range(0..MODES);
        let mut modes = OWN_MODES.iter().filter(|(_, turns)| {
            let is_its_own = turn < *turns;
            turn = turn.saturating_sub(*turns);
            is_its_own
        });
        let drawn = modes.next().and_then(|(mode, _)| *mode);
        if let Some(mode) = self.mode.or(mode).or(drawn) {
            request.mode = mode;
        }
        if request.mode == ProgramMode::Snippets {
            request.size = SNIPPETS;
        }
        let lacks = self.lacking.choose(dice).map_or(&[][..], Vec::as_slice);
        let has = Feature::OPTIONAL.iter().copied();
        let has = has.filter(|feature| !lacks.contains(feature));
        (request.without_optional(lacks), has.collect())
    }

    /// Reads a seed with flags of its own, then those of the campaign.
    fn read(&self, path: &Path, own: &[OsString]) -> Result<Seed, SeedRefused> {
        let flags: Vec<OsString> = own.iter().chain(&self.flags).cloned().collect();
        let mut seed = Seed::read(path, &flags)?;
        seed.set_standard(self.standard.as_deref());
        Ok(seed)
    }
}

/// What a seed must do that is a program of our own, wherever it comes from: made again, it is the
/// same to the last byte, and it is given nothing that it was not written for.
fn prediction(seed: &Seed) -> Option<Behaviour> {
    let is_standard = |flag: &OsString| flag.as_encoded_bytes().starts_with(b"-std=");
    let is_plain = seed.inputs == [Input::default()] && seed.flags.iter().all(is_standard);
    let (_, _, program) = is_plain.then(|| generate_again(&seed.source)).flatten()?;
    Some(behaviour(program))
}

fn behaviour(program: GeneratedProgram) -> Behaviour {
    Behaviour {
        ending: Ending::Exited(0),
        stdout: program.output.into(),
        stderr: Vec::new(),
    }
}

fn csmith(name: Option<&str>) -> Result<Generator, ToolMissing> {
    let found = Compiler::find(name.unwrap_or("csmith"));
    let program = found.map_err(|_| ToolMissing {
        what: "csmith was not found".into(),
        remedy: "install it, or choose other seeds with --seeds".into(),
    })?;
    Ok(Generator::Csmith(program.path))
}

/// Csmith and others take 32 bits, some of them signed.
fn seed_number(rng: &mut impl Rng) -> u64 {
    rng.random_range(1..=i32::MAX) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::fake;
    use crate::lab::toolchain::{Config, Family};
    use crate::source::seed::NO_SEED;

    fn settings(text: &str) -> Settings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn programs_of_our_own_come_seven_times_as_often_unless_all_take_turns() {
        let owns = |schedule: &str| {
            let text = format!("seeds = [\"csmith\", \"own\"]\nschedule = \"{schedule}\"");
            let seeds = Seeds::new(&Lab::default(), &settings(&text)).unwrap();
            let is_own = |index: &usize| matches!(seeds.generator(*index), Generator::Own);
            (0..16).filter(is_own).count()
        };
        assert_eq!((owns("spread"), owns("fixed")), (14, 8));
    }

    #[test]
    fn a_file_that_the_generator_made_does_what_was_predicted_until_it_is_changed() {
        let request = GenerateRequest {
            size: 2_000..=4_000,
            ..GenerateRequest::default()
        };
        let program = generate(&request, 5);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("own.c");
        let predicted = |text: &str, flags: &[&str]| {
            fs::write(&path, text).unwrap();
            let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
            prediction(&Seed::read(&path, &flags).unwrap()).map(|known| known.stdout)
        };
        let known = Some(program.output.clone().into_bytes());
        assert_eq!(predicted(&program.text, &["-std=gnu17"]), known);
        assert_eq!(predicted(&program.text, &["-m32"]), None);
        let changed = program.text.replacen("return 0", "return  0", 1);
        assert_ne!(changed, program.text);
        assert_eq!(predicted(&changed, &[]), None);
        let told = format!("{}// mestra-args: x\n", program.text);
        assert_eq!(predicted(&told, &[]), None);
    }

    #[test]
    fn each_program_of_our_own_has_what_one_of_the_compilers_has() {
        let compiler = |name: &str| Config::new(fake::compiler(name, Family::Gcc), &["-O2"]);
        let with = |lacks: &[&[Feature]]| {
            let header = Header {
                configs: (0..)
                    .zip(lacks)
                    .map(|(n, _)| compiler(&format!("cc{n}")))
                    .collect(),
                lacks: lacks.iter().map(|lacks| lacks.to_vec()).collect(),
                ..Header::default()
            };
            let seeds = Seeds::new(&Lab::default(), &settings("seeds = [\"own\"]")).unwrap();
            let seeds = seeds.with_features(&header);
            let requests = (1..=40).map(|number| seeds.own_request(&mut seeds.rng(number), None));
            requests.collect::<Vec<_>>()
        };
        let is_full = |(request, features): &(GenerateRequest, Vec<Feature>)| {
            let is_full = request.without.is_empty();
            assert_eq!(is_full, !request.with.is_empty());
            assert_eq!(features.len(), if is_full { 4 } else { 0 });
            is_full
        };
        let mixed = with(&[&[], &Feature::OPTIONAL]);
        let full = mixed.iter().filter(|request| is_full(request)).count();
        assert!((10..=30).contains(&full), "{full} of 40");
        assert!(with(&[&[]]).iter().all(is_full));
        assert!(!with(&[&Feature::OPTIONAL]).iter().any(is_full));

        let [(request, features)] = &with(&[&[Feature::Int128, Feature::Ieee]])[..1] else {
            panic!("there are forty");
        };
        assert_eq!(request.without, [Feature::Int128]);
        assert_eq!(request.with, [Feature::BitInt]);
        assert_eq!(features, &[Feature::Vector, Feature::BitInt]);
    }

    #[test]
    fn programs_of_our_own_are_as_settings_want_them() {
        let text = "seeds = [\"own\"]\nmode = \"snippets\"\nfeatures = [\"loops\", \"vector\"]";
        let mut seeds = Seeds::new(&Lab::default(), &settings(text)).unwrap();
        let (request, _) = seeds.own_request(&mut seeds.rng(1), Some(ProgramMode::Orange));
        assert_eq!(request.mode, ProgramMode::Snippets);
        assert_eq!(request.features, [Feature::Loops]);
        seeds.lacking = vec![vec![]];
        let (request, _) = seeds.own_request(&mut seeds.rng(1), None);
        assert_eq!(request.features, [Feature::Loops, Feature::Vector]);
        assert_eq!((request.with, request.without), (vec![], vec![]));

        let text = "seeds = [\"own\"]\nwithout = [\"gotos\", \"vector\"]";
        let seeds = Seeds::new(&Lab::default(), &settings(text)).unwrap();
        let (request, _) = seeds.own_request(&mut seeds.rng(1), None);
        let mut without = request.without;
        without.sort();
        assert!(without.contains(&Feature::Gotos));
        assert!(
            without.is_sorted_by(|one, other| one < other),
            "{without:?}"
        );
    }

    #[test]
    fn a_generated_seed_depends_on_its_number_and_the_master_seed() {
        let seeds = |dice: u64| {
            let text = format!("seeds = [\"csmith\"]\ncount = 3\nseed = {dice}");
            Seeds::new(&Lab::default(), &settings(&text)).unwrap()
        };
        let text = |seeds: &Seeds, number| seeds.get(number).unwrap().seed.source;
        assert_eq!(text(&seeds(1), 2), text(&seeds(1), 2));
        assert_ne!(text(&seeds(1), 2), text(&seeds(1), 3));
        assert_ne!(text(&seeds(1), 2), text(&seeds(2), 2));
        assert_eq!(seeds(1).total(), Some(3));
        let made = seeds(1).get(1).unwrap();
        assert!(
            made.origin.contains("--no-packed-struct"),
            "{}",
            made.origin
        );
        assert_eq!(made.seed.path.file_name().unwrap(), "csmith1.c");
    }

    #[test]
    fn files_that_a_command_writes_are_one_seed() {
        let directory = tempfile::tempdir().unwrap();
        let maker = directory.path().join("maker.sh");
        let script = "cd \"$2\"\necho 'int f(void);' >f.h\n\
                      printf '#include \"f.h\"\\nint f(void) { return %s; }\\n' $1 >a.c\n\
                      printf '#include \"f.h\"\\nint main(void) { return f(); }\\n' >b.c\n";
        fs::write(&maker, script).unwrap();
        let command = format!("sh {} {{seed}} {{dir}}", maker.display());
        let text = format!("seed-command = {command:?}\ncount = 1");
        let made = Seeds::new(&Lab::default(), &settings(&text))
            .unwrap()
            .get(1)
            .unwrap();
        let text = String::from_utf8_lossy(&made.seed.source);
        assert!(
            text.contains("int f(void) { return ") && text.contains("return f()"),
            "{text}"
        );
        assert!(made.origin.contains("{dir}"), "{}", made.origin);
        assert!(made.seed.path.with_file_name("f.h").is_file());

        let empty = settings("seed-command = \"echo {seed} {dir}\"");
        let error = Seeds::new(&Lab::default(), &empty)
            .unwrap()
            .get(1)
            .unwrap_err();
        assert!(error.to_string().contains("no C file"), "{error}");
    }

    #[test]
    fn files_come_first_in_order_and_a_list_names_them() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["b.c", "a.c", "c.i", "note.txt"] {
            fs::write(directory.path().join(name), "int main(void){}\n").unwrap();
        }
        let list = directory.path().join("list.txt");
        fs::write(&list, "# these\nb.c\n\n").unwrap();
        let text = format!(
            "seeds = [{:?}, {list:?}]\nseed-command = \"echo 'int main(void){{return {{seed}};}}'\"",
            directory.path()
        );
        let seeds = Seeds::new(&Lab::default(), &settings(&text)).unwrap();
        let name = |number| {
            let seed = seeds.get(number).unwrap().seed;
            seed.path.file_name().unwrap().to_str().unwrap().to_owned()
        };
        let expected = ["a.c", "b.c", "c.i", "b.c", "seed5.c"];
        assert_eq!([1, 2, 3, 4, 5].map(name), expected);
        assert_eq!(seeds.total(), None);
    }

    #[test]
    fn a_preprocessed_program_is_a_seed_and_no_list() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("p.i");
        fs::write(&path, "typedef long size;\nint main(void){}\n").unwrap();
        let seeds = Seeds::new(&Lab::default(), &settings(&format!("seeds = [{path:?}]"))).unwrap();
        assert_eq!(seeds.total(), Some(1));
    }

    #[test]
    fn a_file_that_names_no_seeds_is_refused_with_what_seeds_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("r.cpp");
        for text in ["int main() {}\n", "r.cpp\n"] {
            fs::write(&path, text).unwrap();
            let error =
                Seeds::new(&Lab::default(), &settings(&format!("seeds = [{path:?}]"))).unwrap_err();
            assert!(error.to_string().contains(NO_SEED), "{error}");
        }
    }

    #[test]
    fn paths_without_seeds_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let (empty, full) = (
            directory.path().join("empty"),
            directory.path().join("full"),
        );
        for path in [&empty, &full] {
            fs::create_dir(path).unwrap();
        }
        fs::write(full.join("a.c"), "int main(void){}\n").unwrap();
        let both = settings(&format!("seeds = [{empty:?}, {full:?}, \"own\"]"));
        let named = Seeds::without_any(&both).unwrap();
        assert_eq!(named, [empty.to_str().unwrap()]);
        let error = Seeds::new(&Lab::default(), &settings(&format!("seeds = [{empty:?}]")));
        let error = error.unwrap_err().to_string();
        assert!(error.ends_with(empty.to_str().unwrap()), "{error}");
    }

    #[test]
    fn seeds_that_cannot_be_are_refused() {
        for wrong in [
            "seeds = [\"/no/such/place\"]",
            "seeds = []",
            "seed-command = \"echo no number\"",
            "csmith = \"no-such-csmith\"",
        ] {
            assert!(
                Seeds::new(&Lab::default(), &settings(wrong)).is_err(),
                "{wrong}"
            );
        }
        let typo = settings("seed-command = \"no-such-generator {seed}\"");
        let typo = Seeds::new(&Lab::default(), &typo).unwrap();
        assert!(typo.check_commands().is_err());
        let failing = Seeds::new(
            &Lab::default(),
            &settings("seed-command = \"false {seed}\""),
        )
        .unwrap();
        let error = failing.get(1).unwrap_err();
        assert!(error.is::<SeedRefused>(), "{error:#}");
    }
}
