//! From trees to plans: every name resolved, every type known, every implicit
//! conversion written out.
//!
//! Both evaluators, over rows and over ranges, work on plans, so the typing
//! rules of C are told once, here. A tree that C forbids, or that compilers
//! are known to take differently, is a [`Mistake`](super::trouble::Mistake).

mod assign;
mod code;
mod expr;
mod init;
mod jump;
mod node;
mod place;
mod stmt;
mod trace;
mod typing;

pub(super) use code::{Code, Full, Instr, Jump, Way};
pub(super) use expr::{Known, Planner, Scope};
pub(super) use node::{Cut, Form, Node, Place, Root, Slot};
pub(super) use stmt::plan_body;
