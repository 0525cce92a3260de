//! From a failing variant to the mutations that matter, a small text and a report.

mod fake;
mod finding;
mod locate;
mod planted;
mod real;
mod report;
mod shrink;
mod text;
