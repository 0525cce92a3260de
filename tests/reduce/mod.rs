//! From a failing variant to a small text.

mod fake;
mod text;
