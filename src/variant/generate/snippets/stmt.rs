//! The statements of snippets.

use super::filler::SnippetFiller;
use super::{SnippetStyle, SnippetWriter};
use crate::code::builtin::Builtin;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::StepOp;
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::fill::fill_all;
use crate::variant::generate::idioms::IDIOMS;
use crate::variant::generate::shapes::some_template;
use crate::variant::generate::weights::{COMPOUND, ONCE_STATEMENTS, SNIPPET_STATEMENTS};
use rand::Rng;

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::variant::generate) enum SnippetStatement {
    Assign,
    Compound,
    Step,
    If,
    Return,
    Loop,
    Switch,
    Graph,
    Leave,
    Fact,
    Idiom,
    Overflow,
    Pointer,
    Copy,
    Memory,
    /// Neighbouring elements treated alike.
    Group,
    /// Members of a struct, one after the other.
    Members,
    /// A pointer that walks over an array.
    Walk,
    Vector,
    Bytes,
    /// A loop that is entered in its middle.
    Entered,
    Call,
    /// A pointer that is set anew.
    Retarget,
    /// An array whose length is computed.
    Room,
    /// Floating-point numbers that are rounded.
    Real,
    /// A loop that does not end, on a way that is never taken.
    Endless,
}

impl SnippetWriter {
    /// A block of so many statements, and what comes behind them.
    pub(super) fn block_with(
        &mut self,
        statements: u32,
        depth: u32,
        end: impl FnOnce(&mut Self, &[Var], &mut Vec<Stmt>),
    ) -> Stmt {
        let all = |writer: &mut Self| (0..statements).map(|_| writer.statement(depth)).collect();
        self.block_of(all, end)
    }

    /// A block of statements of some sort, and what comes behind them.
    pub(super) fn block_of(
        &mut self,
        statements: impl FnOnce(&mut Self) -> Vec<Stmt>,
        end: impl FnOnce(&mut Self, &[Var], &mut Vec<Stmt>),
    ) -> Stmt {
        let start = self.objects.len();
        let around = std::mem::take(&mut self.declarations);
        for _ in 0..self.one_of(&[0, 0, 1, 1, 2]) {
            self.some_local();
        }
        let mut items = statements(self);
        let locals = self.objects[start..].to_vec();
        end(self, &locals, &mut items);
        let mut all = std::mem::replace(&mut self.declarations, around);
        self.objects.truncate(start);
        all.append(&mut items);
        Stmt::Block(all)
    }

    /// A block of one or two statements.
    pub(super) fn small_block(&mut self, depth: u32) -> Stmt {
        let statements = self.one_of(&[1, 1, 2]);
        self.block_with(statements, depth, |_, _, _| {})
    }

    fn some_local(&mut self) {
        if self.has(Feature::Arrays) && self.percent(12) {
            self.local_array();
            return;
        }
        if self.percent(12) && self.local_record().is_some() {
            return;
        }
        if self.percent(25) && self.local_holder().is_some() {
            return;
        }
        let kind = self.kind();
        // What is set on some ways only is undefined on the others.
        let start = match self.dice.random_range(0..10) {
            0 => None,
            1 | 2 => Some(self.constant()),
            _ => Some(self.expr(2)),
        };
        if self.has(Feature::Qualifiers) && self.percent(5) {
            self.declare_volatile(kind, start);
        } else {
            self.declare(kind, start);
        }
    }

    /// Declares a local whose accesses are all made.
    fn declare_volatile(&mut self, kind: IntKind, start: Option<Expr>) {
        let var = self.var("x", Type::Int(kind));
        self.declarations.push(Stmt::Declare(Declaration {
            var: var.clone(),
            specifiers: Specifiers {
                volatile: true,
                ..Specifiers::default()
            },
            init: start.map(Init::Value),
        }));
        self.objects.push(var);
    }

    /// Declares a local at the beginning of the open block.
    pub(super) fn declare(&mut self, kind: IntKind, start: Option<Expr>) -> Var {
        let var = self.var("x", Type::Int(kind));
        self.declarations
            .push(Stmt::declare(&var.name, kind, start));
        self.objects.push(var.clone());
        var
    }

    /// A statement.
    pub(super) fn statement(&mut self, depth: u32) -> Stmt {
        match self.draw_statement(depth) {
            SnippetStatement::Assign => self.assignment(),
            SnippetStatement::Compound => self.compound(),
            SnippetStatement::Step => {
                let op = self.one_of(&[StepOp::PostIncrement, StepOp::PostDecrement]);
                match self.writable() {
                    Some(target) => Stmt::Expr(Expr::step(op, target)),
                    None => Stmt::Empty,
                }
            }
            SnippetStatement::If => {
                let condition = self.condition(2);
                let yes = self.small_block(depth - 1);
                if self.percent(40) {
                    let no = self.small_block(depth - 1);
                    return Stmt::if_else(condition, yes, no);
                }
                Stmt::if_then(condition, yes)
            }
            SnippetStatement::Return => {
                let condition = self.condition(1);
                let value = self.returned(1);
                Stmt::if_then(condition, Stmt::Return(value))
            }
            SnippetStatement::Loop => self.a_loop(depth - 1),
            SnippetStatement::Switch if self.percent(30) => self.switch_over_all(depth - 1),
            SnippetStatement::Switch => self.a_switch(depth - 1),
            SnippetStatement::Graph => self.jump_back(depth - 1),
            SnippetStatement::Leave => {
                let condition = self.condition(1);
                let leave = if self.loops > 0 && self.dice.random() {
                    Stmt::Continue
                } else {
                    Stmt::Break
                };
                Stmt::if_then(condition, leave)
            }
            SnippetStatement::Fact => {
                let condition = self.condition(1);
                let never = Expr::builtin(Builtin::Unreachable, vec![]);
                Stmt::if_then(condition, Stmt::Expr(never))
            }
            SnippetStatement::Idiom => self.idiom(),
            SnippetStatement::Overflow => self.overflow(),
            SnippetStatement::Pointer => self.pointer(),
            SnippetStatement::Copy => self.record_copy(),
            SnippetStatement::Memory => self.memory_call(),
            SnippetStatement::Group => self.group(),
            SnippetStatement::Members => self.members(),
            SnippetStatement::Walk => self.walk(),
            SnippetStatement::Vector if self.percent(40) => self.float_vector_block(),
            SnippetStatement::Vector => self.vector_block(),
            SnippetStatement::Bytes => self.byte_block(),
            SnippetStatement::Entered => self.jump_in(depth - 1),
            SnippetStatement::Call => self.call_statement(),
            SnippetStatement::Retarget => self.retarget(),
            SnippetStatement::Room => self.room_block(),
            SnippetStatement::Real => self.real_block(),
            SnippetStatement::Endless => self.endless(),
        }
    }

    fn draw_statement(&mut self, depth: u32) -> SnippetStatement {
        let features = self.policy.features;
        let (breakable, deep) = (self.breakable > 0, depth > 0);
        let (records, functions) = (!self.records.is_empty(), !self.snippet.functions.is_empty());
        let weights = match self.style {
            SnippetStyle::Rows => &SNIPPET_STATEMENTS,
            SnippetStyle::Once => &ONCE_STATEMENTS,
        };
        let statement = self
            .policy
            .draw_where(weights, &mut self.dice, |one| match one {
                SnippetStatement::If => deep,
                SnippetStatement::Return => features.has(Feature::Returns),
                SnippetStatement::Loop => deep && features.has(Feature::Loops),
                SnippetStatement::Switch => deep && features.has(Feature::Switches),
                SnippetStatement::Graph => deep && features.has(Feature::Gotos),
                SnippetStatement::Leave => breakable,
                SnippetStatement::Fact => features.has(Feature::Facts),
                SnippetStatement::Idiom => features.has(Feature::Idioms),
                SnippetStatement::Overflow => features.has(Feature::Builtins),
                SnippetStatement::Pointer | SnippetStatement::Retarget => {
                    features.has(Feature::Pointers)
                }
                SnippetStatement::Call => functions && features.has(Feature::Calls),
                SnippetStatement::Copy | SnippetStatement::Members => records,
                SnippetStatement::Memory => features.has(Feature::Memory),
                SnippetStatement::Group => features.has(Feature::Arrays),
                SnippetStatement::Walk => {
                    deep && features.has(Feature::Pointers) && features.has(Feature::Loops)
                }
                SnippetStatement::Vector => features.has(Feature::Vector),
                SnippetStatement::Room => features.has(Feature::Room),
                SnippetStatement::Real => features.has(Feature::Ieee),
                SnippetStatement::Bytes => features.has(Feature::Bytes),
                SnippetStatement::Entered => deep && features.has(Feature::Gotos),
                SnippetStatement::Endless => features.has(Feature::Loops),
                _ => true,
            });
        statement.unwrap_or(SnippetStatement::Assign)
    }

    /// A row that comes to such a loop is undefined, as far as inputs are concerned.
    fn endless(&mut self) -> Stmt {
        let forever = Stmt::For {
            start: None,
            condition: None,
            step: None,
            body: Stmt::Empty.into(),
        };
        if self.has(Feature::Switches) && self.percent(50) {
            let value = self.expr(1);
            let value = self.fit_for_cases(value);
            let kind = self.promoted_kind(&value);
            let first = self.near_number().clamp(-99_999, 99_999);
            let apart = self.dice.random_range(1..=3);
            let case = |number| Stmt::Case(Value::new(kind, number, self.target()));
            let items = vec![case(first), case(first + apart), forever];
            return Stmt::switch(value, Stmt::Block(items));
        }
        Stmt::if_then(self.condition(1), forever)
    }

    pub(super) fn assignment(&mut self) -> Stmt {
        let depth = match self.style {
            SnippetStyle::Rows => self.one_of(&[0, 1, 1, 2, 2, 3]),
            SnippetStyle::Once => self.one_of(&[0, 0, 1, 1, 2, 2]),
        };
        let value = self.expr(depth);
        match self.writable() {
            Some(target) => Stmt::Expr(Expr::assign(target, value)),
            None => Stmt::Empty,
        }
    }

    pub(super) fn compound(&mut self) -> Stmt {
        let features = self.policy.features;
        let op = self
            .policy
            .draw_where(&COMPOUND, &mut self.dice, |op| features.allows_operator(op));
        let depth = self.one_of(&[0, 0, 1, 2]);
        let value = self.expr(depth);
        match (op, self.writable()) {
            (Some(op), Some(target)) => Stmt::Expr(Expr::compound(op, target, value)),
            _ => Stmt::Empty,
        }
    }

    /// An idiom of several statements.
    pub(super) fn idiom(&mut self) -> Stmt {
        let template = some_template(IDIOMS, &mut self.dice);
        let terms = [self.expr(1), self.expr(1), self.expr(0)];
        let Some(statements) = template.statements() else {
            return Stmt::Empty;
        };
        let mut filler = SnippetFiller::new(self, terms);
        match fill_all(&statements, &mut filler) {
            Some(items) => Stmt::Block(items),
            None => Stmt::Empty,
        }
    }

    /// Where the result of such a function goes: the address of a variable, or a pointer.
    fn result_address(&mut self) -> Option<Expr> {
        let takes = |ty: &Type| ty.int_kind().is_some_and(|kind| kind != IntKind::Bool);
        let pointers = self.objects.iter().filter(|var| match &var.ty {
            Type::Pointer { to, .. } => takes(to),
            _ => false,
        });
        let pointers: Vec<Var> = pointers.cloned().collect();
        if !pointers.is_empty() && self.percent(60) {
            let at = self.dice.random_range(0..pointers.len());
            return Some(Expr::Var(pointers[at].clone()));
        }
        let result = self.plain_variable().filter(|var| takes(&var.ty))?;
        Some(Expr::Var(result).address_of())
    }

    /// `flag = __builtin_add_overflow(a, b, &result);`, where the result may be an operand.
    fn overflow(&mut self) -> Stmt {
        let builtin = self.one_of(&[
            Builtin::AddOverflow,
            Builtin::SubOverflow,
            Builtin::MulOverflow,
        ]);
        // Bit-fields and truths are no operands of these.
        let [left, right] = [(); 2].map(|()| {
            let kind = self.kind().promoted();
            self.expr(1).cast(kind)
        });
        let Some(result) = self.result_address() else {
            return Stmt::Empty;
        };
        let args = vec![left, right, result];
        let call = Expr::builtin(builtin, args);
        match self.writable() {
            Some(flag) if self.percent(60) => Stmt::Expr(Expr::assign(flag, call)),
            _ => {
                let then = self.assignment();
                Stmt::if_then(call, then)
            }
        }
    }
}
