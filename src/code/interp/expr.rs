//! Evaluation of planned expressions.

use super::super::plan::{At, Called, Node, Place, Root, Slot, Temporary};
use super::super::table::ObjectId;
use super::super::trouble::{Trouble, Undefined};
use super::call::Given;
use super::{Block, Domain, Fault, Interpreter, Writing};

impl<D: Domain> Interpreter<'_, D> {
    pub(super) fn eval(&mut self, node: &Node, visits: &D::Visits) -> Result<D::Value, Trouble> {
        match node {
            Node::Const(carrier) => Ok(D::constant(*carrier, visits)),
            Node::Pair(carriers) => D::pair(*carriers, visits)
                .map_err(|fault| self.trouble(fault, super::super::plan::NOWHERE)),
            Node::LoadPair {
                place,
                volatile,
                at,
            } => {
                let from = self.locate(place, visits)?;
                let loaded = self.domain.load_pair(&from, *volatile, visits);
                loaded.map_err(|fault| self.trouble(fault, *at))
            }
            Node::Load {
                place,
                volatile,
                at,
            } => {
                let from = self.locate(place, visits)?;
                let loaded = self.domain.load(&from, *volatile, visits);
                loaded.map_err(|fault| self.trouble(fault, *at))
            }
            Node::Old => Ok(self.old.last().expect("inside an update").clone()),
            Node::Address { place, at } => {
                let cells = self.locate(place, visits)?;
                D::address(cells, visits).map_err(|fault| self.trouble(fault, *at))
            }
            Node::Unary { op, value, at } => {
                let value = self.eval(value, visits)?;
                let result = self.domain.unary(*op, value, visits);
                result.map_err(|fault| self.trouble(fault, *at))
            }
            Node::Binary { op, operands, at } => {
                let [left, right] = self.pair(operands, *at, visits)?;
                let result = self.domain.binary(op, left, right, visits);
                result.map_err(|fault| self.trouble(fault, *at))
            }
            Node::Choose { condition, yes, no } => self.choose(condition, yes, no, visits),
            Node::Comma { left, right } => {
                let start = self.domain.mark();
                self.eval(left, visits)?;
                self.domain.sequence(start);
                self.eval(right, visits)
            }
            Node::Store {
                place,
                value,
                initial,
                at,
            } => {
                let start = self.domain.mark();
                let to = self.locate(place, visits)?;
                let middle = self.domain.mark();
                let value = self.eval(value, visits)?;
                self.check_unsequenced(start, middle, *at)?;
                let since = Writing {
                    since: start,
                    initial: *initial,
                };
                let stored = self.domain.store(&to, &value, since, visits);
                stored.map_err(|fault| self.trouble(fault, *at))?;
                Ok(value)
            }
            Node::Update {
                place,
                value,
                gives_old,
                pair,
                at,
            } => self.update(place, value, (*gives_old, *pair), *at, visits),
            Node::Copy {
                to,
                from,
                cells,
                initial,
                at,
            } => self.copy(to, from, *cells, *initial, *at, visits),
            Node::Together { stores, at } => {
                self.each(stores, *at, visits)?;
                Ok(D::constant(0, visits))
            }
            Node::Call {
                called,
                args,
                records,
                result,
                at,
            } => {
                let start = self.domain.mark();
                let pointer = match called {
                    Called::Named(_) => None,
                    Called::Pointer { pointer, .. } => Some(self.eval(pointer, visits)?),
                };
                let middle = self.domain.mark();
                let values = self.each(args, *at, visits)?;
                self.check_unsequenced(start, middle, *at)?;
                self.domain.sequence(start);
                let given = Given {
                    values,
                    records,
                    result: *result,
                };
                let result = match (called, pointer) {
                    (Called::Pointer { ty, .. }, Some(pointer)) => {
                        self.call_pointer(&pointer, ty, &given, *at, visits)?
                    }
                    (Called::Named(callee), _) => self.call_named(callee, &given, *at, visits)?,
                    (Called::Pointer { .. }, None) => unreachable!("evaluated above"),
                };
                self.domain.sequence(start);
                Ok(result)
            }
            Node::Overflow {
                op,
                operands,
                unsigned,
                place,
                cut,
                at,
            } => {
                let start = self.domain.mark();
                let [left, right] = self.pair(operands, *at, visits)?;
                let middle = self.domain.mark();
                let to = self.locate(place, visits)?;
                self.check_unsequenced(start, middle, *at)?;
                let result = D::overflow(*op, *unsigned, *cut, left, right);
                let (kept, lost) = result.map_err(|fault| self.trouble(fault, *at))?;
                let writing = Writing {
                    since: start,
                    initial: false,
                };
                let stored = self.domain.store(&to, &kept, writing, visits);
                stored.map_err(|fault| self.trouble(fault, *at))?;
                self.domain.sequence(start);
                Ok(lost)
            }
            Node::Memory {
                op,
                operands,
                of,
                cells,
                at,
            } => {
                let start = self.domain.mark();
                let [to, from] = self.pair(operands, *at, visits)?;
                let block = Block { of, cells: *cells };
                let writing = Writing {
                    since: start,
                    initial: false,
                };
                let result = self.domain.memory(*op, to, from, &block, writing, visits);
                let result = result.map_err(|fault| self.trouble(fault, *at))?;
                self.domain.sequence(start);
                Ok(result)
            }
            Node::Unreachable { at } => match D::first_row(visits) {
                Some(row) => Err(self.trouble(Fault::new(Undefined::Unreachable, row), *at)),
                None => Ok(D::constant(0, visits)),
            },
            Node::Visit(place) => {
                self.locate(place, visits)?;
                Ok(D::constant(0, visits))
            }
        }
    }

    fn check_unsequenced(&self, start: usize, middle: usize, at: At) -> Result<(), Trouble> {
        let checked = self.domain.check_unsequenced(start, middle);
        checked.map_err(|fault| self.trouble(fault, at))
    }

    /// Two nodes that C evaluates in no particular order.
    fn pair(
        &mut self,
        [left, right]: &[Node; 2],
        at: At,
        visits: &D::Visits,
    ) -> Result<[D::Value; 2], Trouble> {
        let start = self.domain.mark();
        let left = self.eval(left, visits)?;
        let middle = self.domain.mark();
        let right = self.eval(right, visits)?;
        self.check_unsequenced(start, middle, at)?;
        Ok([left, right])
    }

    /// Any number of such nodes.
    fn each(
        &mut self,
        nodes: &[Node],
        at: At,
        visits: &D::Visits,
    ) -> Result<Vec<D::Value>, Trouble> {
        let start = self.domain.mark();
        let mut values = Vec::with_capacity(nodes.len());
        for node in nodes {
            let middle = self.domain.mark();
            values.push(self.eval(node, visits)?);
            self.check_unsequenced(start, middle, at)?;
        }
        Ok(values)
    }

    /// Evaluates each operand for the visits that reach it.
    fn choose(
        &mut self,
        condition: &Node,
        yes: &Node,
        no: &Node,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let start = self.domain.mark();
        let condition = self.eval(condition, visits)?;
        self.domain.sequence(start);
        let (yes, no) = match self.domain.split(&condition, visits) {
            [Some(yes_visits), Some(no_visits)] => {
                let before = self.domain.save();
                let yes = self.eval(yes, &yes_visits)?;
                let after = self.domain.swap(before);
                let no = self.eval(no, &no_visits)?;
                self.domain.join(after);
                (Some(yes), Some(no))
            }
            [Some(_), None] => (Some(self.eval(yes, visits)?), None),
            [None, Some(_)] => (None, Some(self.eval(no, visits)?)),
            [None, None] => (None, None),
        };
        Ok(D::select(condition, yes, no))
    }

    fn update(
        &mut self,
        place: &Place,
        value: &Node,
        (gives_old, pair): (bool, bool),
        at: At,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let start = self.domain.mark();
        let to = self.locate(place, visits)?;
        let old = if pair {
            self.domain.load_pair(&to, false, visits)
        } else {
            self.domain.load(&to, false, visits)
        };
        let old = old.map_err(|fault| self.trouble(fault, at))?;
        let middle = self.domain.mark();
        self.old.push(old);
        let new = self.eval(value, visits)?;
        let old = self.old.pop().expect("pushed above");
        self.check_unsequenced(start, middle, at)?;
        let since = Writing {
            since: start,
            initial: false,
        };
        let stored = self.domain.store(&to, &new, since, visits);
        stored.map_err(|fault| self.trouble(fault, at))?;
        Ok(if gives_old { old } else { new })
    }

    fn copy(
        &mut self,
        to: &Place,
        from: &Place,
        cells: u32,
        initial: bool,
        at: At,
        visits: &D::Visits,
    ) -> Result<D::Value, Trouble> {
        let start = self.domain.mark();
        let to = self.locate(to, visits)?;
        let middle = self.domain.mark();
        let from = self.locate(from, visits)?;
        self.check_unsequenced(start, middle, at)?;
        let since = Writing {
            since: start,
            initial,
        };
        let copied = self.domain.copy(&to, &from, cells, since, visits);
        copied.map_err(|fault| self.trouble(fault, at))?;
        Ok(D::constant(0, visits))
    }

    /// Where a place lies in each visit.
    fn locate(&mut self, place: &Place, visits: &D::Visits) -> Result<D::Cells, Trouble> {
        let start = self.domain.mark();
        let mut cells = match &place.root {
            Root::Slot(slot) => D::cell(self.object(*slot), place.cell),
            Root::Result { call, object } => {
                self.eval(call, visits)?;
                D::cell(self.temporary(*object), place.cell)
            }
            Root::Pointer { pointer, to, at } => {
                let pointer = self.eval(pointer, visits)?;
                let followed = self.domain.follow(pointer, to, place.cell, visits);
                followed.map_err(|fault| self.trouble(fault, *at))?
            }
        };
        for subscript in &place.indices {
            let middle = self.domain.mark();
            let index = self.eval(&subscript.index, visits)?;
            self.check_unsequenced(start, middle, subscript.at)?;
            let element = self.domain.element(cells, index, subscript, visits);
            cells = element.map_err(|fault| self.trouble(fault, subscript.at))?;
        }
        Ok(cells)
    }

    pub(super) fn temporary(&self, temporary: Temporary) -> ObjectId {
        self.object(Slot::Temporary(temporary.index))
    }

    fn object(&self, slot: Slot) -> ObjectId {
        match slot {
            Slot::Temporary(index) => self.frame[self.code.locals.len() + index as usize],
            Slot::Table(object) => object,
            Slot::Local(local) => self.frame[local as usize],
            Slot::Static(local) => self.code.static_objects[local as usize],
        }
    }
}
