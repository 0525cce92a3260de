//! Inlining: a function that is called at one place becomes statements there, and one that
//! only returns a value becomes that value.

use super::draft::{Draft, Rewrite};
use super::functions::{arguments, heads};
use super::spelling::declaration;
use crate::source::program::{
    Access, Call, Definition, FunctionId, PartRole, Role, SeedFunction, Span, Statement,
    StatementId, StatementKind, StatementPart, TokenKind, VariableId,
};

/// Inlines each function everywhere, if that does not make the text larger. Refused are
/// recursion, several returns, variable arguments, calls by pointer, calls in conditions of
/// loops, and what macros hide.
pub(super) fn inline(draft: &Draft) -> Vec<Rewrite> {
    let definitions = draft.program.definitions();
    let changes = definitions.filter_map(|(id, function, definition)| {
        let callee = InlinedFunction::of(draft, id, function, definition)?;
        callee.everywhere()
    });
    draft.without_growth(changes.collect())
}

/// A function that may be inlined.
struct InlinedFunction<'d> {
    draft: &'d Draft,
    id: FunctionId,
    function: &'d SeedFunction,
    definition: &'d Definition,
    /// All statements of its block but the last `return`.
    statements: Vec<StatementId>,
    /// What it returns.
    result: Option<Span>,
}

impl<'d> InlinedFunction<'d> {
    fn of(
        draft: &'d Draft,
        id: FunctionId,
        function: &'d SeedFunction,
        definition: &'d Definition,
    ) -> Option<InlinedFunction<'d>> {
        let program = &draft.program;
        program.prototype(id)?;
        let mut statements = program.statement(definition.body()).children.clone();
        let returns = |id: &StatementId| program.statement(*id).kind == StatementKind::Return;
        let all = definition.statement_ids().filter(returns).count();
        let mut result = None;
        if let Some(last) = statements.last().copied().filter(returns) {
            statements.pop();
            let parts = &program.statement(last).parts;
            result = parts.first().map(|part| part.span);
        }
        let is_last = all
            == usize::from(statements.len() < program.statement(definition.body()).children.len());
        let is_plain = statements
            .iter()
            .all(|id| program.statement(*id).end_is_known);
        (is_last && is_plain && function.name != "main").then_some(InlinedFunction {
            draft,
            id,
            function,
            definition,
            statements,
            result,
        })
    }

    fn everywhere(&self) -> Option<Rewrite> {
        let program = &self.draft.program;
        let calls: Vec<(usize, &Call)> = program
            .calls
            .iter()
            .enumerate()
            .filter(|(_, call)| call.function == Some(self.id))
            .collect();
        let heads: Vec<Span> = heads(self.draft, &self.function.name)
            .map(|(item, _)| item.span)
            .collect();
        let words = self.draft.tokens.iter().filter(|token| {
            let is_word = token.kind == TokenKind::Word;
            is_word && self.draft.is(**token, self.function.name.as_bytes())
        });
        // Any other mention is an address.
        if calls.is_empty() || words.count() != calls.len() + heads.len() {
            return None;
        }
        let change = heads.into_iter().fold(Rewrite::new(), Rewrite::delete);
        calls
            .into_iter()
            .try_fold(change, |change, (index, call)| self.at(index, call, change))
    }

    /// The change, and one call is replaced.
    fn at(&self, index: usize, call: &Call, change: Rewrite) -> Option<Rewrite> {
        let program = &self.draft.program;
        let is_hidden = program.expr(call.expr).is_in_macro;
        if is_hidden || self.definition.span.contains(call.span) {
            return None;
        }
        let (site, role) = program.statements.iter().find_map(|statement| {
            let holds = |part: &&StatementPart| part.calls.contains(&(index as u32));
            let part = statement.parts.iter().find(holds)?;
            Some((statement, part.role))
        })?;
        let mut names = NamesElsewhere::between(self.draft, self.definition, site);
        let mut before = Vec::new();
        let given = arguments(self.draft, call.span)?;
        for (&parameter, argument) in self.definition.parameters.iter().zip(given) {
            before.extend(self.give(parameter, argument, &mut names)?);
        }
        for id in &self.statements {
            before.extend(names.apply(self.draft, program.statement(*id).span));
            before.push(b' ');
        }
        let value = match self.result {
            Some(span) => [b"(", &names.apply(self.draft, span)[..], b")"].concat(),
            None => b"(void)0".to_vec(),
        };
        if before.is_empty() {
            return Some(change.replace(call.span, value));
        }
        self.with_statements(site, role, call, before, value)
            .map(|text| change.replace(site.span, text))
    }

    /// A statement behind others, with a value in the place of a call.
    fn with_statements(
        &self,
        site: &Statement,
        role: PartRole,
        call: &Call,
        mut before: Vec<u8>,
        value: Vec<u8>,
    ) -> Option<Vec<u8>> {
        let is_first = match site.kind {
            StatementKind::Expression
            | StatementKind::Return
            | StatementKind::Declaration { .. }
            | StatementKind::If { .. }
            | StatementKind::Switch { .. } => role != PartRole::CaseValue,
            _ => false,
        };
        if !is_first || !site.end_is_known || site.role == Role::InExpression {
            return None;
        }
        let is_bare = site.kind == StatementKind::Expression
            && site
                .parts
                .first()
                .is_some_and(|part| part.span == call.span);
        if !(is_bare && self.result.is_none()) {
            let parts = vec![(call.span, value)];
            before.extend(self.draft.text_with(site.span, parts));
        }
        Some(match site.role {
            Role::Item => before,
            _ => [b"{ ", &before[..], b" }"].concat(),
        })
    }

    /// Gives a parameter its argument: by name where that is safe, else by a variable.
    fn give(
        &self,
        parameter: VariableId,
        argument: Span,
        names: &mut NamesElsewhere,
    ) -> Option<Vec<u8>> {
        let program = &self.draft.program;
        let variable = program.variable(parameter);
        let uses = || {
            program
                .uses
                .iter()
                .filter(|used| used.variable == parameter)
        };
        if uses().any(|used| used.is_in_macro) {
            return None;
        }
        let is_read = uses().all(|used| used.access == Access::Read);
        let text = self.draft.text(argument);
        let is_short = self.draft.tokens_in(argument).len() == 1;
        if is_read && (is_short || uses().count() == 1) {
            let text = if is_short {
                text.to_vec()
            } else {
                [b"(", text, b")"].concat()
            };
            names
                .texts
                .extend(uses().map(|used| (used.span, text.clone())));
            return Some(vec![]);
        }
        // A value that nobody reads is not even computed; the test decides.
        if uses().next().is_none() {
            return Some(vec![]);
        }
        let name = names.renamed(&variable.name);
        let declared = declaration(&program.types, variable.ty, &name)?;
        Some([declared.as_bytes(), b" = ", text, b"; "].concat())
    }
}

/// What the words of a function become at another place.
struct NamesElsewhere {
    /// Names that mean something else there, and their new ones.
    others: Vec<(String, String)>,
    /// Other texts for some places.
    texts: Vec<(Span, Vec<u8>)>,
}

impl NamesElsewhere {
    /// New names for those of a function's own that the other function has, too.
    fn between(draft: &Draft, definition: &Definition, site: &Statement) -> NamesElsewhere {
        let program = &draft.program;
        let around = program.function(site.function).definition.as_ref();
        let around = around.map_or(site.span, |around| around.span);
        let is_there = |name: &str| {
            let mut tokens = draft.tokens_in(around).iter();
            tokens.any(|token| draft.is(*token, name.as_bytes()))
        };
        let own = program.variables.iter().filter(|variable| {
            let declared = variable.declaration;
            declared.is_some_and(|declared| definition.span.contains(declared))
        });
        let mut others: Vec<(String, String)> = Vec::new();
        for name in own
            .map(|variable| &variable.name)
            .filter(|name| is_there(name))
        {
            let is_known = others.iter().any(|(old, _)| old == name);
            if !is_known {
                let start = format!("{name}_2");
                others.push((name.clone(), draft.fresh(&start)));
            }
        }
        NamesElsewhere {
            others,
            texts: Vec::new(),
        }
    }

    fn renamed(&self, name: &str) -> String {
        let known = self.others.iter().find(|(old, _)| old == name);
        known.map_or(name, |(_, new)| new).to_owned()
    }

    /// The text of a span of the function as it must be at the other place.
    fn apply(&self, draft: &Draft, span: Span) -> Vec<u8> {
        let tokens = draft.tokens_in(span);
        let mut parts: Vec<(Span, Vec<u8>)> = self.texts.clone();
        for (at, token) in tokens.iter().enumerate() {
            let text = draft.text(token.span);
            let before = at
                .checked_sub(1)
                .map(|before| draft.text(tokens[before].span));
            // Members have names of their own.
            let is_member = matches!(before, Some(b"." | b">"));
            let is_given = self.texts.iter().any(|(span, _)| *span == token.span);
            let known = self.others.iter().find(|(old, _)| old.as_bytes() == text);
            if let Some((_, new)) = known.filter(|_| !is_member && !is_given) {
                parts.push((token.span, new.clone().into_bytes()));
            }
        }
        draft.text_with(span, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::super::draft::{proposed, refuses};
    use super::*;

    #[test]
    fn a_value_takes_the_place_of_all_calls() {
        let text = "int g; static int f(int a) { return a + g; }
            int main(void) { while (f(1)) g = f(g * 2); return 0; }";
        let left = "int g; int main(void) { while ((1 + g)) g = ((g * 2) + g); return 0; }";
        assert_eq!(proposed(text, inline), [left]);
    }

    #[test]
    fn statements_go_before_the_call() {
        let text = "int g; int f(int a, int b) { int c = b; a++; g = c; return a + c + c; }
            int main(void) { int c = 2; if (g) c = 1 + f(c, 7); return c; }";
        let left = "int g; int main(void) { int c = 2; \
            if (g) { int a = c; int c_2 = 7; a++; g = c_2; c = 1 + (a + c_2 + c_2); } return c; }";
        assert_eq!(proposed(text, inline), [left]);
        let text = "int g; void f(void); int main(void) { f(); return g; } void f(void) { g = 1; }";
        assert_eq!(
            proposed(text, inline),
            ["int g; int main(void) { g = 1; return g; }"]
        );
    }

    #[test]
    fn members_keep_their_names() {
        let text = "struct s { int c; } v; int f(void) { int c = 1; v.c = c; return c; }
            int main(void) { int c = f(); return c; }";
        let left = "struct s { int c; } v; \
            int main(void) { int c_2 = 1; v.c = c_2; int c = (c_2); return c; }";
        assert_eq!(proposed(text, inline), [left]);
    }

    #[test]
    fn recursion_returns_addresses_and_loops_are_refused() {
        let texts = [
            "int f(int a) { return a ? f(a - 1) : 0; } int main(void) { return f(3); }",
            "int f(int a) { if (a) return 1; return 2; } int main(void) { return f(3); }",
            "int f(void) { return 1; } int main(void) { int (*p)(void) = f; return p() + f(); }",
            "int g; int f(void) { g++; return g; } int main(void) { while (f() < 3) ; return g; }",
            "int f(int a, ...) { return a; } int main(void) { return f(3, 4); }",
        ];
        refuses(inline, &texts);
    }

    #[test]
    fn what_makes_the_text_larger_is_refused() {
        let text = "int g; int f(void) { return g * 3 + g / 7 - g % 5; }
            int main(void) { return f() + f() + f() + f(); }";
        assert!(proposed(text, inline).is_empty());
    }
}
