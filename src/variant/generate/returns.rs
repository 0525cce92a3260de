//! Returns, early and last, and what functions give back.

use super::Author;
use super::feature::Feature;
use super::functions::{FunctionDraft, Purity};
use super::ledger::ActiveSet;
use super::names::{KnownVariable, VariableHome};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::stmt::{Function, Stmt};
use crate::code::types::IntKind;
use rand::seq::IndexedRandom;

/// Variables that a result takes in because nobody else has.
const IN_RESULT: usize = 4;

impl Author<'_> {
    /// `if (condition) return value;` for some of the rows, not all.
    pub(super) fn early_return(&mut self) {
        let condition = self.condition(2, 3);
        let [yes, no] = self.ledger.split(&condition.numbers.values);
        if no.is_empty() {
            return;
        }
        self.stats.condition(!yes.is_empty());
        let around = self.ledger.active().clone();
        let (returning, reached) = if yes.is_empty() {
            (around, false)
        } else {
            (yes, true)
        };
        let stmt = self.returning(returning, reached);
        self.ledger.activate(no);
        self.push(Stmt::if_then(condition.expr, stmt));
    }

    /// The return at the end of a function.
    pub(super) fn last_return(&mut self) {
        let active = self.ledger.active().clone();
        let reached = !active.is_empty();
        let Some(kind) = self.functions.last().and_then(|function| function.result) else {
            return;
        };
        if !reached {
            let value = self.literal(kind, 0);
            return self.push(Stmt::Return(Some(value.expr)));
        }
        let stmt = self.returning(active, true);
        self.push(stmt);
    }

    /// A return of the given rows; if it is not reached, they do not really return.
    fn returning(&mut self, set: ActiveSet, reached: bool) -> Stmt {
        let around = self.ledger.activate(set);
        let value = match self.functions.last().and_then(|function| function.result) {
            Some(kind) => {
                let mut term = self.expression();
                // What nobody has read yet shows in the result.
                for named in self.unread_since(self.frame_start()).iter().take(IN_RESULT) {
                    if let Some(unread) = self.held_by(named) {
                        let op = self.keeping_op();
                        term = self.combine(op, term, unread);
                    }
                }
                let values = self.cast(&term, kind).numbers.values;
                Some((term.expr, values))
            }
            None => None,
        };
        let rows = self.ledger.rows();
        self.ledger.activate(around);
        if reached && let Some(function) = self.functions.last_mut() {
            function.gone.extend(&rows);
            if let Some((_, values)) = &value {
                function
                    .returned
                    .extend(rows.into_iter().zip(values.iter().copied()));
            }
        }
        Stmt::Return(value.map(|(expr, _)| expr))
    }

    /// The result in every active row, in their order.
    pub(super) fn results(&self, draft: &FunctionDraft) -> Vec<i64> {
        let rows = self.ledger.rows();
        let of = |row: u32| {
            let returned = draft.returned.iter().find(|(other, _)| *other == row);
            returned.map_or(0, |(_, value)| *value)
        };
        rows.into_iter().map(of).collect()
    }

    /// The type of number that a new function returns, if it returns one.
    pub(super) fn number_result(
        &mut self,
        purity: Purity,
        like: Option<&Function>,
    ) -> Option<IntKind> {
        if let Some(like) = like {
            like.result.int_kind()
        } else if self.percent(85) || purity < Purity::Writes {
            Some(self.kind())
        } else {
            None
        }
    }

    /// The type of struct that a new function returns, if it returns one.
    pub(super) fn struct_result(&mut self, purity: Purity) -> Option<Type> {
        let wanted = self.policy.features.has(Feature::StructValues) && purity == Purity::Writes;
        if !wanted || !self.percent(15) {
            return None;
        }
        // One of a variable that is always in sight, to return and to keep the result in.
        let globals = self.globals.iter().map(|global| &global.named.ty);
        let types: Vec<Type> = globals
            .filter(|ty| matches!(ty, Type::Record(_)))
            .cloned()
            .collect();
        types.choose(&mut self.dice).cloned()
    }

    /// `return` of a struct in sight, which every row reaches.
    pub(super) fn return_struct(&mut self, ty: &Type) -> Option<KnownVariable> {
        let named = self.some_struct(Some(ty))?;
        self.push(Stmt::Return(Some(named.expr())));
        // What is returned is kept apart from what happens to the variable later.
        let name = self.fresh("v");
        let object = self.ledger.add_object(&name, ty.clone())?;
        let copy = KnownVariable {
            storage: VariableHome::Object(object),
            ..named.clone()
        };
        self.copy_cells(&named, &copy)?;
        Some(copy)
    }

    /// `struct = call;`, of a call that has been made.
    pub(super) fn keep_struct(&mut self, ty: &Type, result: &KnownVariable, call: Expr) {
        let Some(to) = self.writable_struct(ty) else {
            return;
        };
        if self.copy_cells(result, &to).is_some() {
            self.push(Stmt::Expr(Expr::assign(to.expr(), call)));
        }
    }
}
