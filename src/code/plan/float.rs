//! Planning of floating-point numbers: their operators and conversions.

use super::super::op::{BinaryOp, UnaryOp};
use super::super::real::{Precision, Real};
use super::super::scalar::FloatKind;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{Binary, Cut, FloatUnary, Form, NOWHERE, Node, Unary};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

impl Planner<'_> {
    /// A constant.
    pub(super) fn real(&self, real: Real) -> Result<Typed, Mistake> {
        if real.number().is_none() {
            return Err(self.mistake("a constant that is no number of its type"));
        }
        let (node, ty) = (Node::Const(real.carrier()), Rvalue::Float(real.kind()));
        Ok(Typed { node, ty })
    }

    fn precision(&self, kind: FloatKind) -> Result<Precision, Mistake> {
        kind.precision()
            .ok_or_else(|| self.mistake("a floating-point type that is not known"))
    }

    fn on_float(&self, op: FloatUnary, value: Node) -> Node {
        Node::Unary {
            op: Unary::Float(op),
            value: Box::new(value),
            at: self.at(),
        }
    }

    /// The number that has these bits, which must be finite.
    pub(super) fn finite(&self, node: Node, kind: FloatKind, bits: u32) -> Result<Node, Mistake> {
        let precision = self.precision(kind)?;
        let cut = Cut::Wrap {
            bits,
            signed: false,
        };
        let change = FloatUnary::Change {
            from: precision,
            to: precision,
        };
        Ok(self.on_float(change, Node::convert(cut, node)))
    }

    pub(super) fn float_unary(
        &mut self,
        op: UnaryOp,
        node: Node,
        kind: FloatKind,
    ) -> Result<Typed, Mistake> {
        let ty = Rvalue::Float(kind);
        match op {
            UnaryOp::Plus => Ok(Typed { node, ty }),
            UnaryOp::Minus => {
                let op = FloatUnary::Negate(self.precision(kind)?);
                let node = self.on_float(op, node);
                Ok(Typed { node, ty })
            }
            UnaryOp::Complement | UnaryOp::Not => {
                Err(self.mistake("an operator that does not apply to floating-point numbers"))
            }
        }
    }

    /// 0, or anything else.
    pub(super) fn float_truth(&self, node: Node, kind: FloatKind) -> Result<Node, Mistake> {
        let op = Unary::Float(FloatUnary::Truth(self.precision(kind)?));
        let (value, at) = (Box::new(node), NOWHERE);
        Ok(Node::Unary { op, value, at })
    }

    pub(super) fn to_int(
        &self,
        typed: Typed,
        from: FloatKind,
        kind: IntKind,
    ) -> Result<Node, Mistake> {
        if kind == IntKind::Bool {
            return self.float_truth(typed.node, from);
        }
        let target = self.types.target;
        let op = FloatUnary::ToInt {
            from: self.precision(from)?,
            bits: kind.bits(target),
            signed: kind.signed(target),
        };
        Ok(self.on_float(op, typed.node))
    }

    /// A number converted to a floating-point type, by cast, assignment or
    /// operator.
    pub(super) fn to_float(&self, typed: Typed, kind: FloatKind) -> Result<Node, Mistake> {
        let to = self.precision(kind)?;
        match typed.ty {
            Rvalue::Float(from) if from == kind => Ok(typed.node),
            Rvalue::Float(from) => {
                let from = self.precision(from)?;
                Ok(self.on_float(FloatUnary::Change { from, to }, typed.node))
            }
            Rvalue::Int(from) | Rvalue::Enum(from) | Rvalue::Bits { kind: from, .. } => {
                let unsigned = Form::of(from, self.types.target) == Form::U64;
                Ok(match typed.node {
                    Node::Const(carrier) => Node::Const(to.of_int(carrier, unsigned)),
                    node => self.on_float(FloatUnary::OfInt { unsigned, to }, node),
                })
            }
            Rvalue::Wide(from) => Ok(self.wide_to_float(typed.node, from, to)),
            _ => Err(self.mistake("a floating-point number of something that is none")),
        }
    }

    /// Two operands brought to their common type, of which one at least is a
    /// floating-point number.
    pub(super) fn float_operands(
        &mut self,
        left: Typed,
        right: Typed,
    ) -> Result<([Node; 2], FloatKind), Mistake> {
        let kind = match (&left.ty, &right.ty) {
            // The kinds are in the order of their precision.
            (Rvalue::Float(left), Rvalue::Float(right)) => *left.max(right),
            (Rvalue::Float(kind), _) | (_, Rvalue::Float(kind)) => *kind,
            _ => return Err(self.mistake("floating-point arithmetic with something else")),
        };
        let operands = [self.to_float(left, kind)?, self.to_float(right, kind)?];
        Ok((operands, kind))
    }

    pub(super) fn float_binary(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let computes = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div
        );
        if !computes && !op.is_comparison() {
            return Err(self.mistake("an operator that does not apply to floating-point numbers"));
        }
        let (operands, kind) = self.float_operands(left, right)?;
        let node = Node::Binary {
            op: Binary::Float(op, self.precision(kind)?),
            operands: Box::new(operands),
            at: self.at(),
        };
        let ty = if computes {
            Rvalue::Float(kind)
        } else {
            Rvalue::Int(IntKind::Int)
        };
        Ok(Typed { node, ty })
    }
}
