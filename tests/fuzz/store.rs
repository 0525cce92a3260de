//! A campaign's directory: its store and the files of its findings with bytes garbled.

use super::{SHORT, any, garble, go_on, long};
use crate::reduce::planted::{CRASH, WRONG_CODE, campaign, plant};
use mestra::hunt::campaign::store::Store;
use mestra::hunt::report::{self, Figures};
use rand::Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn fuzz(time: Duration) {
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    drop(campaign(&whole));
    plant(&whole, 1, WRONG_CODE, 5);
    plant(&whole, 2, CRASH, 9);
    let mut found = Vec::new();
    files(&whole, &mut found);
    let kept: Vec<(PathBuf, Vec<u8>)> = found
        .into_iter()
        .map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path.strip_prefix(&whole).unwrap().to_owned(), bytes)
        })
        .collect();
    let (broken, out) = (
        directory.path().join("broken"),
        directory.path().join("out"),
    );
    fs::create_dir(&out).unwrap();
    go_on(time, |rng| {
        let _ = fs::remove_dir_all(&broken);
        let victims = [any(rng, &kept).0.clone(), any(rng, &kept).0.clone()];
        for (path, bytes) in &kept {
            let mut bytes = bytes.clone();
            if victims.contains(path) {
                garble(rng, &mut bytes);
            }
            // Now and then a file is missing.
            if victims.contains(path) && rng.random_ratio(1, 10) {
                continue;
            }
            let to = broken.join(path);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
        if let Ok((store, _)) = Store::open(&broken) {
            let _ = store.shard();
            let _ = store.finished_seeds();
        }
        if let Ok(figures) = Figures::read(&broken, &[]) {
            let _ = report::write(&figures, &out);
        }
    });
}

#[test]
fn a_broken_campaign_is_shown_or_refused() {
    fuzz(SHORT);
}

#[test]
#[ignore = "goes on for as long as MESTRA_FUZZ_SECONDS says"]
fn a_broken_campaign_is_shown_or_refused_for_long() {
    fuzz(long());
}
