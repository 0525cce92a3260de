//! What programs are asked for.

use super::feature::{Feature, FeatureSet};
use clap::ValueEnum;
use std::ops::RangeInclusive;

/// The version of the generator: the same version makes the same program of a number.
pub const GENERATOR_VERSION: u32 = 4;

/// What programs consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgramMode {
    /// Functions, loops, pointers: everything.
    Mixed,
    /// Long arithmetic expressions.
    Orange,
}

/// How a program shows what it computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputCheck {
    /// A hash of all outputs, a line for each input vector.
    Hash,
    /// The outputs that are not as predicted, each on a line; status 1 if there are any.
    Asserts,
}

/// The language of a program. Those of C++ keep to what both languages share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgramLanguage {
    C,
    #[value(name = "c++")]
    CPlusPlus,
}

impl ProgramLanguage {
    /// What names of files end with.
    pub fn extension(self) -> &'static str {
        match self {
            ProgramLanguage::C => "c",
            ProgramLanguage::CPlusPlus => "cc",
        }
    }
}

/// What the programs of one call are to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateRequest {
    /// Bytes of a program, about.
    pub size: RangeInclusive<u32>,
    /// Input vectors; drawn if `None`.
    pub rows: Option<u32>,
    /// Features that every program may use and has; all may be used if empty.
    pub features: Vec<Feature>,
    /// Features that no program has.
    pub without: Vec<Feature>,
    /// Whether programs have policies.
    pub policies: bool,
    pub mode: ProgramMode,
    pub check: OutputCheck,
    pub language: ProgramLanguage,
}

impl Default for GenerateRequest {
    fn default() -> GenerateRequest {
        GenerateRequest {
            size: 10_000..=80_000,
            rows: None,
            features: Vec::new(),
            without: Vec::new(),
            policies: true,
            mode: ProgramMode::Mixed,
            check: OutputCheck::Hash,
            language: ProgramLanguage::C,
        }
    }
}

impl GenerateRequest {
    /// The features that programs may have.
    pub(super) fn allowed(&self) -> FeatureSet {
        let mut allowed = if self.features.is_empty() {
            FeatureSet::all()
        } else {
            self.features.iter().copied().collect()
        };
        for feature in &self.without {
            allowed.remove(*feature);
        }
        if self.language == ProgramLanguage::CPlusPlus {
            // Reading another member of a union is defined in C only.
            allowed.remove(Feature::Bytes);
            allowed.remove(Feature::Vector);
        }
        allowed
    }

    /// Whether a feature was named, so that no policy switches it off.
    pub(super) fn asked_for(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// The options that make the same programs again.
    pub(super) fn options(&self) -> String {
        let names = |features: &[Feature]| {
            let names = features.iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
            names.join(",")
        };
        let mut options = format!("--size {}..{}", self.size.start(), self.size.end());
        if let Some(rows) = self.rows {
            options += &format!(" --rows {rows}");
        }
        if !self.features.is_empty() {
            options += &format!(" --features {}", names(&self.features));
        }
        if !self.without.is_empty() {
            options += &format!(" --without {}", names(&self.without));
        }
        if !self.policies {
            options += " --no-policies";
        }
        if self.mode == ProgramMode::Orange {
            options += " --mode orange";
        }
        if self.check == OutputCheck::Asserts {
            options += " --check asserts";
        }
        if self.language == ProgramLanguage::CPlusPlus {
            options += " --language c++";
        }
        options
    }
}
