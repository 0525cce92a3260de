//! Which variables evaluating an expression may change: those it names, those that
//! pointers may point to, and those that the functions it calls change.
//!
//! Answers are upper bounds. A function whose body is not in the seed's own text may change
//! everything but automatic variables whose address is never taken.

use super::program::{Effects, ExprId, ExprKind, FunctionId, Program, SeedType, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// With more names than this, a set of writes becomes "anything". Sets stay small, so the
/// total time is linear in the size of the program.
const MOST_NAMES: usize = 64;

/// What may be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    names: BTreeSet<VariableId>,
    /// Whatever has its address taken.
    through_pointers: bool,
    /// All but automatic variables without an address.
    by_calls: bool,
    everything: bool,
}

impl Writes {
    fn everything() -> Writes {
        Writes {
            everything: true,
            ..Writes::default()
        }
    }

    fn by_calls() -> Writes {
        Writes {
            by_calls: true,
            ..Writes::default()
        }
    }

    /// Whether the variable, or a part of it, may be among them.
    pub(crate) fn may_write(&self, program: &Program, id: VariableId) -> bool {
        let variable = program.variable(id);
        let has_address = variable.address_taken;
        let is_private = variable.storage.is_automatic() && !has_address;
        self.everything
            || self.names.contains(&id)
            || (self.through_pointers && has_address)
            || (self.by_calls && !is_private)
    }

    /// The variables that are named.
    pub(crate) fn names(&self) -> impl Iterator<Item = VariableId> {
        self.names.iter().copied()
    }

    /// Whether more may be written than what is named.
    pub(crate) fn is_open(&self) -> bool {
        self.through_pointers || self.by_calls || self.everything
    }

    pub(crate) fn add(&mut self, other: &Writes) {
        self.names.extend(&other.names);
        self.through_pointers |= other.through_pointers;
        self.by_calls |= other.by_calls;
        self.everything |= other.everything;
    }
}

/// What a call of each function may write, by the function's number.
#[derive(Debug)]
pub(crate) struct FunctionWrites(Vec<Writes>);

impl FunctionWrites {
    pub(crate) fn new(program: &Program) -> FunctionWrites {
        let is_declared_in_header = |index: usize| {
            let function = &program.functions[index];
            function.is_from_header && function.definition.is_some()
        };
        // Functions of a header may then call those of the seed.
        let headers_know_us = (0..program.functions.len()).any(is_declared_in_header);
        let mut found = FunctionWrites(vec![Writes::default(); program.functions.len()]);
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            let is_harmless = function.is_static
                && function.is_from_header
                && !headers_know_us
                && takes_numbers_only(program, id);
            if function.definition.is_none() && !is_harmless {
                found.0[index] = Writes::by_calls();
            }
        }
        found.close(program);
        found
    }

    /// Adds what functions write themselves and what the functions they call write, until nothing
    /// changes.
    fn close(&mut self, program: &Program) {
        let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut changed = Vec::new();
        for (id, _, definition) in program.definitions() {
            let mut own = Writes::default();
            let statements = definition.statement_ids();
            let parts = statements.flat_map(|at| &program.statement(at).parts);
            for expr in parts.flat_map(|part| part.exprs.clone()).map(ExprId) {
                match program.expr(expr).kind {
                    ExprKind::Call(Some(callee)) => {
                        callers.entry(callee).or_default().insert(id);
                    }
                    _ => own.add(&self.of(program, expr)),
                }
            }
            if !definition.hands_off.is_empty() || own.everything || program.has_cleanups {
                own = Writes::by_calls();
            }
            // The automatic variables of one call are not those of another.
            own.names
                .retain(|name| !program.variable(*name).storage.is_automatic());
            self.0[id.index()] = own;
        }
        changed.extend((0..self.0.len()).map(FunctionId::new));
        while let Some(callee) = changed.pop() {
            let writes = self.0[callee.index()].clone();
            for caller in callers.get(&callee).into_iter().flatten() {
                let of_caller = &mut self.0[caller.index()];
                let before = of_caller.clone();
                of_caller.add(&writes);
                if of_caller.names.len() > MOST_NAMES {
                    *of_caller = Writes::by_calls();
                }
                if *of_caller != before {
                    changed.push(*caller);
                }
            }
        }
    }

    /// What one expression may write itself, not counting its operands.
    pub(crate) fn of(&self, program: &Program, id: ExprId) -> Writes {
        let expr = program.expr(id);
        match expr.kind {
            _ if !expr.is_evaluated => Writes::default(),
            ExprKind::Call(Some(function)) => self.0[function.index()].clone(),
            ExprKind::Call(None) => Writes::by_calls(),
            ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_) => {
                let target = program.operands(id).next();
                target.map_or(Writes::everything(), |target| written(program, target))
            }
            _ if expr.own_effects.intersects(Effects::UNKNOWN) => Writes::everything(),
            _ => Writes::default(),
        }
    }
}

/// The object that an lvalue names.
pub(crate) fn written(program: &Program, target: ExprId) -> Writes {
    let through_pointers = Writes {
        through_pointers: true,
        ..Writes::default()
    };
    match program.expr(target).kind {
        ExprKind::Variable(variable) => Writes {
            names: BTreeSet::from([variable]),
            ..Writes::default()
        },
        ExprKind::Deref => through_pointers,
        ExprKind::Member { .. } | ExprKind::Subscript => {
            let mut bases = program.operands(target);
            let base = bases.find(|&base| !is_number(program, program.expr(base).ty.id));
            match base {
                Some(base) if is_pointer(program, base) => through_pointers,
                Some(base) => written(program, base),
                None => Writes::everything(),
            }
        }
        _ => Writes::everything(),
    }
}

/// Whether an expression is a pointer by itself, not by being an array.
fn is_pointer(program: &Program, id: ExprId) -> bool {
    let ty = program.expr(id).ty.id;
    matches!(program.types.get(ty), SeedType::Pointer { .. })
}

fn is_number(program: &Program, ty: super::program::TypeId) -> bool {
    matches!(
        program.types.get(ty),
        SeedType::Int(_) | SeedType::Enum { .. } | SeedType::Float(_)
    )
}

/// Whether no argument of a function can be an address.
pub(crate) fn takes_numbers_only(program: &Program, function: FunctionId) -> bool {
    program.prototype(function).is_some_and(|(_, parameters)| {
        let mut parameters = parameters.iter();
        parameters.all(|parameter| is_number(program, parameter.id))
    })
}
