//! Functions that call themselves with what they were given, changed or exchanged, until one of
//! their arguments is a certain number. What they give passes through all calls.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use rand::Rng;

impl SnippetWriter {
    /// A test that calls such a function, mostly with constants.
    pub(super) fn calls_itself(&mut self) {
        for _ in 0..self.dice.random_range(1..=3) {
            let kind = self.kind();
            self.global(Type::Int(kind));
        }
        let record = self.some_known_record();
        let record = record.filter(|_| self.has(Feature::StructValues));
        let result = match record {
            Some(record) if self.percent(35) => {
                // What it gives if nothing else is in sight.
                self.global(record.clone());
                record
            }
            _ => Type::Int(self.kind()),
        };
        let count = self.one_of(&[1, 2, 2, 3]);
        let callee = Callee {
            name: self.fresh("f").as_str().into(),
            result,
            params: (0..count)
                .map(|_| Type::Int(self.counting_kind()))
                .collect(),
        };
        let params = callee.params.iter().cloned();
        let params: Vec<Var> = params.map(|ty| self.var("p", ty)).collect();
        self.result = Some(callee.result.clone());
        let in_sight = self.objects.len();
        self.objects.extend(params.iter().cloned());
        let body = self.block_of(|writer| writer.calling(&callee, &params), |_, _, _| {});
        self.objects.truncate(in_sight);
        self.result = None;
        let function = Function {
            name: callee.name.clone(),
            result: callee.result.clone(),
            params,
            body: body.into(),
        };
        let definition = if self.percent(80) {
            FunctionDefinition::new_static(function)
        } else {
            FunctionDefinition::new(function)
        };
        self.snippet.functions.push(definition);
        if self.percent(60) {
            let test = self.call_with_constants(&callee);
            self.add_test(Stmt::Block(vec![test]));
        } else {
            self.test_of(&callee);
        }
    }

    /// The only call from elsewhere: what it passes is what the function can be given.
    fn call_with_constants(&mut self, callee: &Callee) -> Stmt {
        let args = callee.params.iter();
        let args = args.map(|_| self.constant()).collect();
        let call = Expr::call(callee.clone(), args);
        if self.percent(25) {
            return Stmt::Expr(call);
        }
        let output = Expr::Var(self.output(callee.result.clone()));
        Stmt::Expr(Expr::assign(output, call))
    }

    /// `if (p != end) { … f(…) … } … return value;`
    fn calling(&mut self, callee: &Callee, params: &[Var]) -> Vec<Stmt> {
        let steered = self.dice.random_range(0..params.len());
        let down = self.percent(60);
        let end = if down { 0 } else { self.near_number() };
        let kind = params[steered].ty.int_kind().unwrap_or(IntKind::Int);
        let end = Value::new(kind, end, self.target());
        let asked = Expr::Var(params[steered].clone());
        let op = self.one_of(&[BinaryOp::Ne, BinaryOp::Ne, BinaryOp::Gt]);
        let goes_on = Expr::binary(op, asked.clone(), Expr::Const(end));
        let mut inside = Vec::new();
        for _ in 0..self.one_of(&[0, 1, 1]) {
            inside.push(self.statement(1));
        }
        for _ in 0..self.one_of(&[1, 1, 1, 2]) {
            let args = self.next_arguments(params, steered, down, end);
            let call = Expr::call(callee.clone(), args);
            inside.push(self.call_kept(call, &callee.result));
        }
        if self.percent(60) {
            inside.push(Stmt::Return(self.returned(1)));
        }
        let mut inside = Stmt::Block(inside);
        if self.percent(35) {
            let asked = self.condition(1);
            inside = Stmt::Block(vec![Stmt::if_then(asked, inside)]);
        }
        let mut items = vec![Stmt::if_then(goes_on, inside)];
        for _ in 0..self.one_of(&[0, 0, 1]) {
            items.push(self.statement(1));
        }
        items.push(Stmt::Return(self.returned(1)));
        items
    }

    /// What a call is given: one argument less than it was, or `end` at the last and until then
    /// its place taken by one parameter after the other; the others are what they were, exchanged
    /// or anything.
    fn next_arguments(
        &mut self,
        params: &[Var],
        steered: usize,
        down: bool,
        end: Value,
    ) -> Vec<Expr> {
        let count = params.len();
        let mut args = Vec::new();
        for _ in 0..count {
            args.push(match self.dice.random_range(0..10) {
                0..6 => Expr::Var(params[self.dice.random_range(0..count)].clone()),
                6 | 7 => self.constant(),
                _ => self.expr(1),
            });
        }
        let param = |at: usize| Expr::Var(params[at % count].clone());
        if down {
            args[steered] = Expr::binary(BinaryOp::Sub, param(steered), Expr::int(1));
            return args;
        }
        let delay = self.dice.random_range(0..count);
        for at in 0..delay {
            args[(steered + at) % count] = param(steered + at + 1);
        }
        args[(steered + delay) % count] = Expr::Const(end);
        args
    }

    /// What a call gives goes into a variable, or back to the caller at once.
    fn call_kept(&mut self, call: Expr, result: &Type) -> Stmt {
        match result {
            Type::Int(_) if self.percent(30) => {
                let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
                let other = self.leaf();
                Stmt::Return(Some(Expr::binary(op, call, other)))
            }
            Type::Int(_) => match self.writable() {
                Some(target) => Stmt::Expr(Expr::assign(target, call)),
                None => Stmt::Return(Some(call)),
            },
            _ => match self.objects.iter().find(|var| var.ty == *result) {
                Some(var) if self.dice.random() => {
                    Stmt::Expr(Expr::assign(Expr::Var(var.clone()), call))
                }
                _ => Stmt::Return(Some(call)),
            },
        }
    }
}
