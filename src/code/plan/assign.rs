//! Planning of assignments in all their forms.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::op::BinaryOp;
use super::super::trouble::Mistake;
use super::node::Node;
use super::place::Lvalue;
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
        if !lvalue.ty.is_computable() && !matches!(&*lvalue.ty, Type::Record(_)) {
            return Err(self.mistake("an assignment to an object that cannot be assigned"));
        }
        Ok(lvalue)
    }

    pub(super) fn assign(&mut self, target: &Expr, value: &Expr) -> Result<Typed, Mistake> {
        let lvalue = self.written(target)?;
        let value = self.child(1, value)?;
        if let Type::Record(_) = &*lvalue.ty {
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
                at,
            },
            ty,
        })
    }
}
