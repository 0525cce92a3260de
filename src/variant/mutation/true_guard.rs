//! A condition that always holds, around a statement.
//!
//! Precondition:
//! - code may be put before the statement, and the text shows where it ends;
//! - it is not a declaration, whose scope would end with the braces;
//! - it neither is nor contains a label, or a `case` of a `switch` around it: jumps
//!   would bypass the condition, which is sound but changes what is tested;
//! - it is not an empty or attributed statement, which may be a fallthrough;
//! - it has no compound literal, whose lifetime would end with the braces, and declares
//!   no type;
//! - all names in the condition and in the other branch are visible there; that
//!   branch declares none but its own;
//! - the condition is true in every recorded visit.
//!
//! Effect: `if (condition) { … }` is put around the statement, perhaps with an `else`
//! that never runs, and in braces if the statement is an unbraced body.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Kind, Maker, Unfit, one_line};
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{Insertion, Program, StatementId};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// An `if` around a statement, whose condition always holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrueGuard {
    pub around: StatementId,
    pub guard: Expr,
    /// The other branch, which never runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Stmt>,
}

impl MutationKind for TrueGuard {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Guards;

    fn statement(&self) -> StatementId {
        self.around
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        fit::enclosable(program, self.around)?;
        fit::names(program, self.around, own, Part::Expr(&self.guard))?;
        match &self.otherwise {
            Some(branch) => fit::names(program, self.around, own, Part::Stmt(branch)),
            None => Ok(()),
        }
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        let statement = program.statement(self.around);
        if statement.insertion == Ok(Insertion::Braced) {
            edits.brace(statement.span);
        }
        edits.wrap(statement.span, self.before(), self.after());
    }

    /// The code without the statement inside it.
    fn text(&self) -> String {
        format!("{}{}", self.before(), self.after())
    }

    fn size(&self) -> Size {
        let otherwise = self.otherwise.as_ref().map_or(Size::default(), Size::of);
        let guard = Size {
            statements: 1,
            edges: 1,
        };
        guard + otherwise
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        fit::enclosable(program, statement).is_ok()
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<TrueGuard> {
        if !place.takes(Kind::TrueGuard) {
            return None;
        }
        let mut view = maker.view(place);
        maker.expose(&mut view);
        let synth = &mut maker.synth;
        let guard = synth.predicate(&view, true);
        let has_else = synth.rng.random_ratio(5, 6);
        let otherwise = has_else.then(|| {
            let body = synth.dead_body(place.around(), false);
            synth.with_effect(&view, body)
        });
        Some(TrueGuard {
            around: place.site.statement,
            guard,
            otherwise,
        })
    }

    fn reason(&self) -> Reason<'_> {
        Reason::Holds {
            locals: &[],
            condition: &self.guard,
            truth: true,
        }
    }

    fn weight(&self) -> usize {
        let otherwise = self.otherwise.as_ref();
        weight(Part::Expr(&self.guard)) + otherwise.map_or(0, |body| weight(Part::Stmt(body)))
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<TrueGuard> {
        let Some(view) = prover.view(self.around) else {
            return vec![];
        };
        let types = prover.types();
        let guards = tree::expressions(&self.guard).into_iter();
        let guards = guards
            .filter(|guard| view.world.truth(types, guard) == Some(true))
            .map(|guard| TrueGuard {
                guard,
                ..self.clone()
            });
        // What never runs must be C, and may be nothing.
        let bodies = self.otherwise.iter().flat_map(|body| {
            let simpler = tree::statements(body).into_iter();
            let simpler = simpler.filter(|body| types.check(body).is_ok());
            std::iter::once(None).chain(simpler.map(Some))
        });
        let bodies = bodies.map(|otherwise| TrueGuard {
            otherwise,
            ..self.clone()
        });
        guards.chain(bodies).collect()
    }
}

impl TrueGuard {
    fn before(&self) -> String {
        format!("if ({}) {{ ", self.guard)
    }

    fn after(&self) -> String {
        match &self.otherwise {
            Some(branch) => format!(" }} else {}", one_line(branch)),
            None => " }".into(),
        }
    }
}
