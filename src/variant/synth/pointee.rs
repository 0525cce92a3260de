//! What pointers of the seed point to, where that is known in every visit.
//!
//! A profile tells of a pointer which variable at file level it points to, and where into it;
//! of a local pointer that is set once, its initialiser does.
//! If the value there is recorded as well, `*p` is one more scalar: the evaluator follows the
//! pointer to the very cell that the variable's own name means, so a change by one name is
//! seen by the other.

use super::KnownScalar;
use super::scalar::SiteScalar;
use crate::code::ctype::{Type, Types};
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::table::{Column, Pointer, Table};
use crate::code::types::IntKind;
use crate::source::exact_pointers;
use crate::source::program::{AccessPath, LeafKind, PathStep, Program, SeedType, VariableId};
use crate::source::vocabulary::Vocabulary;
use crate::variant::profile::{LeafColumn, Profile, UNKNOWN_POINTER};
use std::collections::HashMap;
use std::sync::Arc;

/// A pointer to integers.
#[derive(Debug)]
pub(super) struct PointerForm {
    lvalue: Expr,
    kind: IntKind,
    /// Whether what it points to may be written through it.
    is_writable: bool,
    /// What it points to wherever it can be named, if its initialiser says so.
    fixed: Option<(VariableId, u64)>,
    pub(super) root: (String, Type),
}

/// Such a pointer at one point, which points to scalars that are known there.
#[derive(Clone, Debug)]
pub(super) struct SitePointer {
    /// In the point's sample.
    column: u32,
    form: Arc<PointerForm>,
}

impl SitePointer {
    /// The name of its variable.
    pub(super) fn name(&self) -> &str {
        &self.form.root.0
    }
}

/// The pointers of a profile's columns, and what the places in variables are.
#[derive(Debug)]
pub(super) struct PointerTargets {
    forms: Vec<Option<Arc<PointerForm>>>,
    /// By variable and offset in bytes: the columns there, of whatever type.
    places: HashMap<(VariableId, u64), Vec<u32>>,
}

impl PointerTargets {
    pub(super) fn new(
        program: &Program,
        vocabulary: &Vocabulary,
        profile: &Profile,
    ) -> PointerTargets {
        let mut fixed = exact_pointers::fixed(program);
        if !vocabulary.has_exact_pointers && fixed.is_empty() {
            return PointerTargets {
                forms: vec![],
                places: HashMap::new(),
            };
        }
        let columns = profile.columns.iter();
        let forms = columns.map(|column| {
            let form = form(program, vocabulary, column)?;
            let place = &column.place;
            let fixed = fixed
                .remove(&place.variable)
                .filter(|_| place.path.is_empty());
            let is_known = fixed.is_some() || vocabulary.has_exact_pointers;
            is_known.then(|| Arc::new(PointerForm { fixed, ..form }))
        });
        let mut places: HashMap<(VariableId, u64), Vec<u32>> = HashMap::new();
        for (at, column) in profile.columns.iter().enumerate() {
            if let Some(offset) = offset(program, &column.place) {
                let here = places.entry((column.place.variable, offset));
                here.or_default().push(at as u32);
            }
        }
        PointerTargets {
            forms: forms.collect(),
            places,
        }
    }

    /// The pointers of a sample that point to known scalars in every row.
    pub(super) fn at(
        &self,
        profile: &Profile,
        columns: &[u32],
        rows: &[Vec<u64>],
        known: &[SiteScalar],
    ) -> Vec<SitePointer> {
        if self.forms.is_empty() {
            return vec![];
        }
        let mut found = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let Some(form) = &self.forms[*column as usize] else {
                continue;
            };
            let pointer = SitePointer {
                column: at as u32,
                form: Arc::clone(form),
            };
            let targets = self.targets(&pointer, profile, columns, rows, known);
            found.extend(targets.map(|_| pointer));
        }
        found
    }

    /// The scalar that a pointer points to in each row, by its position among those known.
    pub(super) fn targets(
        &self,
        pointer: &SitePointer,
        profile: &Profile,
        columns: &[u32],
        rows: &[Vec<u64>],
        known: &[SiteScalar],
    ) -> Option<Vec<usize>> {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        let targets = rows.iter().map(|row| {
            let word = row[pointer.column as usize];
            if let Some(target) = seen.get(&word) {
                return Some(*target);
            }
            let place = match pointer.form.fixed {
                Some(place) => place,
                None if word == 0 || word == UNKNOWN_POINTER => return None,
                None => {
                    let object = *profile.objects.get((word >> 32) as usize - 1)?;
                    (object, u64::from(word as u32))
                }
            };
            let here = self.places.get(&place)?;
            let is_it = |one: &SiteScalar| {
                let column = columns[one.column as usize];
                here.contains(&column)
                    && one.form.kind == pointer.form.kind
                    && one.form.lvalue == one.form.read
            };
            let target = known.iter().position(is_it)?;
            seen.insert(word, target);
            Some(target)
        });
        targets.collect()
    }
}

impl SitePointer {
    /// Says in a table where the pointer points, in which all its targets are known; what it
    /// points to as one more scalar.
    pub(super) fn follow(
        &self,
        types: &Types,
        table: &mut Table,
        known: &[SiteScalar],
        targets: &[usize],
    ) -> Option<KnownScalar> {
        let evaluator = Evaluator::new(types);
        let (name, ty) = &self.form.root;
        if table.find(name).is_none() {
            table.add(types, name, ty.clone(), crate::code::table::State::Unknown)?;
        }
        let carriers = targets.iter().map(|target| {
            let (object, cell) = evaluator.cell(&known[*target].form.lvalue, table)?;
            Some(Pointer::To { object, cell }.encode())
        });
        let carriers: Option<Vec<i64>> = carriers.collect();
        if !evaluator.set(&self.form.lvalue, table, Column::values(carriers?)) {
            return None;
        }
        let lvalue = self.form.lvalue.clone().deref();
        let is_defined = evaluator.value(&lvalue, table).is_ok();
        is_defined.then(|| KnownScalar {
            column: self.column as usize,
            is_writable: self.form.is_writable
                && targets.iter().all(|target| known[*target].is_writable),
            is_static: targets.iter().all(|target| known[*target].form.is_static),
            is_opaque: true,
            is_exposed: true,
            is_addressable: false,
            root: self.form.root.clone(),
            ..KnownScalar::looked_at(lvalue, self.form.kind, true)
        })
    }
}

fn form(program: &Program, vocabulary: &Vocabulary, column: &LeafColumn) -> Option<PointerForm> {
    let LeafKind::Pointer { .. } = column.kind else {
        return None;
    };
    let variable = program.variable(column.place.variable);
    if vocabulary.has_restrict {
        return None;
    }
    let scalar = vocabulary.scalar(program, &column.place)?;
    let Type::Pointer {
        to,
        constant,
        volatile: false,
    } = &scalar.ty
    else {
        return None;
    };
    let Type::Int(kind) = **to else {
        return None;
    };
    Some(PointerForm {
        kind,
        is_writable: !constant,
        fixed: None,
        lvalue: scalar.lvalue,
        root: (variable.name.clone(), vocabulary.ty(variable.ty.id).clone()),
    })
}

/// Where a part of a variable lies, in bytes from its start.
fn offset(program: &Program, place: &AccessPath) -> Option<u64> {
    let types = &program.types;
    let mut ty = program.variable(place.variable).ty.id;
    let mut offset = 0;
    for step in &place.path {
        match (step, types.get(ty)) {
            (PathStep::Index(index), SeedType::Array { element, .. }) => {
                offset += index * types.info(element.id).size?;
                ty = element.id;
            }
            (PathStep::Field(name), SeedType::Record(record)) => {
                let record = types.record(*record);
                let mut fields = record.fields.iter().flatten();
                let field = fields.find(|field| field.name.as_deref() == Some(name))?;
                if record.is_union || field.bit_width.is_some() {
                    return None;
                }
                offset += field.offset? / 8;
                ty = field.ty.id;
            }
            _ => return None,
        }
    }
    Some(offset)
}
