//! Statements: each is made, run at once on the active positions, and kept.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::names::{Holder, KnownVariable, VariableHome};
use super::weights::{COMPOUND, STATEMENTS};
use crate::code::eval::operator::Numbers;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use rand::Rng;
use std::collections::BTreeSet;

/// Conditions of a hundred that are written although they can go one way only.
const ONE_WAY: u32 = 25;
/// Statements of a hundred in bodies for vector units that are conditional.
const MASKED: u32 = 15;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatementChoice {
    Assign,
    Compound,
    Step,
    /// A new local variable.
    Declare,
    If,
    Switch,
    Loop,
    Call,
    /// A pointer made to point elsewhere.
    Pointer,
    /// Something that the compiler may take for granted.
    Fact,
    /// Labelled blocks that jump to each other.
    Graph,
    /// A struct or memory copied.
    Copy,
    /// Statements that optimisers look for.
    Idiom,
    /// A return in the middle of a function.
    Return,
    /// A loop over floating-point numbers.
    Float,
    /// Something with vectors.
    Vector,
    /// Something with bytes.
    Bytes,
    /// A call through a table of function pointers.
    Table,
    /// An access to a volatile variable.
    Volatile,
    /// A new local array.
    Array,
    /// Arithmetic that says whether it overflows.
    Overflow,
}

/// A block that is being written.
#[derive(Debug, Default)]
pub(super) struct BlockDraft {
    declarations: Vec<Stmt>,
    items: Vec<Stmt>,
}

/// A place in a block.
#[derive(Debug)]
pub(super) struct Bookmark {
    declarations: usize,
    items: usize,
    locals: usize,
}

impl BlockDraft {
    pub(super) fn into_stmt(self) -> Stmt {
        let mut all = self.declarations;
        all.extend(self.items);
        Stmt::Block(all)
    }

    fn ends_with_return(&self) -> bool {
        matches!(self.items.last(), Some(Stmt::Return(_)))
    }
}

impl Author<'_> {
    /// A block of statements that the active positions run.
    pub(super) fn block(&mut self, statements: u32, depth: u32) -> Stmt {
        self.block_with(|author| author.statements(statements, depth))
    }

    /// A block whose statements are made by the given function.
    pub(super) fn block_with(&mut self, make: impl FnOnce(&mut Self)) -> Stmt {
        let locals = self.locals.len();
        self.blocks.push(BlockDraft::default());
        let region = self.enter_region();
        make(self);
        if !self.blocks.last().is_some_and(BlockDraft::ends_with_return) {
            self.save_unread(locals);
        }
        self.region = region;
        if let Some(block) = self.blocks.last_mut() {
            let usage = &self.usage;
            block.declarations.retain(|stmt| match stmt {
                Stmt::Declare(declaration) => usage.is_mentioned(&declaration.var.name),
                _ => true,
            });
        }
        let gone = self.locals.drain(locals..).map(|named| named.name);
        self.common.forget_names(gone);
        self.blocks.pop().unwrap_or_default().into_stmt()
    }

    /// Adds statements to the innermost block.
    pub(super) fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            if self.is_spent() || self.ledger.active().is_empty() {
                return;
            }
            self.statement(depth);
        }
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.stats.statements += 1;
        self.usage.note(&stmt);
        self.spend(match &stmt {
            Stmt::Expr(expr) | Stmt::Return(Some(expr)) => expr.size() as i64 + 1,
            Stmt::If { condition, .. } => condition.size() as i64 + 3,
            // What is inside was counted when it was made.
            _ => 5,
        });
        if let Some(block) = self.blocks.last_mut() {
            block.items.push(stmt);
        }
    }

    pub(super) fn push_declaration(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.declarations.push(stmt);
        }
    }

    /// Declares a variable that gets its value later.
    pub(super) fn declare_bare(&mut self, var: &Var) {
        self.push_declaration(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers::default(),
            init: None,
        }));
    }

    fn statement(&mut self, depth: u32) {
        let features = self.policy.features;
        let in_loop = !self.ledger.is_outermost();
        let writes = !in_loop && self.may_write_globals();
        let choice = self
            .policy
            .draw_where(&STATEMENTS, &mut self.dice, |choice| match choice {
                StatementChoice::If => depth > 0,
                StatementChoice::Switch => depth > 0 && features.has(Feature::Switches),
                StatementChoice::Loop => depth > 0,
                StatementChoice::Call => features.has(Feature::Calls) && !in_loop,
                StatementChoice::Pointer => features.has(Feature::Pointers) && !in_loop,
                StatementChoice::Fact => features.has(Feature::Facts),
                StatementChoice::Graph => features.has(Feature::Gotos) && !in_loop && depth > 0,
                StatementChoice::Copy => {
                    !in_loop && (features.has(Feature::Memory) || features.has(Feature::Structs))
                }
                StatementChoice::Idiom => features.has(Feature::Idioms) && !in_loop,
                StatementChoice::Return => features.has(Feature::Returns) && !in_loop,
                StatementChoice::Float => features.has(Feature::Float) && writes,
                StatementChoice::Vector => features.has(Feature::Vector) && writes,
                StatementChoice::Bytes => features.has(Feature::Bytes) && writes,
                StatementChoice::Table => {
                    let tables = features.has(Feature::FunctionPointers);
                    tables && features.has(Feature::Calls) && !in_loop
                }
                StatementChoice::Volatile => features.has(Feature::Qualifiers) && !in_loop,
                StatementChoice::Array => features.has(Feature::Arrays) && !in_loop,
                StatementChoice::Overflow => features.has(Feature::Builtins) && !in_loop,
                StatementChoice::Assign
                | StatementChoice::Compound
                | StatementChoice::Step
                | StatementChoice::Declare => true,
            });
        // Bodies for vector units have no jumps but those of inner loops, and what becomes
        // masks.
        let masked = self.simple && depth > 0 && self.percent(MASKED);
        if masked && self.percent(60) {
            return self.select();
        }
        let choice = if masked {
            Some(StatementChoice::If)
        } else {
            choice.filter(|choice| {
                let simple = [
                    StatementChoice::Compound,
                    StatementChoice::Declare,
                    StatementChoice::Loop,
                ];
                !self.simple || simple.contains(choice)
            })
        };
        match choice.unwrap_or(StatementChoice::Assign) {
            StatementChoice::Compound => self.compound(),
            StatementChoice::Step => self.step(),
            StatementChoice::Declare => self.declare_scalar(),
            StatementChoice::If => self.branch(depth),
            StatementChoice::Switch => self.switch(depth),
            StatementChoice::Loop => self.some_loop(depth),
            StatementChoice::Call => self.call_statement(),
            StatementChoice::Pointer => self.pointer_statement(),
            StatementChoice::Graph => self.goto_graph(),
            StatementChoice::Return if self.may_return() => self.early_return(),
            StatementChoice::Fact => self.fact(),
            StatementChoice::Idiom => self.idiom(),
            StatementChoice::Float => self.float_loop(),
            StatementChoice::Vector => self.vector_statement(),
            StatementChoice::Bytes => self.byte_statement(),
            StatementChoice::Table => self.table_call(),
            StatementChoice::Volatile => self.volatile_statement(),
            StatementChoice::Array => self.declare_array(),
            StatementChoice::Overflow => self.overflow_statement(),
            StatementChoice::Copy if features.has(Feature::Memory) && self.dice.random() => {
                self.memory_statement();
            }
            StatementChoice::Copy => self.copy_statement(),
            _ => self.assign(),
        }
    }

    pub(super) fn assign(&mut self) {
        let term = self.expression();
        let Some(holder) = self.writable_holder() else {
            return self.declare_with(term);
        };
        if self.usage.is_unread(&holder.expr) {
            let op = self.keeping_op();
            return self.update(&holder, op, term);
        }
        self.assign_to(&holder, term);
    }

    /// `place = condition ? term : place`, which is conditional without a jump.
    fn select(&mut self) {
        let Some(holder) = self.writable_holder() else {
            return self.assign();
        };
        let condition = self.condition(2, 3);
        let (Some(old), term) = (self.read(&holder), self.expression()) else {
            return;
        };
        let chosen = self.chosen(condition, term, old);
        self.assign_to(&holder, chosen);
    }

    /// Where a block is now, to go back to if what was begun does not work out.
    pub(super) fn bookmark(&self) -> Bookmark {
        let block = self.blocks.last();
        Bookmark {
            declarations: block.map_or(0, |block| block.declarations.len()),
            items: block.map_or(0, |block| block.items.len()),
            locals: self.locals.len(),
        }
    }

    /// Takes back what a block got since; nothing but new locals may have been written.
    pub(super) fn go_back(&mut self, mark: &Bookmark) {
        if let Some(block) = self.blocks.last_mut() {
            block.declarations.truncate(mark.declarations);
            block.items.truncate(mark.items);
        }
        self.locals.truncate(mark.locals);
        self.common = super::common::CommonRing::default();
    }

    pub(super) fn assign_to(&mut self, holder: &Holder, term: Term) {
        self.store(holder, &term);
        self.push(Stmt::Expr(Expr::assign(holder.expr.clone(), term.expr)));
    }

    fn compound(&mut self) {
        let op = self.draw(&COMPOUND);
        let term = self.expression();
        let Some(holder) = self.writable_holder() else {
            return self.declare_with(term);
        };
        self.update(&holder, op, term);
    }

    /// `holder op= term`, or the assignment of the repaired operation.
    pub(super) fn update(&mut self, holder: &Holder, op: BinaryOp, term: Term) {
        let Some(old) = self.read(holder) else {
            return self.assign_to(holder, term);
        };
        match self.apply(op, &old, &term) {
            Some(result) => {
                self.store(holder, &result);
                let compound = Expr::compound(op, holder.expr.clone(), term.expr);
                self.push(Stmt::Expr(compound));
            }
            None => {
                let repaired = self.combine(op, old, term);
                self.assign_to(holder, repaired);
            }
        }
    }

    fn step(&mut self) {
        let Some(holder) = self.writable_holder() else {
            return;
        };
        // Whether `++` of a full bit-field is defined is unclear.
        if holder.bits.is_some() || holder.kind == IntKind::Bool {
            return self.assign();
        }
        let Some(old) = self.read(&holder) else {
            return;
        };
        let op = StepOp::ALL[self.dice.random_range(0..4)];
        let one = self.literal(IntKind::Int, 1);
        if let Some(result) = self.apply(op.binary(), &old, &one) {
            self.store(&holder, &result);
            self.push(Stmt::Expr(Expr::step(op, holder.expr)));
        }
    }

    fn declare_scalar(&mut self) {
        let term = self.expression();
        self.declare_with(term);
    }

    /// A new local that starts with a term.
    pub(super) fn declare_with(&mut self, term: Term) {
        let kind = if self.percent(60) {
            term.numbers.kind
        } else {
            self.kind()
        };
        let features = self.policy.features;
        let qualified = features.has(Feature::Qualifiers) && self.percent(15);
        // It is assigned at once, so it does not matter that it keeps its value.
        let is_static = self.may_write_globals() && self.ledger.is_outermost();
        if qualified && is_static && self.percent(30) {
            let holder = self.new_local(kind, &term, true);
            return self.push(Stmt::Expr(Expr::assign(holder.expr, term.expr)));
        }
        self.start_local(kind, term, qualified);
    }

    /// Declares a local that starts with a term.
    pub(super) fn start_local(&mut self, kind: IntKind, term: Term, constant: bool) -> Holder {
        let (named, holder) = self.add_scalar(kind, &term, !constant);
        self.push(Stmt::Declare(Declaration {
            var: Var {
                name: named.name.clone(),
                ty: named.ty.clone(),
            },
            specifiers: Specifiers {
                constant,
                ..Specifiers::default()
            },
            init: Some(Init::Value(term.expr)),
        }));
        self.locals.push(named);
        holder
    }

    /// A new local that holds a term; the caller assigns it.
    pub(super) fn new_local(&mut self, kind: IntKind, term: &Term, is_static: bool) -> Holder {
        let (named, holder) = self.add_scalar(kind, term, true);
        self.push_declaration(Stmt::Declare(Declaration {
            var: Var {
                name: named.name.clone(),
                ty: named.ty.clone(),
            },
            specifiers: Specifiers {
                is_static,
                ..Specifiers::default()
            },
            init: None,
        }));
        self.locals.push(named);
        holder
    }

    /// A new scalar that holds a term and is not in sight yet.
    fn add_scalar(
        &mut self,
        kind: IntKind,
        term: &Term,
        writable: bool,
    ) -> (KnownVariable, Holder) {
        let name = self.fresh("x");
        let storage = if self.ledger.is_outermost() {
            let object = self.ledger.add_object(&name, kind.into());
            VariableHome::Object(object.expect("a scalar type is complete"))
        } else {
            let zero = vec![0; self.ledger.len()];
            VariableHome::Body(self.ledger.add_local(&zero))
        };
        let named = KnownVariable {
            name: name.as_str().into(),
            ty: kind.into(),
            storage,
            writable,
            global: false,
        };
        let holder = self
            .scalar_of(&named, true)
            .expect("a scalar is its own holder");
        self.store(&holder, term);
        (named, holder)
    }

    fn branch(&mut self, depth: u32) {
        // Where one position is left, it goes one way only.
        if self.ledger.len() < 2 && !self.percent(ONE_WAY) {
            return self.assign();
        }
        let condition = self.condition(3, 4);
        let [yes, no] = self.ledger.split(&condition.numbers.values);
        self.stats.condition(!yes.is_empty() && !no.is_empty());
        let count = self.dice.random_range(1..=if self.simple { 1 } else { 4 });
        let other = self.percent(50);
        let yes_stmt = if yes.is_empty() {
            self.dead_arm()
        } else {
            self.arm(yes, count, depth - 1)
        };
        let no_count = if other {
            self.dice.random_range(1..=3)
        } else {
            0
        };
        let no_stmt = if no.is_empty() && other {
            self.dead_arm()
        } else {
            self.arm(no, no_count, depth - 1)
        };
        let stmt = match (yes_stmt, no_stmt) {
            (None, None) => return,
            (Some(yes), None) => Stmt::if_then(self.hinted(condition.expr), yes),
            (yes, Some(no)) => {
                Stmt::if_else(condition.expr, yes.unwrap_or(Stmt::Block(vec![])), no)
            }
        };
        self.push(stmt);
    }

    /// The statements that some of the active positions run; `None` if there are none.
    fn arm(&mut self, set: super::ledger::ActiveSet, count: u32, depth: u32) -> Option<Stmt> {
        if set.is_empty() || count == 0 {
            return None;
        }
        let around = self.ledger.activate(set);
        let block = self.block(count, depth);
        self.rejoin(around);
        Some(block)
    }

    /// Makes the positions around an arm active again, but for those that have returned.
    fn rejoin(&mut self, around: super::ledger::ActiveSet) {
        self.ledger.activate(around);
        if let Some(function) = self.functions.last()
            && !function.gone.is_empty()
            && self.ledger.is_outermost()
        {
            let gone = function.gone.clone();
            self.ledger.drop_rows(&gone);
        }
    }

    fn switch(&mut self, depth: u32) {
        let value = self.small_expression();
        let kind = value.numbers.kind.promoted();
        let seen: BTreeSet<i64> = value.numbers.values.iter().copied().collect();
        let mut cases: Vec<i64> = seen.into_iter().take(5).collect();
        // Cases beside those that are taken, for tables and ranges.
        for _ in 0..self.dice.random_range(1..=5) {
            let near = cases.first().copied().unwrap_or(0);
            let other = near.wrapping_add(self.dice.random_range(-4..=8));
            let other = Value::new(kind, other.into(), self.target()).carrier();
            if !cases.contains(&other) {
                cases.push(other);
            }
        }
        let left_out = self.percent(20);
        if left_out {
            cases.remove(0);
        }
        let mut items = Vec::new();
        let mut rest = value.numbers.values.clone();
        let around = self.ledger.active().clone();
        for case in cases {
            items.push(Stmt::Case(Value::from_carrier(kind, case)));
            let truth: Vec<i64> = rest.iter().map(|value| i64::from(*value == case)).collect();
            let [taken, others] = self.ledger.split(&truth);
            let count = self.dice.random_range(1..=3);
            if let Some(arm) = self.arm(taken, count, depth - 1) {
                items.push(arm);
            } else if self.percent(30) {
                // Falls through, to what other positions run.
                continue;
            }
            items.push(Stmt::Break);
            rest.retain(|value| *value != case);
            self.ledger.activate(others);
        }
        items.push(Stmt::Default);
        let others = self.ledger.active().clone();
        if let Some(arm) = self.arm(others, 2, depth - 1) {
            items.push(arm);
        }
        items.push(Stmt::Break);
        self.rejoin(around);
        self.push(Stmt::switch(value.expr, Stmt::Block(items)));
    }

    /// A term of the given values, for what C computes in a way of its own.
    pub(super) fn term(expr: Expr, kind: IntKind, values: Vec<i64>) -> Term {
        Term {
            expr,
            numbers: Numbers { kind, values },
        }
    }
}
