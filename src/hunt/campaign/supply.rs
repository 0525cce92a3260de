//! The seeds of a campaign together with their instances: programs that differ from a seed
//! only in which variables they name where, each a seed of its own.
//!
//! Every seed has as many numbers as it may have instances, and one more: the first is its
//! own. So a number means the same in every shard and after every interruption, and whoever
//! asks for it need not know what comes before.

use super::seeds::{Numbered, SeedSource, Seeds};
use super::settings::Settings;
use crate::error::SeedRefused;
use crate::source::clang::Clang;
use crate::variant::enumerate::{Instance, InstanceRequest};
use anyhow::Result;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many seeds are kept with their instances. Threads take numbers one after another, so
/// they ask for the same seeds.
const KEPT: usize = 4;

/// All seeds of a campaign, and all instances if any are wanted.
#[derive(Debug)]
pub(super) struct Supply {
    seeds: Seeds,
    clang: Clang,
    request: Option<InstanceRequest>,
    /// The latest seeds by their numbers without instances.
    recent: Mutex<VecDeque<(u64, Arc<SeedFamily>)>>,
}

/// A seed and its instances; none of either if the seed cannot be used.
#[derive(Debug, Default)]
struct SeedFamily {
    seed: Option<Numbered>,
    instances: Vec<Instance>,
}

impl Supply {
    pub(super) fn new(seeds: Seeds, clang: Clang, settings: &Settings) -> Supply {
        Supply {
            seeds,
            clang,
            request: settings.instances(),
            recent: Mutex::default(),
        }
    }

    /// How many numbers there are; unlimited if `None`.
    pub(super) fn total(&self) -> Option<u64> {
        Some(self.seeds.total()?.saturating_mul(self.numbers_each()))
    }

    /// The seed or instance of a number; `None` if the seed has fewer instances.
    ///
    /// # Errors
    /// [`SeedRefused`] if the number is that of a seed which cannot be used.
    // Used by tests only.
    #[cfg(test)]
    pub(super) fn get(&self, number: u64) -> Result<Option<Numbered>> {
        self.get_from(number, None)
    }

    /// The same, from one of the sources unless the seed is a file or has instances, which all
    /// must come of the same.
    pub(super) fn get_from(
        &self,
        number: u64,
        source: Option<SeedSource>,
    ) -> Result<Option<Numbered>> {
        let each = self.numbers_each();
        let source = source.filter(|_| each == 1);
        let (seed, place) = ((number - 1) / each + 1, (number - 1) % each);
        if place == 0 {
            let numbered = self.seeds.get_from(seed, source)?;
            return Ok(Some(numbered.with_number(number)));
        }
        let family = self.family(seed)?;
        let instance = usize::try_from(place - 1)
            .ok()
            .and_then(|index| family.instances.get(index));
        Ok(instance
            .zip(family.seed.as_ref())
            .map(|(instance, seed)| seed.with_instance(number, instance)))
    }

    /// See [`Seeds::sources`].
    pub(super) fn sources(&self) -> Vec<(SeedSource, f64)> {
        self.seeds.sources()
    }

    fn numbers_each(&self) -> u64 {
        self.request.map_or(1, |request| request.most + 1)
    }

    fn family(&self, number: u64) -> Result<Arc<SeedFamily>> {
        // Whoever needs the same seed meanwhile had better wait than make it again.
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, family)) = recent.iter().find(|(known, _)| *known == number) {
            return Ok(Arc::clone(family));
        }
        let family = Arc::new(self.make_family(number)?);
        recent.push_back((number, Arc::clone(&family)));
        if recent.len() > KEPT {
            recent.pop_front();
        }
        Ok(family)
    }

    fn make_family(&self, number: u64) -> Result<SeedFamily> {
        let Some(request) = self.request else {
            return Ok(SeedFamily::default());
        };
        let make = || -> Result<SeedFamily> {
            let seed = self.seeds.get(number)?;
            Ok(SeedFamily {
                instances: request.instances(&self.clang, &seed.seed)?,
                seed: Some(seed),
            })
        };
        match make() {
            Ok(family) => Ok(family),
            // The seed itself is told of under its own number.
            Err(error) if error.is::<SeedRefused>() => Ok(SeedFamily::default()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Lab;
    use std::fs;

    const TWO_HOLES: &str = "int a, b;\nint main(void) { return a + b; }\n";

    fn supply(settings: &str) -> Supply {
        let settings: Settings = toml::from_str(settings).unwrap();
        let seeds = Seeds::new(&Lab::default(), &settings).unwrap();
        Supply::new(seeds, Clang::load().unwrap(), &settings)
    }

    fn names(supply: &Supply, numbers: std::ops::RangeInclusive<u64>) -> Vec<Option<String>> {
        let name = |number| Some(supply.get(number).unwrap()?.name());
        numbers.map(name).collect()
    }

    #[test]
    fn every_seed_has_numbers_for_its_instances_whether_or_not_there_are_so_many() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(path.join("a.c"), TWO_HOLES).unwrap();
        fs::write(path.join("b.c"), "int main(void) { return 0; }\n").unwrap();
        fs::write(path.join("c.c"), "int main(void) { return }\n").unwrap();
        let text = format!("seeds = [{path:?}]\nstrategies = [\"spe\"]\ninstances = 2\n");
        let supply = supply(&text);
        assert_eq!(supply.total(), Some(9));
        let [a, first, b, c] = ["a.c", "a.e1.c", "b.c", "c.c"].map(|name| Some(name.to_owned()));
        let expected = [a, first, None, b, None, None, c, None, None];
        assert_eq!(names(&supply, 1..=9), expected);
        let instance = supply.get(2).unwrap().unwrap();
        assert_eq!(instance.origin, format!("rank 1 of {}/a.c", path.display()));
        assert_eq!(
            &*instance.seed.source,
            TWO_HOLES.replace("+ b", "+ a").as_bytes()
        );
    }

    #[test]
    fn seeds_without_end_have_instances_as_well_and_the_same_for_the_same_dice() {
        let with = |dice: u64| {
            supply(&format!(
                "seeds = [\"csmith\"]\nstrategies = [\"hermes\", \"spe\"]\ninstances = 3\nseed = {dice}"
            ))
        };
        let text = |supply: &Supply, number| supply.get(number).unwrap().unwrap().seed.source;
        let [one, again, other] = [1, 1, 2].map(with);
        assert_eq!(one.total(), None);
        assert_eq!(text(&one, 7), text(&again, 7));
        assert_ne!(text(&one, 7), text(&one, 8));
        assert_ne!(text(&one, 6), text(&other, 6));
    }

    #[test]
    fn without_the_strategy_there_are_only_seeds() {
        let supply = supply("seeds = [\"csmith\"]\ncount = 3\ninstances = 2\n");
        assert_eq!(supply.total(), Some(3));
        assert_eq!(supply.get(2).unwrap().unwrap().name(), "csmith2.c");
    }
}
