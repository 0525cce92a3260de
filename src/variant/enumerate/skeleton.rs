//! A program as a skeleton: its holes, their classes, and the programs that filling them
//! makes.

use super::classes::{HoleGroup, group_holes};
use super::count::TooManyStates;
use super::holes::{SkeletonHole, find_holes};
use super::pattern::Choice;
use super::product::Product;
use super::settings::EnumerationSettings;
use super::size::SkeletonSize;
use crate::source::edit::{Conflict, Edits};
use crate::source::program::{Program, VariableId};
use std::collections::HashSet;

/// The holes of a program and what they can be filled with.
#[derive(Debug)]
pub struct Skeleton<'p> {
    program: &'p Program,
    holes: Vec<SkeletonHole>,
    groups: Vec<HoleGroup>,
    product: Product,
}

impl<'p> Skeleton<'p> {
    pub fn new(
        program: &'p Program,
        settings: EnumerationSettings,
    ) -> Result<Skeleton<'p>, TooManyStates> {
        let holes = find_holes(program, settings.types);
        let groups = group_holes(program, &holes, settings);
        let factors = groups.iter().map(|group| group.factor(&holes));
        let product = Product::new(factors.collect())?;
        Ok(Skeleton {
            program,
            holes,
            groups,
            product,
        })
    }

    /// In the order of the text.
    // Used by tests only.
    pub fn holes(&self) -> &[SkeletonHole] {
        &self.holes
    }

    /// The fillings as combinatorics knows them.
    pub fn product(&self) -> &Product {
        &self.product
    }

    pub(crate) fn size(&self) -> SkeletonSize {
        let all = || self.holes.iter().flat_map(|hole| &hole.candidates);
        let variables: HashSet<&VariableId> = all().collect();
        let variables = || variables.iter().map(|id| self.program.variable(**id));
        let types = variables().map(|variable| self.program.types.get(variable.ty.id));
        let functions = self.holes.iter().map(|hole| hole.function);
        SkeletonSize {
            holes: self.holes.len(),
            functions: functions.collect::<HashSet<_>>().len(),
            scopes: variables().map(|v| v.scope).collect::<HashSet<_>>().len(),
            types: types.collect::<HashSet<_>>().len(),
            candidates: all().count(),
            naive: self.product.naive(),
            canonical: self.product.count(),
        }
    }

    /// The variable of each hole, from the choices of each factor of the product.
    pub fn variables<'c>(&self, filling: impl Iterator<Item = &'c [Choice]>) -> Vec<VariableId> {
        let mut variables: Vec<VariableId> = self.holes.iter().map(|hole| hole.variable).collect();
        for (group, choices) in self.groups.iter().zip(filling) {
            for (hole, choice) in group.holes.iter().zip(choices) {
                variables[*hole] = group.classes[choice.class as usize][choice.member as usize];
            }
        }
        variables
    }

    /// The name in each hole.
    pub fn names(&self, variables: &[VariableId]) -> Vec<&'p str> {
        let names = variables.iter().map(|id| &self.program.variable(*id).name);
        names.map(String::as_str).collect()
    }

    /// The program with a variable in each hole.
    pub fn text(&self, variables: &[VariableId]) -> Result<Vec<u8>, Conflict> {
        let mut edits = Edits::new();
        for (hole, variable) in self.holes.iter().zip(variables) {
            if hole.variable != *variable {
                edits.replace(hole.span, self.program.variable(*variable).name.as_bytes());
            }
        }
        edits.render(&self.program.source)
    }
}
