//! A statement inside a loop of one turn, a `switch`, or a `do` that can be left.
//!
//! Precondition:
//! - as for `true_guard`: the text shows where the statement ends, it is no declaration,
//!   and neither labels nor types are inside;
//! - no `break` or `continue` in it means a loop or `switch` around it;
//! - all names in the new code are visible at its point; the counter's is the
//!   mutation's own, and so are those that the other arm declares;
//! - in every recorded visit the loop's start and end are one turn apart, the `switch`
//!   chooses the statement, and what leaves the `do` is false.
//!
//! Effect: the new code is put around the statement, in braces if that is an unbraced
//! body. How often a loop turns is decided before the statement runs.

use super::kind::{Effect, MutationKind, Reason, Size};
use super::prepared::LivePlace;
use super::replace_expr::simpler_values;
use super::simpler::{Prover, tree, weight};
use super::{Kind, Maker, Unfit, one_line};
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::code::value::Value;
use crate::source::edit::Edits;
use crate::source::fit;
use crate::source::outside::OwnNames;
use crate::source::program::{Insertion, Program, StatementId};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Code around a statement that runs it once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrapStmt {
    pub around: StatementId,
    pub wrapping: Wrapping,
}

/// What a statement is put into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrapping {
    /// `int counter = start; while (counter-- > 0) …`, where the start is 1.
    While { counter: Arc<str>, start: Expr },
    /// `int counter = start; do … while (counter);`, where the start is 0.
    Do { counter: Arc<str>, start: Expr },
    /// `int counter = start, end = …; for (; counter < end; counter++) …`
    For {
        counter: Arc<str>,
        start: Expr,
        end: Expr,
    },
    /// `switch (value) { case label: …; break; default: otherwise }`
    Switch {
        value: Expr,
        label: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        otherwise: Option<Stmt>,
    },
    /// `do { if (leave) break; … } while (0);`
    Leave(Expr),
}

impl Wrapping {
    fn exprs(&self) -> Vec<&Expr> {
        match self {
            Wrapping::While { start, .. } | Wrapping::Do { start, .. } => vec![start],
            Wrapping::For { start, end, .. } => vec![start, end],
            Wrapping::Switch { value, .. } => vec![value],
            Wrapping::Leave(leave) => vec![leave],
        }
    }

    /// The same with another expression at a position of [`Wrapping::exprs`].
    fn with(&self, at: usize, new: Expr) -> Wrapping {
        let mut wrapping = self.clone();
        match (&mut wrapping, at) {
            (Wrapping::While { start, .. } | Wrapping::Do { start, .. }, _)
            | (Wrapping::For { start, .. }, 0) => *start = new,
            (Wrapping::For { end, .. }, _) => *end = new,
            (Wrapping::Switch { value, .. }, _) => *value = new,
            (Wrapping::Leave(leave), _) => *leave = new,
        }
        wrapping
    }

    fn counter(&self) -> Option<&str> {
        match self {
            Wrapping::While { counter, .. }
            | Wrapping::Do { counter, .. }
            | Wrapping::For { counter, .. } => Some(counter),
            Wrapping::Switch { .. } | Wrapping::Leave(_) => None,
        }
    }

    /// Whether a `continue` inside would mean this.
    fn is_loop(&self) -> bool {
        !matches!(self, Wrapping::Switch { .. })
    }

    fn before(&self) -> String {
        match self {
            Wrapping::While { counter, start } => {
                format!("{{ int {counter} = {start}; while ({counter}-- > 0) {{ ")
            }
            Wrapping::Do { counter, start } => format!("{{ int {counter} = {start}; do {{ "),
            Wrapping::For {
                counter,
                start,
                end,
            } => format!(
                "{{ int {counter} = {start}; int {counter}_end = {end}; \
                 for (; {counter} < {counter}_end; {counter}++) {{ "
            ),
            Wrapping::Switch { value, label, .. } => {
                format!("switch ({value}) {{ case {label}: {{ ")
            }
            Wrapping::Leave(leave) => format!("do {{ if ({leave}) break; {{ "),
        }
    }

    fn after(&self) -> String {
        match self {
            Wrapping::While { .. } | Wrapping::For { .. } => " } }".into(),
            Wrapping::Do { counter, .. } => format!(" }} while ({counter}); }}"),
            Wrapping::Switch { otherwise, .. } => {
                let other = otherwise.as_ref().map_or(";".into(), one_line);
                format!(" }} break; default: {other} }}")
            }
            Wrapping::Leave(_) => " } } while (0);".into(),
        }
    }
}

impl MutationKind for WrapStmt {
    const IS_LIVE: bool = true;
    const EFFECT: Effect = Effect::Guards;

    fn statement(&self) -> StatementId {
        self.around
    }

    fn reason(&self) -> Reason<'_> {
        Reason::AsRecorded("what is put around the statement runs it exactly once")
    }

    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
        fit::enclosable(program, self.around)?;
        if fit::jumps_out(program, self.around, self.wrapping.is_loop()) {
            return Err(Unfit::Jump);
        }
        if let Some(counter) = self.wrapping.counter()
            && !own.is_own(counter)
        {
            return Err(Unfit::ForeignName(counter.to_owned()));
        }
        for expr in self.wrapping.exprs() {
            fit::names(program, self.around, own, Part::Expr(expr))?;
        }
        match &self.wrapping {
            Wrapping::Switch {
                otherwise: Some(other),
                ..
            } => fit::names(program, self.around, own, Part::Stmt(other)),
            _ => Ok(()),
        }
    }

    fn apply(&self, program: &Program, edits: &mut Edits) {
        let statement = program.statement(self.around);
        if statement.insertion == Ok(Insertion::Braced) {
            edits.brace(statement.span);
        }
        edits.wrap(
            statement.span,
            self.wrapping.before(),
            self.wrapping.after(),
        );
    }

    /// The code without the statement inside it.
    fn text(&self) -> String {
        format!("{}{}", self.wrapping.before(), self.wrapping.after())
    }

    fn size(&self) -> Size {
        let own = Size {
            statements: 2,
            edges: 2,
        };
        match &self.wrapping {
            Wrapping::Switch {
                otherwise: Some(other),
                ..
            } => own + Size::of(other),
            _ => own,
        }
    }

    fn is_taken_by(program: &Program, statement: StatementId) -> bool {
        fit::enclosable(program, statement).is_ok() && !fit::jumps_out(program, statement, true)
    }

    fn live(maker: &mut Maker<'_, '_>, place: &LivePlace<'_>) -> Option<WrapStmt> {
        if !place.takes(Kind::WrapStmt) {
            return None;
        }
        let mut view = maker.view(place);
        maker.expose(&mut view);
        let synth = &mut maker.synth;
        let counter: Arc<str> = format!("mestra_{}_k0", synth.number).into();
        let first = synth.rng.random_range(-9..100);
        let wrapping = match synth.rng.random_range(0..5) {
            0 => Wrapping::While {
                counter,
                start: synth.worth(&view, Value::int(1))?,
            },
            1 => Wrapping::Do {
                counter,
                start: synth.worth(&view, Value::int(0))?,
            },
            2 => Wrapping::For {
                counter,
                start: synth.worth(&view, Value::int(first))?,
                end: synth.worth(&view, Value::int(first + 1))?,
            },
            3 => Wrapping::Switch {
                value: synth.worth(&view, Value::int(first))?,
                label: first,
                otherwise: synth
                    .rng
                    .random_bool(0.5)
                    .then(|| synth.dead_body(place.around(), false)),
            },
            _ => Wrapping::Leave(synth.predicate(&view, false)),
        };
        Some(WrapStmt {
            around: place.site.statement,
            wrapping,
        })
    }

    fn weight(&self) -> usize {
        let exprs = self.wrapping.exprs().into_iter();
        let other = match &self.wrapping {
            Wrapping::Switch { otherwise, .. } => otherwise.as_ref(),
            _ => None,
        };
        let other = other.map_or(0, |other| weight(Part::Stmt(other)));
        exprs.map(|expr| weight(Part::Expr(expr))).sum::<usize>() + other
    }

    fn simpler(&self, prover: &Prover<'_>) -> Vec<WrapStmt> {
        let Some(view) = prover.view(self.around) else {
            return vec![];
        };
        let types = prover.types();
        let mut wrappings = Vec::new();
        for (at, expr) in self.wrapping.exprs().into_iter().enumerate() {
            let simpler = match self.wrapping {
                Wrapping::Leave(_) => {
                    let never = |leave: &Expr| view.world.truth(types, leave) == Some(false);
                    let simpler = tree::expressions(expr).into_iter();
                    simpler.filter(never).collect()
                }
                _ => simpler_values(prover, &view, expr),
            };
            wrappings.extend(simpler.into_iter().map(|new| self.wrapping.with(at, new)));
        }
        if let Wrapping::Switch {
            value,
            label,
            otherwise: Some(other),
        } = &self.wrapping
        {
            let bodies = tree::statements(other).into_iter();
            let bodies = bodies.filter(|body| types.check(body).is_ok());
            let others = std::iter::once(None).chain(bodies.map(Some));
            wrappings.extend(others.map(|otherwise| Wrapping::Switch {
                value: value.clone(),
                label: *label,
                otherwise,
            }));
        }
        let around = self.around;
        let wrappings = wrappings.into_iter();
        wrappings
            .map(|wrapping| WrapStmt { around, wrapping })
            .collect()
    }
}
