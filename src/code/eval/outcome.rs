//! What an evaluation gives.

use super::super::ctype::Type;
use super::super::range::Ranges;
use super::super::table::Table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The values of an expression: a carrier for each row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// The type of the expression.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The carriers, in the order of the rows.
    pub values: Vec<i64>,
}

/// How a statement was left, with the returned value: the carrier of a row, or
/// what another domain knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit<V = i64> {
    /// At its end.
    End,
    /// By a `break` of a loop or switch around it.
    Break,
    /// By a `continue` of a loop around it.
    Continue,
    /// To a label outside it.
    Goto(Arc<str>),
    /// By a `return`, with the value if there is one.
    Return(Option<V>),
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
