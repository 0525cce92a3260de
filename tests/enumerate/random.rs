//! Random programs: what is listed is compared with all fillings and all renamings.

use super::generate::{Generated, generate};
use crate::support::{in_parallel, try_program};
use mestra::dice::{self, Draw};
use mestra::source::program::{Program, VariableId};
use mestra::variant::enumerate::{
    ClassRule, EnumerationSettings, FillingWalk, HoleScope, Ranking, Skeleton, TypeRule,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Programs with more fillings are left out.
const MOST: usize = 1500;

fn naive(made: &Generated) -> usize {
    let sizes = made.holes.iter().map(|hole| hole.candidates.len());
    sizes.fold(1, |product, size| product.saturating_mul(size))
}

/// All fillings, by numbers of variables.
fn fillings(made: &Generated) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![vec![]];
    for hole in &made.holes {
        let longer = found.iter().flat_map(|filling| {
            let candidates = hole.candidates.iter();
            candidates.map(move |variable| [filling.as_slice(), &[*variable]].concat())
        });
        found = longer.collect();
    }
    found
}

/// A permissible exchange of two variables in some holes.
struct Exchange {
    variables: (usize, usize),
    holes: Vec<usize>,
}

impl Exchange {
    fn apply(&self, filling: &[usize]) -> Vec<usize> {
        let (one, other) = self.variables;
        let mut renamed = filling.to_vec();
        for hole in &self.holes {
            renamed[*hole] = match renamed[*hole] {
                variable if variable == one => other,
                variable if variable == other => one,
                variable => variable,
            };
        }
        renamed
    }
}

/// All exchanges that leave the program the same, as the settings have it.
fn exchanges(made: &Generated, settings: EnumerationSettings) -> Vec<Exchange> {
    let mut found = Vec::new();
    let functions: Vec<Option<usize>> = match settings.scope {
        HoleScope::Program => vec![None],
        HoleScope::Function => vec![Some(0), Some(1)],
    };
    let variables = &made.variables;
    for function in functions {
        let is_inside = |hole: &usize| function.is_none_or(|f| made.holes[*hole].function == f);
        let inside: Vec<usize> = (0..made.holes.len()).filter(is_inside).collect();
        let outside = (0..made.holes.len()).filter(|hole| !inside.contains(hole));
        let outside: HashSet<usize> = outside
            .flat_map(|hole| made.holes[hole].candidates.iter().copied())
            .collect();
        for one in 0..variables.len() {
            for other in one + 1..variables.len() {
                let (v, w) = (&variables[one], &variables[other]);
                let fills_alike = |hole: &usize| {
                    let candidates = &made.holes[*hole].candidates;
                    candidates.contains(&one) == candidates.contains(&other)
                };
                let is_alike = v.scope == w.scope && v.ty == w.ty && inside.iter().all(fills_alike);
                let is_declared_alike = v.is_const == w.is_const
                    && v.value == w.value
                    && v.row == w.row
                    && !v.is_parameter
                    && !w.is_parameter
                    && !outside.contains(&one)
                    && !outside.contains(&other);
                if is_alike && (settings.classes == ClassRule::Paper || is_declared_alike) {
                    found.push(Exchange {
                        variables: (one, other),
                        holes: inside.clone(),
                    });
                }
            }
        }
    }
    found
}

/// The number of the orbit of each filling.
fn orbits(made: &Generated, settings: EnumerationSettings) -> HashMap<Vec<usize>, usize> {
    let exchanges = exchanges(made, settings);
    let mut orbit: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut number = 0;
    for filling in fillings(made) {
        if orbit.contains_key(&filling) {
            continue;
        }
        let mut open = vec![filling];
        while let Some(filling) = open.pop() {
            let renamed = exchanges.iter().map(|exchange| exchange.apply(&filling));
            let new: Vec<Vec<usize>> = renamed.filter(|next| !orbit.contains_key(next)).collect();
            orbit.insert(filling, number);
            open.extend(new);
        }
        number += 1;
    }
    orbit
}

fn settings() -> Vec<EnumerationSettings> {
    let scopes = [HoleScope::Function, HoleScope::Program];
    let both = scopes.into_iter().flat_map(|scope| {
        [ClassRule::Exact, ClassRule::Paper].map(|classes| EnumerationSettings {
            classes,
            scope,
            types: TypeRule::Strict,
        })
    });
    both.collect()
}

/// Lists all programs with their ranks, and compares them with the orbits.
fn check(made: &Generated, program: &Program, settings: EnumerationSettings) -> Result<(), String> {
    let said = |what: String| Err(format!("{settings:?}: {what}\n{}", made.text));
    let skeleton = Skeleton::new(program, settings).map_err(|error| error.to_string())?;
    let own: Vec<Vec<usize>> = skeleton
        .holes()
        .iter()
        .map(|hole| hole.candidates.iter().map(|id| id.index()).collect())
        .collect();
    let expected: Vec<Vec<usize>> = made
        .holes
        .iter()
        .map(|hole| hole.candidates.clone())
        .collect();
    if own != expected {
        return said(format!("candidates {own:?} instead of {expected:?}"));
    }
    let orbits = orbits(made, settings);
    let mut listed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut texts = HashSet::new();
    let product = skeleton.product();
    let ranking = Ranking::new(product).map_err(|error| error.to_string())?;
    let mut walk = FillingWalk::from_seed(product);
    for rank in 0u32.. {
        let choices: Vec<_> = walk.filling().map(<[_]>::to_vec).collect();
        if ranking.rank(&choices) != rank.into() || ranking.unrank(&rank.into()) != Some(choices) {
            return said(format!("rank {rank} is not found again"));
        }
        let variables = skeleton.variables(walk.filling());
        let filling: Vec<usize> = variables.iter().map(|id| id.index()).collect();
        if rank == 0 && filling != made.holes.iter().map(|h| h.variable).collect::<Vec<_>>() {
            return said("the first is not the seed".into());
        }
        let Some(orbit) = orbits.get(&filling) else {
            return said(format!("{filling:?} is no filling"));
        };
        if let Some(before) = listed.insert(*orbit, filling.clone()) {
            return said(format!("{before:?} and {filling:?} are one program"));
        }
        let text = skeleton
            .text(&variables)
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        if rank < 3 {
            reads_as(&text, &variables)?;
        }
        if !texts.insert(text) {
            return said(format!("the text of {filling:?} comes twice"));
        }
        if !walk.advance() {
            break;
        }
    }
    let number = orbits.values().collect::<HashSet<_>>().len();
    if listed.len() == number && product.count() == number.into() {
        Ok(())
    } else {
        said(format!(
            "{} listed, {} counted, {number} there",
            listed.len(),
            product.count()
        ))
    }
}

/// Reads a filled program again: its holes must hold what was put there.
fn reads_as(text: &str, variables: &[VariableId]) -> Result<(), String> {
    let again = try_program(text, &[]).map_err(|refused| format!("{refused}\n{text}"))?;
    let skeleton = Skeleton::new(&again, EnumerationSettings::default());
    let skeleton = skeleton.map_err(|error| error.to_string())?;
    let read: Vec<VariableId> = skeleton.holes().iter().map(|hole| hole.variable).collect();
    if read == variables {
        Ok(())
    } else {
        Err(format!("{read:?} instead of {variables:?}\n{text}"))
    }
}

#[test]
fn of_200_random_programs_each_orbit_is_listed_once() {
    let mut rng = dice::generator(11, 0, Draw::Filling);
    let mut programs = Vec::new();
    while programs.len() < 200 {
        let made = generate(&mut rng);
        if made.holes.len() >= 2 && naive(&made) <= MOST {
            programs.push(made);
        }
    }
    let larger = programs.iter().filter(|made| naive(made) > 50).count();
    assert!(larger > 50, "{larger}");
    in_parallel(&programs, |made| {
        let program = try_program(&made.text, &[]).map_err(|e| format!("{e}\n{}", made.text))?;
        settings()
            .into_iter()
            .try_for_each(|settings| check(made, &program, settings))
    });
}
