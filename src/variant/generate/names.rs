//! The variables that code may name, and the scalars in them.

use super::Author;
use super::expr::Term;
use super::ledger::Address;
use crate::code::ctype::Type;
use crate::code::eval::operator::{self, Numbers};
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use crate::code::value::wrap;
use rand::Rng;
use std::sync::Arc;

/// Tries to find a scalar before a constant is taken.
const TRIES: u32 = 6;

/// Where a variable is kept.
#[derive(Clone, Debug)]
pub(super) enum VariableHome {
    Object(ObjectId),
    /// In the space of a loop's body.
    Body(Address),
}

/// A variable that code may name.
#[derive(Clone, Debug)]
pub(super) struct KnownVariable {
    pub(super) name: Arc<str>,
    pub(super) ty: Type,
    pub(super) storage: VariableHome,
    /// Whether code may write it: no counters, no constants.
    pub(super) writable: bool,
    pub(super) global: bool,
}

/// An integer lvalue and where it lies.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    pub(super) expr: Expr,
    pub(super) kind: IntKind,
    pub(super) bits: Option<u32>,
    pub(super) address: Address,
}

impl KnownVariable {
    pub(super) fn expr(&self) -> Expr {
        Expr::Var(Var {
            name: self.name.clone(),
            ty: self.ty.clone(),
        })
    }

    /// Whether it belongs to the body of a loop, by the number of the loop's space.
    pub(super) fn is_of_space(&self, number: usize) -> bool {
        matches!(&self.storage, VariableHome::Body(Address::Local { space, .. }) if *space == number)
    }

    pub(super) fn object(&self) -> Option<ObjectId> {
        match self.storage {
            VariableHome::Object(object) => Some(object),
            VariableHome::Body(_) => None,
        }
    }
}

impl Author<'_> {
    /// What a holder holds.
    pub(super) fn read(&self, holder: &Holder) -> Option<Term> {
        let values = self.ledger.read(&holder.address)?;
        let kind = match holder.bits {
            // Narrow bit-fields promote to `int`, whatever their sign.
            Some(bits) if bits < 32 => IntKind::Int,
            _ => holder.kind,
        };
        Some(Term {
            expr: holder.expr.clone(),
            numbers: Numbers { kind, values },
        })
    }

    /// Stores a term, converted as an assignment does.
    pub(super) fn store(&mut self, holder: &Holder, term: &Term) {
        let values = self.stored(holder, &term.numbers);
        self.ledger.write(&holder.address, &values);
        self.forget_written(holder);
    }

    /// What a holder would hold if numbers were assigned to it.
    pub(super) fn stored(&self, holder: &Holder, numbers: &Numbers) -> Vec<i64> {
        let mut values = operator::convert(self.target(), numbers, holder.kind).values;
        if let Some(bits) = holder.bits
            && holder.kind != IntKind::Bool
        {
            let signed = holder.kind.signed(self.target());
            values
                .iter_mut()
                .for_each(|value| *value = wrap(*value, bits, signed));
        }
        values
    }

    /// The value of some scalar in sight.
    pub(super) fn scalar_leaf(&mut self) -> Option<Term> {
        if !self.guesses.is_empty() && (self.guesses_only || self.percent(60)) {
            let at = self.dice.random_range(0..self.guesses.len());
            let holder = self.guesses[at].clone();
            return self.read(&holder);
        }
        for _ in 0..TRIES {
            if let Some(holder) = self.holder(false)
                && let Some(term) = self.read(&holder)
            {
                return Some(term);
            }
        }
        None
    }

    /// A scalar that may be written here.
    pub(super) fn writable_holder(&mut self) -> Option<Holder> {
        (0..TRIES).find_map(|_| self.holder(true))
    }

    fn holder(&mut self, write: bool) -> Option<Holder> {
        if !self.loops.is_empty() {
            return self.loop_holder(write);
        }
        let named = self.some_variable()?;
        if write && (!named.writable || named.global && !self.may_write_globals()) {
            return None;
        }
        self.scalar_of(&named, write)
    }

    /// A variable in sight: a recent one, any local one, or a global one.
    pub(super) fn some_variable(&mut self) -> Option<KnownVariable> {
        if !self.region.favourites.is_empty() && self.percent(70) {
            let at = self.dice.random_range(0..self.region.favourites.len());
            return Some(self.region.favourites[at].clone());
        }
        let locals = self.locals.len() - self.frame_start();
        let global = !self.globals.is_empty() && self.may_use_globals();
        if locals > 0 && (!global || self.percent(60)) {
            let recent = locals.min(6);
            let back = if self.dice.random() {
                self.dice.random_range(0..recent)
            } else {
                self.dice.random_range(0..locals)
            };
            return Some(self.locals[self.locals.len() - 1 - back].clone());
        }
        if !global {
            return None;
        }
        let at = self.dice.random_range(0..self.globals.len());
        Some(self.globals[at].named.clone())
    }

    /// A scalar in a variable: itself, or an element or member of it, or what it points to.
    pub(super) fn scalar_of(&mut self, named: &KnownVariable, write: bool) -> Option<Holder> {
        match &named.storage {
            VariableHome::Body(address) => Some(Holder {
                expr: named.expr(),
                kind: named.ty.int_kind()?,
                bits: None,
                address: address.clone(),
            }),
            VariableHome::Object(object) => {
                let start = vec![(*object, 0); self.ledger.len()];
                self.scalar_in(named.expr(), &named.ty.clone(), start, write)
            }
        }
    }

    /// A scalar in an object of a type that lies at the given cells.
    fn scalar_in(
        &mut self,
        expr: Expr,
        ty: &Type,
        mut cells: Vec<(ObjectId, u32)>,
        write: bool,
    ) -> Option<Holder> {
        match ty {
            Type::Int(kind) => Some(Holder {
                expr,
                kind: *kind,
                bits: None,
                address: address_of(cells),
            }),
            Type::Array { of, len } => {
                let index = self.index(*len);
                let stride = self.types().cells(of)?;
                for ((_, cell), index) in cells.iter_mut().zip(&index.numbers.values) {
                    *cell += *index as u32 * stride;
                }
                self.scalar_in(expr.index(index.expr), of, cells, write)
            }
            Type::Record(name) => {
                let fields = self.types().get(name)?.fields.clone();
                let at = self.dice.random_range(0..fields.len());
                let before = fields[..at].iter();
                let skip: u32 = before
                    .filter_map(|field| self.types().cells(&field.ty))
                    .sum();
                let field = fields[at].clone();
                if write && field.constant {
                    return None;
                }
                cells.iter_mut().for_each(|(_, cell)| *cell += skip);
                let mut holder =
                    self.scalar_in(expr.field(&field.name), &field.ty, cells, write)?;
                if field.bits.is_some() {
                    holder.bits = field.bits;
                }
                Some(holder)
            }
            Type::Pointer { to, constant, .. } => {
                if write && *constant {
                    return None;
                }
                let pointers = self.ledger.read(&address_of(cells))?;
                let targets = self.ledger.targets(&pointers)?;
                let to = to.clone();
                self.scalar_in(expr.deref(), &to, targets, write)
            }
            _ => None,
        }
    }

    /// An index below a length at every position: mostly a constant, else a variable bent.
    pub(super) fn index(&mut self, len: u64) -> Term {
        if self.percent(60) || self.indexing {
            let at = self.dice.random_range(0..len);
            return self.literal(IntKind::Int, at.into());
        }
        // What an index is made of has constant indices only, so this ends.
        self.indexing = true;
        let term = self.scalar_leaf();
        self.indexing = false;
        match term {
            Some(term) => self.bent(term, len),
            None => self.literal(IntKind::Int, 0),
        }
    }

    /// A term brought below a length: as it is, masked, or as a remainder.
    pub(super) fn bent(&mut self, term: Term, len: u64) -> Term {
        if let Some((least, most)) = term.spread()
            && least >= 0
            && most < i128::from(len)
        {
            return term;
        }
        let (op, by) = if len.is_power_of_two() {
            (BinaryOp::BitAnd, i128::from(len) - 1)
        } else {
            (BinaryOp::Rem, i128::from(len))
        };
        let wide = term.numbers.kind.bits(self.target()) == 64;
        let kind = if wide { IntKind::ULong } else { IntKind::UInt };
        let unsigned = self.cast(&term, kind);
        let by = self.literal(kind, by);
        self.apply(op, &unsigned, &by)
            .unwrap_or_else(|| self.literal(IntKind::Int, 0))
    }
}

/// One address if all cells are the same.
pub(super) fn address_of(cells: Vec<(ObjectId, u32)>) -> Address {
    match cells.first() {
        Some((object, cell)) if cells.iter().all(|other| other == &(*object, *cell)) => {
            Address::Fixed(*object, *cell)
        }
        _ => Address::Each(cells),
    }
}
