//! Patterns whose numbers are known, from the literature and from brute force.

use super::count::canonical;
use super::growth::GrowthString;
use super::pattern::{Choice, Pattern};
use super::rank::RankTable;
use super::sample::sample_ranks;
use super::{Factor, FillingWalk, Product, Ranking};
use crate::dice::{self, Draw};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// A pattern by classes and holes, how many fillings it has, and how many of them are
/// different.
struct Vector {
    name: &'static str,
    sizes: &'static [u32],
    /// A letter for the classes of each hole; see [`classes`].
    holes: String,
    naive: &'static str,
    count: &'static str,
}

/// `g` takes the first class alone, `l` also the second, `m` the first and the third,
/// `n` all three, and `i` and `c` one class each that no other hole has.
fn classes(letter: char) -> Vec<u32> {
    match letter {
        'g' | 'i' => vec![0],
        'l' => vec![0, 1],
        'm' => vec![0, 2],
        'n' => vec![0, 1, 2],
        'c' => vec![1],
        _ => panic!("no hole is called {letter}"),
    }
}

impl Vector {
    fn pattern(&self) -> Pattern {
        let holes = self.holes.chars().map(classes);
        Pattern::new(self.sizes.to_vec(), holes.collect())
    }
}

#[rustfmt::skip]
fn vectors() -> Vec<Vector> {
    let vector = |name, sizes, holes: &str, naive, count| Vector {
        name, sizes, holes: holes.to_owned(), naive, count,
    };
    vec![
        vector("T1", &[1], "g", "1", "1"),
        vector("T2", &[2], "gggggg", "64", "32"),
        vector("T3", &[5], "ggggg", "3125", "52"),
        vector("T4", &[3], "gggg", "81", "14"),
        vector("T5", &[7], "ggg", "343", "5"),
        vector("T6", &[2, 2], "ggllg", "128", "40"),
        vector("T7", &[2, 2], "ggglllllgg", "32768", "8448"),
        vector("T8", &[2, 2], "glllgg", "512", "144"),
        vector("T9", &[2, 1, 2], "gllmmg", "576", "180"),
        vector("T10", &[2, 1, 2], "glnnlg", "900", "306"),
        vector("T11", &[2, 2], "icici", "32", "8"),
        vector("T12", &[3], "gggg", "81", "14"),
        vector("T13", &[1, 1], "l", "2", "2"),
        vector("T14", &[1, 1], "ll", "4", "4"),
        vector("T15", &[3, 2], "gllgllgl", "84375", "7639"),
        vector("T16", &[2, 2, 2], "llmmlm", "4096", "656"),
        vector("T17", &[3], "ggggggg", "2187", "365"),
        vector("T18", &[6], &"g".repeat(40),
            "13367494538843734067838845976576", "18565989823912965352878907599"),
        vector("T19", &[4, 3, 3], &"gllmm".repeat(6),
            "784716723734800033386496", "1011568873605820974163"),
    ]
}

/// Those that can be listed.
fn small() -> impl Iterator<Item = (&'static str, Pattern)> {
    let is_small = |vector: &Vector| vector.naive.len() < 6;
    let small = vectors().into_iter().filter(is_small);
    small.map(|vector| (vector.name, vector.pattern()))
}

fn number(digits: &str) -> BigUint {
    digits.parse().unwrap()
}

/// All canonical fillings in order.
fn listed(pattern: &Pattern) -> Vec<Vec<Choice>> {
    let mut string = GrowthString::first(pattern);
    let mut found = vec![string.choices().to_vec()];
    while string.advance() {
        found.push(string.choices().to_vec());
    }
    found
}

/// All fillings.
fn fillings(pattern: &Pattern) -> Vec<Vec<Choice>> {
    let mut found: Vec<Vec<Choice>> = vec![vec![]];
    for classes in pattern.holes() {
        let choices: Vec<Choice> = classes
            .iter()
            .flat_map(|&class| (0..pattern.size(class)).map(move |member| Choice { class, member }))
            .collect();
        let longer = found.iter().flat_map(|filling| {
            choices
                .iter()
                .map(|choice| [filling.as_slice(), &[*choice]].concat())
        });
        found = longer.collect();
    }
    found
}

/// The smallest filling that permuting the members of classes makes of one.
fn renamed(pattern: &Pattern, filling: &[Choice]) -> Vec<Choice> {
    let mut orbit = vec![filling.to_vec()];
    for class in 0..pattern.classes() as u32 {
        let orders = permutations(pattern.size(class));
        let apply = |filling: &Vec<Choice>, order: &Vec<u32>| -> Vec<Choice> {
            let rename = |choice: &Choice| {
                if choice.class == class {
                    Choice {
                        class,
                        member: order[choice.member as usize],
                    }
                } else {
                    *choice
                }
            };
            filling.iter().map(rename).collect()
        };
        let pairs = orbit
            .iter()
            .flat_map(|filling| orders.iter().map(move |o| (filling, o)));
        orbit = pairs
            .map(|(filling, order)| apply(filling, order))
            .collect();
    }
    orbit.into_iter().min().unwrap()
}

fn permutations(size: u32) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![vec![]];
    for next in 0..size {
        let longer = found.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, next);
                longer
            })
        });
        found = longer.collect();
    }
    found
}

#[test]
fn every_vector_has_its_numbers() {
    for vector in vectors() {
        let pattern = vector.pattern();
        let name = vector.name;
        assert_eq!(pattern.naive(), number(vector.naive), "{name}");
        assert_eq!(canonical(&pattern).unwrap(), number(vector.count), "{name}");
        let table = RankTable::new(&pattern).unwrap();
        assert_eq!(*table.count(), number(vector.count), "{name}");
    }
}

#[test]
fn small_vectors_are_listed_completely_and_in_the_order_of_ranks() {
    for (name, pattern) in small() {
        let listed = listed(&pattern);
        assert_eq!(
            BigUint::from(listed.len()),
            canonical(&pattern).unwrap(),
            "{name}"
        );
        let table = RankTable::new(&pattern).unwrap();
        for (rank, choices) in listed.iter().enumerate() {
            assert_eq!(table.unrank(&rank.into()), *choices, "{name}");
            assert_eq!(table.rank(choices), rank.into(), "{name}");
        }
    }
}

#[test]
fn each_orbit_under_renaming_is_listed_once() {
    for (name, pattern) in small().filter(|(_, pattern)| pattern.naive() < 5000u32.into()) {
        let all = fillings(&pattern);
        let orbits: BTreeSet<Vec<Choice>> = all.iter().map(|f| renamed(&pattern, f)).collect();
        let listed = listed(&pattern);
        let seen: BTreeSet<Vec<Choice>> = listed.iter().map(|f| renamed(&pattern, f)).collect();
        assert_eq!(orbits, seen, "{name}");
        assert_eq!(orbits.len(), listed.len(), "{name}");
    }
}

#[test]
fn ranks_of_large_vectors_go_there_and_back() {
    for vector in vectors().iter().filter(|vector| vector.naive.len() > 20) {
        let pattern = vector.pattern();
        let table = RankTable::new(&pattern).unwrap();
        let mut rng = dice::generator(1, 2, Draw::Filling);
        for rank in sample_ranks(&(table.count() - 1u32), 100, &mut rng) {
            let choices = table.unrank(&rank);
            assert_eq!(table.rank(&choices), rank, "{}", vector.name);
            if rank.clone() + 1u32 < *table.count() {
                let mut string = GrowthString::at(&pattern, &choices);
                assert!(string.advance());
                assert_eq!(string.choices(), table.unrank(&(rank + 1u32)));
            }
        }
    }
}

/// A product of three patterns, where the seed fills each in another way.
fn product() -> Product {
    let patterns = [
        (&[2][..], "gg", 1),
        (&[1], "g", 0),
        (&[2, 1], "gl", 2),
        (&[3], "ggg", 4),
    ];
    let factors = patterns.map(|(sizes, holes, seed)| {
        let pattern = Pattern::new(sizes.to_vec(), holes.chars().map(classes).collect());
        let seed = listed(&pattern)[seed].clone();
        Factor { pattern, seed }
    });
    Product::new(factors.to_vec()).unwrap()
}

#[test]
fn a_product_is_walked_from_the_seed_on_and_each_rank_is_found_again() {
    let product = product();
    assert_eq!(product.count(), BigUint::from(2u32 * 3 * 5));
    let ranking = Ranking::new(&product).unwrap();
    let mut walk = FillingWalk::from_seed(&product);
    let mut seen = BTreeSet::new();
    for rank in 0u32..30 {
        let filling: Vec<Vec<Choice>> = walk.filling().map(<[Choice]>::to_vec).collect();
        assert_eq!(ranking.unrank(&rank.into()).as_ref(), Some(&filling));
        assert_eq!(ranking.rank(&filling), rank.into());
        // A walk can begin anywhere.
        let again = FillingWalk::at(&product, &filling);
        assert!(again.filling().eq(walk.filling()));
        seen.insert(filling);
        assert_eq!(walk.advance(), rank < 29, "{rank}");
    }
    assert_eq!(seen.len(), 30);
    assert_eq!(ranking.unrank(&30u32.into()), None);
}

#[test]
fn factors_are_changed_one_at_a_time_first() {
    let product = product();
    let mut walk = FillingWalk::from_seed(&product);
    let seed: Vec<Vec<Choice>> = walk.filling().map(<[Choice]>::to_vec).collect();
    let mut changes = Vec::new();
    loop {
        let differs = |(own, seed): (&[Choice], &Vec<Choice>)| own != seed;
        changes.push(
            walk.filling()
                .zip(&seed)
                .filter(|pair| differs(*pair))
                .count(),
        );
        if !walk.advance() {
            break;
        }
    }
    let mut sorted = changes.clone();
    sorted.sort_unstable();
    assert_eq!(changes, sorted);
    assert_eq!(
        changes.iter().filter(|number| **number == 1).count(),
        1 + 2 + 4
    );
}

#[test]
fn samples_are_uniform_and_of_different_ranks() {
    let mut rng = dice::generator(7, 0, Draw::Filling);
    let mut seen: BTreeMap<BigUint, u32> = BTreeMap::new();
    for _ in 0..3000 {
        let sample = sample_ranks(&10u32.into(), 3, &mut rng);
        assert_eq!(sample.len(), 3);
        for rank in sample {
            *seen.entry(rank).or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 10);
    assert!(
        !seen.contains_key(&BigUint::default()),
        "rank 0 is the seed"
    );
    // 900 each, with a standard deviation of 25.
    assert!(
        seen.values().all(|times| (775..1025).contains(times)),
        "{seen:?}"
    );
    let all = sample_ranks(&4u32.into(), 100, &mut rng);
    assert_eq!(all.len(), 4);
}

#[test]
fn a_million_fillings_are_walked_through_in_less_than_two_seconds() {
    let pattern = Pattern::new(
        vec![4, 3, 3],
        "gllmm".repeat(6).chars().map(classes).collect(),
    );
    let seed = GrowthString::first(&pattern).choices().to_vec();
    let product = Product::new(vec![Factor { pattern, seed }]).unwrap();
    let mut walk = FillingWalk::from_seed(&product);
    let start = std::time::Instant::now();
    assert!((0..1_000_000).all(|_| walk.advance()));
    let took = start.elapsed();
    println!("a million fillings in {took:?}");
    assert!(took.as_secs_f64() < 2.0, "{took:?}");
}
