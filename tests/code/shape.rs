//! One form for our trees and for what `lang-c` reads, so that they compare.
//!
//! The form of our trees is written here by hand and shares nothing with the
//! printer.

use lang_c::ast;
use lang_c::span::Node;
use mestra::code::ctype::Type;
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::stmt::{Init, Stmt};
use mestra::code::types::IntKind;
use mestra::code::value::Value;

fn node(head: &str, parts: Vec<String>) -> String {
    if parts.is_empty() {
        format!("({head})")
    } else {
        format!("({head} {})", parts.join(" "))
    }
}

// Ours.

fn number(digits: i128, kind: IntKind) -> String {
    let (unsigned, size) = match kind {
        IntKind::UInt => (true, 0),
        IntKind::Long => (false, 1),
        IntKind::ULong => (true, 1),
        IntKind::LongLong => (false, 2),
        IntKind::ULongLong => (true, 2),
        _ => (false, 0),
    };
    format!("{digits}:{unsigned}:{size}")
}

fn of_value(value: Value) -> String {
    let (math, kind) = (value.math(), value.kind());
    let signed = |kind| {
        if math < 0 {
            node("neg", vec![number(-math, kind)])
        } else {
            number(math, kind)
        }
    };
    if kind.promoted() != kind {
        return node(
            "cast",
            vec![of_type(&kind.into(), ""), signed(IntKind::Int)],
        );
    }
    if math == i128::from(i32::MIN) || math == i128::from(i64::MIN) {
        let most = node("neg", vec![number(-(math + 1), kind)]);
        return node("-", vec![most, number(1, kind)]);
    }
    signed(kind)
}

fn of_type(ty: &Type, quals: &str) -> String {
    let base = |name: &str| format!("<{quals}{name}>");
    match ty {
        Type::Void => base("void"),
        Type::Int(kind) => base(kind.c_name()),
        Type::Wide(kind) => base(&kind.c_name()),
        Type::Float(kind) => base(kind.c_name()),
        Type::Enum { name, .. } | Type::Record(name) | Type::Opaque(name) => base(name),
        Type::Pointer {
            to,
            constant,
            volatile,
        } => {
            let inner = format!(
                "{}{}",
                if *constant { "const " } else { "" },
                if *volatile { "volatile " } else { "" }
            );
            format!("ptr[{quals}]{}", of_type(to, &inner))
        }
        Type::Function(_) => base("function"),
        Type::Array { of, len } => format!("arr[{len}]{}", of_type(of, quals)),
        Type::Vector { of, len } => format!("vec[{len}]{}", of_type(of, quals)),
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        Shl => "<<",
        Shr => ">>",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        Eq => "==",
        Ne => "!=",
    }
}

pub(super) fn of_expr(expr: &Expr) -> String {
    let children = || expr.children().into_iter().map(of_expr).collect::<Vec<_>>();
    match expr {
        Expr::Const(value) => of_value(*value),
        Expr::Wide(_) | Expr::Real(_) => expr.to_string(),
        Expr::Null(ty) => node("cast", vec![of_type(ty, ""), number(0, IntKind::Int)]),
        Expr::Var(var) => var.name.to_string(),
        Expr::Field { name, .. } => node(&format!(".{name}"), children()),
        Expr::Index { .. } => node("index", children()),
        Expr::Deref(_) => node("deref", children()),
        Expr::AddressOf(_) => node("addr", children()),
        Expr::Cast { to, value } => node("cast", vec![of_type(to, ""), of_expr(value)]),
        Expr::Unary { op, .. } => node(
            match op {
                UnaryOp::Plus => "plus",
                UnaryOp::Minus => "neg",
                UnaryOp::Complement => "~",
                UnaryOp::Not => "!",
            },
            children(),
        ),
        Expr::Binary { op, .. } => node(binary_name(*op), children()),
        Expr::Logical {
            op: LogicalOp::And, ..
        } => node("&&", children()),
        Expr::Logical {
            op: LogicalOp::Or, ..
        } => node("||", children()),
        Expr::Conditional { .. } => node("?", children()),
        Expr::Comma { left, right } => {
            let mut parts = Vec::new();
            of_comma(left, &mut parts);
            parts.push(of_expr(right));
            node(",", parts)
        }
        Expr::Assign { .. } => node("=", children()),
        Expr::Compound { op, .. } => node(&format!("{}=", binary_name(*op)), children()),
        Expr::Step { op, .. } => node(
            match op {
                StepOp::PreIncrement => "++x",
                StepOp::PreDecrement => "--x",
                StepOp::PostIncrement => "x++",
                StepOp::PostDecrement => "x--",
            },
            children(),
        ),
        Expr::FunctionName(callee) => callee.name.to_string(),
        Expr::CallPointer { .. } => node("call", children()),
        Expr::Builtin { builtin, .. } => {
            let mut parts = vec![builtin.c_name()];
            parts.extend(children());
            node("call", parts)
        }
        Expr::Memory(_) => node("memory", children()),
        Expr::Vector(_) => node("vector", children()),
        Expr::Call { callee, .. } => {
            let mut parts = vec![callee.name.to_string()];
            parts.extend(children());
            node("call", parts)
        }
    }
}

/// `a, b, c` is one list to `lang-c`.
fn of_comma(expr: &Expr, parts: &mut Vec<String>) {
    match expr {
        Expr::Comma { left, right } => {
            of_comma(left, parts);
            parts.push(of_expr(right));
        }
        other => parts.push(of_expr(other)),
    }
}

fn of_body(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Block(items) => node("block", items.iter().map(of_stmt).collect()),
        single => node("block", vec![of_stmt(single)]),
    }
}

fn of_init(init: &Init) -> String {
    match init {
        Init::Value(expr) => of_expr(expr),
        Init::List(items) if items.is_empty() => node("list", vec![number(0, IntKind::Int)]),
        // Programs of snippets only.
        Init::Room { length, .. } => of_expr(length),
        Init::List(items) => node("list", items.iter().map(of_init).collect()),
    }
}

pub(super) fn of_stmt(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Empty => "(empty)".into(),
        Stmt::Block(_) => of_body(stmt),
        Stmt::Declare(declaration) => {
            let var = &declaration.var;
            let mut parts = vec![var.name.to_string(), of_type(&var.ty, "")];
            parts.extend(declaration.init.as_ref().map(of_init));
            node("declare", parts)
        }
        Stmt::Expr(expr) => node("do", vec![of_expr(expr)]),
        Stmt::If { condition, yes, no } => {
            let mut parts = vec![of_expr(condition), of_body(yes)];
            parts.extend(no.as_ref().map(|no| of_body(no)));
            node("if", parts)
        }
        Stmt::While { condition, body } => node("while", vec![of_expr(condition), of_body(body)]),
        Stmt::Do { body, condition } => node("dowhile", vec![of_body(body), of_expr(condition)]),
        Stmt::For {
            start,
            condition,
            step,
            body,
        } => {
            let part = |part: &Option<Expr>| part.as_ref().map_or("none".into(), of_expr);
            node(
                "for",
                vec![part(start), part(condition), part(step), of_body(body)],
            )
        }
        Stmt::Switch { value, body } => node("switch", vec![of_expr(value), of_body(body)]),
        Stmt::Case(value) => node("case", vec![of_value(*value)]),
        Stmt::Default => "(default)".into(),
        Stmt::Break => "(break)".into(),
        Stmt::Continue => "(continue)".into(),
        Stmt::Goto(label) => node("goto", vec![label.to_string()]),
        Stmt::Label(label) => node("label", vec![label.to_string()]),
        Stmt::Return(value) => node("return", value.iter().map(of_expr).collect()),
        // A declaration and a call, which no generator of these tests makes.
        Stmt::Abort => unreachable!("no tree that is compared aborts"),
        Stmt::Use { ty, value } => {
            let parts = vec![
                "mestra_use".into(),
                of_type(ty, "volatile "),
                of_expr(value),
            ];
            let read = node("cast", vec!["<void>".into(), "mestra_use".into()]);
            node(
                "block",
                vec![node("declare", parts), node("do", vec![read])],
            )
        }
    }
}

// What `lang-c` reads.

fn quals<'q>(found: impl Iterator<Item = &'q ast::TypeQualifier>) -> String {
    let found: Vec<_> = found.collect();
    let mut text = String::new();
    if found.contains(&&ast::TypeQualifier::Const) {
        text.push_str("const ");
    }
    if found.contains(&&ast::TypeQualifier::Volatile) {
        text.push_str("volatile ");
    }
    text
}

fn specifier(specifier: &ast::TypeSpecifier) -> String {
    use ast::TypeSpecifier::*;
    match specifier {
        Void => "void".into(),
        Char => "char".into(),
        Short => "short".into(),
        Int => "int".into(),
        Long => "long".into(),
        Signed => "signed".into(),
        Unsigned => "unsigned".into(),
        Bool => "_Bool".into(),
        Struct(node) => format!(
            "struct {}",
            node.node.identifier.as_ref().unwrap().node.name
        ),
        Enum(node) => format!("enum {}", node.node.identifier.as_ref().unwrap().node.name),
        TypedefName(node) => node.node.name.clone(),
        other => panic!("a specifier we do not print: {other:?}"),
    }
}

fn declared(base: String, declarator: Option<&ast::Declarator>) -> (String, String) {
    let Some(declarator) = declarator else {
        return (base, String::new());
    };
    let mut ty = base;
    for derived in &declarator.derived {
        if let ast::DerivedDeclarator::Pointer(found) = &derived.node {
            let found = found.iter().map(|found| match &found.node {
                ast::PointerQualifier::TypeQualifier(found) => &found.node,
                other => panic!("{other:?}"),
            });
            ty = format!("ptr[{}]{ty}", quals(found));
        }
    }
    for derived in declarator.derived.iter().rev() {
        match &derived.node {
            ast::DerivedDeclarator::Array(array) => {
                let ast::ArraySize::VariableExpression(size) = &array.node.size else {
                    panic!("{array:?}")
                };
                let size = from_expr(size);
                ty = format!("arr[{}]{ty}", size.split(':').next().unwrap());
            }
            ast::DerivedDeclarator::Pointer(_) => {}
            other => panic!("a declarator we do not print: {other:?}"),
        }
    }
    match &declarator.kind.node {
        ast::DeclaratorKind::Abstract => (ty, String::new()),
        ast::DeclaratorKind::Identifier(name) => (ty, name.node.name.clone()),
        ast::DeclaratorKind::Declarator(inner) => declared(ty, Some(&inner.node)),
    }
}

fn from_type(name: &ast::TypeName) -> String {
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for part in &name.specifiers {
        match &part.node {
            ast::SpecifierQualifier::TypeSpecifier(node) => names.push(specifier(&node.node)),
            ast::SpecifierQualifier::TypeQualifier(node) => found.push(&node.node),
            other => panic!("{other:?}"),
        }
    }
    let base = format!("<{}{}>", quals(found.into_iter()), names.join(" "));
    declared(
        base,
        name.declarator.as_ref().map(|declarator| &declarator.node),
    )
    .0
}

fn from_constant(constant: &ast::Constant) -> String {
    let ast::Constant::Integer(integer) = constant else {
        panic!("{constant:?}")
    };
    assert_eq!(integer.base, ast::IntegerBase::Decimal);
    let size = match integer.suffix.size {
        ast::IntegerSize::Int => 0,
        ast::IntegerSize::Long => 1,
        ast::IntegerSize::LongLong => 2,
    };
    format!("{}:{}:{size}", integer.number, integer.suffix.unsigned)
}

pub(super) fn from_expr(expr: &Node<ast::Expression>) -> String {
    use ast::Expression::*;
    match &expr.node {
        Identifier(name) => name.node.name.clone(),
        Constant(constant) => from_constant(&constant.node),
        Member(member) => {
            let base = from_expr(&member.node.expression);
            let base = match member.node.operator.node {
                ast::MemberOperator::Direct => base,
                ast::MemberOperator::Indirect => node("deref", vec![base]),
            };
            node(
                &format!(".{}", member.node.identifier.node.name),
                vec![base],
            )
        }
        Call(call) => {
            let mut parts = vec![from_expr(&call.node.callee)];
            parts.extend(call.node.arguments.iter().map(from_expr));
            node("call", parts)
        }
        UnaryOperator(unary) => {
            use ast::UnaryOperator::*;
            let head = match unary.node.operator.node {
                PostIncrement => "x++",
                PostDecrement => "x--",
                PreIncrement => "++x",
                PreDecrement => "--x",
                Address => "addr",
                Indirection => "deref",
                Plus => "plus",
                Minus => "neg",
                Complement => "~",
                Negate => "!",
            };
            node(head, vec![from_expr(&unary.node.operand)])
        }
        Cast(cast) => {
            let ty = from_type(&cast.node.type_name.node);
            node("cast", vec![ty, from_expr(&cast.node.expression)])
        }
        BinaryOperator(binary) => {
            use ast::BinaryOperator::*;
            let head = match binary.node.operator.node {
                Index => "index",
                Multiply => "*",
                Divide => "/",
                Modulo => "%",
                Plus => "+",
                Minus => "-",
                ShiftLeft => "<<",
                ShiftRight => ">>",
                Less => "<",
                Greater => ">",
                LessOrEqual => "<=",
                GreaterOrEqual => ">=",
                Equals => "==",
                NotEquals => "!=",
                BitwiseAnd => "&",
                BitwiseXor => "^",
                BitwiseOr => "|",
                LogicalAnd => "&&",
                LogicalOr => "||",
                Assign => "=",
                AssignMultiply => "*=",
                AssignDivide => "/=",
                AssignModulo => "%=",
                AssignPlus => "+=",
                AssignMinus => "-=",
                AssignShiftLeft => "<<=",
                AssignShiftRight => ">>=",
                AssignBitwiseAnd => "&=",
                AssignBitwiseXor => "^=",
                AssignBitwiseOr => "|=",
            };
            node(
                head,
                vec![from_expr(&binary.node.lhs), from_expr(&binary.node.rhs)],
            )
        }
        Conditional(choice) => {
            let choice = &choice.node;
            let parts = [
                &choice.condition,
                &choice.then_expression,
                &choice.else_expression,
            ];
            node("?", parts.into_iter().map(|part| from_expr(part)).collect())
        }
        Comma(list) => {
            let mut parts = Vec::new();
            from_comma(list, &mut parts);
            node(",", parts)
        }
        other => panic!("an expression we do not print: {other:?}"),
    }
}

/// The first of a list may be a list in parentheses, which means the same.
fn from_comma(list: &[Node<ast::Expression>], parts: &mut Vec<String>) {
    match &list[0].node {
        ast::Expression::Comma(inner) => from_comma(inner, parts),
        _ => parts.push(from_expr(&list[0])),
    }
    parts.extend(list[1..].iter().map(from_expr));
}

fn from_init(init: &ast::Initializer) -> String {
    match init {
        ast::Initializer::Expression(expr) => from_expr(expr),
        ast::Initializer::List(items) => {
            let parts = items.iter().map(|item| {
                assert!(item.node.designation.is_empty());
                from_init(&item.node.initializer.node)
            });
            node("list", parts.collect())
        }
    }
}

fn from_declaration(declaration: &ast::Declaration) -> String {
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for part in &declaration.specifiers {
        match &part.node {
            ast::DeclarationSpecifier::TypeSpecifier(node) => names.push(specifier(&node.node)),
            ast::DeclarationSpecifier::TypeQualifier(node) => found.push(&node.node),
            other => panic!("{other:?}"),
        }
    }
    let base = format!("<{}{}>", quals(found.into_iter()), names.join(" "));
    let [declarator] = &declaration.declarators[..] else {
        panic!("one declarator")
    };
    let (ty, name) = declared(base, Some(&declarator.node.declarator.node));
    let mut parts = vec![name, ty];
    parts.extend(
        declarator
            .node
            .initializer
            .as_ref()
            .map(|init| from_init(&init.node)),
    );
    node("declare", parts)
}

pub(super) fn from_stmt(stmt: &ast::Statement) -> String {
    use ast::Statement::*;
    match stmt {
        Labeled(labeled) => {
            let Expression(None) = labeled.node.statement.node else {
                panic!("{labeled:?}")
            };
            match &labeled.node.label.node {
                ast::Label::Identifier(name) => node("label", vec![name.node.name.clone()]),
                ast::Label::Case(value) => node("case", vec![from_expr(value)]),
                ast::Label::Default => "(default)".into(),
                other => panic!("{other:?}"),
            }
        }
        Compound(items) => {
            let parts = items.iter().map(|item| match &item.node {
                ast::BlockItem::Declaration(declaration) => from_declaration(&declaration.node),
                ast::BlockItem::Statement(stmt) => from_stmt(&stmt.node),
                other => panic!("{other:?}"),
            });
            node("block", parts.collect())
        }
        Expression(None) => "(empty)".into(),
        Expression(Some(expr)) => node("do", vec![from_expr(expr)]),
        If(stmt) => {
            let stmt = &stmt.node;
            let mut parts = vec![
                from_expr(&stmt.condition),
                from_stmt(&stmt.then_statement.node),
            ];
            parts.extend(stmt.else_statement.as_ref().map(|no| from_stmt(&no.node)));
            node("if", parts)
        }
        Switch(stmt) => {
            let stmt = &stmt.node;
            node(
                "switch",
                vec![from_expr(&stmt.expression), from_stmt(&stmt.statement.node)],
            )
        }
        While(stmt) => {
            let stmt = &stmt.node;
            node(
                "while",
                vec![from_expr(&stmt.expression), from_stmt(&stmt.statement.node)],
            )
        }
        DoWhile(stmt) => {
            let stmt = &stmt.node;
            node(
                "dowhile",
                vec![from_stmt(&stmt.statement.node), from_expr(&stmt.expression)],
            )
        }
        For(stmt) => {
            let stmt = &stmt.node;
            let start = match &stmt.initializer.node {
                ast::ForInitializer::Empty => "none".into(),
                ast::ForInitializer::Expression(expr) => from_expr(expr),
                other => panic!("{other:?}"),
            };
            let part = |part: &Option<Box<Node<ast::Expression>>>| {
                part.as_ref().map_or("none".into(), |expr| from_expr(expr))
            };
            let body = from_stmt(&stmt.statement.node);
            node(
                "for",
                vec![start, part(&stmt.condition), part(&stmt.step), body],
            )
        }
        Goto(label) => node("goto", vec![label.node.name.clone()]),
        Continue => "(continue)".into(),
        Break => "(break)".into(),
        Return(value) => node(
            "return",
            value.iter().map(|value| from_expr(value)).collect(),
        ),
        Asm(_) => panic!("assembly"),
    }
}
