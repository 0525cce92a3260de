//! Values and places that are evaluated once and then used several times, as the lanes of a
//! vector and the bytes of a number are.

use super::super::ctype::Type;
use super::super::trouble::Mistake;
use super::super::types::IntKind;
use super::node::{Node, Place, Root, Slot, Subscript};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};

impl Planner<'_> {
    /// A value that is kept, to be read as often as one likes.
    pub(super) fn kept(
        &mut self,
        value: Node,
        ty: &Type,
        before: &mut Vec<Node>,
    ) -> Result<Node, Mistake> {
        let place = self.temporary(ty)?.place();
        let at = self.at();
        before.push(Node::Store {
            place: Box::new(place.clone()),
            value: Box::new(value),
            initial: true,
            at,
        });
        Ok(self.loaded(ty, place, false))
    }

    /// A place that may be named several times, once what it takes to find it was evaluated.
    pub(super) fn settled(&mut self, place: Place) -> Result<(Vec<Node>, Place), Mistake> {
        let mut before = Vec::new();
        let root = match place.root {
            Root::Slot(slot) => Root::Slot(slot),
            Root::Result { call, object } => {
                before.push(call);
                Root::Slot(Slot::Temporary(object.index))
            }
            Root::Pointer { pointer, to, at } => {
                let ty = (*to).clone().pointer();
                let pointer = self.kept(pointer, &ty, &mut before)?;
                Root::Pointer { pointer, to, at }
            }
        };
        let mut indices = Vec::new();
        for subscript in place.indices {
            let ty = Type::Int(IntKind::LongLong);
            let index = self.kept(subscript.index, &ty, &mut before)?;
            indices.push(Subscript { index, ..subscript });
        }
        let cell = place.cell;
        Ok((
            before,
            Place {
                root,
                cell,
                indices,
            },
        ))
    }

    /// An operand that is evaluated together with others, and used after all of them.
    pub(super) fn kept_operand(
        &mut self,
        typed: Typed,
        before: &mut Vec<Node>,
    ) -> Result<Typed, Mistake> {
        match typed.ty {
            Rvalue::Record(ty, place) => {
                let (more, place) = self.settled(*place)?;
                before.extend(more);
                let place = Box::new(place);
                Ok(Typed {
                    node: Node::Visit(place.clone()),
                    ty: Rvalue::Record(ty, place),
                })
            }
            Rvalue::Void => Err(self.mistake("an operand without a value")),
            ty => {
                let node = self.kept(typed.node, &ty.to_type(), before)?;
                Ok(Typed { node, ty })
            }
        }
    }
}
