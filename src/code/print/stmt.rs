//! Printing of statements and functions.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::stmt::{Function, Init, Stmt, USE_NAME};
use super::declarator::{declare, declare_volatile};
use super::{Printer, Style};
use std::fmt;

impl Printer {
    fn indent(&mut self, level: usize) {
        for _ in 0..level {
            self.push("    ");
        }
    }

    /// Prints whole lines, each ending in a newline.
    fn lines(&mut self, stmt: &Stmt, level: usize) {
        self.indent(level);
        self.line(stmt, level);
        self.push("\n");
    }

    fn body(&mut self, stmt: &Stmt, level: usize) {
        self.push("{\n");
        match stmt {
            Stmt::Block(items) => items.iter().for_each(|item| self.lines(item, level + 1)),
            single => self.lines(single, level + 1),
        }
        self.indent(level);
        self.push("}");
    }

    fn line(&mut self, stmt: &Stmt, level: usize) {
        match stmt {
            Stmt::Empty => self.push(";"),
            Stmt::Block(_) => self.body(stmt, level),
            Stmt::Declare(declaration) => {
                self.push(&declare(&declaration.var.name, &declaration.var.ty));
                if let Some(init) = &declaration.init {
                    self.push(" = ");
                    self.init(init);
                }
                self.push(";");
            }
            Stmt::Expr(expr) => {
                self.expression(expr);
                self.push(";");
            }
            Stmt::If { condition, yes, no } => {
                self.push("if (");
                self.expression(condition);
                self.push(") ");
                self.body(yes, level);
                if let Some(no) = no {
                    self.push(" else ");
                    self.body(no, level);
                }
            }
            Stmt::While { condition, body } => {
                self.push("while (");
                self.expression(condition);
                self.push(") ");
                self.body(body, level);
            }
            Stmt::Do { body, condition } => {
                self.push("do ");
                self.body(body, level);
                self.push(" while (");
                self.expression(condition);
                self.push(");");
            }
            Stmt::For {
                start,
                condition,
                step,
                body,
            } => {
                self.for_head([start, condition, step]);
                self.body(body, level);
            }
            Stmt::Switch { value, body } => {
                self.push("switch (");
                self.expression(value);
                self.push(") ");
                self.body(body, level);
            }
            Stmt::Case(value) => {
                self.push("case ");
                self.expression(&(*value).into());
                self.push(":;");
            }
            Stmt::Default => self.push("default:;"),
            Stmt::Break => self.push("break;"),
            Stmt::Continue => self.push("continue;"),
            Stmt::Goto(label) => self.push(&format!("goto {label};")),
            Stmt::Label(label) => self.push(&format!("{label}:;")),
            Stmt::Return(None) => self.push("return;"),
            Stmt::Return(Some(value)) => {
                self.push("return ");
                self.expression(value);
                self.push(";");
            }
            // Not every compiler has `__builtin_abort`: pcc has none.
            Stmt::Abort => self.push("{ extern void abort(void); abort(); }"),
            Stmt::Use { ty, value } => self.use_value(ty, value),
        }
    }

    fn for_head(&mut self, parts: [&Option<Expr>; 3]) {
        self.push("for (");
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                self.push(if part.is_some() { "; " } else { ";" });
            }
            if let Some(part) = part {
                self.expression(part);
            }
        }
        self.push(") ");
    }

    fn use_value(&mut self, ty: &Type, value: &Expr) {
        self.push("{ ");
        self.push(&declare_volatile(USE_NAME, ty));
        self.push(" = ");
        self.argument(value);
        self.push(&format!("; (void){USE_NAME}; }}"));
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Value(expr) => self.argument(expr),
            // C89 has no empty list, and one zero says the same.
            Init::List(items) if items.is_empty() => self.push("{ 0 }"),
            Init::List(items) => {
                self.push("{ ");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.push(", ");
                    }
                    self.init(item);
                }
                self.push(" }");
            }
        }
    }
}

impl Stmt {
    /// The statement as whole lines, indented by a number of levels.
    pub fn to_c(&self, style: Style, level: usize) -> String {
        let mut printer = Printer::new(style);
        printer.lines(self, level);
        printer.text
    }
}

impl Function {
    fn head(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|param| declare(&param.name, &param.ty))
            .collect();
        let params = if params.is_empty() {
            "void".to_owned()
        } else {
            params.join(", ")
        };
        let head = declare(&format!("{}({params})", self.name), &self.result);
        format!("static {head}")
    }

    /// The prototype, as a whole line.
    pub fn prototype(&self) -> String {
        format!("{};\n", self.head())
    }

    /// The definition, as whole lines. It is `static`, so that it collides
    /// with nothing outside its file.
    pub fn to_c(&self, style: Style) -> String {
        let mut printer = Printer::new(style);
        printer.push(&self.head());
        printer.push("\n");
        printer.body(&self.body, 0);
        printer.push("\n");
        printer.text
    }
}

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_c(Style::default(), 0))
    }
}

/// A struct's definition is the seed's own; only tests need to print one.
impl super::super::ctype::Types {
    /// The definitions of all structs, those that others contain first.
    pub fn to_c(&self) -> String {
        let mut text = String::new();
        let mut done: Vec<&str> = Vec::new();
        for (name, _) in self.records() {
            self.define_to_c(name, &mut done, &mut text);
        }
        text
    }

    fn define_to_c<'t>(&'t self, name: &'t str, done: &mut Vec<&'t str>, text: &mut String) {
        let Some(record) = self.get(name) else { return };
        if done.contains(&name) {
            return;
        }
        done.push(name);
        for field in &record.fields {
            let mut ty = &field.ty;
            while let Type::Array { of, .. } = ty {
                ty = of;
            }
            if let Type::Record(inner) = ty {
                self.define_to_c(inner, done, text);
            }
        }
        let (open, close) = if name.starts_with("struct ") {
            (format!("{name} {{"), "};".to_owned())
        } else {
            ("typedef struct {".to_owned(), format!("}} {name};"))
        };
        text.push_str(&format!("{open}\n"));
        for field in &record.fields {
            let constant = if field.constant { "const " } else { "" };
            let bits = field
                .bits
                .map_or(String::new(), |bits| format!(" : {bits}"));
            text.push_str(&format!(
                "    {constant}{}{bits};\n",
                declare(&field.name, &field.ty)
            ));
        }
        text.push_str(&format!("{close}\n"));
    }
}
