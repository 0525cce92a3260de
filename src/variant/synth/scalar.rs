//! The scalars that live code may use.
//!
//! A program may have thousands of points that each know hundreds of scalars, so a point keeps
//! of a scalar only what differs from point to point. What a scalar is at all, its tree and the
//! type of its variable, is there once for all of them. Without that, the 2,300 points of one
//! program of 240 KB took 700 MB, three times over where variants were chained.

use super::float::KnownFloat;
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::types::IntKind;
use crate::source::program::{LeafKind, Program};
use crate::source::vocabulary::Vocabulary;
use crate::variant::profile::{LeafColumn, Profile};
use std::cell::OnceCell;
use std::sync::Arc;

/// A scalar that live code may use.
#[derive(Clone, Debug)]
pub(crate) struct KnownScalar {
    pub(super) column: usize,
    /// Whether its variable lives as long as the program.
    pub is_static: bool,
    pub lvalue: Expr,
    /// The scalar as an operand: cast where compilers disagree on its type.
    pub read: Expr,
    pub kind: IntKind,
    pub is_writable: bool,
    /// Whether optimisers hardly know its value: it is in memory that was seen to change,
    /// or differs from visit to visit.
    pub is_opaque: bool,
    /// Whether it is there until the program ends, and what it holds goes into all that it
    /// will hold.
    pub is_lasting: bool,
    /// Whether it is so and was seen to change: a sum of what the program computes.
    pub is_sum: bool,
    /// Whether its variable can be changed behind an optimiser's back: its address is taken,
    /// or it is more than one scalar. Others become registers where all is inlined.
    pub(super) is_exposed: bool,
    /// Whether it is a variable of ours that other files could change.
    pub is_outside: bool,
    /// Whether its variable may be pointed to.
    pub is_addressable: bool,
    pub(super) root: (String, Type),
}

/// A scalar at one point, of which there are very many.
#[derive(Clone, Debug)]
pub(super) struct SiteScalar {
    /// In the point's sample.
    pub(super) column: u32,
    pub(super) is_writable: bool,
    pub(super) is_opaque: bool,
    pub(super) is_sum: bool,
    /// What it is everywhere.
    pub(super) form: Arc<KnownScalar>,
}

impl SiteScalar {
    /// All of it, for the few that are used.
    pub(super) fn known(&self) -> KnownScalar {
        KnownScalar {
            column: self.column as usize,
            is_writable: self.is_writable,
            is_opaque: self.is_opaque,
            is_sum: self.is_sum,
            ..(*self.form).clone()
        }
    }
}

/// What the scalars of a profile's columns are, each made when first asked for.
#[derive(Debug)]
pub(super) struct ScalarForms<'a> {
    program: &'a Program,
    vocabulary: &'a Vocabulary,
    columns: &'a [LeafColumn],
    made: Vec<OnceCell<Option<Arc<KnownScalar>>>>,
    made_floats: Vec<OnceCell<Option<Arc<KnownFloat>>>>,
}

impl<'a> ScalarForms<'a> {
    pub(super) fn new(
        program: &'a Program,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
    ) -> ScalarForms<'a> {
        ScalarForms {
            program,
            vocabulary,
            columns: &profile.columns,
            made: profile.columns.iter().map(|_| OnceCell::new()).collect(),
            made_floats: profile.columns.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// `None` if live code may nowhere use the column's scalar.
    pub(super) fn of_column(&self, column: u32) -> Option<Arc<KnownScalar>> {
        let made = self.made[column as usize].get_or_init(|| {
            let form = self.make(&self.columns[column as usize]);
            form.map(Arc::new)
        });
        made.clone()
    }

    /// `None` if live code may nowhere use the column's number.
    pub(super) fn float_of_column(&self, column: u32) -> Option<Arc<KnownFloat>> {
        let made = self.made_floats[column as usize].get_or_init(|| {
            let form = self.make_float(&self.columns[column as usize]);
            form.map(Arc::new)
        });
        made.clone()
    }

    fn make_float(&self, column: &LeafColumn) -> Option<KnownFloat> {
        let (program, vocabulary) = (self.program, self.vocabulary);
        let LeafKind::Float { kind } = column.kind else {
            return None;
        };
        let variable = program.variable(column.place.variable);
        let is_restricted = vocabulary.has_restrict && variable.address_taken;
        if is_restricted || !vocabulary.has_settled_floats {
            return None;
        }
        let scalar = vocabulary.scalar(program, &column.place)?;
        Some(KnownFloat {
            kind,
            is_writable: !scalar.is_const,
            is_opaque: false,
            is_addressable: !variable.is_register,
            is_static: !variable.storage.is_automatic(),
            is_exposed: variable.address_taken || !column.place.path.is_empty(),
            lvalue: scalar.lvalue,
            root: (variable.name.clone(), vocabulary.ty(variable.ty.id).clone()),
        })
    }

    fn make(&self, column: &LeafColumn) -> Option<KnownScalar> {
        let (program, vocabulary) = (self.program, self.vocabulary);
        let LeafKind::Integer { kind, .. } = column.kind else {
            return None;
        };
        let variable = program.variable(column.place.variable);
        // An access by name to what a restrict pointer points to would be
        // undefined, and the pointer may be that of any caller.
        if vocabulary.has_restrict && variable.address_taken {
            return None;
        }
        let scalar = vocabulary.scalar(program, &column.place)?;
        let ty = vocabulary.ty(variable.ty.id).clone();
        Some(KnownScalar {
            column: usize::MAX,
            is_static: !variable.storage.is_automatic(),
            read: vocabulary.types.clear(scalar.lvalue.clone()),
            is_writable: !scalar.is_const,
            is_opaque: false,
            is_lasting: vocabulary.is_lasting(column.place.variable),
            is_sum: false,
            is_exposed: variable.address_taken || !column.place.path.is_empty(),
            lvalue: scalar.lvalue,
            kind,
            is_outside: false,
            is_addressable: !variable.is_register,
            root: (variable.name.clone(), ty),
        })
    }
}

impl KnownScalar {
    /// A local of our own, which any code may write.
    pub(crate) fn local(name: &str, kind: IntKind) -> KnownScalar {
        let lvalue = Expr::var(name, kind);
        KnownScalar {
            column: usize::MAX,
            is_static: false,
            read: lvalue.clone(),
            lvalue,
            kind,
            is_writable: true,
            is_opaque: false,
            is_lasting: false,
            is_sum: false,
            is_exposed: false,
            is_outside: false,
            is_addressable: true,
            root: (name.to_owned(), kind.into()),
        }
    }

    /// Something else that is looked at as an integer, and that nothing may write.
    pub(super) fn looked_at(read: Expr, kind: IntKind, is_opaque: bool) -> KnownScalar {
        KnownScalar {
            lvalue: read.clone(),
            read,
            is_writable: false,
            is_opaque,
            is_addressable: false,
            ..KnownScalar::local("", kind)
        }
    }

    /// A variable of our own at file level, which only code that never runs may write.
    pub(crate) fn outside(name: &str, kind: IntKind) -> KnownScalar {
        KnownScalar {
            is_static: true,
            is_writable: false,
            is_opaque: true,
            is_outside: true,
            ..KnownScalar::local(name, kind)
        }
    }
}

impl KnownScalar {
    /// The array that it is an element of, and which.
    pub(super) fn element(&self) -> Option<(&Expr, u64)> {
        let Expr::Index { base, index } = &self.lvalue else {
            return None;
        };
        let Expr::Const(at) = &**index else {
            return None;
        };
        Some((base, u64::try_from(at.math()).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_at_a_point_takes_two_words() {
        assert!(size_of::<SiteScalar>() <= 16);
    }
}
