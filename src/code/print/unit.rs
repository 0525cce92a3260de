//! Printing what stands outside functions: types, and functions themselves.

use super::super::ctype::{Type, Types};
use super::super::stmt::{Attribute, Function, Specifiers};
use super::super::unit::FunctionDefinition;
use super::declarator::{Quals, declare, declare_with, parameters};
use super::{Printer, Style};
use std::collections::BTreeSet;
use std::fmt;

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Attribute::Noinline => "noinline",
            Attribute::AlwaysInline => "always_inline",
            Attribute::Flatten => "flatten",
            Attribute::Cold => "cold",
            Attribute::Hot => "hot",
            Attribute::Pure => "pure",
            Attribute::Const => "const",
            Attribute::Noipa => "noipa",
            Attribute::Noclone => "noclone",
            Attribute::Unused => "unused",
            Attribute::Used => "used",
            Attribute::Aligned(to) => return write!(f, "aligned({to})"),
        })
    }
}

/// Attributes before a declaration, with a space after them.
fn attributes(list: &[Attribute]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let names: Vec<String> = list.iter().map(Attribute::to_string).collect();
    format!("__attribute__(({})) ", names.join(", "))
}

/// A declaration with all it says of the variable, without a semicolon.
pub(super) fn declare_as(name: &str, ty: &Type, specifiers: &Specifiers) -> String {
    let quals = Quals {
        constant: specifiers.constant,
        volatile: specifiers.volatile,
        restrict: false,
    };
    let storage = if specifiers.is_static { "static " } else { "" };
    let attributes = attributes(&specifiers.attributes);
    format!("{attributes}{storage}{}", declare_with(name, ty, quals))
}

/// Name, parameters and result of a function.
fn signature(function: &Function, restrict: &BTreeSet<usize>) -> String {
    let params = function.params.iter().enumerate().map(|(index, param)| {
        let quals = Quals {
            restrict: restrict.contains(&index),
            ..Quals::default()
        };
        declare_with(&param.name, &param.ty, quals)
    });
    let params = parameters(params.collect());
    declare(&format!("{}({params})", function.name), &function.result)
}

impl Function {
    /// The prototype, as a whole line.
    // Used by tests only.
    pub fn prototype(&self) -> String {
        FunctionDefinition::new_static(self.clone()).prototype()
    }

    /// The definition, as whole lines. It is `static`, so that it collides
    /// with nothing outside its file.
    // Used by tests only.
    pub fn to_c(&self, style: Style) -> String {
        FunctionDefinition::new_static(self.clone()).to_c(style)
    }
}

impl FunctionDefinition {
    fn head(&self) -> String {
        let attributes = attributes(&self.attributes);
        let storage = if self.is_static { "static " } else { "" };
        // A keyword of every compiler, also where the language is C89.
        let inline = if self.is_inline { "__inline " } else { "" };
        let signature = signature(&self.function, &self.restrict);
        format!("{attributes}{storage}{inline}{signature}")
    }

    /// The prototype, as a whole line.
    pub fn prototype(&self) -> String {
        format!("{};\n", self.head())
    }

    /// The definition, as whole lines.
    pub fn to_c(&self, style: Style) -> String {
        let mut printer = Printer::new(style);
        printer.push(&self.head());
        printer.push("\n");
        match &self.text {
            Some(text) => printer.push(text),
            None => {
                printer.body(&self.function.body, 0);
                printer.push("\n");
            }
        }
        printer.text
    }
}

impl Types {
    /// The definitions of all vectors and structs, those that others contain first.
    pub fn to_c(&self) -> String {
        let mut text = String::new();
        for ty in self.vectors() {
            if let (Type::Vector { of, .. }, Some(bytes)) = (ty, ty.vector_bytes()) {
                let (of, name) = (declare("", of), declare("", ty));
                text.push_str(&format!(
                    "typedef {of} {name} __attribute__((vector_size({bytes})));\n"
                ));
            }
        }
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
        let keyword = if record.is_union { "union" } else { "struct" };
        let (open, close) = if name.starts_with(&format!("{keyword} ")) {
            (format!("{name} {{"), "};".to_owned())
        } else {
            (format!("typedef {keyword} {{"), format!("}} {name};"))
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
