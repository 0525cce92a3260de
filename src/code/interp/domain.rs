//! What a domain must provide to be interpreted over, by subject: operators,
//! memory, the order of accesses, and control flow.
//!
//! Every method is given the *visits* it is for: those of the times a tree runs
//! that reach the node. A domain that cannot represent something refuses it
//! with [`Refused`](super::super::trouble::Refused).

use super::super::builtin::MemoryOp;
use super::super::ctype::Type;
use super::super::expr::Callee;
use super::super::op::BinaryOp;
use super::super::plan::{Binary, Cut, Jump, Subscript, Unary};
use super::super::table::{ObjectId, State};
use super::super::trouble::Cause;
use super::Exit;
use std::sync::Arc;

/// Why a domain could not go on, and the lowest row in which.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Fault {
    pub(in super::super) cause: Cause,
    pub(in super::super) row: u32,
}

impl Fault {
    pub(in super::super) fn new(cause: impl Into<Cause>, row: u32) -> Fault {
        let cause = cause.into();
        Fault { cause, row }
    }
}

/// Values, and what operators make of them.
pub(in super::super) trait Operators {
    /// What an expression gives in each of the visits.
    type Value: Clone;
    /// The visits that reach a node.
    type Visits;

    /// The row to name if all visits fail alike; `None` if there are none.
    fn first_row(visits: &Self::Visits) -> Option<u32>;

    fn constant(carrier: i64, visits: &Self::Visits) -> Self::Value;

    /// A constant of two carriers.
    fn pair(carriers: [i64; 2], visits: &Self::Visits) -> Result<Self::Value, Fault>;

    fn unary(
        &self,
        op: Unary,
        value: Self::Value,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;

    fn binary(
        &self,
        op: &Binary,
        left: Self::Value,
        right: Self::Value,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;

    /// What an operator on numbers without limits leaves in a type, and whether
    /// that is not the true result.
    fn overflow(
        op: BinaryOp,
        unsigned: [bool; 2],
        cut: Cut,
        left: Self::Value,
        right: Self::Value,
    ) -> Result<(Self::Value, Self::Value), Fault>;

    /// The value in some of the visits that it is known for.
    fn pick(value: &Self::Value, visits: &Self::Visits, some: &Self::Visits) -> Self::Value;

    /// The value in all visits, from those in some of them.
    fn gather(parts: Vec<(Self::Visits, Self::Value)>, visits: &Self::Visits) -> Self::Value;

    /// The value of `?:`, from the values of those operands that some visit
    /// evaluated.
    fn select(
        condition: Self::Value,
        yes: Option<Self::Value>,
        no: Option<Self::Value>,
    ) -> Self::Value;
}

/// What writes to an object.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Writing {
    /// The mark at the start of the expression that writes.
    pub(in super::super) since: usize,
    /// Whether it is the first value of a new object, which may be constant.
    pub(in super::super) initial: bool,
}

/// Elements of memory that a function works on.
pub(in super::super) struct Block<'b> {
    /// What an element is.
    pub(in super::super) of: &'b Type,
    /// The cells of all elements together.
    pub(in super::super) cells: u32,
}

/// Objects and their cells.
pub(in super::super) trait Memory: Operators {
    /// Where an lvalue lies in each of the visits.
    type Cells;

    /// A cell that is the same in all visits.
    fn cell(object: ObjectId, cell: u32) -> Self::Cells;

    /// A cell of what pointers to `to` point to.
    fn follow(
        &self,
        pointer: Self::Value,
        to: &Type,
        cell: u32,
        visits: &Self::Visits,
    ) -> Result<Self::Cells, Fault>;

    /// The cells of an array's element, given those of its first.
    fn element(
        &self,
        first: Self::Cells,
        index: Self::Value,
        subscript: &Subscript,
        visits: &Self::Visits,
    ) -> Result<Self::Cells, Fault>;

    fn address(cells: Self::Cells, visits: &Self::Visits) -> Result<Self::Value, Fault>;

    /// Reads a value; if the object is `volatile`, that is a side effect.
    fn load(
        &mut self,
        from: &Self::Cells,
        volatile: bool,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;

    /// Reads a value of two cells, given the first.
    fn load_pair(
        &mut self,
        from: &Self::Cells,
        volatile: bool,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;

    /// Writes a value, to two cells if it is a pair.
    fn store(
        &mut self,
        to: &Self::Cells,
        value: &Self::Value,
        writing: Writing,
        visits: &Self::Visits,
    ) -> Result<(), Fault>;

    /// Copies cells one by one, those without a value too.
    fn copy(
        &mut self,
        to: &Self::Cells,
        from: &Self::Cells,
        count: u32,
        writing: Writing,
        visits: &Self::Visits,
    ) -> Result<(), Fault>;

    /// Runs a function on blocks of memory that pointers point to.
    fn memory(
        &mut self,
        op: MemoryOp,
        to: Self::Value,
        from: Self::Value,
        block: &Block<'_>,
        writing: Writing,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;

    /// Adds an object that is not alive yet; a constant one is written only
    /// by its initialiser.
    fn add_local(&mut self, name: &Arc<str>, ty: &Type, constant: bool) -> ObjectId;

    /// Gives every cell of an object a state.
    fn set_object(&mut self, object: ObjectId, state: State, visits: &Self::Visits);

    /// Gives a parameter the value of its argument.
    fn set_param(&mut self, object: ObjectId, value: &Self::Value, visits: &Self::Visits);

    /// Pointers to objects that died lose their value.
    fn dangle(&mut self, dead: &[ObjectId], visits: &Self::Visits);

    /// Removes the objects from the given one on.
    fn remove_locals(&mut self, first: ObjectId);
}

/// Whether accesses were being watched when a full expression began, and how
/// many had been noted.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Watch {
    pub(in super::super) was_on: bool,
    pub(in super::super) mark: usize,
}

/// Whether C orders the accesses of an expression.
pub(in super::super) trait Sequencing {
    /// Begins a full expression, some of whose accesses may be `unsequenced`.
    fn watch(&mut self, unsequenced: bool) -> Result<Watch, Fault>;

    /// Ends a full expression.
    fn unwatch(&mut self, watch: Watch);

    /// How many accesses were noted so far.
    fn mark(&self) -> usize;

    /// A sequence point after everything since the mark.
    fn sequence(&mut self, since: usize);

    /// Forgets accesses since the mark to objects from the given one on, which
    /// are no more: others will take their place.
    fn forget_accesses(&mut self, since: usize, first: ObjectId);

    /// Fails if an access between the marks conflicts with one after the
    /// second: C orders neither before the other.
    fn check_unsequenced(&self, start: usize, middle: usize) -> Result<(), Fault>;
}

/// What is known of the variables during an evaluation.
pub(in super::super) trait Domain: Memory + Sequencing {
    /// Visits that wait for their turn at an instruction.
    type Waiting;
    /// What is known at a branch, kept while one side is evaluated. Nothing,
    /// if the sides do not disturb each other.
    type Saved: Clone;
    /// How the visits left the code.
    type Exits: Default;

    /// All visits.
    fn all(&self) -> Self::Visits;

    /// The visits in which a condition may hold, and in which it may not.
    fn split(&self, condition: &Self::Value, visits: &Self::Visits) -> [Option<Self::Visits>; 2];

    /// The cases that some visits go to, by index; the default comes last.
    fn dispatch(
        &self,
        value: Self::Value,
        cases: &[(i64, Jump)],
        visits: &Self::Visits,
    ) -> Vec<(usize, Self::Visits)>;

    /// The functions that pointers point to, with the visits that call each.
    fn functions(
        &self,
        pointer: &Self::Value,
        visits: &Self::Visits,
    ) -> Result<Vec<(i64, Self::Visits)>, Fault>;

    fn save(&self) -> Self::Saved;

    /// Goes back to what was saved, and gives what is left behind.
    fn swap(&mut self, saved: Self::Saved) -> Self::Saved;

    /// Adds what is known at the end of another side.
    fn join(&mut self, other: Self::Saved);

    /// Counts an instruction, and fails if that is one too many.
    fn count_step(&mut self, limit: u64, visits: &Self::Visits) -> Result<(), Fault>;

    fn wait(&self, visits: &Self::Visits) -> Self::Waiting;

    /// Adds visits to those that wait at the same instruction.
    fn meet(&self, waiting: &mut Self::Waiting, visits: &Self::Visits);

    fn resume(&mut self, waiting: Self::Waiting) -> Self::Visits;

    fn leave(&self, exits: &mut Self::Exits, exit: Exit<Self::Value>, visits: &Self::Visits);

    /// Goes on from wherever the visits have left the code.
    fn finish(&mut self, exits: &mut Self::Exits);

    /// The result of a call, from how the visits left the function, whose
    /// locals start at the given object.
    fn returned(
        &self,
        exits: Self::Exits,
        callee: &Callee,
        locals: ObjectId,
        visits: &Self::Visits,
    ) -> Result<Self::Value, Fault>;
}
