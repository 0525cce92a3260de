//! What an evaluation gives.

use super::super::ctype::Type;
use super::super::interp::Exit;
use super::super::range::Ranges;
use super::super::table::Table;
use serde::{Deserialize, Serialize};

/// The values of an expression: a carrier for each row. Of a type of two carriers, all
/// lower halves come first, then all upper ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// The type of the expression.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The carriers, in the order of the rows.
    pub values: Vec<i64>,
}

/// What a statement did to each row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowOutcome {
    /// The variables afterwards.
    pub table: Table,
    /// How each row left the statement.
    pub exits: Vec<Exit>,
}

impl RowOutcome {
    /// Whether every row reached the end of the statement.
    pub fn ends(&self) -> bool {
        self.exits.iter().all(|exit| *exit == Exit::End)
    }
}

/// What a statement may have done, over ranges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeOutcome {
    /// The variables afterwards, however it was left.
    pub ranges: Ranges,
    /// Whether its end may be reached, and no other way out can be taken.
    pub ends: bool,
}
