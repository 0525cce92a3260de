//! Tables of pointers to functions of one type, and calls through them.

use super::Author;
use super::common::CommonRing;
use super::functions::Purity;
use super::ledger::Address;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Declaration, Function, Init, Specifiers, Stmt};
use crate::code::table::Pointer;
use crate::code::types::IntKind;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// Most functions of a table.
const LARGEST: usize = 4;
/// Arguments that are tried.
const TRIES: u32 = 3;

impl Author<'_> {
    /// `int (*q[2])(int) = { f, g };` and a call through it.
    pub(super) fn table_call(&mut self) {
        let most = self.callee_purity();
        let Some(first) = self.function_of_numbers(most) else {
            return self.call_statement();
        };
        if self.functions_like(&first, most).len() < 2 && self.may_write_function() {
            let purity = if most == Purity::Writes && self.percent(50) {
                Purity::Writes
            } else {
                Purity::Const
            };
            if let Some(call) = self.function_like(purity, Some(&first)) {
                self.use_result(call);
            }
        }
        let functions = self.functions_like(&first, most);
        if functions.is_empty() || self.ledger.active().is_empty() {
            return self.assign();
        }
        self.call_through(&functions);
    }

    /// A function that takes numbers and gives one.
    fn function_of_numbers(&mut self, most: Purity) -> Option<Function> {
        let number = |ty: &Type| matches!(ty, Type::Int(_));
        let fitting: Vec<Function> = self
            .callable(most)
            .filter(|function| number(&function.result))
            .filter(|function| function.params.iter().all(|param| number(&param.ty)))
            .cloned()
            .collect();
        fitting.choose(&mut self.dice).cloned()
    }

    /// The latest functions of the same type.
    fn functions_like(&self, function: &Function, most: Purity) -> Vec<Function> {
        let ty = function.callee().ty();
        let mut like: Vec<Function> = self
            .callable(most)
            .filter(|other| other.callee().ty() == ty)
            .cloned()
            .collect();
        like.drain(..like.len().saturating_sub(LARGEST));
        like
    }

    fn call_through(&mut self, functions: &[Function]) {
        let name = self.fresh("q");
        let pointer = functions[0].callee().ty().pointer();
        let var = Var {
            name: name.as_str().into(),
            ty: pointer.array(functions.len() as u64),
        };
        let Some(object) = self.ledger.add_object(&name, var.ty.clone()) else {
            return;
        };
        let mut items = Vec::new();
        for (cell, function) in functions.iter().enumerate() {
            let carrier = Pointer::function(&function.name).encode();
            let address = Address::Fixed(object, cell as u32);
            self.ledger
                .write(&address, &vec![carrier; self.ledger.len()]);
            let named = Expr::FunctionName(Arc::new(function.callee()));
            items.push(Init::Value(named));
        }
        for bent in 0..TRIES {
            let index = self.small_expression();
            let index = self.bent(index, functions.len() as u64);
            let Some(args) = self.arguments(&functions[0], bent) else {
                continue;
            };
            let function = Expr::Var(var.clone()).index(index.expr);
            let call = Expr::call_pointer(function, args);
            if let Ok(values) = self.ledger.run(|session| session.perform(&call)) {
                self.common = CommonRing::default();
                self.push(Stmt::Declare(Declaration {
                    var,
                    specifiers: Specifiers::default(),
                    init: Some(Init::List(items)),
                }));
                let kind = values.ty.int_kind().unwrap_or(IntKind::Int);
                return self.use_result(Self::term(call, kind, values.values));
            }
        }
    }
}
