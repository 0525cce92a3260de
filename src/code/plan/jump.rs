//! Jumps whose targets are found when everything is planned, and the lifetimes of
//! locals that they end and begin.

use super::super::trouble::Mistake;
use super::body::BodyPlanner;
use super::code::{Destination, Instr, Jump};
use super::node::Cut;
use std::sync::Arc;

/// A block, as far as lifetimes go.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) parent: Option<usize>,
    pub(super) locals: Vec<u32>,
    /// The names declared in it.
    pub(super) names: Vec<Arc<str>>,
}

/// A place that jumps lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) frame: usize,
    pub(super) instr: usize,
}

/// A jump that is written but whose target is not known yet.
pub(super) struct Open {
    pub(super) instr: usize,
    /// Which jump of a `switch`: that of a case, or for `None` the default.
    pub(super) case: Option<usize>,
    pub(super) frame: usize,
    pub(super) to: JumpTarget,
}

/// Where a jump leads.
pub(super) enum JumpTarget {
    Label(Arc<str>),
    /// The end of a loop or switch, by its index.
    Break(usize),
    Continue(usize),
    Spot(Spot),
}

/// A loop or a switch.
#[derive(Default)]
pub(super) struct Nest {
    pub(super) is_loop: bool,
    pub(super) after: Option<Spot>,
    pub(super) next: Option<Spot>,
    /// `case` values seen, for a switch.
    pub(super) cases: Vec<(i64, Spot)>,
    pub(super) default: Option<Spot>,
    pub(super) cut: Option<Cut>,
}

impl BodyPlanner<'_, '_> {
    /// Sets the targets of all jumps.
    pub(super) fn close(&mut self) -> Result<(), Mistake> {
        for open in std::mem::take(&mut self.open) {
            let spot = match open.to {
                JumpTarget::Spot(spot) => Some(spot),
                JumpTarget::Break(nest) => self.nests[nest].after,
                JumpTarget::Continue(nest) => self.nests[nest].next,
                JumpTarget::Label(ref label) => self.labels.get(label).copied(),
            };
            let jump = match (spot, open.to) {
                (Some(spot), _) => self.between(open.frame, spot),
                // A label of the seed.
                (None, JumpTarget::Label(label)) => Jump {
                    way: Destination::Goto(label),
                    ..Jump::default()
                },
                (None, _) => return Err(self.mistake("a jump without a target")),
            };
            match (&mut self.instrs[open.instr], open.case) {
                (Instr::Jump(slot), _) => *slot = jump,
                (Instr::Switch { cases, .. }, Some(case)) => cases[case].1 = jump,
                (Instr::Switch { otherwise, .. }, None) => *otherwise = jump,
                _ => return Err(self.mistake("a jump from an instruction that cannot jump")),
            }
        }
        Ok(())
    }

    fn between(&self, from: usize, spot: Spot) -> Jump {
        let up = |mut frame: usize| {
            let mut frames = vec![frame];
            while let Some(parent) = self.frames[frame].parent {
                frames.push(parent);
                frame = parent;
            }
            frames
        };
        let (left, entered) = (up(from), up(spot.frame));
        let locals = |of: &[usize], not: &[usize]| {
            let mut locals = Vec::new();
            for frame in of.iter().filter(|frame| !not.contains(frame)) {
                locals.extend(&self.frames[*frame].locals);
            }
            locals
        };
        Jump {
            leave: locals(&left, &entered),
            enter: locals(&entered, &left),
            way: Destination::To(spot.instr),
        }
    }
}
