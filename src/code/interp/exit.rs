//! How control leaves a statement.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
