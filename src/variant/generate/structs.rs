//! Structs as values: copied, passed and returned.

use super::Author;
use super::functions::Purity;
use super::ledger::Address;
use super::names::{KnownVariable, VariableHome};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::Stmt;
use rand::Rng;
use rand::seq::IndexedRandom;

impl Author<'_> {
    /// A struct copied to another, or to a new local one.
    pub(super) fn copy_statement(&mut self) {
        let Some(from) = self.some_struct(None) else {
            return self.assign();
        };
        let to = if self.dice.random() {
            let ty = from.ty.clone();
            self.writable_struct(&ty)
        } else {
            None
        };
        let to = match to {
            Some(to) => to,
            None => match self.new_struct(&from.ty) {
                Some(to) => to,
                None => return,
            },
        };
        if to.name == from.name {
            return self.assign();
        }
        let copy = Stmt::Expr(Expr::assign(to.expr(), from.expr()));
        if let Some(stmt) = self.try_run(copy) {
            self.push(stmt);
        }
        if !self.locals.iter().any(|local| local.name == to.name) && !to.global {
            self.locals.push(to);
        }
    }

    /// A struct variable in sight, of a type if one is wanted.
    pub(super) fn some_struct(&mut self, wanted: Option<&Type>) -> Option<KnownVariable> {
        let reads = self.may_use_globals();
        let locals = self.locals[self.frame_start()..].iter();
        let globals = self.globals.iter().map(|global| &global.named);
        let all: Vec<KnownVariable> = locals
            .chain(globals.filter(|_| reads))
            .filter(|named| matches!(named.ty, Type::Record(_)))
            .filter(|named| wanted.is_none_or(|wanted| *wanted == named.ty))
            .cloned()
            .collect();
        all.choose(&mut self.dice).cloned()
    }

    pub(super) fn writable_struct(&mut self, ty: &Type) -> Option<KnownVariable> {
        let writes = self.may_write_globals();
        let found = self.some_struct(Some(ty))?;
        (!found.global || writes).then_some(found)
    }

    /// A local struct without a value, declared here; it is not in sight yet.
    pub(super) fn new_struct(&mut self, ty: &Type) -> Option<KnownVariable> {
        let name = self.fresh("v");
        let object = self.ledger.add_object(&name, ty.clone())?;
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        self.declare_bare(&var);
        Some(KnownVariable {
            name: var.name,
            ty: ty.clone(),
            storage: VariableHome::Object(object),
            writable: true,
            global: false,
        })
    }

    /// A struct for a new parameter: its type, and the variable that is passed.
    pub(super) fn struct_argument(&mut self, purity: Purity) -> Option<KnownVariable> {
        let features = self.policy.features;
        let wanted = features.has(super::feature::Feature::StructValues) && purity >= Purity::Reads;
        if !wanted || !self.percent(15) {
            return None;
        }
        self.some_struct(None)
    }

    /// Copies the cells of one object to another in the active rows.
    pub(super) fn copy_cells(&mut self, from: &KnownVariable, to: &KnownVariable) -> Option<()> {
        let (source, target) = (from.object()?, to.object()?);
        for cell in 0..self.types().cells(&to.ty)? {
            let values = self.ledger.read(&Address::Fixed(source, cell))?;
            self.ledger.write(&Address::Fixed(target, cell), &values);
        }
        Some(())
    }
}
