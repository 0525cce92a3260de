//! Planning of lvalues.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::table::ObjectId;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{Binary, Form, Move, Node, Place, Root, Slot, Subscript};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};
use std::sync::Arc;

/// A place and the type of what lies there.
#[derive(Debug)]
pub(super) struct Lvalue {
    pub(super) place: Place,
    pub(super) ty: Arc<Type>,
    pub(super) bits: Option<u32>,
    pub(super) constant: bool,
    pub(super) volatile: bool,
    pub(super) view: CellView,
}

/// What the cells of an lvalue are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellView {
    /// Scalars.
    Cells,
    /// The lane of a vector, which has no address.
    Lane,
    /// Bytes: it lies in a union.
    Bytes,
}

impl Lvalue {
    /// The type of the value an assignment to the place gives.
    pub(super) fn assigned(&self) -> Rvalue {
        self.rvalue(false)
    }

    fn rvalue(&self, direct: bool) -> Rvalue {
        match (&*self.ty, self.bits) {
            (Type::Int(kind) | Type::Enum { kind, .. }, Some(width)) => Rvalue::Bits {
                kind: *kind,
                width,
                direct,
            },
            (Type::Int(kind), None) => Rvalue::Int(*kind),
            (Type::Enum { kind, .. }, None) => Rvalue::Enum(*kind),
            (Type::Wide(kind), _) => Rvalue::Wide(*kind),
            (Type::Float(kind), _) => Rvalue::Float(*kind),
            (other, _) => Rvalue::Pointer(other.clone()),
        }
    }
}

impl Planner<'_> {
    /// Whether a tree is an lvalue by its form.
    pub(super) fn is_lvalue(expr: &Expr) -> bool {
        matches!(
            expr,
            Expr::Var(_) | Expr::Field { .. } | Expr::Index { .. } | Expr::Deref(_)
        )
    }

    pub(super) fn lvalue(&mut self, expr: &Expr) -> Result<Lvalue, Mistake> {
        match expr {
            Expr::Var(var) => {
                let known = self.resolve(var)?;
                let place = Place {
                    root: Root::Slot(known.slot),
                    cell: 0,
                    indices: Vec::new(),
                };
                let ty = Arc::new(var.ty.clone());
                Ok(Lvalue {
                    place,
                    ty,
                    bits: None,
                    constant: known.constant,
                    volatile: known.volatile,
                    view: CellView::Cells,
                })
            }
            Expr::Field { base, name } => {
                if !Self::is_lvalue(base)
                    && !matches!(**base, Expr::Call { .. } | Expr::CallPointer { .. })
                {
                    return Err(self.mistake("a member of something other than an object"));
                }
                let mut lvalue = self.inside(0, |planner| planner.lvalue(base))?;
                let Type::Record(record) = &*lvalue.ty else {
                    return Err(self.mistake("a member of something other than a struct"));
                };
                let is_union = self.types.is_union(record);
                if is_union && self.types.union_bytes(record).is_none() {
                    return Err(self.mistake("a union whose bytes C does not all specify"));
                }
                if is_union {
                    lvalue.view = CellView::Bytes;
                }
                let member = match lvalue.view {
                    CellView::Bytes => self.types.member_bytes(record, name),
                    _ => self.types.member(record, name),
                };
                let Some(member) = member else {
                    return Err(self.mistake("an unknown struct or member"));
                };
                lvalue.place.skip(member.cell);
                lvalue.ty = member.ty;
                lvalue.bits = self.checked_bits(&lvalue.ty, member.bits)?;
                lvalue.constant |= member.constant;
                Ok(lvalue)
            }
            Expr::Index { base, index } => self.subscript(base, index),
            Expr::Deref(pointer) => {
                let typed = self.inside(0, |planner| planner.value(pointer))?;
                self.followed(typed)
            }
            Expr::Call { .. } | Expr::CallPointer { .. } => match self.value(expr)?.ty {
                Rvalue::Record(ty, place) => Ok(Lvalue {
                    place: *place,
                    ty: Arc::new(ty),
                    bits: None,
                    constant: true,
                    volatile: false,
                    view: CellView::Cells,
                }),
                _ => Err(self.mistake("something other than an object")),
            },
            _ => Err(self.mistake("something other than an object")),
        }
    }

    /// The place of a scalar.
    pub(in super::super) fn place(&mut self, expr: &Expr) -> Result<Place, Mistake> {
        let lvalue = self.lvalue(expr)?;
        let is_cell = lvalue.view != CellView::Bytes || *lvalue.ty == Type::Int(IntKind::UChar);
        if !lvalue.ty.is_computable() || !is_cell {
            return Err(self.mistake("an lvalue that is not a scalar"));
        }
        Ok(lvalue.place)
    }

    fn checked_bits(&self, ty: &Type, bits: Option<u32>) -> Result<Option<u32>, Mistake> {
        let Some(width) = bits else { return Ok(None) };
        match ty.int_kind() {
            Some(kind) if (1..=kind.bits(self.types.target)).contains(&width) => Ok(bits),
            _ => Err(self.mistake("a bit-field of an impossible width")),
        }
    }

    fn subscript(&mut self, base: &Expr, index: &Expr) -> Result<Lvalue, Mistake> {
        let by = self.inside(1, |planner| {
            let typed = planner.value(index)?;
            planner.promote(typed)
        })?;
        if Self::is_lvalue(base) {
            let mut lvalue = self.inside(0, |planner| planner.lvalue(base))?;
            let elements = match &*lvalue.ty {
                Type::Array { .. } if lvalue.place.is_result() => {
                    return Err(self.mistake("an array that is not an object"));
                }
                Type::Array { of, len } => Some((of.clone(), *len, lvalue.view)),
                Type::Vector { of, len } => {
                    let view = match lvalue.view {
                        CellView::Bytes => CellView::Bytes,
                        CellView::Cells | CellView::Lane => CellView::Lane,
                    };
                    Some((of.clone(), u64::from(*len), view))
                }
                _ => None,
            };
            if let Some((of, len, view)) = elements {
                let stride = self.stride(&of, view)?;
                match by.0 {
                    Node::Const(constant)
                        if (0..len as i64).contains(&constant) && len <= i64::MAX as u64 =>
                    {
                        lvalue.place.skip(constant as u32 * stride);
                    }
                    node => {
                        let at = self.at();
                        let index = Subscript {
                            index: node,
                            len,
                            stride,
                            at,
                        };
                        lvalue.place.indices.push(index);
                    }
                }
                (lvalue.ty, lvalue.view) = (of, view);
                return Ok(lvalue);
            }
        }
        let pointer = self.inside(0, |planner| planner.value(base))?;
        let moved = self.moved(pointer, by, false, true)?;
        self.followed(moved)
    }

    /// What a pointer points to.
    pub(super) fn followed(&mut self, typed: Typed) -> Result<Lvalue, Mistake> {
        let Rvalue::Pointer(Type::Pointer {
            to,
            constant,
            volatile,
        }) = typed.ty
        else {
            return Err(self.mistake("a dereference of something other than a pointer"));
        };
        if volatile {
            return Err(self.mistake("an access to a volatile object"));
        }
        self.cells(&to)?;
        // `*&x` is `x`, whatever `x` is.
        if let Node::Address { place, .. } = typed.node {
            return Ok(Lvalue {
                place: *place,
                ty: to,
                bits: None,
                constant,
                volatile,
                view: CellView::Cells,
            });
        }
        let root = Root::Pointer {
            pointer: typed.node,
            to: to.clone(),
            at: self.at(),
        };
        let place = Place {
            root,
            cell: 0,
            indices: Vec::new(),
        };
        Ok(Lvalue {
            place,
            ty: to,
            bits: None,
            constant,
            volatile,
            view: CellView::Cells,
        })
    }

    /// A pointer moved by a promoted number of elements.
    pub(super) fn moved(
        &mut self,
        pointer: Typed,
        (by, kind): (Node, IntKind),
        backwards: bool,
        followed: bool,
    ) -> Result<Typed, Mistake> {
        let Rvalue::Pointer(ty @ Type::Pointer { .. }) = pointer.ty else {
            return Err(self.mistake("a subscript of something other than an array or pointer"));
        };
        let Type::Pointer { to, .. } = &ty else {
            unreachable!("matched above")
        };
        self.cells(to)?;
        let node = Node::Binary {
            op: Binary::MovePointer(Move {
                form: Form::of(kind, self.types.target),
                backwards,
                to: to.clone(),
                followed,
            }),
            operands: Box::new([pointer.node, by]),
            at: self.at(),
        };
        Ok(Typed {
            node,
            ty: Rvalue::Pointer(ty),
        })
    }

    /// The value of an lvalue: read, decayed, or kept as a place.
    pub(super) fn read(&mut self, lvalue: Lvalue) -> Result<Typed, Mistake> {
        if lvalue.view == CellView::Bytes {
            return match &*lvalue.ty {
                Type::Array { of, .. } if **of == Type::Int(IntKind::UChar) => {
                    let of = of.clone();
                    Ok(self.address_of(lvalue, of))
                }
                _ => self.read_bytes(lvalue),
            };
        }
        match &*lvalue.ty {
            Type::Array { .. } if lvalue.place.is_result() => {
                Err(self.mistake("an array that is not an object"))
            }
            Type::Array { of, .. } => {
                let of = of.clone();
                Ok(self.address_of(lvalue, of))
            }
            Type::Record(_) | Type::Vector { .. } => {
                let ty = (*lvalue.ty).clone();
                let place = Box::new(lvalue.place);
                Ok(Typed {
                    node: Node::Visit(place.clone()),
                    ty: Rvalue::Record(ty, place),
                })
            }
            Type::Void | Type::Function(_) | Type::Opaque(_) => {
                Err(self.mistake("a read of an opaque object"))
            }
            Type::Float(kind) if kind.precision().is_none() => {
                Err(self.mistake("a read of a floating-point type that is not known"))
            }
            Type::Wide(kind) if !kind.exists() => {
                Err(self.mistake("an integer type of an impossible width"))
            }
            Type::Int(_)
            | Type::Enum { .. }
            | Type::Wide(_)
            | Type::Float(_)
            | Type::Pointer { .. } => {
                let ty = lvalue.rvalue(true);
                let node = self.loaded(&lvalue.ty, lvalue.place, lvalue.volatile);
                Ok(Typed { node, ty })
            }
        }
    }

    /// A pointer to what starts at a place.
    pub(super) fn address_of(&mut self, lvalue: Lvalue, to: Arc<Type>) -> Typed {
        self.taken(&lvalue.place);
        let ty = Type::Pointer {
            to,
            constant: lvalue.constant,
            volatile: lvalue.volatile,
        };
        let node = Node::Address {
            place: Box::new(lvalue.place),
            at: self.at(),
        };
        Typed {
            node,
            ty: Rvalue::Pointer(ty),
        }
    }

    pub(super) fn cells(&self, ty: &Type) -> Result<u32, Mistake> {
        self.types
            .cells(ty)
            .ok_or_else(|| self.mistake("an object of incomplete type"))
    }
}

impl Place {
    /// The object and cell, if neither depends on values.
    pub(in super::super) fn fixed(&self) -> Option<(ObjectId, u32)> {
        match self.root {
            Root::Slot(Slot::Table(object)) if self.indices.is_empty() => Some((object, self.cell)),
            _ => None,
        }
    }

    /// Whether it lies in what a call gives.
    pub(super) fn is_result(&self) -> bool {
        matches!(self.root, Root::Result { .. })
    }

    fn skip(&mut self, cells: u32) {
        self.cell += cells;
    }
}
