//! Planning of statements: blocks, branches, loops and jumps.

use super::super::ctype::Type;
use super::super::expr::{Callee, Expr};
use super::super::stmt::Stmt;
use super::super::trouble::Mistake;
use super::body::BodyPlanner;
use super::code::{Destination, Full, Instr};
use super::jump::{Frame, JumpTarget, Nest};

impl BodyPlanner<'_, '_> {
    fn child(&mut self, child: u32, stmt: &Stmt) -> Result<(), Mistake> {
        let back = self.planner.paths.descend(child);
        self.stmt(stmt)?;
        self.planner.paths.go_back(back);
        Ok(())
    }

    /// A body: in braces when printed, so a scope of its own.
    pub(super) fn body(&mut self, child: u32, stmt: &Stmt) -> Result<(), Mistake> {
        let back = self.planner.paths.descend(child);
        match stmt {
            Stmt::Block(items) => self.block(items)?,
            Stmt::Declare(_) => return Err(self.mistake("a declaration as a body")),
            single => self.stmt(single)?,
        }
        self.planner.paths.go_back(back);
        Ok(())
    }

    fn block(&mut self, items: &[Stmt]) -> Result<(), Mistake> {
        let names = self.planner.names.len();
        let parent = self.frame;
        self.frames.push(Frame {
            parent: Some(parent),
            ..Frame::default()
        });
        self.frame = self.frames.len() - 1;
        let frame = self.frame;
        let enter = self.instrs.len();
        self.push(Instr::Enter(Vec::new()));
        for (index, item) in items.iter().enumerate() {
            self.child(index as u32, item)?;
        }
        let locals = self.frames[frame].locals.clone();
        self.instrs[enter] = Instr::Enter(locals.clone());
        if !locals.is_empty() {
            self.push(Instr::Leave(locals));
        }
        self.frame = parent;
        self.planner.names.truncate(names);
        Ok(())
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Result<(), Mistake> {
        match stmt {
            Stmt::Empty => {}
            Stmt::Block(items) => self.block(items)?,
            Stmt::Declare(declaration) => self.declare(declaration)?,
            Stmt::Expr(expr) => {
                let full = self.full(0, expr)?;
                self.push(Instr::Eval(full));
            }
            Stmt::Abort => self.abort()?,
            Stmt::Use { ty, value } => self.use_value(ty, value)?,
            Stmt::If { condition, yes, no } => self.branches(condition, yes, no.as_deref())?,
            Stmt::While { condition, body } => self.while_loop(condition, body)?,
            Stmt::Do { body, condition } => self.do_loop(body, condition)?,
            Stmt::For {
                start,
                condition,
                step,
                body,
            } => self.for_loop([start, condition, step], body)?,
            Stmt::Switch { value, body } => self.switch(value, body)?,
            Stmt::Case(value) => self.case(*value)?,
            Stmt::Default => self.default()?,
            Stmt::Break => match self.around.last() {
                Some(nest) => self.jump(JumpTarget::Break(*nest)),
                None => self.out(Destination::Break),
            },
            Stmt::Continue => {
                let mut around = self.around.iter().rev();
                match around.find(|nest| self.nests[**nest].is_loop) {
                    Some(nest) => self.jump(JumpTarget::Continue(*nest)),
                    None => self.out(Destination::Continue),
                }
            }
            Stmt::Goto(label) => self.jump(JumpTarget::Label(label.clone())),
            Stmt::Label(label) => {
                let here = self.here();
                if self.labels.insert(label.clone(), here).is_some() {
                    return Err(self.mistake("a duplicate label"));
                }
            }
            Stmt::Return(value) => self.give_back(value.as_ref())?,
        }
        Ok(())
    }

    fn abort(&mut self) -> Result<(), Mistake> {
        let abort = Callee {
            name: "abort".into(),
            result: Type::Void,
            params: vec![],
        };
        // Its body is not known, so nothing after the call is evaluated.
        let full = self.full(0, &Expr::call(abort, vec![]))?;
        self.push(Instr::Eval(full));
        Ok(())
    }

    fn use_value(&mut self, ty: &Type, value: &Expr) -> Result<(), Mistake> {
        if !ty.is_computable() {
            return Err(self.mistake("a use of something other than a scalar"));
        }
        let node = self.planner.inside(0, |planner| {
            let typed = planner.value(value)?;
            planner.assignable(typed, ty, None)
        })?;
        self.push(Instr::Eval(Full::new(node)));
        Ok(())
    }

    fn branches(&mut self, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) -> Result<(), Mistake> {
        let branch = self.branch(0, condition)?;
        self.body(1, yes)?;
        let Some(no) = no else {
            self.land(branch);
            return Ok(());
        };
        let end = self.open.len();
        self.jump(JumpTarget::Label("".into()));
        self.land(branch);
        self.body(2, no)?;
        let here = self.here();
        self.open[end].to = JumpTarget::Spot(here);
        Ok(())
    }

    fn while_loop(&mut self, condition: &Expr, body: &Stmt) -> Result<(), Mistake> {
        let nest = self.open_loop();
        let top = self.here();
        self.nests[nest].next = Some(top);
        let branch = self.branch(0, condition)?;
        self.body(1, body)?;
        self.jump(JumpTarget::Spot(top));
        self.land(branch);
        self.close_nest(nest);
        Ok(())
    }

    fn do_loop(&mut self, body: &Stmt, condition: &Expr) -> Result<(), Mistake> {
        let nest = self.open_loop();
        let top = self.here();
        self.body(0, body)?;
        self.nests[nest].next = Some(self.here());
        let branch = self.branch(1, condition)?;
        self.jump(JumpTarget::Spot(top));
        self.land(branch);
        self.close_nest(nest);
        Ok(())
    }

    fn for_loop(
        &mut self,
        [start, condition, step]: [&Option<Expr>; 3],
        body: &Stmt,
    ) -> Result<(), Mistake> {
        let mut child = 0;
        if let Some(start) = start {
            let full = self.full(child, start)?;
            self.push(Instr::Eval(full));
            child += 1;
        }
        let nest = self.open_loop();
        let top = self.here();
        let branch = match condition {
            Some(condition) => {
                child += 1;
                Some(self.branch(child - 1, condition)?)
            }
            None => None,
        };
        let inside = child + u32::from(step.is_some());
        self.body(inside, body)?;
        self.nests[nest].next = Some(self.here());
        if let Some(step) = step {
            let full = self.full(child, step)?;
            self.push(Instr::Eval(full));
        }
        self.jump(JumpTarget::Spot(top));
        if let Some(branch) = branch {
            self.land(branch);
        }
        self.close_nest(nest);
        Ok(())
    }

    fn open_loop(&mut self) -> usize {
        self.open_nest(Nest {
            is_loop: true,
            ..Nest::default()
        })
    }

    fn give_back(&mut self, value: Option<&Expr>) -> Result<(), Mistake> {
        let full = match (value, self.result.clone()) {
            (None, _) => None,
            (Some(_), Some(Type::Void)) => {
                return Err(self.mistake("a value returned from a void function"));
            }
            (Some(value), Some(record)) if record.is_composite() => {
                let object = match self.result_object {
                    Some(object) => object,
                    None => self.planner.temporary(&record)?,
                };
                self.result_object = Some(object);
                let node = self.planner.inside(0, |planner| {
                    let typed = planner.value(value)?;
                    planner.copied(typed, &record, object.place())
                })?;
                Some(Full::new(node))
            }
            (Some(value), Some(result)) => {
                let node = self.planner.inside(0, |planner| {
                    let typed = planner.value(value)?;
                    planner.assignable(typed, &result, None)
                })?;
                Some(Full::new(node))
            }
            // In a function of the seed, whose result type is not known here.
            (Some(value), None) => Some(self.full(0, value)?),
        };
        self.push(Instr::Return(full));
        Ok(())
    }
}
