//! Many threads lower different files at once.

use crate::support::{corpora, lower_seed};
use mestra::source::program::Dump;
use mestra::source::seed::Seed;

fn dumped(path: &std::path::Path) -> String {
    let program = lower_seed(&Seed::read(path, &[]).unwrap()).unwrap();
    let mut text = Vec::new();
    Dump::new(&program).write_json(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn eight_threads_lower_as_one_does() {
    let seeds = corpora();
    let alone: Vec<String> = seeds.iter().map(|seed| dumped(seed)).collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (seeds, alone) = (&seeds, &alone);
            scope.spawn(move || {
                for step in 0..seeds.len() {
                    let index = (step * 7 + thread * 5) % seeds.len();
                    assert_eq!(
                        dumped(&seeds[index]),
                        alone[index],
                        "{}",
                        seeds[index].display()
                    );
                }
            });
        }
    });
}
