//! Which features programs of a mode and a language can have.

use super::feature::Feature;
use super::request::{GenerateRequest, ProgramMode};

/// Features that snippets alone have.
const OF_SNIPPETS: [Feature; 3] = [Feature::Room, Feature::Extensions, Feature::Ieee];

/// Features that snippets do not have.
const NOT_OF_SNIPPETS: [Feature; 6] = [
    Feature::Carried,
    Feature::Searches,
    Feature::FarCounters,
    Feature::Nests,
    Feature::FunctionPointers,
    Feature::DeadUndefined,
];

/// All that expressions over global numbers can have.
const OF_ORANGE: [Feature; 9] = [
    Feature::Divisions,
    Feature::Products,
    Feature::Shifts,
    Feature::Wide,
    Feature::Narrow,
    Feature::Choices,
    Feature::Shapes,
    Feature::Builtins,
    Feature::Float,
];

impl ProgramMode {
    /// Whether programs of this mode can have a feature.
    fn can_have(self, feature: Feature) -> bool {
        match self {
            ProgramMode::Mixed => !OF_SNIPPETS.contains(&feature),
            ProgramMode::Orange => OF_ORANGE.contains(&feature),
            ProgramMode::Snippets => !NOT_OF_SNIPPETS.contains(&feature),
        }
    }
}

impl GenerateRequest {
    /// Features that were named although no program of this mode and language has them.
    pub fn named_in_vain(&self) -> Vec<Feature> {
        let can_have = |feature: &Feature| {
            let alone = GenerateRequest {
                features: vec![*feature],
                without: Vec::new(),
                ..self.clone()
            };
            self.mode.can_have(*feature) && alone.allowed().has(*feature)
        };
        let named = self.features.iter().chain(&self.with).copied();
        named.filter(|feature| !can_have(feature)).collect()
    }

    /// Whether programs may call everyday functions, which libclang has to read first.
    pub fn may_borrow(&self) -> bool {
        self.mode.can_have(Feature::Everyday) && self.allowed().has(Feature::Everyday)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ProgramLanguage, generate};
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn what_a_mode_cannot_have_changes_nothing_if_it_is_left_out() {
        for mode in ProgramMode::value_variants() {
            let request = GenerateRequest {
                size: 2_000..=3_000,
                with: vec![Feature::BitInt, Feature::Ieee],
                policies: false,
                mode: *mode,
                ..GenerateRequest::default()
            };
            let program = |request: &GenerateRequest, number| {
                let text = generate(request, number).text;
                // Its title names the options.
                text.split_once('\n').map(|(_, text)| text.to_owned())
            };
            let whole = [1, 2].map(|number| program(&request, number));
            for feature in Feature::value_variants() {
                // Without a function there is nothing to call, though dice are cast for it.
                if mode.can_have(*feature) || *feature == Feature::Calls {
                    continue;
                }
                let without = GenerateRequest {
                    without: vec![*feature],
                    ..request.clone()
                };
                let left = [1, 2].map(|number| program(&without, number));
                assert_eq!(left, whole, "{mode:?} without {feature:?}");
            }
        }
    }

    #[test]
    fn what_is_named_in_vain_is_known() {
        let mut request = GenerateRequest {
            features: vec![Feature::Gotos, Feature::Shifts],
            with: vec![Feature::BitInt],
            mode: ProgramMode::Orange,
            ..GenerateRequest::default()
        };
        let vain = [Feature::Gotos, Feature::BitInt];
        assert_eq!(request.named_in_vain(), vain);
        assert!(!request.may_borrow());
        request.mode = ProgramMode::Mixed;
        assert_eq!(request.named_in_vain(), []);
        request.language = ProgramLanguage::CPlusPlus;
        assert_eq!(request.named_in_vain(), [Feature::BitInt]);
        assert!(GenerateRequest::default().may_borrow());
    }
}
