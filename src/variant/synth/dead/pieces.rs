//! What structured statements are made of where nothing runs, and what code can do with
//! pointers and whole objects.

use super::DeadBody;
use crate::code::ctype::{Type, Types};
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::variant::synth::structure::{Array, Pieces};
use rand::Rng;
use rand::seq::IndexedRandom;

impl<R: Rng> DeadBody<'_, '_, R> {
    pub(super) fn structure(&mut self) -> Option<Stmt> {
        let pieces = self.pieces();
        self.synth.structure(&pieces)
    }

    /// Some of what is in scope.
    pub(super) fn pieces(&mut self) -> Pieces {
        let mut operands: Vec<Expr> = (0..5).filter_map(|_| self.scalar(false)).collect();
        for operand in &mut operands {
            *operand = self.synth.types.clear(operand.clone());
        }
        operands.extend(self.counters.iter().cloned());
        let targets: Vec<Expr> = (0..3).filter_map(|_| self.scalar(true)).collect();
        let can_be = |target: &&Expr| self.can_be_pointed_to(target);
        Pieces {
            addressable: targets.iter().filter(can_be).cloned().collect(),
            bounds: operands.iter().map(|one| (one.clone(), 4)).collect(),
            arrays: self.arrays(false),
            written: self.arrays(true),
            operands,
            targets,
            turns: if self.synth.one_in(5) { 100 } else { 10 },
            is_wild: self.synth.undefined,
        }
    }

    /// The arrays of integers in scope.
    fn arrays(&self, is_written: bool) -> Vec<Array> {
        let variables = self.around.variables.iter();
        let array = |(base, ty, is_const): &(Expr, Type, bool)| {
            let Type::Array { of, len } = ty else {
                return None;
            };
            let is_plain = matches!(**of, Type::Int(_)) && *len > 0 && *len < 1_000;
            (is_plain && !(is_written && *is_const)).then(|| Array {
                base: base.clone(),
                len: *len,
            })
        };
        variables.filter_map(array).collect()
    }

    fn can_be_pointed_to(&self, object: &Expr) -> bool {
        let is_register = match object {
            Expr::Var(var) => self.around.registers.contains(&var.name),
            _ => false,
        };
        let address = object.clone().address_of();
        !is_register && self.synth.types.type_of(&address).is_ok()
    }

    /// A pointer of the program made to point somewhere else, or nowhere.
    pub(super) fn pointing(&mut self) -> Option<Expr> {
        let pointers = self
            .around
            .variables
            .iter()
            .filter_map(|(var, ty, is_const)| {
                let Type::Pointer { to, .. } = ty else {
                    return None;
                };
                (!is_const && leads_to_integer(to)).then_some((var, ty, to))
            });
        let pointers: Vec<_> = pointers.collect();
        let (pointer, ty, to) = *pointers.choose(self.synth.rng)?;
        let others = self.around.variables.iter();
        let mut values: Vec<Expr> = others
            .filter_map(|(var, other, is_const)| {
                let is_object = *other == **to && !is_const && self.can_be_pointed_to(var);
                match other {
                    _ if is_object => Some(var.clone().address_of()),
                    Type::Array { of, .. } if *of == *to && !is_const => {
                        Some(var.clone().index(Expr::int(0)).address_of())
                    }
                    _ if other == ty => Some(var.clone()),
                    _ => None,
                }
            })
            .collect();
        values.push(Expr::Null(ty.clone()));
        let value = values.choose(self.synth.rng)?.clone();
        Some(Expr::assign(pointer.clone(), value))
    }

    /// Whether no member of a type is const, as far as we know its members.
    fn can_be_assigned(&self, ty: &Type) -> bool {
        match ty {
            Type::Array { of, .. } => self.can_be_assigned(of),
            Type::Record(name) => self.synth.types.get(name).is_some_and(|record| {
                let mut fields = record.fields.iter();
                fields.all(|field| !field.constant && self.can_be_assigned(&field.ty))
            }),
            Type::Opaque(_) | Type::Void => false,
            _ => true,
        }
    }

    /// A struct of the program made equal to another.
    pub(super) fn whole_copy(&mut self) -> Option<Expr> {
        let is_whole = |(_, ty, _): &&(Expr, Type, bool)| {
            matches!(ty, Type::Record(_)) && self.can_be_assigned(ty)
        };
        let objects: Vec<_> = self.around.variables.iter().filter(is_whole).collect();
        let (to, ty, is_const) = objects.choose(self.synth.rng)?;
        let others = objects.iter().filter(|(_, other, _)| other == ty);
        let others: Vec<_> = others.collect();
        let (from, ..) = others.choose(self.synth.rng)?;
        let is_fixed = *is_const || has_const_member(self.synth.types, ty);
        (!is_fixed).then(|| Expr::assign(to.clone(), from.clone()))
    }
}

/// Whether some member of a struct, however deep, is const: then the whole cannot be
/// assigned to.
fn has_const_member(types: &Types, ty: &Type) -> bool {
    match ty {
        Type::Array { of, .. } => has_const_member(types, of),
        Type::Record(name) => types.get(name).is_none_or(|record| {
            let mut fields = record.fields.iter();
            fields.any(|field| field.constant || has_const_member(types, &field.ty))
        }),
        _ => false,
    }
}

/// Whether a type can be spelled anywhere: other types may be hidden where a pointer to
/// them is not.
fn leads_to_integer(ty: &Type) -> bool {
    match ty {
        Type::Int(_) => true,
        Type::Pointer { to, .. } => leads_to_integer(to),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ctype::Field;
    use crate::code::types::{IntKind, Target};

    #[test]
    fn a_const_member_is_found_however_deep() {
        let mut types = Types::new(Target::LP64);
        let plain = types.define("struct plain", vec![Field::new("x", IntKind::Int)]);
        let fixed = Field {
            constant: true,
            ..Field::new("x", IntKind::Int)
        };
        let inner = types.define("struct inner", vec![fixed]);
        let outer = types.define("struct outer", vec![Field::new("in", inner.array(2))]);
        assert!(!has_const_member(&types, &plain));
        assert!(has_const_member(&types, &outer));
    }
}
