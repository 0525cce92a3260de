//! Functions of our own at file level, and calls of them with values of a point.
//!
//! A function sees its parameters only, and what these hold in every visit is known from
//! the arguments. So its body is made and run like any other code, and gives back what
//! was wanted.

use super::{KnownScalar, Synth, View};
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

/// The most values of the point that a function is given.
const MOST_ARGUMENTS: usize = 3;

/// The most turns of a loop in a function, and calls of itself.
const MOST_TURNS: i32 = 7;

/// A function, and an expression with a call of it.
#[derive(Clone, Debug)]
pub(crate) struct HelperCall {
    pub(crate) function: Function,
    /// Functions that it calls, each behind those that it calls itself.
    pub(crate) callees: Vec<Function>,
    pub(crate) expr: Expr,
}

/// A function being written.
struct HelperDraft {
    params: Vec<Var>,
    args: Vec<Expr>,
    /// What is known inside, where only parameters and locals are named.
    view: View,
    items: Vec<Stmt>,
}

impl<R: Rng> Synth<'_, R> {
    /// A call that has the value of `carrier` in every visit, in the unsigned type that
    /// this is computed in. `carrier` becomes an argument; its value need not be known.
    pub(crate) fn carried(
        &mut self,
        view: &View,
        carrier: &Expr,
        is_short: bool,
    ) -> Option<HelperCall> {
        let kind = self.types.type_of(carrier).ok()?.int_kind()?;
        let kind = kind.promoted().to_unsigned();
        let mut draft = self.draft(view, is_short)?;
        let name = self.name("a0");
        let fixed = self.fixed(&draft.view)?;
        let value = self.entangled_with(&draft.view, &Expr::var(&name, kind), fixed)?;
        let ty = kind.into();
        draft.params.insert(
            0,
            Var {
                name: name.as_str().into(),
                ty,
            },
        );
        draft.args.insert(0, self.as_kind(carrier.clone(), kind));
        let value = self.as_kind(value, kind);
        Some(self.finished(draft, kind, value))
    }

    /// A call that is a constant in every visit, of the constant's type.
    pub(crate) fn worth_by_call(
        &mut self,
        view: &View,
        value: Value,
        is_short: bool,
    ) -> Option<HelperCall> {
        let draft = self.draft(view, is_short)?;
        let made = self.worth(&draft.view, value)?;
        Some(self.finished(draft, value.kind(), made))
    }

    /// The value of `carrier` by a function that calls itself as often as a value of the
    /// point says, and adds the same each time, which is taken off again.
    pub(crate) fn carried_down(&mut self, view: &View, carrier: &Expr) -> Option<HelperCall> {
        let kind = self.types.type_of(carrier).ok()?.int_kind()?;
        let kind = kind.promoted().to_unsigned();
        let target = self.types.target;
        let constant = |math: i128| Expr::from(Value::new(kind, math, target));
        let step = constant(self.rng.random_range(1..100_000));
        let fuel = self.some_mixed(view)?;
        let fuel = Expr::binary(BinaryOp::BitAnd, fuel, Expr::int(MOST_TURNS));
        let fuel = self.as_kind(fuel, IntKind::Int);
        let names = [self.name("h"), self.name("a0"), self.name("n0")];
        let [name, value, left] = names.each_ref().map(String::as_str);
        let params = [(value, kind), (left, IntKind::Int)].map(|(name, kind)| Var {
            name: name.into(),
            ty: kind.into(),
        });
        let mut function = Function {
            name: name.into(),
            result: kind.into(),
            params: params.to_vec(),
            body: Stmt::Empty.into(),
        };
        let [value, left] = [Expr::var(value, kind), Expr::var(left, IntKind::Int)];
        let fewer = Expr::binary(BinaryOp::Sub, left.clone(), Expr::int(1));
        let call = |value| Expr::call(function.callee(), vec![value, fewer.clone()]);
        let add = |expr| Expr::binary(BinaryOp::Add, expr, step.clone());
        // In the last position optimisers make a loop of it.
        let again = if self.rng.random() {
            call(add(value.clone()))
        } else {
            add(call(value.clone()))
        };
        let is_done = Expr::binary(BinaryOp::Le, left, Expr::int(0));
        function.body = Stmt::Block(vec![
            Stmt::if_then(is_done, Stmt::Return(Some(value))),
            Stmt::Return(Some(again)),
        ])
        .into();
        let args = vec![self.as_kind(carrier.clone(), kind), fuel.clone()];
        let sum = Expr::call(function.callee(), args);
        let added = Expr::binary(BinaryOp::Mul, self.as_kind(fuel, kind), step);
        let expr = Expr::binary(BinaryOp::Sub, sum, added);
        Some(HelperCall {
            function,
            callees: vec![],
            expr,
        })
    }

    /// A function with parameters for some scalars, and statements over them.
    fn draft(&mut self, view: &View, is_short: bool) -> Option<HelperDraft> {
        let mut draft = HelperDraft {
            params: vec![],
            args: vec![],
            view: View {
                world: view.world.clone(),
                scalars: vec![],
                floats: vec![],
            },
            items: vec![],
        };
        let opaque: Vec<&KnownScalar> = view.scalars.iter().filter(|s| s.is_opaque).collect();
        for number in 0..self.rng.random_range(1..=MOST_ARGUMENTS) {
            let outside = view.scalars.iter().find(|known| known.is_outside);
            let known = match (outside, opaque.choose(self.rng)) {
                (Some(outside), _) if number == 0 => outside,
                (_, Some(known)) if !self.one_in(4) => *known,
                _ => view.scalars.choose(self.rng)?,
            };
            let name = self.name(&format!("p{number}"));
            if !draft.add(self, &name, known.kind, &known.read) {
                return None;
            }
            // What optimisers know of an argument, they may know of the parameter.
            if let Some(param) = draft.view.scalars.last_mut() {
                param.is_opaque = known.is_opaque;
                param.is_outside = known.is_outside;
            }
            let ty = known.kind.into();
            draft.params.push(Var {
                name: name.as_str().into(),
                ty,
            });
            draft.args.push(known.read.clone());
        }
        let sum = self.name("t0");
        let start = self.some_mixed(&draft.view)?;
        let start = self.as_kind(start, IntKind::UInt);
        if !draft.add(self, &sum, IntKind::UInt, &start) {
            return None;
        }
        draft
            .items
            .push(Stmt::declare(&sum, IntKind::UInt, Some(start)));
        if !is_short && self.rng.random() {
            self.loop_over(&mut draft, &sum)?;
        }
        Some(draft)
    }

    /// A loop that mixes the parameters into a local.
    fn loop_over(&mut self, draft: &mut HelperDraft, sum: &str) -> Option<()> {
        let name = self.name("i0");
        if !draft.add(self, &name, IntKind::Int, &Expr::int(0)) {
            return None;
        }
        let turn = Expr::var(&name, IntKind::Int);
        let sum = Expr::var(sum, IntKind::UInt);
        let odd = Value::new(
            IntKind::UInt,
            2 * self.rng.random_range(1..50_000) + 1,
            self.types.target,
        );
        let scaled = Expr::binary(BinaryOp::Mul, sum.clone(), odd.into());
        let other = self.some_mixed(&draft.view)?;
        let other = self.as_kind(other, IntKind::UInt);
        let op = if self.rng.random() {
            BinaryOp::Add
        } else {
            BinaryOp::BitXor
        };
        let turns = Expr::int(self.rng.random_range(2..=MOST_TURNS));
        let stmt = Stmt::for_loop(
            Expr::assign(turn.clone(), Expr::int(0)),
            Expr::binary(BinaryOp::Lt, turn.clone(), turns),
            Expr::step(StepOp::PreIncrement, turn),
            Stmt::Block(vec![Stmt::Expr(Expr::assign(
                sum,
                Expr::binary(op, scaled, other),
            ))]),
        );
        draft.view.world = draft.view.world.after(self.types, &stmt).ok()?;
        draft
            .items
            .push(Stmt::declare(&name, IntKind::Int, Some(Expr::int(0))));
        draft.items.push(stmt);
        Some(())
    }

    fn finished(&self, mut draft: HelperDraft, kind: IntKind, value: Expr) -> HelperCall {
        draft.items.push(Stmt::Return(Some(value)));
        let function = Function {
            name: self.name("h").as_str().into(),
            result: kind.into(),
            params: draft.params,
            body: Stmt::Block(draft.items).into(),
        };
        let expr = Expr::call(function.callee(), draft.args);
        HelperCall {
            function,
            callees: vec![],
            expr,
        }
    }
}

impl HelperDraft {
    /// A variable of the function that starts with a value; false if that is not known.
    fn add<R: Rng>(
        &mut self,
        synth: &Synth<'_, R>,
        name: &str,
        kind: IntKind,
        start: &Expr,
    ) -> bool {
        let is_known = self.view.world.add_local(synth.types, name, kind, start);
        self.view.scalars.push(KnownScalar::local(name, kind));
        is_known
    }
}
