//! Evaluation of plans over ranges.
//!
//! A trouble here means "some values in the ranges may have it". Where both
//! ways of a condition are possible, both are taken and joined. What ranges
//! cannot follow is refused: pointers, calls, and expressions whose accesses
//! would have to be checked for their order.

use super::super::ctype::Types;
use super::super::layout::CellType;
use super::super::op::LogicalOp;
use super::super::plan::{Code, Cut, Form, Full, Node, Place, Root, Slot};
use super::super::table::{ObjectId, State};
use super::super::trouble::{Cause, Refused, Trouble, Undefined};
use super::super::types::IntKind;
use super::env::{Cell, Ranges};
use super::{Range, ops};

/// Stands for no node in particular: the path of the whole tree.
const WHOLE: u32 = u32::MAX;

/// An index that may mean more cells than this is too vague.
const MOST_CELLS: i128 = 256;

/// The state of an evaluation over ranges.
pub(in super::super) struct RangeMachine<'a> {
    pub(in super::super) types: &'a Types,
    pub(in super::super) code: &'a Code,
    pub(in super::super) ranges: Ranges,
    pub(in super::super) frame: Vec<ObjectId>,
    pub(in super::super) old: Vec<Range>,
    pub(in super::super) steps: u64,
}

pub(super) type Step<T> = Result<T, Trouble>;

/// The value with its bits read as the form says.
fn seen(range: Range, form: Form) -> Range {
    let signed = matches!(form, Form::I32 | Form::I64);
    ops::cut(
        Cut::Wrap {
            bits: form.bits(),
            signed,
        },
        range,
    )
}

impl<'a> RangeMachine<'a> {
    pub(super) fn trouble(&self, cause: impl Into<Cause>, at: u32) -> Trouble {
        let path = self
            .code
            .paths
            .get(at as usize)
            .cloned()
            .unwrap_or_default();
        Trouble {
            cause: cause.into(),
            path,
            function: None,
            row: 0,
        }
    }

    fn vague(&self, at: u32) -> Trouble {
        self.trouble(Refused::TooVague, at)
    }

    pub(in super::super) fn full(&mut self, full: &Full) -> Step<Range> {
        if full.logged {
            return Err(self.vague(WHOLE));
        }
        self.eval(&full.node)
    }

    fn eval(&mut self, node: &Node) -> Step<Range> {
        match node {
            Node::Const(carrier) => Ok(Range::one((*carrier).into())),
            Node::Load { place, at } => {
                let cells = self.locate(place, *at)?;
                self.load(&cells, *at)
            }
            Node::Old => Ok(*self.old.last().expect("inside an update")),
            Node::Convert { cut, value } => Ok(ops::cut(*cut, self.eval(value)?)),
            Node::Not(value) => {
                let truth = self.eval(value)?.truth();
                Ok(ops::truth(truth.map(|truth| !truth)))
            }
            Node::Negate { form, value, at } => {
                let value = seen(self.eval(value)?, *form);
                ops::negate(*form, value).map_err(|undefined| self.trouble(undefined, *at))
            }
            Node::Complement { form, value } => {
                Ok(ops::complement(*form, seen(self.eval(value)?, *form)))
            }
            Node::Arith {
                op,
                form,
                left,
                right,
                at,
            } => {
                let left = seen(self.eval(left)?, *form);
                let right = seen(self.eval(right)?, *form);
                ops::arith(*op, *form, left, right)
                    .map_err(|undefined| self.trouble(undefined, *at))
            }
            Node::Shift {
                op,
                form,
                left,
                right,
                count,
                at,
            } => {
                let left = seen(self.eval(left)?, *form);
                let right = seen(self.eval(right)?, *count);
                ops::shift(*op, *form, left, right)
                    .map_err(|undefined| self.trouble(undefined, *at))
            }
            Node::Compare {
                op,
                form,
                left,
                right,
                ..
            } => {
                let left = seen(self.eval(left)?, *form);
                let right = seen(self.eval(right)?, *form);
                Ok(ops::truth(ops::compare(*op, left, right)))
            }
            Node::Logical { op, left, right } => {
                let decides = *op == LogicalOp::Or;
                match self.eval(left)?.truth() {
                    Some(truth) if truth == decides => Ok(Range::one(decides.into())),
                    Some(_) => {
                        let truth = self.eval(right)?.truth();
                        Ok(ops::truth(truth))
                    }
                    None => {
                        let before = self.ranges.clone();
                        let truth = ops::truth(self.eval(right)?.truth());
                        self.ranges.join(&before);
                        Ok(truth.join(Range::one(decides.into())))
                    }
                }
            }
            Node::Choose { condition, yes, no } => match self.eval(condition)?.truth() {
                Some(true) => self.eval(yes),
                Some(false) => self.eval(no),
                None => {
                    let before = self.ranges.clone();
                    let yes = self.eval(yes)?;
                    let after = std::mem::replace(&mut self.ranges, before);
                    let no = self.eval(no)?;
                    self.ranges.join(&after);
                    // The two may be of one 64-bit pattern and different signs.
                    Ok(yes.join(no))
                }
            },
            Node::Comma { left, right } => {
                self.eval(left)?;
                self.eval(right)
            }
            Node::Store { place, value, at } => {
                let value = self.eval(value)?;
                let cells = self.locate(place, *at)?;
                self.store(&cells, value, *at)?;
                Ok(value)
            }
            Node::Update {
                place,
                value,
                gives_old,
                at,
            } => {
                let cells = self.locate(place, *at)?;
                let old = self.load(&cells, *at)?;
                self.old.push(old);
                let new = self.eval(value);
                self.old.pop();
                let new = new?;
                self.store(&cells, new, *at)?;
                Ok(if *gives_old { old } else { new })
            }
            Node::Copy {
                to,
                from,
                cells,
                at,
            } => {
                let (to, from) = (self.locate(to, *at)?, self.locate(from, *at)?);
                let ([(into, first)], [(outof, start)]) = (&to[..], &from[..]) else {
                    return Err(self.vague(*at));
                };
                for cell in 0..*cells {
                    let known = self.ranges.cell(*outof, start + cell);
                    self.ranges.cells.insert((*into, first + cell), known);
                }
                Ok(Range::one(0))
            }
            Node::Together { stores, .. } => {
                for store in stores {
                    self.eval(store)?;
                }
                Ok(Range::one(0))
            }
            Node::PointerTruth { at, .. }
            | Node::Same { at, .. }
            | Node::Move { at, .. }
            | Node::Call { at, .. } => Err(self.vague(*at)),
            Node::Address(_) => Err(self.vague(WHOLE)),
        }
    }

    /// The cells a place may mean.
    fn locate(&mut self, place: &Place, at: u32) -> Step<Vec<(ObjectId, u32)>> {
        let object = match &place.root {
            Root::Slot(Slot::Table(object)) => *object,
            Root::Slot(Slot::Local(local)) => self.frame[*local as usize],
            Root::Pointer { at, .. } => return Err(self.vague(*at)),
        };
        let mut cells = vec![place.cell];
        for index in &place.indices {
            let range = self.eval(&index.index)?;
            if range.lo < 0 || range.hi >= i128::from(index.len) {
                return Err(self.trouble(Undefined::IndexOutOfBounds, index.at));
            }
            if (range.hi - range.lo + 1) * cells.len() as i128 > MOST_CELLS {
                return Err(self.vague(index.at));
            }
            let choices = (range.lo..=range.hi).filter(|index| range.contains(*index));
            let skips: Vec<u32> = choices.map(|by| by as u32 * index.stride).collect();
            cells = cells
                .iter()
                .flat_map(|cell| skips.iter().map(move |skip| cell + skip))
                .collect();
        }
        if cells
            .iter()
            .any(|cell| *cell >= self.ranges.table.object(object).cells())
        {
            return Err(self.trouble(Undefined::IndexOutOfBounds, at));
        }
        Ok(cells.into_iter().map(|cell| (object, cell)).collect())
    }

    fn load(&self, cells: &[(ObjectId, u32)], at: u32) -> Step<Range> {
        let known = cells
            .iter()
            .map(|(object, cell)| self.ranges.cell(*object, *cell));
        match known.reduce(Cell::join) {
            Some(Cell::Value(range)) => Ok(range),
            Some(Cell::Without(State::Uninitialised)) => {
                Err(self.trouble(Undefined::UninitialisedRead, at))
            }
            Some(Cell::Without(State::Dead | State::Dangling)) => {
                Err(self.trouble(Undefined::DeadObject, at))
            }
            _ => Err(self.trouble(Refused::UnknownValue, at)),
        }
    }

    fn store(&mut self, cells: &[(ObjectId, u32)], value: Range, at: u32) -> Step<()> {
        for (object, cell) in cells {
            if self.ranges.table.object(*object).constant {
                return Err(self.trouble(Undefined::WriteToConst, at));
            }
            let new = Cell::Value(self.typed(*object, *cell, value));
            let new = match cells.len() {
                1 => new,
                // Only one of them is written, and we do not know which.
                _ => new.join(self.ranges.cell(*object, *cell)),
            };
            self.ranges.cells.insert((*object, *cell), new);
        }
        Ok(())
    }

    /// A stored value with its bits read as the cell's type says.
    fn typed(&self, object: ObjectId, cell: u32, value: Range) -> Range {
        let ty = &self.ranges.table.object(object).ty;
        match self.types.cell_type(ty, cell) {
            Some(CellType::Int(kind) | CellType::Bits { kind, .. }) if kind != IntKind::Bool => {
                ops::cut(Cut::to(kind, self.types.target), value)
            }
            _ => value,
        }
    }
}
