//! Expressions as text for people: one line each, what it contains indented below.

use super::dump::Dump;
use super::expression::{Conversion, ExprKind, siblings};
use super::ids::ExprId;
use super::types::Qualified;
use std::io::{self, Write};

/// Longer texts are cut: an initialiser may have thousands of elements.
const LONGEST: usize = 60;

impl Dump<'_> {
    /// All expressions in the order they stand in the program, whole ones with their place.
    pub fn write_expressions(&self, out: &mut dyn Write) -> io::Result<()> {
        let exprs = &self.program.exprs;
        for root in siblings(exprs, 0..exprs.len() as u32) {
            let (line, column) = self.lines.locate(self.program.expr(root).outer.start);
            writeln!(out, "{line}:{column}")?;
            let mut ends = Vec::new();
            for id in self.program.subtree(root) {
                while ends.last().is_some_and(|end| *end <= id.0) {
                    ends.pop();
                }
                ends.push(self.program.expr(id).end);
                writeln!(
                    out,
                    "{}{}",
                    "  ".repeat(ends.len()),
                    self.expression_line(id)
                )?;
            }
        }
        Ok(())
    }

    /// Its kind, its type and what that is converted to, its effects, its text.
    fn expression_line(&self, id: ExprId) -> String {
        let program = self.program;
        let expr = program.expr(id);
        let mut line = format!(
            "{}: {}",
            self.kind(expr.kind),
            program.types.describe(expr.ty)
        );
        match expr.conversion {
            Conversion::None => {}
            Conversion::Read => line.push_str(", read"),
            Conversion::Decay => line.push_str(", decays"),
        }
        let to = program.types.describe(Qualified::plain(expr.converted));
        let from = program.types.describe(Qualified::plain(expr.ty.id));
        if to != from && expr.conversion != Conversion::Decay {
            line.push_str(&format!(", as {to}"));
        }
        let effects: Vec<&str> = expr.effects.names().collect();
        if !effects.is_empty() {
            line.push_str(&format!(" [{}]", effects.join(" ")));
        }
        for (held, word) in [
            (expr.is_constant, " constant"),
            (!expr.is_evaluated, " unevaluated"),
            (expr.is_in_macro, " macro"),
        ] {
            if held {
                line.push_str(word);
            }
        }
        let text = String::from_utf8_lossy(program.text(expr.outer)).into_owned();
        let mut words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() > LONGEST {
            words = words.chars().take(LONGEST).collect();
            words.push('…');
        }
        format!("{line}  {words}")
    }

    fn kind(&self, kind: ExprKind) -> String {
        let program = self.program;
        match kind {
            ExprKind::Integer(value) => format!("integer {}", value as i64),
            ExprKind::Floating => "float".into(),
            ExprKind::String => "string".into(),
            ExprKind::Literal => "literal".into(),
            ExprKind::Variable(id) => format!("variable {}", program.variable(id).name),
            ExprKind::Function(id) => format!("function {}", program.function(id).name),
            ExprKind::EnumConstant(value) => format!("enum constant {value}"),
            ExprKind::Member { record, field } => {
                let fields = program.types.record(record).fields.as_ref();
                let field = fields.and_then(|fields| fields.get(field as usize));
                let name = field.and_then(|field| field.name.as_deref());
                format!("member {}", name.unwrap_or("without a name"))
            }
            ExprKind::Subscript => "subscript".into(),
            ExprKind::Deref => "dereference".into(),
            ExprKind::AddressOf => "address".into(),
            ExprKind::Unary(op) => format!("unary {}", op.c_name()),
            ExprKind::Binary(op) => format!("binary {}", op.c_name()),
            ExprKind::Logical(op) => format!("logical {}", op.c_name()),
            ExprKind::Comma => "comma".into(),
            ExprKind::Assign => "assign".into(),
            ExprKind::CompoundAssign(op) => {
                format!("compound {}", op.map_or("hidden", |op| op.c_name()))
            }
            ExprKind::Step(op) => {
                let side = if op.is_postfix() { "postfix" } else { "prefix" };
                format!("{side} {}", op.c_name())
            }
            ExprKind::HiddenUnary => "hidden unary".into(),
            ExprKind::HiddenBinary => "hidden binary".into(),
            ExprKind::Conditional => "conditional".into(),
            ExprKind::Call(_) => "call".into(),
            ExprKind::Cast => "cast".into(),
            ExprKind::SizeOf => "sizeof".into(),
            ExprKind::CompoundLiteral => "compound literal".into(),
            ExprKind::InitList => "initialiser list".into(),
            ExprKind::StatementExpression(id) => format!("statement expression {id}"),
            ExprKind::Generic => "generic selection".into(),
            ExprKind::VaArg => "va_arg".into(),
            ExprKind::LabelAddress => "label address".into(),
            ExprKind::Other => "other".into(),
        }
    }
}
