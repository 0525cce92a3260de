//! Live blocks: code that runs at every visit, changes variables of the seed, and gives
//! them their old values again.
//!
//! The values come back in one of three ways ([`BlockShape`]). In all of them the last
//! assignments depend on everything that the block has computed, by way of a digest whose
//! value is known: whoever computes anything in the block wrongly, or takes another way
//! through it, leaves a wrong value behind.

use super::block::Plan;
use super::{KnownScalar, Site, Synth, View, World};
use crate::code::ctype::Types;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// How the variables that a live block changes get their old values again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockShape {
    /// Copied before the guard, and put back behind it.
    Copied,
    /// Copied behind the guard into something that held another value, and put back after
    /// it: who wants to drop the block must know the guard.
    Guarded,
    /// Computed from the changed state, without a copy.
    Computed,
}

/// How often each shape is made.
const SHAPES: [(BlockShape, u32); 3] = [
    (BlockShape::Copied, 2),
    (BlockShape::Guarded, 3),
    (BlockShape::Computed, 5),
];

/// How often another last assignment is tried before the plain one is taken.
const TRIES: u32 = 3;

/// How one variable gets its old value again.
enum WayBack {
    /// From a local that holds it.
    Copy(KnownScalar),
    /// It had the same value in every visit.
    Constant(Value),
    /// What was done to it is undone: a local was added (`+`), subtracted or mixed in.
    Inverse { op: BinaryOp, by: KnownScalar },
}

/// A live block as it grows.
struct Growing {
    view: View,
    /// All statements before the guard.
    outside: Vec<Stmt>,
    /// Those behind it.
    inside: Vec<Stmt>,
    /// Those after it.
    after: Vec<Stmt>,
}

impl<R: Rng> Synth<'_, R> {
    /// A block that runs at every visit, changes variables and restores them. If
    /// `is_checked`, it also compares the values it comes to with those predicted.
    ///
    /// `None` if no change was found that is defined in every visit.
    pub(crate) fn live_block(
        &mut self,
        site: &Site<'_>,
        is_checked: bool,
    ) -> Option<(Stmt, BlockShape)> {
        let shape = SHAPES
            .choose_weighted(self.rng, |(_, weight)| *weight)
            .expect("some shape has a weight")
            .0;
        let start = site.view(self.rng, self.sizes.scalars);
        let mut growing = Growing {
            view: start.clone(),
            outside: vec![],
            inside: vec![],
            after: vec![],
        };
        let targets = self.targets(&growing.view);
        let changed: Vec<Expr> = targets.iter().map(|known| known.read.clone()).collect();
        let mut ways = Vec::new();
        for (index, known) in targets.into_iter().enumerate() {
            let way = self.way_back(&mut growing, shape, index, &known)?;
            ways.push((known, way));
        }
        let block = self.grow(site, growing, shape, ways, is_checked)?;
        restores(self.types, &start.world, &block, &changed).then_some((block, shape))
    }

    fn grow(
        &mut self,
        site: &Site<'_>,
        mut growing: Growing,
        shape: BlockShape,
        ways: Vec<(KnownScalar, WayBack)>,
        is_checked: bool,
    ) -> Option<Stmt> {
        let digest = self.digest_local(&mut growing)?;
        let plan = self.plan(site, &mut growing, &ways)?;
        self.before_guard(&mut growing, shape, &ways, &plan)?;
        let guard = self.predicate(&growing.view, true);
        if shape == BlockShape::Guarded {
            for (known, way) in &ways {
                if let WayBack::Copy(copy) = way {
                    let take = Expr::assign(copy.lvalue.clone(), known.read.clone());
                    growing.inside.push(growing.view.perform(self.types, take)?);
                }
            }
        }
        let steps = self.steps(site, &mut growing.view, &plan);
        if steps.is_empty() {
            return None;
        }
        growing.inside.extend(steps);
        if is_checked {
            growing.inside.extend(self.checks(&growing.view, &plan));
        }
        let taken = self.digested(&growing.view, &digest, &plan);
        growing
            .inside
            .push(growing.view.perform(self.types, taken)?);
        for (known, way) in ways.iter().rev() {
            let back = self.back(&mut growing.view, known, way, &digest)?;
            if shape == BlockShape::Copied {
                growing.inside.push(back);
            } else {
                growing.after.push(back);
            }
        }
        let mut items = growing.outside;
        items.push(Stmt::if_then(guard, Stmt::Block(growing.inside)));
        items.extend(growing.after);
        Some(Stmt::Block(items))
    }

    /// Decides how a variable gets its value back, and declares what that takes.
    fn way_back(
        &mut self,
        growing: &mut Growing,
        shape: BlockShape,
        index: usize,
        known: &KnownScalar,
    ) -> Option<WayBack> {
        let copy = self.name(&format!("b{index}"));
        Some(match shape {
            BlockShape::Copied => {
                let start = known.read.clone();
                WayBack::Copy(growing.declare(self.types, &copy, known.kind, start)?)
            }
            BlockShape::Guarded => {
                let other = self.expression(&growing.view);
                WayBack::Copy(growing.declare(self.types, &copy, known.kind, other)?)
            }
            BlockShape::Computed => match self.only_value(&growing.view, &known.read) {
                Some(value) if !self.one_in(4) => WayBack::Constant(value),
                // Two values are too few to add to and to subtract from.
                _ if known.kind == IntKind::Bool => {
                    let start = known.read.clone();
                    WayBack::Copy(growing.declare(self.types, &copy, known.kind, start)?)
                }
                _ => {
                    let op = *[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]
                        .choose(self.rng)
                        .expect("there are three");
                    let kind = known.kind.promoted().to_unsigned();
                    let by = self.some_mixed(&growing.view)?;
                    let name = self.name(&format!("k{index}"));
                    let by = growing.declare(self.types, &name, kind, by)?;
                    WayBack::Inverse { op, by }
                }
            },
        })
    }

    /// Declares what the steps change besides variables of the seed.
    fn plan(
        &mut self,
        site: &Site<'_>,
        growing: &mut Growing,
        ways: &[(KnownScalar, WayBack)],
    ) -> Option<Plan> {
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::Short];
        let kind = *kinds.choose(self.rng).expect("the list is not empty");
        let first = self.expression(&growing.view);
        let name = self.name("t0");
        let temporary = growing.declare(self.types, &name, kind, first)?;
        let has_counter = !site.is_hot() && self.rng.random();
        let counter = if has_counter {
            let name = self.name("i0");
            Some(growing.declare(self.types, &name, IntKind::Int, Expr::int(0))?)
        } else {
            None
        };
        // What is undone at the end must not be changed in another way.
        let is_free = |(_, way): &&(KnownScalar, WayBack)| !matches!(way, WayBack::Inverse { .. });
        let free = ways.iter().filter(is_free);
        Some(Plan {
            targets: free.map(|(known, _)| known.clone()).collect(),
            temporary,
            counter,
            turns: self.turns_of_block(site),
        })
    }

    /// Changes before the guard, so that passing by the block shows.
    fn before_guard(
        &mut self,
        growing: &mut Growing,
        shape: BlockShape,
        ways: &[(KnownScalar, WayBack)],
        plan: &Plan,
    ) -> Option<()> {
        for (known, way) in ways {
            if let WayBack::Inverse { op, by } = way {
                let there = self.combined(*op, known, by.read.clone());
                growing
                    .outside
                    .push(growing.view.perform(self.types, there)?);
            }
        }
        if shape == BlockShape::Copied {
            for known in plan.targets.iter().take(2) {
                let other = self.expression(&growing.view);
                let change = Expr::assign(known.lvalue.clone(), other);
                growing
                    .outside
                    .push(growing.view.perform(self.types, change)?);
            }
        }
        Some(())
    }

    /// The assignment that gives a variable its old value again.
    fn back(
        &mut self,
        view: &mut View,
        known: &KnownScalar,
        way: &WayBack,
        digest: &KnownScalar,
    ) -> Option<Stmt> {
        for _ in 0..TRIES {
            let zero = self.zero_from(view, &digest.read);
            let value = match (way, zero) {
                (_, None) => break,
                (WayBack::Copy(copy), Some(zero)) => self.entangled_with(view, &copy.read, zero),
                (WayBack::Constant(value), Some(zero)) => {
                    self.entangled_with(view, &Expr::from(*value), zero)
                }
                (WayBack::Inverse { by, .. }, Some(zero)) => {
                    self.entangled_with(view, &by.read, zero)
                }
            };
            let Some(value) = value else { continue };
            let back = way.assignment(self, known, value);
            if let Some(stmt) = self.kept(view, known, way, back) {
                return Some(stmt);
            }
        }
        let plain = match way {
            WayBack::Copy(copy) => copy.read.clone(),
            WayBack::Constant(value) => Expr::from(*value),
            WayBack::Inverse { by, .. } => by.read.clone(),
        };
        let back = way.assignment(self, known, plain);
        view.perform(self.types, back)
    }

    /// The assignment, if it is defined; over ranges, also if nothing of what is known is
    /// lost by it.
    fn kept(
        &mut self,
        view: &mut View,
        known: &KnownScalar,
        way: &WayBack,
        back: Expr,
    ) -> Option<Stmt> {
        let after = view
            .world
            .after(self.types, &Stmt::Expr(back.clone()))
            .ok()?;
        if let WayBack::Copy(copy) = way
            && !after.has_same(self.types, &known.read, &copy.read)
        {
            return None;
        }
        view.world = after;
        Some(Stmt::Expr(back))
    }

    /// `v = v op by`, in the unsigned type of its values.
    fn combined(&self, op: BinaryOp, known: &KnownScalar, by: Expr) -> Expr {
        let kind = known.kind.promoted().to_unsigned();
        let value = Expr::binary(op, known.read.clone().cast(kind), by);
        Expr::assign(known.lvalue.clone(), value)
    }

    /// A local for the digest.
    fn digest_local(&mut self, growing: &mut Growing) -> Option<KnownScalar> {
        let kinds = [IntKind::UInt, IntKind::ULong];
        let kind = *kinds.choose(self.rng).expect("there are two");
        let start = match self.some_mixed(&growing.view) {
            Some(mixed) => mixed,
            None => self.constant(),
        };
        let name = self.name("h0");
        growing.declare(self.types, &name, kind, start)
    }

    /// The digest takes in all that the block has changed.
    fn digested(&mut self, view: &View, digest: &KnownScalar, plan: &Plan) -> Expr {
        let mut parts = Vec::new();
        for known in plan.changed().chain(&plan.counter).chain([digest]) {
            if let Some((part, _)) = self.fixed_from(view, &known.read) {
                parts.push(part);
            }
        }
        let mixed = self.mixed(view, parts);
        Expr::assign(digest.lvalue.clone(), mixed)
    }

    /// An expression that is 0 in every visit and made of this one.
    fn zero_from(&mut self, view: &View, expr: &Expr) -> Option<Expr> {
        let (expr, value) = self.fixed_from(view, expr)?;
        Some(self.zeroed(expr, value))
    }
}

impl WayBack {
    fn assignment<R: Rng>(&self, synth: &Synth<'_, R>, known: &KnownScalar, value: Expr) -> Expr {
        match self {
            WayBack::Inverse { op, .. } => {
                let undo = match op {
                    BinaryOp::Add => BinaryOp::Sub,
                    BinaryOp::Sub => BinaryOp::Add,
                    other => *other,
                };
                synth.combined(undo, known, value)
            }
            WayBack::Copy(_) | WayBack::Constant(_) => Expr::assign(known.lvalue.clone(), value),
        }
    }
}

impl Growing {
    /// Declares a local before the guard.
    fn declare(
        &mut self,
        types: &Types,
        name: &str,
        kind: IntKind,
        start: Expr,
    ) -> Option<KnownScalar> {
        let local = KnownScalar::local(name, kind);
        let is_known = self.view.world.add_local(types, name, kind, &start);
        self.outside.push(Stmt::declare(name, kind, Some(start)));
        self.view.scalars.push(local.clone());
        is_known.then_some(local)
    }
}

impl View {
    /// The statement of an expression, if it is defined; the view is then the state
    /// after it.
    fn perform(&mut self, types: &Types, expr: Expr) -> Option<Stmt> {
        let stmt = Stmt::Expr(expr);
        self.world = self.world.after(types, &stmt).ok()?;
        Some(stmt)
    }
}

/// Whether the whole block, run at once, leaves the variables that it changes as they
/// were.
fn restores(types: &Types, start: &World, block: &Stmt, changed: &[Expr]) -> bool {
    let Ok(end) = start.after(types, block) else {
        return false;
    };
    // Of ranges, equal bounds do not say that values are equal. That the last
    // assignments put them back is how the block is built; this sees at least that they
    // are there.
    changed
        .iter()
        .all(|scalar| end.agrees_with(start, types, scalar))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::table::Table;
    use crate::code::types::Target;

    #[test]
    fn visits_that_exchange_their_values_are_not_restored() {
        let types = Types::new(Target::LP64);
        let mut table = Table::new(2);
        table.add_values("x", IntKind::Int, vec![1, 2]);
        let world = World::from(table);
        let x = Expr::var("x", IntKind::Int);
        let set = |value: Expr| Stmt::Expr(Expr::assign(x.clone(), value));
        let exchanged = set(Expr::binary(BinaryOp::Sub, Expr::int(3), x.clone()));
        let twice = Stmt::Block(vec![exchanged.clone(), exchanged.clone()]);
        let restores = |block| restores(&types, &world, block, std::slice::from_ref(&x));
        assert!(!restores(&exchanged));
        assert!(restores(&twice));
    }
}
