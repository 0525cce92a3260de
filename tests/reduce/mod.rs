//! From a failing variant to the mutations that matter, a small text and a report.

mod again;
mod bisect;
mod commands;
mod cvise;
mod defects;
mod fake;
mod finding;
mod flags;
mod kinds;
mod locate;
mod many;
pub(crate) mod planted;
mod proof;
mod real;
mod report;
mod serve;
mod shrink;
pub(crate) mod text;
mod week;
