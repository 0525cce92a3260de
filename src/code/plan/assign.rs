//! Planning of assignments in all their forms.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::op::BinaryOp;
use super::super::trouble::Mistake;
use super::node::Node;
use super::place::{CellView, Lvalue};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

impl Planner<'_> {
    /// The target of an assignment.
    pub(super) fn written(&mut self, target: &Expr) -> Result<Lvalue, Mistake> {
        if !Self::is_lvalue(target) {
            return Err(self.mistake("an assignment to something other than an object"));
        }
        let lvalue = self.inside(0, |planner| planner.lvalue(target))?;
        if lvalue.constant {
            return Err(self.mistake("an assignment to a const object"));
        }
        if !lvalue.ty.is_computable() && !lvalue.ty.is_composite() {
            return Err(self.mistake("an assignment to an object that cannot be assigned"));
        }
        Ok(lvalue)
    }

    pub(super) fn assign(&mut self, target: &Expr, value: &Expr) -> Result<Typed, Mistake> {
        let lvalue = self.written(target)?;
        let value = self.child(1, value)?;
        if lvalue.view == CellView::Bytes {
            return self.assign_bytes(lvalue, value);
        }
        if lvalue.ty.is_composite() {
            let Rvalue::Record(ty, from) = value.ty else {
                return Err(self.mistake("a struct assigned from something else"));
            };
            if ty != *lvalue.ty {
                return Err(self.mistake("a struct assigned from a different struct type"));
            }
            let cells = self.cells(&ty)?;
            let (to, at) = (Box::new(lvalue.place), self.at());
            return Ok(Typed {
                node: Node::Copy {
                    to,
                    from,
                    cells,
                    initial: false,
                    at,
                },
                ty: Rvalue::Void,
            });
        }
        let ty = lvalue.assigned();
        let value = Box::new(self.assignable(value, &lvalue.ty, lvalue.bits)?);
        let (place, at) = (Box::new(lvalue.place), self.at());
        Ok(Typed {
            node: Node::Store {
                place,
                value,
                initial: false,
                at,
            },
            ty,
        })
    }

    pub(super) fn update(
        &mut self,
        lvalue: Lvalue,
        op: BinaryOp,
        right: Typed,
        gives_old: bool,
    ) -> Result<Typed, Mistake> {
        if lvalue.view == CellView::Bytes {
            if gives_old {
                return Err(self.mistake("the old value of a part of a union"));
            }
            return self.update_bytes(lvalue, op, right);
        }
        if let Type::Vector { .. } = &*lvalue.ty {
            return self.vector_update(lvalue, op, right);
        }
        let old = match (&*lvalue.ty, lvalue.bits) {
            (Type::Record(_), _) => return Err(self.mistake("arithmetic with a struct")),
            (ty, Some(width)) => {
                let Some(kind) = ty.int_kind() else {
                    return Err(self.mistake("a bit-field that is not an integer"));
                };
                Rvalue::Bits {
                    kind,
                    width,
                    direct: true,
                }
            }
            _ => lvalue.assigned(),
        };
        let new = self.binary(
            op,
            Typed {
                node: Node::Old,
                ty: old,
            },
            right,
        )?;
        let ty = lvalue.assigned();
        let value = Box::new(self.assignable(new, &lvalue.ty, lvalue.bits)?);
        let (place, at) = (Box::new(lvalue.place), self.at());
        Ok(Typed {
            node: Node::Update {
                place,
                value,
                gives_old,
                pair: lvalue.ty.is_pair(),
                at,
            },
            ty,
        })
    }

    /// `v op= value` of a vector.
    fn vector_update(
        &mut self,
        lvalue: Lvalue,
        op: BinaryOp,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let (mut before, place) = self.settled(lvalue.place)?;
        let right = self.kept_operand(right, &mut before)?;
        let old = Typed {
            node: Node::Visit(Box::new(place.clone())),
            ty: Rvalue::Record((*lvalue.ty).clone(), Box::new(place.clone())),
        };
        let Rvalue::Record(ty, from) = self.binary(op, old, right)?.ty else {
            return Err(self.mistake("a vector assigned from something else"));
        };
        if ty != *lvalue.ty {
            return Err(self.mistake("a vector assigned from another type"));
        }
        let at = self.at();
        let copy = Node::Copy {
            to: Box::new(place),
            from,
            cells: self.cells(&ty)?,
            initial: false,
            at,
        };
        let node = Node::Comma {
            left: Box::new(Node::Together { stores: before, at }),
            right: Box::new(copy),
        };
        Ok(Typed {
            node,
            ty: Rvalue::Void,
        })
    }
}
