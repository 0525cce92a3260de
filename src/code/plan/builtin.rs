//! Planning of builtin functions.

use super::super::builtin::{Builtin, MemoryOp};
use super::super::ctype::Type;
use super::super::expr::{Expr, MemoryCall};
use super::super::op::BinaryOp;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{CountOp, Cut, Form, Node, Unary};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};
use std::sync::Arc;

impl Builtin {
    /// The operator, if it is one on bits.
    pub(in super::super) fn unary(self, bits: u32) -> Option<Unary> {
        Some(match self {
            Builtin::Clz(_) => Unary::Count(CountOp::LeadingZeros, bits),
            Builtin::Ctz(_) => Unary::Count(CountOp::TrailingZeros, bits),
            Builtin::Popcount(_) => Unary::Count(CountOp::Ones, bits),
            Builtin::Parity(_) => Unary::Count(CountOp::Parity, bits),
            Builtin::Ffs(_) => Unary::Count(CountOp::FirstOne, bits),
            Builtin::Clrsb(_) => Unary::Count(CountOp::SignCopies, bits),
            Builtin::Bswap16 | Builtin::Bswap32 | Builtin::Bswap64 => Unary::SwapBytes(bits),
            _ => return None,
        })
    }
}

impl Planner<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[Expr]) -> Result<Typed, Mistake> {
        if let (Some((param, result)), [arg]) = (builtin.signature(), args) {
            let typed = self.child(0, arg)?;
            let value = Box::new(self.convert(typed, param)?);
            let target = self.types.target;
            let op = match builtin.unary(param.bits(target)) {
                Some(op) => op,
                None => Unary::Absolute(Form::of(param, target)),
            };
            let at = self.at();
            return Ok(Typed::int(Node::Unary { op, value, at }, result));
        }
        match (builtin, builtin.checked(), args) {
            (_, Some(op), [left, right, result]) => self.overflow(op, [left, right], result),
            (Builtin::Expect, _, [value, expected]) => {
                let typed = self.child(0, value)?;
                let value = self.convert(typed, IntKind::Long)?;
                let typed = self.child(1, expected)?;
                match self.convert(typed, IntKind::Long)? {
                    Node::Const(_) => Ok(Typed::int(value, IntKind::Long)),
                    _ => Err(self.mistake("an expected value that is not a constant")),
                }
            }
            (Builtin::Unreachable, _, []) => Ok(Typed {
                node: Node::Unreachable { at: self.at() },
                ty: Rvalue::Void,
            }),
            _ => Err(self.mistake("a call with the wrong number of arguments")),
        }
    }

    /// An operator on numbers of any types, whose result goes to an object of
    /// any type.
    fn overflow(
        &mut self,
        op: BinaryOp,
        operands: [&Expr; 2],
        result: &Expr,
    ) -> Result<Typed, Mistake> {
        let mut nodes = Vec::new();
        let mut unsigned = [false; 2];
        for (index, operand) in operands.into_iter().enumerate() {
            let typed = self.child(index as u32, operand)?;
            let Rvalue::Int(kind) = typed.ty else {
                return Err(self.mistake("an overflow of something other than an integer"));
            };
            unsigned[index] = Form::of(kind, self.types.target) == Form::U64;
            nodes.push(typed.node);
        }
        let pointer = self.child(2, result)?;
        let lvalue = self.followed(pointer)?;
        let Type::Int(kind) = *lvalue.ty else {
            return Err(self.mistake("an overflow into something other than an integer"));
        };
        if lvalue.constant || kind == IntKind::Bool {
            return Err(self.mistake("an overflow into something that cannot hold it"));
        }
        let operands = <[Node; 2]>::try_from(nodes).expect("two operands");
        let node = Node::Overflow {
            op,
            operands: Box::new(operands),
            unsigned,
            place: Box::new(lvalue.place),
            cut: Cut::to(kind, self.types.target),
            at: self.at(),
        };
        Ok(Typed::int(node, IntKind::Bool))
    }

    pub(super) fn memory(&mut self, call: &MemoryCall) -> Result<Typed, Mistake> {
        if call.op == MemoryOp::Copy
            && let Some(copy) = self.number_copy(call)?
        {
            return Ok(copy);
        }
        let cells = u64::from(self.cells(&call.of)?) * u64::from(call.count);
        let Ok(cells @ 1..) = u32::try_from(cells) else {
            return Err(self.mistake("an impossible number of elements"));
        };
        let compares = matches!(call.op, MemoryOp::Equal | MemoryOp::Less);
        match (&call.of, call.op) {
            (Type::Int(IntKind::Bool), MemoryOp::Equal | MemoryOp::Less) => {
                return Err(self.mistake("a comparison of bytes that may differ for one value"));
            }
            (Type::Int(_), MemoryOp::Equal) => {}
            (Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar), MemoryOp::Less) => {}
            (_, MemoryOp::Equal | MemoryOp::Less) => {
                return Err(self.mistake("a comparison of bytes that may differ for one value"));
            }
            _ => {}
        }
        let to = self.element_pointer(0, &call.to, &call.of, compares)?;
        let from = if call.op == MemoryOp::Set {
            let typed = self.child(1, &call.from)?;
            self.convert(typed, IntKind::UChar)?
        } else {
            self.element_pointer(1, &call.from, &call.of, true)?
        };
        let node = Node::Memory {
            op: call.op,
            operands: Box::new([to, from]),
            of: Arc::new(call.of.clone()),
            cells,
            at: self.at(),
        };
        let ty = if compares {
            Rvalue::Int(IntKind::Int)
        } else {
            Rvalue::Void
        };
        Ok(Typed { node, ty })
    }

    fn element_pointer(
        &mut self,
        child: u32,
        pointer: &Expr,
        of: &Type,
        may_constant: bool,
    ) -> Result<Node, Mistake> {
        let typed = self.child(child, pointer)?;
        match &typed.ty {
            Rvalue::Pointer(Type::Pointer {
                to,
                constant,
                volatile: false,
            }) if **to == *of && (may_constant || !constant) => Ok(typed.node),
            _ => Err(self.mistake("memory of another type")),
        }
    }
}
