//! What stores weigh, and what it costs to merge those of a cluster: a thousand parts of
//! ten million runs, as a campaign with ten variants and ten configs would leave them.

use crate::table::{Budget, Table};
use mestra::hunt::campaign::Shard;
use mestra::hunt::campaign::store::{Header, Store};
use mestra::lab::process::{Command, Ending, Limits, Output};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PARTS: u64 = 1000;

/// Seeds of each part; with their variants and configs, they make 10,010 runs.
const SEEDS: u64 = 91;
const VARIANTS: u64 = 10;
const CONFIGS: u64 = 10;

const RUNS: u64 = PARTS * SEEDS * (VARIANTS + 1) * CONFIGS;

/// Bytes of address space that merging may use.
const MEMORY: u64 = 1 << 30;

/// Rows in the sizes that real campaigns have: three kinds of mutations a variant, and
/// now and then a failure that was not confirmed.
const FILL: &str = "
CREATE TEMP TABLE n (i INTEGER PRIMARY KEY);
INSERT INTO n WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 100)
    SELECT i FROM c;
CREATE TEMP TABLE s AS SELECT PART + PARTS * i AS seed FROM n WHERE i < SEEDS;
INSERT INTO seeds SELECT seed, 'csmith-' || seed || '.c', 'csmith --seed ' || seed, 'done', NULL, 40
    FROM s;
INSERT INTO variants SELECT seed, i, 12, x'', NULL, NULL, seed * 1.5 + i
    FROM s, n WHERE i BETWEEN 1 AND VARIANTS;
INSERT INTO kinds SELECT seed, v.i, 'true_block_' || k.i, 4, 0, 0
    FROM s, n AS v, n AS k WHERE v.i BETWEEN 1 AND VARIANTS AND k.i < 3;
INSERT INTO runs SELECT seed, v.i, 'clang-19 -O' || k.i,
        CASE WHEN (seed + v.i + k.i) % 500 THEN 'same' ELSE 'wrong-output' END, '',
        CASE WHEN (seed + v.i + k.i) % 500 THEN NULL ELSE '{\"only-in-process\":null}' END,
        100000 + abs(random() % 100000), 20000 + abs(random() % 20000),
        printf('%016x', random())
    FROM s, n AS v, n AS k WHERE v.i <= VARIANTS AND k.i < CONFIGS;
INSERT INTO findings SELECT 'finding-' || seed, seed, 1, 'clang-19 -O2', 'wrong-output', 'output',
        '{\"variant\":1}'
    FROM s LIMIT 1;
INSERT INTO timings VALUES ('compile', 900000000), ('mestra', 9000000);
";

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let parts: Vec<PathBuf> = (1..=PARTS)
        .map(|number| {
            let path = directory.path().join(format!("part{number}"));
            part(&path, number);
            path
        })
        .collect();
    let per_run = |bytes: u64| bytes as f64 / RUNS as f64;
    table.row(
        "a run in the stores of parts",
        per_run(parts.iter().map(|part| size(part)).sum()),
        "bytes",
        Budget::AtMost(100.0),
    );
    let whole = directory.path().join("whole");
    let outcome = mestra("merge", &whole, &parts);
    let said = String::from_utf8_lossy(&outcome.stdout);
    assert!(said.contains(&format!("{RUNS} runs")), "{said}");
    assert!(said.contains(&format!("{PARTS} findings")), "{said}");
    table.row(
        "1,000 parts of 10,010 runs merged within 1 GiB",
        outcome.wall.as_secs_f64(),
        "s",
        Budget::AtMost(300.0),
    );
    let again = mestra("merge", &whole, &parts);
    assert_eq!(again.stdout, outcome.stdout);
    table.row(
        "merged again, with nothing new",
        again.wall.as_secs_f64(),
        "s",
        Budget::AtMost(120.0),
    );
    table.row(
        "a run in the merged store",
        per_run(size(&whole)),
        "bytes",
        Budget::AtMost(150.0),
    );
    mestra("compact", &whole, &[]);
    table.row(
        "a run once it is compacted",
        per_run(size(&whole)),
        "bytes",
        Budget::AtMost(25.0),
    );
}

/// Makes the directory of a shard that has done its work.
fn part(directory: &Path, number: u64) {
    let finding = directory.join("findings").join(format!("finding-{number}"));
    fs::create_dir_all(&finding).expect("directories can be made");
    fs::write(finding.join("finding.json"), "{\"variant\":1}").expect("files can be written");
    let header = Header {
        mestra: "0".into(),
        ..Header::default()
    };
    let shard = Shard {
        part: number,
        of: PARTS,
    };
    drop(Store::create(directory, &header, shard).expect("a store can be created"));
    let store =
        rusqlite::Connection::open(directory.join("campaign.db")).expect("it can be opened");
    let fill = FILL
        .replace("PARTS", &PARTS.to_string())
        .replace("PART", &number.to_string())
        .replace("SEEDS", &SEEDS.to_string())
        .replace("VARIANTS", &VARIANTS.to_string())
        .replace("CONFIGS", &CONFIGS.to_string());
    let fill = format!("BEGIN; {fill} COMMIT; PRAGMA wal_checkpoint(TRUNCATE);");
    store.execute_batch(&fill).expect("a store can be filled");
}

fn size(campaign: &Path) -> u64 {
    let metadata = fs::metadata(campaign.join("campaign.db"));
    metadata.expect("a campaign has a database").len()
}

fn mestra(command: &str, whole: &Path, parts: &[PathBuf]) -> Output {
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .arg(command)
        .arg(whole)
        .args(parts)
        .limits(Limits {
            wall: Duration::from_secs(1800),
            memory: Some(MEMORY),
            file: 1 << 40,
            ..Limits::default()
        })
        .run()
        .expect("mestra starts");
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(matches!(outcome.ending, Ending::Exited(0 | 2)), "{said}");
    assert_eq!(said, "");
    outcome
}
