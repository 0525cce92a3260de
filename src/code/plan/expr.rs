//! Planning of expressions: C's typing rules, node by node.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::Node;
use super::place::CellView;
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

impl Planner<'_> {
    pub(super) fn child(&mut self, child: u32, expr: &Expr) -> Result<Typed, Mistake> {
        self.inside(child, |planner| planner.value(expr))
    }

    pub(super) fn condition(&mut self, child: u32, expr: &Expr) -> Result<Node, Mistake> {
        self.inside(child, |planner| {
            let typed = planner.value(expr)?;
            planner.truth(typed)
        })
    }

    /// Plans an expression for its value.
    pub(in super::super) fn value(&mut self, expr: &Expr) -> Result<Typed, Mistake> {
        match expr {
            Expr::Const(value) => {
                if !value.fits(self.types.target) {
                    return Err(self.mistake("a constant outside the range of its type"));
                }
                Ok(Typed::int(Node::Const(value.carrier()), value.kind()))
            }
            Expr::Wide(wide) => self.wide(*wide),
            Expr::Real(real) => self.real(*real),
            Expr::Null(ty @ Type::Pointer { .. }) => Ok(Typed {
                node: Node::Const(0),
                ty: Rvalue::Pointer(ty.clone()),
            }),
            Expr::Null(_) => Err(self.mistake("a null pointer of a type that is not a pointer")),
            Expr::Var(_) | Expr::Field { .. } | Expr::Index { .. } | Expr::Deref(_) => {
                let lvalue = self.lvalue(expr)?;
                self.read(lvalue)
            }
            Expr::AddressOf(object) => self.address(object),
            Expr::Cast { to, value } => self.cast(to, value),
            Expr::Unary { op, value } => self.unary(*op, value),
            Expr::Binary { op, left, right } => {
                let left = self.child(0, left)?;
                let right = self.child(1, right)?;
                self.binary(*op, left, right)
            }
            Expr::Logical { op, left, right } => self.logical(*op, left, right),
            Expr::Conditional { condition, yes, no } => {
                let condition = Box::new(self.condition(0, condition)?);
                let (yes, no) = (self.child(1, yes)?, self.child(2, no)?);
                self.choose(condition, yes, no)
            }
            Expr::Comma { left, right } => self.comma(left, right),
            Expr::Assign { target, value } => self.assign(target, value),
            Expr::Compound { op, target, value } => {
                if !op.has_assignment() {
                    return Err(self.mistake("a compound assignment that C does not have"));
                }
                let lvalue = self.written(target)?;
                let right = self.child(1, value)?;
                self.update(lvalue, *op, right, false)
            }
            Expr::Step { op, target } => {
                let lvalue = self.written(target)?;
                let one = Typed::int(Node::Const(1), IntKind::Int);
                self.update(lvalue, op.binary(), one, op.is_postfix())
            }
            Expr::Call { callee, args } => self.call(callee, args),
            Expr::CallPointer { function, args } => self.call_pointer(function, args),
            Expr::FunctionName(callee) => Ok(self.function_name(callee)),
            Expr::Builtin { builtin, args } => self.builtin(*builtin, args),
            Expr::Memory(call) => self.memory(call),
            Expr::Vector(vector) => self.vector(vector),
        }
    }

    fn address(&mut self, object: &Expr) -> Result<Typed, Mistake> {
        if !Self::is_lvalue(object) {
            return Err(self.mistake("the address of something other than an object"));
        }
        let lvalue = self.inside(0, |planner| planner.lvalue(object))?;
        if lvalue.bits.is_some() {
            return Err(self.mistake("the address of a bit-field"));
        }
        let is_byte = *lvalue.ty == Type::Int(IntKind::UChar);
        match lvalue.view {
            CellView::Cells => {}
            CellView::Lane => return Err(self.mistake("the address of a vector's lane")),
            CellView::Bytes if is_byte => {}
            CellView::Bytes => return Err(self.mistake("the address of a part of a union")),
        }
        if lvalue.place.is_result() {
            return Err(self.mistake("the address of something other than an object"));
        }
        let to = lvalue.ty.clone();
        Ok(self.address_of(lvalue, to))
    }

    fn comma(&mut self, left: &Expr, right: &Expr) -> Result<Typed, Mistake> {
        let left = Box::new(self.child(0, left)?.node);
        let right = self.child(1, right)?;
        let ty = match right.ty {
            Rvalue::Bits { kind, width, .. } => Rvalue::Bits {
                kind,
                width,
                direct: false,
            },
            Rvalue::Record(..) => return Err(self.mistake("a struct as the value of a comma")),
            ty => ty,
        };
        let right = Box::new(right.node);
        Ok(Typed {
            node: Node::Comma { left, right },
            ty,
        })
    }

    fn cast(&mut self, to: &Type, value: &Expr) -> Result<Typed, Mistake> {
        let typed = self.child(0, value)?;
        if let Some(kind) = to.int_kind() {
            let node = self.convert(typed, kind)?;
            let ty = match to {
                Type::Enum { .. } => Rvalue::Enum(kind),
                _ => Rvalue::Int(kind),
            };
            return Ok(Typed { node, ty });
        }
        if let Type::Wide(kind) = to {
            let node = self.to_wide(typed, *kind)?;
            let ty = Rvalue::Wide(*kind);
            return Ok(Typed { node, ty });
        }
        if let Type::Float(kind) = to {
            let node = self.to_float(typed, *kind)?;
            let ty = Rvalue::Float(*kind);
            return Ok(Typed { node, ty });
        }
        if let Type::Vector { .. } = to {
            return self.vector_cast(typed, to);
        }
        match (&typed.ty, to) {
            (_, Type::Void) => Ok(Typed {
                node: typed.node,
                ty: Rvalue::Void,
            }),
            (Rvalue::Pointer(Type::Pointer { to: from, .. }), Type::Pointer { to: into, .. })
                if from == into =>
            {
                Ok(Typed {
                    node: typed.node,
                    ty: Rvalue::Pointer(to.clone()),
                })
            }
            _ => Err(self.mistake("a cast between incompatible types")),
        }
    }
}
