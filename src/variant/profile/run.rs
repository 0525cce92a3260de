//! The profiler: which compilers run a seed, and what to make of their records.

use super::compare::{difference, outside};
use super::instrument::{Instrumented, uses_our_names};
use super::layout::Caps;
use super::read::Record;
use super::sampling::{Choose, sampled};
use super::work::{NoProfile, Recorder, Work};
use super::{PointProfile, Profile};
use crate::error::{Refusal, SeedRefused};
use crate::lab::process::Purpose;
use crate::lab::toolchain::{Compiler, Config, Family, MOST_WANTED_STANDARD};
use crate::lab::{Behaviour, Lab, Patience, Way, first_difference, scratch};
use crate::source::program::{Program, StatementId};
use crate::source::seed::Seed;
use crate::source::seed::hash_source;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

const RUNTIME: &str = include_str!("../../../runtime/mestra_rt.c");

/// The same, compiled for this machine when Mestra was.
const NATIVE_RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mestra_rt.o"));

/// How a seed is profiled.
#[derive(Clone, Debug)]
pub struct ProfileOptions {
    /// The share of the points that record values; others only count visits.
    pub probability: f64,
    /// The master seed of the dice that choose those points.
    pub dice: u64,
    pub caps: Caps,
    /// How long one run of a seed may take.
    pub seed_timeout: Duration,
    /// How much address space one run may use, in bytes.
    pub seed_memory: u64,
}

impl Default for ProfileOptions {
    fn default() -> ProfileOptions {
        ProfileOptions {
            probability: 0.3,
            dice: 0,
            caps: Caps::default(),
            seed_timeout: Duration::from_secs(10),
            seed_memory: 4 << 30,
        }
    }
}

/// Profiles seeds with a fixed set of compilers. Usable from many threads.
#[derive(Debug)]
pub struct Profiler {
    pub(super) lab: Lab,
    compilers: Vec<Compiler>,
    pub(super) options: ProfileOptions,
    /// Compiled once for each compiler and the flags that matter to it.
    runtimes: Mutex<HashMap<RuntimeKey, Arc<PathBuf>>>,
    directory: TempDir,
    /// Asked for once.
    standard: OnceLock<Option<&'static str>>,
}

/// A compiler's path, and flags that choose target and sanitizers.
type RuntimeKey = (PathBuf, Vec<OsString>);

/// What one compiler's build of an instrumented seed did.
#[derive(Debug)]
pub struct Observation {
    /// One for each input.
    pub behaviours: Vec<Behaviour>,
    /// How long all runs together took.
    // Used by benches only.
    pub run_time: Duration,
    record: Record,
    instrumented: Instrumented,
}

impl Observation {
    /// Which of the given points show values that the profile does not predict.
    pub fn outside(&self, profile: &Profile, points: &[StatementId]) -> Vec<StatementId> {
        outside(profile, &self.instrumented, &self.record, points)
    }
}

impl Profiler {
    /// With the given compilers, of which the first leads: what it shows is what a
    /// seed does.
    pub fn new(lab: Lab, compilers: Vec<Compiler>, options: ProfileOptions) -> Result<Profiler> {
        ensure!(!compilers.is_empty(), "no compiler to profile with");
        let directory = scratch::directory().context("making a directory for profiles")?;
        Ok(Profiler {
            lab,
            compilers,
            options,
            runtimes: Mutex::default(),
            directory,
            standard: OnceLock::new(),
        })
    }

    /// The flag of the version of C that all its compilers know, for seeds that name none.
    pub fn standard(&self) -> Result<Option<&'static str>> {
        if let Some(standard) = self.standard.get() {
            return Ok(*standard);
        }
        let standard = self.lab.common_standard(&self.compilers)?;
        Ok(*self.standard.get_or_init(|| standard))
    }

    /// The flag that they most probably know, without asking: that takes a
    /// tenth of the time of ten variants. Who is refused with it must ask.
    pub(crate) fn likely_standard(&self) -> Option<&'static str> {
        let asked = self.standard.get().copied();
        asked.unwrap_or(Some(MOST_WANTED_STANDARD))
    }

    /// Runs the seed with all compilers on all inputs and merges what they record.
    ///
    /// # Errors
    /// [`SeedRefused`] if the seed does not compile, does not end in time, is
    /// nondeterministic, or behaves differently when observed or compiled by another.
    pub fn profile(&self, seed: &Seed, program: &Program) -> Result<Profile> {
        let choose = |visits: Option<&[u64]>| sampled(program, &self.options, visits);
        self.profile_chosen(seed, program, &choose)
    }

    /// The same with these points recording values.
    pub(crate) fn profile_at(
        &self,
        seed: &Seed,
        program: &Program,
        sampled: &[StatementId],
    ) -> Result<Profile> {
        let mut sampled = sampled.to_vec();
        sampled.sort_unstable();
        sampled.dedup();
        self.profile_chosen(seed, program, &|_| sampled.clone())
    }

    fn profile_chosen(
        &self,
        seed: &Seed,
        program: &Program,
        choose: &Choose<'_>,
    ) -> Result<Profile> {
        if uses_our_names(&seed.source) {
            let reason = "uses names that start with mestra__, which are reserved";
            return Err(SeedRefused::new(&seed.path, reason).into());
        }
        let work = Work::new(self, seed)?;
        match self.records(&work, program, choose) {
            Ok((taken, recorder)) => Ok(taken.merge(seed, &recorder.instrumented)),
            Err(NoProfile::Refused(reason)) => Err(SeedRefused::new(&seed.path, reason).into()),
            Err(NoProfile::Broken(error)) => Err(error),
        }
    }

    /// Asks every compiler of a family that knows `-fsyntax-only` whether it takes the whole
    /// seed: to profile it, compilers see only what tcc has reached.
    ///
    /// # Errors
    /// [`SeedRefused`] if one does not.
    pub fn check_whole(&self, seed: &Seed, family: Family) -> Result<()> {
        let work = Work::new(self, seed)?;
        let is_asked = |compiler: &&Compiler| compiler.family == family;
        let asked: Vec<&Compiler> = self.compilers.iter().filter(is_asked).collect();
        let checks = asked.par_iter().map(|compiler| work.check_syntax(compiler));
        match checks.collect::<Result<(), NoProfile>>() {
            Ok(()) => Ok(()),
            Err(NoProfile::Refused(reason)) => Err(SeedRefused::new(&seed.path, reason).into()),
            Err(NoProfile::Broken(error)) => Err(error),
        }
    }

    /// Builds the seed as a config does, recording at the points that the profile has
    /// values for, and runs it.
    ///
    /// # Errors
    /// [`SeedRefused`] if the compiler does not take it or a run does not end.
    pub fn observe(
        &self,
        seed: &Seed,
        program: &Program,
        profile: &Profile,
        config: &Config,
    ) -> Result<Observation> {
        let sampled: Vec<StatementId> = profile
            .points
            .iter()
            .filter(|point| point.sample.is_some())
            .map(|point| point.statement)
            .collect();
        let work = Work::new(self, seed)?;
        let recorder = Recorder::of_values(program, &sampled, self.options.caps);
        let way = Way::of(config, self.patience()).counted_as(Purpose::Profile);
        match work.observe(&recorder, &way) {
            Ok(observed) => Ok(Observation {
                behaviours: observed.behaviours,
                run_time: observed.run_time,
                record: observed.record,
                instrumented: recorder.instrumented,
            }),
            Err(NoProfile::Refused(reason)) => Err(SeedRefused::new(&seed.path, reason).into()),
            Err(NoProfile::Broken(error)) => Err(error),
        }
    }

    /// Builds and runs the plain seed and its instrumented form by every compiler.
    ///
    /// tcc takes a twentieth of the others' time. Where there is one it goes first and
    /// counts. A seed that does not end there is not given to the others; of any other,
    /// points that record are chosen among those it has reached, and only what it has
    /// reached is compiled: most of a Csmith program never is. Should others come to a
    /// statement that was left out, everything is done again without leaving any out.
    fn records(
        &self,
        work: &Work<'_>,
        program: &Program,
        choose: &Choose<'_>,
    ) -> Result<(Taken, Recorder), NoProfile> {
        let all: Vec<&Compiler> = self.compilers.iter().collect();
        let caps = self.options.caps;
        let scout = all.iter().find(|compiler| compiler.family == Family::Tcc);
        let Some(&scout) = scout else {
            let full = Recorder::new(program, &choose(None), caps);
            return Ok((self.compare(work, &full, None, &all)?, full));
        };
        let plain = match work.run_plain(scout) {
            Ok(plain) => Some(plain),
            Err(NoProfile::Refused(endless @ Refusal::DoesNotEnd { .. })) => {
                return Err(NoProfile::Refused(endless));
            }
            Err(_) => None,
        };
        let counter = Recorder::new(program, &[], caps);
        let Ok(counted) = work.observe(&counter, &self.way(scout)) else {
            let full = Recorder::new(program, &choose(None), caps);
            return Ok((self.compare_with(work, &full, plain, scout)?, full));
        };
        let sampled = choose(Some(&counted.record.visits));
        let narrow = counter.narrowed(program, &counted.record, &sampled);
        match self.compare_with(work, &narrow, plain.clone(), scout) {
            Ok(taken) if taken.behaviours == counted.behaviours && !taken.is_lost() => {
                Ok((taken, narrow))
            }
            Err(broken @ NoProfile::Broken(_)) => Err(broken),
            Ok(_) | Err(NoProfile::Refused(_)) => {
                let full = Recorder::new(program, &sampled, caps);
                Ok((self.compare_with(work, &full, plain, scout)?, full))
            }
        }
    }

    /// What all compilers record. The scout knows less of C than the others and has bugs
    /// of its own: unless it leads, it is a witness for its order of evaluation, not one
    /// whose word counts.
    fn compare_with(
        &self,
        work: &Work<'_>,
        recorder: &Recorder,
        plain: Option<Vec<Behaviour>>,
        scout: &Compiler,
    ) -> Result<Taken, NoProfile> {
        let all: Vec<&Compiler> = self.compilers.iter().collect();
        if all[0] == scout {
            return self.compare(work, recorder, plain, &all);
        }
        let others: Vec<&Compiler> = all.into_iter().filter(|c| *c != scout).collect();
        let (taken, witnessed) = rayon::join(
            || self.compare(work, recorder, plain, &others),
            || work.observe(recorder, &self.way(scout)),
        );
        let mut taken = taken?;
        if let Ok(witnessed) = witnessed
            && witnessed.behaviours == taken.behaviours
        {
            taken.compilers.push(scout.name.clone());
            taken.records.push(witnessed.record);
        }
        Ok(taken)
    }

    /// What the compilers record; they must agree with the first of them, and that
    /// with the seed when it is not observed, which some compiler may have shown.
    fn compare(
        &self,
        work: &Work<'_>,
        recorder: &Recorder,
        plain: Option<Vec<Behaviour>>,
        compilers: &[&Compiler],
    ) -> Result<Taken, NoProfile> {
        let lead = compilers[0];
        // First, since a seed that does not end needs no other build.
        let unobserved = plain.map_or_else(|| work.run_plain(lead), Ok)?;
        let observe = |compiler: &&Compiler| work.observe(recorder, &self.way(compiler));
        let observed: Vec<_> = compilers.par_iter().map(observe).collect();
        let mut observed = compilers.iter().zip(observed);
        let (_, first) = observed.next().expect("a profiler has a compiler");
        let first = first?;
        let led = first.behaviours;
        if unobserved != led && work.run_plain(lead)? != led {
            return Err(NoProfile::Refused(Refusal::ChangesWhenObserved {
                compiler: lead.name.clone(),
            }));
        }
        let mut names = vec![lead.name.clone()];
        let mut records = vec![first.record];
        for (compiler, observed) in observed {
            let observed = observed?;
            if observed.behaviours != led {
                let reason = if work.run_plain(compiler)? == observed.behaviours {
                    Refusal::CompilersDisagree {
                        one: lead.name.clone(),
                        other: compiler.name.clone(),
                        place: first_difference(&led, &observed.behaviours),
                    }
                } else {
                    Refusal::ChangesWhenObserved {
                        compiler: compiler.name.clone(),
                    }
                };
                return Err(NoProfile::Refused(reason));
            }
            names.push(compiler.name.clone());
            records.push(observed.record);
        }
        Ok(Taken {
            behaviours: led,
            compilers: names,
            records,
        })
    }

    /// The runtime compiled by a compiler, for the target and with the sanitizers that
    /// the flags choose.
    pub(super) fn runtime<'f>(
        &self,
        compiler: &Compiler,
        flags: impl Iterator<Item = &'f OsString>,
    ) -> Result<Arc<PathBuf>, NoProfile> {
        let target: Vec<OsString> = flags
            .filter(|flag| {
                let flag = flag.to_string_lossy();
                let flag = flag.as_ref();
                ["-m", "--target", "-fsanitize"]
                    .iter()
                    .any(|start| flag.starts_with(start))
            })
            .cloned()
            .collect();
        let key = (compiler.path.clone(), target);
        // Held while compiling: others want the same file.
        let mut runtimes = self
            .runtimes
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = runtimes.get(&key) {
            return Ok(Arc::clone(known));
        }
        let object = self
            .directory
            .path()
            .join(format!("runtime{}.o", runtimes.len()));
        let is_for_this_machine = key.1.is_empty();
        let is_built = if is_for_this_machine && compiler.is_native() {
            false
        } else {
            match self.build_runtime(compiler, &key.1, &object) {
                Ok(()) => true,
                // A compiler that knows too little of C to build it may still link it.
                Err(NoProfile::Refused(_)) if is_for_this_machine => false,
                Err(failed) => return Err(failed),
            }
        };
        if !is_built {
            fs::write(&object, NATIVE_RUNTIME).context("writing the runtime")?;
        }
        let object = Arc::new(object);
        runtimes.insert(key, Arc::clone(&object));
        Ok(object)
    }

    /// Builds the runtime by the compiler itself.
    fn build_runtime(
        &self,
        compiler: &Compiler,
        flags: &[OsString],
        object: &Path,
    ) -> Result<(), NoProfile> {
        let source = self.directory.path().join("mestra_rt.c");
        fs::write(&source, RUNTIME).context("writing the runtime")?;
        let optimised = [OsString::from("-O1")];
        let way = Way {
            flags: optimised.iter().chain(flags).cloned().collect(),
            ..self.way(compiler)
        };
        let (source, object) = (source.as_os_str(), object.as_os_str());
        let directory = self.directory.path();
        let built = self.lab.compile_file(directory, source, object, &way)?;
        built.map_err(|failure| {
            let (name, error) = (&compiler.name, failure.words());
            NoProfile::Refused(format!("{name} cannot build the runtime: {error}").into())
        })
    }

    /// How trusted compilers build and run a seed.
    pub(super) fn way(&self, compiler: &Compiler) -> Way {
        Way::plain(compiler.clone(), self.patience()).counted_as(Purpose::Profile)
    }

    fn patience(&self) -> Patience {
        Patience {
            run_memory: self.options.seed_memory,
            ..Patience::trusting(self.options.seed_timeout)
        }
    }
}

/// What all compilers recorded.
struct Taken {
    behaviours: Vec<Behaviour>,
    compilers: Vec<String>,
    records: Vec<Record>,
}

impl Taken {
    /// Whether control came to where a statement was left out.
    fn is_lost(&self) -> bool {
        self.records.iter().any(|record| record.is_lost)
    }

    fn merge(self, seed: &Seed, instrumented: &Instrumented) -> Profile {
        let records = &self.records;
        let mut samples = instrumented.samples.iter().enumerate().peekable();
        let points = instrumented.points.iter().enumerate();
        let points = points.map(|(number, &statement)| {
            let plan = samples.next_if(|(_, plan)| plan.point == number);
            let visits = records.iter().map(|record| record.visits[number]);
            PointProfile {
                statement,
                visits: visits.max().unwrap_or(0),
                sample: plan.map(|(index, plan)| records[0].samples[index].visible(plan)),
                order_sensitive: difference(number, plan, records),
            }
        });
        Profile {
            source_hash: hash_source(&seed.source),
            compilers: self.compilers,
            points: points.collect(),
            columns: instrumented.columns.clone(),
            objects: instrumented.objects.clone(),
            endings: self.behaviours.iter().map(|run| run.ending).collect(),
        }
    }
}
