//! What programs are asked for.

use super::feature::{Feature, FeatureSet};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The version of the generator: the same version makes the same program of a number.
pub const GENERATOR_VERSION: u32 = 13;

/// How the command that makes a program begins.
const TITLE: &str = "mestra generate --seed ";

/// What programs consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramMode {
    /// Functions, loops, pointers: everything.
    Mixed,
    /// Long arithmetic expressions.
    Orange,
    /// Many short functions that have nothing to do with each other.
    Snippets,
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
    /// Features that every program may use and has; if empty, all may be used that most
    /// compilers have.
    pub features: Vec<Feature>,
    /// Features that only some compilers have and that may be used all the same.
    pub with: Vec<Feature>,
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
            with: Vec::new(),
            without: Vec::new(),
            policies: true,
            mode: ProgramMode::Mixed,
            check: OutputCheck::Hash,
            language: ProgramLanguage::C,
        }
    }
}

impl GenerateRequest {
    /// The same for a compiler that has all of [`Feature::OPTIONAL`] but these.
    pub(crate) fn without_optional(&self, lacks: &[Feature]) -> GenerateRequest {
        let (rare, usual): (Vec<Feature>, Vec<Feature>) = Feature::OPTIONAL
            .iter()
            .partition(|feature| feature.is_rare());
        let is_lacking = |feature: &Feature| lacks.contains(feature);
        let mut request = self.clone();
        request.features.retain(|feature| !is_lacking(feature));
        // Where features are named, there are no others.
        if request.features.is_empty() {
            request.with = rare.into_iter().filter(|f| !is_lacking(f)).collect();
            let unnamed =
                |feature: &Feature| is_lacking(feature) && !self.without.contains(feature);
            request.without.extend(usual.into_iter().filter(unnamed));
        }
        request
    }

    /// The features that programs may have.
    pub(super) fn allowed(&self) -> FeatureSet {
        let mut allowed: FeatureSet = if self.features.is_empty() {
            let all = FeatureSet::all().iter();
            all.filter(|feature| !feature.is_rare() || self.with.contains(feature))
                .collect()
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
            // Their text is C.
            allowed.remove(Feature::Extensions);
            // Not every compiler of C++ has them.
            allowed.remove(Feature::BitInt);
            allowed.remove(Feature::Room);
        }
        allowed
    }

    /// Whether a feature was named, so that no policy switches it off.
    pub(super) fn asked_for(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// The number and the options in the comment at the top of a program; `None` if it is not
    /// one of these programs.
    pub fn of_program(text: &[u8]) -> Option<(u64, GenerateRequest)> {
        let line = text.split(|byte| *byte == b'\n').next()?;
        let line = std::str::from_utf8(line).ok()?.strip_prefix("/* ")?;
        let mut words = line.strip_prefix(TITLE)?.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut request = GenerateRequest::default();
        while let Some(option) = words.next() {
            if option == "--no-policies" {
                request.policies = false;
                continue;
            }
            let value = words.next()?;
            match option {
                "--size" => {
                    let (least, most) = value.split_once("..")?;
                    request.size = least.parse().ok()?..=most.parse().ok()?;
                }
                "--rows" => request.rows = Some(value.parse().ok()?),
                "--features" => request.features = named(value)?,
                "--with" => request.with = named(value)?,
                "--without" => request.without = named(value)?,
                "--mode" => request.mode = ProgramMode::from_str(value, false).ok()?,
                "--check" => request.check = OutputCheck::from_str(value, false).ok()?,
                "--language" => request.language = ProgramLanguage::from_str(value, false).ok()?,
                _ => return None,
            }
        }
        Some((number, request))
    }

    /// The command that makes the program of a number again.
    pub fn title(&self, number: u64) -> String {
        format!("{TITLE}{number} {}", self.options())
    }

    /// The options that make the same programs again.
    fn options(&self) -> String {
        let names = |features: &[Feature]| {
            let names: Vec<String> = features.iter().map(|feature| feature.name()).collect();
            names.join(",")
        };
        let mut options = format!("--size {}..{}", self.size.start(), self.size.end());
        if let Some(rows) = self.rows {
            options += &format!(" --rows {rows}");
        }
        if !self.features.is_empty() {
            options += &format!(" --features {}", names(&self.features));
        }
        if !self.with.is_empty() {
            options += &format!(" --with {}", names(&self.with));
        }
        if !self.without.is_empty() {
            options += &format!(" --without {}", names(&self.without));
        }
        if !self.policies {
            options += " --no-policies";
        }
        match self.mode {
            ProgramMode::Mixed => {}
            ProgramMode::Orange => options += " --mode orange",
            ProgramMode::Snippets => options += " --mode snippets",
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

/// Features by their names.
fn named(names: &str) -> Option<Vec<Feature>> {
    let names = names.split(',');
    names
        .map(|name| Feature::from_str(name, false).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_what_it_was_made_of() {
        let requests = [
            GenerateRequest::default(),
            GenerateRequest {
                size: 2_000..=3_000,
                rows: Some(4),
                features: vec![Feature::Loops, Feature::FarCounters],
                with: vec![Feature::BitInt],
                without: vec![Feature::Vector],
                policies: false,
                mode: ProgramMode::Snippets,
                check: OutputCheck::Asserts,
                language: ProgramLanguage::CPlusPlus,
            },
        ];
        for request in requests {
            let text = format!("/* {}\n   generator\n", request.title(71));
            let read = GenerateRequest::of_program(text.as_bytes());
            assert_eq!(read, Some((71, request)));
        }
        assert_eq!(GenerateRequest::of_program(b"int main(void) {}"), None);
        let other = b"/* mestra generate --seed 1 --colour red\n";
        assert_eq!(GenerateRequest::of_program(other), None);
    }
}
