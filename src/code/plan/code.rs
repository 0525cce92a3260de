//! The plan of statements: a list of instructions with jumps, so that `goto`,
//! `break` and `switch` are all the same thing.

use super::super::ctype::Type;
use super::super::expr::{Callee, Var};
use super::super::table::ObjectId;
use super::init::Initial;
use super::node::{At, Node, Root, Slot, Temporary};
use super::paths::Paths;
use super::planner::Planner;
use super::trace::needs_log;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The plan of a statement or of a function's body.
#[derive(Debug)]
pub(in super::super) struct Code {
    pub(in super::super) instrs: Vec<Instr>,
    /// Where each instruction came from.
    pub(in super::super) places: Vec<At>,
    pub(in super::super) paths: Paths,
    /// Variables declared inside; the parameters come first.
    pub(in super::super) locals: Vec<Local>,
    pub(in super::super) statics: Vec<StaticLocal>,
    /// The objects of the static locals, once they have some.
    pub(in super::super) static_objects: Vec<ObjectId>,
    /// The types of temporaries, whose objects come after those of the locals.
    pub(in super::super) temporaries: Vec<Type>,
    /// Where a struct is that is returned.
    pub(in super::super) result: Option<Temporary>,
    /// Functions called.
    pub(in super::super) calls: BTreeSet<Arc<str>>,
    /// The signature that calls must name, if it is a function body.
    pub(in super::super) signature: Option<Arc<Callee>>,
    /// The pointer to the function, or 0.
    pub(in super::super) address: i64,
}

impl Code {
    /// What an expression outside any statement runs in.
    pub(in super::super) fn of_expression(planner: Planner<'_>) -> Code {
        Code {
            instrs: Vec::new(),
            places: Vec::new(),
            paths: planner.paths,
            locals: Vec::new(),
            statics: Vec::new(),
            static_objects: Vec::new(),
            temporaries: planner.temporaries,
            result: None,
            calls: BTreeSet::new(),
            signature: None,
            address: 0,
        }
    }

    /// Why the code cannot be a function body: it jumps out of itself.
    pub(in super::super) fn leaves(&self) -> Option<&'static str> {
        let outward = |jump: &Jump| !matches!(jump.way, Destination::To(_));
        let leaves = |instr: &Instr| match instr {
            Instr::Jump(jump) => outward(jump),
            Instr::Switch {
                cases, otherwise, ..
            } => outward(otherwise) || cases.iter().any(|(_, jump)| outward(jump)),
            _ => false,
        };
        self.instrs
            .iter()
            .any(leaves)
            .then_some("a jump out of the function")
    }
}

#[derive(Debug)]
pub(in super::super) struct Local {
    pub(in super::super) name: Arc<str>,
    pub(in super::super) ty: Type,
    /// Whether only its initialiser may write it.
    pub(in super::super) constant: bool,
    /// Whether its address is taken, so that pointers to it may dangle.
    pub(in super::super) taken: bool,
}

/// A variable that is declared inside and lives as long as the program.
#[derive(Debug)]
pub(in super::super) struct StaticLocal {
    pub(in super::super) var: Var,
    pub(in super::super) constant: bool,
    pub(in super::super) initial: Initial,
}

/// An expression of its own: everything in it is sequenced before the next.
#[derive(Debug)]
pub(in super::super) struct Full {
    pub(in super::super) node: Node,
    /// Whether accesses must be logged to see that they are sequenced.
    pub(in super::super) logged: bool,
}

impl Full {
    pub(in super::super) fn new(node: Node) -> Full {
        Full {
            logged: needs_log(&node),
            node,
        }
    }

    /// Whether it stores constants and addresses that are known before the
    /// program starts.
    pub(super) fn is_constant(&self) -> bool {
        let Node::Together { stores, .. } = &self.node else {
            return false;
        };
        stores.iter().all(|store| match store {
            Node::Store { value, .. } => is_constant(value),
            _ => false,
        })
    }
}

fn is_constant(node: &Node) -> bool {
    match node {
        Node::Const(_) | Node::Pair(_) => true,
        Node::Unary { value, .. } => is_constant(value),
        Node::Binary { operands, .. } => operands.iter().all(is_constant),
        Node::Address { place, .. } => {
            matches!(place.root, Root::Slot(Slot::Table(_) | Slot::Static(_)))
                && place.indices.is_empty()
        }
        _ => false,
    }
}

#[derive(Debug)]
pub(in super::super) enum Instr {
    Eval(Full),
    /// Goes on if the condition is not 0, else to another instruction.
    Branch {
        condition: Full,
        otherwise: usize,
    },
    Jump(Jump),
    Switch {
        value: Full,
        cases: Vec<(i64, Jump)>,
        otherwise: Jump,
    },
    /// The lifetimes of locals begin; they have no value yet.
    Enter(Vec<u32>),
    Leave(Vec<u32>),
    /// Every cell of a local becomes 0 or null.
    Zero(u32),
    Return(Option<Full>),
}

/// A jump, and the lifetimes it ends and begins.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Jump {
    pub(in super::super) leave: Vec<u32>,
    pub(in super::super) enter: Vec<u32>,
    pub(in super::super) way: Destination,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Destination {
    To(usize),
    Break,
    Continue,
    Goto(Arc<str>),
}

impl Default for Destination {
    fn default() -> Destination {
        Destination::To(usize::MAX)
    }
}
