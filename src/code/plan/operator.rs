//! Planning of operators: promotions, common types, and pointers as operands.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::op::{BinaryOp, LogicalOp, UnaryOp};
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{Binary, Cut, Form, NOWHERE, Node, Place, Root, Unary};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};
use super::vector::vector_type;
use super::wide::is_wide;

fn is_float(typed: &Typed) -> bool {
    matches!(typed.ty, Rvalue::Float(_))
}

impl Planner<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: &Expr) -> Result<Typed, Mistake> {
        if op == UnaryOp::Not {
            let value = Box::new(self.condition(0, value)?);
            let (op, at) = (Unary::Not, NOWHERE);
            return Ok(Typed::int(Node::Unary { op, value, at }, IntKind::Int));
        }
        let typed = self.child(0, value)?;
        if let Rvalue::Float(kind) = typed.ty {
            return self.float_unary(op, typed.node, kind);
        }
        if let Rvalue::Wide(kind) = typed.ty {
            return self.wide_unary(op, typed.node, kind);
        }
        if vector_type(&typed).is_some() {
            return self.vector_unary(op, typed);
        }
        let (node, kind) = self.inside(0, |planner| planner.promote(typed))?;
        let form = Form::of(kind, self.types.target);
        let (op, at) = match op {
            UnaryOp::Plus | UnaryOp::Not => return Ok(Typed::int(node, kind)),
            UnaryOp::Minus => (Unary::Negate(form), self.at()),
            UnaryOp::Complement => (Unary::Complement(form), NOWHERE),
        };
        let value = Box::new(node);
        Ok(Typed::int(Node::Unary { op, value, at }, kind))
    }

    /// `a && b` is `a ? (_Bool)b : 0`, and `a || b` is `a ? 1 : (_Bool)b`.
    pub(super) fn logical(
        &mut self,
        op: LogicalOp,
        left: &Expr,
        right: &Expr,
    ) -> Result<Typed, Mistake> {
        let condition = Box::new(self.condition(0, left)?);
        let right = Node::convert(Cut::Truth, self.condition(1, right)?);
        let (yes, no) = match op {
            LogicalOp::And => (right, Node::Const(0)),
            LogicalOp::Or => (Node::Const(1), right),
        };
        let (yes, no) = (Box::new(yes), Box::new(no));
        let node = Node::Choose { condition, yes, no };
        Ok(Typed::int(node, IntKind::Int))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let is_pointer = |typed: &Typed| matches!(typed.ty, Rvalue::Pointer(_));
        if vector_type(&left).is_some() || vector_type(&right).is_some() {
            return self.vector_binary(op, left, right);
        }
        if is_float(&left) || is_float(&right) {
            return self.float_binary(op, left, right);
        }
        match (is_pointer(&left), is_pointer(&right)) {
            (false, false) if is_wide(&left) || is_wide(&right) => {
                self.wide_binary(op, left, right)
            }
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
            _ => Err(self.mistake("an operator that does not apply to pointers")),
        }
    }

    fn same(&mut self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Mistake> {
        let pointee = |typed: &Typed| match &typed.ty {
            Rvalue::Pointer(Type::Pointer { to, .. }) => Some(to.clone()),
            _ => None,
        };
        let to = match (pointee(&left), pointee(&right)) {
            (Some(to), Some(other)) if to == other => to,
            _ => return Err(self.mistake("an operator that does not apply to these pointers")),
        };
        let (op, result) = match op {
            BinaryOp::Eq => (Binary::SamePointer { negated: false }, IntKind::Int),
            BinaryOp::Ne => (Binary::SamePointer { negated: true }, IntKind::Int),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.cells(&to)?;
                (Binary::OrderPointers(op, to), IntKind::Int)
            }
            BinaryOp::Sub => {
                self.cells(&to)?;
                (Binary::Distance(to), self.types.target.pointer_difference())
            }
            _ => return Err(self.mistake("an operator that does not apply to these pointers")),
        };
        let node = Node::Binary {
            op,
            operands: Box::new([left.node, right.node]),
            at: self.at(),
        };
        Ok(Typed::int(node, result))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Mistake> {
        let (left, right) = (self.promote(left)?, self.promote(right)?);
        let target = self.types.target;
        let at = self.at();
        if op.is_shift() {
            let (kind, count) = (left.1, Form::of(right.1, target));
            let form = Form::of(kind, target);
            let op = Binary::Shift { op, form, count };
            let operands = Box::new([left.0, right.0]);
            let node = Node::Binary { op, operands, at };
            return Ok(Typed::int(node, kind));
        }
        let kind = left.1.common(right.1, target);
        let form = Form::of(kind, target);
        let operands = Box::new([self.bring(left, kind), self.bring(right, kind)]);
        let (op, result) = if op.is_comparison() {
            (Binary::Compare(op, form), IntKind::Int)
        } else {
            (Binary::Arith(op, form), kind)
        };
        let node = Node::Binary { op, operands, at };
        Ok(Typed::int(node, result))
    }

    pub(super) fn choose(
        &mut self,
        condition: Box<Node>,
        yes: Typed,
        no: Typed,
    ) -> Result<Typed, Mistake> {
        let (yes, no, ty) = match (yes.ty.clone(), no.ty.clone()) {
            (Rvalue::Record(ty, yes), Rvalue::Record(other, no)) if ty == other => {
                return self.choose_record(condition, ty, [yes, no]);
            }
            (Rvalue::Float(_), _) | (_, Rvalue::Float(_)) => {
                let ([yes, no], kind) = self.float_operands(yes, no)?;
                (yes, no, Rvalue::Float(kind))
            }
            (
                Rvalue::Wide(_),
                Rvalue::Wide(_) | Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. },
            )
            | (Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. }, Rvalue::Wide(_)) => {
                let [yes, no] = self.wide_operands(yes, no)?;
                (yes.node, no.node, yes.ty)
            }
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
            _ => return Err(self.mistake("a conditional between incompatible types")),
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

    /// A struct or vector that is one of two.
    fn choose_record(
        &mut self,
        condition: Box<Node>,
        ty: Type,
        sides: [Box<Place>; 2],
    ) -> Result<Typed, Mistake> {
        let object = self.temporary(&ty)?;
        let at = self.at();
        let [yes, no] = sides.map(|from| {
            Box::new(Node::Copy {
                to: Box::new(object.place()),
                from,
                cells: object.cells,
                initial: true,
                at,
            })
        });
        let call = Node::Choose { condition, yes, no };
        let place = Box::new(Place {
            root: Root::Result { call, object },
            ..object.place()
        });
        Ok(Typed {
            node: Node::Visit(place.clone()),
            ty: Rvalue::Record(ty, place),
        })
    }
}
