//! What is left alone in a whole program because of what attributes promise compilers.

use crate::source::program::Program;
use crate::source::program::attributes::{has_attribute, has_second_names};
use crate::source::program::function::{HandsOff, SeedFunction};
use crate::source::program::ids::FunctionId;
use crate::source::program::statement::NoPoint;
use std::collections::HashSet;

/// A variable with two names would count as two.
pub(super) fn second_names(program: &mut Program, text: &[u8]) {
    if has_second_names(text) {
        for variable in &mut program.variables {
            variable.has_asm_name |= variable.function.is_none();
        }
    }
}

/// What a `pure` or `const` function promises, it promises for all that it calls: live
/// code there would read what calls may be moved across.
pub(super) fn what_pure_functions_call(program: &mut Program) {
    let is_promised = |function: &SeedFunction| function.is_pure || function.is_const;
    let all = (0..program.functions.len()).map(FunctionId::new);
    let mut left: Vec<FunctionId> = all
        .clone()
        .filter(|id| is_promised(program.function(*id)))
        .collect();
    let mut seen: HashSet<FunctionId> = left.iter().copied().collect();
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
    for id in seen {
        leave(program, id, HandsOff::PureOrConst);
    }
}

/// Functions that come back more than once, by an attribute: any may call one.
pub(super) fn what_returns_twice(program: &mut Program, text: &[u8]) {
    if has_attribute(text, "returns_twice") {
        for id in (0..program.functions.len()).map(FunctionId::new) {
            leave(program, id, HandsOff::SetJmp);
        }
    }
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
