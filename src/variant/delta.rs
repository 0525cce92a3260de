//! Delta debugging: the part of a list that a test needs.
//!
//! Chunks are left out from the end, all at once first, then halves, down to
//! single items, until none can go. Tests run in parallel on the threads of the
//! current rayon pool: the next candidates are tested on the assumption that the ones
//! before them end as the last one did, and what was tested on a wrong assumption is
//! discarded. So the result is that of testing one after the other, whatever the
//! number of threads.

use anyhow::Result;
use rayon::prelude::*;
use std::collections::HashMap;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Minimal<T> {
    pub items: Vec<T>,
    /// How many tests were made.
    pub tests: usize,
    /// Whether no single item can be left out; false after an early stop.
    pub is_minimal: bool,
}

/// Finds a part of `items` that still passes, but does not with any item less.
///
/// `items` as a whole is assumed to pass. `should_stop` is asked between tests; once
/// it returns true, the best part so far is returned.
pub(crate) fn minimise<T: Clone + Sync>(
    items: &[T],
    test: impl Fn(&[T]) -> Result<bool> + Sync,
    should_stop: impl Fn() -> bool,
) -> Result<Minimal<T>> {
    let mut search = Search {
        items,
        test,
        should_stop,
        known: HashMap::new(),
        kept: (0..items.len()).collect(),
        last: false,
        is_stopped: false,
    };
    search.run()?;
    Ok(Minimal {
        items: search.kept.iter().map(|at| items[*at].clone()).collect(),
        tests: search.known.len(),
        is_minimal: !search.is_stopped,
    })
}

/// The same of the numbers below `count` where a second test is far dearer than the first, and
/// nearly all that pass the one pass the other. So the dear one is asked of what the cheap one
/// leaves. If it says no, what is searched for is the numbers that have to be taken back, which
/// takes a few dear tests; to ask about each would take as many as there are numbers. Where all
/// have to be taken back, the others are tried without them.
pub(crate) fn minimise_by_two(
    count: usize,
    cheap: impl Fn(&[usize]) -> Result<bool> + Sync,
    both: impl Fn(&[usize]) -> Result<bool> + Sync,
    should_stop: impl Fn() -> bool,
) -> Result<Minimal<usize>> {
    let all: Vec<usize> = (0..count).collect();
    let mut refused: Vec<usize> = Vec::new();
    let mut tests = 0;
    loop {
        let others = without(&all, &refused);
        let with = |items: &[usize]| united(items, &refused);
        let left = minimise(&others, |items| cheap(&with(items)), &should_stop)?;
        let gone = without(&others, &left.items);
        let mut found = Minimal {
            items: with(&left.items),
            tests: tests + left.tests,
            is_minimal: left.is_minimal,
        };
        if gone.is_empty() || both(&found.items)? {
            return Ok(found);
        }
        let with_back = |back: &[usize]| both(&united(&found.items, back));
        let back = minimise(&gone, with_back, &should_stop)?;
        found.items = united(&found.items, &back.items);
        found.tests += back.tests;
        found.is_minimal &= back.is_minimal;
        if back.items.len() < gone.len() || !found.is_minimal {
            return Ok(found);
        }
        tests = found.tests;
        refused = united(&refused, &gone);
    }
}

/// The items of a sorted list that another lacks.
fn without(items: &[usize], others: &[usize]) -> Vec<usize> {
    let items = items.iter().copied();
    let items = items.filter(|item| others.binary_search(item).is_err());
    items.collect()
}

/// Both of two lists, sorted.
fn united(one: &[usize], other: &[usize]) -> Vec<usize> {
    let mut both = [one, other].concat();
    both.sort_unstable();
    both
}

struct Search<'i, T, F, S> {
    items: &'i [T],
    test: F,
    should_stop: S,
    /// Every selection that was tested.
    known: HashMap<Vec<usize>, bool>,
    /// The smallest selection that passes.
    kept: Vec<usize>,
    /// How the last test ended, which is the guess for the next.
    last: bool,
    is_stopped: bool,
}

impl<T: Clone + Sync, F: Fn(&[T]) -> Result<bool> + Sync, S: Fn() -> bool> Search<'_, T, F, S> {
    fn run(&mut self) -> Result<()> {
        let mut size = self.kept.len();
        while !self.kept.is_empty() && !self.is_stopped {
            let before = self.kept.len();
            self.pass(size)?;
            if size == 1 && self.kept.len() == before {
                break;
            }
            size = (size / 2).min(self.kept.len().div_ceil(2)).max(1);
        }
        Ok(())
    }

    /// Tries to leave out each chunk of this size, from the end.
    fn pass(&mut self, size: usize) -> Result<()> {
        let mut end = self.kept.len();
        while end > 0 {
            if (self.should_stop)() {
                self.is_stopped = true;
                return Ok(());
            }
            let guess = self.last;
            let batch = self.batch(end, size, guess);
            self.test_all(batch.iter().map(|(candidate, _)| candidate))?;
            for (candidate, start) in batch {
                self.last = self.known[&candidate];
                if self.last {
                    self.kept = candidate;
                }
                end = start;
                if self.last != guess {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The next candidates, each with the start of the chunk that it lacks.
    fn batch(&self, mut end: usize, size: usize, guess: bool) -> Vec<(Vec<usize>, usize)> {
        let mut base = self.kept.clone();
        let mut batch = Vec::new();
        while end > 0 && batch.len() < rayon::current_num_threads() {
            let start = end.saturating_sub(size);
            let mut candidate = base.clone();
            candidate.drain(start..end);
            if guess {
                base.clone_from(&candidate);
            }
            batch.push((candidate, start));
            end = start;
        }
        batch
    }

    fn test_all<'c>(&mut self, candidates: impl Iterator<Item = &'c Vec<usize>>) -> Result<()> {
        let new: Vec<&Vec<usize>> = candidates
            .filter(|c| !self.known.contains_key(*c))
            .collect();
        let (items, test) = (self.items, &self.test);
        let outcomes: Vec<Result<bool>> = new
            .par_iter()
            .map(|candidate| {
                let chosen: Vec<T> = candidate.iter().map(|at| items[*at].clone()).collect();
                test(&chosen)
            })
            .collect();
        for (candidate, outcome) in new.into_iter().zip(outcomes) {
            self.known.insert(candidate.clone(), outcome?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.unwrap().install(work)
    }

    fn needs(items: u32, needed: &[u32], threads: usize) -> Minimal<u32> {
        let items: Vec<u32> = (0..items).collect();
        let test = |kept: &[u32]| Ok(needed.iter().all(|item| kept.contains(item)));
        on_threads(threads, || minimise(&items, test, || false).unwrap())
    }

    #[test]
    fn one_needed_item_is_found_in_few_tests() {
        for total in [1, 2, 3, 10, 64, 400, 1000] {
            let most = 4.0 * f64::from(total).log2() + 20.0;
            for needed in [0, total / 3, total - 1] {
                for threads in [1, 2, 4] {
                    let found = needs(total, &[needed], threads);
                    assert_eq!(found.items, [needed]);
                    assert!(found.is_minimal);
                    assert!(
                        (found.tests as f64) <= most,
                        "{} tests for item {needed} of {total}",
                        found.tests
                    );
                }
            }
        }
    }

    #[test]
    fn items_that_are_needed_together_are_found() {
        for needed in [[0, 99], [49, 50], [98, 99], [3, 70]] {
            assert_eq!(needs(100, &needed, 2).items, needed);
        }
        assert_eq!(needs(30, &[2, 9, 20, 29], 3).items, [2, 9, 20, 29]);
    }

    #[test]
    fn what_needs_nothing_leaves_nothing() {
        let found = needs(50, &[], 2);
        assert!(found.items.is_empty());
        assert_eq!(found.tests, 1);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        // A test with many minima: which is found depends on the order of tests.
        let items: Vec<u32> = (0..60).collect();
        let test = |kept: &[u32]| Ok(kept.iter().sum::<u32>() % 7 == 3 || kept.len() == 60);
        let found: Vec<Vec<u32>> = [1, 2, 3, 8]
            .map(|count| on_threads(count, || minimise(&items, test, || false).unwrap().items))
            .into();
        assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    }

    #[test]
    fn a_stopped_search_keeps_what_it_has() {
        let items: Vec<u32> = (0..100).collect();
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 3
        };
        let found = minimise(&items, |kept| Ok(kept.contains(&7)), stop).unwrap();
        assert!(!found.is_minimal);
        assert!(found.items.contains(&7) && found.items.len() < 100);
    }

    #[test]
    fn what_only_the_dear_test_needs_is_found_in_few_dear_tests() {
        let dear = AtomicUsize::new(0);
        let cheap = |kept: &[usize]| Ok(kept.contains(&7));
        let both = |kept: &[usize]| {
            dear.fetch_add(1, Ordering::Relaxed);
            Ok([7, 40, 333].iter().all(|needed| kept.contains(needed)))
        };
        let found = minimise_by_two(500, cheap, both, || false).unwrap();
        assert_eq!(found.items, [7, 40, 333]);
        let dear = dear.into_inner();
        assert!(dear < 60, "{dear} dear tests");
    }

    #[test]
    fn what_has_to_be_taken_back_hides_nothing_else() {
        // The cheap test lets only one of the two go, and takes the wrong one first.
        let cheap = |kept: &[usize]| Ok(!kept.is_empty());
        let both = |kept: &[usize]| Ok(kept.contains(&1));
        let found = minimise_by_two(2, cheap, both, || false).unwrap();
        assert_eq!(found.items, [1]);
    }

    #[test]
    fn an_error_of_the_test_ends_the_search() {
        let failed = minimise(&[1, 2], |_| anyhow::bail!("no compiler"), || false);
        assert_eq!(failed.unwrap_err().to_string(), "no compiler");
    }
}
