//! Printing of expressions.

use super::super::builtin::MemoryOp;
use super::super::expr::{Expr, MemoryCall, VectorExpr};
use super::super::op::{BinaryOp, LogicalOp};
use super::super::types::IntKind;
use super::super::value::Value;
use super::declarator::type_name;
use super::{Printer, Style};
use std::fmt;

/// The precedence of an expression, as in the grammar of C11 6.5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Comma,
    Assign,
    Conditional,
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Additive,
    Multiplicative,
    Cast,
    Unary,
    Postfix,
    Primary,
}

impl Tight {
    fn of(expr: &Expr) -> Tight {
        match expr {
            Expr::Const(value) => Tight::of_constant(*value),
            Expr::Wide(_) => Tight::Cast,
            Expr::Real(real) if real.is_negative() => Tight::Unary,
            Expr::Real(_) => Tight::Primary,
            Expr::Var(_) | Expr::FunctionName(_) => Tight::Primary,
            Expr::Null(_) | Expr::Cast { .. } => Tight::Cast,
            Expr::Field { .. }
            | Expr::Index { .. }
            | Expr::Call { .. }
            | Expr::CallPointer { .. }
            | Expr::Builtin { .. }
            | Expr::Vector(_) => Tight::Postfix,
            Expr::Memory(call) => match call.op {
                MemoryOp::Copy | MemoryOp::Move | MemoryOp::Set => Tight::Postfix,
                MemoryOp::Equal => Tight::Unary,
                MemoryOp::Less => Tight::Relational,
            },
            Expr::Step { op, .. } if op.is_postfix() => Tight::Postfix,
            Expr::Deref(_) | Expr::AddressOf(_) | Expr::Unary { .. } | Expr::Step { .. } => {
                Tight::Unary
            }
            Expr::Binary { op, .. } => Tight::of_operator(*op),
            Expr::Logical {
                op: LogicalOp::And, ..
            } => Tight::LogicalAnd,
            Expr::Logical {
                op: LogicalOp::Or, ..
            } => Tight::LogicalOr,
            Expr::Conditional { .. } => Tight::Conditional,
            Expr::Comma { .. } => Tight::Comma,
            Expr::Assign { .. } | Expr::Compound { .. } => Tight::Assign,
        }
    }

    fn of_operator(op: BinaryOp) -> Tight {
        match op {
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Tight::Multiplicative,
            BinaryOp::Add | BinaryOp::Sub => Tight::Additive,
            BinaryOp::Shl | BinaryOp::Shr => Tight::Shift,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Tight::Relational,
            BinaryOp::Eq | BinaryOp::Ne => Tight::Equality,
            BinaryOp::BitAnd => Tight::BitAnd,
            BinaryOp::BitXor => Tight::BitXor,
            BinaryOp::BitOr => Tight::BitOr,
        }
    }

    fn of_constant(value: Value) -> Tight {
        if suffix(value.kind()).is_none() {
            Tight::Cast
        } else if value.math() < 0 && !is_minimum(value) {
            Tight::Unary
        } else {
            Tight::Primary
        }
    }

    /// The next level up: what the right operand of a left-associative
    /// operator must be.
    fn next(self) -> Tight {
        match self {
            Tight::Comma => Tight::Assign,
            Tight::LogicalOr => Tight::LogicalAnd,
            Tight::LogicalAnd => Tight::BitOr,
            Tight::BitOr => Tight::BitXor,
            Tight::BitXor => Tight::BitAnd,
            Tight::BitAnd => Tight::Equality,
            Tight::Equality => Tight::Relational,
            Tight::Relational => Tight::Shift,
            Tight::Shift => Tight::Additive,
            Tight::Additive => Tight::Multiplicative,
            _ => Tight::Cast,
        }
    }
}

/// The suffix of constants of a type; the types below `int` have none and are
/// reached by a cast.
fn suffix(kind: IntKind) -> Option<&'static str> {
    match kind {
        IntKind::Int => Some(""),
        IntKind::UInt => Some("U"),
        IntKind::Long => Some("L"),
        IntKind::ULong => Some("UL"),
        IntKind::LongLong => Some("LL"),
        IntKind::ULongLong => Some("ULL"),
        _ => None,
    }
}

/// Whether a negative constant has no positive counterpart of its type. A
/// `long` of -2147483648 is taken for one, which is right on ILP32 and harmless
/// on LP64.
fn is_minimum(value: Value) -> bool {
    value.math() == i128::from(i32::MIN) || value.math() == i128::from(i64::MIN)
}

fn constant(value: Value) -> String {
    let math = value.math();
    match suffix(value.kind()) {
        None => format!("({}){math}", value.kind().c_name()),
        Some(suffix) if is_minimum(value) => format!("({}{suffix} - 1{suffix})", math + 1),
        Some(suffix) => format!("{math}{suffix}"),
    }
}

impl Printer {
    /// Prints an expression, in parentheses if it binds less tightly than `least`.
    fn operand(&mut self, expr: &Expr, least: Tight) {
        let tight = Tight::of(expr);
        let extra = self.extra() && tight < Tight::Primary;
        if extra || tight < least {
            self.push("(");
            self.bare(expr);
            self.push(")");
        } else {
            self.bare(expr);
        }
    }

    /// An expression where anything but a comma may stand.
    pub(super) fn argument(&mut self, expr: &Expr) {
        self.operand(expr, Tight::Assign);
    }

    /// An expression where any may stand.
    pub(super) fn expression(&mut self, expr: &Expr) {
        self.operand(expr, Tight::Comma);
    }

    /// An operator before its operand; `-` and `--` must not run together.
    fn prefix(&mut self, op: &str, value: &Expr, least: Tight) {
        self.push(op);
        let start = self.text.len();
        self.operand(value, least);
        let clash = self.text[start..].chars().next() == op.chars().last();
        if clash && matches!(op, "-" | "+" | "&" | "--" | "++") {
            self.text.insert(start, '(');
            self.push(")");
        }
    }

    fn infix(&mut self, left: (&Expr, Tight), op: &str, right: (&Expr, Tight)) {
        self.operand(left.0, left.1);
        self.push(" ");
        self.push(op);
        self.push(" ");
        self.operand(right.0, right.1);
    }

    fn member(&mut self, base: &Expr, name: &str) {
        match base {
            Expr::Deref(pointer) => {
                self.operand(pointer, Tight::Postfix);
                self.push("->");
            }
            // `5.m` would be one token, if not a sensible one.
            Expr::Const(_) | Expr::Wide(_) | Expr::Real(_) => {
                self.push("(");
                self.expression(base);
                self.push(").");
            }
            _ => {
                self.operand(base, Tight::Postfix);
                self.push(".");
            }
        }
        self.push(name);
    }

    fn call(&mut self, name: &str, args: &[Expr]) {
        self.push(name);
        self.arguments(args);
    }

    fn arguments(&mut self, args: &[Expr]) {
        self.push("(");
        self.list(args);
        self.push(")");
    }

    fn list(&mut self, args: &[Expr]) {
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.argument(arg);
        }
    }

    fn memory(&mut self, call: &MemoryCall) {
        let (before, name, after) = match call.op {
            MemoryOp::Copy => ("", "memcpy", ""),
            MemoryOp::Move => ("", "memmove", ""),
            MemoryOp::Set => ("", "memset", ""),
            MemoryOp::Equal => ("!", "memcmp", ""),
            MemoryOp::Less => ("", "memcmp", " < 0"),
        };
        self.push(&format!("{before}__builtin_{name}("));
        self.argument(&call.to);
        self.push(", ");
        self.argument(&call.from);
        self.push(", ");
        if call.count != 1 {
            self.push(&format!("{} * ", call.count));
        }
        self.push(&format!("sizeof({})){after}", type_name(&call.of)));
    }

    fn bare(&mut self, expr: &Expr) {
        let tight = Tight::of(expr);
        match expr {
            Expr::Const(value) => self.push(&constant(*value)),
            Expr::Wide(wide) => self.push(&wide.to_c()),
            Expr::Real(real) => self.push(&real.to_c()),
            Expr::Null(ty) => self.push(&format!("({})0", type_name(ty))),
            Expr::Var(var) => self.push(&var.name),
            Expr::Field { base, name } => self.member(base, name),
            Expr::Index { base, index } => {
                self.operand(base, Tight::Postfix);
                self.push("[");
                self.expression(index);
                self.push("]");
            }
            Expr::Deref(pointer) => self.prefix("*", pointer, Tight::Cast),
            Expr::AddressOf(object) => self.prefix("&", object, Tight::Cast),
            Expr::Cast { to, value } => {
                self.push(&format!("({})", type_name(to)));
                self.operand(value, Tight::Cast);
            }
            Expr::Unary { op, value } => self.prefix(op.c_name(), value, Tight::Cast),
            Expr::Binary { op, left, right } => {
                // `a < b > c` is C, but clang 22 refuses it.
                let left_least = match tight {
                    Tight::Relational => tight.next(),
                    _ => tight,
                };
                self.infix((left, left_least), op.c_name(), (right, tight.next()));
            }
            Expr::Logical { op, left, right } => {
                self.infix((left, tight), op.c_name(), (right, tight.next()));
            }
            Expr::Conditional { condition, yes, no } => {
                self.operand(condition, Tight::LogicalOr);
                self.push(" ? ");
                self.expression(yes);
                self.push(" : ");
                self.operand(no, Tight::Conditional);
            }
            Expr::Comma { left, right } => {
                self.operand(left, Tight::Comma);
                self.push(", ");
                self.operand(right, Tight::Assign);
            }
            Expr::Assign { target, value } => {
                self.infix((target, Tight::Unary), "=", (value, Tight::Assign));
            }
            Expr::Compound { op, target, value } => {
                let op = format!("{}=", op.c_name());
                self.infix((target, Tight::Unary), &op, (value, Tight::Assign));
            }
            Expr::Step { op, target } if op.is_postfix() => {
                self.operand(target, Tight::Postfix);
                self.push(op.c_name());
            }
            Expr::Step { op, target } => self.prefix(op.c_name(), target, Tight::Unary),
            Expr::Call { callee, args } => self.call(&callee.name, args),
            Expr::FunctionName(callee) => self.push(&callee.name),
            Expr::CallPointer { function, args } => {
                self.operand(function, Tight::Postfix);
                self.arguments(args);
            }
            Expr::Builtin { builtin, args } => self.call(&builtin.c_name(), args),
            Expr::Memory(call) => self.memory(call),
            Expr::Vector(vector) => self.vector(vector),
        }
    }

    fn vector(&mut self, vector: &VectorExpr) {
        match vector {
            VectorExpr::Literal { ty, lanes } => {
                self.push(&format!("({}){{ ", type_name(ty)));
                self.list(lanes);
                self.push(" }");
            }
            VectorExpr::Shuffle { operands, lanes } => {
                self.push("__builtin_shufflevector(");
                for operand in operands {
                    self.argument(operand);
                    self.push(", ");
                }
                let lanes: Vec<String> = lanes.iter().map(u32::to_string).collect();
                self.push(&format!("{})", lanes.join(", ")));
            }
            VectorExpr::Convert { to, value } => {
                self.push("__builtin_convertvector(");
                self.argument(value);
                self.push(&format!(", {})", type_name(to)));
            }
        }
    }
}

impl Expr {
    /// The expression as C text.
    pub fn to_c(&self, style: Style) -> String {
        let mut printer = Printer::new(style);
        printer.expression(self);
        printer.text
    }

    /// The text where an operand of any operator may stand: in parentheses,
    /// unless it is a name or a number.
    // Used by tests only.
    pub fn to_c_operand(&self, style: Style) -> String {
        let mut printer = Printer::new(style);
        printer.operand(self, Tight::Primary);
        printer.text
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_c(Style::default()))
    }
}
