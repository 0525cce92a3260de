//! What a defect is called, as a compiler's developer would put it.

use super::Bucket;
use super::shape::telling;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Finding, Reduced};
use crate::lab::process::Ending;
use std::collections::BTreeMap;

/// The title of a finding: what is wrong, with which compiler, and where if that is known.
pub(crate) fn title(finding: &Finding, reduced: Option<&Reduced>) -> String {
    let shown = reduced.map_or(finding, |reduced| &reduced.finding);
    let compiler = short_name(shown);
    let pass = reduced.and_then(|reduced| reduced.located.pass.as_deref());
    let place = pass.map_or(String::new(), |pass| format!(" ({pass})"));
    let signature = &shown.verdict.signature;
    match shown.verdict.kind {
        VerdictKind::WrongOutput => format!("Wrong code with {compiler}{place}"),
        VerdictKind::RunCrash => {
            let end = if aborts(shown) {
                "the program calls abort()".to_owned()
            } else {
                format!("the program ends by {signature}")
            };
            format!("Wrong code with {compiler}{place}: {end}")
        }
        VerdictKind::RunHang => {
            format!("Wrong code with {compiler}{place}: the program does not end")
        }
        VerdictKind::WrongAccesses => {
            format!("Wrong code with {compiler}{place}: volatile accesses, {signature}")
        }
        VerdictKind::CompilerCrash => format!("{compiler} crashes: {signature}{place}"),
        VerdictKind::CompilerHang => format!("{compiler} hangs{place}"),
        VerdictKind::CompilerMemory => format!("{compiler} runs out of memory{place}"),
        VerdictKind::Rejected => format!("{compiler} rejects valid code: {signature}"),
        VerdictKind::Same => format!("No failure with {compiler}"),
    }
}

/// Whether the program ends by `abort()`, which programs call where a value is not what it
/// must be.
pub(crate) fn aborts(finding: &Finding) -> bool {
    let mut endings = finding.actual.iter().map(|seen| seen.ending);
    endings.any(|ending| ending == Ending::Signalled(libc::SIGABRT))
}

/// Tells buckets of equal titles apart by what their programs are made of, or else by the first
/// finding in each.
pub(super) fn make_distinct(buckets: &mut [Bucket]) {
    for with in [program, first] {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for bucket in buckets.iter() {
            *count.entry(bucket.title.clone()).or_default() += 1;
        }
        for bucket in buckets.iter_mut() {
            if count[&bucket.title] > 1
                && let Some(more) = with(bucket)
            {
                bucket.title = format!("{}; {more}", bucket.title);
            }
        }
    }
}

fn program(bucket: &Bucket) -> Option<String> {
    let features = telling(&bucket.first().fingerprint.shape);
    (!features.is_empty()).then(|| format!("program with {}", features.join(", ")))
}

fn first(bucket: &Bucket) -> Option<String> {
    Some(format!("such as {}", bucket.first().finding.id))
}

/// The config without the directory that its compiler is in.
fn short_name(finding: &Finding) -> String {
    let config = &finding.config;
    match config.name.strip_prefix(&config.compiler.name) {
        Some(flags) => format!("{}{flags}", base_name(&config.compiler.name)),
        // Of the two files, only the first is the program.
        None if config.records_accesses() => {
            let words = std::iter::once(base_name(&config.compiler.name));
            let words = words.chain(config.flags.iter().map(String::as_str));
            words.collect::<Vec<_>>().join(" ")
        }
        None => config.name.clone(),
    }
}

/// The last component of a path: directories of this machine do not belong in a report.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
