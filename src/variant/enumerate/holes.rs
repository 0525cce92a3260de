//! The holes of a program: where it names variables, and what could be named instead.
//!
//! A hole is a use of a variable in a function of the seed's own text. Its candidates are
//! the variables that could be named there without a complaint of the compiler. Whether
//! the program then still has one meaning is for others to find out.

use super::settings::TypeRule;
use crate::code::stmt::USE_NAME;
use crate::source::program::{
    Access, FunctionId, Meaning, PartRole, Program, ScopeId, SeedType, Span, Storage, Use,
    Variable, VariableId,
};
use std::collections::BTreeMap;

/// A place where a variable is named.
#[derive(Clone, Debug)]
pub struct SkeletonHole {
    pub span: Span,
    pub function: FunctionId,
    /// What the seed names there.
    pub variable: VariableId,
    /// What could be named there, the seed's own choice included; in order.
    pub candidates: Vec<VariableId>,
}

/// A use, and where it stands.
#[derive(Clone, Copy)]
struct PlacedUse {
    used: Use,
    function: FunctionId,
    scope: ScopeId,
    /// Whether it is in the initialiser of a local static variable, which must be constant.
    is_in_constant: bool,
}

/// The holes of a program in the order of its text.
pub(super) fn find_holes(program: &Program, types: TypeRule) -> Vec<SkeletonHole> {
    let mut holes = Vec::new();
    for (span, placed) in placed_uses(program, types) {
        let Some(PlacedUse {
            used,
            function,
            scope,
            ..
        }) = placed
        else {
            continue;
        };
        let candidates = candidates(program, types, used, scope);
        // Otherwise its own choice is not one that we would make: it is foreign, say.
        if candidates.contains(&used.variable) {
            holes.push(SkeletonHole {
                span,
                function,
                variable: used.variable,
                candidates,
            });
        }
    }
    holes
}

/// The uses that may become holes, by place; `None` where two uses at one place are not
/// of one mind, which a list of designated initialisers may bring about.
fn placed_uses(program: &Program, types: TypeRule) -> BTreeMap<Span, Option<PlacedUse>> {
    let mut owners: BTreeMap<u32, PlacedUse> = BTreeMap::new();
    for (function, _, definition) in program.definitions() {
        if types == TypeRule::Strict && !definition.hands_off.is_empty() {
            continue;
        }
        // Parents come before what they contain, so the innermost statement stays.
        for id in definition.statement_ids() {
            let statement = program.statement(id);
            for part in &statement.parts {
                for index in part.uses.clone() {
                    let placed = PlacedUse {
                        used: program.uses[index as usize],
                        function,
                        scope: program.inner_scope(id),
                        is_in_constant: is_constant(program, part.role),
                    };
                    owners.insert(index, placed);
                }
            }
        }
    }
    let mut places: BTreeMap<Span, Option<PlacedUse>> = BTreeMap::new();
    for placed in owners.into_values().filter(|p| is_hole(program, types, p)) {
        let known = places.entry(placed.used.span).or_insert(Some(placed));
        let is_same = known.is_some_and(|known| {
            known.used.variable == placed.used.variable && known.used.access == placed.used.access
        });
        if !is_same {
            *known = None;
        }
    }
    places
}

fn is_constant(program: &Program, role: PartRole) -> bool {
    match role {
        PartRole::Declarator(variable) => {
            program.variable(variable).storage == Storage::LocalStatic
        }
        PartRole::CaseValue => true,
        _ => false,
    }
}

fn is_hole(program: &Program, types: TypeRule, placed: &PlacedUse) -> bool {
    let used = placed.used;
    let variable = program.variable(used.variable);
    // The name may be written with an escape or broken by a line end.
    let is_plain = !used.is_in_macro
        && used.span.end as usize <= program.source.len()
        && program.text(used.span) == variable.name.as_bytes();
    match types {
        TypeRule::Any => is_plain,
        TypeRule::Strict => {
            is_plain
                && !placed.is_in_constant
                && !matches!(used.access, Access::Unevaluated | Access::Unknown)
                && is_arithmetic(program.types.get(variable.ty.id))
        }
    }
}

/// Whether the type is one of the built-in types of integers and floating-point numbers.
fn is_arithmetic(ty: &SeedType) -> bool {
    matches!(
        ty,
        SeedType::Int(_) | SeedType::Int128 { .. } | SeedType::Float(_)
    )
}

/// The variables that a hole can be filled with.
fn candidates(program: &Program, types: TypeRule, used: Use, scope: ScopeId) -> Vec<VariableId> {
    let names = program.names_before(scope, used.span.start).into_iter();
    let visible = names.filter(|name| !name.is_macro_too);
    let variables = visible.filter_map(|name| match name.meaning {
        Meaning::Variable(variable) => Some(variable),
        _ => None,
    });
    let own = program.variable(used.variable);
    let mut found: Vec<VariableId> = variables
        .filter(|id| {
            let variable = program.variable(*id);
            // `int a = a;` is allowed and never meant.
            let is_being_declared = variable
                .declaration
                .is_some_and(|declaration| declaration.contains(used.span));
            let fits = types == TypeRule::Any || fits(program, own, variable, used.access);
            !is_being_declared && fits
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a variable can be accessed in place of another.
fn fits(program: &Program, own: &Variable, other: &Variable, access: Access) -> bool {
    let shape = |variable: &Variable| program.types.get(variable.ty.id);
    let takes_address = access == Access::AddressTaken;
    // A pointer to it has a type of its own.
    let is_qualified_alike =
        own.ty.is_const == other.ty.is_const && own.ty.is_volatile == other.ty.is_volatile;
    !other.is_foreign()
        && other.name != USE_NAME
        && shape(own) == shape(other)
        && !(access.writes() && other.ty.is_const)
        && !(takes_address && (other.is_register || !is_qualified_alike))
}
