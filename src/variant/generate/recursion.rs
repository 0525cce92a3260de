//! Recursive functions with fuel: tail calls, accumulating ones, and two calls at once.

use super::Author;
use super::expr::Term;
use super::functions::Purity;
use super::mend::mended;
use super::names::Holder;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Function, Stmt};
use crate::code::trouble::Stop;
use crate::code::types::IntKind;
use rand::Rng;

/// Operations that are replaced before a function is given up.
const MENDED: u32 = 12;

impl Author<'_> {
    /// Writes a recursive function of its parameters and calls it.
    pub(super) fn recursive_call(&mut self, purity: Purity) -> Option<Term> {
        if !self.policy.features.has(super::feature::Feature::Recursion) {
            return self.new_function(purity);
        }
        let twice = self.percent(25);
        let fuel = self.dice.random_range(1..=if twice { 5 } else { 8 });
        let result = self.kind();
        let mut params = vec![(
            self.fresh("p"),
            IntKind::Int,
            self.literal(IntKind::Int, fuel),
        )];
        for _ in 0..self.dice.random_range(1..=3) {
            let kind = self.kind();
            let arg = self.small_expression();
            params.push((self.fresh("p"), kind, arg));
        }
        let mut leaves = Vec::new();
        for (name, kind, arg) in &params {
            let object = self.ledger.add_object(name, Type::Int(*kind))?;
            let holder = Holder {
                expr: Expr::var(name, *kind),
                kind: *kind,
                bits: None,
                address: super::ledger::Address::Fixed(object, 0),
            };
            let converted = self.cast(arg, *kind).numbers.values;
            self.ledger.write(&holder.address, &converted);
            leaves.push(holder);
        }
        let name = self.fresh("f");
        let vars: Vec<Var> = params
            .iter()
            .map(|(name, kind, _)| Var {
                name: name.as_str().into(),
                ty: Type::Int(*kind),
            })
            .collect();
        let callee = Callee {
            name: name.as_str().into(),
            result: result.into(),
            params: vars.iter().map(|var| var.ty.clone()).collect(),
        };
        let body = self.only_with(leaves, |author| {
            author.recursive_body(&callee, &vars, twice)
        });
        let mut function = Function {
            name: name.as_str().into(),
            result: result.into(),
            params: vars,
            body: body.into(),
        };
        let args = params.into_iter().map(|(_, _, arg)| arg.expr).collect();
        let call = Expr::call(callee, args);
        for _ in 0..MENDED {
            self.ledger.session.define(&function).ok()?;
            match self.ledger.run(|session| session.perform(&call)) {
                Ok(values) => {
                    let definition = self.dressed(function, Purity::Const, true);
                    self.finish(definition, Purity::Const, true);
                    return Some(Self::term(call, result, values.values));
                }
                Err(Stop::Trouble(trouble)) if trouble.function.is_some() => {
                    let body = mended(self.types(), &function.body, &trouble.path)?;
                    function.body = body.into();
                }
                Err(_) => return None,
            }
        }
        None
    }

    /// Makes something that can name nothing but the given scalars.
    fn only_with<T>(&mut self, leaves: Vec<Holder>, make: impl FnOnce(&mut Self) -> T) -> T {
        let old = std::mem::replace(&mut self.guesses, leaves);
        self.guesses_only = true;
        let common = std::mem::take(&mut self.common);
        let made = make(self);
        self.common = common;
        self.guesses_only = false;
        self.guesses = old;
        made
    }

    fn recursive_body(&mut self, callee: &Callee, params: &[Var], twice: bool) -> Stmt {
        let fuel = || Expr::Var(params[0].clone());
        let done = Expr::binary(BinaryOp::Le, fuel(), Expr::int(0));
        let base = self.small_expression().expr;
        let mut items = vec![Stmt::if_then(done, Stmt::Return(Some(base)))];
        if self.percent(40) {
            let value = self.small_expression().expr;
            let at = self.dice.random_range(1..params.len());
            items.push(Stmt::Expr(Expr::assign(
                Expr::Var(params[at].clone()),
                value,
            )));
        }
        let less = |by| Expr::binary(BinaryOp::Sub, fuel(), Expr::int(by));
        let call = |author: &mut Self, by| {
            let mut args = vec![less(by)];
            args.extend(params[1..].iter().map(|_| author.small_expression().expr));
            Expr::call(callee.clone(), args)
        };
        let first = call(self, 1);
        let ops = [
            BinaryOp::Add,
            BinaryOp::BitXor,
            BinaryOp::Sub,
            BinaryOp::Mul,
        ];
        let op = ops[self.dice.random_range(0..4)];
        let value = if twice {
            let second = call(self, 2);
            Expr::binary(op, first, second)
        } else if self.percent(40) {
            first
        } else {
            let rest = self.small_expression().expr;
            Expr::binary(op, first, rest)
        };
        items.push(Stmt::Return(Some(value)));
        Stmt::Block(items)
    }
}
