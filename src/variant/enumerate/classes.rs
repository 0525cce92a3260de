//! Classes of interchangeable variables, and the patterns they make of holes.
//!
//! Two variables are of one class if they are of one scope and type, can fill the same
//! holes and, with exact classes, are declared alike and are used in these holes only.
//! The same set of holes takes care of shadowing and of the order of declarations, and
//! makes all permutations inside classes, and no others, permissible.

use super::alike::{Declarations, DeclaredAs};
use super::holes::SkeletonHole;
use super::pattern::{Choice, Pattern};
use super::product::Factor;
use super::settings::{ClassRule, EnumerationSettings, HoleScope, TypeRule};
use crate::source::program::{Access, FunctionId, Program, ScopeId, SeedType, Span, VariableId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Holes that are filled together, with what stands behind their pattern.
#[derive(Clone, Debug)]
pub(super) struct HoleGroup {
    /// The numbers of its holes in the order of enumeration.
    pub(super) holes: Vec<usize>,
    /// The variables of each class, those that the seed names first in front: so the
    /// seed's own filling is canonical.
    pub(super) classes: Vec<Vec<VariableId>>,
}

/// What the variables of a class have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ClassKey<'p> {
    scope: ScopeId,
    ty: Option<&'p SeedType>,
    declared: Option<DeclaredAs>,
    holes: Vec<usize>,
}

/// The groups of a program's holes.
pub(super) fn group_holes(
    program: &Program,
    holes: &[SkeletonHole],
    settings: EnumerationSettings,
) -> Vec<HoleGroup> {
    let mut members: BTreeMap<Option<FunctionId>, Vec<usize>> = BTreeMap::new();
    for (index, hole) in holes.iter().enumerate() {
        let group = match settings.scope {
            HoleScope::Function => Some(hole.function),
            HoleScope::Program => None,
        };
        members.entry(group).or_default().push(index);
    }
    let members: Vec<Vec<usize>> = members.into_values().collect();
    let homes = Homes::new(program, holes, &members);
    let declarations = match settings.classes {
        ClassRule::Exact => Some(Declarations::new(program)),
        ClassRule::Paper => None,
    };
    let has_types = settings.types == TypeRule::Strict || settings.classes == ClassRule::Exact;
    let groups = members.into_iter().enumerate().map(|(group, members)| {
        let key = |variable: VariableId, filled: Vec<usize>| {
            let about = program.variable(variable);
            let declared = declarations.as_ref().map(|declarations| {
                if homes.is_only(variable, group) {
                    declarations.declared_as(variable)
                } else {
                    DeclaredAs::Alone(variable)
                }
            });
            ClassKey {
                scope: about.scope,
                ty: has_types.then(|| program.types.get(about.ty.id)),
                declared,
                holes: filled,
            }
        };
        HoleGroup::new(holes, &members, key)
    });
    groups.collect()
}

impl HoleGroup {
    fn new<'p>(
        holes: &[SkeletonHole],
        members: &[usize],
        key: impl Fn(VariableId, Vec<usize>) -> ClassKey<'p>,
    ) -> HoleGroup {
        let mut filled: BTreeMap<VariableId, Vec<usize>> = BTreeMap::new();
        for &hole in members {
            for &variable in &holes[hole].candidates {
                filled.entry(variable).or_default().push(hole);
            }
        }
        let mut classes: Vec<Vec<VariableId>> = Vec::new();
        let mut known: HashMap<ClassKey<'p>, usize> = HashMap::new();
        for (variable, filled) in filled {
            let class = *known.entry(key(variable, filled)).or_insert(classes.len());
            match classes.get_mut(class) {
                Some(class) => class.push(variable),
                None => classes.push(vec![variable]),
            }
        }
        let holes_in_order = in_components(holes, members, &classes);
        let mut first: HashMap<VariableId, usize> = HashMap::new();
        for (place, hole) in holes_in_order.iter().enumerate() {
            first.entry(holes[*hole].variable).or_insert(place);
        }
        for class in &mut classes {
            class.sort_by_key(|variable| {
                (
                    first.get(variable).copied().unwrap_or(usize::MAX),
                    *variable,
                )
            });
        }
        HoleGroup {
            holes: holes_in_order,
            classes,
        }
    }

    /// The pattern of the group, and the seed's filling.
    pub(super) fn factor(&self, holes: &[SkeletonHole]) -> Factor {
        let choices = choices(&self.classes);
        let classes_of = |hole: &usize| -> Vec<u32> {
            let candidates = holes[*hole].candidates.iter();
            let classes: BTreeSet<u32> = candidates.map(|id| choices[id].class).collect();
            classes.into_iter().collect()
        };
        let sizes = self.classes.iter().map(|class| class.len() as u32);
        let seed = self
            .holes
            .iter()
            .map(|hole| choices[&holes[*hole].variable]);
        Factor {
            pattern: Pattern::new(sizes.collect(), self.holes.iter().map(classes_of).collect()),
            seed: seed.collect(),
        }
    }
}

/// Each variable by its class and its place there.
fn choices(classes: &[Vec<VariableId>]) -> HashMap<VariableId, Choice> {
    let mut choices = HashMap::new();
    for (class, members) in (0..).zip(classes) {
        for (member, variable) in (0..).zip(members) {
            choices.insert(*variable, Choice { class, member });
        }
    }
    choices
}

/// Holes in the order of the text, but those that share no class apart: then a class is
/// forgotten before the next ones come, and counting stays cheap. A class of one
/// variable connects nothing, as there is nothing to remember about it.
fn in_components(
    holes: &[SkeletonHole],
    members: &[usize],
    classes: &[Vec<VariableId>],
) -> Vec<usize> {
    let choices = choices(classes);
    // The first hole of the component of each class.
    let mut component: Vec<Option<usize>> = vec![None; classes.len()];
    let large = |hole: usize| -> BTreeSet<usize> {
        let candidates = holes[hole].candidates.iter();
        let of = candidates.map(|id| choices[id].class as usize);
        of.filter(|class| classes[*class].len() > 1).collect()
    };
    for &hole in members {
        let own = large(hole);
        let known: BTreeSet<usize> = own.iter().filter_map(|class| component[*class]).collect();
        let first = known.first().copied().unwrap_or(hole);
        for (class, of) in component.iter_mut().enumerate() {
            if own.contains(&class) || of.is_some_and(|of| known.contains(&of)) {
                *of = Some(first);
            }
        }
    }
    let mut order = members.to_vec();
    let first = |hole: usize| large(hole).first().and_then(|class| component[*class]);
    order.sort_by_key(|hole| (first(*hole).unwrap_or(*hole), *hole));
    order
}

/// Where variables are named or could be: the group of holes, or none where the name is
/// fixed.
#[derive(Debug)]
struct Homes {
    homes: HashMap<VariableId, BTreeSet<Option<usize>>>,
}

impl Homes {
    fn new(program: &Program, holes: &[SkeletonHole], groups: &[Vec<usize>]) -> Homes {
        let mut homes: HashMap<VariableId, BTreeSet<Option<usize>>> = HashMap::new();
        let mut group_at: HashMap<Span, usize> = HashMap::new();
        for (group, members) in groups.iter().enumerate() {
            for hole in members.iter().map(|hole| &holes[*hole]) {
                group_at.insert(hole.span, group);
                for candidate in &hole.candidates {
                    homes.entry(*candidate).or_default().insert(Some(group));
                }
            }
        }
        // Under `sizeof` only the type matters, and that is the same in a class.
        let uses = program.uses.iter();
        for used in uses.filter(|used| used.access != Access::Unevaluated) {
            let home = group_at.get(&used.span).copied();
            homes.entry(used.variable).or_default().insert(home);
        }
        Homes { homes }
    }

    /// Whether a variable is named, and can be, in one group of holes only.
    fn is_only(&self, variable: VariableId, group: usize) -> bool {
        let mut homes = self.homes.get(&variable).into_iter().flatten();
        homes.all(|home| *home == Some(group))
    }
}
