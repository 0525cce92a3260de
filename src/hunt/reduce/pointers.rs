//! Pointers: one that always points to the same object is replaced by the object, and others
//! lose a level: what they pointed to is then copied.

use super::declarators::Declarators;
use super::draft::{Draft, Rewrite};
use super::functions::{arguments, calls, lists};
use crate::source::program::{
    Access, ExprId, ExprKind, Program, SeedType, Span, Storage, TokenKind, Use, VariableId,
};

/// Replaces each pointer whose only value is the address of something by that. Refused if the
/// pointer is set again, its own address is taken, or a macro hides a use.
pub(super) fn resolve(draft: &Draft) -> Vec<Rewrite> {
    let program = &draft.program;
    let declarators = Declarators::new(draft);
    let mut changes = Vec::new();
    for index in 0..program.variables.len() {
        let id = VariableId::new(index);
        let target = program
            .variable(id)
            .initial
            .and_then(|initial| pointee(program, initial));
        let (Some(declarator), Some(target)) = (declarators.of(id), target) else {
            continue;
        };
        let change = declarator.remove(draft, Rewrite::new());
        let object = object(draft, target);
        let mut uses = program.uses.iter().filter(|used| used.variable == id);
        let replaced = uses.try_fold(change, |change, used| {
            let is_read = matches!(used.access, Access::Read | Access::Unevaluated);
            (is_read && !used.is_in_macro).then(|| indirect(draft, used, change, &object, true))?
        });
        changes.extend(replaced);
    }
    changes
}

/// What `&x` takes the address of.
fn pointee(program: &Program, id: ExprId) -> Option<ExprId> {
    let expr = program.expr(id);
    let inner = program.operands(id).next();
    match expr.kind {
        ExprKind::AddressOf => inner.filter(|inner| !program.expr(*inner).is_in_macro),
        ExprKind::Cast => pointee(program, inner?),
        _ => None,
    }
}

/// The text of an object that may stand anywhere.
fn object(draft: &Draft, id: ExprId) -> Vec<u8> {
    let expr = draft.program.expr(id);
    let text = draft.text(expr.outer);
    match expr.kind {
        ExprKind::Deref => [b"(", text, b")"].concat(),
        _ => text.to_vec(),
    }
}

/// The change, and what a use of a pointer leads to is named by itself. Where the pointer as
/// such is used, it becomes the address of the object.
fn indirect(
    draft: &Draft,
    used: &Use,
    change: Rewrite,
    object: &[u8],
    is_exact: bool,
) -> Option<Rewrite> {
    let program = &draft.program;
    let own = program.expr(used.expr);
    let parent = own.parent.map(|parent| (parent, program.expr(parent)));
    let plain = parent.filter(|(_, around)| !around.is_in_macro);
    Some(match plain.map(|(id, around)| (id, around, around.kind)) {
        Some((_, around, ExprKind::Deref)) => change.replace(around.span, object),
        Some((id, around, ExprKind::Subscript)) => {
            let index = program.operands(id).nth(1)?;
            // Only the first element is the object itself.
            if is_exact && program.expr(index).kind != ExprKind::Integer(0) {
                return None;
            }
            change.replace(around.span, object)
        }
        Some((_, around, ExprKind::Member { .. })) => {
            let name = draft.tokens_in(around.span).last()?.span;
            let between = Span::new(own.outer.end, name.start);
            change.replace(own.outer, object).replace(between, ".")
        }
        _ => change.replace(own.outer, [b"(&", object, b")"].concat()),
    })
}

/// Takes one level of indirection from each variable and parameter: `*p` becomes `p`, and what
/// was given by address is given by value. Whether that is still the same failure is for the
/// test to say; refused are only pointers to functions and what macros hide.
pub(super) fn fewer_levels(draft: &Draft) -> Vec<Rewrite> {
    let ids = (0..draft.program.variables.len()).map(VariableId::new);
    let declarators = Declarators::new(draft);
    let changes = ids
        .filter_map(|id| one_level(draft, &declarators, id))
        .collect();
    draft.without_growth(changes)
}

fn one_level(draft: &Draft, declarators: &Declarators, id: VariableId) -> Option<Rewrite> {
    let program = &draft.program;
    let variable = program.variable(id);
    let SeedType::Pointer { to } = program.types.get(variable.ty.id) else {
        return None;
    };
    let is_object = !matches!(
        program.types.get(to.id),
        SeedType::Function { .. } | SeedType::Void | SeedType::Other(_)
    );
    if !is_object {
        return None;
    }
    let name = variable.name.as_bytes();
    let mut change = match variable.storage {
        Storage::Parameter => parameter(draft, id)?,
        _ => {
            let declarator = declarators.of(id)?;
            Rewrite::new().delete(star_before(draft, declarator.own, declarator.name)?)
        }
    };
    if let Some(initial) = variable.initial {
        change = change.replace(program.expr(initial).outer, value(draft, initial));
    }
    for used in program.uses.iter().filter(|used| used.variable == id) {
        if used.is_in_macro {
            return None;
        }
        let parent = program.expr(used.expr).parent;
        let assigned = parent.filter(|&parent| {
            let is_left = program.operands(parent).next() == Some(used.expr);
            program.expr(parent).kind == ExprKind::Assign && is_left
        });
        change = match assigned {
            Some(parent) => {
                let given = program.operands(parent).nth(1)?;
                change.replace(program.expr(given).outer, value(draft, given))
            }
            None => indirect(draft, used, change, name, false)?,
        };
    }
    Some(change)
}

/// What is assigned instead of an address.
fn value(draft: &Draft, id: ExprId) -> Vec<u8> {
    let program = &draft.program;
    let text = draft.text(program.expr(id).outer);
    match (pointee(program, id), program.expr(id).kind) {
        (Some(target), _) => draft.text(program.expr(target).outer).to_vec(),
        (None, ExprKind::Integer(0)) => b"0".to_vec(),
        (None, ExprKind::Variable(_)) => [b"*", text].concat(),
        (None, _) => [b"*(", text, b")"].concat(),
    }
}

/// The last star before a name.
fn star_before(draft: &Draft, declarator: Span, name: Span) -> Option<Span> {
    let before = draft.tokens_in(Span::new(declarator.start, name.start));
    let star = before
        .iter()
        .rev()
        .find(|t| t.kind == TokenKind::Punctuation(b'*'));
    star.map(|star| star.span)
}

/// A parameter without a star in all lists, and its arguments by value.
fn parameter(draft: &Draft, id: VariableId) -> Option<Rewrite> {
    let program = &draft.program;
    let (function, named, definition) = program
        .definitions()
        .find(|(_, _, definition)| definition.parameters.contains(&id))?;
    let index = definition
        .parameters
        .iter()
        .position(|other| *other == id)?;
    let count = definition.parameters.len();
    let mut change = Rewrite::new();
    for list in lists(draft, &named.name, index, count) {
        let stars = draft.tokens_in(list).iter().rev();
        let mut stars = stars.filter(|token| token.kind == TokenKind::Punctuation(b'*'));
        change = change.delete(stars.next()?.span);
    }
    for call in calls(draft, function) {
        let given = *arguments(draft, call)?.get(index)?;
        let exprs = program.expr_ids();
        let argument = exprs
            .into_iter()
            .find(|id| program.expr(*id).outer == given)?;
        change = change.replace(given, value(draft, argument));
    }
    Some(change)
}

#[cfg(test)]
mod tests {
    use super::super::draft::{proposed, refuses};
    use super::*;

    #[test]
    fn a_pointer_to_one_object_is_replaced_by_it() {
        let text = "struct s { int x; } v; int f(struct s *p) { return p->x; }
            int main(void) { struct s *q = &v; q->x = 1; (*q).x++; return f(q) + q[0].x; }";
        let left = "struct s { int x; } v; int f(struct s *p) { return p->x; } \
            int main(void) { v.x = 1; (v).x++; return f((&v)) + v.x; }";
        assert_eq!(proposed(text, resolve), [left]);
    }

    #[test]
    fn pointers_that_move_are_not_replaced() {
        for text in [
            "int a, b; int main(void) { int *p = &a; p = &b; return *p; }",
            "int a[2]; int main(void) { int *p = &a[0]; return p[1]; }",
            "int a; int main(void) { int *p = &a, **q = &p; return **q + *p; }",
            "int a[2]; int main(void) { int *p = a; return *p; }",
        ] {
            let of_p = |text: &String| !text.contains("*p =");
            assert!(!proposed(text, resolve).iter().any(of_p), "{text}");
        }
    }

    #[test]
    fn a_level_goes_everywhere() {
        let text = "int x; int main(void) { int *p = &x; *p = 2; p = 0; return p[1]; }";
        let left = "int x; int main(void) { int p = x; p = 2; p = 0; return p; }";
        assert_eq!(proposed(text, fewer_levels), [left]);
        let text = "int f(int *); int f(int *p) { return *p; } int main(void) { int x = 1; return f(&x); }";
        let left =
            "int f(int); int f(int p) { return p; } int main(void) { int x = 1; return f(x); }";
        assert_eq!(proposed(text, fewer_levels), [left]);
    }

    #[test]
    fn pointers_to_functions_and_void_keep_their_level() {
        let texts = [
            "int f(void) { return 1; } int main(void) { int (*p)(void) = f; return p(); }",
            "int x; int main(void) { void *p = &x; return p == 0; }",
        ];
        refuses(fewer_levels, &texts);
    }
}
