//! The functions of a snippet, and what is passed to them: numbers that have to do with each
//! other, and pointers into the same array.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Attribute, Function, Stmt};
use crate::code::unit::FunctionDefinition;
use crate::variant::generate::feature::Feature;
use rand::Rng;

impl SnippetWriter {
    /// A function of a few parameters, and a test that calls it.
    pub(super) fn function_and_call(&mut self) {
        let with_globals = self.percent(30);
        if with_globals {
            self.some_globals();
        }
        if self.percent(20) {
            self.helper();
        }
        let callee = self.helper();
        self.test_of(&callee);
    }

    /// A test that calls a function once or twice.
    pub(super) fn test_of(&mut self, callee: &Callee) {
        let mut items = Vec::new();
        // The second call may find a clone that was made for the first.
        for _ in 0..self.one_of(&[1, 1, 1, 2]) {
            items.push(self.tested_call(callee));
        }
        self.add_test(Stmt::Block(items));
    }

    /// A call whose result is kept.
    fn tested_call(&mut self, callee: &Callee) -> Stmt {
        let base = if self.percent(35) {
            let kind = self.kind();
            Some(self.global(Type::Int(kind)))
        } else {
            None
        };
        let args = callee.params.iter();
        let args = args.map(|ty| self.argument(ty, base.as_ref())).collect();
        let call = Expr::call(callee.clone(), args);
        if callee.result == Type::Void {
            return Stmt::Expr(call);
        }
        let output = self.output(callee.result.clone());
        Stmt::Expr(Expr::assign(Expr::Var(output), call))
    }

    /// A function of the snippet, which those that are written later can call.
    pub(super) fn helper(&mut self) -> Callee {
        let result = self.result_type();
        let mut types = vec![self.parameter_type()];
        for _ in 0..self.dice.random_range(0..=2) {
            // Pointers of one type may point into the same array.
            let ty = match &types[0] {
                pointer @ Type::Pointer { .. } if self.percent(50) => pointer.clone(),
                _ => self.parameter_type(),
            };
            types.push(ty);
        }
        if matches!(result, Type::Record(_)) {
            // What it gives is what it was given, changed.
            types[0] = result.clone();
        }
        let statements = if self.percent(35) {
            0
        } else {
            self.dice.random_range(1..=4)
        };
        let with_globals = self.percent(40);
        self.function(types, result, with_globals, |writer| {
            (0..statements).map(|_| writer.statement(2)).collect()
        })
    }

    /// A function of such parameters, with such statements before its last `return`.
    pub(super) fn function(
        &mut self,
        types: Vec<Type>,
        result: Type,
        with_globals: bool,
        statements: impl FnOnce(&mut Self) -> Vec<Stmt>,
    ) -> Callee {
        let around = std::mem::take(&mut self.objects);
        if with_globals {
            let globals = self.snippet.inputs.iter().map(|global| global.var.clone());
            let pointers = self.snippet.pointers.iter();
            let pointers = pointers.map(|pointer| pointer.var.clone());
            self.objects.extend(globals.chain(pointers));
        }
        let mut params = Vec::new();
        for ty in types {
            let is_run = self.points_to_run(&ty);
            let param = self.var("p", ty);
            self.objects.push(param.clone());
            if is_run {
                self.runs.push(param.clone());
            }
            params.push(param);
        }
        self.result = Some(result.clone());
        let body = self.block_of(statements, |writer, locals, items| {
            let value = writer.result_of(&result, locals);
            items.push(Stmt::Return(Some(value)));
        });
        self.result = None;
        self.objects = around;
        self.define(params, result, body)
    }

    /// A function that ends with `return value;`.
    pub(super) fn giving(
        &mut self,
        params: Vec<Var>,
        mut items: Vec<Stmt>,
        result: Type,
        value: Expr,
    ) -> Callee {
        items.push(Stmt::Return(Some(value)));
        self.define(params, result, Stmt::Block(items))
    }

    /// Adds a function to the snippet.
    fn define(&mut self, params: Vec<Var>, result: Type, body: Stmt) -> Callee {
        let function = Function {
            name: self.fresh("f").as_str().into(),
            result,
            params,
            body: body.into(),
        };
        let callee = function.callee();
        let definition = self.dressed(function);
        self.snippet.functions.push(definition);
        callee
    }

    /// The type of a parameter.
    pub(super) fn parameter_type(&mut self) -> Type {
        let record = self.some_known_record();
        if let Some(record) = &record
            && self.has(Feature::StructValues)
            && self.percent(8)
        {
            return record.clone();
        }
        if self.has(Feature::Pointers) && self.percent(25) {
            if let Some(record) = record
                && self.percent(25)
            {
                return record.pointer();
            }
            let kind = Type::Int(self.kind());
            if self.has(Feature::Arrays) && self.percent(20) {
                return kind.array(self.length).pointer();
            }
            return kind.pointer();
        }
        Type::Int(self.kind())
    }

    pub(super) fn result_type(&mut self) -> Type {
        match self.some_known_record() {
            Some(record) if self.has(Feature::StructValues) && self.percent(15) => record,
            _ => Type::Int(self.kind()),
        }
    }

    /// Whether a pointer of a type is passed the address of one of several elements.
    fn points_to_run(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer { to, .. } => {
                self.has(Feature::Arrays)
                    && matches!(**to, Type::Int(_) | Type::Record(_))
                    && self.holder.as_ref() != Some(&**to)
            }
            _ => false,
        }
    }

    /// What a function gives: an expression that has to do with what its locals hold.
    fn result_of(&mut self, ty: &Type, locals: &[Var]) -> Expr {
        if let Some(record) = self.returned_record(ty) {
            return record;
        }
        let depth = self.dice.random_range(1..=3);
        let numbers = locals.iter().filter(|local| local.ty.int_kind().is_some());
        let mut value = None;
        for local in numbers.rev().take(2) {
            let local = Expr::Var(local.clone());
            value = Some(match value {
                None => local,
                Some(value) => {
                    let op = self.one_of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor]);
                    Expr::binary(op, value, local)
                }
            });
        }
        match value {
            Some(value) if self.percent(75) => value,
            _ => self.expr(depth),
        }
    }

    /// What `return` gives in the middle of a function.
    pub(super) fn returned(&mut self, depth: u32) -> Option<Expr> {
        let ty = self.result.clone()?;
        let record = self.returned_record(&ty);
        Some(record.unwrap_or_else(|| self.expr(depth)))
    }

    fn dressed(&mut self, function: Function) -> FunctionDefinition {
        let mut definition = if self.percent(50) {
            FunctionDefinition::new_static(function)
        } else {
            FunctionDefinition::new(function)
        };
        definition.attributes = self.some_attributes();
        if definition.attributes.is_empty()
            && definition.is_static
            && self.has(Feature::Attributes)
            && self.percent(20)
        {
            definition.is_inline = true;
            definition.attributes.push(Attribute::AlwaysInline);
        }
        definition
    }

    /// What keeps a function apart from its callers, sometimes.
    pub(super) fn some_attributes(&mut self) -> Vec<Attribute> {
        let attribute = match self.dice.random_range(0..10) {
            0..3 => Attribute::Noipa,
            3 | 4 => Attribute::Noinline,
            _ => return Vec::new(),
        };
        if self.has(Feature::Attributes) {
            vec![attribute]
        } else {
            Vec::new()
        }
    }

    /// What a test passes for a parameter of a type; numbers may be near to a variable that
    /// other arguments are near to as well.
    fn argument(&mut self, ty: &Type, base: Option<&Var>) -> Expr {
        match ty {
            Type::Pointer { to, .. } if self.points_to_run(ty) && self.percent(85) => {
                self.element_address(to)
            }
            Type::Pointer { to, .. } => {
                // The same object may be passed twice.
                let known = self.objects.iter().filter(|var| var.ty == **to);
                let known: Vec<Var> = known.cloned().collect();
                let var = if !known.is_empty() && self.percent(50) {
                    let at = self.dice.random_range(0..known.len());
                    known[at].clone()
                } else {
                    self.global((**to).clone())
                };
                Expr::Var(var).address_of()
            }
            Type::Int(_) => {
                if let Some(base) = base
                    && self.percent(80)
                {
                    return self.near(base.clone());
                }
                match self.plain_variable() {
                    Some(var) if self.percent(30) => self.near(var),
                    _ if self.percent(20) => self.constant(),
                    _ => Expr::Var(self.global(ty.clone())),
                }
            }
            _ => Expr::Var(self.global(ty.clone())),
        }
    }

    /// A variable with something added, or as it is.
    pub(super) fn near(&mut self, var: Var) -> Expr {
        let var = Expr::Var(var);
        if self.percent(15) {
            return var;
        }
        let op = self.one_of(&[
            BinaryOp::Add,
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::BitXor,
        ]);
        Expr::binary(op, var, self.constant())
    }

    /// The address of an element with more behind it, most often of an array that is passed
    /// already.
    fn element_address(&mut self, of: &Type) -> Expr {
        let arrays = self.objects.iter().filter(|var| match &var.ty {
            Type::Array { of: element, len } => **element == *of && *len > 1,
            _ => false,
        });
        let arrays: Vec<Var> = arrays.cloned().collect();
        let array = if !arrays.is_empty() && self.percent(70) {
            arrays[self.dice.random_range(0..arrays.len())].clone()
        } else {
            let more = self.dice.random_range(0..=4);
            self.global(of.clone().array(self.length + more))
        };
        let last = super::memory::length_of(&array.ty) - 1;
        let at = self.one_of(&[0, 0, 0, 1, 1, 2]).min(last as i32);
        Expr::Var(array).index(Expr::int(at)).address_of()
    }

    /// A call of a function that the snippet has, as a number.
    pub(super) fn call(&mut self, depth: u32) -> Expr {
        let at = self.dice.random_range(0..self.snippet.functions.len());
        let callee = self.snippet.functions[at].function.callee();
        let result = callee.result.clone();
        let call = self.call_of(callee, depth);
        match call.and_then(|call| self.scalar_in(call, &result)) {
            Some(number) => number,
            None => self.leaf(),
        }
    }

    /// A call of a function that gives something of a type.
    pub(super) fn call_giving(&mut self, ty: &Type) -> Option<Expr> {
        let callees = self.snippet.functions.iter();
        let mut callees = callees.map(|one| one.function.callee());
        let callee = callees.find(|callee| callee.result == *ty)?;
        self.call_of(callee, 1)
    }

    pub(super) fn call_of(&mut self, callee: Callee, depth: u32) -> Option<Expr> {
        let args = callee.params.iter();
        let args = args.map(|ty| self.call_argument(ty, depth));
        let args = args.collect::<Option<Vec<Expr>>>()?;
        Some(Expr::call(callee, args))
    }

    fn call_argument(&mut self, ty: &Type, depth: u32) -> Option<Expr> {
        if ty.int_kind().is_some() {
            return Some(if self.percent(15) {
                let small = self.dice.random_range(-1..=6);
                self.steered(small)
            } else if self.percent(40) {
                self.constant()
            } else {
                self.expr(depth)
            });
        }
        let (wanted, is_pointer) = match ty {
            Type::Pointer { to, .. } => (&**to, true),
            _ => (ty, false),
        };
        let mut fitting = Vec::new();
        for var in self.objects.clone() {
            let name = Expr::Var(var.clone());
            match &var.ty {
                own if own == ty => fitting.push(name),
                own if own == wanted => fitting.push(name.address_of()),
                Type::Array { of, len } if **of == *wanted => {
                    let index = if self.percent(50) {
                        Expr::int(0)
                    } else {
                        self.index(*len)
                    };
                    let element = name.index(index);
                    fitting.push(if is_pointer {
                        element.address_of()
                    } else {
                        element
                    });
                }
                _ => {}
            }
        }
        let at = self.dice.random_range(0..fitting.len().max(1));
        fitting.into_iter().nth(at)
    }
}
