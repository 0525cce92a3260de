//! Planning of vectors: an operator on vectors is one on each of their lanes.
//!
//! A vector is a value of several cells, like a struct. An operator evaluates its operands
//! to places, then stores lane after lane to a temporary, so that neither the interpreter
//! nor a domain has to know vectors.

use super::super::ctype::Type;
use super::super::expr::{Expr, VectorExpr};
use super::super::op::{BinaryOp, UnaryOp};
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::super::wide::WideKind;
use super::node::{Binary, Cut, Form, NOWHERE, Node, Place, Root, Slot, Unary, Width};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

/// A vector whose lanes can be read as often as one likes.
pub(super) struct Lanes {
    of: Type,
    len: u32,
    /// What is evaluated before the first lane is read.
    before: Vec<Node>,
    place: Place,
    /// Whether all lanes are one number.
    splat: bool,
}

impl Lanes {
    fn load(&self, lane: u32, planner: &Planner<'_>) -> Node {
        let mut place = self.place.clone();
        if !self.splat {
            place.cell += lane * stride(&self.of);
        }
        planner.loaded(&self.of, place, false)
    }

    fn typed(&self, lane: u32, planner: &Planner<'_>) -> Typed {
        let ty = match &self.of {
            Type::Float(kind) => Rvalue::Float(*kind),
            Type::Wide(kind) => Rvalue::Wide(*kind),
            other => Rvalue::Int(other.int_kind().unwrap_or(IntKind::Int)),
        };
        let node = self.load(lane, planner);
        Typed { node, ty }
    }
}

/// The cells of a lane.
fn stride(of: &Type) -> u32 {
    if of.is_pair() { 2 } else { 1 }
}

/// The vector type of a value.
pub(super) fn vector_type(typed: &Typed) -> Option<&Type> {
    match &typed.ty {
        Rvalue::Record(ty @ Type::Vector { .. }, _) => Some(ty),
        _ => None,
    }
}

impl Planner<'_> {
    fn lanes(&mut self, typed: Typed) -> Result<Lanes, Mistake> {
        let Rvalue::Record(Type::Vector { of, len }, place) = typed.ty else {
            return Err(self.mistake("something other than a vector"));
        };
        let (before, place) = self.settled(*place)?;
        Ok(Lanes {
            of: (*of).clone(),
            len,
            before,
            place,
            splat: false,
        })
    }

    /// The lanes copied, unless nothing else can change them.
    fn apart(&mut self, mut lanes: Lanes) -> Result<Lanes, Mistake> {
        if matches!(lanes.place.root, Root::Slot(Slot::Temporary(_))) {
            return Ok(lanes);
        }
        let copy = self.temporary(&Type::vector(lanes.of.clone(), lanes.len))?;
        let from = std::mem::replace(&mut lanes.place, copy.place());
        lanes.before.push(Node::Copy {
            to: Box::new(copy.place()),
            from: Box::new(from),
            cells: copy.cells,
            initial: true,
            at: self.at(),
        });
        Ok(lanes)
    }

    /// Two vectors that are evaluated in no particular order. Where finding one of them does
    /// something, the other is read at once, so that what it does to that shows.
    fn beside(&mut self, left: Lanes, right: Lanes) -> Result<(Lanes, Lanes), Mistake> {
        let (moves_left, moves_right) = (!left.before.is_empty(), !right.before.is_empty());
        let left = if moves_right { self.apart(left)? } else { left };
        let right = if moves_left {
            self.apart(right)?
        } else {
            right
        };
        Ok((left, right))
    }

    /// An operand beside a vector: one of the same type, or a number for all lanes.
    fn operand(&mut self, typed: Typed, ty: &Type) -> Result<Lanes, Mistake> {
        if vector_type(&typed) == Some(ty) {
            return self.lanes(typed);
        }
        let Type::Vector { of, len } = ty else {
            return Err(self.mistake("something other than a vector"));
        };
        let fits = match (&typed.ty, &**of) {
            (Rvalue::Int(kind), Type::Int(lane)) => kind == lane && kind.promoted() == *kind,
            (Rvalue::Float(kind), Type::Float(lane)) => kind == lane,
            (Rvalue::Wide(kind), Type::Wide(lane)) => kind == lane,
            _ => false,
        };
        if !fits {
            return Err(self.mistake("a vector and something of another type"));
        }
        let mut before = Vec::new();
        let kept = self.kept(typed.node, of, &mut before)?;
        let (Node::Load { place, .. } | Node::LoadPair { place, .. }) = kept else {
            unreachable!("what is kept is loaded")
        };
        Ok(Lanes {
            of: (**of).clone(),
            len: *len,
            before,
            place: *place,
            splat: true,
        })
    }

    /// A new vector of lanes that are computed from others.
    pub(super) fn gathered(
        &mut self,
        ty: &Type,
        before: Vec<Node>,
        lanes: Vec<Node>,
    ) -> Result<Typed, Mistake> {
        if ty.vector_bytes().is_none() {
            return Err(self.mistake("a vector that compilers do not have"));
        }
        let object = self.temporary(ty)?;
        let at = self.at();
        let each = object.cells / lanes.len().max(1) as u32;
        let stores = lanes.into_iter().enumerate().map(|(lane, value)| {
            let cell = lane as u32 * each;
            Node::Store {
                place: Box::new(Place {
                    cell,
                    ..object.place()
                }),
                value: Box::new(value),
                initial: true,
                at,
            }
        });
        let stores = stores.collect();
        let mut call = Node::Together { stores, at };
        if !before.is_empty() {
            let stores = before;
            let left = Box::new(Node::Together { stores, at });
            let right = Box::new(call);
            call = Node::Comma { left, right };
        }
        let place = Box::new(Place {
            root: Root::Result { call, object },
            ..object.place()
        });
        Ok(Typed {
            node: Node::Visit(place.clone()),
            ty: Rvalue::Record(ty.clone(), place),
        })
    }

    fn width(&self, of: &Type) -> Option<Width> {
        let (kind, target) = (of.int_kind()?, self.types.target);
        Some(Width {
            bits: kind.bits(target),
            signed: kind.signed(target),
        })
    }

    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        left: Typed,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let ty = vector_type(&left).or(vector_type(&right)).cloned();
        let ty = ty.ok_or_else(|| self.mistake("something other than a vector"))?;
        let (left, right) = (self.operand(left, &ty)?, self.operand(right, &ty)?);
        let (left, right) = self.beside(left, right)?;
        let mut results = Vec::new();
        for lane in 0..left.len {
            let result = match self.width(&left.of) {
                Some(width) => Node::Binary {
                    op: Binary::Exact(op, width),
                    operands: Box::new([left.load(lane, self), right.load(lane, self)]),
                    at: self.at(),
                },
                None => {
                    let pair = [left.typed(lane, self), right.typed(lane, self)];
                    let [left, right] = pair;
                    self.binary(op, left, right)?.node
                }
            };
            results.push(if op.is_comparison() && left.of.is_pair() {
                let truth = Typed::int(result, IntKind::Int);
                let truth = self.to_wide(truth, WideKind::Int128)?;
                self.wide_unary(UnaryOp::Minus, truth, WideKind::Int128)?
                    .node
            } else if op.is_comparison() {
                // All bits of a lane say what holds in it.
                Node::Unary {
                    op: Unary::Negate(Form::I32),
                    value: Box::new(result),
                    at: NOWHERE,
                }
            } else {
                result
            });
        }
        let ty = match ty.compared() {
            Some(compared) if op.is_comparison() => compared,
            _ => ty,
        };
        let mut before = left.before;
        before.extend(right.before);
        self.gathered(&ty, before, results)
    }

    pub(super) fn vector_unary(&mut self, op: UnaryOp, value: Typed) -> Result<Typed, Mistake> {
        let ty = vector_type(&value).cloned();
        let ty = ty.ok_or_else(|| self.mistake("something other than a vector"))?;
        let value = self.lanes(value)?;
        let width = self.width(&value.of);
        let mut results = Vec::new();
        for lane in 0..value.len {
            let operand = value.load(lane, self);
            results.push(match (op, width, &value.of) {
                (UnaryOp::Plus, ..) => operand,
                (UnaryOp::Minus, None, Type::Float(kind)) => {
                    self.float_unary(op, operand, *kind)?.node
                }
                (_, None, Type::Wide(kind)) => self.wide_unary(op, operand, *kind)?.node,
                (UnaryOp::Minus, Some(width), _) => Node::Binary {
                    op: Binary::Exact(BinaryOp::Sub, width),
                    operands: Box::new([Node::Const(0), operand]),
                    at: self.at(),
                },
                (UnaryOp::Complement, Some(width), _) => Node::Binary {
                    op: Binary::Exact(BinaryOp::BitXor, width),
                    operands: Box::new([Node::Const(width.ones()), operand]),
                    at: self.at(),
                },
                _ => return Err(self.mistake("an operator that does not apply to vectors")),
            });
        }
        self.gathered(&ty, value.before, results)
    }

    /// A vector's bytes as another vector.
    pub(super) fn vector_cast(&mut self, value: Typed, to: &Type) -> Result<Typed, Mistake> {
        let from_bytes = vector_type(&value).and_then(Type::vector_bytes);
        if from_bytes.is_none() || from_bytes != to.vector_bytes() {
            return Err(self.mistake("a cast between vectors of different sizes"));
        }
        let value = self.lanes(value)?;
        let Type::Vector { of, len } = to else {
            return Err(self.mistake("something other than a vector"));
        };
        let bytes = from_bytes.unwrap_or(0);
        let (from, into) = (8 * bytes / value.len, 8 * bytes / len);
        // A lane of 128 bits is two of 64.
        let halved = |bits: u32| bits.min(64);
        let (wide_from, wide_into) = (from > 64, into > 64);
        let (from, into) = (halved(from), halved(into));
        let word = |lane: u32| {
            let unsigned = |lane: u32| {
                if wide_from {
                    return self.half(value.load(lane / 2, self), lane as usize % 2);
                }
                let cut = Cut::Wrap {
                    bits: from,
                    signed: false,
                };
                Node::convert(cut, value.load(lane, self))
            };
            if into <= from {
                let each = from / into;
                shifted(BinaryOp::Shr, unsigned(lane / each), lane % each * into)
            } else {
                let each = into / from;
                let parts = (0..each)
                    .map(|part| shifted(BinaryOp::Shl, unsigned(lane * each + part), part * from));
                parts.reduce(either).unwrap_or(Node::Const(0))
            }
        };
        let results = (0..*len).map(|lane| {
            if wide_into {
                return Ok(self.of_halves(word(2 * lane), word(2 * lane + 1)));
            }
            self.of_bits(word(lane), of, into)
        });
        let results: Result<Vec<Node>, Mistake> = results.collect();
        self.gathered(to, value.before, results?)
    }

    /// The number of a type that has these bits.
    pub(super) fn of_bits(&self, node: Node, of: &Type, bits: u32) -> Result<Node, Mistake> {
        match of {
            // Not every pattern is a finite number.
            Type::Float(kind) => self.finite(node, *kind, bits),
            _ => {
                let signed = self.width(of).is_some_and(|width| width.signed);
                Ok(Node::convert(Cut::Wrap { bits, signed }, node))
            }
        }
    }

    pub(super) fn vector(&mut self, vector: &VectorExpr) -> Result<Typed, Mistake> {
        match vector {
            VectorExpr::Literal { ty, lanes } => {
                let Type::Vector { of, len } = ty else {
                    return Err(self.mistake("something other than a vector"));
                };
                if lanes.len() != *len as usize {
                    return Err(self.mistake("a vector with another number of lanes"));
                }
                let lanes = lanes.iter().enumerate().map(|(child, lane)| {
                    let typed = self.child(child as u32, lane)?;
                    self.assignable(typed, of, None)
                });
                let lanes: Result<Vec<Node>, Mistake> = lanes.collect();
                self.gathered(ty, Vec::new(), lanes?)
            }
            VectorExpr::Shuffle { operands, lanes } => self.shuffle(operands, lanes),
            VectorExpr::Convert { to, value } => self.converted(value, to),
        }
    }

    fn shuffle(
        &mut self,
        [left, right]: &[std::sync::Arc<Expr>; 2],
        lanes: &[u32],
    ) -> Result<Typed, Mistake> {
        let (left, right) = (self.child(0, left)?, self.child(1, right)?);
        if vector_type(&left) != vector_type(&right) {
            return Err(self.mistake("a shuffle of vectors of different types"));
        }
        let (left, right) = (self.lanes(left)?, self.lanes(right)?);
        let (left, right) = self.beside(left, right)?;
        if lanes.iter().any(|lane| *lane >= 2 * left.len) {
            return Err(self.mistake("a shuffle of a lane that does not exist"));
        }
        let results = lanes.iter().map(|lane| match lane.checked_sub(left.len) {
            None => left.load(*lane, self),
            Some(lane) => right.load(lane, self),
        });
        let results = results.collect();
        let ty = Type::vector(left.of, lanes.len() as u32);
        let mut before = left.before;
        before.extend(right.before);
        self.gathered(&ty, before, results)
    }

    fn converted(&mut self, value: &Expr, to: &Type) -> Result<Typed, Mistake> {
        let typed = self.child(0, value)?;
        let value = self.lanes(typed)?;
        let Type::Vector { of, len } = to else {
            return Err(self.mistake("something other than a vector"));
        };
        if *len != value.len {
            return Err(self.mistake("a conversion to another number of lanes"));
        }
        let mut results = Vec::new();
        for lane in 0..*len {
            let typed = value.typed(lane, self);
            results.push(self.assignable(typed, of, None)?);
        }
        self.gathered(to, value.before, results)
    }
}

/// Bits moved by a constant.
pub(super) fn shifted(op: BinaryOp, node: Node, by: u32) -> Node {
    if by == 0 {
        return node;
    }
    Node::Binary {
        op: Binary::Shift {
            op,
            form: Form::U64,
            count: Form::I32,
        },
        operands: Box::new([node, Node::Const(by.into())]),
        at: NOWHERE,
    }
}

/// The ones of both.
pub(super) fn either(left: Node, right: Node) -> Node {
    Node::Binary {
        op: Binary::Arith(BinaryOp::BitOr, Form::U64),
        operands: Box::new([left, right]),
        at: NOWHERE,
    }
}
