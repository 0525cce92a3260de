//! Structs: their types, locals that hold them, copies, and members that are set in a row.

use super::SnippetWriter;
use crate::code::ctype::{Field, Type};
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use rand::Rng;

impl SnippetWriter {
    /// A new struct type.
    pub(super) fn some_record(&mut self) -> Type {
        let name = self.fresh("struct s");
        let mut fields = Vec::new();
        for number in 0..self.dice.random_range(1..=4) {
            let name = format!("m{number}");
            fields.push(if self.has(Feature::BitFields) && self.percent(35) {
                let kind = self.one_of(&[IntKind::Int, IntKind::UInt]);
                let width = self.dice.random_range(1..=31);
                Field::bits(&name, kind, width)
            } else if !self.records.is_empty() && self.percent(12) {
                let at = self.dice.random_range(0..self.records.len());
                Field::new(&name, self.records[at].clone())
            } else if self.percent(15) {
                let most = self.one_of(&[4, 4, 4, 24]);
                let (kind, len) = (self.any_kind(), self.dice.random_range(1..=most));
                Field::new(&name, Type::Int(kind).array(len))
            } else {
                Field::new(&name, self.any_kind())
            });
        }
        self.types.define(&name, fields)
    }

    pub(super) fn some_known_record(&mut self) -> Option<Type> {
        let count = self.records.len();
        (count > 0).then(|| self.records[self.dice.random_range(0..count)].clone())
    }

    /// A struct type whose members point to objects in sight, for locals of the snippet.
    pub(super) fn make_holder(&mut self) {
        let Some(target) = self.plain_variable() else {
            return;
        };
        let mut fields = vec![Field::new("m0", target.ty.pointer())];
        for number in 1..self.dice.random_range(2..=4) {
            let kind = self.kind();
            fields.push(Field::new(&format!("m{number}"), kind));
        }
        if self.percent(30) {
            fields.rotate_left(1);
        }
        let name = self.fresh("struct s");
        self.holder = Some(self.types.define(&name, fields));
    }

    /// A local of such a type, unless nothing is in sight that it could point to.
    pub(super) fn local_holder(&mut self) -> Option<()> {
        let ty = self.holder.clone()?;
        let Type::Record(name) = &ty else {
            return None;
        };
        let mut items = Vec::new();
        for field in self.types.get(name)?.fields.clone() {
            items.push(match &field.ty {
                Type::Pointer { to, .. } => {
                    let targets = self.objects.iter().filter(|var| var.ty == **to);
                    let targets: Vec<Var> = targets.cloned().collect();
                    let at = self.dice.random_range(0..targets.len().max(1));
                    Expr::Var(targets.get(at)?.clone()).address_of()
                }
                _ => self.leaf(),
            });
        }
        let var = self.var("r", ty);
        self.declare_list(var, items);
        Some(())
    }

    /// A local struct: a copy of another, one whose members are all named, or one that nobody
    /// has set yet.
    pub(super) fn local_record(&mut self) -> Option<()> {
        let ty = self.some_known_record()?;
        let var = self.var("r", ty.clone());
        let places = self.record_places().into_iter();
        let same: Vec<Expr> = places
            .filter(|(_, of)| *of == ty)
            .map(|(place, _)| place)
            .collect();
        let init = match self.dice.random_range(0..10) {
            0 | 1 => None,
            2..8 if !same.is_empty() => {
                let at = self.dice.random_range(0..same.len());
                Some(Init::Value(same[at].clone()))
            }
            _ => {
                let scalars = self.types.cells(&ty)?;
                let items = (0..scalars).map(|cell| {
                    let value = self.constant();
                    self.listed(&ty, cell, value)
                });
                Some(Init::List(items.collect()))
            }
        };
        self.declarations.push(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init,
        }));
        self.objects.push(var);
        Some(())
    }

    /// The structs in sight, those in arrays and in other structs too, with their types.
    fn record_places(&mut self) -> Vec<(Expr, Type)> {
        let mut places = Vec::new();
        for var in self.objects.clone() {
            self.add_record_places(Expr::Var(var.clone()), &var.ty, &mut places);
        }
        places
    }

    fn add_record_places(&mut self, place: Expr, ty: &Type, places: &mut Vec<(Expr, Type)>) {
        match ty {
            Type::Record(name) => {
                places.push((place.clone(), ty.clone()));
                let fields = self.types.get(name).map(|record| record.fields.clone());
                for field in fields.unwrap_or_default() {
                    if matches!(field.ty, Type::Record(_)) {
                        self.add_record_places(place.clone().field(&field.name), &field.ty, places);
                    }
                }
            }
            Type::Array { of, len } if matches!(**of, Type::Record(_)) => {
                for _ in 0..2 {
                    let index = self.index(*len);
                    self.add_record_places(place.clone().index(index), of, places);
                }
            }
            Type::Pointer { to, .. } if matches!(**to, Type::Record(_)) => {
                self.add_record_places(place.deref(), to, places);
            }
            _ => {}
        }
    }

    /// A struct to return, if the type is one.
    pub(super) fn returned_record(&mut self, ty: &Type) -> Option<Expr> {
        let Type::Record(_) = ty else {
            return None;
        };
        let known = self.objects.iter().filter(|var| var.ty == *ty);
        let known: Vec<Var> = known.cloned().collect();
        let at = self.dice.random_range(0..known.len().max(1));
        known.get(at).cloned().map(Expr::Var)
    }

    /// `a = b;` of structs.
    pub(super) fn record_copy(&mut self) -> Stmt {
        let places = self.record_places();
        if places.len() < 2 {
            return self.assignment();
        }
        let (to, ty) = places[self.dice.random_range(0..places.len())].clone();
        let others = places.into_iter();
        let others = others.filter(|(other, of)| *of == ty && *other != to);
        let others: Vec<Expr> = others.map(|(other, _)| other).collect();
        if others.is_empty() {
            return self.assignment();
        }
        let at = self.dice.random_range(0..others.len());
        if self.percent(40)
            && let Some(call) = self.call_giving(&ty)
        {
            return Stmt::Expr(Expr::assign(to, call));
        }
        let from = others[at].clone();
        if others.len() > 1 && self.percent(30) {
            // Through a third one, which is another or the same.
            let between = others[self.dice.random_range(0..others.len())].clone();
            return Stmt::Expr(Expr::assign(to, Expr::assign(between, from)));
        }
        Stmt::Expr(Expr::assign(to, from))
    }

    /// Members of a struct that are set one after the other, in their order or not.
    pub(super) fn members(&mut self) -> Stmt {
        let records = self.objects.iter().filter_map(|var| match &var.ty {
            Type::Record(name) => Some((Expr::Var(var.clone()), name.clone())),
            Type::Pointer { to, .. } => match &**to {
                Type::Record(name) => Some((Expr::Var(var.clone()).deref(), name.clone())),
                _ => None,
            },
            _ => None,
        });
        let records: Vec<_> = records.collect();
        if records.is_empty() {
            return self.assignment();
        }
        let (record, name) = records[self.dice.random_range(0..records.len())].clone();
        let fields = self.types.get(&name).map(|one| one.fields.clone());
        let mut lines = Vec::new();
        for field in fields.unwrap_or_default() {
            if self.percent(20) {
                continue;
            }
            let value = if self.percent(70) {
                self.constant()
            } else {
                self.leaf()
            };
            let member = record.clone().field(&field.name);
            if let Some(place) = self.scalar_in(member, &field.ty) {
                lines.push(Stmt::Expr(Expr::assign(place, value)));
            }
        }
        if self.percent(25) {
            lines.reverse();
        }
        Stmt::Block(lines)
    }
}
