//! The types of values, and the conversions between them.
//!
//! Some types need care, because compilers differ. A bit-field of `int` or less
//! that is narrower than `int` promotes to `int` everywhere, one as wide as its
//! type to that type. But a `long f:40` keeps a 40-bit type of its own in gcc and
//! is a plain `long` in clang; a `long f:20` is an `int` to both and a `long` to
//! tcc; an unsigned bit-field that comes out of an assignment, a comma or `++` is
//! an `int` to some and `unsigned` to others; and an enum without negative values
//! is `unsigned` to gcc and clang, `int` to tcc and pcc. C leaves all of these
//! open. Such a value may be converted, stored or tested, but it is a mistake to
//! do arithmetic with it: a cast to the declared type says what is meant, and
//! [`Types::clear`](super::super::ctype::Types::clear) adds it.

use super::super::ctype::Type;
use super::super::scalar::FloatKind;
use super::super::trouble::Mistake;
use super::super::types::{IntKind, Target};
use super::super::wide::WideKind;
use super::node::{Cut, Node, Place, Unary};
use super::planner::Planner;

/// The type of a value.
#[derive(Clone, Debug)]
pub(in super::super) enum Rvalue {
    Void,
    Int(IntKind),
    /// A value of an enum, as the integers that gcc and clang take for it.
    Enum(IntKind),
    /// A bit-field's value; `direct` if nothing was done to it since it was read.
    Bits {
        kind: IntKind,
        width: u32,
        direct: bool,
    },
    /// An integer of up to 128 bits.
    Wide(WideKind),
    /// A floating-point value.
    Float(FloatKind),
    /// A pointer type.
    Pointer(Type),
    /// A struct, by its place.
    Record(Type, Box<Place>),
}

#[derive(Clone, Debug)]
pub(in super::super) struct Typed {
    pub(in super::super) node: Node,
    pub(in super::super) ty: Rvalue,
}

impl Typed {
    pub(super) fn int(node: Node, kind: IntKind) -> Typed {
        Typed {
            node,
            ty: Rvalue::Int(kind),
        }
    }
}

impl Rvalue {
    /// The type of a variable that could hold the value.
    pub(in super::super) fn to_type(&self) -> Type {
        match self {
            Rvalue::Void => Type::Void,
            Rvalue::Int(kind) | Rvalue::Enum(kind) | Rvalue::Bits { kind, .. } => Type::Int(*kind),
            Rvalue::Wide(kind) => Type::Wide(*kind),
            Rvalue::Float(kind) => Type::Float(*kind),
            Rvalue::Pointer(ty) | Rvalue::Record(ty, _) => ty.clone(),
        }
    }
}

/// The type a bit-field promotes to, where compilers agree.
fn promoted_bits(kind: IntKind, width: u32, direct: bool, target: Target) -> Option<IntKind> {
    // Compilers agree on the value of an assignment only if the bit-field is
    // signed, or as wide as a type of its own.
    let is_small = kind.rank() < IntKind::Int.rank();
    if width == kind.bits(target) && (direct || kind.signed(target) || !is_small) {
        return Some(kind.promoted());
    }
    let is_standard = kind.rank() <= IntKind::Int.rank();
    if width < 32 && is_standard && (direct || kind.signed(target)) {
        return Some(IntKind::Int);
    }
    None
}

/// Whether a conversion changes no value of its operand's type.
fn is_identity(from: &Rvalue, cut: Cut, target: Target) -> bool {
    let (from_bits, from_signed) = match from {
        Rvalue::Int(kind) | Rvalue::Enum(kind) => (kind.bits(target), kind.signed(target)),
        Rvalue::Bits { kind, width, .. } => (*width, kind.signed(target)),
        _ => return false,
    };
    match cut {
        Cut::Truth => from_bits == 1 && !from_signed,
        // A 64-bit carrier is the same bits whatever the sign.
        Cut::Wrap { bits: 64, .. } => true,
        Cut::Wrap { bits, signed } => {
            if from_signed == signed {
                from_bits <= bits
            } else {
                signed && from_bits < bits
            }
        }
    }
}

impl Planner<'_> {
    /// An operand of arithmetic with its promoted type. Promotion preserves
    /// values, so the carrier stays.
    pub(super) fn promote(&self, typed: Typed) -> Result<(Node, IntKind), Mistake> {
        match typed.ty {
            Rvalue::Int(kind) => Ok((typed.node, kind.promoted())),
            Rvalue::Enum(kind) if kind.promoted() == IntKind::Int => Ok((typed.node, IntKind::Int)),
            Rvalue::Enum(_) => {
                Err(self.mistake("an enum in arithmetic whose type compilers disagree on: cast it"))
            }
            Rvalue::Bits {
                kind,
                width,
                direct,
            } => match promoted_bits(kind, width, direct, self.types.target) {
                Some(promoted) => Ok((typed.node, promoted)),
                None => Err(self.mistake(
                    "a bit-field in arithmetic whose type compilers disagree on: cast it",
                )),
            },
            _ => Err(self.mistake("arithmetic with something other than a number")),
        }
    }

    /// A promoted operand brought to the common type.
    pub(super) fn bring(&self, (node, from): (Node, IntKind), to: IntKind) -> Node {
        self.cut(Typed::int(node, from), Cut::to(to, self.types.target))
            .node
    }

    fn cut(&self, typed: Typed, cut: Cut) -> Typed {
        if is_identity(&typed.ty, cut, self.types.target) {
            return typed;
        }
        let node = match typed.node {
            Node::Const(carrier) => Node::Const(cut.apply(carrier)),
            node => Node::convert(cut, node),
        };
        Typed { node, ty: typed.ty }
    }

    /// A number converted to an integer type, by cast or assignment.
    pub(super) fn convert(&mut self, typed: Typed, kind: IntKind) -> Result<Node, Mistake> {
        match typed.ty {
            Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. } => {
                Ok(self.cut(typed, Cut::to(kind, self.types.target)).node)
            }
            Rvalue::Wide(_) => Ok(self.wide_to_int(typed.node, kind)),
            Rvalue::Float(from) => self.to_int(typed, from, kind),
            Rvalue::Pointer(_) if kind == IntKind::Bool => self.truth(typed),
            Rvalue::Pointer(_) => Err(self.mistake("a conversion from a pointer to a number")),
            Rvalue::Void | Rvalue::Record(..) => {
                Err(self.mistake("a conversion to a number from something other than a scalar"))
            }
        }
    }

    /// A value converted as if by assignment to an object of the given type.
    pub(in super::super) fn assignable(
        &mut self,
        typed: Typed,
        to: &Type,
        bits: Option<u32>,
    ) -> Result<Node, Mistake> {
        if let Some(kind) = to.int_kind() {
            if bits.is_some() && matches!(typed.ty, Rvalue::Float(_)) {
                // Whether the value must fit the field or its type is not clear.
                return Err(self.mistake("a float assigned to a bit-field: cast it"));
            }
            let node = self.convert(typed, kind)?;
            return Ok(match bits {
                Some(width) if kind != IntKind::Bool => {
                    let signed = kind.signed(self.types.target);
                    self.cut(
                        Typed::int(node, kind),
                        Cut::Wrap {
                            bits: width,
                            signed,
                        },
                    )
                    .node
                }
                _ => node,
            });
        }
        if let Type::Wide(kind) = to {
            return self.to_wide(typed, *kind);
        }
        if let Type::Float(kind) = to {
            return self.to_float(typed, *kind);
        }
        match (&typed.ty, to) {
            (
                Rvalue::Pointer(Type::Pointer {
                    to: from,
                    constant,
                    volatile,
                }),
                Type::Pointer {
                    to: into,
                    constant: may_constant,
                    volatile: may_volatile,
                },
            ) => {
                if from != into {
                    return Err(self.mistake("a pointer to another type"));
                }
                if (*constant && !may_constant) || (*volatile && !may_volatile) {
                    return Err(self.mistake("a pointer that loses a qualifier"));
                }
                Ok(typed.node)
            }
            _ => Err(self.mistake("a value of an incompatible type")),
        }
    }

    /// A value as a condition: 0, or anything else.
    pub(in super::super) fn truth(&mut self, typed: Typed) -> Result<Node, Mistake> {
        match typed.ty {
            Rvalue::Int(_) | Rvalue::Enum(_) | Rvalue::Bits { .. } => Ok(typed.node),
            Rvalue::Wide(_) => Ok(self.wide_truth(typed.node)),
            Rvalue::Float(kind) => self.float_truth(typed.node, kind),
            Rvalue::Pointer(_) => Ok(Node::Unary {
                op: Unary::PointerTruth,
                value: Box::new(typed.node),
                at: self.at(),
            }),
            Rvalue::Void | Rvalue::Record(..) => {
                Err(self.mistake("a condition that is not a scalar"))
            }
        }
    }
}
