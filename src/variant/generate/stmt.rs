//! Statements: each is made, run at once on the active positions, and kept.

use super::Author;
use super::expr::Term;
use super::feature::Feature;
use super::names::Holder;
use super::weights::{COMPOUND, STATEMENTS};
use crate::code::expr::Expr;
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;
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
    /// Something with integers of up to 128 bits.
    Wide,
}

impl Author<'_> {
    /// Adds statements to the innermost block.
    pub(super) fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            if self.is_spent() || self.ledger.active().is_empty() {
                return;
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let features = self.policy.features;
        let in_loop = !self.ledger.is_outermost();
        let writes = !in_loop && self.may_write_globals();
        let wide = self.has_wide();
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
                StatementChoice::Wide => wide && writes,
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
            StatementChoice::Wide => self.wide_statement(),
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
}
