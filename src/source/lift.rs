//! Lifts whole functions of a seed into the trees of `code/`, where these can say all of them.
//!
//! A lifted function gives what the seed's gives, for all arguments for which that is defined,
//! and names nothing but its parameters, its locals and functions that are lifted as well: what
//! it gives depends on its arguments alone. So there is none for functions that use variables
//! at file level, structs, strings as values, anything volatile, or what lasts from call to
//! call. Tables (`static const` locals) become constant locals.

use super::program::{
    ExprId, ExprKind, FunctionId, PartRole, Program, StatementId, StatementKind, Storage,
    VariableId,
};
use super::vocabulary::Vocabulary;
use crate::code::ctype::Type;
use crate::code::eval::Evaluator;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Function, Init, Specifiers, Stmt};
use crate::code::table::Table;
use crate::code::value::Value;
use std::sync::Arc;

impl Vocabulary {
    /// A function of the program as a tree, if there is one.
    pub fn function_of(&self, program: &Program, id: FunctionId) -> Option<Function> {
        let definition = program.function(id).definition.as_ref()?;
        if !definition.hands_off.is_empty() {
            return None;
        }
        let (result, _) = program.prototype(id)?;
        let lift = Lift {
            vocabulary: self,
            program,
            function: id,
        };
        let parameters = definition.parameters.iter();
        let params: Option<Vec<Var>> = parameters.map(|&param| lift.variable(param)).collect();
        let result = self.ty(result.id).clone();
        if result != Type::Void && !is_plain(&result) {
            return None;
        }
        Some(Function {
            name: program.function(id).name.as_str().into(),
            result,
            params: params?,
            body: lift.body(definition.body())?.into(),
        })
    }
}

/// Whether values of the type mean the same in every program, and its name as well.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Int(_) => true,
        Type::Pointer { to, volatile, .. } => !volatile && is_plain(to),
        Type::Array { of, .. } => is_plain(of),
        _ => false,
    }
}

struct Lift<'l> {
    vocabulary: &'l Vocabulary,
    program: &'l Program,
    function: FunctionId,
}

impl Lift<'_> {
    /// A parameter or local.
    fn variable(&self, id: VariableId) -> Option<Var> {
        let variable = self.program.variable(id);
        let is_here = variable.function == Some(self.function);
        let ty = self.vocabulary.ty(variable.ty.id);
        let is_usual = !variable.ty.is_volatile && !variable.ty.is_restrict;
        let is_kept = variable.storage.is_automatic() || self.is_table(id);
        (is_here && is_usual && is_kept && is_plain(ty) && !variable.name.is_empty()).then(|| Var {
            name: variable.name.as_str().into(),
            ty: ty.clone(),
        })
    }

    /// Whether it lasts from call to call and never changes.
    fn is_table(&self, id: VariableId) -> bool {
        let variable = self.program.variable(id);
        variable.storage == Storage::LocalStatic && self.is_const(id) && variable.initial.is_some()
    }

    fn is_const(&self, id: VariableId) -> bool {
        let ty = self.program.variable(id).ty;
        ty.is_const || self.program.types.has_const_elements(ty)
    }

    /// An expression that names nothing from outside the function.
    fn expr(&self, id: ExprId) -> Option<Expr> {
        for inner in self.program.subtree(id) {
            match self.program.expr(inner).kind {
                ExprKind::Variable(variable) => drop(self.variable(variable)?),
                ExprKind::EnumConstant(_) => return None,
                _ => {}
            }
        }
        self.vocabulary.tree_of(self.program, id)
    }

    /// The only expression of a part of a statement.
    fn part(&self, statement: StatementId, role: PartRole) -> Option<Expr> {
        let mut parts = self.program.statement(statement).parts.iter();
        let part = parts.find(|part| part.role == role)?;
        let roots: Vec<ExprId> = self.program.roots(part).collect();
        match roots[..] {
            [root] => self.expr(root),
            _ => None,
        }
    }

    /// A part that may be absent; `None` if it is there and has no tree.
    fn clause(&self, statement: StatementId, role: PartRole) -> Option<Option<Expr>> {
        let mut parts = self.program.statement(statement).parts.iter();
        if parts.any(|part| part.role == role) {
            Some(Some(self.part(statement, role)?))
        } else {
            Some(None)
        }
    }

    /// A statement that stands alone: a block if it is several.
    fn body(&self, id: StatementId) -> Option<Stmt> {
        if self.program.statement(id).kind == StatementKind::Compound {
            let children = &self.program.statement(id).children;
            return Some(Stmt::Block(self.items(children)?));
        }
        let mut items = self.items(&[id])?;
        Some(match items.len() {
            1 => items.remove(0),
            _ => Stmt::Block(items),
        })
    }

    /// The statements of a block. Where a declaration comes after a statement, the rest becomes
    /// a block of its own, for compilers that are asked for C89.
    fn items(&self, ids: &[StatementId]) -> Option<Vec<Stmt>> {
        let mut items = Vec::new();
        let mut has_statements = false;
        for (at, &id) in ids.iter().enumerate() {
            let is_declaration = matches!(
                self.program.statement(id).kind,
                StatementKind::Declaration { .. }
            );
            if is_declaration && has_statements {
                items.push(Stmt::Block(self.items(&ids[at..])?));
                return Some(items);
            }
            has_statements |= !is_declaration;
            self.add(id, &mut items)?;
        }
        Some(items)
    }

    fn add(&self, id: StatementId, items: &mut Vec<Stmt>) -> Option<()> {
        let value = || self.part(id, PartRole::Value);
        let condition = || self.part(id, PartRole::Condition);
        match &self.program.statement(id).kind {
            StatementKind::Compound => items.push(self.body(id)?),
            StatementKind::Expression => items.push(Stmt::Expr(value()?)),
            StatementKind::Null => items.push(Stmt::Empty),
            StatementKind::Declaration { variables } => {
                for &variable in variables {
                    items.push(self.declaration(variable)?);
                }
            }
            StatementKind::If { then, otherwise } => items.push(Stmt::If {
                condition: condition()?,
                yes: self.body(*then)?.into(),
                no: match otherwise {
                    Some(otherwise) => Some(self.body(*otherwise)?.into()),
                    None => None,
                },
            }),
            StatementKind::Switch { body } => {
                items.push(Stmt::switch(condition()?, self.body(*body)?));
            }
            StatementKind::While { body } => {
                items.push(Stmt::while_loop(condition()?, self.body(*body)?));
            }
            StatementKind::Do { body } => {
                items.push(Stmt::do_loop(self.body(*body)?, condition()?));
            }
            StatementKind::For { body, variables } => {
                let made = Stmt::For {
                    start: self.clause(id, PartRole::Init)?,
                    condition: self.clause(id, PartRole::Condition)?,
                    step: self.clause(id, PartRole::Step)?,
                    body: self.body(*body)?.into(),
                };
                if variables.is_empty() {
                    items.push(made);
                } else {
                    let declared = variables.iter().map(|&one| self.declaration(one));
                    let mut block: Vec<Stmt> = declared.collect::<Option<_>>()?;
                    block.push(made);
                    items.push(Stmt::Block(block));
                }
            }
            StatementKind::Label { name, inner } => {
                items.push(Stmt::Label(name.as_str().into()));
                self.add_inner(*inner, items)?;
            }
            StatementKind::Case { inner } => {
                items.push(Stmt::Case(self.constant(id)?));
                self.add_inner(*inner, items)?;
            }
            StatementKind::Default { inner } => {
                items.push(Stmt::Default);
                self.add_inner(*inner, items)?;
            }
            StatementKind::Goto { label, .. } => {
                items.push(Stmt::Goto(label.as_str().into()));
            }
            StatementKind::Break => items.push(Stmt::Break),
            StatementKind::Continue => items.push(Stmt::Continue),
            StatementKind::Return => {
                items.push(Stmt::Return(self.clause(id, PartRole::Value)?));
            }
            StatementKind::Attributed { .. }
            | StatementKind::ComputedGoto
            | StatementKind::Asm
            | StatementKind::Other => return None,
        }
        Some(())
    }

    fn add_inner(&self, inner: Option<StatementId>, items: &mut Vec<Stmt>) -> Option<()> {
        match inner {
            Some(inner) => self.add(inner, items),
            None => Some(()),
        }
    }

    /// The value of a `case`.
    fn constant(&self, case: StatementId) -> Option<Value> {
        let expr = self.part(case, PartRole::CaseValue)?;
        let values = Evaluator::new(&self.vocabulary.types)
            .value(&expr, &Table::new(1))
            .ok()?;
        let kind = values.ty.int_kind()?;
        Some(Value::from_carrier(kind, *values.values.first()?))
    }

    fn declaration(&self, id: VariableId) -> Option<Stmt> {
        let var = self.variable(id)?;
        let init = match self.program.variable(id).initial {
            Some(initial) => Some(self.init(initial, &var.ty)?),
            None => None,
        };
        Some(Stmt::Declare(Declaration {
            specifiers: Specifiers {
                constant: self.is_const(id) && init.is_some(),
                ..Specifiers::default()
            },
            var,
            init,
        }))
    }

    fn init(&self, id: ExprId, ty: &Type) -> Option<Init> {
        match (self.program.expr(id).kind, ty) {
            (ExprKind::InitList, Type::Array { of, len }) => {
                // `[2] = 5` names the element.
                let text = self.program.text(self.program.expr(id).span);
                if text.contains(&b'=') || self.program.expr(id).is_in_macro {
                    return None;
                }
                let items = self.program.operands(id);
                let items: Option<Vec<Init>> = items.map(|item| self.init(item, of)).collect();
                items
                    .filter(|items| items.len() as u64 <= *len)
                    .map(Init::List)
            }
            (ExprKind::String, Type::Array { of, len }) => {
                let letters = plain_string(self.program.text(self.program.expr(id).span))?;
                of.int_kind()
                    .filter(|kind| kind.bits(self.program.target) == 8)?;
                let letters = letters.iter().take(*len as usize);
                let letters = letters.map(|&letter| Init::Value(Expr::int(letter.into())));
                Some(Init::List(letters.collect()))
            }
            (ExprKind::InitList | ExprKind::String, _) | (_, Type::Array { .. }) => None,
            _ => self.expr(id).map(Init::Value),
        }
    }
}

/// What a string of plain letters holds.
fn plain_string(text: &[u8]) -> Option<&[u8]> {
    let inside = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let is_plain = |letter: &u8| matches!(letter, b' '..=b'~') && !matches!(letter, b'\\' | b'"');
    inside.iter().all(is_plain).then_some(inside)
}

/// A lifted function with all that it calls.
pub fn with_callees(
    vocabulary: &Vocabulary,
    program: &Program,
    id: FunctionId,
) -> Option<Vec<Function>> {
    let mut made = Vec::new();
    let mut open = Vec::new();
    collect(vocabulary, program, id, &mut open, &mut made)?;
    Some(made)
}

/// Adds a function behind those that it calls; only itself may it call again.
fn collect(
    vocabulary: &Vocabulary,
    program: &Program,
    id: FunctionId,
    open: &mut Vec<FunctionId>,
    made: &mut Vec<Function>,
) -> Option<()> {
    let name: Arc<str> = program.function(id).name.as_str().into();
    if made.iter().any(|one: &Function| one.name == name) {
        return Some(());
    }
    let function = vocabulary.function_of(program, id)?;
    open.push(id);
    let definition = program.function(id).definition.as_ref()?;
    for statement in definition.statement_ids() {
        for part in &program.statement(statement).parts {
            for call in &program.calls[part.calls.start as usize..part.calls.end as usize] {
                match call.function {
                    Some(callee) if callee == id => {}
                    Some(callee) if !open.contains(&callee) => {
                        collect(vocabulary, program, callee, open, made)?;
                    }
                    _ => return None,
                }
            }
        }
    }
    open.pop();
    made.push(function);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::print::Style;
    use crate::code::unit::FunctionDefinition;
    use crate::source::clang::Clang;
    use crate::source::program::lower_part;
    use std::path::Path;

    /// The functions that are needed for the last one of a program, as C.
    fn lifted(text: &str) -> Option<String> {
        let clang = Clang::load().unwrap();
        let program = lower_part(&clang, Path::new("a.c"), text.as_bytes().into(), &[]).unwrap();
        let vocabulary = Vocabulary::new(&program);
        let (id, _, _) = program.definitions().last().unwrap();
        let functions = with_callees(&vocabulary, &program, id)?.into_iter();
        let definitions = functions.map(FunctionDefinition::new);
        let texts = definitions.map(|one| one.to_c(Style::default()));
        let text: String = texts.collect();
        Some(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_a_function_calls_comes_before_it() {
        let text = "static int twice(int x) { return x + x; }
            int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(i); return s; }";
        let expected = "int twice(int x) { return x + x; } \
            int f(int n) { int s = 0; { int i = 0; for (; i < n; i++) { s += twice(i); } } return s; }";
        assert_eq!(lifted(text).unwrap(), expected);
    }

    #[test]
    fn declarations_behind_statements_begin_a_block() {
        let text = "int f(int n) { n++; int m = n * 2; m--; return m; }";
        let expected = "int f(int n) { n++; { int m = n * 2; m--; return m; } }";
        assert_eq!(lifted(text).unwrap(), expected);
    }

    #[test]
    fn tables_strings_and_cases_are_lifted() {
        let text = "int f(int n) {
            static const short t[3] = { 1, 2 + 3 };
            char s[] = \"ab\";
            switch (n) { case 'a' - 1: return t[1]; default: break; }
            return s[n & 1]; }";
        let expected = "int f(int n) { const short t[3] = { 1, 2 + 3 }; char s[3] = { 97, 98 }; \
            switch (n) { case 96:; return t[1]; default:; break; } return s[n & 1]; }";
        assert_eq!(lifted(text).unwrap(), expected);
    }

    #[test]
    fn what_depends_on_more_than_arguments_is_not_lifted() {
        for text in [
            "int g; int f(int n) { return n + g; }",
            "int f(int n) { static int count; return n + count++; }",
            "int f(int n) { volatile int v = n; return v; }",
            "struct s { int a; }; int f(int n) { struct s x; x.a = n; return x.a; }",
            "int f(int n) { const char *s = \"abc\"; return s[n & 1]; }",
            "int h(int); int f(int n) { return h(n); }",
            "int h(int); int f(int n) { return n ? h(n - 1) : 0; }
             int h(int n) { return n ? f(n - 1) : 1; }",
            "int f(int n, ...) { return n; }",
            "int f(int n) { int a[4] = { [2] = 1 }; return a[n & 3]; }",
            "int f(int n) { __asm__(\"\"); return n; }",
        ] {
            assert_eq!(lifted(text), None, "{text}");
        }
    }
}
