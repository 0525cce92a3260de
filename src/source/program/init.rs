//! Definite initialisation: which automatic variables certainly hold a value
//! at each place.
//!
//! A forward analysis over [`Flow`]: a variable is in the set before a
//! statement if every path from the function's start gives it a value after its
//! declaration. Jumps past an initialiser need no rule of their own, since the
//! graph has an edge that avoids it; a block that is left and entered again
//! forgets its variables. What counts as giving a value:
//!
//! - being a parameter;
//! - an initialiser, or an assignment to the whole variable that runs whenever
//!   its statement runs (not under `&&`, `||`, `?:`);
//! - for a struct, `= { … }`, or a copy if objects of its type are never
//!   half-filled ([`mark_whole_records`]): C lets a program copy a struct with
//!   fields that hold nothing.

use super::Program;
use super::flow::{Flow, FlowStep};
use super::function::Definition;
use super::ids::{ScopeId, StatementId, VariableId};
use super::statement::{PartRole, StatementPart};
use super::types::{Qualified, SeedType};
use super::variable::{Access, Initializer, Storage, Use, Variable};
use std::borrow::Cow;

/// The result of the analysis for all functions of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Initialised {
    slots: Slots,
    /// For each statement, the set before it; `None` where control never arrives.
    before: Vec<Option<BitSet>>,
}

impl Initialised {
    pub(super) fn analyse(program: &Program) -> Initialised {
        let slots = Slots::new(program);
        let mut sizes = vec![0; program.functions.len()];
        for (variable, slot) in program.variables.iter().zip(&slots.of_variable) {
            if let (true, Some(function)) = (variable.storage.is_automatic(), variable.function) {
                let size = &mut sizes[function.index()];
                *size = (*size).max(slot + 1);
            }
        }
        let mut before = vec![None; program.statements.len()];
        for (id, _, definition) in program.definitions() {
            let analysis = Analysis {
                program,
                slots: &slots,
                size: sizes[id.index()],
                flow: Flow::new(program, definition),
            };
            analysis.run(definition, &mut before);
        }
        Initialised { slots, before }
    }

    /// Whether the automatic variable, which is visible there, certainly holds a value
    /// before the statement; `None` where control never arrives.
    pub(super) fn holds(&self, variable: VariableId, before: StatementId) -> Option<bool> {
        let set = self.before[before.index()].as_ref()?;
        Some(set.contains(self.slots.of(variable)))
    }
}

/// Which bit of a set stands for which automatic variable.
///
/// Blocks that lie side by side share bits, as they could share stack, so that sets are as
/// large as the number of variables that exist at one time: macros can make thousands of
/// blocks of one line. The variables that exist in a scope are those below its end.
#[derive(Clone, Debug, Default)]
struct Slots {
    of_variable: Vec<u32>,
    /// For each scope, the number of variables in it and around it.
    ends: Vec<u32>,
}

impl Slots {
    fn new(program: &Program) -> Slots {
        let mut ends = vec![0; program.scopes.len()];
        let automatic = |variable: &&Variable| variable.storage.is_automatic();
        for variable in program.variables.iter().filter(automatic) {
            ends[variable.scope.index()] += 1;
        }
        let mut free = vec![0; ends.len()];
        for (index, scope) in program.scopes.iter().enumerate() {
            // Scopes are numbered from the outside in.
            free[index] = scope.parent.map_or(0, |parent| ends[parent.index()]);
            ends[index] += free[index];
        }
        let slot = |variable: &Variable| {
            if !variable.storage.is_automatic() {
                return 0;
            }
            let next = &mut free[variable.scope.index()];
            *next += 1;
            *next - 1
        };
        let of_variable = program.variables.iter().map(slot).collect();
        Slots { of_variable, ends }
    }

    fn of(&self, variable: VariableId) -> u32 {
        self.of_variable[variable.index()]
    }

    /// Where the slots of a scope end.
    fn end(&self, scope: ScopeId) -> u32 {
        self.ends[scope.index()]
    }
}

struct Analysis<'p> {
    program: &'p Program,
    slots: &'p Slots,
    /// The number of slots of the function.
    size: u32,
    flow: Flow,
}

impl Analysis<'_> {
    /// Iterates to the greatest fixed point: sets only shrink.
    fn run(&self, definition: &Definition, before: &mut [Option<BitSet>]) {
        let mut at_entry: Vec<Option<BitSet>> = vec![None; self.flow.nodes.len()];
        let mut start = BitSet::new(self.size);
        for &parameter in &definition.parameters {
            if self.value_is_whole(parameter, None, &start) {
                start.insert(self.slots.of(parameter));
            }
        }
        at_entry[0] = Some(start);
        let mut work = vec![0_u32];
        while let Some(node) = work.pop() {
            let mut set = at_entry[node as usize]
                .clone()
                .expect("a node in the work list was reached");
            self.pass(node as usize, &mut set);
            for &next in &self.flow.nodes[node as usize].successors {
                let arriving = self.carried(node as usize, next as usize, &set);
                let changed = match &mut at_entry[next as usize] {
                    Some(known) => known.intersect(&arriving),
                    unknown @ None => {
                        *unknown = Some(arriving.into_owned());
                        true
                    }
                };
                if changed {
                    work.push(next);
                }
            }
        }
        for id in definition.statement_ids() {
            if let Some(node) = self.flow.before(id) {
                let set = at_entry[node].take().map(|mut set| {
                    self.forget_dead(id, &mut set);
                    set
                });
                before[id.index()] = set;
            }
        }
    }

    /// What of a set arrives at the next node. Into a block beside the one that it leaves,
    /// control gets by a jump only, and no variable of either is carried along. On every
    /// other way it passes the place before a statement of the block around both.
    fn carried<'s>(&self, node: usize, next: usize, set: &'s BitSet) -> Cow<'s, BitSet> {
        let next = &self.flow.nodes[next];
        if next.step != FlowStep::Landing {
            return Cow::Borrowed(set);
        }
        let scope = |statement| self.program.statement(statement).scope;
        let from = scope(self.flow.nodes[node].statement);
        let shared = self.program.scope_around(from, scope(next.statement));
        let mut set = set.clone();
        set.truncate(self.slots.end(shared));
        Cow::Owned(set)
    }

    /// What one node does to the set.
    fn pass(&self, node: usize, set: &mut BitSet) {
        let node = &self.flow.nodes[node];
        match node.step {
            FlowStep::Before | FlowStep::Landing => self.forget_dead(node.statement, set),
            FlowStep::Part(index) => {
                let statement = self.program.statement(node.statement);
                self.run_part(&statement.parts[index as usize], set);
            }
            FlowStep::Return => {}
        }
    }

    /// Outside its block a variable does not exist; entering the block again, by
    /// a `goto` perhaps, finds a new one.
    fn forget_dead(&self, at: StatementId, set: &mut BitSet) {
        set.truncate(self.slots.end(self.program.statement(at).scope));
    }

    fn run_part(&self, part: &StatementPart, set: &mut BitSet) {
        for used in self.program.uses_of(part) {
            let is_automatic = self.program.variable(used.variable).storage.is_automatic();
            if !is_automatic || !used.access.writes() || used.is_partial {
                continue;
            }
            let slot = self.slots.of(used.variable);
            if !self.value_is_whole(used.variable, Some(part), set) {
                set.remove(slot);
            } else if used.access == Access::Write && !used.is_conditional {
                set.insert(slot);
            }
        }
        if let PartRole::Declarator(variable) = part.role
            && self.program.variable(variable).storage == Storage::Automatic
        {
            let gives_value = match self.program.variable(variable).initializer {
                Initializer::None => false,
                Initializer::List => true,
                Initializer::Value => self.value_is_whole(variable, Some(part), set),
            };
            let slot = self.slots.of(variable);
            if gives_value {
                set.insert(slot);
            } else {
                set.remove(slot);
            }
        }
    }

    /// Whether an expression may read memory through a pointer, in a macro, or from a variable
    /// that may hold nothing.
    fn may_load(&self, part: &StatementPart, set: &BitSet) -> bool {
        let text = self.program.text(part.span);
        let follows = text
            .iter()
            .any(|byte| matches!(byte, b'*' | b'[' | b'>' | b'<'));
        let is_blank = |used: &Use| {
            used.access == Access::Read
                && self.program.variable(used.variable).storage.is_automatic()
                && !set.contains(self.slots.of(used.variable))
        };
        let mut uses = self.program.uses_of(part).iter();
        follows || uses.any(|used| used.is_in_macro || is_blank(used))
    }

    /// Whether the value of a part of a statement, or of an argument, fills all of the
    /// variable.
    fn value_is_whole(
        &self,
        variable: VariableId,
        part: Option<&StatementPart>,
        set: &BitSet,
    ) -> bool {
        let types = &self.program.types;
        match types.get(self.program.variable(variable).ty.id) {
            SeedType::Record(record) => types.record(*record).always_whole,
            // Memory that was never written may be copied byte by byte.
            SeedType::Int(kind) if kind.is_char() => {
                let may_load = part.is_some_and(|part| self.may_load(part, set));
                !(self.program.has_blank_bytes && may_load)
            }
            _ => true,
        }
    }
}

/// Whether the program gets memory from a function we do not see: as its result
/// (`malloc`, `alloca`), by a pointer to a pointer (`posix_memalign`), or from any of
/// them through a pointer to a function.
fn gets_memory(program: &Program) -> bool {
    let types = &program.types;
    let pointee = |ty: Qualified| match types.get(ty.id) {
        SeedType::Pointer { to } => Some(*to),
        _ => None,
    };
    program.calls.iter().any(|call| {
        let Some(function) = call.function.map(|id| program.function(id)) else {
            return true;
        };
        function.definition.is_none()
            && match types.get(function.ty.id) {
                SeedType::Function {
                    result, parameters, ..
                } => {
                    let mut targets = parameters.iter().filter_map(|ty| pointee(*ty));
                    pointee(*result).is_some() || targets.any(|ty| pointee(ty).is_some())
                }
                _ => true,
            }
    })
}

/// Whether bytes that nobody has written may be read other than by the name of a variable: in
/// memory from elsewhere, or in a local variable without initialiser that a pointer or index
/// reaches.
fn has_blank_bytes(program: &Program) -> bool {
    let is_reached = |variable: &Variable| {
        let ty = program.types.get(variable.ty.id);
        variable.address_taken
            || matches!(
                ty,
                SeedType::Array { .. } | SeedType::VariableArray { .. } | SeedType::Record(_)
            )
    };
    let is_blank = |variable: &Variable| {
        variable.storage == Storage::Automatic
            && variable.initializer == Initializer::None
            && is_reached(variable)
            && program.types.holds_bytes(variable.ty.id)
    };
    program.gets_memory || program.variables.iter().any(is_blank)
}

/// Decides for each record whether every object of it is filled entirely.
///
/// It is not if an automatic variable of a type that contains it is declared
/// without an initialiser, if it lies in a union, or if the program gets foreign
/// memory. By induction over copies, every other object is whole.
pub(super) fn mark_whole_records(program: &mut Program) {
    program.gets_memory = gets_memory(program);
    program.has_blank_bytes = has_blank_bytes(program);
    let mut is_partial = vec![program.gets_memory; program.types.records.len()];
    for variable in &program.variables {
        if variable.storage == Storage::Automatic && variable.initializer == Initializer::None {
            program
                .types
                .for_each_record_in(variable.ty.id, &mut |r| is_partial[r.index()] = true);
        }
    }
    for record in program
        .types
        .records
        .iter()
        .filter(|record| record.is_union)
    {
        for field in record.fields.iter().flatten() {
            program
                .types
                .for_each_record_in(field.ty.id, &mut |r| is_partial[r.index()] = true);
        }
    }
    // A record that holds a half-filled one may be half-filled itself.
    loop {
        let grown: Vec<usize> = (0..is_partial.len())
            .filter(|&index| !is_partial[index])
            .filter(|&index| {
                let mut holds_partial = false;
                for field in program.types.records[index].fields.iter().flatten() {
                    program.types.for_each_record_in(field.ty.id, &mut |inner| {
                        holds_partial |= is_partial[inner.index()];
                    });
                }
                holds_partial
            })
            .collect();
        if grown.is_empty() {
            break;
        }
        for index in grown {
            is_partial[index] = true;
        }
    }
    for (record, partial) in program.types.records.iter_mut().zip(is_partial) {
        record.always_whole = !partial;
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    fn new(size: u32) -> BitSet {
        BitSet {
            words: vec![0; size.div_ceil(64) as usize].into(),
        }
    }

    fn contains(&self, bit: u32) -> bool {
        self.words[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    fn insert(&mut self, bit: u32) {
        self.words[bit as usize / 64] |= 1 << (bit % 64);
    }

    fn remove(&mut self, bit: u32) {
        self.words[bit as usize / 64] &= !(1 << (bit % 64));
    }

    /// Keeps the numbers below `end`.
    fn truncate(&mut self, end: u32) {
        let (whole, rest) = (end as usize / 64, end % 64);
        if let Some((cut, beyond)) = self
            .words
            .get_mut(whole..)
            .and_then(<[u64]>::split_first_mut)
        {
            *cut &= (1 << rest) - 1;
            beyond.fill(0);
        }
    }

    /// Keeps what is in both sets; returns whether anything was removed.
    fn intersect(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        changed
    }
}
