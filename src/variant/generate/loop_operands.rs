//! Operands in the bodies of loops: elements at and near the counter, variables of the turn,
//! and what stays the same during the loop.

use super::Author;
use super::expr::{LANES, Term};
use super::ledger::Address;
use super::loop_rules::OwnElement;
use super::names::{Holder, KnownVariable, VariableHome, address_of};
use crate::code::ctype::Type;
use crate::code::op::BinaryOp;
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Elements that lie one after the other.
pub(super) struct ElementRun {
    /// The first, at every active position.
    pub(super) start: Vec<(ObjectId, u32)>,
    /// The array that they are.
    pub(super) ty: Type,
}

impl Author<'_> {
    /// A scalar that the body of a loop may read, or write.
    pub(super) fn loop_holder(&mut self, write: bool) -> Option<Holder> {
        if self.simple {
            return match self.dice.random_range(0..10) {
                _ if write => self.own_element(true),
                0 => self.body_variable(false),
                1..3 => self.own_element(false),
                3..8 => (0..3).find_map(|_| self.input_element()),
                _ => self.invariant().filter(|holder| holder.bits.is_none()),
            };
        }
        match self.dice.random_range(0..10) {
            0..3 => self.body_variable(write),
            3..5 => self.own_element(write),
            5..8 if !write => self.input_element(),
            8.. if !write => self.invariant(),
            _ if self.dice.random() => self.own_element(write),
            _ => self.body_variable(write),
        }
    }

    fn body_variable(&mut self, write: bool) -> Option<Holder> {
        let space = self.ledger.depth();
        let fitting: Vec<&KnownVariable> = self.locals[self.frame_start()..]
            .iter()
            .filter(|named| match &named.storage {
                VariableHome::Body(Address::Local { space: at, .. }) => {
                    !write || (*at == space && named.writable)
                }
                _ => false,
            })
            .filter(|named| !self.reduced.contains(&named.name))
            .collect();
        let named = (*fitting.choose(&mut self.dice)?).clone();
        self.scalar_of(&named, write)
    }

    /// An element that the turn has to itself. Only the innermost loop's may be written.
    pub(super) fn own_element(&mut self, write: bool) -> Option<Holder> {
        let innermost = self.loops.len().checked_sub(1)?;
        let all = self.loops.iter().enumerate();
        let all = all.filter(|(at, _)| !write || *at == innermost);
        let own: Vec<OwnElement> = all.flat_map(|(_, rules)| rules.own.clone()).collect();
        let own = own.choose(&mut self.dice)?;
        let mut indices = Vec::new();
        for (counter, offset) in &own.indices {
            indices.push(self.affine(counter, *offset)?);
        }
        self.element_at(&own.array, &indices)
    }

    /// An element of an array that is not written: beside the turn's own, or anywhere.
    fn input_element(&mut self) -> Option<Holder> {
        let arrays: Vec<KnownVariable> = self.arrays().cloned().collect();
        let array = self.suitable(arrays)?;
        let counters = self.counters();
        let mut indices = Vec::new();
        let run = self.run_of(&array)?;
        let mut ty = &run.ty;
        while let Type::Array { of, len } = ty {
            let counter = counters.choose(&mut self.dice)?.clone();
            indices.push(self.near_counter(&counter, *len)?);
            ty = of;
        }
        matches!(ty, Type::Int(_)).then_some(())?;
        let holder = self.element_at(&array, &indices)?;
        self.note_read(&holder);
        Some(holder)
    }

    /// A scalar that stays the same during the loop.
    fn invariant(&mut self) -> Option<Holder> {
        let named = self.some_variable()?;
        named.object()?;
        let indexing = std::mem::replace(&mut self.indexing, true);
        let holder = self.scalar_of(&named, false);
        self.indexing = indexing;
        let holder = holder?;
        let claimed = match &holder.address {
            Address::Fixed(object, _) => self.is_claimed(*object),
            Address::Each(cells) => cells.iter().any(|(object, _)| self.is_claimed(*object)),
            Address::Local { .. } => false,
        };
        (!claimed).then_some(())?;
        self.note_read(&holder);
        Some(holder)
    }

    /// An index near a counter that stays below the length.
    fn near_counter(&mut self, counter: &KnownVariable, len: u64) -> Option<Term> {
        let (least, most) = self.spread_of(counter)?;
        let (low, high) = (-(least as i64), len as i64 - 1 - most as i64);
        if low > high {
            // Vector units want neighbours.
            (!self.simple).then_some(())?;
            let holder = self.scalar_of(counter, false)?;
            let term = self.read(&holder)?;
            return Some(self.bent(term, len));
        }
        let most_scaled = most as i64 * 2 + 1;
        if self.percent(10) && most_scaled < len as i64 && least >= 0 {
            let twice = self.affine(counter, 0)?;
            let twice = self.apply(BinaryOp::Mul, &self.literal(IntKind::Int, 2), &twice)?;
            return self.apply(BinaryOp::Add, &twice, &self.literal(IntKind::Int, 1));
        }
        let offset = if (low..=high).contains(&0) && self.percent(60) {
            0
        } else {
            self.dice
                .random_range(low.max(-3).min(high)..=high.min(3).max(low))
        };
        self.affine(counter, offset)
    }

    /// `counter + offset`.
    fn affine(&mut self, counter: &KnownVariable, offset: i64) -> Option<Term> {
        let holder = self.scalar_of(counter, false)?;
        let term = self.read(&holder)?;
        match offset {
            0 => Some(term),
            1.. => self.apply(
                BinaryOp::Add,
                &term,
                &self.literal(IntKind::Int, offset.into()),
            ),
            _ => self.apply(
                BinaryOp::Sub,
                &term,
                &self.literal(IntKind::Int, (-offset).into()),
            ),
        }
    }

    pub(super) fn spread_of(&self, counter: &KnownVariable) -> Option<(i128, i128)> {
        let VariableHome::Body(address) = &counter.storage else {
            return None;
        };
        let kind = counter.ty.int_kind()?;
        let values = self.ledger.read(address)?;
        Self::term(counter.expr(), kind, values).spread()
    }

    pub(super) fn arrays(&self) -> impl Iterator<Item = &KnownVariable> {
        let locals = self.locals[self.frame_start()..].iter();
        let globals = self.globals.iter().map(|global| &global.named);
        let globals = globals.filter(|_| self.may_use_globals());
        locals.chain(globals).filter(|named| {
            matches!(named.ty, Type::Array { .. } | Type::Pointer { .. })
                && self.run_of(named).is_some_and(|run| {
                    let mut objects = run.start.iter().map(|(object, _)| *object);
                    !objects.any(|object| self.is_claimed(object))
                })
        })
    }

    /// One of some arrays; for vector units mostly one whose elements leave room for lanes.
    pub(super) fn suitable(&mut self, mut arrays: Vec<KnownVariable>) -> Option<KnownVariable> {
        if self.simple && self.percent(LANES) {
            let target = self.target();
            let narrow = |named: &KnownVariable| {
                let kind = element_kind(&named.ty);
                kind.is_some_and(|kind| kind.bits(target) <= 32)
            };
            if arrays.iter().any(narrow) {
                arrays.retain(narrow);
            }
        }
        arrays.choose(&mut self.dice).cloned()
    }

    /// The elements that an array or a pointer gives access to at every active position.
    pub(super) fn run_of(&self, named: &KnownVariable) -> Option<ElementRun> {
        let object = named.object()?;
        let to = match &named.ty {
            Type::Array { .. } => {
                return Some(ElementRun {
                    start: vec![(object, 0); self.ledger.len()],
                    ty: named.ty.clone(),
                });
            }
            Type::Pointer { to, .. } => to,
            _ => return None,
        };
        to.int_kind()?;
        let pointers = self.ledger.read(&Address::Fixed(object, 0))?;
        let start = self.ledger.targets(&pointers)?;
        let mut len = u32::MAX;
        for (object, cell) in &start {
            let whole = &self.ledger.table().object(*object).ty;
            let siblings = self.types().siblings(whole, *cell, to)?;
            len = len.min(siblings.end - cell);
        }
        (2..u32::MAX).contains(&len).then(|| ElementRun {
            start,
            ty: (**to).clone().array(len.into()),
        })
    }

    /// The element of an array at the given indices, if they are in bounds at every position.
    pub(super) fn element_at(&mut self, array: &KnownVariable, indices: &[Term]) -> Option<Holder> {
        let run = self.run_of(array)?;
        let (mut cells, mut ty, mut expr) = (run.start, run.ty, array.expr());
        for index in indices {
            let Type::Array { of, len } = &ty else {
                return None;
            };
            let (least, most) = index.spread()?;
            (least >= 0 && most < i128::from(*len)).then_some(())?;
            let stride = self.types().cells(of)?;
            for ((_, cell), index) in cells.iter_mut().zip(&index.numbers.values) {
                *cell += *index as u32 * stride;
            }
            expr = expr.index(index.expr.clone());
            ty = (**of).clone();
        }
        Some(Holder {
            expr,
            kind: ty.int_kind()?,
            bits: None,
            address: address_of(cells),
        })
    }
}

/// The type of the numbers in an array or behind a pointer.
fn element_kind(ty: &Type) -> Option<IntKind> {
    match ty {
        Type::Array { of: inner, .. } | Type::Pointer { to: inner, .. } => element_kind(inner),
        _ => ty.int_kind(),
    }
}
