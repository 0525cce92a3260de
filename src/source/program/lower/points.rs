//! Where code may be put before a statement, once all statements have their text.

use super::statements::Body;
use crate::source::program::ids::StatementId;
use crate::source::program::statement::{Insertion, NoPoint, Role, Statement, StatementKind};

impl Body<'_, '_, '_> {
    /// Decides where code may be inserted, once the text of all statements is known.
    pub(super) fn settle(&mut self, first: usize) {
        self.distrust_overlaps(first);
        for index in first..self.lowering.statements.len() {
            if self.lowering.statements[index].insertion != Err(NoPoint::InInclude) {
                let insertion = self.insertion(StatementId::new(index));
                self.lowering.statements[index].insertion = insertion;
            }
        }
    }

    /// A statement that reaches into the text of the next ends inside a macro
    /// that goes on: `#define M 1; b()` and `if (x) a = M;`. Where it ends is
    /// then not in the text.
    fn distrust_overlaps(&mut self, first: usize) {
        let statements = &mut self.lowering.statements;
        // From the back: where the next statement outside a subtree starts is
        // known once the subtree has been passed.
        let mut starts_after: Vec<(StatementId, u32)> = Vec::new();
        for index in (first..statements.len()).rev() {
            let id = StatementId::new(index);
            while starts_after
                .last()
                .is_some_and(|&(later, _)| is_inside(statements, later, id))
            {
                starts_after.pop();
            }
            let next_start = starts_after.last().map(|&(_, start)| start);
            let statement = &mut statements[index];
            if next_start.is_some_and(|start| start < statement.span.end) {
                statement.end_is_known = false;
            }
            if statement.insertion != Err(NoPoint::InInclude) {
                starts_after.push((id, statement.span.start));
            }
        }
    }

    /// Whether and how code can be put before the statement.
    fn insertion(&self, id: StatementId) -> Result<Insertion, NoPoint> {
        let statement = &self.lowering.statements[id.index()];
        let parent = statement
            .parent
            .map(|parent| &self.lowering.statements[parent.index()]);
        if statement.role == Role::InExpression
            || parent.is_some_and(|p| p.insertion == Err(NoPoint::InStatementExpression))
        {
            return Err(NoPoint::InStatementExpression);
        }
        if statement.kind == StatementKind::Compound && statement.role != Role::Item {
            return Err(NoPoint::Body);
        }
        let text = &self.lowering.text;
        text.check_start(statement.span.start, statement.role)?;
        if text.starts_with_word(statement.span, b"__label__") {
            return Err(NoPoint::LocalLabels);
        }
        if self.is_in_list(id) {
            Ok(Insertion::Plain)
        } else if statement.end_is_known {
            Ok(Insertion::Braced)
        } else {
            Err(NoPoint::Unclear)
        }
    }

    /// Whether the statement is in the list of a block, perhaps behind labels.
    fn is_in_list(&self, id: StatementId) -> bool {
        let statement = &self.lowering.statements[id.index()];
        match (statement.role, statement.parent) {
            (Role::Item, _) => true,
            (Role::Labelled, Some(parent)) => self.is_in_list(parent),
            _ => false,
        }
    }
}

/// Whether `inner` is a descendant of `outer`.
fn is_inside(statements: &[Statement], inner: StatementId, outer: StatementId) -> bool {
    let mut parent = statements[inner.index()].parent;
    while let Some(id) = parent {
        // Parents have smaller numbers than their children.
        if id <= outer {
            return id == outer;
        }
        parent = statements[id.index()].parent;
    }
    false
}
