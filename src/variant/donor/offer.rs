//! What a place offers to donors, and the dice that choose from it.

use super::needs::signature;
use super::{BoundName, Donor, Graft, Hole, Home, Likeness, Need, Piece, Shape};
use crate::code::types::IntKind;
use crate::source::program::{FunctionId, Meaning, Program, SeedType, StatementId, VariableId};
use crate::source::seed::hash_source;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::{HashMap, HashSet};

/// What a whole program offers; the offers of its places are made from it.
#[derive(Debug)]
pub struct Catalogue<'p> {
    program: &'p Program,
    hash: u64,
    /// By the number of a variable; `None` for those that may not be named.
    shapes: Vec<Option<Shape>>,
    /// Functions that may be called, with the holes they fill.
    functions: Vec<(FunctionId, Hole)>,
    /// By the number of a function: labels that any of its places may jump to.
    labels: HashMap<FunctionId, Vec<String>>,
}

/// What can be named at one place.
#[derive(Debug)]
pub struct Offer {
    at: StatementId,
    /// All variables of integer type.
    integers: Vec<VariableId>,
    by_shape: HashMap<Shape, Vec<VariableId>>,
    functions: Vec<usize>,
    may_break: bool,
    may_continue: bool,
    result: Shape,
}

impl<'p> Catalogue<'p> {
    pub fn new(program: &'p Program) -> Catalogue<'p> {
        let shapes = (0..program.variables.len()).map(|index| {
            let id = VariableId(index as u32);
            program
                .is_usable(id)
                .then(|| Shape::of(program, program.variable(id).ty))
        });
        let functions = (0..program.functions.len()).filter_map(|index| {
            let id = FunctionId(index as u32);
            let function = program.function(id);
            // What a header declares and the seed calls can be linked with.
            let may_be_called = match function.definition {
                Some(_) => program.is_callable(function),
                None => function.is_from_header,
            };
            let hole = signature(program, id).filter(|_| may_be_called)?;
            Some((id, hole))
        });
        let labels = program.definitions().map(|(id, _, definition)| {
            let labels = program.labels(definition);
            (id, labels.iter().map(|label| label.to_string()).collect())
        });
        Catalogue {
            program,
            hash: hash_source(&program.source),
            shapes: shapes.collect(),
            functions: functions.collect(),
            labels: labels.collect(),
        }
    }

    /// What can be named before a statement.
    pub fn offer(&self, at: StatementId) -> Offer {
        let program = self.program;
        let place = program.statement(at);
        let mut integers = Vec::new();
        let mut by_shape: HashMap<Shape, Vec<VariableId>> = HashMap::new();
        let names = program.names_at(at);
        for name in names.iter().filter(|name| !name.is_macro_too) {
            let Meaning::Variable(id) = name.meaning else {
                continue;
            };
            let Some(shape) = &self.shapes[id.index()] else {
                continue;
            };
            if !program.is_complete_at(id, at) {
                continue;
            }
            if matches!(shape, Shape::Int(_)) {
                integers.push(id);
            }
            if let Shape::Array { .. } = shape {
                by_shape.entry(shape.of_any_length()).or_default().push(id);
            }
            by_shape.entry(shape.clone()).or_default().push(id);
        }
        let local: HashMap<&str, Meaning> = names
            .iter()
            .map(|name| (name.text.as_str(), name.meaning))
            .collect();
        let is_visible = |(index, (id, _)): (usize, &(FunctionId, Hole))| {
            let function = program.function(*id);
            let is_known = match local.get(function.name.as_str()) {
                Some(meaning) => *meaning == Meaning::Function(*id),
                None => function.is_from_header && function.declared_at <= place.span.start,
            };
            is_known.then_some(index)
        };
        let function = program.function(place.function);
        let result = match program.types.get(function.ty.id) {
            SeedType::Function { result, .. } => Shape::of(program, *result),
            _ => Shape::Void,
        };
        let (may_break, may_continue) = program.jumps(at);
        Offer {
            at,
            integers,
            by_shape,
            functions: self
                .functions
                .iter()
                .enumerate()
                .filter_map(is_visible)
                .collect(),
            may_break,
            may_continue,
            result,
        }
    }

    /// Fills the holes of a donor from an offer, if it has something for each; names
    /// that the donor declares carry the mutation's number.
    pub fn graft(
        &self,
        donor: &Donor,
        offer: &Offer,
        number: u32,
        rng: &mut impl Rng,
    ) -> Option<Graft> {
        let fits = (offer.may_break || !donor.needs_break)
            && (offer.may_continue || !donor.needs_continue)
            && donor.returns.as_ref().is_none_or(|r| offer.takes(r))
            && donor
                .home
                .as_ref()
                .is_none_or(|home| self.is_home(home, offer));
        if !fits {
            return None;
        }
        let mut bindings = Vec::with_capacity(donor.holes.len());
        for (index, hole) in donor.holes.iter().enumerate() {
            bindings.push(match hole {
                Hole::Variable(need) => {
                    let variable = self.variable(need, offer, rng)?;
                    BoundName::Variable(self.program.variable(variable).name.clone())
                }
                Hole::Function { .. } => BoundName::Function(self.function(hole, offer, rng)?),
                Hole::Label => {
                    let function = self.program.statement(offer.at).function;
                    BoundName::Label(self.labels.get(&function)?.choose(rng)?.clone())
                }
                Hole::OwnVariable => BoundName::Own(format!("mestra_{number}_v{index}")),
                Hole::OwnLabel => BoundName::Own(format!("mestra_{number}_l{index}")),
            });
        }
        let graft = Graft {
            pieces: donor.pieces.clone(),
            bindings,
            statements: donor.statements,
            edges: donor.edges,
        };
        (!uses_macro(&graft, &self.program.macros)).then_some(graft)
    }

    fn is_home(&self, home: &Home, offer: &Offer) -> bool {
        let place = self.program.statement(offer.at).span.start;
        home.source == self.hash && home.from <= place
    }

    fn variable(&self, need: &Need, offer: &Offer, rng: &mut impl Rng) -> Option<VariableId> {
        let candidates = match need.likeness {
            Likeness::AnyInteger => Some(&offer.integers),
            Likeness::AnyLength => offer.by_shape.get(&need.shape.of_any_length()),
            Likeness::SameType | Likeness::Identical { .. } => offer.by_shape.get(&need.shape),
        }?;
        let fits = |id: &&VariableId| {
            let variable = self.program.variable(**id);
            let ty = variable.ty;
            let is_like = match need.likeness {
                Likeness::Identical {
                    is_const,
                    is_volatile,
                } => {
                    !variable.is_register
                        && (ty.is_const, ty.is_volatile) == (is_const, is_volatile)
                }
                _ => true,
            };
            is_like && !(need.is_written && ty.is_const)
        };
        // Most candidates fit, so a few throws are cheaper than a look at all.
        let mut throws = (0..8).filter_map(|_| candidates.choose(rng));
        throws.find(fits).copied()
    }

    fn function(&self, hole: &Hole, offer: &Offer, rng: &mut impl Rng) -> Option<String> {
        let like: Vec<&Hole> = offer
            .functions
            .iter()
            .map(|index| &self.functions[*index].1)
            .filter(|other| is_alike(hole, other))
            .collect();
        let same = like.iter().find(|other| other.name() == hole.name());
        let chosen = same.or_else(|| like.choose(rng))?;
        chosen.name().map(String::from)
    }
}

impl Offer {
    /// Whether `return` may have such a value.
    fn takes(&self, returned: &Shape) -> bool {
        let are_integers = matches!((returned, &self.result), (Shape::Int(from), Shape::Int(to))
            // Anything may be converted to `_Bool`, a pointer, too.
            if *from != IntKind::Bool || from == to);
        are_integers || *returned == self.result
    }
}

impl Hole {
    fn name(&self) -> Option<&str> {
        match self {
            Hole::Function { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// Whether two functions have the same type.
fn is_alike(one: &Hole, other: &Hole) -> bool {
    match (one, other) {
        (
            Hole::Function {
                result, parameters, ..
            },
            Hole::Function {
                result: other_result,
                parameters: other_parameters,
                ..
            },
        ) => result == other_result && parameters == other_parameters,
        _ => false,
    }
}

/// Whether a word of the text, which may be a keyword, is a macro of the program.
fn uses_macro(graft: &Graft, macros: &HashSet<String>) -> bool {
    let mut texts = graft.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        Piece::Hole(_) => None,
    });
    let is_macro = |text: &str| {
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.any(|word| macros.contains(word))
    };
    texts.any(is_macro) || graft.bindings.iter().any(|b| macros.contains(b.name()))
}
