//! A donor with its holes filled: text for one place, as data.

use super::Piece;
use serde::{Deserialize, Serialize};

/// A statement from elsewhere, bound to the names of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graft {
    pub pieces: Vec<Piece>,
    /// What fills each hole.
    pub bindings: Vec<BoundName>,
    pub statements: u32,
    pub edges: u32,
}

/// The name that fills a hole, and what it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundName {
    Variable(String),
    Function(String),
    Label(String),
    /// A name that the statement declares; it carries the mutation's number.
    Own(String),
}

impl BoundName {
    pub(crate) fn name(&self) -> &str {
        match self {
            BoundName::Variable(name)
            | BoundName::Function(name)
            | BoundName::Label(name)
            | BoundName::Own(name) => name,
        }
    }
}

impl Graft {
    /// The statement as C, in braces of its own, on one line.
    pub fn text(&self) -> String {
        let mut text = String::from("{ ");
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Hole(hole) => {
                    text.push_str(self.bindings.get(*hole).map_or("", BoundName::name));
                }
            }
        }
        text.push_str(" }");
        text
    }
}
