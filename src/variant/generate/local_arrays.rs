//! Arrays that are local to a function, some of them constant tables.

use super::Author;
use super::feature::Feature;
use super::ledger::Address;
use super::names::{KnownVariable, VariableHome};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::value::Value;
use rand::Rng;

/// Most elements: each has its constant in the text.
const LONGEST: u64 = 24;

impl Author<'_> {
    /// `int y[4] = { 3, 1, 4, 1 };`.
    pub(super) fn declare_array(&mut self) {
        let kind = self.element_kind();
        let len = if self.dice.random() {
            self.some_length().min(LONGEST)
        } else {
            self.dice.random_range(2..=9)
        };
        let ty = Type::Int(kind).array(len);
        let name = self.fresh("y");
        let Some(object) = self.ledger.add_object(&name, ty.clone()) else {
            return;
        };
        let mut items = Vec::new();
        for cell in 0..len as u32 {
            let carrier = self.element(kind);
            let address = Address::Fixed(object, cell);
            self.ledger
                .write(&address, &vec![carrier; self.ledger.len()]);
            items.push(Init::Value(Expr::Const(Value::from_carrier(kind, carrier))));
        }
        let qualified = self.policy.features.has(Feature::Qualifiers) && self.percent(40);
        let var = Var {
            name: name.as_str().into(),
            ty: ty.clone(),
        };
        let specifiers = Specifiers {
            constant: qualified,
            is_static: qualified && self.percent(60),
            ..Specifiers::default()
        };
        self.push(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers,
            init: Some(Init::List(items)),
        }));
        self.locals.push(KnownVariable {
            name: var.name,
            ty,
            storage: VariableHome::Object(object),
            writable: !qualified,
            global: false,
        });
    }
}
