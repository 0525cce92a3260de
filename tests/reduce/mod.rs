//! From a failing variant to the mutations that matter, a small text and a report.

mod fake;
mod finding;
mod shrink;
mod text;
