//! Calls: of new functions, and of functions that were written before.

use super::Author;
use super::common::CommonRing;
use super::expr::Term;
use super::feature::Feature;
use super::functions::Purity;
use crate::code::ctype::Type;
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::functions::by_name;
use crate::code::op::BinaryOp;
use crate::code::stmt::{Function, Stmt};
use crate::code::table::Table;
use crate::code::types::IntKind;
use rand::Rng;

/// How often the arguments of a call are bent before it is given up.
const TRIES: u32 = 4;

impl Author<'_> {
    /// Whether an expression made here may call something.
    pub(super) fn may_call(&self) -> bool {
        self.policy.features.has(Feature::Calls) && !self.indexing
    }

    /// A call as a statement, for its effects or its result.
    pub(super) fn call_statement(&mut self) {
        let most = self.callee_purity();
        let purity = if most == Purity::Writes && self.percent(60) {
            Purity::Writes
        } else if most >= Purity::Reads && self.dice.random() {
            Purity::Reads
        } else {
            Purity::Const
        };
        let new = self.percent(40) && self.may_write_function();
        let call = if new { None } else { self.call_again(purity) };
        let call = match call {
            Some(call) => Some(call),
            None if self.may_write_function() && self.percent(15) => self.recursive_call(purity),
            None if self.may_write_function() => self.new_function(purity),
            None => None,
        };
        let Some(call) = call else {
            return self.assign();
        };
        self.use_result(call);
    }

    /// Puts a call that has been made into a statement.
    pub(super) fn use_result(&mut self, call: Term) {
        let returns =
            !matches!(&call.expr, Expr::Call { callee, .. } if callee.result == Type::Void);
        if !returns || self.percent(5) {
            return self.push(Stmt::Expr(call.expr));
        }
        if self.percent(40) {
            return self.declare_with(call);
        }
        // The place must not be moved by what the call does, so it has no computed parts.
        let indexing = std::mem::replace(&mut self.indexing, true);
        let holder = self.plain_holder();
        self.indexing = indexing;
        match holder {
            Some(holder) => self.assign_to(&holder, call),
            None => self.declare_with(call),
        }
    }

    /// A call of a function that exists, if one can be called with defined behaviour.
    fn call_again(&mut self, most: Purity) -> Option<Term> {
        let function = self.some_function(most)?;
        for bent in 0..TRIES {
            let Some(exprs) = self.arguments(&function, bent) else {
                continue;
            };
            let call = Expr::call(function.callee(), exprs);
            if let Type::Record(_) = function.result {
                let to = self.writable_struct(&function.result)?;
                if let Some(stmt) = self.try_run(Stmt::Expr(Expr::assign(to.expr(), call))) {
                    self.push(stmt);
                    return None;
                }
                continue;
            }
            if let Ok(values) = self.ledger.run(|session| session.perform(&call)) {
                self.common = CommonRing::default();
                let kind = values.ty.int_kind().unwrap_or(IntKind::Int);
                return Some(Self::term(call, kind, values.values));
            }
        }
        None
    }

    fn some_function(&mut self, most: Purity) -> Option<Function> {
        let count = self.callable(most).count();
        if count == 0 {
            return None;
        }
        let at = self.dice.random_range(0..count);
        self.callable(most).nth(at).cloned()
    }

    /// The functions that can be called again and do no more than said.
    pub(super) fn callable(&self, most: Purity) -> impl Iterator<Item = &Function> {
        self.written
            .iter()
            .filter(move |function| function.callable && function.purity <= most)
            .map(|function| &function.definition.function)
    }

    /// Arguments for a call; the more it was bent before, the smaller they are.
    pub(super) fn arguments(&mut self, function: &Function, bent: u32) -> Option<Vec<Expr>> {
        let mut args = Vec::new();
        for param in &function.params {
            args.push(match &param.ty {
                Type::Int(_) if bent == TRIES - 1 => {
                    let small = self.dice.random_range(0..4);
                    self.literal(IntKind::Int, small).expr
                }
                Type::Int(_) => {
                    let arg = self.small_expression();
                    if bent == 0 {
                        arg.expr
                    } else {
                        let mask = self.literal(IntKind::Int, 255 >> (2 * bent));
                        self.apply(BinaryOp::BitAnd, &arg, &mask)?.expr
                    }
                }
                Type::Record(_) => self.some_struct(Some(&param.ty))?.expr(),
                other => self.pointer_to(other)?.expr,
            });
        }
        Some(args)
    }

    /// A call inside an expression, of a function without effects.
    pub(super) fn call_in_expression(&mut self, operators: u32, depth: u32) -> Option<Term> {
        let most = if self.ledger.is_outermost() {
            self.callee_purity().min(Purity::Reads)
        } else {
            Purity::Const
        };
        let function = self.some_function(most)?;
        let scalar = |ty: &Type| matches!(ty, Type::Int(_));
        let fits =
            scalar(&function.result) && function.params.iter().all(|param| scalar(&param.ty));
        (fits && function.body.size() < 200).then_some(())?;
        let share = operators / (function.params.len() as u32 + 1);
        let args: Vec<Term> = function
            .params
            .iter()
            .map(|_| self.tree(share, depth.saturating_sub(1)))
            .collect();
        let exprs = args.iter().map(|arg| arg.expr.clone()).collect();
        let call = Expr::call(function.callee(), exprs);
        if self.ledger.is_outermost() {
            let values = self.ledger.run(|session| session.value(&call)).ok()?;
            return Some(Self::term(call, values.ty.int_kind()?, values.values));
        }
        let values = self.call_for_turns(&function, &args)?;
        Some(Self::term(call, function.result.int_kind()?, values))
    }

    /// What a function of its parameters alone gives at each position of a loop.
    fn call_for_turns(&self, function: &Function, args: &[Term]) -> Option<Vec<i64>> {
        let mut table = Table::new(self.ledger.len() as u32);
        let mut stand_ins = Vec::new();
        for (number, arg) in args.iter().enumerate() {
            let name = format!("arg{number}");
            table.add_values(&name, arg.numbers.kind, arg.numbers.values.clone());
            stand_ins.push(Expr::var(&name, arg.numbers.kind));
        }
        let call = Expr::call(function.callee(), stand_ins);
        let written = self.written.iter();
        let constant = written.filter(|written| written.purity == Purity::Const);
        let functions = by_name(constant.map(|written| &written.definition.function));
        let evaluator = Evaluator::new(self.types()).with_functions(&functions);
        Some(evaluator.value(&call, &table).ok()?.values)
    }
}
