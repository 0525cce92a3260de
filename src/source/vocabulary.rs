//! The seed's types and variables as types and variables of `code/`.
//!
//! Structs are named uniquely, since two of a program's may share a tag; the
//! names never reach the text, because synthesised code declares objects of no struct but
//! our own ones.

use super::exact_pointers;
use super::open;
use super::own_structs;
use super::program::{
    Access, AccessPath, PathStep, Program, RecordId, SeedType, TypeId, Use, Variable, VariableId,
};
use crate::code::ctype::{Field, Type, Types};
use crate::code::expr::Expr;

/// A program's types, translated once.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub types: Types,
    /// Whether the program has restrict pointers anywhere.
    pub has_restrict: bool,
    /// Whether `abort` can be called, and is the one of the library.
    pub(crate) may_abort: bool,
    /// Whether floating-point numbers have the same bits with every compiler.
    pub(crate) has_settled_floats: bool,
    /// Whether a pointer that is equal to the address of a variable points to it.
    pub(crate) has_exact_pointers: bool,
    /// By the program's type number.
    translated: Vec<Type>,
    /// Whether a variable accumulates, by its number.
    lasting: Vec<bool>,
}

/// A scalar of the seed as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeedScalar {
    pub lvalue: Expr,
    pub ty: Type,
    pub is_const: bool,
}

impl Vocabulary {
    pub fn new(program: &Program) -> Vocabulary {
        let translated: Vec<Type> = (0..program.types.types.len())
            .map(|index| translate(program, TypeId(index as u32), 0))
            .collect();
        let mut types = Types::new(program.target);
        own_structs::define(&mut types);
        for index in 0..program.types.records.len() {
            let id = RecordId(index as u32);
            let mut fields = Vec::new();
            let is_known = if program.types.record(id).is_union {
                collect_common(program, &translated, id, &mut fields)
            } else {
                collect_fields(program, &translated, id, &mut fields)
            };
            if is_known {
                types.define(&record_name(id), fields);
            }
        }
        Vocabulary {
            types,
            may_abort: program.abort_is_of_the_library(),
            has_settled_floats: open::are_settled(program),
            has_exact_pointers: exact_pointers::are_all_exact(program),
            has_restrict: has_restrict(program) || program.hands_out_memory,
            translated,
            lasting: lasting(program),
        }
    }

    /// Whether the value of a variable influences all of its later values.
    pub(crate) fn is_lasting(&self, id: VariableId) -> bool {
        self.lasting[id.index()]
    }

    /// A type of the program.
    pub(crate) fn ty(&self, id: TypeId) -> &Type {
        &self.translated[id.index()]
    }

    /// A whole variable.
    pub(crate) fn variable(&self, program: &Program, id: VariableId) -> Expr {
        let variable = program.variable(id);
        Expr::var(&variable.name, self.ty(variable.ty.id).clone())
    }

    /// A scalar part of a variable; `None` where the path does not fit the type.
    pub(crate) fn scalar(&self, program: &Program, place: &AccessPath) -> Option<SeedScalar> {
        let variable = program.variable(place.variable);
        let mut lvalue = self.variable(program, place.variable);
        let mut ty = self.ty(variable.ty.id);
        let mut is_const = variable.ty.is_const || program.types.has_const_elements(variable.ty);
        for step in &place.path {
            match (step, ty) {
                (PathStep::Index(index), Type::Array { of, len }) if index < len => {
                    lvalue = lvalue.index(Expr::int(i32::try_from(*index).ok()?));
                    ty = of;
                }
                (PathStep::Field(name), Type::Record(record)) => {
                    let record = self.types.get(record)?;
                    let field = record.fields.iter().find(|field| *field.name == **name)?;
                    lvalue = lvalue.field(name);
                    ty = &field.ty;
                    is_const |= field.constant;
                }
                _ => return None,
            }
        }
        ty.is_computable().then(|| SeedScalar {
            lvalue,
            ty: ty.clone(),
            is_const,
        })
    }
}

/// Whether a variable is never simply overwritten: each statement that writes it also reads
/// it. This holds for checksums and for variables that never change.
fn lasting(program: &Program) -> Vec<bool> {
    let variables = program.variables.iter();
    let is_closed = |variable: &Variable| {
        !variable.address_taken
            && !variable.storage.is_automatic()
            && !variable.ty.is_const
            && !matches!(program.types.get(variable.ty.id), SeedType::Array { .. })
    };
    let mut lasting: Vec<bool> = variables.map(is_closed).collect();
    let mut read = vec![false; lasting.len()];
    let parts = program.statements.iter().flat_map(|one| &one.parts);
    for uses in parts.map(|part| program.uses_of(part)) {
        for one in uses {
            let at = one.variable.index();
            read[at] |= one.access == Access::Read;
            let is_of_it = |other: &&Use| other.variable == one.variable;
            let mut others = uses.iter().filter(is_of_it);
            if one.access.writes() && !others.any(|other| other.access == Access::Read) {
                lasting[at] &= one.access == Access::ReadWrite;
            }
        }
    }
    let both = lasting.into_iter().zip(read);
    both.map(|(lasts, is_read)| lasts && is_read).collect()
}

fn has_restrict(program: &Program) -> bool {
    let of_variables = program.variables.iter().map(|variable| variable.ty);
    let of_fields = program.types.records.iter();
    let of_fields = of_fields.flat_map(|record| record.fields.iter().flatten());
    let of_parts = program
        .types
        .types
        .iter()
        .filter_map(|info| match &info.ty {
            SeedType::Array { element: part, .. } | SeedType::Pointer { to: part } => Some(*part),
            _ => None,
        });
    of_variables
        .chain(of_fields.map(|field| field.ty))
        .chain(of_parts)
        .any(|ty| ty.is_restrict)
}

fn record_name(id: RecordId) -> String {
    format!("record {}", id.0)
}

fn translate(program: &Program, id: TypeId, depth: u32) -> Type {
    let opaque = || Type::Opaque("opaque".into());
    // Pointers to pointers can nest without limit; a few levels are enough.
    if depth > 12 {
        return opaque();
    }
    match program.types.get(id) {
        SeedType::Void => Type::Void,
        SeedType::Int(kind) => Type::Int(*kind),
        SeedType::Float(kind) => Type::Float(*kind),
        SeedType::Enum {
            name,
            underlying: Some(kind),
        } => Type::enumeration(name.as_deref().unwrap_or("unnamed"), *kind),
        SeedType::Pointer { to } => Type::Pointer {
            to: translate(program, to.id, depth + 1).into(),
            constant: to.is_const || program.types.has_const_elements(*to),
            volatile: to.is_volatile,
        },
        SeedType::Array {
            element,
            length: Some(length),
        } => translate(program, element.id, depth + 1).array(*length),
        SeedType::Record(record) if is_modelled(program, *record) => {
            Type::record(&record_name(*record))
        }
        _ => opaque(),
    }
}

/// Whether something of a struct or union can be read.
fn is_modelled(program: &Program, id: RecordId) -> bool {
    !program.types.record(id).is_union || program.common_member(id).is_some()
}

/// The one member of a union that is read: to trees, the union is a struct of it.
fn collect_common(
    program: &Program,
    translated: &[Type],
    id: RecordId,
    fields: &mut Vec<Field>,
) -> bool {
    let Some(common) = program.common_member(id) else {
        return false;
    };
    let members = program.types.record(id).fields.as_ref();
    let Some(member) = members.and_then(|members| members.get(common.field)) else {
        return false;
    };
    let Some(name) = &member.name else {
        return false;
    };
    fields.push(Field {
        name: name.as_str().into(),
        ty: translated[member.ty.id.index()].clone(),
        bits: None,
        constant: member.ty.is_const || !common.is_whole,
    });
    true
}

/// The named members in order, those of anonymous structs as if they were the
/// parent's own; false for an incomplete struct.
fn collect_fields(
    program: &Program,
    translated: &[Type],
    id: RecordId,
    fields: &mut Vec<Field>,
) -> bool {
    let Some(members) = &program.types.record(id).fields else {
        return false;
    };
    for member in members {
        let constant = member.ty.is_const || program.types.has_const_elements(member.ty);
        match (&member.name, program.types.get(member.ty.id)) {
            (Some(name), _) => fields.push(Field {
                name: name.as_str().into(),
                ty: translated[member.ty.id.index()].clone(),
                bits: member.bit_width,
                constant,
            }),
            (None, SeedType::Record(inner)) if is_modelled(program, *inner) => {
                let first = fields.len();
                let is_union = program.types.record(*inner).is_union;
                let collect = if is_union {
                    collect_common
                } else {
                    collect_fields
                };
                if !collect(program, translated, *inner, fields) {
                    return false;
                }
                for field in &mut fields[first..] {
                    field.constant |= constant;
                }
            }
            // Padding, and members of an anonymous union that are never read.
            (None, _) => {}
        }
    }
    true
}
