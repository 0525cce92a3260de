//! Printing of statements.

use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::stmt::{Declaration, Init, Room, Stmt, USE_NAME};
use super::declarator::{Quals, declare_with};
use super::unit::declare_as;
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

    pub(super) fn body(&mut self, stmt: &Stmt, level: usize) {
        self.push("{\n");
        match stmt {
            Stmt::Block(items) => {
                items.iter().for_each(|item| self.lines(item, level + 1));
                for name in items.iter().rev().filter_map(on_heap) {
                    self.indent(level + 1);
                    self.push(&format!("__builtin_free({name});\n"));
                }
            }
            single => self.lines(single, level + 1),
        }
        self.indent(level);
        self.push("}");
    }

    fn line(&mut self, stmt: &Stmt, level: usize) {
        match stmt {
            Stmt::Empty => self.push(";"),
            Stmt::Block(_) => self.body(stmt, level),
            Stmt::Declare(declaration) => self.declaration(declaration),
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

    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        let (var, specifiers) = (&declaration.var, &declaration.specifiers);
        if let (Some(Init::Room { length, room }), Type::Array { of, .. }) =
            (&declaration.init, &var.ty)
        {
            self.room(&var.name, of, length, *room);
            return;
        }
        self.push(&declare_as(&var.name, &var.ty, specifiers));
        if let Some(init) = &declaration.init {
            self.push(" = ");
            self.init(init);
        }
        self.push(";");
    }

    /// An array whose length is computed.
    fn room(&mut self, name: &str, of: &Type, length: &Expr, room: Room) {
        let plain = Quals::default();
        match room {
            Room::Stack => {
                self.push(&declare_with(&format!("{name}["), of, plain));
                self.expression(length);
                self.push("];");
            }
            Room::Heap => {
                self.push(&declare_with(&format!("*{name}"), of, plain));
                let (pointer, element) =
                    (declare_with("*", of, plain), declare_with("", of, plain));
                let element = element.trim_end();
                self.push(&format!(
                    " = ({pointer})__builtin_malloc(sizeof({element}) * ("
                ));
                self.expression(length);
                self.push("));");
            }
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
        let volatile = Quals {
            volatile: true,
            ..Quals::default()
        };
        self.push(&declare_with(USE_NAME, ty, volatile));
        self.push(" = ");
        self.argument(value);
        self.push(&format!("; (void){USE_NAME}; }}"));
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Value(expr) => self.argument(expr),
            // Declarations print it.
            Init::Room { .. } => {}
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

/// The name of an array that a statement puts on the heap.
fn on_heap(stmt: &Stmt) -> Option<&str> {
    match stmt {
        Stmt::Declare(Declaration {
            var,
            init: Some(Init::Room {
                room: Room::Heap, ..
            }),
            ..
        }) => Some(&var.name),
        _ => None,
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

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_c(Style::default(), 0))
    }
}
