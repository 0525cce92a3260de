//! Where in a compiler the fault of a finding lies, as far as that is known.

use serde::{Deserialize, Serialize};

/// The levels that are tried where a compiler has any.
pub const LEVELS: [&str; 5] = ["-O0", "-O1", "-Os", "-O2", "-O3"];

/// What is known of the place of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Located {
    /// The pass or flag, by the compiler's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// What was tried and seen, a sentence each.
    pub steps: Vec<String>,
    /// Every installed compiler of the family at every level, and the accused config.
    pub tried: Vec<Tried>,
}

/// A compiler with a level, and whether it shows the failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    pub compiler: String,
    pub version: String,
    pub flags: String,
    pub fails: bool,
}

impl Tried {
    pub(crate) fn is_unoptimised(&self) -> bool {
        self.flags.split(' ').next() == Some(LEVELS[0])
    }
}

impl Located {
    /// The levels, with other flags, under which a compiler fails.
    pub fn failing_flags(&self, compiler: &str) -> Vec<&str> {
        self.flags(compiler, true)
    }

    /// The same for those under which it works.
    pub fn working_flags(&self, compiler: &str) -> Vec<&str> {
        self.flags(compiler, false)
    }

    fn flags(&self, compiler: &str, fails: bool) -> Vec<&str> {
        let own = self.tried.iter().filter(|tried| tried.compiler == compiler);
        own.filter(|tried| tried.fails == fails)
            .map(|tried| tried.flags.as_str())
            .collect()
    }

    /// The number of the first version above the accused one that is right at every level.
    pub(crate) fn right_since(&self, accused: &str) -> Option<Vec<u32>> {
        let accused = version_number(accused);
        let right = self.versions().into_iter().filter(|(.., fails)| !fails);
        let numbers = right.map(|(_, version, _)| version_number(version));
        numbers.filter(|number| *number > accused).min()
    }

    /// Each compiler with whether it fails at any level.
    pub fn versions(&self) -> Vec<(&str, &str, bool)> {
        let mut versions: Vec<(&str, &str, bool)> = Vec::new();
        for tried in &self.tried {
            match versions
                .iter_mut()
                .find(|(name, ..)| *name == tried.compiler)
            {
                Some((_, _, fails)) => *fails |= tried.fails,
                None => versions.push((&tried.compiler, &tried.version, tried.fails)),
            }
        }
        versions
    }
}

/// The version number in what a compiler says of itself.
pub(crate) fn version_number(version: &str) -> Vec<u32> {
    let is_number =
        |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    let mut words = version.split(|c: char| !c.is_ascii_digit() && c != '.');
    let number = words.find(is_number).unwrap_or_default();
    number
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect()
}

/// A version number as people write it.
pub(crate) fn dotted(number: &[u32]) -> String {
    let parts: Vec<String> = number.iter().map(u32::to_string).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_numbers_sort_as_numbers() {
        let number = version_number;
        assert_eq!(number("gcc (Debian 12.2.0-14+deb12u1) 12.2.0"), [12, 2, 0]);
        assert_eq!(number("Debian clang version 9.0.1"), [9, 0, 1]);
        assert!(number("clang version 9.0.1") < number("clang version 19.1.7"));
        assert!(number("no number").is_empty());
    }

    #[test]
    fn the_first_right_version_is_above_the_accused_one() {
        let tried = |version: &str, fails| Tried {
            compiler: version.to_owned(),
            version: version.to_owned(),
            flags: "-O2".into(),
            fails,
        };
        let located = Located {
            tried: vec![
                tried("11.1", false),
                tried("12.1", true),
                tried("14.1", false),
                tried("13.1", false),
            ],
            ..Located::default()
        };
        assert_eq!(located.right_since("12.1"), Some(vec![13, 1]));
        assert_eq!(located.right_since("14.1"), None);
    }
}
