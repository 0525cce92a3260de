//! What counts as a hole, and which fillings count as the same program.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How a program is enumerated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnumerationSettings {
    pub classes: ClassRule,
    pub scope: HoleScope,
    pub types: TypeRule,
}

/// Which variables are interchangeable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ClassRule {
    /// Those whose declarations are alike, so that no two programs of different meaning
    /// are taken for one.
    #[default]
    Exact,
    /// Those of one scope and type, however they are initialised.
    Paper,
}

/// Which holes are filled together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum HoleScope {
    /// Those of a function; fillings of several functions are combined.
    #[default]
    Function,
    /// All of the program.
    Program,
}

/// What a hole takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum TypeRule {
    /// Variables of the same arithmetic type that may be used in this way.
    #[default]
    Strict,
    /// Every visible variable: many programs are rejected, and the rest is for
    /// compiling only.
    Any,
}
