//! Which statements have consequences: whether what they compute can influence what the
//! program does.
//!
//! Much of what generated programs compute is never used, and an optimiser removes it together
//! with everything that was inserted into it. The answer is an over-approximation that ignores
//! the order of statements. A value matters if it is stored in an automatic variable that is
//! read where that matters, in a static variable that is read anywhere, or through a pointer
//! that may point to one; or if it is returned from a function whose result matters. A
//! condition matters if something that it controls does.

use super::program::{
    Access, Effects, ExprId, ExprKind, FunctionId, PartRole, Program, StatementId, StatementKind,
    Storage, Variable, VariableId,
};
use super::writes::{takes_numbers_only, written};

/// What is known about all statements of a program.
#[derive(Clone, Debug)]
pub(crate) struct Consequences(Vec<bool>);

impl Consequences {
    /// For the statements that are reached.
    pub(crate) fn new(program: &Program, is_reached: impl Fn(StatementId) -> bool) -> Consequences {
        let (reached, others): (Vec<StatementId>, Vec<StatementId>) =
            program.statement_ids().partition(|id| is_reached(*id));
        let mut deeds: Vec<Deed> = reached.iter().map(|id| Deed::of(program, *id)).collect();
        let pointees = Pointees::new(program, &deeds);
        let mut is_read = vec![false; program.variables.len()];
        for variable in deeds.iter().flat_map(|deed| &deed.reads) {
            is_read[variable.index()] = true;
        }
        for deed in &mut deeds {
            pointees.follow(deed);
            let is_seen = |variable: &VariableId| {
                let storage = program.variable(*variable).storage;
                !storage.is_automatic() && is_read[variable.index()]
            };
            deed.is_seen |= deed.writes.iter().any(is_seen);
        }
        let mut search = ConsequenceSearch {
            matters: vec![false; program.statements.len()],
            decides: vec![Decides::default(); program.statements.len()],
            is_wanted: vec![false; program.variables.len()],
            acts: vec![false; program.functions.len()],
            result_counts: vec![false; program.functions.len()],
        };
        for id in others.into_iter().chain(reached) {
            search.look_around(program, id, is_reached(id));
        }
        while search.goes_on(program, &deeds) {}
        Consequences(search.matters)
    }

    pub(crate) fn has(&self, statement: StatementId) -> bool {
        self.0[statement.index()]
    }
}

/// What one statement does by itself.
struct Deed {
    statement: StatementId,
    function: FunctionId,
    reads: Vec<VariableId>,
    writes: Vec<VariableId>,
    /// Variables whose address it takes.
    addresses: Vec<VariableId>,
    /// Pointers through which it writes.
    through: Vec<VariableId>,
    /// The seed's functions that it calls, and whether it uses the result.
    calls: Vec<(FunctionId, bool)>,
    /// Whether it has an effect that can be observed from outside.
    is_seen: bool,
    is_return: bool,
    has_condition: bool,
}

impl Deed {
    fn of(program: &Program, id: StatementId) -> Deed {
        let statement = program.statement(id);
        let mut deed = Deed {
            statement: id,
            function: statement.function,
            reads: vec![],
            writes: vec![],
            addresses: vec![],
            through: vec![],
            calls: vec![],
            is_seen: false,
            is_return: statement.kind == StatementKind::Return,
            has_condition: false,
        };
        for part in &statement.parts {
            deed.has_condition |= part.role == PartRole::Condition;
            if let PartRole::Declarator(variable) = part.role {
                deed.writes.push(variable);
            }
            let uses = &program.uses[part.uses.start as usize..part.uses.end as usize];
            for used in uses {
                match used.access {
                    Access::Read => deed.reads.push(used.variable),
                    Access::AddressTaken => {
                        deed.reads.push(used.variable);
                        deed.addresses.push(used.variable);
                    }
                    Access::Write | Access::ReadWrite => deed.writes.push(used.variable),
                    Access::Unknown => deed.is_seen = true,
                    Access::Unevaluated => {}
                }
            }
            for expr in part.exprs.clone().map(ExprId) {
                deed.add(program, expr);
            }
        }
        deed
    }

    fn add(&mut self, program: &Program, id: ExprId) {
        let expr = program.expr(id);
        match expr.kind {
            _ if !expr.is_evaluated => {}
            ExprKind::Call(Some(function)) if program.function(function).definition.is_some() => {
                let is_used = expr.parent.is_some() || self.is_return;
                self.calls.push((function, is_used));
            }
            ExprKind::Call(Some(function)) => {
                let callee = program.function(function);
                let is_harmless = callee.is_static
                    && callee.is_from_header
                    && takes_numbers_only(program, function);
                self.is_seen |= !is_harmless;
            }
            ExprKind::Call(None) => self.is_seen = true,
            ExprKind::Assign | ExprKind::CompoundAssign(_) | ExprKind::Step(_) => {
                let target = program.operands(id).next();
                match target.and_then(|target| pointer(program, target)) {
                    Some(pointer) => self.through.push(pointer),
                    None => {
                        let is_open = |target| written(program, target).is_open();
                        self.is_seen |= target.is_none_or(is_open);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The variable that a pointer is read from to be followed once.
fn pointer(program: &Program, target: ExprId) -> Option<VariableId> {
    let is_followed = matches!(
        program.expr(target).kind,
        ExprKind::Deref | ExprKind::Subscript
    );
    let base = program.operands(target).next().filter(|_| is_followed)?;
    match program.expr(base).kind {
        ExprKind::Variable(variable) if !program.types.is_array(program.expr(base).ty.id) => {
            Some(variable)
        }
        _ => None,
    }
}

/// What automatic pointers may point to, as far as that can be told from where they get
/// their values.
struct Pointees {
    /// By variable; `None` if it may be anything.
    of: Vec<Option<Vec<VariableId>>>,
}

impl Pointees {
    fn new(program: &Program, deeds: &[Deed]) -> Pointees {
        let is_local = |variable: &Variable| variable.storage == Storage::Automatic;
        let variables = program.variables.iter();
        let known = variables.map(|variable| is_local(variable).then(Vec::new));
        let mut of: Vec<Option<Vec<VariableId>>> = known.collect();
        for deed in deeds {
            for written in &deed.writes {
                let known = &mut of[written.index()];
                match known {
                    Some(known) if !deed.addresses.is_empty() => known.extend(&deed.addresses),
                    _ => *known = None,
                }
            }
        }
        Pointees { of }
    }

    /// Says what a statement writes through pointers.
    fn follow(&self, deed: &mut Deed) {
        for pointer in &deed.through {
            match &self.of[pointer.index()] {
                Some(known) => deed.writes.extend(known),
                None => deed.is_seen = true,
            }
        }
    }
}

/// What the condition of a statement decides.
#[derive(Clone, Default)]
struct Decides {
    /// Whether something that matters happens, or something that would matter if it were reached.
    holds: bool,
    /// Whether the function ends.
    returns: bool,
    /// Which loops and switches end.
    leaves: Vec<StatementId>,
}

/// What is known to matter so far.
struct ConsequenceSearch {
    matters: Vec<bool>,
    decides: Vec<Decides>,
    /// By variable: whether something that matters reads it.
    is_wanted: Vec<bool>,
    /// By function: whether a call has an effect that can be observed from outside.
    acts: Vec<bool>,
    result_counts: Vec<bool>,
}

impl ConsequenceSearch {
    /// Records, for the statements around one, what their conditions control.
    fn look_around(&mut self, program: &Program, id: StatementId, is_reached: bool) {
        let statement = program.statement(id);
        let around = |id: StatementId| {
            let parent = |id: &StatementId| program.statement(*id).parent;
            std::iter::successors(parent(&id), move |id| parent(id))
        };
        match statement.kind {
            StatementKind::Break | StatementKind::Continue => {
                let is_left = |id: &StatementId| {
                    let kind = &program.statement(*id).kind;
                    kind.is_loop() || matches!(kind, StatementKind::Switch { .. })
                };
                if let Some(left) = around(id).find(is_left) {
                    let inside = around(id).take_while(|id| *id != left);
                    inside.for_each(|id| self.decides[id.index()].leaves.push(left));
                }
            }
            StatementKind::Return | StatementKind::Goto { .. } => {
                around(id).for_each(|id| self.decides[id.index()].returns = true);
            }
            _ if !is_reached => {
                let mut exprs = statement.parts.iter().flat_map(|part| part.exprs.clone());
                let effects = Effects::WRITES | Effects::CALLS | Effects::UNKNOWN;
                if exprs.any(|expr| program.expr(ExprId(expr)).own_effects.intersects(effects)) {
                    around(id).for_each(|id| self.decides[id.index()].holds = true);
                }
            }
            _ => {}
        }
    }

    /// Looks at all statements once; false if nothing new is found.
    fn goes_on(&mut self, program: &Program, deeds: &[Deed]) -> bool {
        let mut is_new = false;
        for deed in deeds {
            if self.matters[deed.statement.index()] || !self.counts(deed) {
                continue;
            }
            is_new = true;
            self.matters[deed.statement.index()] = true;
            let mut around = program.statement(deed.statement).parent;
            while let Some(id) = around {
                self.decides[id.index()].holds = true;
                around = program.statement(id).parent;
            }
            let calls_actor = deed
                .calls
                .iter()
                .any(|(callee, _)| self.acts[callee.index()]);
            self.acts[deed.function.index()] |= deed.is_seen || calls_actor;
            for variable in &deed.reads {
                self.is_wanted[variable.index()] = true;
            }
            for (callee, _) in deed.calls.iter().filter(|(_, is_used)| *is_used) {
                self.result_counts[callee.index()] = true;
            }
        }
        is_new
    }

    fn counts(&self, deed: &Deed) -> bool {
        let function = deed.function.index();
        let is_of_use = self.acts[function] || self.result_counts[function];
        let decides = &self.decides[deed.statement.index()];
        let mut left = decides.leaves.iter();
        let does_decide = decides.holds
            || decides.returns
            || left.any(|statement| self.matters[statement.index()]);
        let mut writes = deed.writes.iter();
        let mut calls = deed.calls.iter();
        deed.is_seen
            || writes.any(|variable| self.is_wanted[variable.index()])
            || calls.any(|(callee, _)| self.acts[callee.index()])
            || (deed.is_return && self.result_counts[function])
            || (deed.has_condition && is_of_use && does_decide)
    }
}

#[cfg(test)]
mod tests {
    use super::super::clang::Clang;
    use super::super::program::lower;
    use super::*;
    use std::path::Path;

    const SEED: &str = "
        int printf(const char *, ...);
        static int g, unread, *p;
        static int sum(int x) { int y = x + 1; int z = x + 2; z = 3; return y; }
        static int idle(int x) { if (x) x = 5; return x + 6; }
        static void store(int x) { int w = x + 7; g = w; }
        static void lose(int x) { unread = x + 8; }
        int main(void) {
            int a = 9, b = 10;
            idle(b + 11);
            store(a + 12);
            lose(13);
            *p = 14;
            int l = 16, *q = &l, i;
            int *r = &g;
            *q = 17;
            *r = 18;
            for (i = 19; i < 20; i++) if (b) break;
            for (a = 21; a < 22; a++) g = a;
            printf(\"%d %d\\n\", g, sum(15));
            return 0;
        }
    ";

    #[test]
    fn what_nobody_looks_at_has_no_consequences() {
        let clang = Clang::load().expect("libclang is installed");
        let lowered = lower(&clang, Path::new("a.c"), SEED.as_bytes().into(), &[]);
        let program = lowered.unwrap_or_else(|refused| panic!("{refused}"));
        let found = Consequences::new(&program, |_| true);
        let of = |text: &str| {
            let is_it =
                |id: &StatementId| program.text(program.statement(*id).span) == text.as_bytes();
            let id = program.statement_ids().find(is_it);
            found.has(id.unwrap_or_else(|| panic!("no statement {text}")))
        };
        for text in [
            "int y = x + 1;",
            "return y;",
            "int w = x + 7;",
            "g = w;",
            "*p = 14;",
            "*r = 18;",
            "for (a = 21; a < 22; a++) g = a;",
        ] {
            assert!(of(text), "{text}");
        }
        for text in [
            "int z = x + 2;",
            "z = 3;",
            "x = 5;",
            "return x + 6;",
            "unread = x + 8;",
            "*q = 17;",
            "if (b) break;",
        ] {
            assert!(!of(text), "{text}");
        }
        assert!(of("store(a + 12);") && !of("idle(b + 11);") && !of("lose(13);"));
    }
}
