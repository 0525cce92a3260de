//! Planning of statements.

use super::super::ctype::{Type, Types};
use super::super::expr::{Callee, Expr, Var};
use super::super::stmt::Stmt;
use super::super::trouble::Mistake;
use super::code::{Code, Full, Instr, Jump, Local, Way};
use super::jump::{Frame, JumpTarget, Nest, Open, Spot};
use super::node::{At, Cut, Slot};
use super::planner::{Binding, Planner, Resolver};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Turns statements into instructions, one after the other.
pub(super) struct BodyPlanner<'p, 'a> {
    pub(super) planner: &'p mut Planner<'a>,
    pub(super) instrs: Vec<Instr>,
    pub(super) places: Vec<At>,
    pub(super) locals: Vec<Local>,
    pub(super) frames: Vec<Frame>,
    pub(super) frame: usize,
    pub(super) nests: Vec<Nest>,
    /// The nests around the current statement, innermost last.
    pub(super) around: Vec<usize>,
    pub(super) labels: BTreeMap<Arc<str>, Spot>,
    pub(super) open: Vec<Open>,
    /// The type `return` converts to; `None` outside a function we know.
    pub(super) result: Option<Type>,
}

/// Plans a statement, or a function's body with its parameters and result type.
pub(in super::super) fn plan_body(
    types: &Types,
    outside: &dyn Resolver,
    params: &[Var],
    result: Option<&Type>,
    body: &Stmt,
) -> Result<Code, Mistake> {
    let mut planner = Planner::new(types, outside);
    let mut builder = BodyPlanner {
        planner: &mut planner,
        instrs: Vec::new(),
        places: Vec::new(),
        locals: Vec::new(),
        frames: vec![Frame::default()],
        frame: 0,
        nests: Vec::new(),
        around: Vec::new(),
        labels: BTreeMap::new(),
        open: Vec::new(),
        result: result.cloned(),
    };
    for param in params {
        if !param.ty.is_computable() {
            return Err(builder.planner.mistake("a parameter that is no scalar"));
        }
        builder.local(param);
    }
    builder.stmt(body)?;
    builder.close()?;
    let (instrs, places, mut locals) = (builder.instrs, builder.places, builder.locals);
    for local in &planner.taken {
        locals[*local as usize].taken = true;
    }
    Ok(Code {
        instrs,
        places,
        paths: planner.paths,
        locals,
        calls: planner.calls,
        signature: None,
    })
}

impl BodyPlanner<'_, '_> {
    pub(super) fn mistake(&self, what: &'static str) -> Mistake {
        self.planner.mistake(what)
    }

    pub(super) fn here(&self) -> Spot {
        Spot {
            frame: self.frame,
            instr: self.instrs.len(),
        }
    }

    pub(super) fn local(&mut self, var: &Var) -> u32 {
        let local = self.locals.len() as u32;
        self.locals.push(Local {
            name: var.name.clone(),
            ty: var.ty.clone(),
            taken: false,
        });
        let known = Binding {
            slot: Slot::Local(local),
            ty: var.ty.clone(),
            constant: false,
        };
        self.planner.names.push((var.name.clone(), known));
        local
    }

    pub(super) fn push(&mut self, instr: Instr) {
        let at = self.planner.at();
        self.places.push(at);
        self.instrs.push(instr);
    }

    pub(super) fn jump(&mut self, to: JumpTarget) {
        self.open.push(Open {
            instr: self.instrs.len(),
            case: None,
            frame: self.frame,
            to,
        });
        self.push(Instr::Jump(Jump::default()));
    }

    fn child(&mut self, child: u32, stmt: &Stmt) -> Result<(), Mistake> {
        let path = self.planner.path_push(child);
        self.stmt(stmt)?;
        self.planner.path_truncate(path);
        Ok(())
    }

    /// A body: in braces when printed, so a scope of its own.
    fn body(&mut self, child: u32, stmt: &Stmt) -> Result<(), Mistake> {
        let path = self.planner.path_push(child);
        match stmt {
            Stmt::Block(items) => self.block(items)?,
            Stmt::Declare(_) => return Err(self.mistake("a declaration as a body")),
            single => self.stmt(single)?,
        }
        self.planner.path_truncate(path);
        Ok(())
    }

    fn block(&mut self, items: &[Stmt]) -> Result<(), Mistake> {
        let names = self.planner.names.len();
        let parent = self.frame;
        self.frames.push(Frame {
            parent: Some(parent),
            locals: Vec::new(),
        });
        self.frame = self.frames.len() - 1;
        let frame = self.frame;
        let enter = self.instrs.len();
        self.push(Instr::Enter(Vec::new()));
        let mut declaring = true;
        for (index, item) in items.iter().enumerate() {
            let is_declaration = matches!(item, Stmt::Declare(_));
            if is_declaration && !declaring {
                return Err(self.mistake("a declaration after a statement"));
            }
            declaring = is_declaration;
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

    fn full(&mut self, child: u32, expr: &Expr) -> Result<Full, Mistake> {
        Ok(Full::new(
            self.planner
                .inside(child, |planner| planner.value(expr))?
                .node,
        ))
    }

    fn condition(&mut self, child: u32, expr: &Expr) -> Result<Full, Mistake> {
        Ok(Full::new(self.planner.condition(child, expr)?))
    }

    /// A branch whose target is set later.
    fn branch(&mut self, child: u32, expr: &Expr) -> Result<usize, Mistake> {
        let condition = self.condition(child, expr)?;
        self.push(Instr::Branch {
            condition,
            otherwise: usize::MAX,
        });
        Ok(self.instrs.len() - 1)
    }

    fn land(&mut self, branch: usize) {
        let here = self.instrs.len();
        if let Instr::Branch { otherwise, .. } = &mut self.instrs[branch] {
            *otherwise = here;
        }
    }

    fn open_nest(&mut self, nest: Nest) -> usize {
        self.nests.push(nest);
        self.around.push(self.nests.len() - 1);
        self.nests.len() - 1
    }

    fn close_nest(&mut self, nest: usize) {
        self.nests[nest].after = Some(self.here());
        self.around.pop();
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Mistake> {
        match stmt {
            Stmt::Empty => {}
            Stmt::Block(items) => self.block(items)?,
            Stmt::Declare(declaration) => self.declare(declaration)?,
            Stmt::Expr(expr) => {
                let full = self.full(0, expr)?;
                self.push(Instr::Eval(full));
            }
            Stmt::Abort => {
                let abort = Callee {
                    name: "abort".into(),
                    result: Type::Void,
                    params: vec![],
                };
                // A function that is not known: nothing behind it is.
                let full = self.full(0, &Expr::call(abort, vec![]))?;
                self.push(Instr::Eval(full));
            }
            Stmt::Use { ty, value } => {
                if !ty.is_computable() {
                    return Err(self.mistake("a use of something that is no scalar"));
                }
                let node = self.planner.inside(0, |planner| {
                    let typed = planner.value(value)?;
                    planner.assignable(typed, ty, None)
                })?;
                self.push(Instr::Eval(Full::new(node)));
            }
            Stmt::If { condition, yes, no } => {
                let branch = self.branch(0, condition)?;
                self.body(1, yes)?;
                if let Some(no) = no {
                    let end = self.open.len();
                    self.jump(JumpTarget::Label("".into()));
                    self.land(branch);
                    self.body(2, no)?;
                    let here = self.here();
                    self.open[end].to = JumpTarget::Spot(here);
                } else {
                    self.land(branch);
                }
            }
            Stmt::While { condition, body } => {
                let nest = self.open_nest(Nest {
                    is_loop: true,
                    ..Nest::default()
                });
                let top = self.here();
                self.nests[nest].next = Some(top);
                let branch = self.branch(0, condition)?;
                self.body(1, body)?;
                self.jump(JumpTarget::Spot(top));
                self.land(branch);
                self.close_nest(nest);
            }
            Stmt::Do { body, condition } => {
                let nest = self.open_nest(Nest {
                    is_loop: true,
                    ..Nest::default()
                });
                let top = self.here();
                self.body(0, body)?;
                self.nests[nest].next = Some(self.here());
                let branch = self.branch(1, condition)?;
                self.jump(JumpTarget::Spot(top));
                self.land(branch);
                self.close_nest(nest);
            }
            Stmt::For {
                start,
                condition,
                step,
                body,
            } => {
                let mut child = 0;
                if let Some(start) = start {
                    let full = self.full(child, start)?;
                    self.push(Instr::Eval(full));
                    child += 1;
                }
                let nest = self.open_nest(Nest {
                    is_loop: true,
                    ..Nest::default()
                });
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
            }
            Stmt::Switch { value, body } => self.switch(value, body)?,
            Stmt::Case(value) => {
                let nest = self.inner_switch()?;
                let cut = self.nests[nest].cut.expect("a switch knows its type");
                if !value.fits(self.planner.types.target) {
                    return Err(self.mistake("a constant that its type does not have"));
                }
                let (carrier, here) = (cut.apply(value.carrier()), self.here());
                if self.nests[nest]
                    .cases
                    .iter()
                    .any(|(other, _)| *other == carrier)
                {
                    return Err(self.mistake("a case twice in one switch"));
                }
                self.nests[nest].cases.push((carrier, here));
            }
            Stmt::Default => {
                let nest = self.inner_switch()?;
                let here = self.here();
                if self.nests[nest].default.replace(here).is_some() {
                    return Err(self.mistake("a default twice in one switch"));
                }
            }
            Stmt::Break => match self.around.last() {
                Some(nest) => self.jump(JumpTarget::Break(*nest)),
                None => self.out(Way::Break),
            },
            Stmt::Continue => {
                let inner = self
                    .around
                    .iter()
                    .rev()
                    .find(|nest| self.nests[**nest].is_loop);
                match inner {
                    Some(nest) => self.jump(JumpTarget::Continue(*nest)),
                    None => self.out(Way::Continue),
                }
            }
            Stmt::Goto(label) => self.jump(JumpTarget::Label(label.clone())),
            Stmt::Label(label) => {
                let here = self.here();
                if self.labels.insert(label.clone(), here).is_some() {
                    return Err(self.mistake("a label twice"));
                }
            }
            Stmt::Return(value) => self.give_back(value.as_ref())?,
        }
        Ok(())
    }

    /// A jump out of the whole tree.
    fn out(&mut self, way: Way) {
        self.push(Instr::Jump(Jump {
            way,
            ..Jump::default()
        }));
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

    fn switch(&mut self, value: &Expr, body: &Stmt) -> Result<(), Mistake> {
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

    fn give_back(&mut self, value: Option<&Expr>) -> Result<(), Mistake> {
        let full = match (value, self.result.clone()) {
            (None, _) => None,
            (Some(_), Some(Type::Void)) => {
                return Err(self.mistake("a value returned from a void function"));
            }
            (Some(value), Some(result)) => {
                let node = self.planner.inside(0, |planner| {
                    let typed = planner.value(value)?;
                    planner.assignable(typed, &result, None)
                })?;
                Some(Full::new(node))
            }
            // The seed's function: its result type is not known here.
            (Some(value), None) => Some(self.full(0, value)?),
        };
        self.push(Instr::Return(full));
        Ok(())
    }
}
