//! What code that is put into a program may name, call and jump to.
//!
//! These questions concern the seed alone; whoever makes the new code knows whether it ever
//! runs and what it does.

use super::{
    Definition, PartRole, Program, Role, SeedFunction, StatementId, StatementKind, StatementPart,
    Variable, VariableId,
};
use crate::code::stmt::USE_NAME;
use std::sync::Arc;

impl Program {
    /// Whether the statement has a `case` or `default` of a switch around it.
    pub(crate) fn has_case(&self, id: StatementId) -> bool {
        let statement = self.statement(id);
        match statement.kind {
            StatementKind::Case { .. } | StatementKind::Default { .. } => return true,
            StatementKind::Switch { .. } => return false,
            _ => {}
        }
        let mut children = statement.children.iter();
        children.any(|child| self.has_case(*child))
    }

    /// Whether the statement is a named label or has one inside.
    pub(crate) fn has_label(&self, id: StatementId) -> bool {
        let statement = self.statement(id);
        let is_label = matches!(statement.kind, StatementKind::Label { .. });
        let mut children = statement.children.iter();
        is_label || children.any(|child| self.has_label(*child))
    }

    /// Whether code that never runs may name a variable wherever it is visible.
    pub(crate) fn is_usable(&self, id: VariableId) -> bool {
        let variable = self.variable(id);
        let is_ours = variable.name.is_empty() || variable.name == USE_NAME;
        // Its declaration may be deleted.
        let may_go = !variable.is_used_elsewhere;
        // A part of it chosen by a variable would need its address.
        let has_no_address = variable.is_register && self.types.integer(variable.ty.id).is_none();
        !is_ours && !may_go && !variable.is_foreign() && !has_no_address
    }

    /// Whether a new call of a function that the program defines is sure to compile
    /// and to link.
    pub(crate) fn is_callable(&self, function: &SeedFunction) -> bool {
        let Some(definition) = &function.definition else {
            return false;
        };
        let head = definition.span.start..self.statement(definition.body()).span.start;
        let head = String::from_utf8_lossy(&self.source[head.start as usize..head.end as usize]);
        // `inline` may have no definition to link with, and an attribute such as
        // `always_inline` or `error` may make a new call an error.
        let is_special = ["inline", "__attribute__", "[["]
            .iter()
            .any(|word| head.contains(word));
        function.name != "main" && !is_special && definition.hands_off.is_empty()
    }

    /// Labels, unless a jump to one might enter the scope of something that no jump
    /// may enter: a variably modified type, or a variable with a cleanup.
    pub(crate) fn labels(&self, definition: &Definition) -> Vec<Arc<str>> {
        let text = &self.source[definition.span.range()];
        let mut labels = Vec::new();
        for id in definition.statement_ids() {
            let statement = self.statement(id);
            match &statement.kind {
                StatementKind::Label { name, .. } => labels.push(name.as_str().into()),
                StatementKind::Declaration { .. } | StatementKind::For { .. } => {
                    let is_other = |part: &StatementPart| part.role == PartRole::OtherDeclaration;
                    if statement.parts.iter().any(is_other) {
                        return vec![];
                    }
                }
                _ => {}
            }
        }
        let is_local = |variable: &&Variable| {
            variable.function.is_some_and(|function| {
                let definition_of = self.function(function).definition.as_ref();
                definition_of.map(|found| found.span) == Some(definition.span)
            })
        };
        let mut local = self.variables.iter().filter(is_local);
        let has_variable_type =
            local.any(|variable| self.types.may_be_variably_modified(variable.ty.id));
        let has_cleanup = text.windows(7).any(|word| word == b"cleanup");
        if has_variable_type || has_cleanup {
            return vec![];
        }
        labels
    }

    /// Whether `break` and `continue` have a loop or switch to leave.
    pub(crate) fn jumps(&self, at: StatementId) -> (bool, bool) {
        let (mut may_break, mut may_continue) = (false, false);
        let mut inner = self.statement(at);
        while let Some(parent) = inner.parent {
            // Jumps out of statement expressions are not supported.
            if inner.role == Role::InExpression {
                break;
            }
            inner = self.statement(parent);
            may_continue |= inner.kind.is_loop();
            may_break |= inner.kind.is_loop() || matches!(inner.kind, StatementKind::Switch { .. });
        }
        (may_break, may_continue)
    }
}
