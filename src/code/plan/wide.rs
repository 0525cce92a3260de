//! Planning of integers of up to 128 bits: their operators and conversions.
//!
//! `__int128` ranks above all integer types of C. A bit-precise type is not promoted; it
//! ranks by its width, below a type of C of the same width.

use super::super::ctype::Type;
use super::super::op::{BinaryOp, UnaryOp};
use super::super::real::Precision;
use super::super::trouble::Mistake;
use super::super::types::{IntKind, Target};
use super::super::wide::{WideKind, WideNumber, halves, wrap};
use super::node::{Binary, Cut, Form, NOWHERE, Node, Place, Unary, WideUnary, Width};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

/// The type of an operand of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberKind {
    /// A promoted type of C.
    Usual(IntKind),
    Wide(WideKind),
}

impl NumberKind {
    fn bits(self, target: Target) -> u32 {
        match self {
            NumberKind::Usual(kind) => kind.bits(target),
            NumberKind::Wide(kind) => kind.bits(),
        }
    }

    fn signed(self, target: Target) -> bool {
        match self {
            NumberKind::Usual(kind) => kind.signed(target),
            NumberKind::Wide(kind) => kind.signed(),
        }
    }

    fn to_unsigned(self) -> NumberKind {
        match self {
            NumberKind::Usual(kind) => NumberKind::Usual(kind.to_unsigned()),
            NumberKind::Wide(kind) => NumberKind::Wide(kind.to_unsigned()),
        }
    }

    /// The rank: by width, and of one width the types of C first.
    fn rank(self, target: Target) -> (u32, u32) {
        let among = match self {
            NumberKind::Usual(kind) => 1 + kind.rank(),
            NumberKind::Wide(WideKind::Int128 | WideKind::UInt128) => 1,
            NumberKind::Wide(_) => 0,
        };
        (self.bits(target), among)
    }

    /// The type that two operands are brought to (C23 6.3.1.8); `None` if compilers may
    /// disagree on it.
    fn common(self, other: NumberKind, target: Target) -> Option<NumberKind> {
        if let (NumberKind::Usual(one), NumberKind::Usual(two)) = (self, other) {
            return Some(NumberKind::Usual(one.common(two, target)));
        }
        if let (NumberKind::Wide(one), NumberKind::Wide(two)) = (self, other)
            && one.bits() == two.bits()
            && one.is_bit_precise() != two.is_bit_precise()
        {
            return None;
        }
        let (high, low) = if self.rank(target) >= other.rank(target) {
            (self, other)
        } else {
            (other, self)
        };
        let same_sign = high.signed(target) == low.signed(target);
        let has_room = high.bits(target) > low.bits(target);
        Some(if same_sign || !high.signed(target) || has_room {
            high
        } else {
            high.to_unsigned()
        })
    }
}

fn width(kind: WideKind) -> Width {
    Width {
        bits: kind.bits(),
        signed: kind.signed(),
    }
}

/// Whether a value is of such a type.
pub(super) fn is_wide(typed: &Typed) -> bool {
    matches!(typed.ty, Rvalue::Wide(_))
}

impl Planner<'_> {
    /// A constant.
    pub(super) fn wide(&self, wide: WideNumber) -> Result<Typed, Mistake> {
        if !wide.fits() {
            return Err(self.mistake("a constant outside the range of its type"));
        }
        let node = Node::Pair(halves(wide.bits()));
        let ty = Rvalue::Wide(wide.kind());
        Ok(Typed { node, ty })
    }

    /// Reads a scalar of a type, of one cell or of two.
    pub(super) fn loaded(&self, ty: &Type, place: Place, volatile: bool) -> Node {
        let (place, at) = (Box::new(place), self.at());
        if ty.is_pair() {
            Node::LoadPair {
                place,
                volatile,
                at,
            }
        } else {
            Node::Load {
                place,
                volatile,
                at,
            }
        }
    }

    fn on_wide(&self, op: WideUnary, value: Node) -> Node {
        Node::Unary {
            op: Unary::Wide(op),
            value: Box::new(value),
            at: self.at(),
        }
    }

    pub(super) fn wide_truth(&self, node: Node) -> Node {
        Node::Unary {
            op: Unary::Wide(WideUnary::Truth),
            value: Box::new(node),
            at: NOWHERE,
        }
    }

    /// Such a number converted to a usual integer type.
    pub(super) fn wide_to_int(&self, node: Node, kind: IntKind) -> Node {
        if kind == IntKind::Bool {
            return self.wide_truth(node);
        }
        let cut = Cut::to(kind, self.types.target);
        match node {
            Node::Pair([low, _]) => Node::Const(cut.apply(low)),
            node => self.on_wide(WideUnary::ToInt(cut), node),
        }
    }

    /// Such a number converted to a floating-point type.
    pub(super) fn wide_to_float(&self, node: Node, from: WideKind, to: Precision) -> Node {
        let signed = from.signed();
        self.on_wide(WideUnary::ToFloat { signed, to }, node)
    }

    /// A number converted to such a type, by cast, assignment or operator.
    pub(super) fn to_wide(&self, typed: Typed, kind: WideKind) -> Result<Node, Mistake> {
        if !kind.exists() {
            return Err(self.mistake("an integer type of an impossible width"));
        }
        let to = width(kind);
        match typed.ty {
            Rvalue::Wide(from) if from == kind => Ok(typed.node),
            Rvalue::Wide(_) => Ok(self.on_wide(WideUnary::Change(to), typed.node)),
            Rvalue::Int(from) | Rvalue::Enum(from) | Rvalue::Bits { kind: from, .. } => {
                let unsigned = Form::of(from, self.types.target) == Form::U64;
                Ok(match typed.node {
                    Node::Const(carrier) => {
                        let number = if unsigned {
                            i128::from(carrier as u64)
                        } else {
                            i128::from(carrier)
                        };
                        Node::Pair(halves(wrap(number, to.bits, to.signed)))
                    }
                    node => self.on_wide(WideUnary::OfInt { unsigned, to }, node),
                })
            }
            Rvalue::Float(from) => {
                let Some(from) = from.precision() else {
                    return Err(self.mistake("a floating-point type that is not known"));
                };
                Ok(self.on_wide(WideUnary::OfFloat { from, to }, typed.node))
            }
            _ => Err(self.mistake("a number of something that is none")),
        }
    }

    /// An operand with the type that arithmetic sees.
    fn number_operand(&self, typed: Typed) -> Result<(Typed, NumberKind), Mistake> {
        if let Rvalue::Wide(kind) = typed.ty {
            return Ok((typed, NumberKind::Wide(kind)));
        }
        let (node, kind) = self.promote(typed)?;
        Ok((Typed::int(node, kind), NumberKind::Usual(kind)))
    }

    pub(super) fn wide_unary(
        &mut self,
        op: UnaryOp,
        node: Node,
        kind: WideKind,
    ) -> Result<Typed, Mistake> {
        let op = match op {
            UnaryOp::Minus => WideUnary::Negate(width(kind)),
            UnaryOp::Complement => WideUnary::Complement(width(kind)),
            UnaryOp::Plus | UnaryOp::Not => {
                let ty = Rvalue::Wide(kind);
                return Ok(Typed { node, ty });
            }
        };
        let node = self.on_wide(op, node);
        let ty = Rvalue::Wide(kind);
        Ok(Typed { node, ty })
    }

    /// Two operands brought to their common type, of which one at least is wide.
    pub(super) fn wide_operands(
        &mut self,
        left: Typed,
        right: Typed,
    ) -> Result<[Typed; 2], Mistake> {
        let target = self.types.target;
        let (left, left_kind) = self.number_operand(left)?;
        let (right, right_kind) = self.number_operand(right)?;
        match left_kind.common(right_kind, target) {
            Some(NumberKind::Wide(kind)) => {
                let nodes = [self.to_wide(left, kind)?, self.to_wide(right, kind)?];
                let ty = || Rvalue::Wide(kind);
                Ok(nodes.map(|node| Typed { node, ty: ty() }))
            }
            // A bit-precise number beside a wider one of C.
            Some(NumberKind::Usual(kind)) => {
                let nodes = [self.convert(left, kind)?, self.convert(right, kind)?];
                Ok(nodes.map(|node| Typed::int(node, kind)))
            }
            None => Err(self.mistake("two types of 128 bits whose common type is not known")),
        }
    }

    pub(super) fn wide_binary(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        if op.is_shift() {
            return self.wide_shift(op, left, right);
        }
        let [left, right] = self.wide_operands(left, right)?;
        let Rvalue::Wide(kind) = left.ty else {
            return self.binary(op, left, right);
        };
        let (op, ty) = if op.is_comparison() {
            let op = Binary::WideCompare(op, kind.signed());
            (op, Rvalue::Int(IntKind::Int))
        } else {
            (Binary::Wide(op, width(kind)), Rvalue::Wide(kind))
        };
        let node = Node::Binary {
            op,
            operands: Box::new([left.node, right.node]),
            at: self.at(),
        };
        Ok(Typed { node, ty })
    }

    /// Operands of shifts are promoted each on its own.
    fn wide_shift(&mut self, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Mistake> {
        let (left, kind) = self.number_operand(left)?;
        let (right, count) = self.number_operand(right)?;
        let count = match count {
            NumberKind::Usual(_) => right,
            NumberKind::Wide(kind) => {
                let signed = kind.signed();
                let node = self.on_wide(WideUnary::Count { signed }, right.node);
                Typed::int(node, IntKind::LongLong)
            }
        };
        let NumberKind::Wide(kind) = kind else {
            return self.binary(op, left, count);
        };
        let unsigned = matches!(&count.ty, Rvalue::Int(kind)
            if Form::of(*kind, self.types.target) == Form::U64);
        // A count that looks negative as a carrier may be far too large.
        let counts = if unsigned {
            let to = Width {
                bits: 128,
                signed: false,
            };
            let wide = self.on_wide(WideUnary::OfInt { unsigned, to }, count.node);
            self.on_wide(WideUnary::Count { signed: false }, wide)
        } else {
            count.node
        };
        let node = Node::Binary {
            op: Binary::WideShift(op, width(kind)),
            operands: Box::new([left.node, counts]),
            at: self.at(),
        };
        let ty = Rvalue::Wide(kind);
        Ok(Typed { node, ty })
    }

    /// Half of the bits of a number.
    pub(super) fn half(&self, node: Node, half: usize) -> Node {
        self.on_wide(WideUnary::Half(half), node)
    }

    /// The number of two halves, the lower first.
    pub(super) fn of_halves(&self, low: Node, high: Node) -> Node {
        Node::Binary {
            op: Binary::Join,
            operands: Box::new([low, high]),
            at: NOWHERE,
        }
    }
}
