//! Loops over whole arrays, with turns enough for vector units: which elements meet, which turns
//! store, where the loop ends and what is left behind it is what vectorisers must get right.
//!
//! A turn may use several neighbouring elements, some of them of other arrays and of other widths,
//! keep something for the next turn, or end the loop. Indices stay inside by construction, so only
//! arithmetic can be undefined, and narrow elements rarely make it so.

use super::{SnippetStyle, SnippetWriter};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::op::{BinaryOp, StepOp};
use crate::code::stmt::{Attribute, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::variant::generate::feature::Feature;
use crate::variant::generate::weights::{COMPARISONS, ELEMENTS, PLAIN};
use rand::Rng;

/// Elements that such an array has more than its loop needs.
const ROOM: u64 = 4;
/// Turns of such a loop.
const MOST_TURNS: i32 = 70;
/// Instructions that a row of such a snippet may execute.
const SWEEP_STEPS: u64 = 8_000;

/// Types of the number of turns, which need not be the counter's.
const BOUNDS: [IntKind; 8] = [
    IntKind::Int,
    IntKind::Int,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::ULong,
    IntKind::Short,
];
/// Types of counters.
const COUNTERS: [IntKind; 9] = [
    IntKind::Int,
    IntKind::Int,
    IntKind::Int,
    IntKind::UInt,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::Short,
    IntKind::UChar,
];

/// A loop that is being written.
pub(super) struct Sweep {
    /// The element that a turn begins with.
    pub(super) start: Expr,
    /// How many elements a turn goes on.
    pub(super) stride: i32,
    pub(super) counter: Expr,
    /// How many turns came before.
    pub(super) turn: Expr,
    /// Arrays, or pointers to their elements.
    pub(super) arrays: Vec<Expr>,
    pub(super) scalars: Vec<Expr>,
    /// What a turn leaves to the next: sums, extremes, the last element.
    pub(super) kept: Vec<Var>,
}

impl SnippetWriter {
    /// A test that goes over some arrays once or twice, or a function that does.
    pub(super) fn sweeps(&mut self) {
        self.snippet.steps = SWEEP_STEPS;
        let stride = self.one_of(&[1, 1, 1, 1, 2, 2, 3, 4]);
        let most = if stride == 1 { MOST_TURNS } else { 36 };
        let turns = self.dice.random_range(7..=most);
        let len = (turns * stride) as u64 + ROOM;
        let kinds = [self.element_kind(), self.element_kind()];
        let arrays = (0..self.one_of(&[1, 2, 2, 3])).map(|_| {
            let kind = self.one_of(&kinds);
            let array = self.global(Type::Int(kind).array(len));
            self.vary(&array);
            array
        });
        let arrays: Vec<Var> = arrays.collect();
        let scalars = (0..2).map(|_| {
            let kind = self.kind();
            self.global(Type::Int(kind))
        });
        let scalars: Vec<Var> = scalars.collect();
        let loops = self.one_of(&[1, 1, 1, 2, 2, 3]);
        if self.has(Feature::Calls) && self.has(Feature::Pointers) && self.percent(45) {
            self.sweep_function(&arrays, &scalars, turns, stride, loops);
            return;
        }
        let scalars = scalars.into_iter().map(Expr::Var).collect();
        let arrays = arrays.into_iter().map(Expr::Var).collect();
        let body = self.swept_block(arrays, scalars, stride, loops, |writer| {
            writer.steered_sometimes(25, turns)
        });
        self.add_test(body);
    }

    /// The same in a function that is passed pointers, which may overlap and are aligned to
    /// nothing, and how many turns there are.
    fn sweep_function(
        &mut self,
        arrays: &[Var],
        scalars: &[Var],
        turns: i32,
        stride: i32,
        loops: i32,
    ) {
        let mut params = Vec::new();
        let mut args = Vec::new();
        for array in arrays {
            let Type::Array { of, .. } = &array.ty else {
                continue;
            };
            // Another array of that type may be passed in its place.
            let alike: Vec<&Var> = arrays.iter().filter(|one| one.ty == array.ty).collect();
            let passed = alike[self.dice.random_range(0..alike.len())];
            let first = self.one_of(&[0, 0, 1, 2, 3]);
            params.push(self.var("p", (**of).clone().pointer()));
            let element = Expr::Var(passed.clone()).index(Expr::int(first));
            args.push(element.address_of());
        }
        let bound = self.percent(60).then(|| {
            let kind = self.one_of(&BOUNDS);
            self.var("p", Type::Int(kind))
        });
        if let Some(bound) = &bound {
            params.push(bound.clone());
            args.push(self.steered_sometimes(50, turns));
        }
        for scalar in scalars {
            params.push(self.var("p", scalar.ty.clone()));
            args.push(Expr::Var(scalar.clone()));
        }
        let count = arrays.len();
        let names = |from: usize| params[from..].iter().cloned().map(Expr::Var).collect();
        let pointers: Vec<Expr> = names(0);
        let numbers = names(params.len() - scalars.len());
        let end = bound.map_or(Expr::int(turns), Expr::Var);
        let body = self.swept_block(pointers[..count].to_vec(), numbers, stride, loops, |_| {
            end.clone()
        });
        let callee = self.giving(params, vec![body], Type::INT, Expr::int(0));
        if let Some(definition) = self.snippet.functions.last_mut() {
            definition.is_inline = false;
            definition.attributes = vec![Attribute::Noipa];
        }
        self.add_test(Stmt::Expr(Expr::call(callee, args)));
    }

    fn element_kind(&mut self) -> IntKind {
        let features = self.policy.features;
        let kind = self
            .policy
            .draw_where(&ELEMENTS, &mut self.dice, |kind| features.allows_kind(kind));
        kind.unwrap_or(IntKind::Int)
    }

    /// Numbers of all sizes in an array of a snippet that otherwise has small ones.
    fn vary(&mut self, array: &Var) {
        if self.style == SnippetStyle::Once && self.percent(70) {
            let style = std::mem::replace(&mut self.style, SnippetStyle::Rows);
            let values = self.row_of(array);
            self.style = style;
            let mut inputs = self.snippet.inputs.iter_mut();
            if let Some(global) = inputs.find(|global| global.var == *array) {
                global.fill.set_row(0, values);
            }
        }
    }

    /// A block of such loops, and what they kept.
    fn swept_block(
        &mut self,
        arrays: Vec<Expr>,
        scalars: Vec<Expr>,
        stride: i32,
        loops: i32,
        end: impl Fn(&mut Self) -> Expr,
    ) -> Stmt {
        self.block_of(
            |writer| {
                let mut all = Vec::new();
                for _ in 0..loops {
                    let kept = (0..writer.one_of(&[0, 1, 1, 2])).map(|_| writer.kept_local());
                    let mut sweep = Sweep {
                        start: Expr::int(0),
                        stride,
                        counter: Expr::int(0),
                        turn: Expr::int(0),
                        arrays: arrays.clone(),
                        scalars: scalars.clone(),
                        kept: kept.collect(),
                    };
                    let end = end(writer);
                    all.push(writer.sweep(&mut sweep, end));
                    for var in &sweep.kept {
                        let output = Expr::Var(writer.output(var.ty.clone()));
                        all.push(Stmt::Expr(Expr::assign(output, Expr::Var(var.clone()))));
                    }
                    if writer.percent(30) {
                        let output = Expr::Var(writer.output(Type::Int(IntKind::Long)));
                        all.push(Stmt::Expr(Expr::assign(output, sweep.counter)));
                    }
                }
                all
            },
            |_, _, _| {},
        )
    }

    /// A local that is set before the loop.
    fn kept_local(&mut self) -> Var {
        let kind = match self.dice.random_range(0..10) {
            0..4 => self.element_kind(),
            4..8 => self.one_of(&[IntKind::UInt, IntKind::UInt, IntKind::ULong, IntKind::Int]),
            _ => self.kind(),
        };
        let start = if self.percent(60) {
            Expr::int(self.one_of(&[0, 0, 0, 1, -1]))
        } else {
            self.constant()
        };
        self.declare(kind, Some(start))
    }

    /// `for (i = 0; i < end; i++)` over `a[i * stride + …]`, also the other way round.
    fn sweep(&mut self, sweep: &mut Sweep, end: Expr) -> Stmt {
        let kind = self.one_of(&COUNTERS);
        let counter = self.sweep_counter(kind);
        let first = self.first_count(kind);
        let (from, end) = self.counts_from(kind, first, end);
        sweep.counter = counter.clone();
        sweep.turn = if first == 0 {
            counter.clone()
        } else {
            Expr::binary(BinaryOp::Sub, counter.clone(), from.clone())
        };
        sweep.start = if sweep.stride == 1 {
            sweep.turn.clone()
        } else {
            Expr::binary(BinaryOp::Mul, sweep.turn.clone(), Expr::int(sweep.stride))
        };
        let mut lines = Vec::new();
        for _ in 0..self.one_of(&[1, 1, 2, 2, 3]) {
            lines.extend(self.sweep_lines(sweep));
        }
        if self.percent(18) {
            let leave = Stmt::if_then(self.sweep_condition(sweep), Stmt::Break);
            lines.insert(self.dice.random_range(0..=lines.len()), leave);
        }
        let body = Stmt::Block(lines);
        let signed = kind.min(self.target()) < 0;
        if signed && first == 0 && self.percent(15) {
            let last = Expr::binary(BinaryOp::Sub, end, Expr::int(1));
            let start = Expr::assign(counter.clone(), last);
            let condition = Expr::binary(BinaryOp::Ge, counter.clone(), Expr::int(0));
            let next = Expr::step(StepOp::PostDecrement, counter);
            return Stmt::for_loop(start, condition, next, body);
        }
        let start = Expr::assign(counter.clone(), from);
        let op = self.one_of(&[BinaryOp::Lt, BinaryOp::Lt, BinaryOp::Ne]);
        let condition = Expr::binary(op, counter.clone(), end);
        let next = Expr::step(StepOp::PostIncrement, counter);
        if self.percent(12) {
            // Where it starts is to be found out.
            let set = self.counted_of(|_| vec![Stmt::Expr(start)]);
            let rest = Stmt::For {
                start: None,
                condition: Some(condition),
                step: Some(next),
                body: body.into(),
            };
            return Stmt::Block(vec![set, rest]);
        }
        Stmt::for_loop(start, condition, next, body)
    }

    /// What a counter of a type starts with: mostly 0, or near a limit.
    fn first_count(&mut self, kind: IntKind) -> i128 {
        let target = self.target();
        let is_signed = kind.min(target) < 0;
        match self.dice.random_range(0..20) {
            14 => self.dice.random_range(1..=3),
            15 if is_signed => -self.dice.random_range(1..=40),
            16 | 17 => kind.min(target),
            18 | 19 => kind.max(target) - i128::from(MOST_TURNS),
            _ => 0,
        }
    }

    /// Such a start, and the end of so many turns.
    fn counts_from(&self, kind: IntKind, first: i128, turns: Expr) -> (Expr, Expr) {
        if first == 0 {
            return (Expr::int(0), turns);
        }
        let kind = kind.promoted();
        let from = Expr::Const(Value::new(kind, first, self.target()));
        (from.clone(), Expr::binary(BinaryOp::Add, turns, from))
    }

    /// The counter of such a loop, which nothing else changes.
    fn sweep_counter(&mut self, kind: IntKind) -> Expr {
        let var = if self.percent(15) {
            self.global(Type::Int(kind))
        } else {
            self.declare(kind, None)
        };
        self.objects.pop();
        Expr::Var(var)
    }

    /// What is done in a turn, or a part of it.
    fn sweep_lines(&mut self, sweep: &Sweep) -> Vec<Stmt> {
        let kept = match sweep.kept.len() {
            0 => None,
            count => Some(sweep.kept[self.dice.random_range(0..count)].clone()),
        };
        let kept = kept.map(Expr::Var);
        match (self.dice.random_range(0..20), kept) {
            // The same for all elements of a turn.
            (0..3, _) if sweep.stride > 1 => {
                let at = self.dice.random_range(0..sweep.arrays.len());
                let start = self.dice.clone();
                let lines = (0..sweep.stride).map(|lane| {
                    self.dice = start.clone();
                    let turned = self.percent(20);
                    let value = self.sweep_tree(sweep, 2);
                    let lane = if turned {
                        sweep.stride - 1 - lane
                    } else {
                        lane
                    };
                    let place = self.sweep_element(sweep, at, lane);
                    Stmt::Expr(Expr::assign(place, value))
                });
                lines.collect()
            }
            (0..7, _) => vec![self.sweep_store(sweep)],
            (7..10, _) => {
                let condition = self.sweep_condition(sweep);
                let yes = self.sweep_store(sweep);
                if self.percent(35) {
                    let no = self.sweep_store(sweep);
                    return vec![Stmt::if_else(condition, yes, no)];
                }
                vec![Stmt::if_then(condition, yes)]
            }
            (10..14, Some(kept)) => {
                let op = self.one_of(&PLAIN);
                let value = self.sweep_tree(sweep, 2);
                let step = Stmt::Expr(Expr::compound(op, kept, value));
                if self.percent(40) {
                    return vec![Stmt::if_then(self.sweep_condition(sweep), step)];
                }
                vec![step]
            }
            (14 | 15, Some(kept)) => {
                let op = self.policy.draw(&COMPARISONS, &mut self.dice);
                let value = self.sweep_tree(sweep, 1);
                let asked = Expr::binary(op, value.clone(), kept.clone());
                vec![Stmt::if_then(asked, Stmt::Expr(Expr::assign(kept, value)))]
            }
            (16 | 17, Some(kept)) => {
                // The last, or the last that something holds of.
                let value = if self.percent(40) {
                    sweep.counter.clone()
                } else {
                    self.sweep_tree(sweep, 1)
                };
                let set = Stmt::Expr(Expr::assign(kept.clone(), value.clone()));
                match self.dice.random_range(0..3) {
                    0 => vec![set],
                    1 => vec![Stmt::if_then(self.sweep_condition(sweep), set)],
                    _ => {
                        let chosen =
                            Expr::conditional(self.sweep_condition(sweep), value, kept.clone());
                        vec![Stmt::Expr(Expr::assign(kept, chosen))]
                    }
                }
            }
            (18, Some(kept)) => {
                // What this turn keeps, the next one uses.
                let place = self.some_element(sweep);
                let op = self.one_of(&PLAIN);
                let value = Expr::binary(op, kept.clone(), self.some_element(sweep));
                let next = self.some_element(sweep);
                vec![
                    Stmt::Expr(Expr::assign(place, value)),
                    Stmt::Expr(Expr::assign(kept, next)),
                ]
            }
            _ => {
                let scalar = self.writable();
                let value = self.sweep_tree(sweep, 1);
                match scalar {
                    Some(scalar) if self.percent(50) => {
                        vec![Stmt::Expr(Expr::assign(scalar, value))]
                    }
                    _ => vec![self.sweep_store(sweep)],
                }
            }
        }
    }

    fn sweep_store(&mut self, sweep: &Sweep) -> Stmt {
        let place = match self.dice.random_range(0..100) {
            0..8 => self.picked_element(sweep),
            8..12 => self.recurring_element(sweep),
            _ => self.some_element(sweep),
        };
        let depth = self.one_of(&[0, 1, 2, 2, 3]);
        let value = self.sweep_tree(sweep, depth);
        Stmt::Expr(if self.percent(25) {
            Expr::compound(self.one_of(&PLAIN), place, value)
        } else {
            Expr::assign(place, value)
        })
    }
}
