//! What no run executed.
//!
//! A point counts how often control came to the place before its statement.
//! Control gets into a statement from there or by a jump to a label inside, so a
//! statement never ran if neither happened. Of a statement without a point of its
//! own only that is said which follows from others: a block begins with its first
//! statement, and all of a statement that never ran never ran.

use super::Profile;
use crate::source::program::{Program, Role, StatementId, StatementKind};

/// The statements and points that were never reached, under any compiler.
#[derive(Clone, Debug)]
pub struct Unreached {
    statements: Vec<bool>,
    points: Vec<StatementId>,
}

impl Unreached {
    pub fn new(program: &Program, profile: &Profile) -> Unreached {
        let points: Vec<StatementId> = profile
            .points
            .iter()
            .filter(|point| point.visits == 0)
            .map(|point| point.statement)
            .collect();
        Unreached::by_points(program, points)
    }

    /// What follows from the points, in order, that control never came to.
    pub(super) fn by_points(program: &Program, points: Vec<StatementId>) -> Unreached {
        let mut search = ReachSearch {
            program,
            points: &points,
            dead: vec![false; program.statements.len()],
        };
        for (_, _, definition) in program.definitions() {
            if definition.hands_off.is_empty() {
                search.mark(definition.body(), false);
            }
        }
        Unreached {
            statements: search.dead,
            points,
        }
    }

    /// Whether nothing of the statement ever ran.
    pub fn is_dead(&self, statement: StatementId) -> bool {
        self.statements[statement.index()]
    }

    /// The points that control never came to. The statement behind one may still
    /// have run: a jump to its label passes by the point.
    pub fn points(&self) -> &[StatementId] {
        &self.points
    }
}

struct ReachSearch<'a> {
    program: &'a Program,
    points: &'a [StatementId],
    dead: Vec<bool>,
}

impl ReachSearch<'_> {
    fn mark(&mut self, id: StatementId, parent_is_dead: bool) {
        let is_dead = parent_is_dead || (self.is_never_entered(id) && !self.has_reached_label(id));
        self.dead[id.index()] = is_dead;
        for child in &self.program.statement(id).children {
            self.mark(*child, is_dead);
        }
    }

    /// Whether control certainly never came to the statement's beginning; behind
    /// its label, if it has one.
    fn is_never_entered(&self, id: StatementId) -> bool {
        let statement = self.program.statement(id);
        match &statement.kind {
            StatementKind::Label { inner, .. }
            | StatementKind::Case { inner }
            | StatementKind::Default { inner } => {
                inner.is_some_and(|inner| self.is_never_entered(inner))
            }
            StatementKind::Compound if statement.insertion.is_err() => {
                let first = statement.children.first();
                first.is_some_and(|first| {
                    self.is_never_entered(*first) || self.is_unreached_point(*first)
                })
            }
            _ => self.is_unreached_point(id),
        }
    }

    fn is_unreached_point(&self, id: StatementId) -> bool {
        self.points.binary_search(&id).is_ok()
    }

    /// Whether a jump may have led into the statement, from outside or inside.
    fn has_reached_label(&self, id: StatementId) -> bool {
        let statement = self.program.statement(id);
        if statement.kind.is_labelled() && !self.is_never_entered(id) {
            return true;
        }
        let mut children = statement.children.iter();
        children.any(|child| {
            // A function with a label in a statement expression is left alone.
            self.program.statement(*child).role != Role::InExpression
                && self.has_reached_label(*child)
        })
    }
}
