//! What every visit of a point shows, told to the optimiser.
//!
//! Precondition:
//! - code may be put before the statement, and not between a fallthrough
//!   attribute and its label;
//! - all names in the fact are visible there; it is true in every recorded visit;
//! - a condition of the seed that a hint goes around is the seed's own text, on one line.
//!
//! Effect: `if (!fact) mestra_unreachable();` or `mestra_assume(fact);` stands before the
//! statement, or its condition becomes `mestra_expect((condition), 1)`. These are macros
//! of the prologue, so that compilers without the builtins take them, too.
//!
//! A hint means nothing to the program. A fact that is false is undefined behaviour, so
//! what holds for other kinds matters most here: a finding rests on facts that hold in
//! the accused compiler's own build of the seed, which confirmation observes, and on
//! sanitizers, which report a fact that is false in the variant.

use super::kind::{MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::simpler::{Prover, tree, weight};
use super::{Maker, Unfit, insert};
use crate::code::expr::Expr;
use crate::code::stmt::Part;
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{PartRole, Program, Span, StatementId, StatementKind};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// A fact before a statement, or a hint in its condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertFact {
    pub at: StatementId,
    pub fact: Fact,
}

/// What is told, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Control never gets where this is false.
    Unreachable(Expr),
    Assume(Expr),
    /// How the statement's own condition usually turns out.
    Expect(bool),
}

impl Fact {
    /// What must be true in every visit.
    fn condition(&self) -> Option<&Expr> {
        match self {
            Fact::Unreachable(condition) | Fact::Assume(condition) => Some(condition),
            Fact::Expect(_) => None,
        }
    }
}

impl MutationKind for AssertFact {
    const IS_LIVE: bool = true;

    fn statement(&self) -> StatementId {
        self.at
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        match self.fact.condition() {
            Some(condition) => {
                fit::before(program, self.at)?;
                fit::names(program, self.at, own, Part::Expr(condition))
            }
            None => tested(program, self.at).map(|_| ()),
        }
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        edits.use_macros(program);
        match &self.fact {
            Fact::Expect(usual) => {
                if let Ok(condition) = tested(program, self.at) {
                    let after = format!("), {})", u8::from(*usual));
                    edits.wrap(condition, "mestra_expect((", after);
                }
            }
            _ => insert(program, self.at, &self.text(), edits),
        }
    }

    /// The code, with a word in the place of the seed's condition.
    fn text(&self) -> String {
        match &self.fact {
            Fact::Unreachable(condition) => format!("if (!({condition})) mestra_unreachable();"),
            Fact::Assume(condition) => format!("mestra_assume(({condition}));"),
            Fact::Expect(usual) => format!("mestra_expect((condition), {});", u8::from(*usual)),
        }
    }

    fn size(&self) -> Size {
        match self.fact.condition() {
            Some(_) => Size {
                statements: 2,
                edges: 2,
            },
            None => Size::default(),
        }
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<AssertFact> {
        let at = place.site.statement;
        let is_tested = tested(place.site.program, at).is_ok();
        let fact = match maker.synth.rng.random_range(0..4) {
            0 if is_tested => Fact::Expect(maker.synth.rng.random()),
            form => {
                let view = maker.view(place);
                let condition = maker.synth.fact(&view);
                if form == 1 {
                    Fact::Assume(condition)
                } else {
                    Fact::Unreachable(condition)
                }
            }
        };
        Some(AssertFact { at, fact })
    }

    fn reason(&self) -> Reason<'_> {
        match self.fact.condition() {
            Some(condition) => Reason::Holds {
                locals: &[],
                condition,
                truth: true,
            },
            None => Reason::Hint,
        }
    }

    fn weight(&self) -> usize {
        match &self.fact {
            Fact::Unreachable(condition) => weight(Part::Expr(condition)),
            // The simpler macro is the one that more compilers take as a fact.
            Fact::Assume(condition) => weight(Part::Expr(condition)) + 1,
            Fact::Expect(_) => 0,
        }
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<AssertFact> {
        let (Some(condition), Some(view)) = (self.fact.condition(), prover.view(self.at)) else {
            return vec![];
        };
        let types = prover.types();
        let conditions = tree::expressions(condition).into_iter();
        let conditions =
            conditions.filter(|condition| view.world.truth(types, condition) == Some(true));
        let facts: Vec<Fact> = match &self.fact {
            Fact::Assume(condition) => {
                let unreachable = Fact::Unreachable(condition.clone());
                let assumed = conditions.map(Fact::Assume);
                std::iter::once(unreachable).chain(assumed).collect()
            }
            _ => conditions.map(Fact::Unreachable).collect(),
        };
        let at = self.at;
        let facts = facts.into_iter();
        facts.map(|fact| AssertFact { at, fact }).collect()
    }
}

/// The text of the condition that a statement tests, if a macro's argument may hold it:
/// that has neither directives nor, since `__LINE__` would change, several lines.
fn tested(program: &Program, at: StatementId) -> Result<Span, Unfit> {
    let statement = fit::point(program, at)?;
    let untouchable = || Unfit::Untouchable(statement.kind.name());
    let mut parts = statement.parts.iter();
    let part = parts.find(|part| part.role == PartRole::Condition);
    let is_test = !matches!(statement.kind, StatementKind::Switch { .. });
    let condition = part.filter(|_| is_test).ok_or_else(untouchable)?;
    let root = program.roots(condition).next().ok_or_else(untouchable)?;
    let span = program.expr(root).editable().ok_or_else(untouchable)?;
    if program.text(span).contains(&b'\n') {
        return Err(Unfit::SeveralLines);
    }
    Ok(span)
}
