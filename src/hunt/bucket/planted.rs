//! Findings for tests that nobody had to look for.

use super::{BucketEntry, Fingerprint};
use crate::hunt::bucket::FailureClass;
use crate::hunt::finding::verdict::{Verdict, VerdictKind};
use crate::hunt::finding::{Finding, SeedOrigin, Standing};
use crate::lab::Patience;
use crate::lab::toolchain::{Compiler, Config, Family};
use crate::variant::replay::hash_text;
use std::collections::BTreeMap;

/// A finding of wrong code by tcc.
pub(crate) fn finding(id: &str) -> Finding {
    let tcc = Compiler {
        name: "tcc".into(),
        path: "/usr/bin/tcc".into(),
        family: Family::Tcc,
    };
    Finding {
        id: id.into(),
        verdict: Verdict::new(VerdictKind::WrongOutput, "output"),
        config: Config::new(tcc, &["-O0"]),
        seed: SeedOrigin {
            number: 1,
            origin: "a test".into(),
            file_name: "seed.c".into(),
            flags: vec![],
            inputs: vec![],
        },
        variant: None,
        mutations: BTreeMap::new(),
        expected: vec![],
        actual: vec![],
        message: String::new(),
        standing: Standing::default(),
        confirmations: vec![],
        trusted: vec![],
        mestra: "0".into(),
        patience: Patience::default(),
    }
}

/// What such a finding shows if its small program has these features; nothing if there are
/// none.
pub(crate) fn fingerprint(shape: &[&str]) -> Fingerprint {
    Fingerprint {
        family: "tcc".into(),
        class: FailureClass::WrongCode,
        version: "0.9.27".into(),
        signature: None,
        pass: None,
        flags: vec!["-O0".into()],
        right_since: None,
        shape: shape.iter().map(|&feature| feature.to_owned()).collect(),
        mutations: vec![],
        is_small: !shape.is_empty(),
    }
}

/// A finding that shows this, with the program that fails.
pub(crate) fn entry(id: &str, program: &str, shape: &[&str]) -> BucketEntry {
    BucketEntry {
        directory: id.into(),
        finding: finding(id),
        reduced: None,
        fingerprint: fingerprint(shape),
        tokens: None,
        lines: None,
        program: Some(hash_text(program.as_bytes())),
    }
}
