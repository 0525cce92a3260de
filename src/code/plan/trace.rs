//! Whether an expression can have unsequenced accesses at all.
//!
//! Most expressions cannot: they write nothing, or only at the very end. Then
//! the evaluator need not keep a log of what each row touches.

use super::node::{Called, Node, Place, Root};

#[derive(Clone, Copy, Default)]
struct Touch {
    /// Reads or writes an object.
    accesses: bool,
    /// Writes an object, perhaps in a called function.
    writes: bool,
    /// Writes an object with no sequence point between the write and its value.
    pending: bool,
    /// An access is unsequenced to a write.
    mixed: bool,
}

impl Touch {
    /// Both, with nothing between to order them.
    fn beside(self, other: Touch) -> Touch {
        let mixed = (self.writes && other.accesses) || (other.writes && self.accesses);
        Touch {
            mixed: mixed || self.mixed || other.mixed,
            ..self.join(other)
        }
    }

    /// One, then the other.
    fn then(self, next: Touch) -> Touch {
        Touch {
            pending: next.pending,
            ..self.join(next)
        }
    }

    fn join(self, other: Touch) -> Touch {
        Touch {
            accesses: self.accesses || other.accesses,
            writes: self.writes || other.writes,
            pending: self.pending || other.pending,
            mixed: self.mixed || other.mixed,
        }
    }

    fn read(self) -> Touch {
        Touch {
            accesses: true,
            ..self
        }
    }

    fn write(self) -> Touch {
        Touch {
            accesses: true,
            writes: true,
            pending: true,
            mixed: self.mixed || self.pending,
        }
    }
}

fn touch(node: &Node) -> Touch {
    match node {
        Node::Const(_) | Node::Pair(_) | Node::Old | Node::Unreachable { .. } => Touch::default(),
        Node::Load {
            place,
            volatile: true,
            ..
        }
        | Node::LoadPair {
            place,
            volatile: true,
            ..
        } => Touch {
            writes: true,
            ..way(place).read()
        },
        Node::Load { place, .. } | Node::LoadPair { place, .. } => way(place).read(),
        Node::Address { place, .. } => way(place),
        Node::Unary { value, .. } => touch(value),
        Node::Binary { operands, .. } => {
            let [left, right] = &**operands;
            touch(left).beside(touch(right))
        }
        Node::Visit(place) => way(place),
        Node::Comma { left, right } => touch(left).then(touch(right)),
        Node::Choose { condition, yes, no } => touch(condition).then(touch(yes).join(touch(no))),
        Node::Store { place, value, .. } => way(place).beside(touch(value)).write(),
        Node::Update { place, value, .. } => way(place).read().beside(touch(value)).write(),
        // A new object is nobody else's.
        Node::Copy {
            from,
            initial: true,
            ..
        } => way(from).read(),
        Node::Copy { to, from, .. } => way(to).beside(way(from).read()).write(),
        Node::Overflow {
            operands, place, ..
        } => {
            let [left, right] = &**operands;
            let touched = touch(left).beside(touch(right)).beside(way(place)).write();
            Touch {
                pending: false,
                ..touched
            }
        }
        Node::Memory { operands, .. } => {
            let [to, from] = &**operands;
            let touched = touch(to).beside(touch(from)).write();
            Touch {
                pending: false,
                ..touched
            }
        }
        Node::Together { stores, .. } => {
            // The stores themselves go to different cells of a new object.
            let values = stores.iter().map(|store| match store {
                Node::Store { value, .. } => touch(value),
                other => touch(other),
            });
            values.fold(Touch::default(), Touch::beside)
        }
        Node::Call { called, args, .. } => {
            let function = match called {
                Called::Named(_) => Touch::default(),
                Called::Pointer { pointer, .. } => touch(pointer),
            };
            let args = args.iter().map(touch).fold(function, Touch::beside);
            Touch {
                accesses: true,
                writes: true,
                pending: false,
                mixed: args.mixed,
            }
        }
    }
}

fn way(place: &Place) -> Touch {
    let root = match &place.root {
        Root::Slot(_) => Touch::default(),
        Root::Pointer { pointer, .. } => touch(pointer),
        Root::Result { call, .. } => touch(call),
    };
    place
        .indices
        .iter()
        .map(|index| touch(&index.index))
        .fold(root, Touch::beside)
}

/// Whether accesses must be logged to see that they are sequenced.
pub(super) fn needs_log(node: &Node) -> bool {
    touch(node).mixed
}
