//! Statements of seeds, to be put into other programs where nothing runs, and functions of
//! seeds, to be called from other programs.
//!
//! A donor is the text of a statement with holes where it names something from
//! outside, and what each hole needs. `extract` takes donors from a program;
//! `offer` knows what is visible at a place and fills the holes; the result, a
//! [`Graft`], holds all that a mutation needs. Names that the statement declares
//! itself are holes, too, so equal donors are equal up to renaming.

mod database;
mod everyday;
mod extract;
mod function;
mod graft;
mod needs;
mod offer;
mod shape;

pub use database::{Donors, programs};
pub use everyday::everyday;
pub use extract::extract;
pub use function::DonorFunction;
pub(crate) use graft::{BoundName, Graft};
pub use offer::{Catalogue, Offer};
pub(crate) use shape::Shape;

use serde::{Deserialize, Serialize};

/// A statement that fits many places.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Donor {
    pub pieces: Vec<Piece>,
    pub holes: Vec<Hole>,
    /// A `break` in it leaves something around it.
    pub needs_break: bool,
    /// A `continue` in it, likewise.
    pub needs_continue: bool,
    /// The type of the value it returns, if it returns one.
    pub returns: Option<Shape>,
    /// Set if it can stand only in the program it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<Home>,
    /// How many statements it is made of.
    pub statements: u32,
    /// How many edges of the control-flow graph start in it.
    pub edges: u32,
}

/// A part of a donor's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    Text(String),
    /// The name that fills this hole.
    Hole(usize),
}

/// What a hole needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hole {
    Variable(Need),
    Function {
        /// Its name in its own program, which is the first choice elsewhere.
        name: String,
        result: Shape,
        parameters: Vec<Shape>,
    },
    /// A label outside the statement.
    Label,
    /// A variable that the statement declares itself.
    OwnVariable,
    /// A label of its own.
    OwnLabel,
}

/// What a variable must be like.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Need {
    pub shape: Shape,
    /// Whether it is assigned to as a whole.
    pub is_written: bool,
    /// How similar to the original it must be.
    pub likeness: Likeness,
}

/// How much of a variable's type the donor depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// Any integer type does: it is only read or assigned.
    AnyInteger,
    /// An array of any length: only its elements are used.
    AnyLength,
    /// The same type; qualifiers of its own do not matter unless it is written.
    SameType,
    /// The same type and qualifiers: its address is taken.
    Identical { is_const: bool, is_volatile: bool },
}

/// What ties a donor to the program it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Home {
    /// The hash of the program's text.
    pub source: u64,
    /// Where it stands there: before that, its types may not be complete.
    pub from: u32,
}

impl Donor {
    /// Whether every hole in the text is described.
    fn is_sound(&self) -> bool {
        let is_described = |piece: &Piece| match piece {
            Piece::Text(_) => true,
            Piece::Hole(hole) => *hole < self.holes.len(),
        };
        self.pieces.iter().all(is_described)
    }

    /// The text with the holes numbered, for human readers.
    // Used by tests only.
    pub fn outline(&self) -> String {
        let parts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Hole(hole) => format!("${hole}"),
        });
        parts.collect()
    }
}
