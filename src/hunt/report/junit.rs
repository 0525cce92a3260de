//! The findings as JUnit XML, which CI systems can display: a test case for each config,
//! and a failed one for each bucket that is new.

use super::escaped;
use super::figures::Figures;
use crate::lab::words::plural;
use std::fmt::Write;

pub(super) fn suite(figures: &Figures) -> String {
    let failures = figures.new_buckets().count();
    let tests = figures.configs.len() + figures.buckets.len();
    let known = figures.buckets.len() - failures;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites><testsuite name=\"mestra\" tests=\"{tests}\" failures=\"{failures}\" \
         errors=\"0\" skipped=\"{known}\">"
    );
    for (config, version) in &figures.configs {
        let runs = figures
            .totals
            .configs
            .get(config)
            .map_or(0, |health| health.runs);
        let runs = plural(runs, "run");
        let _ = writeln!(
            text,
            "<testcase classname=\"configs\" name=\"{}\"><system-out>{}; {runs}</system-out></testcase>",
            escaped(config),
            escaped(version)
        );
    }
    for bucket in &figures.buckets {
        let _ = write!(
            text,
            "<testcase classname=\"findings.{}\" name=\"{}\">",
            escaped(&bucket.verdict),
            escaped(&bucket.name)
        );
        if bucket.is_known {
            let _ = write!(
                text,
                "<skipped message=\"known: {}\"/>",
                escaped(&bucket.marked.to_string())
            );
        } else {
            let details = bucket.report.as_ref().unwrap_or(&bucket.program);
            let _ = write!(
                text,
                "<failure type=\"{}\" message=\"{}\">{}</failure>",
                escaped(&bucket.verdict),
                escaped(&bucket.title),
                escaped(details)
            );
        }
        text.push_str("</testcase>\n");
    }
    text.push_str("</testsuite></testsuites>\n");
    text
}
