//! How one variable of a live block gets its old value again.

use super::Growing;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::synth::{BlockShape, KnownScalar, Synth, View};
use rand::Rng;
use rand::seq::IndexedRandom;

/// How often another last assignment is tried before the plain one is taken.
const TRIES: u32 = 3;

/// How one variable gets its old value again.
pub(super) enum WayBack {
    /// From a local that holds it.
    Copy(KnownScalar),
    /// It had the same value in every visit.
    Constant(Value),
    /// It has not been changed.
    None,
    /// What was done to it is undone: a local was added (`+`), subtracted or mixed in.
    Inverse { op: BinaryOp, by: KnownScalar },
}

impl<R: Rng> Synth<'_, R> {
    /// Decides how a variable gets its value back, and declares what that takes.
    pub(super) fn way_back(
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
                let other = self.leaf(&growing.view);
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

    /// The assignment that gives a variable its old value again.
    pub(super) fn back(
        &mut self,
        view: &mut View,
        known: &KnownScalar,
        way: &WayBack,
        digest: &KnownScalar,
    ) -> Option<Stmt> {
        for _ in 0..TRIES {
            let Some(fixed) = self.fixed_from(view, &digest.read) else {
                break;
            };
            let Some(value) = self.entangled_with(view, &way.carrier(known), fixed) else {
                continue;
            };
            let back = way.assignment(self, known, value);
            if let Some(stmt) = self.kept(view, known, way, back) {
                return Some(stmt);
            }
        }
        let back = way.assignment(self, known, way.carrier(known));
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
        let is_kept = match way {
            WayBack::Copy(copy) => after.has_same(self.types, &known.read, &copy.read),
            WayBack::None => after.agrees_with(&view.world, self.types, &known.read),
            WayBack::Constant(_) | WayBack::Inverse { .. } => true,
        };
        if !is_kept {
            return None;
        }
        view.world = after;
        Some(Stmt::Expr(back))
    }

    /// `v = v op by`, in the unsigned type of its values.
    pub(super) fn combined(&self, op: BinaryOp, known: &KnownScalar, by: Expr) -> Expr {
        let kind = known.kind.promoted().to_unsigned();
        let value = Expr::binary(op, known.read.clone().cast(kind), by);
        Expr::assign(known.lvalue.clone(), value)
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
            WayBack::Copy(_) | WayBack::Constant(_) | WayBack::None => {
                Expr::assign(known.lvalue.clone(), value)
            }
        }
    }

    /// What the last assignment takes.
    fn carrier(&self, known: &KnownScalar) -> Expr {
        match self {
            WayBack::Copy(copy) => copy.read.clone(),
            WayBack::Constant(value) => Expr::from(*value),
            WayBack::Inverse { by, .. } => by.read.clone(),
            WayBack::None => known.read.clone(),
        }
    }

    /// Whether the steps may change the variable: what is undone must not be changed in
    /// another way.
    pub(super) fn is_free(&self) -> bool {
        matches!(self, WayBack::Copy(_) | WayBack::Constant(_))
    }
}
