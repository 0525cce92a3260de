//! Pointers: to scalars, elements and members, also several to one object.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::functions::Purity;
use super::ledger::Address;
use super::names::{Holder, KnownVariable, VariableHome};
use crate::code::ctype::Type;
use crate::code::eval::operator::Numbers;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::Stmt;
use crate::code::table::Pointer;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

impl Author<'_> {
    /// A new pointer variable, or an old one that points elsewhere.
    pub(super) fn pointer_statement(&mut self) {
        if self.percent(30) && self.retarget().is_some() {
            return;
        }
        if self.percent(20) && self.point_to_pointer().is_some() {
            return;
        }
        let Some((to, address)) = self.some_address(None) else {
            return self.assign();
        };
        // Sometimes which of two it is depends on the row.
        let other = if self.percent(30) {
            self.some_address(Some(&to))
        } else {
            None
        };
        let address = match other {
            Some((_, other)) => self.either(address, other),
            None => address,
        };
        self.declare_pointer(to.pointer(), address);
    }

    /// A pointer to a pointer in sight.
    fn point_to_pointer(&mut self) -> Option<()> {
        let pointers: Vec<KnownVariable> = self.locals[self.frame_start()..]
            .iter()
            .filter(
                |named| matches!(&named.ty, Type::Pointer { to, .. } if to.int_kind().is_some()),
            )
            .cloned()
            .collect();
        let named = pointers.choose(&mut self.dice)?;
        let object = named.object()?;
        let carrier = Pointer::To { object, cell: 0 }.encode();
        let values = vec![carrier; self.ledger.len()];
        let address = Self::term(named.expr().address_of(), IntKind::Long, values);
        self.declare_pointer(named.ty.clone().pointer(), address);
        Some(())
    }

    fn declare_pointer(&mut self, ty: Type, address: Term) {
        let name = self.fresh("q");
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        self.declare_bare(&var);
        let Some(object) = self.ledger.add_object(&name, ty.clone()) else {
            return;
        };
        self.ledger
            .write(&Address::Fixed(object, 0), &address.numbers.values);
        self.push(Stmt::Expr(Expr::assign(
            Expr::Var(var.clone()),
            address.expr,
        )));
        self.locals.push(KnownVariable {
            name: var.name,
            ty,
            storage: VariableHome::Object(object),
            writable: true,
            global: false,
        });
    }

    /// Makes a pointer that exists point to something that lives as long as the program.
    fn retarget(&mut self) -> Option<()> {
        let pointers: Vec<KnownVariable> = self.locals[self.frame_start()..]
            .iter()
            .filter(|named| matches!(named.ty, Type::Pointer { .. }))
            .cloned()
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let named = pointers[self.dice.random_range(0..pointers.len())].clone();
        let address = self.pointer_to(&named.ty)?;
        let object = named.object()?;
        self.ledger
            .write(&Address::Fixed(object, 0), &address.numbers.values);
        self.common = super::common::CommonRing::default();
        self.push(Stmt::Expr(Expr::assign(named.expr(), address.expr)));
        Some(())
    }

    /// `condition ? one : other`.
    fn either(&mut self, one: Term, other: Term) -> Term {
        let condition = self.condition(1, 2);
        let truths = condition.numbers.values.iter();
        let pairs = one.numbers.values.iter().zip(&other.numbers.values);
        let values = truths
            .zip(pairs)
            .map(|(truth, (one, other))| if *truth != 0 { *one } else { *other });
        let numbers = Numbers {
            kind: IntKind::Long,
            values: values.collect(),
        };
        Term {
            expr: Expr::conditional(condition.expr, one.expr, other.expr),
            numbers,
        }
    }

    /// The address of a scalar or element in sight, and what it is the address of.
    fn some_address(&mut self, wanted: Option<&Type>) -> Option<(Type, Term)> {
        for _ in 0..12 {
            let holder = self.writable_holder()?;
            let ty = Type::Int(holder.kind);
            if wanted.is_some_and(|wanted| *wanted != ty) {
                continue;
            }
            if let Some(address) = self.address_term(&holder) {
                return Some((ty, address));
            }
        }
        None
    }

    fn address_term(&self, holder: &Holder) -> Option<Term> {
        if holder.bits.is_some() {
            return None;
        }
        let carrier = |(object, cell)| Pointer::To { object, cell }.encode();
        let values = match &holder.address {
            Address::Fixed(object, cell) => vec![carrier((*object, *cell)); self.ledger.len()],
            Address::Each(cells) => cells.iter().copied().map(carrier).collect(),
            Address::Local { .. } => return None,
        };
        // The address of what a pointer points to is the pointer.
        let expr = match &holder.expr {
            Expr::Deref(pointer) => (**pointer).clone(),
            other => other.clone().address_of(),
        };
        Some(Self::term(expr, IntKind::Long, values))
    }

    /// An argument for a new parameter that is a pointer: its type, tree and carriers.
    pub(super) fn pointer_argument(&mut self, purity: Purity) -> Option<(Type, Expr, Vec<i64>)> {
        let wanted = purity == Purity::Writes && self.policy.features.has(Feature::Pointers);
        if !wanted || !self.percent(35) {
            return None;
        }
        let (to, address) = self.some_global_address(None)?;
        Some((to.pointer(), address.expr, address.numbers.values))
    }

    /// A pointer of a type to something that lives as long as the program.
    pub(super) fn pointer_to(&mut self, ty: &Type) -> Option<Term> {
        let Type::Pointer { to, .. } = ty else {
            return None;
        };
        let (_, address) = self.some_global_address(Some(to))?;
        Some(address)
    }

    fn some_global_address(&mut self, wanted: Option<&Type>) -> Option<(Type, Term)> {
        if !self.may_write_globals() {
            return None;
        }
        for _ in 0..20 {
            let at = self.dice.random_range(0..self.globals.len());
            let named = self.globals[at].named.clone();
            // Arrays are passed from their start more often than from the middle.
            let start = matches!(named.ty, Type::Array { .. }) && self.percent(70);
            let indexing = std::mem::replace(&mut self.indexing, true);
            let holder = if start {
                self.first_scalar(&named)
            } else {
                self.scalar_of(&named, true)
            };
            self.indexing = indexing;
            let Some(holder) = holder.filter(|_| named.writable) else {
                continue;
            };
            let ty = Type::Int(holder.kind);
            if wanted.is_none_or(|wanted| *wanted == ty)
                && let Some(address) = self.address_term(&holder)
            {
                return Some((ty, address));
            }
        }
        None
    }

    /// The first scalar of an array of numbers.
    fn first_scalar(&mut self, named: &KnownVariable) -> Option<Holder> {
        let Type::Array { of, .. } = &named.ty else {
            return None;
        };
        Some(Holder {
            expr: named.expr().index(Expr::int(0)),
            kind: of.int_kind()?,
            bits: None,
            address: Address::Fixed(named.object()?, 0),
        })
    }
}
