//! From trees to plans: every name resolved, every type known, every implicit
//! conversion written out.
//!
//! The interpreter works on plans, so the typing rules of C are written down
//! once, here. A tree that C forbids, or that compilers are known to treat
//! differently, is a [`Mistake`](super::trouble::Mistake).

mod assign;
mod body;
mod builtin;
mod bytes;
mod call;
mod code;
mod expr;
mod float;
mod init;
mod jump;
mod keep;
mod node;
mod operator;
mod paths;
mod place;
mod planner;
mod stmt;
mod switch;
mod trace;
mod typing;
mod vector;
mod wide;

pub(super) use body::plan_body;
pub(super) use code::{Code, Destination, Full, Instr, Jump};
pub(super) use node::{
    At, Binary, Called, CountOp, Cut, FloatUnary, Form, Move, NOWHERE, Node, Place, Root, Slot,
    Subscript, Temporary, Unary, WideUnary, Width,
};
pub(super) use planner::{Planner, Resolved, Resolver};
