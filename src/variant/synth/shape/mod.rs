//! Live blocks: code that runs at every visit, changes variables of the seed, and gives
//! them their old values again.
//!
//! The values come back in one of three ways ([`BlockShape`]). In all of them the last
//! assignments depend on everything that the block has computed, by way of a digest whose
//! value is known: whoever computes anything in the block wrongly, or takes another way
//! through it, leaves a wrong value behind.

mod digest;
mod floats;
mod way_back;

use self::floats::FloatWay;
use self::way_back::WayBack;
use super::block::Plan;
use super::{KnownScalar, Site, Synth, View, World};
use crate::code::ctype::Types;
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
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

/// The most scalars that are assigned their own values.
const WITNESSES: usize = 3;

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
        let start = site.block_view(self.rng, self.sizes.scalars);
        let mut growing = Growing {
            view: start.clone(),
            outside: vec![],
            inside: vec![],
            after: vec![],
        };
        let targets = self.targets(&growing.view);
        let witnesses = witnesses(site, &start, &targets);
        let changed = targets.iter().chain(&witnesses);
        let mut changed: Vec<Expr> = changed.map(|known| known.read.clone()).collect();
        let mut ways = Vec::new();
        for (index, known) in targets.into_iter().enumerate() {
            let way = self.way_back(&mut growing, shape, index, &known)?;
            ways.push((known, way));
        }
        ways.extend(witnesses.into_iter().map(|known| (known, WayBack::None)));
        let floats = self.float_ways(&mut growing, shape)?;
        changed.extend(floats.iter().map(|way| way.known.lvalue.clone()));
        let block = self.grow(site, growing, shape, (ways, floats), is_checked)?;
        restores(self.types, &start.world, &block, &changed).then_some((block, shape))
    }

    fn grow(
        &mut self,
        site: &Site<'_>,
        mut growing: Growing,
        shape: BlockShape,
        (ways, floats): (Vec<(KnownScalar, WayBack)>, Vec<FloatWay>),
        is_checked: bool,
    ) -> Option<Stmt> {
        let digest = self.digest_local(&mut growing)?;
        let plan = self.plan(site, &mut growing, &ways, &floats)?;
        self.before_guard(&mut growing, shape, &ways, &plan)?;
        let guard = self.block_guard(&growing.view);
        if shape == BlockShape::Guarded {
            for (known, way) in &ways {
                if let WayBack::Copy(copy) = way {
                    let take = Expr::assign(copy.lvalue.clone(), known.read.clone());
                    growing.inside.push(growing.view.perform(self.types, take)?);
                }
            }
            self.take_floats(&mut growing, &floats)?;
        }
        let was_changed = growing
            .outside
            .iter()
            .any(|stmt| matches!(stmt, Stmt::Expr(_)));
        let steps = self.steps(site, &mut growing.view, &plan, was_changed);
        if steps.is_empty() {
            return None;
        }
        growing.inside.extend(steps);
        let results = self.float_results(&growing.view, &floats);
        if is_checked {
            let checks = self.checks(&growing.view, &plan, &results);
            growing.inside.extend(checks);
        }
        let changed = plan.changed().chain(&plan.counter).chain(&results);
        let taken = self.digested(&growing.view, &digest, changed);
        growing
            .inside
            .push(growing.view.perform(self.types, taken)?);
        let last = self.last(&mut growing.view, &ways, &floats, &digest)?;
        if shape == BlockShape::Copied {
            growing.inside.extend(last);
        } else {
            growing.after = last;
        }
        let mut items = growing.outside;
        items.push(Stmt::if_then(guard, Stmt::Block(growing.inside)));
        items.extend(growing.after);
        Some(Stmt::Block(items))
    }

    /// The assignments that give all variables their old values again. Those that the
    /// block has not changed come last, when the digest has taken in the others.
    fn last(
        &mut self,
        view: &mut View,
        ways: &[(KnownScalar, WayBack)],
        floats: &[FloatWay],
        digest: &KnownScalar,
    ) -> Option<Vec<Stmt>> {
        let (witnesses, changed): (Vec<_>, Vec<_>) = ways
            .iter()
            .partition(|(_, way)| matches!(way, WayBack::None));
        let mut last = Vec::new();
        for (known, way) in changed.iter().rev() {
            last.push(self.back(view, known, way, digest)?);
        }
        for way in floats {
            last.push(self.float_back(view, way, digest)?);
        }
        if !witnesses.is_empty() {
            let restored = changed.iter().map(|(known, _)| known);
            let taken = self.digested(view, digest, restored);
            last.push(view.perform(self.types, taken)?);
        }
        for (known, way) in witnesses {
            last.push(self.back(view, known, way, digest)?);
        }
        Some(last)
    }

    /// Declares what the steps change besides variables of the seed.
    fn plan(
        &mut self,
        site: &Site<'_>,
        growing: &mut Growing,
        ways: &[(KnownScalar, WayBack)],
        floats: &[FloatWay],
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
        let free = ways.iter().filter(|(_, way)| way.is_free());
        Some(Plan {
            targets: free.map(|(known, _)| known.clone()).collect(),
            temporary,
            counter,
            floats: floats.iter().map(|way| way.known.clone()).collect(),
            turns: self.turns_of_block(site),
        })
    }

    /// A condition that always holds; mostly one that any mistake makes false.
    fn block_guard(&mut self, view: &View) -> Expr {
        let tight = if self.one_in(4) {
            None
        } else {
            self.tight(view, true)
        };
        tight.unwrap_or_else(|| self.predicate(view, true))
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

/// Scalars that the block does not change, but assigns their own values to at its end,
/// mixed with its digest: those that hold what they are given until the program ends come
/// first.
fn witnesses(site: &Site<'_>, view: &View, targets: &[KnownScalar]) -> Vec<KnownScalar> {
    let is_target = |known: &KnownScalar| targets.iter().any(|t| t.lvalue == known.lvalue);
    let free = view.scalars.iter();
    let mut free: Vec<&KnownScalar> = free.filter(|k| k.is_writable && !is_target(k)).collect();
    // Sums of what the program computes before what it never changes.
    free.sort_by_key(|known| (!known.is_sum, !known.is_lasting));
    // One such sum is as good as several others.
    let has_sum = free.first().is_some_and(|known| known.is_sum);
    let most = if site.is_hot() || has_sum {
        1
    } else {
        WITNESSES
    };
    free.into_iter().take(most).cloned().collect()
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
    use crate::code::op::BinaryOp;
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
