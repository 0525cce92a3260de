//! What a kind of mutation is: the trait that each kind implements in its own file,
//! and the one place that tells them apart.

use super::prepared::{LivePlace, Prepared};
use super::simpler::Prover;
use super::{Helper, Maker, Unfit, insert};
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::source::edit::Edits;
use crate::source::outside::OwnNames;
use crate::source::program::{Program, Span, StatementId};
use std::fmt;

/// A kind of mutation. A value of the type is one change, complete as data; the
/// functions without `self` are about the kind as a whole.
pub(crate) trait MutationKind: Sized {
    /// Whether it can be made where code is executed.
    const IS_LIVE: bool;

    const EFFECT: Effect = Effect::Inserts;

    /// The statement it stands at.
    fn statement(&self) -> StatementId;

    /// Whether it can be made to a program; safe to ask of any. `own` says what it may
    /// name and declare besides the program's own.
    fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit>;

    /// Makes the change, which puts its text before the statement unless a kind says
    /// otherwise; the check must have passed.
    fn apply(&self, program: &Program, edits: &mut Edits) {
        insert(program, self.statement(), &self.text(), edits);
    }

    /// The code that is put in, on one line; empty for a deletion.
    fn text(&self) -> String;

    fn size(&self) -> Size;

    /// Whether an executed statement takes it, asked of kinds with a picky effect only.
    fn is_taken_by(_program: &Program, _statement: StatementId) -> bool {
        true
    }

    /// Whether the program has what live ones are made of.
    fn has_material(_prepared: &Prepared<'_>) -> bool {
        true
    }

    /// One for an executed point, if the dice find any.
    fn live(_maker: &mut Maker<'_, '_>, _place: &LivePlace<'_>) -> Option<Self> {
        None
    }

    /// Whether the program has a place for one where nothing runs.
    fn has_dead_place(_prepared: &Prepared<'_>) -> bool {
        false
    }

    /// One where nothing runs, at a place of the dice's choice.
    fn dead(_maker: &mut Maker<'_, '_>) -> Option<Self> {
        None
    }

    /// How far it is from the simplest one; see [`super::simpler::weight`].
    fn weight(&self) -> usize {
        0
    }

    /// Why it changes nothing that the program does.
    fn reason(&self) -> Reason<'_>;

    /// Those that are one step simpler and that the prover shows to be as harmless.
    fn simpler(&self, _prover: &Prover<'_>) -> Vec<Self> {
        vec![]
    }
}

/// What a mutation does to the statement it stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Code is put before it.
    Inserts,
    /// Control may pass by it; a second one would add nothing.
    Guards,
    /// Something in it is replaced; a second one might be about the same.
    Rewrites,
    /// A value in it is computed in another way, which is lost where nothing depends on the
    /// value; a second one might be about the same.
    Recomputes,
    /// It is gone, and so are all changes inside it.
    Deletes,
}

impl Effect {
    /// Whether some statements that code may be put before do not take it: those in which
    /// there is nothing to guard or to replace.
    pub(crate) fn is_picky(self) -> bool {
        matches!(self, Effect::Guards | Effect::Rewrites | Effect::Recomputes)
    }

    /// Whether two such changes of one statement may be about the same expression.
    pub(crate) fn competes_with(self, other: Effect) -> bool {
        let replaces = |effect| matches!(effect, Effect::Rewrites | Effect::Recomputes);
        replaces(self) && replaces(other)
    }
}

/// Why a mutation changes nothing that a program does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason<'r> {
    /// Control never comes there.
    Unreached,
    /// A condition has this truth in every visit, behind locals of the mutation's own.
    Holds {
        locals: &'r [Stmt],
        condition: &'r Expr,
        truth: bool,
    },
    /// The code leaves all variables of the seed as they were.
    Restores(&'r Stmt),
    /// An expression has the value of the text in whose place it stands. The variable
    /// `original` in it stands for that text.
    SameValue {
        operand: Span,
        by: &'r Expr,
        original: &'static str,
        /// A function of ours that it calls.
        helper: Option<&'r Helper>,
    },
    /// It says something about speed only.
    Hint,
    /// As its kind is made, whatever values there are.
    ByConstruction(&'static str),
    /// By the values of every visit, in a way that is not checked again.
    AsRecorded(&'static str),
}

/// How much code a mutation puts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub statements: u32,
    /// Edges of the control-flow graph that start in these statements.
    pub edges: u32,
}

impl Size {
    /// The size of a tree: a condition has two edges, other statements have one.
    pub(super) fn of(stmt: &Stmt) -> Size {
        let (statements, edges) = match stmt {
            Stmt::Block(_) => (0, 0),
            Stmt::If { .. } | Stmt::While { .. } | Stmt::Do { .. } | Stmt::For { .. } => (1, 2),
            _ => (1, 1),
        };
        let own = Size { statements, edges };
        stmt.parts().into_iter().fold(own, |sum, part| match part {
            Part::Stmt(inner) => sum + Size::of(inner),
            Part::Expr(_) => sum,
        })
    }
}

impl std::ops::Add for Size {
    type Output = Size;

    fn add(self, other: Size) -> Size {
        Size {
            statements: self.statements + other.statements,
            edges: self.edges + other.edges,
        }
    }
}

/// Declares [`Change`], [`Kind`] and their methods from the list of kinds: each is the
/// module it is in, which is its name in records, and its type.
macro_rules! kinds {
    ($($module:ident::$Kind:ident,)*) => {
        /// What is changed.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Change {
            $($Kind($Kind),)*
        }

        /// The kinds of mutations, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($Kind,)*
        }

        impl Kind {
            pub const ALL: [Kind; [$(Kind::$Kind),*].len()] = [$(Kind::$Kind),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$Kind => stringify!($module),)*
                }
            }

            pub(crate) fn is_live(self) -> bool {
                match self {
                    $(Kind::$Kind => $Kind::IS_LIVE,)*
                }
            }

            pub(crate) fn effect(self) -> Effect {
                match self {
                    $(Kind::$Kind => $Kind::EFFECT,)*
                }
            }

            pub(crate) fn is_taken_by(self, program: &Program, statement: StatementId) -> bool {
                match self {
                    $(Kind::$Kind => $Kind::is_taken_by(program, statement),)*
                }
            }

            pub(crate) fn has_material(self, prepared: &Prepared<'_>) -> bool {
                match self {
                    $(Kind::$Kind => $Kind::has_material(prepared),)*
                }
            }

            pub(crate) fn has_dead_place(self, prepared: &Prepared<'_>) -> bool {
                match self {
                    $(Kind::$Kind => $Kind::has_dead_place(prepared),)*
                }
            }

            /// A change for an executed point, if the dice find any.
            pub(crate) fn live(
                self,
                maker: &mut Maker<'_, '_>,
                place: &LivePlace<'_>,
            ) -> Option<Change> {
                match self {
                    $(Kind::$Kind => $Kind::live(maker, place).map(Change::$Kind),)*
                }
            }

            /// A change where nothing runs, if the dice find any.
            pub(crate) fn dead(self, maker: &mut Maker<'_, '_>) -> Option<Change> {
                match self {
                    $(Kind::$Kind => $Kind::dead(maker).map(Change::$Kind),)*
                }
            }
        }

        impl Change {
            fn kind(&self) -> Kind {
                match self {
                    $(Change::$Kind(_) => Kind::$Kind,)*
                }
            }

            fn statement(&self) -> StatementId {
                match self {
                    $(Change::$Kind(change) => change.statement(),)*
                }
            }

            fn check(&self, own: OwnNames<'_>, program: &Program) -> Result<(), Unfit> {
                match self {
                    $(Change::$Kind(change) => change.check(own, program),)*
                }
            }

            fn apply(&self, program: &Program, edits: &mut Edits) {
                match self {
                    $(Change::$Kind(change) => change.apply(program, edits),)*
                }
            }

            fn text(&self) -> String {
                match self {
                    $(Change::$Kind(change) => change.text(),)*
                }
            }

            fn size(&self) -> Size {
                match self {
                    $(Change::$Kind(change) => change.size(),)*
                }
            }

            pub(crate) fn reason(&self) -> Reason<'_> {
                match self {
                    $(Change::$Kind(change) => change.reason(),)*
                }
            }

            fn weight(&self) -> usize {
                match self {
                    $(Change::$Kind(change) => change.weight(),)*
                }
            }

            fn simpler(&self, prover: &Prover<'_>) -> Vec<Change> {
                match self {
                    $(Change::$Kind(change) => {
                        change.simpler(prover).into_iter().map(Change::$Kind).collect()
                    })*
                }
            }
        }
    };
}

pub(super) use kinds;

impl fmt::Display for super::Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
