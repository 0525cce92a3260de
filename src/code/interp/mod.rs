//! The interpreter of plans: one walk over nodes and instructions, whatever is
//! known of the variables.
//!
//! What a value is, how a cell is read and what a branch does to what is known
//! is left to a [`Domain`]. There are two, `rows` and `range`; the walk is
//! compiled for each, so that neither pays for the other.

mod call;
mod domain;
mod exit;
mod expr;
mod run;

pub use exit::Exit;

pub(super) use domain::{Block, Domain, Fault, Memory, Operators, Sequencing, Watch, Writing};

use super::plan::{At, Code, Full};
use super::table::ObjectId;
use super::trouble::Trouble;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of an evaluation.
pub(super) struct Interpreter<'a, D: Domain> {
    domain: &'a mut D,
    functions: &'a BTreeMap<Arc<str>, Code>,
    /// The code that is running, and the objects of its locals.
    code: &'a Code,
    function: Option<Arc<str>>,
    frame: Vec<ObjectId>,
    /// The values that the updates around the current node have read.
    old: Vec<D::Value>,
    step_limit: u64,
    depth: u32,
}

impl<'a, D: Domain> Interpreter<'a, D> {
    pub(super) fn new(
        domain: &'a mut D,
        code: &'a Code,
        functions: &'a BTreeMap<Arc<str>, Code>,
        step_limit: u64,
    ) -> Interpreter<'a, D> {
        Interpreter {
            domain,
            functions,
            code,
            function: None,
            frame: Vec::new(),
            old: Vec::new(),
            step_limit,
            depth: 0,
        }
    }

    /// Counts calls that are open around what is run.
    pub(super) fn inside(mut self, open_calls: u32) -> Self {
        self.depth = open_calls;
        self
    }

    /// A fault with the path to the node it happened at.
    fn trouble(&self, fault: Fault, at: At) -> Trouble {
        Trouble {
            cause: fault.cause,
            path: self.code.paths.get(at),
            function: self.function.clone(),
            row: fault.row,
        }
    }

    /// Evaluates an expression that stands on its own.
    pub(super) fn alone(&mut self, full: &Full, visits: &D::Visits) -> Result<D::Value, Trouble> {
        self.enter_frame(visits);
        let value = self.full(full, visits)?;
        self.leave_frame(visits);
        Ok(value)
    }

    /// Evaluates a full expression.
    pub(super) fn full(&mut self, full: &Full, visits: &D::Visits) -> Result<D::Value, Trouble> {
        let watch = self.domain.watch(full.logged);
        let watch = watch.map_err(|fault| self.trouble(fault, super::plan::NOWHERE))?;
        let value = self.eval(&full.node, visits)?;
        self.domain.unwatch(watch);
        Ok(value)
    }
}
