//! What code that never runs may name at a place: everything in scope.

use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr};
use crate::source::program::{self, FunctionId, Program, StatementId, VariableId};
use crate::source::vocabulary::Vocabulary;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names, jumps and calls that are legal at a place.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// Variables that can be used, and whether as a whole they are const; first those
    /// that the code around uses.
    pub variables: Vec<(Expr, Type, bool)>,
    /// How many of them the code around uses.
    pub near: usize,
    /// The names of those that no pointer may point to.
    pub registers: BTreeSet<Arc<str>>,
    /// Structs that are complete there: pointers to others cannot be followed.
    pub complete: BTreeSet<Arc<str>>,
    pub callees: Vec<Callee>,
    /// Labels that can be jumped to.
    pub labels: Vec<Arc<str>>,
    pub may_break: bool,
    pub may_continue: bool,
    pub may_abort: bool,
    /// The type that `return` takes; `None` where no `return` is allowed.
    pub result: Option<Type>,
}

impl Surroundings {
    pub(crate) fn new(program: &Program, vocabulary: &Vocabulary, at: StatementId) -> Surroundings {
        let function = program.function(program.statement(at).function);
        let definition = function.definition.as_ref();
        let used = program.used_near(at);
        let mut usable = program.visible_at(at);
        usable.retain(|&id| program.is_usable(id) && program.is_complete_at(id, at));
        usable.sort_by_key(|id| !used.contains(id));
        let near = usable.iter().filter(|id| used.contains(id)).count();
        let is_register = |id: &&VariableId| program.variable(**id).is_register;
        let registers = usable.iter().filter(is_register);
        let registers = registers.map(|id| program.variable(*id).name.as_str().into());
        let registers = registers.collect();
        let variables = usable
            .into_iter()
            .map(|id| {
                let variable = program.variable(id);
                let ty = vocabulary.ty(variable.ty.id).clone();
                let is_const =
                    variable.ty.is_const || program.types.has_const_elements(variable.ty);
                (vocabulary.variable(program, id), ty, is_const)
            })
            .collect();
        let callees = program
            .functions_at(at)
            .into_iter()
            .filter_map(|id| callee(program, vocabulary, id))
            .collect();
        let (may_break, may_continue) = program.jumps(at);
        let result = match program.types.get(function.ty.id) {
            program::SeedType::Function { result, .. } => {
                let ty = vocabulary.ty(result.id).clone();
                (ty == Type::Void || ty.int_kind().is_some()).then_some(ty)
            }
            _ => None,
        };
        Surroundings {
            variables,
            near,
            registers,
            complete: complete(program, vocabulary, at),
            callees,
            labels: definition.map_or(vec![], |definition| program.labels(definition)),
            may_break,
            may_continue,
            may_abort: vocabulary.may_abort,
            result,
        }
    }
}

/// The structs that some variable declared before the place contains. A struct may
/// be declared first and defined last, and the tree does not say where; but a
/// variable needs its type complete where it is defined.
fn complete(program: &Program, vocabulary: &Vocabulary, at: StatementId) -> BTreeSet<Arc<str>> {
    let place = program.statement(at).span.start;
    let mut found = BTreeSet::new();
    for variable in &program.variables {
        let is_before = variable.declaration.is_some_and(|span| span.end <= place);
        if is_before && variable.complete_from <= place {
            collect_records(vocabulary, vocabulary.ty(variable.ty.id), &mut found);
        }
    }
    found
}

fn collect_records(vocabulary: &Vocabulary, ty: &Type, found: &mut BTreeSet<Arc<str>>) {
    match ty {
        Type::Array { of, .. } => collect_records(vocabulary, of, found),
        Type::Record(name) if found.insert(name.clone()) => {
            for field in vocabulary.types.get(name).iter().flat_map(|r| &r.fields) {
                collect_records(vocabulary, &field.ty, found);
            }
        }
        _ => {}
    }
}

/// A function that any place may call, with plain integers.
fn callee(program: &Program, vocabulary: &Vocabulary, id: FunctionId) -> Option<Callee> {
    let function = program.function(id);
    let (result, parameters) = program.prototype(id)?;
    let result = vocabulary.ty(result.id).clone();
    let params: Vec<Type> = parameters
        .iter()
        .map(|parameter| vocabulary.ty(parameter.id).clone())
        .collect();
    let is_plain = |ty: &Type| matches!(ty, Type::Int(_));
    let fits = (result == Type::Void || is_plain(&result)) && params.iter().all(is_plain);
    (fits && program.is_callable(function)).then(|| Callee {
        name: function.name.as_str().into(),
        result,
        params,
    })
}
