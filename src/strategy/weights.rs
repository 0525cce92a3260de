//! How often each kind of mutation is made: the one table.

use crate::mutation::Kind;
use std::str::FromStr;

/// A weight for each kind; kinds of equal weight are made equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights([u32; Kind::ALL.len()]);

impl Default for Weights {
    fn default() -> Weights {
        Weights([1; Kind::ALL.len()])
    }
}

impl Weights {
    pub fn get(self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }

    fn sum(self) -> u32 {
        self.0.iter().sum()
    }
}

/// As typed: `false_block=1,true_guard=2`; kinds that are not named have none.
impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Weights, String> {
        let mut weights = Weights([0; Kind::ALL.len()]);
        for entry in text.split(',') {
            let (name, weight) = entry.split_once('=').ok_or("weights look like KIND=N,…")?;
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            let kind = kind.ok_or_else(|| format!("there is no kind {name}"))?;
            let weight: u16 = weight
                .parse()
                .map_err(|_| format!("the weight of {name} is a number up to 65535"))?;
            weights.0[kind as usize] = weight.into();
        }
        match weights.sum() {
            0 => Err("one kind at least needs a weight".into()),
            _ => Ok(weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_typed() {
        let weights: Weights = "true_guard=3,true_block=1".parse().unwrap();
        assert_eq!(weights.get(Kind::TrueGuard), 3);
        assert_eq!(weights.get(Kind::FalseBlock), 0);
        for wrong in ["", "true_guard", "true_guard=-1", "other=1", "true_guard=0"] {
            assert!(wrong.parse::<Weights>().is_err(), "{wrong}");
        }
    }
}
