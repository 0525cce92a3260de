//! Functions written with what trees cannot hold, each with a *model*: a body as a tree that gives
//! the same for every argument.
//!
//! The text goes into the program, and the evaluator runs the model. So programs have heap memory,
//! copies of computed sizes, arrays of variable length, labels as values, strings and atomics,
//! and what they print is still known. A text is defined wherever its model is.

use super::SnippetWriter;
use super::modelled::{MODELLED, Modelled};
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::stmt::{Function, Stmt};
use crate::code::types::{IntKind, Target};
use crate::code::unit::FunctionDefinition;
use crate::variant::generate::fill::{HoleFiller, fill_all};
use crate::variant::generate::template::{Template, TemplateExpr, TemplateKind};
use rand::Rng;
use std::collections::BTreeMap;

/// Functions of this sort that a snippet may have.
const MOST: usize = 2;

/// The letters of a model: parameters and locals, which are named after them.
struct ModelFiller {
    names: BTreeMap<u8, Var>,
    declared: Vec<Stmt>,
    /// What `U` stands for.
    kind: IntKind,
    target: Target,
}

impl HoleFiller for ModelFiller {
    fn leaf(&mut self, letter: u8) -> Option<Expr> {
        self.names.get(&letter).cloned().map(Expr::Var)
    }

    fn array(&mut self, _: u8) -> Option<Expr> {
        None
    }

    fn kind(&mut self, kind: TemplateKind) -> IntKind {
        match kind {
            TemplateKind::Is(kind) => kind,
            TemplateKind::Hole(_) => self.kind,
        }
    }

    fn local(&mut self, kind: TemplateKind, letter: u8, start: &TemplateExpr) -> Option<()> {
        let start = start.fill(self)?;
        let var = named(letter, self.kind(kind));
        let declared = Stmt::declare(&var.name, var.ty.clone(), Some(start));
        self.declared.push(declared);
        self.names.insert(letter, var);
        Some(())
    }

    fn target(&self) -> Target {
        self.target
    }
}

fn named(letter: u8, kind: IntKind) -> Var {
    Var {
        name: char::from(letter).to_string().into(),
        ty: Type::Int(kind),
    }
}

impl Modelled {
    /// The function under a name, with `U` for a type.
    fn function(&self, name: &str, kind: IntKind, target: Target) -> Option<FunctionDefinition> {
        let mut kinds = self.types.iter().map(|name| TemplateKind::named(name));
        let mut next = || match kinds.next()?? {
            TemplateKind::Is(kind) => Some(kind),
            TemplateKind::Hole(_) => Some(kind),
        };
        let result = next()?;
        let mut filler = ModelFiller {
            names: BTreeMap::new(),
            declared: Vec::new(),
            kind,
            target,
        };
        let mut params = Vec::new();
        for letter in b"xyz".iter().take(self.types.len() - 1) {
            let param = named(*letter, next()?);
            filler.names.insert(*letter, param.clone());
            params.push(param);
        }
        let given = named(b'o', result);
        filler.names.insert(b'o', given.clone());
        let statements = Template::new(self.model).statements()?;
        let mut items = vec![Stmt::declare(&given.name, result, Some(Expr::int(0)))];
        let filled = fill_all(&statements, &mut filler)?;
        items.append(&mut filler.declared);
        items.extend(filled);
        items.push(Stmt::Return(Some(Expr::Var(given))));
        let mut definition = FunctionDefinition::new_static(Function {
            name: name.into(),
            result: Type::Int(result),
            params,
            body: Stmt::Block(items).into(),
        });
        let text = self.text.replace("$U", kind.c_name()).replace("$f", name);
        definition.text = Some(format!("{{\n    {text}\n}}\n").into());
        Some(definition)
    }
}

impl SnippetWriter {
    /// A call of a function that has a model.
    pub(super) fn modelled_call(&mut self, depth: u32) -> Option<Expr> {
        let callee = self.modelled()?;
        self.call_of(callee, depth)
    }

    /// Adds one of these functions to the snippet, if it has not enough of them.
    pub(super) fn modelled(&mut self) -> Option<Callee> {
        let functions = self.snippet.functions.iter();
        if functions.filter(|one| one.text.is_some()).count() >= MOST {
            return None;
        }
        let features = self.policy.features;
        let known = MODELLED.iter().filter(|one| features.has(one.needs));
        let known: Vec<&Modelled> = known.collect();
        let at = self.dice.random_range(0..known.len().max(1));
        let kind = self.one_of(&[
            IntKind::Int,
            IntKind::UInt,
            IntKind::Short,
            IntKind::UShort,
            IntKind::SChar,
            IntKind::UChar,
        ]);
        let name = self.fresh("f");
        let mut definition = known.get(at)?.function(&name, kind, self.target())?;
        definition.attributes = self.some_attributes();
        let callee = definition.function.callee();
        self.snippet.functions.push(definition);
        Some(callee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_can_be_read() {
        for one in MODELLED {
            let function = one.function("f", IntKind::Int, Target::LP64);
            assert!(function.is_some(), "{}", one.model);
        }
    }
}
