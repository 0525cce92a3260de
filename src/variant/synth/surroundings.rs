//! What code that never runs may name at a place: everything in scope.

use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr};
use crate::code::stmt::USE_NAME;
use crate::source::program::{
    self, Definition, FunctionId, PartRole, Program, SeedFunction, StatementId, StatementKind,
    Storage, VariableId,
};
use crate::source::vocabulary::Vocabulary;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names, jumps and calls that are legal at a place.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Variables that can be used, and whether as a whole they are const.
    pub variables: Vec<(Expr, Type, bool)>,
    /// Structs that are complete there: pointers to others cannot be followed.
    pub complete: BTreeSet<Arc<str>>,
    pub callees: Vec<Callee>,
    /// Labels that can be jumped to.
    pub labels: Vec<Arc<str>>,
    pub may_break: bool,
    pub may_continue: bool,
    /// What `return` takes; `None` where none may stand.
    pub result: Option<Type>,
}

impl Surroundings {
    pub fn new(program: &Program, vocabulary: &Vocabulary, at: StatementId) -> Surroundings {
        let function = program.function(program.statement(at).function);
        let definition = function.definition.as_ref();
        let variables = program
            .visible_at(at)
            .into_iter()
            .filter(|&id| is_usable(program, id) && program.is_complete_at(id, at))
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
        let (may_break, may_continue) = jumps(program, at);
        let result = match program.types.get(function.ty.id) {
            program::SeedType::Function { result, .. } => {
                let ty = vocabulary.ty(result.id).clone();
                (ty == Type::Void || ty.int_kind().is_some()).then_some(ty)
            }
            _ => None,
        };
        Surroundings {
            variables,
            complete: complete(program, vocabulary, at),
            callees,
            labels: definition.map_or(vec![], |definition| labels(program, definition)),
            may_break,
            may_continue,
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

/// Whether code that never runs may name a variable wherever it is visible.
pub(crate) fn is_usable(program: &Program, id: VariableId) -> bool {
    let variable = program.variable(id);
    let is_ours = variable.name.is_empty() || variable.name == USE_NAME;
    // Its declaration may be deleted.
    let may_go = !variable.is_used_elsewhere;
    // A new use of it might not link, or mean something else.
    let is_foreign = variable.storage == Storage::External
        || variable.is_from_system_header
        || variable.has_asm_name;
    // A part of it chosen by a variable would need its address.
    let has_no_address = variable.is_register && program.types.integer(variable.ty.id).is_none();
    !is_ours && !may_go && !is_foreign && !has_no_address
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
    (fits && is_callable(program, function)).then(|| Callee {
        name: function.name.as_str().into(),
        result,
        params,
    })
}

/// Whether a new call of a function that the program defines is sure to compile and
/// to link.
pub(crate) fn is_callable(program: &Program, function: &SeedFunction) -> bool {
    let Some(definition) = &function.definition else {
        return false;
    };
    let head = definition.span.start..program.statement(definition.body()).span.start;
    let head = String::from_utf8_lossy(&program.source[head.start as usize..head.end as usize]);
    // `inline` may have no definition to link with, and an attribute such as
    // `always_inline` or `error` may make a new call an error.
    let is_special = ["inline", "__attribute__", "[["]
        .iter()
        .any(|word| head.contains(word));
    function.name != "main" && !is_special && definition.hands_off.is_empty()
}

/// Labels, unless a jump to one might enter the scope of something that no jump
/// may enter: a variably modified type, or a variable with a cleanup.
pub(crate) fn labels(program: &Program, definition: &Definition) -> Vec<Arc<str>> {
    let text = &program.source[definition.span.range()];
    let mut labels = Vec::new();
    for id in definition.statement_ids() {
        let statement = program.statement(id);
        match &statement.kind {
            StatementKind::Label { name, .. } => labels.push(name.as_str().into()),
            StatementKind::Declaration { .. } | StatementKind::For { .. } => {
                let is_other =
                    |part: &program::StatementPart| part.role == PartRole::OtherDeclaration;
                if statement.parts.iter().any(is_other) {
                    return vec![];
                }
            }
            _ => {}
        }
    }
    let is_local = |variable: &&program::Variable| {
        variable.function.is_some_and(|function| {
            program
                .function(function)
                .definition
                .as_ref()
                .map(|d| d.span)
                == Some(definition.span)
        })
    };
    let has_variable_type = program
        .variables
        .iter()
        .filter(is_local)
        .any(|variable| program.types.may_be_variably_modified(variable.ty.id));
    let has_cleanup = text.windows(7).any(|word| word == b"cleanup");
    match has_variable_type || has_cleanup {
        true => vec![],
        false => labels,
    }
}

/// Whether `break` and `continue` have something to leave.
pub(crate) fn jumps(program: &Program, at: StatementId) -> (bool, bool) {
    let (mut may_break, mut may_continue) = (false, false);
    let mut inner = program.statement(at);
    while let Some(parent) = inner.parent {
        // A jump out of a statement expression is not for us.
        if inner.role == program::Role::InExpression {
            break;
        }
        inner = program.statement(parent);
        may_continue |= inner.kind.is_loop();
        may_break |= inner.kind.is_loop() || matches!(inner.kind, StatementKind::Switch { .. });
    }
    (may_break, may_continue)
}
