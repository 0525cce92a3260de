//! A campaign's directory with findings that nobody had to look for.

use super::finding::config;
use mestra::hunt::campaign::Shard;
use mestra::hunt::campaign::aside::SetAside;
use mestra::hunt::campaign::store::{Header, Run, Store};
use mestra::hunt::finding::verdict::{Verdict, VerdictKind};
use mestra::hunt::finding::{FINDINGS, Finding, KeptInput, SeedOrigin, Standing, file};
use mestra::hunt::finding::{Located, Tried};
use mestra::hunt::finding::{REDUCED, Reduced, ShrunkSummary};
use mestra::lab::process::Ending;
use mestra::lab::{Behaviour, Patience};
use mestra::variant::replay::VariantRecord;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

const SEED: &str = "int main(void) {\n    return 0;\n}\n";
const VARIANT: &str = "int main(void) {\n    if (1 < 2) { return 0; }\n}\n";

/// A defect, and how its findings look.
#[derive(Clone, Copy)]
pub(crate) struct Defect {
    pub(crate) verdict: VerdictKind,
    pub(crate) signature: &'static str,
    pub(crate) pass: Option<&'static str>,
    pub(crate) failing: &'static [&'static str],
    pub(crate) kind: &'static str,
}

pub(crate) const WRONG_CODE: Defect = Defect {
    verdict: VerdictKind::WrongOutput,
    signature: "output",
    pass: Some("-ftree-vrp"),
    failing: &["-O2", "-O3"],
    kind: "true_guard",
};

pub(crate) const CRASH: Defect = Defect {
    verdict: VerdictKind::CompilerCrash,
    signature: "in gimplify_expr, at gimplify.cc:15905 <&>",
    pass: None,
    failing: &["-O2"],
    kind: "true_block",
};

/// Begins a campaign of three variants, one a minute.
pub(crate) fn campaign(directory: &Path) -> Store {
    shard(directory, Shard::default())
}

/// The same as the part of a campaign whose first seed, and another beyond the last, are
/// its own.
pub(crate) fn shard(directory: &Path, shard: Shard) -> Store {
    fs::create_dir_all(directory.join(FINDINGS)).unwrap();
    let header = Header {
        mestra: "0".into(),
        configs: vec![config(Path::new("gcc"), &["-O2"])],
        trusted: vec!["gcc 12".into()],
        ..Header::default()
    };
    let store = Store::create(directory, &header, shard).unwrap();
    let (first, last) = (shard.part, shard.part + shard.of);
    store
        .begin_seed(first, "seed.c", "csmith --seed 1")
        .unwrap();
    for number in 1..=3 {
        store.begin_variant(first, &record(number), &[]).unwrap();
        let run = Run {
            config: "gcc -O2".into(),
            verdict: Verdict::same(),
            dismissed: None,
            made: None,
        };
        store.add_run(first, number, &run, None).unwrap();
        let after = Duration::from_secs(60 * u64::from(number));
        store.finish_variant(first, number, after).unwrap();
    }
    store.finish_seed(first, 10).unwrap();
    store.begin_seed(last, "odd.c", "csmith --seed 2").unwrap();
    let endless = SetAside::DoesNotEnd { seconds: 10.0 };
    store.set_aside(last, &endless).unwrap();
    let spent = [
        ("compile", Duration::from_secs(9)),
        ("mestra", Duration::from_millis(90)),
    ];
    store.add_timings(&spent).unwrap();
    store
}

fn record(variant: u32) -> VariantRecord {
    VariantRecord {
        mestra: "0".into(),
        seed: "seed.c".into(),
        source_hash: mestra::variant::replay::hash_text(SEED.as_bytes()),
        flags: vec![],
        inputs: vec![],
        strategy: "hermes".into(),
        dice: 0,
        variant,
        mutations: vec![],
        then: vec![],
    }
}

/// Adds a finding of a defect whose program was reduced to some lines.
pub(crate) fn plant(campaign: &Path, number: u32, defect: Defect, lines: usize) {
    let config = config(Path::new("gcc"), &["-O2"]);
    let finding = Finding {
        id: Finding::id(1, Some(number), &config),
        verdict: Verdict::new(defect.verdict, defect.signature),
        seed: SeedOrigin {
            number: 1,
            origin: "csmith --seed 1".into(),
            file_name: "seed.c".into(),
            flags: vec![],
            inputs: vec![KeptInput::default()],
        },
        variant: Some(number),
        mutations: BTreeMap::new(),
        expected: vec![behaviour("checksum = 1\n")],
        actual: if defect.verdict.is_of_a_run() {
            vec![behaviour("checksum = 2\n")]
        } else {
            vec![]
        },
        message: format!("reduced.c:1: internal compiler error: {}", defect.signature),
        standing: Standing::default(),
        confirmations: vec![],
        trusted: vec!["gcc 12".into()],
        mestra: "0".into(),
        patience: Patience::default(),
        config: config.clone(),
    };
    let reduced = Reduced {
        finding: Finding {
            variant: None,
            ..finding.clone()
        },
        shrunk: Some(ShrunkSummary {
            before: 20,
            after: 1,
            kinds: BTreeMap::from([(defect.kind.to_owned(), 1)]),
            tests: 9,
        }),
        flags: None,
        lines_before: 2000,
        lines,
        tokens_before: 20_000,
        tokens: 10 * lines,
        tests: 100,
        is_finished: true,
        is_interrupted: false,
        by_cvise: false,
        located: Located {
            pass: defect.pass.map(str::to_owned),
            steps: vec![],
            tried: defect
                .failing
                .iter()
                .map(|flags| Tried {
                    compiler: config.compiler.name.clone(),
                    version: config.version.clone(),
                    flags: (*flags).to_owned(),
                    fails: true,
                })
                .collect(),
        },
        build: String::new(),
    };
    let directory = campaign.join(FINDINGS).join(&finding.id);
    let put = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put(file::FINDING, &serde_json::to_string(&finding).unwrap());
    put(file::SEED, SEED);
    // One program shows one defect.
    let variant = format!("{VARIANT}/* {:?} {} */\n", defect.pass, defect.signature);
    put(file::VARIANT, &variant);
    let small = |name: &str| format!("{REDUCED}/{name}");
    let more = "int unused;\n".repeat(lines - 1);
    let program = format!("{more}int main(void) {{ return 1 < 2; }} /* <b> */\n");
    put(&small("reduced.c"), &program);
    put(&small("shrunk.c"), VARIANT);
    put(&small("report.md"), "# A report\n");
    put(
        &small("reduction.json"),
        &serde_json::to_string(&reduced).unwrap(),
    );
}

fn behaviour(stdout: &str) -> Behaviour {
    Behaviour {
        ending: Ending::Exited(0),
        stdout: stdout.into(),
        stderr: vec![],
    }
}
