//! A function of our own at file level: its text, and the ways in which it is called.

use crate::code::expr::Var;
use crate::code::functions::{self, CodeName, for_each_name};
use crate::code::print::{Style, declare};
use crate::code::stmt::{Attribute, Function, Part};
use crate::code::unit::FunctionDefinition;
use crate::source::fit::Unfit;
use crate::source::outside::OwnNames;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A function with all that its text says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Helper {
    pub function: Function,
    /// Functions that it calls, each behind those that it calls itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<Function>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    #[serde(default)]
    pub route: CallRoute,
}

/// Numbers that a function with a variable number of arguments passes over.
const PASSED_OVER: usize = 4;

/// What stands between a call and the function. Whatever it is, the function gets the
/// arguments and the call its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallRoute {
    #[default]
    Direct,
    /// A variable that points to the function.
    Pointer,
    /// The same, read anew for every call.
    VolatilePointer,
    /// All arguments in a struct that is returned and passed by value.
    Struct,
    /// The addresses of the arguments and of the result.
    Addresses,
    /// A function with a variable number of arguments, which passes over some numbers before
    /// ours; a direct call where the compiler is not known to have the builtins for it.
    Variadic,
}

impl CallRoute {
    pub(super) const ALL: [CallRoute; 6] = [
        CallRoute::Direct,
        CallRoute::Pointer,
        CallRoute::VolatilePointer,
        CallRoute::Struct,
        CallRoute::Addresses,
        CallRoute::Variadic,
    ];
}

impl Helper {
    /// Whether all names in it are the mutation's own.
    pub(super) fn check(&self, own: OwnNames<'_>) -> Result<(), Unfit> {
        let mut names = Vec::new();
        for function in self.functions() {
            names.push(&*function.name);
            names.extend(function.params.iter().map(|param| &*param.name));
            for_each_name(Part::Stmt(&function.body), &mut |name| match name {
                CodeName::Variable(name) | CodeName::Function(name) => names.push(name),
            });
        }
        match names.into_iter().find(|name| !own.is_own(name)) {
            Some(name) => Err(Unfit::ForeignName(name.to_owned())),
            None => Ok(()),
        }
    }

    /// All functions, each behind those that it calls.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Function> {
        self.callees.iter().chain([&self.function])
    }

    /// All functions, for an evaluator.
    pub(crate) fn by_name(&self) -> BTreeMap<Arc<str>, Function> {
        functions::by_name(self.functions())
    }

    /// The definitions, one on a line.
    pub(super) fn text(&self) -> String {
        let name = &*self.function.name;
        let body = match self.route {
            CallRoute::Direct => name.to_owned(),
            _ => format!("{name}_body"),
        };
        let params = &self.function.params;
        let each =
            |text: &dyn Fn(&Var) -> String| -> Vec<String> { params.iter().map(text).collect() };
        let declared = each(&|param| declare(&param.name, &param.ty)).join(", ");
        let passed = each(&|param| param.name.to_string()).join(", ");
        let types = each(&|param| declare("", &param.ty)).join(", ");
        let result = |name: &str| declare(name, &self.function.result);
        let mut lines: Vec<String> = self.callees.iter().map(on_one_line).collect();
        lines.push(self.defined_as(&body));
        match self.route {
            CallRoute::Direct => {}
            CallRoute::Pointer => lines.push(format!(
                "static {} = {body};",
                result(&format!("(*{name})({types})"))
            )),
            CallRoute::VolatilePointer => lines.push(format!(
                "static {} = {body};",
                result(&format!("(*volatile {name})({types})"))
            )),
            CallRoute::Struct => {
                let fields = each(&|param| format!("{};", declare(&param.name, &param.ty)));
                let set = each(&|param| format!("{name}_all.{0} = {0};", param.name));
                let got = each(&|param| format!("{name}_all.{}", param.name));
                let all = format!("struct {name}_args {name}_all");
                lines.extend([
                    format!("struct {name}_args {{ {} }};", fields.join(" ")),
                    format!(
                        "static struct {name}_args {name}_pack({declared}) \
                         {{ {all}; {} return {name}_all; }}",
                        set.join(" ")
                    ),
                    format!(
                        "static {} {{ return {body}({}); }}",
                        result(&format!("{name}_open({all})")),
                        got.join(", ")
                    ),
                    format!(
                        "static {} {{ return {name}_open({name}_pack({passed})); }}",
                        result(&format!("{name}({declared})"))
                    ),
                ]);
            }
            CallRoute::Addresses => {
                let pointers = each(&|param| {
                    let pointer = format!("*{}", param.name);
                    format!("const {}", declare(&pointer, &param.ty))
                });
                let read = each(&|param| format!("*{}", param.name));
                let addresses = each(&|param| format!("&{}", param.name));
                lines.extend([
                    format!(
                        "static void {name}_put({}, {}) {{ *{name}_to = {body}({}); }}",
                        result(&format!("*{name}_to")),
                        pointers.join(", "),
                        read.join(", ")
                    ),
                    format!(
                        "static {} {{ {}; {name}_put(&{name}_to, {}); return {name}_to; }}",
                        result(&format!("{name}({declared})")),
                        result(&format!("{name}_to")),
                        addresses.join(", ")
                    ),
                ]);
            }
            CallRoute::Variadic => lines.extend(self.variadic(&body, &declared, &passed)),
        }
        lines.join("\n") + "\n"
    }

    /// The call of a function by way of one with a variable number of arguments. So many
    /// numbers are passed over that ours come in registers and in memory.
    fn variadic(&self, body: &str, declared: &str, passed: &str) -> Vec<String> {
        let name = &*self.function.name;
        let params = self.function.params.iter();
        let locals = params.clone().map(|param| declare(&param.name, &param.ty));
        let taken = params.map(|param| {
            // What is narrower than `int` is passed as one.
            let promoted = param.ty.int_kind().map(|kind| kind.promoted().into());
            let ty = declare("", promoted.as_ref().unwrap_or(&param.ty));
            format!("{} = __builtin_va_arg({name}_list, {ty});", param.name)
        });
        let locals: Vec<String> = locals.map(|local| format!("{local};")).collect();
        let taken: Vec<String> = taken.collect();
        let result = |name: &str| declare(name, &self.function.result);
        let called = result(&format!("{name}({declared})"));
        let over = ["0"; PASSED_OVER].join(", ");
        vec![
            "#ifdef __GNUC__".into(),
            format!(
                "static {} {{ __builtin_va_list {name}_list; {} \
                 __builtin_va_start({name}_list, {name}_over); \
                 while ({name}_over-- > 0) (void)__builtin_va_arg({name}_list, int); \
                 {} __builtin_va_end({name}_list); return {body}({passed}); }}",
                result(&format!("{name}_any(int {name}_over, ...)")),
                locals.join(" "),
                taken.join(" ")
            ),
            format!("static {called} {{ return {name}_any({PASSED_OVER}, {over}, {passed}); }}"),
            "#else".into(),
            format!("static {called} {{ return {body}({passed}); }}"),
            "#endif".into(),
        ]
    }

    /// The function itself under some name, on one line.
    fn defined_as(&self, name: &str) -> String {
        joined(&FunctionDefinition {
            attributes: self.attributes.clone(),
            is_inline: self.attributes.contains(&Attribute::AlwaysInline),
            ..FunctionDefinition::new_static(Function {
                name: name.into(),
                ..self.function.clone()
            })
        })
    }

    /// Whether it calls itself.
    pub(super) fn is_recursive(&self) -> bool {
        let mut is_recursive = false;
        for_each_name(Part::Stmt(&self.function.body), &mut |name| {
            is_recursive |= name == CodeName::Function(&self.function.name);
        });
        is_recursive
    }
}

fn on_one_line(function: &Function) -> String {
    joined(&FunctionDefinition::new_static(function.clone()))
}

fn joined(definition: &FunctionDefinition) -> String {
    let text = definition.to_c(Style::default());
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.join(" ")
}
