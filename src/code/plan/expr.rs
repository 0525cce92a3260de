//! Planning of expressions: C's typing rules, node by node.

use super::super::ctype::{Type, Types};
use super::super::expr::{Expr, Var};
use super::super::op::{BinaryOp, UnaryOp};
use super::super::stmt::USE_NAME;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{At, Form, Node, Place, Root, Slot};
use super::typing::{Rvalue, Typed};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a name means where it is used.
#[derive(Clone, Debug)]
pub(in super::super) struct Known {
    pub(in super::super) slot: Slot,
    pub(in super::super) ty: Type,
    pub(in super::super) constant: bool,
}

/// Names from outside the tree.
pub(in super::super) trait Scope {
    /// What a variable's name means; for a tree that is only to be typed, the
    /// variable itself says.
    fn find(&self, var: &Var) -> Option<Known>;
}

/// Turns trees into plans.
pub(in super::super) struct Planner<'a> {
    pub(super) types: &'a Types,
    outside: &'a dyn Scope,
    /// Names declared in the tree, innermost last.
    pub(super) names: Vec<(Arc<str>, Known)>,
    path: Vec<u32>,
    pub(in super::super) paths: Vec<Vec<u32>>,
    /// Locals whose address is taken.
    pub(super) taken: BTreeSet<u32>,
    /// Functions that are called.
    pub(in super::super) calls: BTreeSet<Arc<str>>,
}

impl<'a> Planner<'a> {
    pub(in super::super) fn new(types: &'a Types, outside: &'a dyn Scope) -> Planner<'a> {
        Planner {
            types,
            outside,
            names: Vec::new(),
            path: Vec::new(),
            paths: Vec::new(),
            taken: BTreeSet::new(),
            calls: BTreeSet::new(),
        }
    }

    pub(super) fn mistake(&self, what: &'static str) -> Mistake {
        Mistake {
            what,
            path: self.path.clone(),
        }
    }

    /// A number for the current path.
    pub(super) fn at(&mut self) -> At {
        if self.paths.last() != Some(&self.path) {
            self.paths.push(self.path.clone());
        }
        self.paths.len() as At - 1
    }

    /// Plans a child of the current node.
    pub(super) fn inside<T>(
        &mut self,
        child: u32,
        plan: impl FnOnce(&mut Self) -> Result<T, Mistake>,
    ) -> Result<T, Mistake> {
        self.path.push(child);
        let planned = plan(self)?;
        self.path.pop();
        Ok(planned)
    }

    /// Goes to a child; [`Planner::path_truncate`] with what is given goes back.
    pub(super) fn path_push(&mut self, child: u32) -> usize {
        self.path.push(child);
        self.path.len() - 1
    }

    pub(super) fn path_truncate(&mut self, len: usize) {
        self.path.truncate(len);
    }

    pub(super) fn resolve(&mut self, var: &Var) -> Result<Known, Mistake> {
        let local = self.names.iter().rev().find(|(name, _)| *name == var.name);
        let known = match local {
            Some((_, known)) => Some(known.clone()),
            None => self.outside.find(var),
        };
        match known {
            _ if *var.name == *USE_NAME => Err(self.mistake("a name that is ours")),
            None => Err(self.mistake("a variable that is not in scope")),
            Some(known) if known.ty != var.ty => {
                Err(self.mistake("a variable that has another type in scope"))
            }
            Some(known) => Ok(known),
        }
    }

    /// Notes that a pointer to (a part of) a local may now exist.
    pub(super) fn taken(&mut self, place: &Place) {
        if let Root::Slot(Slot::Local(local)) = place.root {
            self.taken.insert(local);
        }
    }

    pub(super) fn child(&mut self, child: u32, expr: &Expr) -> Result<Typed, Mistake> {
        self.inside(child, |planner| planner.value(expr))
    }

    fn promoted_child(&mut self, child: u32, expr: &Expr) -> Result<(Node, IntKind), Mistake> {
        self.inside(child, |planner| {
            let typed = planner.value(expr)?;
            planner.promote(typed)
        })
    }

    pub(super) fn condition(&mut self, child: u32, expr: &Expr) -> Result<Node, Mistake> {
        self.inside(child, |planner| {
            let typed = planner.value(expr)?;
            planner.truth(typed)
        })
    }

    pub(in super::super) fn value(&mut self, expr: &Expr) -> Result<Typed, Mistake> {
        match expr {
            Expr::Const(value) => {
                if !value.fits(self.types.target) {
                    return Err(self.mistake("a constant that its type does not have"));
                }
                Ok(Typed::int(Node::Const(value.carrier()), value.kind()))
            }
            Expr::Null(ty @ Type::Pointer { .. }) => Ok(Typed {
                node: Node::Const(0),
                ty: Rvalue::Pointer(ty.clone()),
            }),
            Expr::Null(_) => Err(self.mistake("a null that is no pointer")),
            Expr::Var(_) | Expr::Field { .. } | Expr::Index { .. } | Expr::Deref(_) => {
                let lvalue = self.lvalue(expr)?;
                self.read(lvalue)
            }
            Expr::AddressOf(object) => {
                if !Self::is_lvalue(object) {
                    return Err(self.mistake("the address of something that is no object"));
                }
                let lvalue = self.inside(0, |planner| planner.lvalue(object))?;
                if lvalue.bits.is_some() {
                    return Err(self.mistake("the address of a bit-field"));
                }
                self.taken(&lvalue.place);
                let ty = Type::Pointer {
                    to: lvalue.ty,
                    constant: lvalue.constant,
                    volatile: false,
                };
                let node = Node::Address(Box::new(lvalue.place));
                Ok(Typed {
                    node,
                    ty: Rvalue::Pointer(ty),
                })
            }
            Expr::Cast { to, value } => self.cast(to, value),
            Expr::Unary { op, value } => self.unary(*op, value),
            Expr::Binary { op, left, right } => {
                let left = self.child(0, left)?;
                let right = self.child(1, right)?;
                self.binary(*op, left, right)
            }
            Expr::Logical { op, left, right } => {
                let left = Box::new(self.condition(0, left)?);
                let right = Box::new(self.condition(1, right)?);
                Ok(Typed::int(
                    Node::Logical {
                        op: *op,
                        left,
                        right,
                    },
                    IntKind::Int,
                ))
            }
            Expr::Conditional { condition, yes, no } => {
                let condition = Box::new(self.condition(0, condition)?);
                let (yes, no) = (self.child(1, yes)?, self.child(2, no)?);
                self.choose(condition, yes, no)
            }
            Expr::Comma { left, right } => {
                let left = Box::new(self.child(0, left)?.node);
                let right = self.child(1, right)?;
                let ty = match right.ty {
                    Rvalue::Bits { kind, width, .. } => Rvalue::Bits {
                        kind,
                        width,
                        direct: false,
                    },
                    Rvalue::Record(..) => {
                        return Err(self.mistake("a struct as the value of a comma"));
                    }
                    ty => ty,
                };
                Ok(Typed {
                    node: Node::Comma {
                        left,
                        right: Box::new(right.node),
                    },
                    ty,
                })
            }
            Expr::Assign { target, value } => self.assign(target, value),
            Expr::Compound { op, target, value } => {
                if !op.has_assignment() {
                    return Err(self.mistake("a compound assignment C does not have"));
                }
                let lvalue = self.written(target)?;
                let right = self.child(1, value)?;
                self.update(lvalue, *op, right, false)
            }
            Expr::Step { op, target } => {
                let lvalue = self.written(target)?;
                let one = Typed::int(Node::Const(1), IntKind::Int);
                self.update(lvalue, op.binary(), one, op.is_postfix())
            }
            Expr::Call { callee, args } => {
                if args.len() != callee.params.len() {
                    return Err(self.mistake("a call with the wrong number of arguments"));
                }
                let mut planned = Vec::new();
                for (child, (arg, param)) in args.iter().zip(&callee.params).enumerate() {
                    planned.push(self.inside(child as u32, |planner| {
                        let typed = planner.value(arg)?;
                        planner.assignable(typed, param, None)
                    })?);
                }
                let ty = match &callee.result {
                    Type::Void => Rvalue::Void,
                    Type::Enum { kind, .. } => Rvalue::Enum(*kind),
                    pointer @ Type::Pointer { .. } => Rvalue::Pointer(pointer.clone()),
                    other => match other.int_kind() {
                        Some(kind) => Rvalue::Int(kind),
                        None => return Err(self.mistake("a call that returns no scalar")),
                    },
                };
                self.calls.insert(callee.name.clone());
                let node = Node::Call {
                    callee: callee.clone(),
                    args: planned,
                    gives_value: !matches!(ty, Rvalue::Void),
                    at: self.at(),
                };
                Ok(Typed { node, ty })
            }
        }
    }

    fn cast(&mut self, to: &Type, value: &Expr) -> Result<Typed, Mistake> {
        let typed = self.child(0, value)?;
        if let Some(kind) = to.int_kind() {
            let node = self.convert(typed, kind)?;
            let ty = match to {
                Type::Enum { .. } => Rvalue::Enum(kind),
                _ => Rvalue::Int(kind),
            };
            return Ok(Typed { node, ty });
        }
        match (&typed.ty, to) {
            (_, Type::Void) => Ok(Typed {
                node: typed.node,
                ty: Rvalue::Void,
            }),
            (Rvalue::Pointer(Type::Pointer { to: from, .. }), Type::Pointer { to: into, .. })
                if from == into =>
            {
                Ok(Typed {
                    node: typed.node,
                    ty: Rvalue::Pointer(to.clone()),
                })
            }
            _ => Err(self.mistake("a cast between unlike types")),
        }
    }

    fn unary(&mut self, op: UnaryOp, value: &Expr) -> Result<Typed, Mistake> {
        if op == UnaryOp::Not {
            let value = self.condition(0, value)?;
            return Ok(Typed::int(Node::Not(Box::new(value)), IntKind::Int));
        }
        let (node, kind) = self.promoted_child(0, value)?;
        let form = Form::of(kind, self.types.target);
        let node = match op {
            UnaryOp::Plus | UnaryOp::Not => node,
            UnaryOp::Minus => Node::Negate {
                form,
                value: Box::new(node),
                at: self.at(),
            },
            UnaryOp::Complement => Node::Complement {
                form,
                value: Box::new(node),
            },
        };
        Ok(Typed::int(node, kind))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let is_pointer = |typed: &Typed| matches!(typed.ty, Rvalue::Pointer(_));
        match (is_pointer(&left), is_pointer(&right)) {
            (false, false) => self.arithmetic(op, left, right),
            (true, true) => self.same(op, left, right),
            (true, false) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let by = self.promote(right)?;
                self.moved(left, by, op == BinaryOp::Sub, false)
            }
            (false, true) if op == BinaryOp::Add => {
                let by = self.promote(left)?;
                self.moved(right, by, false, false)
            }
            _ => Err(self.mistake("an operator that pointers do not have")),
        }
    }

    fn same(&mut self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Mistake> {
        let pointee = |typed: &Typed| match &typed.ty {
            Rvalue::Pointer(Type::Pointer { to, .. }) => Some(to.clone()),
            _ => None,
        };
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) || pointee(&left) != pointee(&right) {
            return Err(self.mistake("an operator that these pointers do not have"));
        }
        let node = Node::Same {
            negated: op == BinaryOp::Ne,
            left: Box::new(left.node),
            right: Box::new(right.node),
            at: self.at(),
        };
        Ok(Typed::int(node, IntKind::Int))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Mistake> {
        let (left, right) = (self.promote(left)?, self.promote(right)?);
        let target = self.types.target;
        let at = self.at();
        if op.is_shift() {
            let (kind, count) = (left.1, Form::of(right.1, target));
            let (left, right) = (Box::new(left.0), Box::new(right.0));
            let form = Form::of(kind, target);
            return Ok(Typed::int(
                Node::Shift {
                    op,
                    form,
                    left,
                    right,
                    count,
                    at,
                },
                kind,
            ));
        }
        let kind = left.1.common(right.1, target);
        let form = Form::of(kind, target);
        let left = Box::new(self.bring(left, kind));
        let right = Box::new(self.bring(right, kind));
        Ok(if op.is_comparison() {
            Typed::int(
                Node::Compare {
                    op,
                    form,
                    left,
                    right,
                    at,
                },
                IntKind::Int,
            )
        } else {
            Typed::int(
                Node::Arith {
                    op,
                    form,
                    left,
                    right,
                    at,
                },
                kind,
            )
        })
    }

    fn choose(&mut self, condition: Box<Node>, yes: Typed, no: Typed) -> Result<Typed, Mistake> {
        let (yes, no, ty) = match (yes.ty.clone(), no.ty.clone()) {
            (Rvalue::Void, Rvalue::Void) => (yes.node, no.node, Rvalue::Void),
            (
                Rvalue::Pointer(Type::Pointer {
                    to,
                    constant,
                    volatile,
                }),
                Rvalue::Pointer(Type::Pointer {
                    to: other,
                    constant: c,
                    volatile: v,
                }),
            ) if to == other => {
                let ty = Type::Pointer {
                    to,
                    constant: constant || c,
                    volatile: volatile || v,
                };
                (yes.node, no.node, Rvalue::Pointer(ty))
            }
            (
                Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. },
                Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. },
            ) => {
                let (yes, no) = (self.promote(yes)?, self.promote(no)?);
                let kind = yes.1.common(no.1, self.types.target);
                (
                    self.bring(yes, kind),
                    self.bring(no, kind),
                    Rvalue::Int(kind),
                )
            }
            _ => return Err(self.mistake("a choice between unlike types")),
        };
        Ok(Typed {
            node: Node::Choose {
                condition,
                yes: Box::new(yes),
                no: Box::new(no),
            },
            ty,
        })
    }
}
