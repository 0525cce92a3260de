//! Files with which schedulers run a campaign on many machines: Slurm, Kubernetes, HTCondor,
//! and make.
//!
//! All of them start the same script once for each shard, `shard.sh`, which knows how to begin,
//! resume, save and stop. The rest says how a scheduler is told. Nothing here talks to one.

use crate::hunt::campaign::plan::patience;
use crate::hunt::campaign::settings::Settings;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a campaign is to be divided, and where everything is.
#[derive(Clone, Debug)]
pub(crate) struct ClusterPlan {
    /// What jobs are called.
    pub name: String,
    /// The settings, as a file.
    pub plan: PathBuf,
    pub shards: u64,
    /// How many tasks there are; each works on several shards, one after the other, if
    /// there are fewer tasks than shards.
    pub tasks: u64,
    pub cpus: usize,
    /// The longest that a scheduler lets a task run.
    pub limit: Duration,
    /// When a shard ends by itself, if not with its seeds.
    pub time: Option<Duration>,
    pub sync_every: Duration,
    /// How many findings of a bucket are reduced, and for how long each.
    pub alike: usize,
    pub reduce_time: Duration,
    /// Storage that all machines see.
    pub shared: PathBuf,
    /// A directory of each machine, as a shell there expands it.
    pub local: String,
    /// Our own executable.
    pub mestra: PathBuf,
    pub image: String,
    pub claim: String,
}

/// A file as it lies in `scripts/cluster/`, with `@WORDS@` to be replaced.
struct JobFile {
    name: &'static str,
    text: &'static str,
    is_script: bool,
}

macro_rules! job_file {
    ($name:literal, $is_script:literal) => {
        JobFile {
            name: $name,
            text: include_str!(concat!("../../scripts/cluster/", $name)),
            is_script: $is_script,
        }
    };
}

const SHARD: JobFile = job_file!("shard.sh", true);
const FINISH: JobFile = job_file!("finish.sh", true);
const REPORT: JobFile = job_file!("report.sh", true);

const FILES: [JobFile; 11] = [
    SHARD,
    FINISH,
    REPORT,
    job_file!("reduce.sh", true),
    job_file!("slurm-submit.sh", true),
    job_file!("slurm-shards.sbatch", false),
    job_file!("slurm-finish.sbatch", false),
    job_file!("condor.sub", false),
    job_file!("make.mk", false),
    job_file!("kubernetes.yaml", false),
    job_file!("kubernetes-finish.yaml", false),
];

/// In containers, files are where the manifest mounts them.
const IN_CONTAINERS: [(&str, &str); 4] = [
    ("PLAN", "/plan/mestra.toml"),
    ("SHARED", "/shared"),
    ("LOCAL", "/local"),
    ("MESTRA", "mestra"),
];

/// Megabytes that a compiler takes as a rule, with the program that it makes.
const USUAL_MEMORY: u64 = 2048;

impl ClusterPlan {
    /// Writes all files into a directory and returns their names.
    pub(crate) fn write(&self, into: &Path) -> Result<Vec<&'static str>> {
        let settings = Settings::read(&self.plan)?;
        let words = self.words(&settings, into)?;
        for file in &FILES {
            let path = into.join(file.name);
            let text = filled(file.text, &words);
            let mode = if file.is_script { 0o755 } else { 0o644 };
            fs::write(&path, text)
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(mode)))
                .with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(FILES.iter().map(|file| file.name).collect())
    }

    fn words(&self, settings: &Settings, into: &Path) -> Result<Vec<(&'static str, String)>> {
        let (into, shared) = (whole_name(into)?, whole_name(&self.shared)?);
        let time = self
            .time
            .map_or_else(String::new, |time| format!(" --time {}s", time.as_secs()));
        let mut words = vec![
            ("NAME", self.name.clone()),
            ("SHARDS", self.shards.to_string()),
            ("TASKS", self.tasks.to_string()),
            ("CPUS", self.cpus.to_string()),
            ("MEMORY", self.memory(settings).to_string()),
            ("MINUTES", self.limit.as_secs().div_ceil(60).to_string()),
            ("TIME", time),
            ("EVERY", format!("{}s", self.sync_every.as_secs())),
            ("ALIKE", self.alike.to_string()),
            ("REDUCE", format!("{}s", self.reduce_time.as_secs())),
            ("RETRIES", (3 * self.shards).to_string()),
            ("IMAGE", self.image.clone()),
            ("CLAIM", self.claim.clone()),
            ("HERE", into),
            ("DIRECTORY", whole_name(Path::new("."))?),
        ];
        let text = fs::read_to_string(&self.plan)
            .with_context(|| format!("reading {}", self.plan.display()))?;
        let in_containers = IN_CONTAINERS.map(|(word, value)| (word, value.to_owned()));
        let contained: Vec<_> = words.iter().cloned().chain(in_containers).collect();
        let embedded = |file: &JobFile| indented(&filled(file.text, &contained));
        words.extend([
            ("PLAN_TEXT", indented(&text)),
            ("SHARD_TEXT", embedded(&SHARD)),
            ("FINISH_TEXT", embedded(&FINISH)),
            ("REPORT_TEXT", embedded(&REPORT)),
            ("PLAN", whole_name(&self.plan)?),
            ("SHARED", shared),
            ("LOCAL", self.local.clone()),
            ("MESTRA", whole_name(&self.mestra)?),
        ]);
        Ok(words)
    }

    /// Megabytes for a task: one compiler at its limit beside the others at work.
    fn memory(&self, settings: &Settings) -> u64 {
        USUAL_MEMORY * self.cpus as u64 + (patience(settings).compile_memory >> 20)
    }
}

/// The absolute name of a file, which goes between double quotes in a shell.
fn whole_name(path: &Path) -> Result<String> {
    let whole = std::path::absolute(path)?;
    let name = whole.to_str().context("a name is not valid UTF-8")?;
    ensure!(
        !name.contains(['"', '$', '`', '\\', '\n', '@']),
        "{name} has a character that scripts cannot hold"
    );
    Ok(name.strip_suffix("/.").unwrap_or(name).to_owned())
}

fn filled(text: &str, words: &[(&str, String)]) -> String {
    words.iter().fold(text.to_owned(), |text, (word, value)| {
        text.replace(&format!("@{word}@"), value)
    })
}

/// As a block of YAML, below a key that is indented by two.
fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| match line {
        "" => String::new(),
        line => format!("    {line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}
