//! The findings of a campaign tried with another version of the compiler.

use crate::hunt::bucket::{BucketEntry, DamagedFinding, family, place};
use crate::hunt::campaign::judge::Judge;
use crate::hunt::defects::{Retest, RetestOutcome, expect_campaign, sightings};
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{REDUCED, reduced_file};
use crate::lab::toolchain::{Compiler, Config};
use crate::lab::{Expectation, Lab, Stage};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// All defects of a campaign under another compiler.
#[derive(Clone, Debug, Serialize)]
pub struct Retested {
    pub compiler: String,
    pub version: String,
    pub defects: Vec<RetestedDefect>,
    /// Findings that could not be read, and so not tried.
    pub damaged: Vec<DamagedFinding>,
}

/// What became of a defect: of its findings, that which is worst.
#[derive(Clone, Debug, Serialize)]
pub struct RetestedDefect {
    pub name: String,
    pub title: String,
    pub outcome: RetestOutcome,
    pub findings: Vec<RetestedFinding>,
}

/// What became of one finding.
#[derive(Clone, Debug, Serialize)]
pub struct RetestedFinding {
    pub id: String,
    pub outcome: RetestOutcome,
    /// How it fails otherwise, or why it cannot be built.
    pub reason: Option<String>,
}

/// Tries every finding of the compiler's family, on all cores, and keeps what came of it
/// with the campaign's defects.
///
/// # Errors
/// If the compiler cannot be asked, or the campaign cannot be read or written.
pub fn retest(lab: &Lab, campaign: &Path, compiler: &Compiler) -> Result<Retested> {
    expect_campaign(campaign)?;
    let version = lab.version(compiler)?;
    let mut sighted = sightings(campaign, &[])?;
    let own = family(compiler);
    let entries = sighted.seen.iter().flat_map(|(bucket, _)| &bucket.entries);
    let mut families = entries.map(|entry| entry.fingerprint.family.as_str());
    ensure!(
        sighted.seen.is_empty() || families.any(|family| family == own),
        "{} has no findings of {own}: name another version of a compiler that it tested",
        campaign.display()
    );
    let mut defects = Vec::new();
    for (bucket, defect) in &mut sighted.seen {
        let of_family = |entry: &&BucketEntry| entry.fingerprint.family == own;
        let entries: Vec<&BucketEntry> = bucket.entries.iter().filter(of_family).collect();
        let findings = entries.into_par_iter();
        let findings = findings.map(|entry| retest_one(lab, entry, compiler, &version));
        let findings: Vec<RetestedFinding> = findings.collect::<Result<_>>()?;
        let Some(outcome) = findings.iter().map(|finding| finding.outcome).max() else {
            continue;
        };
        // Of one compiler, the last word counts.
        let is_other =
            |retest: &Retest| retest.version != version || retest.compiler != compiler.name;
        defect.retests.retain(is_other);
        defect.retests.push(Retest {
            compiler: compiler.name.clone(),
            version: version.clone(),
            outcome,
        });
        defects.push(RetestedDefect {
            name: defect.known_as.name.clone(),
            title: defect.title.clone(),
            outcome,
            findings,
        });
    }
    let damaged = std::mem::take(&mut sighted.damaged);
    sighted.into_defects().write(campaign)?;
    Ok(Retested {
        damaged,
        compiler: compiler.name.clone(),
        version,
        defects,
    })
}

/// What another compiler makes of a finding.
pub(crate) fn retest_one(
    lab: &Lab,
    entry: &BucketEntry,
    compiler: &Compiler,
    version: &str,
) -> Result<RetestedFinding> {
    // The small program is quicker, and certainly of this defect.
    let (finding, program) = match &entry.reduced {
        Some(reduced) => {
            let path = entry.directory.join(REDUCED).join(reduced_file::PROGRAM);
            let text = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            (&reduced.finding, text)
        }
        None => (&entry.finding, entry.finding.program(&entry.directory)?),
    };
    let config = Config {
        compiler: compiler.clone(),
        version: version.to_owned(),
        ..finding.config.clone()
    };
    let seed = finding.seed(&entry.directory)?;
    let stage = Stage::new(&seed)?;
    let judge = Judge {
        config: &config,
        ..Judge::of_finding(lab, finding, &stage)
    };
    let is_of_a_run = finding.verdict.kind.is_of_a_run();
    let expected = if is_of_a_run {
        finding.expectation()
    } else {
        Expectation::nothing()
    };
    let verdict = judge.judge(&program, &expected)?;
    let outcome = outcome(&finding.verdict, &verdict);
    let is_telling = matches!(
        outcome,
        RetestOutcome::OtherFailure | RetestOutcome::CannotBuild
    );
    Ok(RetestedFinding {
        id: entry.finding.id.clone(),
        outcome,
        reason: is_telling.then(|| verdict.to_string()),
    })
}

/// What another version's verdict says of a failure.
fn outcome(found: &Verdict, now: &Verdict) -> RetestOutcome {
    match now.kind {
        VerdictKind::Same => RetestOutcome::Fixed,
        // Another assertion is another failure.
        VerdictKind::CompilerCrash if place(&now.signature) != place(&found.signature) => {
            RetestOutcome::OtherFailure
        }
        kind if kind == found.kind => RetestOutcome::StillFails,
        // Wrong code shows in many ways.
        kind if kind.is_of_a_run() && found.kind.is_of_a_run() => RetestOutcome::StillFails,
        // A compiler that fails is not asked what its programs do.
        kind if kind.is_of_a_run() => RetestOutcome::Fixed,
        VerdictKind::Rejected => RetestOutcome::CannotBuild,
        _ => RetestOutcome::OtherFailure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_verdicts_has_an_outcome() {
        use RetestOutcome::{CannotBuild, Fixed, OtherFailure, StillFails};
        let of = |found, now| outcome(&Verdict::new(found, ""), &Verdict::new(now, ""));
        let wrong = VerdictKind::WrongOutput;
        for (now, expected) in [
            (VerdictKind::Same, Fixed),
            (wrong, StillFails),
            (VerdictKind::RunCrash, StillFails),
            (VerdictKind::Rejected, CannotBuild),
            (VerdictKind::CompilerCrash, OtherFailure),
        ] {
            assert_eq!(of(wrong, now), expected, "{now}");
        }
        let crash = VerdictKind::CompilerCrash;
        for (now, expected) in [
            (VerdictKind::Same, Fixed),
            (wrong, Fixed),
            (crash, StillFails),
            (VerdictKind::CompilerHang, OtherFailure),
        ] {
            assert_eq!(of(crash, now), expected, "{now}");
        }
        let crash = |signature: &str| Verdict::new(crash, signature);
        let found = crash("in f, at g.cc:12");
        assert_eq!(outcome(&found, &crash("in f, at g.cc:34")), StillFails);
        assert_eq!(outcome(&found, &crash("in h, at g.cc:12")), OtherFailure);
    }
}
