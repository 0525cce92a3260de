//! What the body of a loop of independent turns may touch: each turn writes elements of its
//! own, and nobody reads what another turn writes.

use super::Author;
use super::ledger::Address;
use super::names::{Holder, KnownVariable};
use crate::code::ctype::Type;
use crate::code::table::ObjectId;
use rand::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the body of an open loop of independent turns may touch.
#[derive(Debug)]
pub(super) struct LoopRules {
    counter: KnownVariable,
    /// Elements that each turn has to itself, as an array and how to find its element.
    pub(super) own: Vec<OwnElement>,
    /// Objects that are written, and so read in no other way.
    written: BTreeSet<ObjectId>,
    /// Objects that are read, and so written by no loop inside: all turns of this one see
    /// what they held before it.
    read: BTreeSet<ObjectId>,
    /// Variables that the loop's end is computed from in every turn.
    frozen: Vec<Arc<str>>,
}

/// The element of an array that belongs to one turn.
#[derive(Clone, Debug)]
pub(super) struct OwnElement {
    pub(super) array: KnownVariable,
    /// A counter and what is added to it, for each dimension.
    pub(super) indices: Vec<(KnownVariable, i64)>,
}

impl Author<'_> {
    /// Begins a loop with this counter, whose end is computed from the frozen variables.
    pub(super) fn open_rules(&mut self, counter: KnownVariable, frozen: Vec<Arc<str>>) {
        self.loops.push(LoopRules {
            counter,
            own: Vec::new(),
            written: BTreeSet::new(),
            read: BTreeSet::new(),
            frozen,
        });
    }

    /// Whether each turn of the innermost loop has an element to itself.
    pub(super) fn has_own_element(&self) -> bool {
        self.loops.last().is_none_or(|rules| !rules.own.is_empty())
    }

    /// Ends a loop; what it has touched keeps its meaning in the loop around it.
    pub(super) fn close_rules(&mut self) {
        if let Some(inner) = self.loops.pop()
            && let Some(outer) = self.loops.last_mut()
        {
            outer.written.extend(inner.written);
            outer.read.extend(inner.read);
        }
    }

    /// Keeps the body from touching what a reduction writes.
    pub(super) fn guard(&mut self, total: &Holder) {
        let objects: Vec<ObjectId> = match &total.address {
            Address::Fixed(object, _) => vec![*object],
            Address::Each(cells) => cells.iter().map(|(object, _)| *object).collect(),
            Address::Local { .. } => {
                total
                    .expr
                    .for_each_var(&mut |var| self.reduced.push(var.name.clone()));
                vec![]
            }
        };
        if let Some(rules) = self.loops.last_mut() {
            rules.written.extend(objects);
        }
    }

    /// Notes that the body of the innermost loop reads something.
    pub(super) fn note_read(&mut self, holder: &Holder) {
        let Some(rules) = self.loops.last_mut() else {
            return;
        };
        match &holder.address {
            Address::Fixed(object, _) => {
                rules.read.insert(*object);
            }
            Address::Each(cells) => rules.read.extend(cells.iter().map(|(object, _)| *object)),
            Address::Local { .. } => {}
        }
    }

    /// Whether an open loop writes an object, so that it is read only in the loop's own way.
    pub(super) fn is_claimed(&self, object: ObjectId) -> bool {
        self.loops
            .iter()
            .any(|rules| rules.written.contains(&object))
    }

    /// Whether an open loop reads one of the objects.
    fn is_read(&self, cells: &[(ObjectId, u32)]) -> bool {
        let mut read = self.loops.iter().map(|rules| &rules.read);
        read.any(|read| cells.iter().any(|(object, _)| read.contains(object)))
    }

    /// The counters of the open loops, innermost last.
    pub(super) fn counters(&self) -> Vec<KnownVariable> {
        let counters = self.loops.iter().map(|rules| &rules.counter);
        counters.cloned().collect()
    }

    /// Gives each turn of the innermost loop an element of an array to write.
    pub(super) fn claim_element(&mut self, down: bool) {
        let Some(array) = self.free_array() else {
            return;
        };
        let counters = self.counters();
        let mut dimensions = Vec::new();
        let Some(run) = self.run_of(&array) else {
            return;
        };
        let mut ty = &run.ty;
        while let Type::Array { of, len } = ty {
            dimensions.push(*len as i64);
            ty = of;
        }
        // Each counter must have an index of its own, or turns would share elements.
        if !matches!(ty, Type::Int(_)) || dimensions.len() != counters.len() {
            return;
        }
        let mut indices = Vec::new();
        for (counter, len) in counters.iter().zip(dimensions) {
            let Some((least, most)) = self.spread_of(counter) else {
                return;
            };
            let (least, most) = (least as i64, most as i64);
            let (low, high) = (-least, len - 1 - most);
            if low > high {
                return;
            }
            let natural = if down && low <= -1 && -1 <= high {
                -1
            } else {
                0
            };
            let offset = if (low..=high).contains(&natural) && self.percent(70) {
                natural
            } else {
                self.dice.random_range(low..=high)
            };
            indices.push((counter.clone(), offset));
        }
        if let Some(rules) = self.loops.last_mut() {
            rules
                .written
                .extend(run.start.iter().map(|(object, _)| *object));
            rules.own.push(OwnElement { array, indices });
        }
    }

    /// A new array for the innermost loop, just large enough for its counters.
    pub(super) fn claim_new_array(&mut self) {
        let counters = self.counters();
        let spreads: Option<Vec<(i128, i128)>> = counters
            .iter()
            .map(|counter| self.spread_of(counter))
            .collect();
        let Some(spreads) = spreads else { return };
        let lens: Vec<u64> = spreads.iter().map(|(_, most)| *most as u64 + 1).collect();
        let Some(array) = self.array_of(&lens) else {
            return;
        };
        if let Some(rules) = self.loops.last_mut() {
            rules.written.extend(array.object());
            let indices = counters.into_iter().map(|counter| (counter, 0)).collect();
            rules.own.push(OwnElement { array, indices });
        }
    }

    /// An array of numbers that no open loop writes.
    fn free_array(&mut self) -> Option<KnownVariable> {
        let frozen = |named: &KnownVariable| {
            let mut frozen = self.loops.iter().flat_map(|rules| &rules.frozen);
            frozen.any(|name| *name == named.name)
        };
        let arrays = self
            .arrays()
            .filter(|named| named.writable && !frozen(named))
            .filter(|named| !named.global || self.may_write_globals())
            .filter(|named| {
                !self
                    .run_of(named)
                    .is_some_and(|run| self.is_read(&run.start))
            });
        let arrays: Vec<KnownVariable> = arrays.cloned().collect();
        self.suitable(arrays)
    }
}
