//! The ways from the root of a tree to its nodes, for messages.
//!
//! A way is its last step and the way before that, so that those of a tree cost
//! no more than its nodes, however deep it is.

use super::node::At;

/// The ways to the nodes that were planned.
#[derive(Debug)]
pub(in super::super) struct Paths {
    /// The way to the parent, and the number of the child.
    steps: Vec<(At, u32)>,
    here: At,
}

/// The way to the root, which is no step.
const ROOT: At = 0;

impl Paths {
    pub(super) fn new() -> Paths {
        Paths {
            steps: vec![(ROOT, 0)],
            here: ROOT,
        }
    }

    /// The way to the current node.
    pub(super) fn here(&self) -> At {
        self.here
    }

    /// Goes on to a child, and gives where to go back to.
    pub(super) fn descend(&mut self, child: u32) -> At {
        self.steps.push((self.here, child));
        std::mem::replace(&mut self.here, self.steps.len() as At - 1)
    }

    pub(super) fn go_back(&mut self, to: At) {
        self.here = to;
    }

    /// The child numbers from the root; none for a node that needs no way.
    pub(in super::super) fn get(&self, mut at: At) -> Vec<u32> {
        let mut path = Vec::new();
        while at != ROOT
            && let Some((parent, child)) = self.steps.get(at as usize)
        {
            path.push(*child);
            at = *parent;
        }
        path.reverse();
        path
    }
}
