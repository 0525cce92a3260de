//! Snippets that run once, from values that stand in the program: a few globals and pointers to
//! them, small numbers, loops that globals count, and much that never runs.
//!
//! That is what reducers leave of most programs that show a defect. With a single row of inputs,
//! nearly all of them small, most of what dice write is defined, so there can be more of it, and
//! deeper, than in a snippet that many rows have to survive.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::tree::TreePointer;
use rand::Rng;

/// Numbers that such snippets consist of.
const SMALL: [i128; 14] = [0, 0, 0, 1, 1, 1, -1, 2, 2, 3, 4, 5, 7, 8];

impl SnippetWriter {
    /// The types and numbers that the next snippet prefers.
    pub(super) fn begin_once(&mut self) {
        self.kinds = vec![IntKind::Int; self.one_of(&[1, 2, 3])];
        for _ in 0..self.one_of(&[0, 1, 1, 2]) {
            let kind = self.any_kind();
            self.kinds.push(kind);
        }
        self.numbers = vec![self.one_of(&SMALL), self.one_of(&SMALL)];
        if self.percent(25) {
            let number = self.fresh_number();
            self.numbers.push(number);
        }
        if self.percent(15) {
            // Sums that just fit.
            let most = IntKind::Int.max(self.target());
            let near = most - self.one_of(&[0, 0, 1, 3, 3_000]);
            self.numbers.extend([near, -near]);
        }
        self.length = self.dice.random_range(1..=6);
    }

    /// What a global of such a snippet starts with.
    pub(super) fn number_once(&mut self) -> i128 {
        if self.percent(40) {
            0
        } else {
            self.one_of(&SMALL)
        }
    }

    /// A test of several statements, and functions for it to call.
    pub(super) fn whole_story(&mut self) {
        for _ in 0..self.dice.random_range(1..=4) {
            let kind = self.kind();
            let var = self.global(Type::Int(kind));
            if self.has(Feature::Qualifiers) && self.percent(8) {
                self.make_volatile(&var);
            }
        }
        self.some_globals();
        if self.has(Feature::Pointers) {
            for _ in 0..self.one_of(&[0, 0, 1, 1, 2]) {
                self.global_pointer();
            }
        }
        if self.has(Feature::Structs) && self.has(Feature::Pointers) && self.percent(30) {
            self.make_holder();
        }
        if self.has(Feature::Calls) {
            for _ in 0..self.one_of(&[0, 1, 1, 2]) {
                self.worker();
            }
        }
        let statements = self.dice.random_range(2..=6);
        let body = self.test_body(statements, 3);
        self.add_test(body);
    }

    fn make_volatile(&mut self, var: &Var) {
        let mut inputs = self.snippet.inputs.iter_mut();
        if let Some(global) = inputs.find(|global| global.var == *var) {
            global.is_volatile = true;
        }
    }

    /// A function that works on the snippet's globals.
    fn worker(&mut self) {
        let types = match self.one_of(&[0, 0, 1, 1, 2]) {
            0 => Vec::new(),
            count => (0..count).map(|_| self.worker_parameter()).collect(),
        };
        let result = self.result_type();
        let statements = self.dice.random_range(1..=4);
        self.function(types, result, true, |writer| {
            (0..statements).map(|_| writer.statement(2)).collect()
        });
    }

    fn worker_parameter(&mut self) -> Type {
        match self.holder.clone() {
            Some(holder) if self.percent(25) => holder,
            Some(holder) if self.percent(35) => holder.pointer(),
            _ => self.parameter_type(),
        }
    }

    /// A global that points to another, or to a pointer to one.
    fn global_pointer(&mut self) {
        let targets = self.targets(|ty| !matches!(ty, Type::Array { .. }));
        if targets.is_empty() {
            return;
        }
        let (target, ty) = targets[self.dice.random_range(0..targets.len())].clone();
        let var = self.var("p", ty.pointer());
        let is_static = self.percent(30);
        self.objects.push(var.clone());
        self.snippet.pointers.push(TreePointer {
            var,
            start: target.address_of(),
            is_static,
        });
    }

    /// A call as a statement, which may keep the result.
    pub(super) fn call_statement(&mut self) -> Stmt {
        let at = self.dice.random_range(0..self.snippet.functions.len());
        let callee = self.snippet.functions[at].function.callee();
        let result = callee.result.clone();
        let Some(call) = self.call_of(callee, 1) else {
            return self.assignment();
        };
        match self.writable() {
            Some(target) if result.int_kind().is_some() && self.percent(70) => {
                Stmt::Expr(Expr::assign(target, call))
            }
            _ => Stmt::Expr(call),
        }
    }

    /// A pointer that points elsewhere from now on.
    pub(super) fn retarget(&mut self) -> Stmt {
        let runs = &self.runs;
        let pointers = self.objects.iter().filter_map(|var| match &var.ty {
            Type::Pointer { to, .. } if !runs.contains(var) => {
                Some((Expr::Var(var.clone()), (**to).clone()))
            }
            _ => None,
        });
        let pointers: Vec<(Expr, Type)> = pointers.collect();
        if pointers.is_empty() {
            return self.assignment();
        }
        let (mut pointer, mut to) = pointers[self.dice.random_range(0..pointers.len())].clone();
        if let Type::Pointer { to: inner, .. } = &to
            && self.percent(60)
        {
            pointer = pointer.deref();
            to = (**inner).clone();
        }
        let mut addresses = Vec::new();
        for var in self.objects.clone() {
            let name = Expr::Var(var.clone());
            match &var.ty {
                ty if *ty == to => addresses.push(name.address_of()),
                Type::Pointer { to: other, .. } if **other == to => addresses.push(name),
                Type::Array { of, len } if **of == to => {
                    let index = self.index(*len);
                    addresses.push(name.index(index).address_of());
                }
                _ => {}
            }
        }
        addresses.retain(|address| *address != pointer);
        if addresses.is_empty() {
            return self.assignment();
        }
        let at = self.dice.random_range(0..addresses.len());
        Stmt::Expr(Expr::assign(pointer, addresses[at].clone()))
    }
}
