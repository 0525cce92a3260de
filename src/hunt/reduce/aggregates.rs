//! Aggregates to scalars: a struct or array of which only parts are used becomes a variable
//! for each part, an array becomes one of its elements, and a struct of one member becomes
//! that member.

use super::declarators::{Declarator, Declarators};
use super::draft::{Draft, Rewrite, closing};
use super::items::items;
use super::spelling::{declaration, is_scalar};
use crate::source::program::{
    Conversion, ExprId, ExprKind, Qualified, RecordId, SeedType, Span, Storage, Use, VariableId,
};
use std::collections::BTreeMap;

/// A step from an aggregate to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PartStep {
    /// The member or the element, counted from 0.
    index: usize,
    /// What the name of the part ends with.
    suffix: String,
}

/// A place where a part is used.
struct PartUse {
    span: Span,
    ty: Qualified,
    path: Vec<PartStep>,
}

/// Replaces each variable of which only scalar parts are used by these. Refused if the
/// variable is used as a whole, if an index is not constant, or a macro hides a use.
pub(super) fn to_parts(draft: &Draft) -> Vec<Rewrite> {
    let declarators = Declarators::new(draft);
    let ids = (0..draft.program.variables.len()).map(VariableId::new);
    let found = ids.filter_map(|id| parts_of(draft, id, declarators.of(id)?));
    found.collect()
}

fn parts_of(draft: &Draft, id: VariableId, declarator: &Declarator) -> Option<Rewrite> {
    let program = &draft.program;
    let variable = program.variable(id);
    let is_own = !matches!(variable.storage, Storage::External | Storage::Parameter);
    if !is_own || is_scalar(&program.types, variable.ty) {
        return None;
    }
    let uses = program.uses.iter().filter(|used| used.variable == id);
    let uses: Vec<PartUse> = uses
        .map(|used| part_use(draft, used))
        .collect::<Option<_>>()?;
    let mut parts: BTreeMap<&[PartStep], (String, Qualified)> = BTreeMap::new();
    for used in &uses {
        let suffix: String = used.path.iter().map(|step| &*step.suffix).collect();
        let name = draft.fresh(&format!("{}{suffix}", variable.name));
        parts.insert(&used.path, (name, used.ty));
    }
    let mut text = String::new();
    for (path, (name, ty)) in &parts {
        if declarator.says(draft, b"static") {
            text.push_str("static ");
        }
        if ty.is_volatile {
            text.push_str("volatile ");
        }
        text.push_str(&declaration(&program.types, *ty, name)?);
        if let Some(initial) = variable.initial {
            let value = element(draft, initial, path).unwrap_or("0");
            text.push_str(&format!(" = {value}"));
        }
        text.push_str("; ");
    }
    let change = uses.iter().fold(Rewrite::new(), |change, used| {
        change.replace(used.span, parts[&used.path[..]].0.as_bytes())
    });
    (!uses.is_empty()).then(|| declarator.replace(draft, change, &text))
}

/// The part that a use of an aggregate leads to; `None` if it is none with a name.
fn part_use(draft: &Draft, used: &Use) -> Option<PartUse> {
    let program = &draft.program;
    let (mut at, mut path) = (used.expr, Vec::new());
    while let Some(parent) = program.expr(at).parent {
        let mut operands = program.operands(parent);
        if operands.next() != Some(at) {
            break;
        }
        let step = match (
            program.types.get(program.expr(at).ty.id),
            program.expr(parent).kind,
        ) {
            (SeedType::Record(_), ExprKind::Member { record, field }) => {
                let fields = program.types.record(record).fields.as_ref()?;
                let name = fields.get(field as usize)?.name.as_ref()?;
                PartStep {
                    index: field as usize,
                    suffix: format!("_{name}"),
                }
            }
            (SeedType::Array { .. }, ExprKind::Subscript) => {
                match program.expr(operands.next()?).kind {
                    ExprKind::Integer(value) => PartStep {
                        index: usize::try_from(value).ok()?,
                        suffix: format!("_{value}"),
                    },
                    _ => return None,
                }
            }
            _ => break,
        };
        path.push(step);
        at = parent;
    }
    let part = program.expr(at);
    let is_plain = !used.is_in_macro && !part.is_in_macro;
    (is_plain && is_scalar(&program.types, part.ty)).then_some(PartUse {
        span: part.span,
        ty: part.ty,
        path,
    })
}

/// The text that an initialiser has for a part; `None` if it says nothing of it that is sure.
fn element<'d>(draft: &'d Draft, initial: ExprId, path: &[PartStep]) -> Option<&'d str> {
    let program = &draft.program;
    let expr = program.expr(initial);
    let Some((step, rest)) = path.split_first() else {
        let is_value = expr.kind != ExprKind::InitList && !expr.is_in_macro;
        let text = std::str::from_utf8(draft.text(expr.outer)).ok()?;
        return is_value.then_some(text);
    };
    let is_designated = |id: &ExprId| {
        let text = draft.text(program.expr(*id).span);
        matches!(text.first(), Some(b'.' | b'['))
    };
    if expr.kind != ExprKind::InitList || program.operands(initial).any(|id| is_designated(&id)) {
        return None;
    }
    let next = program.operands(initial).nth(step.index)?;
    // Without inner braces, elements are counted otherwise.
    let is_list = program.expr(next).kind == ExprKind::InitList;
    (is_list != rest.is_empty()).then(|| element(draft, next, rest))?
}

/// Replaces each array by one of its elements: all subscripts mean the same then.
pub(super) fn to_element(draft: &Draft) -> Vec<Rewrite> {
    let declarators = Declarators::new(draft);
    let ids = (0..draft.program.variables.len()).map(VariableId::new);
    let found = ids.filter_map(|id| element_of(draft, id, declarators.of(id)?));
    found.collect()
}

fn element_of(draft: &Draft, id: VariableId, declarator: &Declarator) -> Option<Rewrite> {
    let program = &draft.program;
    let variable = program.variable(id);
    let SeedType::Array { .. } = program.types.get(variable.ty.id) else {
        return None;
    };
    let tokens = draft.tokens_in(declarator.own);
    let name = tokens
        .iter()
        .position(|token| token.span == declarator.name)?;
    let open = name + 1;
    if !draft.is(*tokens.get(open)?, b"[") {
        return None;
    }
    let close = closing(tokens, open)?;
    let size = Span::new(tokens[open].span.start, tokens[close].span.end);
    let mut change = Rewrite::new().delete(size);
    if let Some(initial) = declarator.initial {
        let first = variable.initial.and_then(|list| {
            let is_list = program.expr(list).kind == ExprKind::InitList;
            program.operands(list).next().filter(|_| is_list)
        });
        let value = first.map(|first| draft.text(program.expr(first).outer));
        change = change.replace(initial, value.unwrap_or(b"0"));
    }
    for used in program.uses.iter().filter(|used| used.variable == id) {
        let expr = program.expr(used.expr);
        let subscript = expr.parent.filter(|&parent| {
            let is_base = program.operands(parent).next() == Some(used.expr);
            program.expr(parent).kind == ExprKind::Subscript && is_base
        });
        let name = draft.text(declarator.name);
        if used.is_in_macro {
            return None;
        }
        change = match subscript {
            Some(parent) => change.replace(program.expr(parent).span, name),
            None if expr.conversion == Conversion::Decay => {
                change.replace(used.span, [b"&", name].concat())
            }
            None => change,
        };
    }
    Some(change)
}

/// Replaces each struct or union with one scalar member by that member's type.
pub(super) fn to_member(draft: &Draft) -> Vec<Rewrite> {
    let records = (0..draft.program.types.records.len()).map(RecordId::new);
    records.filter_map(|id| member_of(draft, id)).collect()
}

fn member_of(draft: &Draft, id: RecordId) -> Option<Rewrite> {
    let program = &draft.program;
    let record = program.types.record(id);
    let tag = record.tag.as_ref()?.as_bytes();
    let [field] = record.fields.as_ref()?.as_slice() else {
        return None;
    };
    if !is_scalar(&program.types, field.ty) {
        return None;
    }
    let ty = declaration(&program.types, field.ty, "")?;
    let mut change = Rewrite::new();
    // Its definition by itself.
    let items = items(draft);
    let bare = items.iter().find(|item| {
        let tokens = draft.tokens_in(item.span);
        let is_it = tokens.len() > 3 && draft.is(tokens[1], tag) && draft.is(tokens[2], b"{");
        is_it && closing(tokens, 2) == Some(tokens.len() - 2)
    });
    change = bare
        .into_iter()
        .fold(change, |change, item| change.delete(item.span));
    for (at, token) in draft.tokens.iter().enumerate() {
        let is_named = draft.is(*token, b"struct") || draft.is(*token, b"union");
        let Some(name) = draft
            .tokens
            .get(at + 1)
            .filter(|name| draft.is(**name, tag))
        else {
            continue;
        };
        if !is_named || bare.is_some_and(|item| item.span.contains(name.span)) {
            continue;
        }
        let body = draft
            .tokens
            .get(at + 2)
            .filter(|open| draft.is(**open, b"{"));
        let last = body
            .and_then(|_| closing(&draft.tokens, at + 2))
            .unwrap_or(at + 1);
        let whole = Span::new(token.span.start, draft.tokens[last].span.end);
        change = change.replace(whole, ty.as_bytes());
    }
    for expr in program.expr_ids() {
        let member = program.expr(expr);
        let ExprKind::Member { record, .. } = member.kind else {
            continue;
        };
        if record != id {
            continue;
        }
        let base = program.operands(expr).next()?;
        if member.is_in_macro || program.expr(base).is_in_macro {
            return None;
        }
        let object = program.expr(base);
        let is_object = matches!(program.types.get(object.ty.id), SeedType::Record(_));
        change = change.delete(Span::new(object.outer.end, member.span.end));
        if !is_object {
            change = change.insert_before(object.outer, "*");
        }
    }
    Some(change)
}

#[cfg(test)]
mod tests {
    use super::super::draft::{proposed, refuses};
    use super::*;

    #[test]
    fn used_parts_become_variables() {
        let text = "struct s { int x, y; short z[2]; }; static struct s a = { 1, 2, { 3 } };
            int main(void) { a.y = a.x; return a.z[1] + a.z[0]; }";
        let parts = "struct s { int x, y; short z[2]; }; static int a_x = 1; static int a_y = 2; \
            static short a_z_0 = 3; static short a_z_1 = 0; \
            int main(void) { a_y = a_x; return a_z_1 + a_z_0; }";
        assert_eq!(proposed(text, to_parts), [parts]);
    }

    #[test]
    fn other_names_of_the_declaration_stay() {
        let text = "int main(void) { int i = 1, a[2]; a[1] = i; return a[1]; }";
        let parts = "int main(void) { int i = 1; int a_1; a_1 = i; return a_1; }";
        assert_eq!(proposed(text, to_parts), [parts]);
    }

    #[test]
    fn whole_uses_and_other_indices_are_refused() {
        let texts = [
            "struct s { int x; } a, b; int main(void) { a = b; return a.x; }",
            "int a[2]; int main(void) { int i = 1; return a[i]; }",
            "int a[2]; int main(void) { int *p = a; return *p + a[0]; }",
            "struct s { int x; } a; int main(void) { return a.x + sizeof a; }",
            "extern int a[2]; int main(void) { return a[0]; }",
        ];
        refuses(to_parts, &texts);
    }

    #[test]
    fn a_list_whose_elements_are_not_counted_gives_no_values() {
        let text = "int a[2][2] = { 1, 2, 3, 4 }; int main(void) { return a[1][0]; }";
        let parts = "int a_1_0 = 0; int main(void) { return a_1_0; }";
        assert_eq!(proposed(text, to_parts), [parts]);
        let text = "int a[2] = { [1] = 5 }; int main(void) { return a[1]; }";
        assert_eq!(
            proposed(text, to_parts),
            ["int a_1 = 0; int main(void) { return a_1; }"]
        );
    }

    #[test]
    fn an_array_becomes_an_element() {
        let text = "int a[4] = { 7, 8 }; int f(int *p) { return *p; }
            int main(void) { int i = 1; return a[i + 1] + f(a); }";
        let element = "int a = 7; int f(int *p) { return *p; } \
            int main(void) { int i = 1; return a + f(&a); }";
        assert_eq!(proposed(text, to_element), [element]);
        let text = "int a[4][2]; int main(void) { return a[3][1]; }";
        assert_eq!(
            proposed(text, to_element),
            ["int a [2]; int main(void) { return a[1]; }"]
        );
    }

    #[test]
    fn a_struct_of_one_member_becomes_it() {
        let text = "struct s { short x; }; struct s a = { 1 }, *p = &a;
            int main(void) { return a.x + p->x; }";
        let member = "short a = { 1 }, *p = &a; int main(void) { return a + *p; }";
        assert_eq!(proposed(text, to_member), [member]);
        let text = "struct s { short x, y; } a; int main(void) { return a.x; }";
        assert!(proposed(text, to_member).is_empty());
    }
}
