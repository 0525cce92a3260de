//! Clang's tree of one declaration, taken in a single walk.
//!
//! Asking libclang for the children of every node costs more than lowering
//! them; one walk with a flat list of nodes does not.

use crate::source::clang::{Cursor, CursorKind, Descent, Identity};
use std::collections::HashSet;

/// The nodes in pre-order.
pub(super) struct Tree<'u> {
    nodes: Vec<TreeNode<'u>>,
}

struct TreeNode<'u> {
    cursor: Cursor<'u>,
    kind: CursorKind,
    /// Past the last node of the subtree.
    end: u32,
}

/// A node of a [`Tree`].
pub(super) type NodeId = usize;

impl<'u> Tree<'u> {
    /// The root is node 0.
    pub(super) fn of(root: Cursor<'u>) -> Tree<'u> {
        let mut nodes = vec![TreeNode {
            cursor: root,
            kind: root.kind(),
            end: 0,
        }];
        // A struct inside another is a child of that, and of the field it is the type of;
        // walked each time, the work would double with every level.
        let mut seen: HashSet<Identity> = HashSet::new();
        // The nodes whose subtrees are still growing, outermost first.
        let mut open: Vec<NodeId> = vec![0];
        root.walk(|cursor, parent| {
            while open.len() > 1 && nodes[open[open.len() - 1]].cursor != parent {
                close(&mut nodes, &mut open);
            }
            let kind = cursor.kind();
            if kind.is_tagged() && !seen.insert(cursor.identity()) {
                return Descent::Over;
            }
            open.push(nodes.len());
            nodes.push(TreeNode {
                cursor,
                kind,
                end: 0,
            });
            Descent::Into
        });
        while !open.is_empty() {
            close(&mut nodes, &mut open);
        }
        Tree { nodes }
    }

    pub(super) fn cursor(&self, node: NodeId) -> Cursor<'u> {
        self.nodes[node].cursor
    }

    pub(super) fn kind(&self, node: NodeId) -> CursorKind {
        self.nodes[node].kind
    }

    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.nodes[node].end as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }

    /// All nodes below a node.
    pub(super) fn within(&self, node: NodeId) -> std::ops::Range<NodeId> {
        node + 1..self.nodes[node].end as usize
    }

    /// The children that are expressions.
    pub(super) fn expressions(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(node)
            .filter(|&child| self.kind(child).is_expression())
    }

    /// The deepest nesting of the tree.
    pub(super) fn depth(&self) -> usize {
        let mut ends: Vec<u32> = Vec::new();
        let mut deepest = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            while ends.last().is_some_and(|&end| end as usize <= index) {
                ends.pop();
            }
            ends.push(node.end);
            deepest = deepest.max(ends.len());
        }
        deepest
    }
}

fn close(nodes: &mut [TreeNode<'_>], open: &mut Vec<NodeId>) {
    if let Some(done) = open.pop() {
        nodes[done].end = nodes.len() as u32;
    }
}
