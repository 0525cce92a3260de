//! Scalar parts of variables: what a row has a column for.

use super::Program;
use super::ids::{RecordId, TypeId, VariableId};
use super::types::{Qualified, SeedType};
use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use serde::{Deserialize, Serialize};

/// A variable, or a field or element at a constant place in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccessPath {
    pub variable: VariableId,
    pub path: Vec<PathStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathStep {
    Field(String),
    Index(u64),
}

/// A scalar that can be named and read by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leaf {
    pub place: AccessPath,
    pub kind: LeafKind,
    pub is_const: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeafKind {
    Integer {
        kind: IntKind,
        /// For a bit-field.
        bit_width: Option<u32>,
    },
    Float {
        kind: FloatKind,
    },
    Pointer {
        to: TypeId,
    },
}

impl Program {
    /// The scalar leaves of a variable in memory order, `limit` at most.
    ///
    /// Left out are volatile and atomic parts, types we cannot evaluate, and parts
    /// without a name. Of a union there is the member that can be read whichever was
    /// written last, if there is one.
    pub fn leaves(&self, variable: VariableId, limit: usize) -> Vec<Leaf> {
        let ty = self.variable(variable).ty;
        let mut walk = LeafWalk::new(self, variable, limit, u64::MAX);
        walk.visit(ty, None);
        walk.found
    }

    /// One leaf for each path through the type of a variable; of an array only the first
    /// element, since all are alike.
    pub(super) fn sample_leaves(&self, variable: VariableId) -> Vec<Leaf> {
        let mut walk = LeafWalk::new(self, variable, usize::MAX, 1);
        walk.visit(self.variable(variable).ty, None);
        walk.found
    }

    /// The place as C code.
    pub fn place_text(&self, place: &AccessPath) -> String {
        let mut text = self.variable(place.variable).name.clone();
        for step in &place.path {
            match step {
                PathStep::Field(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

struct LeafWalk<'p> {
    program: &'p Program,
    variable: VariableId,
    path: Vec<PathStep>,
    found: Vec<Leaf>,
    limit: usize,
    /// How many elements of each array are looked at.
    elements: u64,
}

impl<'p> LeafWalk<'p> {
    fn new(program: &'p Program, variable: VariableId, limit: usize, elements: u64) -> Self {
        LeafWalk {
            program,
            variable,
            path: Vec::new(),
            found: Vec::new(),
            limit,
            elements,
        }
    }

    fn visit(&mut self, ty: Qualified, bit_width: Option<u32>) {
        if self.found.len() >= self.limit || ty.is_volatile {
            return;
        }
        let types = &self.program.types;
        match types.get(ty.id) {
            SeedType::Int(_) | SeedType::Enum { .. } => {
                if let Some(kind) = types.integer(ty.id) {
                    self.push(LeafKind::Integer { kind, bit_width }, ty.is_const);
                }
            }
            SeedType::Float(kind) if kind.precision().is_some() => {
                self.push(LeafKind::Float { kind: *kind }, ty.is_const);
            }
            SeedType::Pointer { to } => self.push(LeafKind::Pointer { to: to.id }, ty.is_const),
            SeedType::Array {
                element,
                length: Some(length),
            } => {
                let element = inherit(*element, ty);
                let before = self.found.len();
                for index in 0..(*length).min(self.elements) {
                    self.path.push(PathStep::Index(index));
                    self.visit(element, None);
                    self.path.pop();
                    // Elements are alike: if the first has no leaf, none has.
                    if self.found.len() == before || self.found.len() >= self.limit {
                        break;
                    }
                }
            }
            SeedType::Record(record) => {
                let id = *record;
                let record = types.record(id);
                if record.is_union {
                    self.visit_union(id, ty);
                    return;
                }
                for field in record.fields.iter().flatten() {
                    let inner = inherit(field.ty, ty);
                    match &field.name {
                        // Where it is defined, the name means something else.
                        Some(name) if self.program.macros.contains(name) => {}
                        Some(name) => {
                            self.path.push(PathStep::Field(name.clone()));
                            self.visit(inner, field.bit_width);
                            self.path.pop();
                        }
                        // Fields of an anonymous struct are named as if they were its parent's.
                        None if field.bit_width.is_none() => self.visit(inner, None),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn visit_union(&mut self, union: RecordId, ty: Qualified) {
        let Some(common) = self.program.common_member(union) else {
            return;
        };
        let fields = self.program.types.record(union).fields.iter().flatten();
        let Some((field, name)) = fields
            .skip(common.field)
            .find_map(|field| Some((field, field.name.as_ref()?)))
        else {
            return;
        };
        let mut inner = inherit(field.ty, ty);
        // A write to it would leave the other bytes without values.
        inner.is_const |= !common.is_whole;
        self.path.push(PathStep::Field(name.clone()));
        self.visit(inner, None);
        self.path.pop();
    }

    fn push(&mut self, kind: LeafKind, is_const: bool) {
        let place = AccessPath {
            variable: self.variable,
            path: self.path.clone(),
        };
        self.found.push(Leaf {
            place,
            kind,
            is_const,
        });
    }
}

/// Parts of a const or volatile object are so too.
fn inherit(inner: Qualified, outer: Qualified) -> Qualified {
    Qualified {
        is_const: inner.is_const || outer.is_const,
        is_volatile: inner.is_volatile || outer.is_volatile,
        ..inner
    }
}
