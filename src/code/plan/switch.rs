//! Planning of `switch` and its labels.

use super::super::expr::Expr;
use super::super::stmt::Stmt;
use super::super::trouble::Mistake;
use super::super::value::Value;
use super::body::BodyPlanner;
use super::code::{Full, Instr, Jump};
use super::jump::{JumpTarget, Nest, Open};
use super::node::Cut;

impl BodyPlanner<'_, '_> {
    pub(super) fn switch(&mut self, value: &Expr, body: &Stmt) -> Result<(), Mistake> {
        let (node, kind) = self.planner.inside(0, |planner| {
            let typed = planner.value(value)?;
            planner.promote(typed)
        })?;
        let dispatch = self.instrs.len();
        let frame = self.frame;
        let otherwise = Jump::default();
        self.push(Instr::Switch {
            value: Full::new(node),
            cases: Vec::new(),
            otherwise,
        });
        let cut = Some(Cut::to(kind, self.planner.types.target));
        let nest = self.open_nest(Nest {
            cut,
            ..Nest::default()
        });
        self.body(1, body)?;
        self.close_nest(nest);
        let cases = std::mem::take(&mut self.nests[nest].cases);
        let after = self.nests[nest].after.expect("just closed");
        let mut jumps = Vec::new();
        for (index, (carrier, spot)) in cases.into_iter().enumerate() {
            jumps.push((carrier, Jump::default()));
            let (case, to) = (Some(index), JumpTarget::Spot(spot));
            self.open.push(Open {
                instr: dispatch,
                case,
                frame,
                to,
            });
        }
        let to = JumpTarget::Spot(self.nests[nest].default.unwrap_or(after));
        self.open.push(Open {
            instr: dispatch,
            case: None,
            frame,
            to,
        });
        if let Instr::Switch { cases, .. } = &mut self.instrs[dispatch] {
            *cases = jumps;
        }
        Ok(())
    }

    pub(super) fn case(&mut self, value: Value) -> Result<(), Mistake> {
        let nest = self.inner_switch()?;
        let cut = self.nests[nest].cut.expect("a switch knows its type");
        if !value.fits(self.planner.types.target) {
            return Err(self.mistake("a constant outside the range of its type"));
        }
        let (carrier, here) = (cut.apply(value.carrier()), self.here());
        let cases = &self.nests[nest].cases;
        if cases.iter().any(|(other, _)| *other == carrier) {
            return Err(self.mistake("a duplicate case in a switch"));
        }
        self.nests[nest].cases.push((carrier, here));
        Ok(())
    }

    pub(super) fn default(&mut self) -> Result<(), Mistake> {
        let nest = self.inner_switch()?;
        let here = self.here();
        if self.nests[nest].default.replace(here).is_some() {
            return Err(self.mistake("a duplicate default in a switch"));
        }
        Ok(())
    }

    fn inner_switch(&self) -> Result<usize, Mistake> {
        let inner = self
            .around
            .iter()
            .rev()
            .find(|nest| !self.nests[**nest].is_loop);
        inner
            .copied()
            .ok_or_else(|| self.mistake("a case outside a switch"))
    }
}
