//! Translates the seed's expressions into the trees of `code/` where these can express them.
//!
//! A tree has the value, the type and the effects that the expression has where it stands.
//! There is no tree for members of unions that another write may leave without a value, volatile objects, calls without a prototype and names
//! that macros hide. Parentheses and implicit conversions have no nodes, since they follow
//! from the types.

use super::program::{ExprId, ExprKind, Program, SeedExpr, SeedType};
use super::vocabulary::Vocabulary;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr};
use crate::code::real::Real;
use crate::code::scalar::FloatKind;
use crate::code::value::Value;

impl Vocabulary {
    /// The expression as a tree of the same type, if there is one.
    pub fn tree_of(&self, program: &Program, id: ExprId) -> Option<Expr> {
        let tree = Bridge {
            vocabulary: self,
            program,
        }
        .tree(id)?;
        let ty = self.types.type_of(&tree).ok()?;
        let wanted = self.ty(program.expr(id).ty.id);
        let is_same = match (wanted, &ty) {
            // A value of an enum type is taken as an integer.
            (Type::Enum { kind, .. }, Type::Int(found)) => kind == found,
            // An array has become a pointer.
            (Type::Array { .. }, Type::Pointer { .. }) => true,
            _ => *wanted == ty,
        };
        is_same.then_some(tree)
    }
}

/// Constants that are multiples of a small power of two and not large have the same bits
/// whoever reads them.
const SHORT_GRAIN: f64 = 256.0;
const SHORT_BOUND: f64 = 65_536.0;

struct Bridge<'a> {
    vocabulary: &'a Vocabulary,
    program: &'a Program,
}

impl Bridge<'_> {
    fn tree(&self, id: ExprId) -> Option<Expr> {
        let program = self.program;
        let expr = program.expr(id);
        if expr.ty.is_volatile || matches!(self.ty(expr), Type::Opaque(_)) {
            return None;
        }
        if matches!(self.ty(expr), Type::Float(_)) && !self.vocabulary.has_settled_floats {
            return None;
        }
        Some(match expr.kind {
            ExprKind::Floating => self.real(expr)?.into(),
            ExprKind::Integer(bits) => {
                let kind = program.types.integer(expr.ty.id)?;
                let math = if kind.signed(program.target) {
                    i128::from(bits as i64)
                } else {
                    i128::from(bits)
                };
                Expr::Const(Value::new(kind, math, program.target))
            }
            ExprKind::EnumConstant(value) => {
                let kind = program.types.integer(expr.ty.id)?;
                Expr::Const(Value::new(kind, i128::from(value), program.target))
            }
            ExprKind::Variable(variable) => {
                let is_hidden = program.macros.contains(&program.variable(variable).name);
                (!is_hidden).then(|| self.vocabulary.variable(program, variable))?
            }
            ExprKind::Member { record, field } => {
                let [base] = self.operands(id)?;
                let common = program.common_member(record).map(|common| common.field);
                let is_common = common == Some(field as usize);
                let record = program.types.record(record);
                let field = record.fields.as_ref()?.get(field as usize)?;
                let object = self.object(base)?;
                match &field.name {
                    _ if record.is_union && !is_common => return None,
                    Some(name) if program.macros.contains(name) => return None,
                    Some(name) => object.field(name),
                    // Members of an anonymous struct are its parent's own.
                    None => object,
                }
            }
            ExprKind::Subscript => {
                let [left, right] = self.operands(id)?;
                if self.is_pointer(left) {
                    self.tree(left)?.index(self.tree(right)?)
                } else {
                    self.tree(right)?.index(self.tree(left)?)
                }
            }
            ExprKind::Deref => {
                let [pointer] = self.operands(id)?;
                self.tree(pointer)?.deref()
            }
            ExprKind::AddressOf => {
                let [object] = self.operands(id)?;
                self.tree(object)?.address_of()
            }
            ExprKind::Unary(op) => {
                let [value] = self.operands(id)?;
                Expr::unary(op, self.value(value)?)
            }
            ExprKind::Binary(op) => {
                let [left, right] = self.operands(id)?;
                Expr::binary(op, self.value(left)?, self.value(right)?)
            }
            ExprKind::Logical(op) => {
                let [left, right] = self.operands(id)?;
                Expr::logical(op, self.value(left)?, self.value(right)?)
            }
            ExprKind::Comma => {
                let [left, right] = self.operands(id)?;
                Expr::comma(self.value(left)?, self.value(right)?)
            }
            ExprKind::Assign => {
                let [target, value] = self.operands(id)?;
                Expr::assign(self.tree(target)?, self.value(value)?)
            }
            ExprKind::CompoundAssign(Some(op)) => {
                let [target, value] = self.operands(id)?;
                Expr::compound(op, self.tree(target)?, self.value(value)?)
            }
            ExprKind::Step(op) => {
                let [target] = self.operands(id)?;
                Expr::step(op, self.tree(target)?)
            }
            ExprKind::Conditional => {
                let [condition, yes, no] = self.operands(id)?;
                Expr::conditional(self.value(condition)?, self.value(yes)?, self.value(no)?)
            }
            ExprKind::Call(Some(function)) => {
                let (result, parameters) = program.prototype(function)?;
                let name = program.function(function).name.as_str();
                if program.macros.contains(name) {
                    return None;
                }
                let params = parameters.iter();
                let callee = Callee {
                    name: name.into(),
                    result: self.vocabulary.ty(result.id).clone(),
                    params: params.map(|ty| self.vocabulary.ty(ty.id).clone()).collect(),
                };
                let arguments = program.operands(id).skip(1);
                Expr::call(
                    callee,
                    arguments.map(|id| self.value(id)).collect::<Option<_>>()?,
                )
            }
            ExprKind::Cast => {
                let [value] = self.operands(id)?;
                let to = self.ty(expr);
                if !is_spellable(to) {
                    return None;
                }
                match self.null(value, to) {
                    Some(null) => null,
                    None => self.value(value)?.cast(to.clone()),
                }
            }
            _ => return None,
        })
    }

    /// A floating-point constant that no compiler has to round.
    fn real(&self, expr: &SeedExpr) -> Option<Real> {
        let Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) = self.ty(expr) else {
            return None;
        };
        let text = std::str::from_utf8(self.program.text(expr.span)).ok()?;
        let number = number(text.trim_end_matches(['f', 'F']))?;
        let is_short = (number * SHORT_GRAIN).fract() == 0.0 && number < SHORT_BOUND;
        let precision = kind.precision().filter(|_| is_short && !expr.is_in_macro)?;
        Some(Real::from_carrier(*kind, precision.carrier(number)))
    }

    /// An operand as a value; an integer that is a null pointer constant becomes a null pointer.
    fn value(&self, id: ExprId) -> Option<Expr> {
        let expr = self.program.expr(id);
        let to = self.vocabulary.ty(expr.converted);
        let from = self.ty(expr);
        if from != to
            && let Some(null) = self.null(id, to)
        {
            return is_spellable(to).then_some(null);
        }
        self.tree(id)
    }

    /// The null pointer that `0` or `(void *)0` stands for where a pointer is expected.
    fn null(&self, id: ExprId, to: &Type) -> Option<Expr> {
        let Type::Pointer { .. } = to else {
            return None;
        };
        let expr = self.program.expr(id);
        match expr.kind {
            ExprKind::Integer(0) => Some(Expr::Null(to.clone())),
            ExprKind::Cast if *self.ty(expr) == Type::Void.pointer() => {
                let [value] = self.operands(id)?;
                self.null(value, to)
            }
            _ => None,
        }
    }

    /// What `.` or `->` takes a member of.
    fn object(&self, base: ExprId) -> Option<Expr> {
        let tree = self.tree(base)?;
        Some(if self.is_pointer(base) {
            tree.deref()
        } else {
            tree
        })
    }

    fn is_pointer(&self, id: ExprId) -> bool {
        let converted = self.program.expr(id).converted;
        matches!(self.program.types.get(converted), SeedType::Pointer { .. })
    }

    fn ty(&self, expr: &SeedExpr) -> &Type {
        self.vocabulary.ty(expr.ty.id)
    }

    fn operands<const N: usize>(&self, id: ExprId) -> Option<[ExprId; N]> {
        let operands: Vec<ExprId> = self.program.operands(id).take(N + 1).collect();
        operands.try_into().ok()
    }
}

/// The number that a constant without suffix says, decimal or hexadecimal.
fn number(text: &str) -> Option<f64> {
    let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) else {
        return text.parse().ok();
    };
    let (digits, exponent) = digits.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let bits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = f64::from(exponent - 4 * fraction.len() as i32).exp2();
    // Longer ones would be rounded twice.
    (bits < 1 << 53).then_some(bits as f64 * scale)
}

/// Whether the type can be written anywhere in the seed: it has no tag.
fn is_spellable(ty: &Type) -> bool {
    match ty {
        Type::Int(_) => true,
        Type::Float(kind) => kind.precision().is_some(),
        Type::Pointer { to, .. } => **to == Type::Void || is_spellable(to),
        _ => false,
    }
}
