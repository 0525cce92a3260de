//! Loops: how many turns they take, what their bodies may touch, and how they are proved.

use super::Author;
use super::expr::{LANES, Term};
use super::feature::Feature;
use super::ledger::Address;
use super::names::{Holder, KnownVariable, VariableHome, address_of};
use super::weights::{BOUNDS, LOOPS};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Declaration, Specifiers, Stmt};
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Positions of a loop's body; a few loops have more.
const POSITIONS: u64 = 256;
/// Loops of a hundred whose bodies are short and made of what vector units can do.
const SIMPLE: u32 = 78;
/// Loops are nested no deeper.
const DEEPEST_NEST: usize = 3;

/// How the turns of a loop depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopMode {
    /// Not at all.
    Independent,
    /// By one variable that all turns add to.
    Reduction,
    /// Turns use what earlier ones have computed.
    Carried,
    /// The data decide when it ends.
    Data,
    /// The counter starts or ends near the limits of its type.
    Far,
    /// Pointers walk over arrays.
    Walking,
}

/// Where the end of a loop comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundChoice {
    Constant,
    Input,
    Computed,
}

/// What the body of an open loop of independent turns may touch.
#[derive(Debug)]
pub(super) struct LoopRules {
    counter: KnownVariable,
    /// Elements that each turn has to itself, as an array and how to find its element.
    own: Vec<OwnElement>,
    /// Objects that are written, and so read in no other way.
    written: BTreeSet<ObjectId>,
    /// Objects that are read, and so written by no loop inside: all turns of this one see
    /// what they held before it.
    read: BTreeSet<ObjectId>,
    /// Variables that the loop's end is computed from in every turn.
    frozen: Vec<Arc<str>>,
}

/// Elements that lie one after the other.
struct ElementRun {
    /// The first, at every active position.
    start: Vec<(ObjectId, u32)>,
    /// The array that they are.
    ty: Type,
}

/// The element of an array that belongs to one turn.
#[derive(Clone, Debug)]
struct OwnElement {
    array: KnownVariable,
    indices: Vec<(KnownVariable, i64)>,
}

impl Author<'_> {
    /// A loop, or an assignment where none fits.
    pub(super) fn some_loop(&mut self, depth: u32) {
        let features = self.policy.features;
        let nested = !self.ledger.is_outermost();
        let room = self.ledger.len() as u64 * 4 <= POSITIONS;
        if nested && (!features.has(Feature::Nests) || self.ledger.depth() >= DEEPEST_NEST || !room)
        {
            return self.assign();
        }
        let mode = self
            .policy
            .draw_where(&LOOPS, &mut self.dice, |mode| match mode {
                LoopMode::Independent | LoopMode::Reduction => features.has(Feature::Loops),
                LoopMode::Carried => !nested && features.has(Feature::Carried),
                LoopMode::Data => !nested && features.has(Feature::Searches),
                LoopMode::Far => !nested && features.has(Feature::FarCounters),
                LoopMode::Walking => {
                    let has = features.has(Feature::Pointers) && features.has(Feature::Arrays);
                    !nested && has
                }
            });
        match mode {
            Some(LoopMode::Reduction) => self.counted_loop(depth, true),
            Some(LoopMode::Independent) => self.counted_loop(depth, false),
            Some(LoopMode::Carried) => self.carried_loop(),
            Some(LoopMode::Data) => self.data_loop(),
            Some(LoopMode::Far) => self.far_loop(),
            Some(LoopMode::Walking) => self.walking_loop(),
            None => self.assign(),
        }
    }

    /// A loop whose turns do not depend on each other, except by a reduction.
    fn counted_loop(&mut self, depth: u32, reduces: bool) {
        let simple = self.simple;
        self.simple |= self.percent(SIMPLE);
        self.written_loop(depth, reduces);
        self.simple = simple;
    }

    fn written_loop(&mut self, depth: u32, reduces: bool) {
        let most = (POSITIONS / self.ledger.len() as u64).clamp(2, 64);
        let len = self.some_length().min(most);
        let start = [0, 0, 0, 1, 2][self.dice.random_range(0..5)];
        let Some(bound) = self.bound(start, len) else {
            return self.assign();
        };
        let bound = self.settled(bound);
        let mut frozen = Vec::new();
        bound
            .expr
            .for_each_var(&mut |var| frozen.push(var.name.clone()));
        // A loop that writes no array has something to add to.
        let total = if reduces || !self.may_write_globals() {
            self.reduction_target(&frozen)
        } else {
            None
        };
        let step = [1, 1, 1, 1, 1, 1, 1, 1, 2, 3][self.dice.random_range(0..10)];
        let down = self.percent(20);
        let kind = self.counter_kind();
        let ends = bound.numbers.values.clone();
        let turns: Vec<u32> = ends
            .iter()
            .map(|end| ((end - start).max(0) as u32).div_ceil(step as u32))
            .collect();
        if turns.iter().sum::<u32>() == 0 {
            return self.assign();
        }
        self.stats.loops += 1;
        self.stats.statements += 1;
        // With `down` the counter runs from the bound to above the start.
        let step = if down { 1 } else { step };
        let turns: Vec<u32> = if down {
            ends.iter().map(|end| (end - start).max(0) as u32).collect()
        } else {
            turns
        };
        let name = self.fresh("i");
        self.push_local_declaration(&name, kind);
        let counter_expr = Expr::var(&name, kind);
        let mut values = Vec::new();
        let mut last = Vec::new();
        for (end, turns) in ends.iter().zip(&turns) {
            for turn in 0..i64::from(*turns) {
                values.push(if down {
                    end - turn
                } else {
                    start + turn * step
                });
            }
            last.push(if down {
                end - i64::from(*turns)
            } else {
                start + i64::from(*turns) * step
            });
        }
        self.ledger.open_loop(&turns);
        let counter = KnownVariable {
            name: name.as_str().into(),
            ty: kind.into(),
            storage: VariableHome::Body(self.ledger.add_local(&values)),
            writable: false,
            global: false,
        };
        let (locals, reduced) = (self.locals.len(), self.reduced.len());
        self.locals.push(counter.clone());
        self.loops.push(LoopRules {
            counter,
            own: Vec::new(),
            written: BTreeSet::new(),
            read: BTreeSet::new(),
            frozen,
        });
        if let Some(total) = &total {
            self.guard(total);
        }
        for _ in 0..self.dice.random_range(u32::from(total.is_none())..=2) {
            self.claim_element(down);
        }
        if total.is_none() && self.loops.last().is_some_and(|rules| rules.own.is_empty()) {
            self.claim_new_array();
        }
        let count = self.dice.random_range(1..=if self.simple { 2 } else { 4 });
        let body = self.block_with(|author| {
            author.statements(count, depth - 1);
            if let Some(total) = &total {
                author.reduce(total);
            }
        });
        self.close_rules();
        self.reduced.truncate(reduced);
        self.locals.truncate(locals);
        self.common.forget_names([name.as_str().into()].into_iter());
        self.ledger.close_loop();
        self.finish_counter(&name, kind, &last);
        let condition = |op, limit: Expr| Expr::binary(op, counter_expr.clone(), limit);
        let stmt = if down {
            Stmt::for_loop(
                Expr::assign(counter_expr.clone(), bound.expr),
                condition(BinaryOp::Gt, Expr::int(start as i32)),
                Expr::step(StepOp::PostDecrement, counter_expr),
                body,
            )
        } else {
            let by = if step == 1 {
                let steps = [StepOp::PreIncrement, StepOp::PostIncrement];
                Expr::step(steps[self.dice.random_range(0..2)], counter_expr.clone())
            } else {
                Expr::compound(BinaryOp::Add, counter_expr.clone(), Expr::int(step as i32))
            };
            let exact = step == 1 && ends.iter().all(|end| *end >= start);
            let op = if exact && self.percent(20) {
                BinaryOp::Ne
            } else {
                BinaryOp::Lt
            };
            Stmt::for_loop(
                Expr::assign(counter_expr.clone(), Expr::int(start as i32)),
                condition(op, bound.expr),
                by,
                body,
            )
        };
        self.push(stmt);
    }

    /// Ends a loop; what it has touched keeps its meaning in the loop around it.
    fn close_rules(&mut self) {
        if let Some(inner) = self.loops.pop()
            && let Some(outer) = self.loops.last_mut()
        {
            outer.written.extend(inner.written);
            outer.read.extend(inner.read);
        }
    }

    /// The bound as it is if only variables are read in every turn, else kept in a variable.
    fn settled(&mut self, bound: Term) -> Term {
        if is_plain(&bound.expr) && self.percent(70) {
            return bound;
        }
        let kind = bound.numbers.kind;
        let holder = self.start_local(kind, bound, false);
        // The loop's body must not write its own end.
        if let Some(local) = self.locals.last_mut() {
            local.writable = false;
        }
        self.read(&holder).expect("it was just written")
    }

    fn counter_kind(&mut self) -> IntKind {
        const KINDS: [IntKind; 12] = [
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::Long,
            IntKind::ULong,
            IntKind::UInt,
            IntKind::Short,
            IntKind::UShort,
            IntKind::UChar,
        ];
        // Vector units want no counters that wrap.
        let kinds = if !self.simple {
            KINDS.len()
        } else if self.percent(LANES) {
            5
        } else {
            8
        };
        KINDS[self.dice.random_range(0..kinds)]
    }

    /// Where a loop from the start ends, at most at the length; never negative.
    fn bound(&mut self, start: i64, len: u64) -> Option<Term> {
        let len = len as i64;
        let choice = self.draw(&BOUNDS);
        if choice == BoundChoice::Constant || len - start < 3 {
            return Some(self.literal(IntKind::Int, len.into()));
        }
        if choice == BoundChoice::Input && self.may_use_globals() {
            let rows = self.ledger.table().rows();
            let least = start.max(len / 2);
            let values = (0..rows).map(|_| self.dice.random_range(least..=len));
            let values: Vec<i64> = values.collect();
            let kinds = [
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::UShort,
                IntKind::UChar,
            ];
            let kind = *kinds.choose(&mut self.dice)?;
            let named = self.global_of(kind, values)?;
            // Nobody else writes it, so that the loop's end stays known to differ by row only.
            if let Some(global) = self.globals.last_mut() {
                global.named.writable = false;
            }
            let holder = self.scalar_of(&named, false)?;
            return self.read(&holder);
        }
        let term = self.small_expression();
        let span = 1 << (len - start).ilog2();
        let bent = self.bent(term, span as u64);
        let least = self.literal(IntKind::Int, (len - span + 1).into());
        self.apply(BinaryOp::Add, &bent, &least)
    }

    fn push_local_declaration(&mut self, name: &str, kind: IntKind) {
        let var = crate::code::expr::Var {
            name: name.into(),
            ty: kind.into(),
        };
        let specifiers = Specifiers::default();
        self.push_declaration(Stmt::Declare(Declaration {
            var,
            specifiers,
            init: None,
        }));
    }

    /// The counter after its loop, a variable like others except that nobody writes it.
    fn finish_counter(&mut self, name: &str, kind: IntKind, last: &[i64]) {
        let storage = if self.ledger.is_outermost() {
            let object = self.ledger.add_object(name, kind.into());
            VariableHome::Object(object.expect("a scalar type is complete"))
        } else {
            VariableHome::Body(self.ledger.add_local(last))
        };
        let named = KnownVariable {
            name: name.into(),
            ty: kind.into(),
            storage,
            writable: false,
            global: false,
        };
        if let Some(object) = named.object() {
            let address = Address::Fixed(object, 0);
            self.ledger.write(&address, last);
        }
        self.locals.push(named);
    }

    /// Gives each turn of the innermost loop an element of an array to write.
    fn claim_element(&mut self, down: bool) {
        let Some(array) = self.free_array() else {
            return;
        };
        let counters: Vec<KnownVariable> = self
            .loops
            .iter()
            .map(|rules| rules.counter.clone())
            .collect();
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
    fn claim_new_array(&mut self) {
        let counters: Vec<KnownVariable> = self
            .loops
            .iter()
            .map(|rules| rules.counter.clone())
            .collect();
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

    fn spread_of(&self, counter: &KnownVariable) -> Option<(i128, i128)> {
        let VariableHome::Body(address) = &counter.storage else {
            return None;
        };
        let kind = counter.ty.int_kind()?;
        let values = self.ledger.read(address)?;
        Self::term(counter.expr(), kind, values).spread()
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

    /// One of some arrays; for vector units mostly one whose elements leave room for lanes.
    fn suitable(&mut self, mut arrays: Vec<KnownVariable>) -> Option<KnownVariable> {
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

    fn arrays(&self) -> impl Iterator<Item = &KnownVariable> {
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

    /// The elements that an array or a pointer gives access to at every active position.
    fn run_of(&self, named: &KnownVariable) -> Option<ElementRun> {
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

    /// Whether an open loop writes an object, so that it is read only in the loop's own way.
    fn is_claimed(&self, object: ObjectId) -> bool {
        self.loops
            .iter()
            .any(|rules| rules.written.contains(&object))
    }

    /// Whether an open loop reads one of the objects.
    fn is_read(&self, cells: &[(ObjectId, u32)]) -> bool {
        let mut read = self.loops.iter().map(|rules| &rules.read);
        read.any(|read| cells.iter().any(|(object, _)| read.contains(object)))
    }

    /// Notes that the body of the innermost loop reads something.
    fn note_read(&mut self, holder: &Holder) {
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

    /// Keeps the body from touching what a reduction writes.
    fn guard(&mut self, total: &Holder) {
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

    /// An element of an array that is not written: beside the turn's own, or anywhere.
    fn input_element(&mut self) -> Option<Holder> {
        let arrays: Vec<KnownVariable> = self.arrays().cloned().collect();
        let array = self.suitable(arrays)?;
        let counters: Vec<KnownVariable> = self
            .loops
            .iter()
            .map(|rules| rules.counter.clone())
            .collect();
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

/// Whether an expression consists of operators, constants and whole variables only.
fn is_plain(expr: &Expr) -> bool {
    let plain = match expr {
        Expr::Field { .. } | Expr::Index { .. } | Expr::Deref(_) | Expr::Call { .. } => false,
        Expr::Var(var) => matches!(var.ty, Type::Int(_)),
        _ => true,
    };
    plain && expr.children().into_iter().all(is_plain)
}
