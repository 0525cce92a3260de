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
    /// The levels and other flags under which the accused compiler fails.
    pub fn failing_flags(&self, compiler: &str) -> Vec<&str> {
        let own = self.tried.iter().filter(|tried| tried.compiler == compiler);
        own.filter(|tried| tried.fails)
            .map(|tried| tried.flags.as_str())
            .collect()
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
