//! Planning of statements: structured code becomes a list of instructions with
//! jumps, so that `goto`, `break` and `switch` are all the same thing.

use super::super::ctype::{Type, Types};
use super::super::expr::{Callee, Expr, Var};
use super::super::stmt::{Declaration, Init, Stmt};
use super::super::trouble::Mistake;
use super::expr::{Known, Planner, Scope};
use super::node::{At, Cut, Node, Place, Root, Slot};
use super::trace::needs_log;
use super::typing::Rvalue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The plan of a statement or of a function's body.
#[derive(Debug)]
pub(in super::super) struct Code {
    pub(in super::super) instrs: Vec<Instr>,
    /// Where each instruction came from.
    pub(in super::super) places: Vec<At>,
    pub(in super::super) paths: Vec<Vec<u32>>,
    /// Variables declared inside; the parameters come first.
    pub(in super::super) locals: Vec<Local>,
    /// Functions called.
    pub(in super::super) calls: BTreeSet<Arc<str>>,
    /// What a call of it must name, if it is a function's.
    pub(in super::super) signature: Option<Callee>,
}

impl Code {
    /// What an expression outside any statement runs in.
    pub(in super::super) fn of_expression(paths: Vec<Vec<u32>>) -> Code {
        Code {
            instrs: Vec::new(),
            places: Vec::new(),
            paths,
            locals: Vec::new(),
            calls: BTreeSet::new(),
            signature: None,
        }
    }

    /// Why the code cannot be a function's: it jumps out of itself.
    pub(in super::super) fn leaves(&self) -> Option<&'static str> {
        let outward = |jump: &Jump| !matches!(jump.way, Way::To(_));
        let leaves = |instr: &Instr| match instr {
            Instr::Jump(jump) => outward(jump),
            Instr::Switch {
                cases, otherwise, ..
            } => outward(otherwise) || cases.iter().any(|(_, jump)| outward(jump)),
            _ => false,
        };
        self.instrs
            .iter()
            .any(leaves)
            .then_some("a jump out of the function")
    }
}

#[derive(Debug)]
pub(in super::super) struct Local {
    pub(in super::super) name: Arc<str>,
    pub(in super::super) ty: Type,
    /// Whether its address is taken, so that pointers die with it.
    pub(in super::super) taken: bool,
}

/// An expression of its own: everything in it is sequenced before the next.
#[derive(Debug)]
pub(in super::super) struct Full {
    pub(in super::super) node: Node,
    /// Whether accesses must be logged to see that they are sequenced.
    pub(in super::super) logged: bool,
}

impl Full {
    pub(in super::super) fn new(node: Node) -> Full {
        Full {
            logged: needs_log(&node),
            node,
        }
    }
}

#[derive(Debug)]
pub(in super::super) enum Instr {
    Eval(Full),
    /// Goes on if the condition is not 0, else to another instruction.
    Branch {
        condition: Full,
        otherwise: usize,
    },
    Jump(Jump),
    Switch {
        value: Full,
        cases: Vec<(i64, Jump)>,
        otherwise: Jump,
    },
    /// The locals begin to live, without a value.
    Enter(Vec<u32>),
    Leave(Vec<u32>),
    /// Every cell of a local becomes 0 or null.
    Zero(u32),
    Return(Option<Full>),
}

/// A jump, and the lives it ends and begins.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Jump {
    pub(in super::super) leave: Vec<u32>,
    pub(in super::super) enter: Vec<u32>,
    pub(in super::super) way: Way,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Way {
    To(usize),
    Break,
    Continue,
    Goto(Arc<str>),
}

impl Default for Way {
    fn default() -> Way {
        Way::To(usize::MAX)
    }
}

/// A block, as far as lives go.
#[derive(Debug, Default)]
struct Frame {
    parent: Option<usize>,
    locals: Vec<u32>,
}

/// A place that jumps lead to.
#[derive(Clone, Copy, Debug)]
struct Spot {
    frame: usize,
    instr: usize,
}

/// A jump that is written but whose target is not known yet.
struct Open {
    instr: usize,
    /// Which jump of a `switch`: a case, or the default for `None`.
    case: Option<usize>,
    frame: usize,
    to: Aim,
}

enum Aim {
    Label(Arc<str>),
    /// The end or the next turn of a loop or switch, by its number.
    Break(usize),
    Continue(usize),
    Spot(Spot),
}

#[derive(Default)]
struct Nest {
    is_loop: bool,
    after: Option<Spot>,
    next: Option<Spot>,
    /// `case` values seen, for a switch.
    cases: Vec<(i64, Spot)>,
    default: Option<Spot>,
    cut: Option<Cut>,
}

struct Builder<'p, 'a> {
    planner: &'p mut Planner<'a>,
    instrs: Vec<Instr>,
    places: Vec<At>,
    locals: Vec<Local>,
    frames: Vec<Frame>,
    frame: usize,
    nests: Vec<Nest>,
    /// The nests around the current statement, innermost last.
    around: Vec<usize>,
    labels: BTreeMap<Arc<str>, Spot>,
    open: Vec<Open>,
    /// The type `return` converts to; `None` outside a function we know.
    result: Option<Type>,
}

/// Plans a statement, or a function's body with its parameters and result type.
pub(in super::super) fn plan_body(
    types: &Types,
    outside: &dyn Scope,
    params: &[Var],
    result: Option<&Type>,
    body: &Stmt,
) -> Result<Code, Mistake> {
    let mut planner = Planner::new(types, outside);
    let mut builder = Builder {
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
        if !param.ty.is_scalar() {
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

impl Builder<'_, '_> {
    fn mistake(&self, what: &'static str) -> Mistake {
        self.planner.mistake(what)
    }

    fn here(&self) -> Spot {
        Spot {
            frame: self.frame,
            instr: self.instrs.len(),
        }
    }

    fn local(&mut self, var: &Var) -> u32 {
        let local = self.locals.len() as u32;
        self.locals.push(Local {
            name: var.name.clone(),
            ty: var.ty.clone(),
            taken: false,
        });
        let known = Known {
            slot: Slot::Local(local),
            ty: var.ty.clone(),
            constant: false,
        };
        self.planner.names.push((var.name.clone(), known));
        local
    }

    fn push(&mut self, instr: Instr) {
        let at = self.planner.at();
        self.places.push(at);
        self.instrs.push(instr);
    }

    fn jump(&mut self, to: Aim) {
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
            Stmt::Use { ty, value } => {
                if !ty.is_scalar() {
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
                    self.jump(Aim::Label("".into()));
                    self.land(branch);
                    self.body(2, no)?;
                    let here = self.here();
                    self.open[end].to = Aim::Spot(here);
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
                self.jump(Aim::Spot(top));
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
                self.jump(Aim::Spot(top));
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
                self.jump(Aim::Spot(top));
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
                Some(nest) => self.jump(Aim::Break(*nest)),
                None => self.out(Way::Break),
            },
            Stmt::Continue => {
                let inner = self
                    .around
                    .iter()
                    .rev()
                    .find(|nest| self.nests[**nest].is_loop);
                match inner {
                    Some(nest) => self.jump(Aim::Continue(*nest)),
                    None => self.out(Way::Continue),
                }
            }
            Stmt::Goto(label) => self.jump(Aim::Label(label.clone())),
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
            let (case, to) = (Some(index), Aim::Spot(spot));
            self.open.push(Open {
                instr: dispatch,
                case,
                frame,
                to,
            });
        }
        let to = Aim::Spot(self.nests[nest].default.unwrap_or(after));
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

    fn declare(&mut self, declaration: &Declaration) -> Result<(), Mistake> {
        let var = &declaration.var;
        self.planner.cells(&var.ty)?;
        if self.frame == 0 {
            return Err(self.mistake("a declaration outside a block"));
        }
        let frame = self.frame;
        let twice = |local: &u32| self.locals[*local as usize].name == var.name;
        if self.frames[frame].locals.iter().any(twice) {
            return Err(self.mistake("a name declared twice in one block"));
        }
        let local = self.local(var);
        self.frames[frame].locals.push(local);
        let Some(init) = &declaration.init else {
            self.push(Instr::Enter(vec![local]));
            return Ok(());
        };
        let mut own = false;
        for part in Stmt::Declare(declaration.clone()).parts() {
            if let super::super::stmt::Part::Expr(expr) = part {
                expr.for_each_var(&mut |used| own |= used.name == var.name);
            }
        }
        if own {
            return Err(self.mistake("an initialiser that names its own variable"));
        }
        let root = || Place {
            root: Root::Slot(Slot::Local(local)),
            cell: 0,
            indices: vec![],
        };
        let mut stores = Vec::new();
        let mut child = 0;
        match (init, &var.ty) {
            (Init::List(_), _) => self.list(init, &var.ty, None, &root, &mut child, &mut stores)?,
            (Init::Value(expr), Type::Record(_)) => {
                let typed = self.planner.inside(0, |planner| planner.value(expr))?;
                let Rvalue::Record(ty, from) = typed.ty else {
                    return Err(self.mistake("a struct initialised from something else"));
                };
                if ty != var.ty {
                    return Err(self.mistake("a struct initialised from another"));
                }
                let cells = self.planner.cells(&ty)?;
                let at = self.planner.at();
                self.push(Instr::Enter(vec![local]));
                let copy = Node::Copy {
                    to: Box::new(root()),
                    from,
                    cells,
                    at,
                };
                self.push(Instr::Eval(Full::new(copy)));
                return Ok(());
            }
            (Init::Value(_), _) => {
                self.list(init, &var.ty, None, &root, &mut child, &mut stores)?
            }
        }
        let is_list = matches!(init, Init::List(_));
        self.push(if is_list {
            Instr::Zero(local)
        } else {
            Instr::Enter(vec![local])
        });
        let at = self.planner.at();
        self.push(Instr::Eval(Full::new(Node::Together { stores, at })));
        Ok(())
    }

    /// The stores of an initialiser.
    fn list(
        &mut self,
        init: &Init,
        ty: &Type,
        bits: Option<u32>,
        root: &dyn Fn() -> Place,
        child: &mut u32,
        stores: &mut Vec<Node>,
    ) -> Result<(), Mistake> {
        match (init, ty) {
            (Init::List(items), Type::Array { of, len }) => {
                if items.len() as u64 > *len {
                    return Err(self.mistake("an initialiser with too many elements"));
                }
                let stride = self.planner.cells(of)?;
                for (index, item) in items.iter().enumerate() {
                    let skip = index as u32 * stride;
                    let part = move || {
                        let mut place = root();
                        place.cell += skip;
                        place
                    };
                    self.list(item, of, None, &part, child, stores)?;
                }
                Ok(())
            }
            (Init::List(items), Type::Record(name)) => {
                let Some(record) = self.planner.types.get(name) else {
                    return Err(self.mistake("a struct that is not known"));
                };
                if items.len() > record.fields.len() {
                    return Err(self.mistake("an initialiser with too many members"));
                }
                let mut skip = 0;
                for (item, field) in items.iter().zip(&record.fields) {
                    let part = move || {
                        let mut place = root();
                        place.cell += skip;
                        place
                    };
                    self.list(item, &field.ty, field.bits, &part, child, stores)?;
                    skip += self.planner.cells(&field.ty)?;
                }
                Ok(())
            }
            (Init::Value(expr), ty) if ty.is_scalar() => {
                let value = self.planner.inside(*child, |planner| {
                    let typed = planner.value(expr)?;
                    planner.assignable(typed, ty, bits)
                })?;
                *child += 1;
                let (place, at) = (Box::new(root()), self.planner.at());
                stores.push(Node::Store {
                    place,
                    value: Box::new(value),
                    at,
                });
                Ok(())
            }
            _ => Err(self.mistake("an initialiser of another form than its type")),
        }
    }

    /// Sets the targets of all jumps.
    fn close(&mut self) -> Result<(), Mistake> {
        for open in std::mem::take(&mut self.open) {
            let spot = match open.to {
                Aim::Spot(spot) => Some(spot),
                Aim::Break(nest) => self.nests[nest].after,
                Aim::Continue(nest) => self.nests[nest].next,
                Aim::Label(ref label) => self.labels.get(label).copied(),
            };
            let jump = match (spot, open.to) {
                (Some(spot), _) => self.between(open.frame, spot),
                // A label of the seed.
                (None, Aim::Label(label)) => Jump {
                    way: Way::Goto(label),
                    ..Jump::default()
                },
                (None, _) => return Err(self.mistake("a jump without a target")),
            };
            match (&mut self.instrs[open.instr], open.case) {
                (Instr::Jump(slot), _) => *slot = jump,
                (Instr::Switch { cases, .. }, Some(case)) => cases[case].1 = jump,
                (Instr::Switch { otherwise, .. }, None) => *otherwise = jump,
                _ => return Err(self.mistake("a jump from something that does not jump")),
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
            way: Way::To(spot.instr),
        }
    }
}
