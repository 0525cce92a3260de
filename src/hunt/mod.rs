//! Testing compilers with variants: judging what a compiler did, confirming that it is
//! wrong, campaigns and their store, and the way from a finding to a small program, a
//! bucket and a report.

pub mod bisect;
pub mod bucket;
pub mod campaign;
pub(crate) mod cluster;
pub mod defects;
pub mod doctor;
pub mod finding;
pub(crate) mod instances;
pub mod missed;
pub mod reduce;
pub mod report;
pub mod retest;
pub mod serve;
pub mod triage;
pub mod verify;
