//! Planning of objects as bytes: members of unions, and numbers that are copied to and
//! from arrays of bytes.
//!
//! A union's cells are its bytes. A number in it is read by putting its bytes together,
//! lowest first, and written byte by byte. All members have one size, and the structs among
//! them no padding, so that no byte ever holds what C does not specify.

use super::super::ctype::{Type, Types};
use super::super::expr::MemoryCall;
use super::super::op::BinaryOp;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{Binary, Cut, Form, Move, Node, Place};
use super::place::{CellView, Lvalue};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};
use super::vector::{either, shifted};
use std::sync::Arc;

/// The bytes of a number that has no bits but those of its value.
fn number_bytes(types: &Types, ty: &Type) -> Option<u32> {
    match ty {
        Type::Int(IntKind::Bool) => None,
        Type::Int(_) | Type::Wide(_) => types.bytes(ty),
        Type::Float(kind) if kind.precision().is_some() => types.bytes(ty),
        _ => None,
    }
}

impl Planner<'_> {
    /// The bytes of a number.
    fn bytes_of(&self, ty: &Type) -> Result<u32, Mistake> {
        number_bytes(self.types, ty)
            .ok_or_else(|| self.mistake("the bytes of something other than a number"))
    }

    /// The stride of elements in cells, or in bytes if that is what cells are.
    pub(super) fn stride(&self, of: &Type, view: CellView) -> Result<u32, Mistake> {
        match view {
            CellView::Cells | CellView::Lane => self.cells(of),
            CellView::Bytes => {
                let bytes = self.types.bytes(of);
                bytes.ok_or_else(|| self.mistake("the bytes of something other than numbers"))
            }
        }
    }

    fn byte(&self, place: &Place, number: u32) -> Node {
        let mut place = place.clone();
        place.cell += number;
        Node::Load {
            place: Box::new(place),
            volatile: false,
            at: self.at(),
        }
    }

    /// A number put together from its bytes, lowest first.
    fn assembled(&self, ty: &Type, byte: impl Fn(u32) -> Node) -> Result<Node, Mistake> {
        let bytes = self.bytes_of(ty)?;
        let word = |first: u32, bytes: u32| {
            let parts =
                (0..bytes).map(|number| shifted(BinaryOp::Shl, byte(first + number), 8 * number));
            parts.reduce(either).unwrap_or(Node::Const(0))
        };
        if ty.is_pair() {
            return Ok(self.of_halves(word(0, 8), word(8, 8)));
        }
        self.of_bits(word(0, bytes), ty, 8 * bytes)
    }

    /// The bytes of a number that can be read several times, lowest first.
    fn taken_apart(&self, ty: &Type, number: &Node) -> Result<Vec<Node>, Mistake> {
        let bytes = self.bytes_of(ty)?;
        let unsigned = |bits| Cut::Wrap {
            bits,
            signed: false,
        };
        let parts = (0..bytes).map(|byte| {
            let bits = if ty.is_pair() {
                self.half(number.clone(), byte as usize / 8)
            } else {
                Node::convert(unsigned(8 * bytes), number.clone())
            };
            Node::convert(unsigned(8), shifted(BinaryOp::Shr, bits, 8 * (byte % 8)))
        });
        Ok(parts.collect())
    }

    /// The value of a part of a union.
    pub(super) fn read_bytes(&mut self, lvalue: Lvalue) -> Result<Typed, Mistake> {
        let (before, place) = self.settled(lvalue.place)?;
        if let Type::Vector { of, len } = &*lvalue.ty {
            let each = self.bytes_of(of)?;
            let lanes = (0..*len)
                .map(|lane| self.assembled(of, |byte| self.byte(&place, lane * each + byte)));
            let lanes: Result<Vec<Node>, Mistake> = lanes.collect();
            return self.gathered(&lvalue.ty, before, lanes?);
        }
        let ty = match &*lvalue.ty {
            Type::Int(kind) => Rvalue::Int(*kind),
            Type::Wide(kind) => Rvalue::Wide(*kind),
            Type::Float(kind) => Rvalue::Float(*kind),
            _ => return Err(self.mistake("the bytes of something other than a number")),
        };
        let value = self.assembled(&lvalue.ty, |byte| self.byte(&place, byte))?;
        let node = self.after(before, value);
        Ok(Typed { node, ty })
    }

    /// Something that is evaluated after other things, if there are any.
    fn after(&self, before: Vec<Node>, node: Node) -> Node {
        if before.is_empty() {
            return node;
        }
        let (stores, at) = (before, self.at());
        Node::Comma {
            left: Box::new(Node::Together { stores, at }),
            right: Box::new(node),
        }
    }

    /// Stores of bytes one after the other, before something is given.
    fn byte_stores(&self, place: &Place, bytes: Vec<Node>, gives: Node) -> Node {
        let at = self.at();
        let stores = bytes.into_iter().enumerate().rev();
        stores.fold(gives, |rest, (number, value)| {
            let mut place = place.clone();
            place.cell += number as u32;
            let store = Node::Store {
                place: Box::new(place),
                value: Box::new(value),
                initial: false,
                at,
            };
            let (left, right) = (Box::new(store), Box::new(rest));
            Node::Comma { left, right }
        })
    }

    /// `part = value` of a union.
    pub(super) fn assign_bytes(&mut self, lvalue: Lvalue, value: Typed) -> Result<Typed, Mistake> {
        let (mut before, place) = self.settled(lvalue.place)?;
        if let (Type::Vector { of, .. }, Rvalue::Record(ty, from)) = (&*lvalue.ty, &value.ty) {
            if *ty != *lvalue.ty {
                return Err(self.mistake("a vector assigned from another type"));
            }
            let (more, from) = self.settled((**from).clone())?;
            before.extend(more);
            let mut bytes = Vec::new();
            let stride = self.cells(of)?;
            for lane in 0..self.cells(ty)? / stride {
                let mut place = from.clone();
                place.cell += lane * stride;
                bytes.extend(self.taken_apart(of, &self.loaded(of, place, false))?);
            }
            let stores = self.byte_stores(&place, bytes, Node::Const(0));
            let node = self.after(before, stores);
            let ty = Rvalue::Void;
            return Ok(Typed { node, ty });
        }
        let ty = match &*lvalue.ty {
            Type::Int(kind) => Rvalue::Int(*kind),
            Type::Wide(kind) => Rvalue::Wide(*kind),
            Type::Float(kind) => Rvalue::Float(*kind),
            _ => return Err(self.mistake("the bytes of something other than a number")),
        };
        let value = self.assignable(value, &lvalue.ty, None)?;
        let value = self.kept(value, &lvalue.ty, &mut before)?;
        let bytes = self.taken_apart(&lvalue.ty, &value)?;
        let stores = self.byte_stores(&place, bytes, value);
        let node = self.after(before, stores);
        Ok(Typed { node, ty })
    }

    /// `part op= value` of a union.
    pub(super) fn update_bytes(
        &mut self,
        lvalue: Lvalue,
        op: BinaryOp,
        right: Typed,
    ) -> Result<Typed, Mistake> {
        let (mut before, place) = self.settled(lvalue.place)?;
        let right = self.kept_operand(right, &mut before)?;
        let again = |place: Place| Lvalue {
            place,
            ty: lvalue.ty.clone(),
            ..lvalue
        };
        let old = self.read_bytes(again(place.clone()))?;
        let new = self.binary(op, old, right)?;
        let assigned = self.assign_bytes(again(place), new)?;
        let node = self.after(before, assigned.node);
        let ty = assigned.ty;
        Ok(Typed { node, ty })
    }

    /// `memcpy` of one number to or from bytes; `None` if that is not what the call is.
    pub(super) fn number_copy(&mut self, call: &MemoryCall) -> Result<Option<Typed>, Mistake> {
        const BYTE: Type = Type::Int(IntKind::UChar);
        let (to, from) = (self.child(0, &call.to)?, self.child(1, &call.from)?);
        let of_bytes = |typed: &Typed| {
            matches!(&typed.ty, Rvalue::Pointer(Type::Pointer { to, volatile: false, .. })
                if **to == BYTE)
        };
        if call.of == BYTE || of_bytes(&to) == of_bytes(&from) {
            return Ok(None);
        }
        if call.count != 1 {
            return Err(self.mistake("more than one number among bytes"));
        }
        let mut before = Vec::new();
        let is_packed = of_bytes(&to);
        let (bytes, number) = if is_packed { (to, from) } else { (from, to) };
        let Rvalue::Pointer(bytes_ty) = bytes.ty else {
            return Err(self.mistake("memory of another type"));
        };
        if is_packed && matches!(bytes_ty, Type::Pointer { constant: true, .. }) {
            return Err(self.mistake("an assignment to a const object"));
        }
        let pointer = self.kept(bytes.node, &BYTE.pointer(), &mut before)?;
        let byte = |planner: &mut Self, number: u32| {
            planner.followed(Typed {
                node: Node::Binary {
                    op: Binary::MovePointer(Move {
                        form: Form::I32,
                        backwards: false,
                        to: Arc::new(BYTE),
                        followed: true,
                    }),
                    operands: Box::new([pointer.clone(), Node::Const(number.into())]),
                    at: planner.at(),
                },
                ty: Rvalue::Pointer(bytes_ty.clone()),
            })
        };
        let lvalue = self.followed(number)?;
        if *lvalue.ty != call.of || lvalue.view != CellView::Cells {
            return Err(self.mistake("memory of another type"));
        }
        let count = self.bytes_of(&call.of)?;
        let places: Result<Vec<Place>, Mistake> = (0..count)
            .map(|number| Ok(byte(self, number)?.place))
            .collect();
        let places = places?;
        let (more, place) = self.settled(lvalue.place)?;
        before.extend(more);
        let node = if is_packed {
            let number = self.loaded(&call.of, place, false);
            let value = self.kept(number, &call.of, &mut before)?;
            // The number is read before its bytes are written.
            let parts = self.taken_apart(&call.of, &value)?;
            let stores = places.into_iter().zip(parts).rev();
            let at = self.at();
            stores.fold(Node::Const(0), |rest, (place, value)| Node::Comma {
                left: Box::new(Node::Store {
                    place: Box::new(place),
                    value: Box::new(value),
                    initial: false,
                    at,
                }),
                right: Box::new(rest),
            })
        } else {
            if lvalue.constant {
                return Err(self.mistake("an assignment to a const object"));
            }
            let value =
                self.assembled(&call.of, |number| self.byte(&places[number as usize], 0))?;
            Node::Store {
                place: Box::new(place),
                value: Box::new(value),
                initial: false,
                at: self.at(),
            }
        };
        let node = self.after(before, node);
        let ty = Rvalue::Void;
        Ok(Some(Typed { node, ty }))
    }
}
