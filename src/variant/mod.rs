//! From a seed to its variants: what the seed does at every point, code made
//! to fit there, mutations as data, strategies that choose them, records that
//! replay, and shrinking a record to the mutations that matter.

pub(crate) mod batch;
pub(crate) mod chain_plot;
pub(crate) mod delta;
pub mod donor;
pub mod enumerate;
pub(crate) mod explain;
pub(crate) mod facade;
pub mod generate;
pub mod mutate;
pub mod mutation;
pub mod observer;
pub(crate) mod places;
pub mod profile;
pub mod replay;
pub mod shrink;
pub mod strategy;
pub(crate) mod synth;
