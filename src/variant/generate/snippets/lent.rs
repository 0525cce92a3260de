//! Objects that a caller and what it calls both change: summaries of what a function reads,
//! writes and lets escape decide what the caller may keep, move or drop.

use super::SnippetWriter;
use crate::code::ctype::{Field, Type};
use crate::code::expr::{Callee, Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Attribute, Stmt};
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::PLAIN;
use rand::Rng;

impl SnippetWriter {
    /// One of the shapes, by what the program may have.
    pub(super) fn lent(&mut self) {
        match self.dice.random_range(0..10) {
            0..4 if self.has(Feature::BitFields) => self.set_on_both_sides(),
            4..9 if self.has(Feature::StructValues) && self.has(Feature::Loops) => {
                self.combined_records();
            }
            _ => self.pointer_passed_on(),
        }
    }

    /// The last function is called, not copied, most of the time, and its summary used.
    fn keep_call(&mut self) {
        let is_kept = self.percent(75);
        if let Some(definition) = self.snippet.functions.last_mut()
            && is_kept
        {
            definition.attributes = vec![Attribute::Noinline];
        }
    }

    /// Some members are set before a call, others in it; then all are read.
    fn set_on_both_sides(&mut self) {
        let record = self.narrow_record();
        let param = self.var("p", record.clone().pointer());
        let inside = self.some_members(&Expr::Var(param.clone()).deref(), &record);
        let result = self.constant();
        let callee = self.giving(vec![param], inside, Type::INT, result);
        self.keep_call();
        let object = if self.percent(50) {
            self.global(record.clone())
        } else {
            self.var("r", record.clone())
        };
        let is_local = !self.objects.contains(&object);
        let body = self.block_of(
            |writer| {
                if is_local {
                    let declared = Stmt::declare(&object.name, object.ty.clone(), None);
                    writer.declarations.push(declared);
                }
                let name = Expr::Var(object.clone());
                let mut items = writer.some_members(&name, &record);
                items.push(Stmt::Expr(Expr::call(
                    callee.clone(),
                    vec![name.clone().address_of()],
                )));
                if writer.percent(30) {
                    items.extend(writer.some_members(&name, &record));
                }
                items.extend(writer.read_members(&name, &record));
                items
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// A struct of narrow fields.
    pub(super) fn narrow_record(&mut self) -> Type {
        let mut fields = Vec::new();
        for number in 0..self.dice.random_range(3..=7) {
            let name = format!("m{number}");
            fields.push(match self.dice.random_range(0..10) {
                0..7 => {
                    let kind = self.one_of(&[IntKind::Int, IntKind::UInt, IntKind::UInt]);
                    let width = self.one_of(&[1, 1, 1, 2, 3, 4, 5, 7, 8, 8, 9, 12, 16, 17, 24]);
                    Field::bits(&name, kind, width)
                }
                7 | 8 => {
                    let kind = self.one_of(&[IntKind::Char, IntKind::UChar, IntKind::Short]);
                    Field::new(&name, Type::Int(kind))
                }
                _ => Field::new(&name, self.any_kind()),
            });
        }
        let name = self.fresh("struct s");
        self.types.define(&name, fields)
    }

    fn fields_of(&self, record: &Type) -> Vec<Field> {
        let Type::Record(name) = record else {
            return Vec::new();
        };
        let record = self.types.get(name);
        record.map_or_else(Vec::new, |record| record.fields.clone())
    }

    /// Some of the members are set, mostly neighbours.
    fn some_members(&mut self, object: &Expr, record: &Type) -> Vec<Stmt> {
        let fields = self.fields_of(record);
        let first = self.dice.random_range(0..fields.len().max(1));
        let count = self.one_of(&[1, 2, 2, 3]);
        let mut lines = Vec::new();
        for field in fields.iter().skip(first).take(count) {
            let value = self.constant();
            let place = object.clone().field(&field.name);
            lines.push(Stmt::Expr(Expr::assign(place, value)));
        }
        lines
    }

    /// All members that hold something, which only a run knows, go into a sum.
    fn read_members(&mut self, object: &Expr, record: &Type) -> Vec<Stmt> {
        let mut lines = Vec::new();
        for field in self.fields_of(record) {
            if self.percent(50) {
                let output = Expr::Var(self.output(field.ty.clone()));
                let member = object.clone().field(&field.name);
                lines.push(Stmt::Expr(Expr::assign(output, member)));
            }
        }
        lines
    }

    /// A struct with a pointer goes by value through one function, and another writes to what
    /// it points to.
    fn pointer_passed_on(&mut self) {
        let kind = self.counting_kind();
        let mut fields = vec![Field::new("m0", Type::Int(kind).pointer())];
        for number in 1..self.dice.random_range(1..=3) {
            let kind = self.kind();
            fields.push(Field::new(&format!("m{number}"), kind));
        }
        let name = self.fresh("struct s");
        let holder = self.types.define(&name, fields);
        // Around it another one, or nothing.
        let around = if self.percent(60) {
            let name = self.fresh("struct s");
            self.types
                .define(&name, vec![Field::new("m0", holder.clone())])
        } else {
            holder.clone()
        };
        let is_nested = around != holder;

        let param = self.var("p", holder.clone());
        let local = self.var("r", around.clone());
        let declared = Stmt::declare(&local.name, around.clone(), None);
        let inner = |object: Expr| {
            if is_nested {
                object.field("m0")
            } else {
                object
            }
        };
        let copy = Expr::assign(inner(Expr::Var(local.clone())), Expr::Var(param.clone()));
        let items = vec![declared, Stmt::Expr(copy)];
        let wrap = self.giving(vec![param], items, around.clone(), Expr::Var(local));
        self.keep_call();

        let by_value = self.percent(30);
        let ty = if by_value {
            holder.clone()
        } else {
            holder.clone().pointer()
        };
        let param = self.var("p", ty);
        let name = Expr::Var(param.clone());
        let object = if by_value { name } else { name.deref() };
        let place = object.field("m0").deref();
        let value = self.constant();
        let write = Stmt::Expr(Expr::assign(place, value));
        let given = self.constant();
        let put = self.giving(vec![param], vec![write], Type::INT, given);
        self.keep_call();

        let pass_on = |writer: &mut Self, held: Expr| {
            let wrapped = writer.var("r", around.clone());
            let call = Expr::call(wrap.clone(), vec![held]);
            let declared = Stmt::declare(&wrapped.name, around.clone(), Some(call));
            let passed = inner(Expr::Var(wrapped));
            let passed = if by_value {
                passed
            } else {
                passed.address_of()
            };
            vec![declared, Stmt::Expr(Expr::call(put.clone(), vec![passed]))]
        };
        let between = self.percent(60).then(|| {
            let param = self.var("p", holder.clone().pointer());
            let items = pass_on(self, Expr::Var(param.clone()).deref());
            let given = self.constant();
            self.giving(vec![param], items, Type::INT, given)
        });
        let output = Expr::Var(self.output(kind.into()));
        let body = self.block_of(
            |writer| {
                let start = writer.constant();
                let target = writer.declare(kind, Some(start));
                let mut items = vec![Expr::Var(target.clone()).address_of()];
                for _ in 1..writer.fields_of(&holder).len() {
                    items.push(writer.constant());
                }
                let holding = writer.var("r", holder.clone());
                writer.declare_list(holding.clone(), items);
                let held = Expr::Var(holding);
                let mut lines = match between {
                    Some(between) => {
                        let call = Expr::call(between, vec![held.address_of()]);
                        vec![Stmt::Expr(call)]
                    }
                    None => pass_on(writer, held),
                };
                lines.push(Stmt::Expr(Expr::assign(output, Expr::Var(target))));
                lines
            },
            |_, _, _| {},
        );
        self.add_test(body);
    }

    /// `a[i] = f(a[i], &a[i - 1]);`, where `f` combines the arrays in two structs.
    fn combined_records(&mut self) {
        let kind = self.kind();
        let words = self.dice.random_range(1..=5);
        let mut fields = vec![Field::new("m0", Type::Int(kind).array(words))];
        if self.percent(30) {
            let kind = self.kind();
            fields.push(Field::new("m1", kind));
        }
        let name = self.fresh("struct s");
        let inner = self.types.define(&name, fields);
        let name = self.fresh("struct s");
        let record = self
            .types
            .define(&name, vec![Field::new("m0", inner.clone())]);
        let by_value = self.var("p", record.clone());
        let pointer = self.var("p", record.clone().pointer());
        let counter = self.var("x", Type::INT);
        let i = Expr::Var(counter.clone());
        let mut items = vec![Stmt::declare(&counter.name, Type::INT, None)];
        let mut from = Expr::Var(pointer.clone()).deref().field("m0");
        if self.percent(60) {
            let within = self.var("q", inner.pointer());
            let start = Some(from.address_of());
            items.push(Stmt::declare(&within.name, within.ty.clone(), start));
            from = Expr::Var(within).deref();
        }
        let word = |inner: Expr| inner.field("m0").index(i.clone());
        let to = Expr::Var(by_value.clone()).field("m0");
        let op = self.one_of(&PLAIN);
        let combine = Stmt::Expr(Expr::compound(op, word(to), word(from)));
        items.push(Stmt::counted(i.clone(), words as i32, combine));
        let value = Expr::Var(by_value.clone());
        let callee = self.giving(vec![by_value, pointer], items, record.clone(), value);
        if self.percent(30) {
            self.keep_call();
        }
        let len = self.dice.random_range(2..=5);
        let array = self.global(record.array(len));
        let body = self.block_of(
            |writer| writer.combine_each(&callee, &array, len as i32),
            |_, _, _| {},
        );
        self.add_test(body);
    }

    fn combine_each(&mut self, callee: &Callee, array: &Var, len: i32) -> Vec<Stmt> {
        let counter = Expr::Var(self.declare(IntKind::Int, None));
        let element = |index: Expr| Expr::Var(array.clone()).index(index);
        let other = self.one_of(&[BinaryOp::Sub, BinaryOp::Sub, BinaryOp::Add]);
        let (first, last) = if other == BinaryOp::Sub {
            (1, len - 1)
        } else {
            (0, len - 2)
        };
        let by = Expr::int(1);
        let near = Expr::binary(other, counter.clone(), by);
        let near = element(near).address_of();
        let call = Expr::call(callee.clone(), vec![element(counter.clone()), near]);
        let set = Stmt::Expr(Expr::assign(element(counter.clone()), call));
        let start = Expr::assign(counter.clone(), Expr::int(first));
        let end = self.steered_sometimes(25, last);
        let condition = Expr::binary(BinaryOp::Le, counter.clone(), end);
        let next = Expr::step(StepOp::PostIncrement, counter);
        vec![Stmt::for_loop(start, condition, next, set)]
    }
}
