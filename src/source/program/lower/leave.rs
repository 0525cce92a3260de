//! What is left alone in a whole program because compilers may rely on promises that new code
//! would break: those of attributes, and those of C itself.

use crate::source::program::Program;
use crate::source::program::attributes::{has_attribute, has_second_names};
use crate::source::program::expression::ExprKind;
use crate::source::program::function::{HandsOff, SeedFunction};
use crate::source::program::ids::{ExprId, FunctionId, Span, VariableId};
use crate::source::program::statement::NoPoint;
use std::collections::BTreeSet;

/// Functions that install signal handlers.
const INSTALLERS: [&str; 6] = [
    "signal",
    "sigaction",
    "sigset",
    "bsd_signal",
    "sysv_signal",
    "__sysv_signal",
];

/// A variable with two names would count as two.
pub(super) fn second_names(program: &mut Program, text: &[u8]) {
    if has_second_names(text) {
        for variable in &mut program.variables {
            variable.has_asm_name |= variable.function.is_none();
        }
    }
}

/// The promise of a `pure` or `const` function covers everything it calls: live code there would
/// read variables across whose writes a compiler may move the call.
pub(super) fn what_pure_functions_call(program: &mut Program) {
    let is_promised = |function: &SeedFunction| function.is_pure || function.is_const;
    let all = (0..program.functions.len()).map(FunctionId::new);
    let promised = all.filter(|id| is_promised(program.function(*id)));
    for id in reached(program, promised.collect()) {
        leave(program, id, HandsOff::PureOrConst);
    }
}

/// Functions that return more than once, by an attribute: any function may call one.
pub(super) fn what_returns_twice(program: &mut Program, text: &[u8]) {
    if has_attribute(text, "returns_twice") {
        for id in (0..program.functions.len()).map(FunctionId::new) {
            leave(program, id, HandsOff::SetJmp);
        }
    }
}

/// A program that observes its own calls would also observe those that we add.
pub(super) fn what_is_watched(program: &mut Program) {
    let watches = |function: &SeedFunction| {
        let names = ["__cyg_profile_func_enter", "__cyg_profile_func_exit"];
        function.definition.is_some() && names.contains(&function.name.as_str())
    };
    if program.functions.iter().any(watches) {
        for id in (0..program.functions.len()).map(FunctionId::new) {
            leave(program, id, HandsOff::WatchedCalls);
        }
    }
}

/// C lets compilers assume that a signal changes only volatile variables, and the C library
/// declares that `raise` calls nothing back (`leaf`). So no new code may run in a handler, or
/// read or write what a handler uses.
pub(super) fn what_signals_reach(program: &mut Program) {
    let installs = |function: &SeedFunction| {
        function.definition.is_none() && INSTALLERS.contains(&function.name.as_str())
    };
    if !program.functions.iter().any(installs) {
        return;
    }
    let is_callee = |id: ExprId| {
        let parent = program
            .expr(id)
            .parent
            .map(|parent| (parent, program.expr(parent)));
        parent.is_some_and(|(parent, expr)| {
            matches!(expr.kind, ExprKind::Call(_)) && program.operands(parent).next() == Some(id)
        })
    };
    let mut named = Vec::new();
    for id in program.expr_ids().filter(|id| !is_callee(*id)) {
        if let ExprKind::Function(function) = program.expr(id).kind {
            named.push(function);
        }
    }
    let handlers = reached(program, named);
    let definitions = handlers
        .iter()
        .filter_map(|id| program.function(*id).definition.as_ref());
    let spans: Vec<Span> = definitions.map(|definition| definition.span).collect();
    let mut used: Vec<VariableId> = Vec::new();
    for one in &program.uses {
        if spans.iter().any(|span| span.contains(one.span)) {
            used.push(one.variable);
        }
    }
    for variable in used {
        let variable = &mut program.variables[variable.index()];
        variable.is_used_by_handler |= !variable.storage.is_automatic();
    }
    for id in handlers {
        leave(program, id, HandsOff::SignalHandler);
    }
}

/// Some functions and all that they may call.
fn reached(program: &Program, mut left: Vec<FunctionId>) -> BTreeSet<FunctionId> {
    let all = (0..program.functions.len()).map(FunctionId::new);
    let mut seen: BTreeSet<FunctionId> = left.iter().copied().collect();
    while let Some(caller) = left.pop() {
        let Some(definition) = &program.function(caller).definition else {
            continue;
        };
        let span = definition.span;
        let calls = program.calls.iter().filter(|call| span.contains(call.span));
        for call in calls {
            let called: Vec<FunctionId> = match call.function {
                Some(callee) => vec![callee],
                // A pointer may be that of any function.
                None => all.clone().collect(),
            };
            left.extend(called.into_iter().filter(|callee| seen.insert(*callee)));
        }
    }
    seen
}

/// Takes all points from a function.
fn leave(program: &mut Program, id: FunctionId, why: HandsOff) {
    let Some(definition) = &mut program.functions[id.index()].definition else {
        return;
    };
    if !definition.hands_off.contains(&why) {
        definition.hands_off.push(why);
        definition.hands_off.sort_unstable();
    }
    for statement in definition.statement_ids() {
        program.statements[statement.index()].insertion = Err(NoPoint::FunctionHandsOff);
    }
}
