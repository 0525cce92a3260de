//! Follows a value through operators, variables, parameters and results to a place where it
//! can influence what the program does.
//!
//! The order of statements is ignored: a variable that holds the value once is assumed to
//! hold it everywhere. A value matters if it is stored in memory, decides a branch, or is
//! passed to a function that the program does not define. A function whose address is taken
//! is assumed to be a comparison for `qsort`, which uses only the sign of its result.

use crate::code::op::UnaryOp;
use crate::source::program::{
    ExprId, ExprKind, FunctionId, PartRole, Program, StatementKind, VariableId,
};
use std::collections::{HashMap, HashSet};

/// Uses of a value whose results are not open.
pub(super) trait Taming {
    /// Whether it is open that the value is zero.
    fn truth_is_open(&self) -> bool {
        true
    }

    /// Whether the expression that uses the value computes something that is not open. A
    /// `derived` value was itself computed from the open one.
    fn tames(&self, _program: &Program, _user: ExprId, _value: OpenExpr) -> bool {
        false
    }
}

/// An expression with an open value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenExpr {
    pub(super) id: ExprId,
    /// Whether it was computed from the original open value, so that nothing more is known
    /// about it.
    pub(super) is_derived: bool,
}

/// How a statement uses a whole expression.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// Its value is not used.
    Dropped,
    Returned(FunctionId),
    /// An `if` or a loop asks whether it is zero.
    Truth,
    Initialises(VariableId),
    /// Anything else.
    Matters,
}

/// How values flow through one program.
pub(super) struct ValueFlow<'p> {
    program: &'p Program,
    fates: HashMap<ExprId, Fate>,
    /// Where each variable is named.
    reads: HashMap<VariableId, Vec<ExprId>>,
    /// The calls of each function.
    calls: HashMap<FunctionId, Vec<ExprId>>,
}

impl<'p> ValueFlow<'p> {
    pub(super) fn new(program: &'p Program) -> ValueFlow<'p> {
        let mut flow = ValueFlow {
            program,
            fates: HashMap::new(),
            reads: HashMap::new(),
            calls: HashMap::new(),
        };
        for id in program.statement_ids() {
            let statement = program.statement(id);
            for part in &statement.parts {
                let fate = match (part.role, &statement.kind) {
                    (PartRole::Value, StatementKind::Expression) => Fate::Dropped,
                    (PartRole::Init | PartRole::Step, _) => Fate::Dropped,
                    (PartRole::Value, StatementKind::Return) => Fate::Returned(statement.function),
                    (PartRole::Condition, StatementKind::Switch { .. }) => Fate::Matters,
                    (PartRole::Condition, _) => Fate::Truth,
                    (PartRole::Declarator(variable), _) => Fate::Initialises(variable),
                    _ => Fate::Matters,
                };
                for root in program.roots(part) {
                    flow.fates.insert(root, fate);
                }
            }
        }
        for id in program.expr_ids() {
            match program.expr(id).kind {
                ExprKind::Variable(variable) => {
                    flow.reads.entry(variable).or_default().push(id);
                }
                ExprKind::Call(Some(function)) => {
                    flow.calls.entry(function).or_default().push(id);
                }
                _ => {}
            }
        }
        flow
    }

    /// Whether the value of an expression can influence what the program does.
    pub(super) fn matters(&self, value: ExprId, taming: &dyn Taming) -> bool {
        let start = OpenExpr {
            id: value,
            is_derived: false,
        };
        let mut pursuit = Pursuit {
            flow: self,
            taming,
            waiting: vec![start],
            seen: HashSet::from([start]),
        };
        while let Some(next) = pursuit.waiting.pop() {
            if pursuit.step(next) {
                return true;
            }
        }
        false
    }
}

struct Pursuit<'s, 'p> {
    flow: &'s ValueFlow<'p>,
    taming: &'s dyn Taming,
    waiting: Vec<OpenExpr>,
    seen: HashSet<OpenExpr>,
}

impl Pursuit<'_, '_> {
    fn push(&mut self, next: OpenExpr) {
        if self.seen.insert(next) {
            self.waiting.push(next);
        }
    }

    /// Goes on with expressions that have the same value.
    fn push_all(&mut self, ids: Option<&Vec<ExprId>>, value: OpenExpr) {
        for id in ids.into_iter().flatten() {
            self.push(OpenExpr { id: *id, ..value });
        }
    }

    /// Whether it is open that the value is zero.
    fn truth_is_open(&self, value: OpenExpr) -> bool {
        value.is_derived || self.taming.truth_is_open()
    }

    /// Follows a value one step; true if it matters there.
    fn step(&mut self, value: OpenExpr) -> bool {
        let program = self.flow.program;
        let Some(user) = program.expr(value.id).parent else {
            return self.meets(value);
        };
        let expr = program.expr(user);
        if !expr.is_evaluated || self.taming.tames(program, user, value) {
            return false;
        }
        let same = OpenExpr { id: user, ..value };
        let derived = OpenExpr {
            id: user,
            is_derived: true,
        };
        let is_first = program.operands(user).next() == Some(value.id);
        match expr.kind {
            // A `void` has no value to use.
            ExprKind::Cast if program.types.info(expr.ty.id).size.is_none() => {}
            ExprKind::Comma if program.operands(user).last() != Some(value.id) => {}
            // It is written, not read.
            ExprKind::Assign if is_first => {}
            ExprKind::Conditional if is_first => return self.truth_is_open(value),
            ExprKind::Unary(UnaryOp::Not) | ExprKind::Logical(_) => {
                if self.truth_is_open(value) {
                    self.push(derived);
                }
            }
            ExprKind::Cast
            | ExprKind::Comma
            | ExprKind::Conditional
            | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus) => self.push(same),
            ExprKind::Unary(UnaryOp::Complement) | ExprKind::Binary(_) => self.push(derived),
            ExprKind::Assign | ExprKind::CompoundAssign(_) => {
                let stored = if expr.kind == ExprKind::Assign {
                    same
                } else {
                    derived
                };
                self.push(stored);
                let target = program.operands(user).next();
                match target.map(|id| program.expr(id).kind) {
                    Some(ExprKind::Variable(variable)) => {
                        self.push_all(self.flow.reads.get(&variable), stored);
                    }
                    _ => return true,
                }
            }
            ExprKind::Call(Some(function)) => return self.is_passed(function, user, value),
            _ => return true,
        }
        false
    }

    fn is_passed(&mut self, function: FunctionId, call: ExprId, value: OpenExpr) -> bool {
        let program = self.flow.program;
        let Some(definition) = &program.function(function).definition else {
            return true;
        };
        let position = program
            .operands(call)
            .position(|operand| operand == value.id);
        let parameter = position.and_then(|at| definition.parameters.get(at.checked_sub(1)?));
        match parameter {
            Some(parameter) => {
                self.push_all(self.flow.reads.get(parameter), value);
                false
            }
            None => true,
        }
    }

    /// What becomes of a whole expression.
    fn meets(&mut self, value: OpenExpr) -> bool {
        let program = self.flow.program;
        match self.flow.fates.get(&value.id) {
            Some(Fate::Truth) => self.truth_is_open(value),
            Some(Fate::Initialises(variable)) => {
                self.push_all(self.flow.reads.get(variable), value);
                false
            }
            Some(Fate::Returned(function)) => {
                self.push_all(self.flow.calls.get(function), value);
                program.function(*function).name == "main"
            }
            Some(Fate::Matters) => true,
            // What no statement uses is in a static initialiser, and constant.
            Some(Fate::Dropped) | None => false,
        }
    }
}
