//! The findings as SARIF 2.1.0, which code hosts and editors can display.

use super::figures::{Figures, ShownBucket};
use crate::lab::words::plural;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// One run of the tool with a result for each bucket that is new.
pub(super) fn log(figures: &Figures) -> Value {
    let rules: BTreeSet<&str> = figures.buckets.iter().map(|b| b.verdict.as_str()).collect();
    let rules: Vec<Value> = rules
        .into_iter()
        .map(|verdict| json!({ "id": verdict, "shortDescription": { "text": describe(verdict) } }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Mestra",
                "version": figures.mestra,
                "rules": rules,
            }},
            "results": figures.buckets.iter().map(result).collect::<Vec<Value>>(),
        }],
    })
}

fn result(bucket: &ShownBucket) -> Value {
    let first = &bucket.findings[0];
    let locations: Vec<Value> = bucket
        .findings
        .iter()
        .map(|finding| {
            let file = match finding.lines {
                Some(_) => format!("findings/{}/reduced/reduced.c", finding.id),
                None => format!("findings/{}/seed.c", finding.id),
            };
            json!({ "physicalLocation": {
                "artifactLocation": { "uri": file },
                "region": { "startLine": 1 },
            }})
        })
        .collect();
    json!({
        "ruleId": bucket.verdict,
        "level": if bucket.is_known { "note" } else { "error" },
        "baselineState": if bucket.is_known { "unchanged" } else { "new" },
        "message": { "text": format!("{} ({}, first {})", bucket.title, plural(bucket.findings.len(), "finding"), first.id) },
        "locations": locations,
        "partialFingerprints": { "mestraBucket/v2": bucket.name },
    })
}

fn describe(verdict: &str) -> &'static str {
    match verdict {
        "wrong-output" => "the compiled program behaves differently than it should",
        "run-crash" => "the compiled program crashes",
        "run-hang" => "the compiled program hangs",
        "wrong-accesses" => "the compiled program accesses a volatile variable otherwise",
        "compiler-crash" => "the compiler crashes",
        "compiler-hang" => "the compiler hangs",
        "compiler-memory" => "the compiler runs out of memory",
        "rejected" => "the compiler rejects a valid program",
        _ => "a compiler is wrong",
    }
}
