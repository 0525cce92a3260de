//! What planning statements keeps: the instructions so far, the blocks and loops
//! around, and the jumps whose targets are still open.

use super::super::ctype::{Type, Types};
use super::super::expr::{Expr, Var};
use super::super::stmt::{Specifiers, Stmt};
use super::super::trouble::Mistake;
use super::code::{Code, Destination, Full, Instr, Jump, Local, StaticLocal};
use super::jump::{Frame, JumpTarget, Nest, Open, Spot};
use super::node::{At, Slot, Temporary};
use super::planner::{Planner, Resolved, Resolver};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Turns statements into instructions, one after the other.
pub(super) struct BodyPlanner<'p, 'a> {
    pub(super) planner: &'p mut Planner<'a>,
    pub(super) instrs: Vec<Instr>,
    pub(super) places: Vec<At>,
    pub(super) locals: Vec<Local>,
    pub(super) statics: Vec<StaticLocal>,
    pub(super) frames: Vec<Frame>,
    pub(super) frame: usize,
    pub(super) nests: Vec<Nest>,
    /// The nests around the current statement, innermost last.
    pub(super) around: Vec<usize>,
    pub(super) labels: BTreeMap<Arc<str>, Spot>,
    pub(super) open: Vec<Open>,
    /// The type `return` converts to; `None` outside a function we know.
    pub(super) result: Option<Type>,
    pub(super) result_object: Option<Temporary>,
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
        statics: Vec::new(),
        frames: vec![Frame::default()],
        frame: 0,
        nests: Vec::new(),
        around: Vec::new(),
        labels: BTreeMap::new(),
        open: Vec::new(),
        result: result.cloned(),
        result_object: None,
    };
    for param in params {
        if param.ty.is_composite() {
            builder.planner.cells(&param.ty)?;
        } else if !param.ty.is_computable() {
            return Err(builder
                .planner
                .mistake("a parameter that can have no value"));
        }
        builder.local(param, &Specifiers::default());
    }
    builder.stmt(body)?;
    builder.close()?;
    let (instrs, places, mut locals) = (builder.instrs, builder.places, builder.locals);
    let (statics, result) = (builder.statics, builder.result_object);
    for local in &planner.taken {
        locals[*local as usize].taken = true;
    }
    Ok(Code {
        instrs,
        places,
        paths: planner.paths,
        locals,
        statics,
        static_objects: Vec::new(),
        temporaries: planner.temporaries,
        result,
        calls: planner.calls,
        signature: None,
        address: 0,
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

    pub(super) fn local(&mut self, var: &Var, specifiers: &Specifiers) -> u32 {
        let local = self.locals.len() as u32;
        self.locals.push(Local {
            name: var.name.clone(),
            ty: var.ty.clone(),
            constant: specifiers.constant,
            taken: false,
        });
        self.name(var, specifiers, Slot::Local(local));
        local
    }

    /// Brings a variable into scope.
    pub(super) fn name(&mut self, var: &Var, specifiers: &Specifiers, slot: Slot) {
        let known = Resolved {
            slot,
            ty: var.ty.clone(),
            constant: specifiers.constant,
            volatile: specifiers.volatile,
        };
        self.planner.names.push((var.name.clone(), known));
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

    /// A jump out of the whole tree.
    pub(super) fn out(&mut self, way: Destination) {
        self.push(Instr::Jump(Jump {
            way,
            ..Jump::default()
        }));
    }

    pub(super) fn full(&mut self, child: u32, expr: &Expr) -> Result<Full, Mistake> {
        Ok(Full::new(
            self.planner
                .inside(child, |planner| planner.value(expr))?
                .node,
        ))
    }

    pub(super) fn condition(&mut self, child: u32, expr: &Expr) -> Result<Full, Mistake> {
        Ok(Full::new(self.planner.condition(child, expr)?))
    }

    /// A branch whose target is set later.
    pub(super) fn branch(&mut self, child: u32, expr: &Expr) -> Result<usize, Mistake> {
        let condition = self.condition(child, expr)?;
        self.push(Instr::Branch {
            condition,
            otherwise: usize::MAX,
        });
        Ok(self.instrs.len() - 1)
    }

    pub(super) fn land(&mut self, branch: usize) {
        let here = self.instrs.len();
        if let Instr::Branch { otherwise, .. } = &mut self.instrs[branch] {
            *otherwise = here;
        }
    }

    pub(super) fn open_nest(&mut self, nest: Nest) -> usize {
        self.nests.push(nest);
        self.around.push(self.nests.len() - 1);
        self.nests.len() - 1
    }

    pub(super) fn close_nest(&mut self, nest: usize) {
        self.nests[nest].after = Some(self.here());
        self.around.pop();
    }
}
