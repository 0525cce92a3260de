//! A point to mutate at: which scalars live code may use there, and their values.

use super::float::{self, KnownFloat, SiteFloat};
use super::knowledge::Knowledge;
use super::pointee::{PointerTargets, SitePointer};
use super::scalar::{KnownScalar, ScalarForms, SiteScalar};
use super::world::World;
use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::range::{Range, Ranges};
use crate::code::table::{Column, Table};
use crate::source::program::{Meaning, Program, StatementId, VariableId};
use crate::source::vocabulary::Vocabulary;
use crate::variant::profile::{Profile, Sample, SampledValues};
use rand::Rng;
use rand::seq::{IteratorRandom, SliceRandom};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A point with recorded values.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub program: &'a Program,
    pub vocabulary: &'a Vocabulary,
    pub statement: StatementId,
    pub visits: u64,
    sample: &'a Sample,
    /// Scalars of integer type that may be read, with their column in the sample.
    known: Vec<SiteScalar>,
    /// Floating-point ones.
    floats: Vec<SiteFloat>,
    /// Pointers to integers that are known.
    pointers: Vec<SitePointer>,
    pointees: Arc<PointerTargets>,
    profile: &'a Profile,
    /// Positions in `known` by how close to the code around they are.
    pools: [Vec<usize>; 3],
}

/// Some scalars of a site and all that is known of them.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub world: World,
    pub scalars: Vec<KnownScalar>,
    /// The floating-point numbers, if any.
    pub floats: Vec<KnownFloat>,
}

/// A point with more visits than this gets short code only.
const HOT: u64 = 20_000;

/// Scalars that optimisers know nothing about, if there are any.
const LEAST_OPAQUE: usize = 2;

/// Floating-point numbers that a mutation may use.
const MOST_FLOATS: usize = 3;

/// Pointers that a mutation may follow.
const MOST_POINTERS: usize = 2;

/// Scalars that a live block gets for being lasting.
const MOST_LASTING: usize = 2;

/// Where sites come from: one program with its profile.
#[derive(Debug)]
pub(crate) struct Sites<'a> {
    program: &'a Program,
    vocabulary: &'a Vocabulary,
    profile: &'a Profile,
    forms: ScalarForms<'a>,
    pointees: Arc<PointerTargets>,
}

impl<'a> Sites<'a> {
    pub(crate) fn new(
        program: &'a Program,
        vocabulary: &'a Vocabulary,
        profile: &'a Profile,
    ) -> Sites<'a> {
        Sites {
            program,
            vocabulary,
            profile,
            forms: ScalarForms::new(program, vocabulary, profile),
            pointees: PointerTargets::new(program, vocabulary, profile).into(),
        }
    }

    /// `None` if no live code may be put there: the point is never reached, not recorded,
    /// or depends on the order of evaluation.
    pub(crate) fn at(&self, statement: StatementId) -> Option<Site<'a>> {
        let (program, profile) = (self.program, self.profile);
        let point = profile.point(statement)?;
        let sample = point.sample.as_ref()?;
        if point.visits == 0 || point.order_sensitive.is_some() || is_empty(sample) {
            return None;
        }
        program.statement(statement).insertion.ok()?;
        let columns = sample.columns.iter().enumerate();
        let known = columns.filter_map(|(at, column)| {
            let variable = profile.columns[*column as usize].place.variable;
            if !program.is_complete_at(variable, statement) {
                return None;
            }
            program.readable(variable, statement).ok()?;
            let form = self.forms.of_column(*column)?;
            Some(SiteScalar {
                column: at as u32,
                is_writable: form.is_writable && program.writable(variable, statement).is_ok(),
                is_opaque: differs(sample, at),
                is_sum: false,
                form,
            })
        });
        let known: Vec<SiteScalar> = known.collect();
        let floats = self.floats_at(statement, sample);
        let pointers = self.pointers_at(statement, sample, &known);
        let pools = pools(program, statement, &known, |known| {
            let column = sample.columns[known.column as usize];
            profile.columns[column as usize].place.variable
        });
        Some(Site {
            program,
            vocabulary: self.vocabulary,
            statement,
            visits: point.visits,
            sample,
            known,
            floats,
            pointers,
            pointees: Arc::clone(&self.pointees),
            profile,
            pools,
        })
    }

    /// The pointers that live code may follow at a point.
    fn pointers_at(
        &self,
        statement: StatementId,
        sample: &Sample,
        known: &[SiteScalar],
    ) -> Vec<SitePointer> {
        let SampledValues::Rows(rows) = &sample.values else {
            return vec![];
        };
        let found = self.pointees.at(self.profile, &sample.columns, rows, known);
        let is_nameable = |pointer: &SitePointer| {
            let meaning = self.program.name_at(statement, pointer.name());
            meaning.is_some_and(|name| match name.meaning {
                Meaning::Variable(variable) => {
                    self.program.is_complete_at(variable, statement)
                        && self.program.observable(variable, statement).is_ok()
                }
                _ => false,
            })
        };
        found.into_iter().filter(is_nameable).collect()
    }

    /// The floating-point numbers that live code may use at a point: those whose values
    /// every compiler treats alike in every visit.
    fn floats_at(&self, statement: StatementId, sample: &Sample) -> Vec<SiteFloat> {
        let (program, profile) = (self.program, self.profile);
        let SampledValues::Rows(rows) = &sample.values else {
            return vec![];
        };
        let near = program.used_near(statement);
        let columns = sample.columns.iter().enumerate();
        let floats = columns.filter_map(|(at, column)| {
            let form = self.forms.float_of_column(*column)?;
            let variable = profile.columns[*column as usize].place.variable;
            if !program.is_complete_at(variable, statement) {
                return None;
            }
            program.readable(variable, statement).ok()?;
            let precision = form.kind.precision()?;
            let are_usable = rows.iter().all(|row| float::is_usable(precision, row[at]));
            are_usable.then(|| SiteFloat {
                column: at as u32,
                is_writable: form.is_writable && program.writable(variable, statement).is_ok(),
                is_opaque: differs(sample, at),
                is_near: near.contains(&variable),
                form,
            })
        });
        floats.collect()
    }
}

impl<'a> Site<'a> {
    /// The same with what was seen to change anywhere, by column of the profile: no
    /// optimiser can take such a variable for a constant.
    pub(crate) fn knowing(mut self, varying: &[bool]) -> Site<'a> {
        for known in &mut self.known {
            let column = self.sample.columns[known.column as usize] as usize;
            known.is_opaque |= known.form.is_static && known.form.is_exposed && varying[column];
            known.is_sum = known.form.is_lasting && varying[column];
        }
        for float in &mut self.floats {
            let column = self.sample.columns[float.column as usize] as usize;
            float.is_opaque |= float.form.is_static && float.form.is_exposed && varying[column];
        }
        self
    }

    /// Whether the point is visited so often that its code must be short.
    pub(crate) fn is_hot(&self) -> bool {
        self.visits > HOT
    }

    /// Some of the scalars, chosen by dice: half of them used by the code around, a
    /// quarter of the function, the others from anywhere, as far as there are any.
    pub(crate) fn view(&self, rng: &mut impl Rng, most: usize) -> View {
        let chosen = self.chosen(rng, most);
        self.view_with_others(rng, chosen)
    }

    /// These scalars, some floating-point numbers, and some that pointers point to.
    fn view_with_others(&self, rng: &mut impl Rng, chosen: Vec<usize>) -> View {
        let floats = self.some_floats(rng, &|_| false, &|_| true);
        let pointers = self.some_pointers(rng, &|_| false, &|_| true);
        self.looked_at(rng, self.view_of(chosen, &floats, &pointers))
    }

    /// All pointers that are needed, and some others that may be used with all that they
    /// point to, by the names of the variables.
    fn some_pointers(
        &self,
        rng: &mut impl Rng,
        is_needed: &impl Fn(&str) -> bool,
        may_be: &impl Fn(&str) -> bool,
    ) -> Vec<&SitePointer> {
        if self.pointers.is_empty() {
            return vec![];
        }
        let good = self.pointers.iter().filter(|one| {
            let targets = self.targets(one).unwrap_or_default();
            let mut names = targets.iter().map(|at| &self.known[*at].form.root.0);
            may_be(one.name()) && names.all(|name| may_be(name))
        });
        let (mut chosen, mut others): (Vec<&SitePointer>, Vec<&SitePointer>) =
            good.partition(|one| is_needed(one.name()));
        others.shuffle(rng);
        chosen.extend(others.into_iter().take(MOST_POINTERS));
        chosen
    }

    /// What a pointer points to in each row.
    fn targets(&self, pointer: &SitePointer) -> Option<Vec<usize>> {
        let SampledValues::Rows(rows) = &self.sample.values else {
            return None;
        };
        let columns = &self.sample.columns;
        self.pointees
            .targets(pointer, self.profile, columns, rows, &self.known)
    }

    /// The view with its floating-point numbers as integers, too.
    fn looked_at(&self, rng: &mut impl Rng, mut view: View) -> View {
        view.look_at_floats(&self.vocabulary.types, rng);
        view
    }

    /// All floating-point numbers that are needed, and some others that may be used, by the
    /// names of their variables. No dice are thrown where there are none.
    fn some_floats(
        &self,
        rng: &mut impl Rng,
        is_needed: &impl Fn(&str) -> bool,
        may_be: &impl Fn(&str) -> bool,
    ) -> Vec<&SiteFloat> {
        if self.floats.is_empty() {
            return vec![];
        }
        let good = self.floats.iter().filter(|one| may_be(&one.form.root.0));
        let (mut chosen, mut others): (Vec<&SiteFloat>, Vec<&SiteFloat>) =
            good.partition(|one| is_needed(&one.form.root.0));
        others.shuffle(rng);
        if rng.random() {
            others.sort_by_key(|one| !one.is_near);
        }
        chosen.extend(others.into_iter().take(MOST_FLOATS));
        chosen
    }

    /// The same, with some that hold what they are given until the program ends.
    pub(crate) fn block_view(&self, rng: &mut impl Rng, most: usize) -> View {
        let mut chosen = self.chosen(rng, most);
        let is_lasting =
            |at: &usize| self.known[*at].form.is_lasting && self.known[*at].is_writable;
        let others = (0..self.known.len()).filter(|at| is_lasting(at) && !chosen.contains(at));
        let mut others: Vec<usize> = others.collect();
        others.shuffle(rng);
        others.sort_by_key(|at| !self.known[*at].is_sum);
        others.truncate(MOST_LASTING);
        chosen.extend(others);
        self.view_with_others(rng, chosen)
    }

    fn chosen(&self, rng: &mut impl Rng, most: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::with_capacity(most);
        for _ in 0..most.min(self.known.len()) {
            let first = match rng.random_range(0..4) {
                0 | 1 => 0,
                2 => 1,
                _ => 2,
            };
            let pools = self.pools[first..].iter().chain(&self.pools[..first]);
            let next = pools.into_iter().find_map(|pool| {
                let left = pool.iter().filter(|at| !chosen.contains(at));
                left.choose(rng).copied()
            });
            chosen.extend(next);
        }
        if rng.random() {
            self.complete_array(&mut chosen);
        }
        let is_opaque = |at: &usize| self.known[*at].is_opaque;
        let missing = LEAST_OPAQUE.saturating_sub(chosen.iter().filter(|at| is_opaque(at)).count());
        let others = (0..self.known.len()).filter(|at| is_opaque(at) && !chosen.contains(at));
        let others = others.choose_multiple(rng, missing);
        chosen.extend(others);
        chosen
    }

    /// Adds the other elements of an array that has one among the chosen.
    fn complete_array(&self, chosen: &mut Vec<usize>) {
        let base = |at: &usize| Some(self.known[*at].form.element()?.0);
        let Some(array) = chosen.iter().find_map(base) else {
            return;
        };
        let mut others: Vec<usize> = (0..self.known.len())
            .filter(|at| base(at) == Some(array) && !chosen.contains(at))
            .collect();
        chosen.append(&mut others);
    }

    /// Scalars of variables of which a test holds: all of those that an expression
    /// names, and some others, rather such that optimisers know nothing about.
    pub(crate) fn view_where(
        &self,
        rng: &mut impl Rng,
        most: usize,
        needed: Option<&Expr>,
        holds: &impl Fn(&str) -> bool,
    ) -> View {
        let mut named: BTreeSet<&str> = BTreeSet::new();
        if let Some(needed) = needed {
            needed.for_each_var(&mut |var| {
                named.insert(&var.name);
            });
        }
        let name = |at: &usize| self.known[*at].form.root.0.as_str();
        let good = (0..self.known.len()).filter(|at| holds(name(at)));
        let (mut chosen, mut others): (Vec<usize>, Vec<usize>) =
            good.partition(|at| named.contains(name(at)));
        others.shuffle(rng);
        others.sort_by_key(|at| !self.known[*at].is_opaque);
        chosen.extend(others.into_iter().take(most));
        let is_needed = |name: &str| named.contains(name);
        let floats = self.some_floats(rng, &is_needed, holds);
        let pointers = self.some_pointers(rng, &is_needed, holds);
        self.looked_at(rng, self.view_of(chosen, &floats, &pointers))
    }

    /// All of the scalars.
    pub(crate) fn whole_view(&self) -> View {
        let floats: Vec<&SiteFloat> = self.floats.iter().collect();
        let pointers: Vec<&SitePointer> = self.pointers.iter().collect();
        self.view_of((0..self.known.len()).collect(), &floats, &pointers)
    }

    fn view_of(
        &self,
        mut chosen: Vec<usize>,
        floats: &[&SiteFloat],
        pointers: &[&SitePointer],
    ) -> View {
        let followed = pointers.iter();
        let followed = followed.filter_map(|pointer| Some((*pointer, self.targets(pointer)?)));
        let followed: Vec<(&SitePointer, Vec<usize>)> = followed.collect();
        for at in followed.iter().flat_map(|(_, targets)| targets) {
            if !chosen.contains(at) {
                chosen.push(*at);
            }
        }
        let chosen = chosen.iter().map(|at| &self.known[*at]);
        let types = &self.vocabulary.types;
        let evaluator = Evaluator::new(types);
        match &self.sample.values {
            SampledValues::Rows(rows) => {
                let mut table = Table::new(rows.len() as u32);
                let column = |at: usize| {
                    let values = rows.iter().map(|row| row[at] as i64);
                    Column::values(values.collect())
                };
                let mut known_floats = Vec::with_capacity(floats.len());
                for float in floats {
                    let (name, ty) = &float.form.root;
                    let is_known = table.knows(name) || table.declare(types, name, ty.clone());
                    let column = column(float.column as usize);
                    if is_known && evaluator.set(&float.form.lvalue, &mut table, column) {
                        known_floats.push(float.known());
                    }
                }
                let mut scalars = self.fill(&mut table, chosen, |table, known| {
                    evaluator.set(&known.lvalue, table, column(known.column))
                });
                for (pointer, targets) in &followed {
                    scalars.extend(pointer.follow(types, &mut table, &self.known, targets));
                }
                View {
                    world: table.into(),
                    scalars,
                    floats: known_floats,
                }
            }
            SampledValues::Ranges(observed) => {
                let mut ranges = Ranges::new();
                let scalars = self.fill(&mut ranges, chosen, |ranges, known| {
                    let is_signed = known.kind.signed(types.target);
                    let range = range(&observed[known.column], is_signed);
                    let cell = evaluator.cell(&known.lvalue, ranges.table());
                    if let (Some(range), Some((object, cell))) = (range, cell) {
                        ranges.set(object, cell, range);
                        return true;
                    }
                    false
                });
                View {
                    world: ranges.into(),
                    scalars,
                    floats: vec![],
                }
            }
        }
    }

    /// Declares the variables of scalars and says what each scalar holds; those of
    /// which that cannot be said are left out.
    fn fill<'k, K: Knowledge>(
        &self,
        known: &mut K,
        chosen: impl ExactSizeIterator<Item = &'k SiteScalar>,
        set: impl Fn(&mut K, &KnownScalar) -> bool,
    ) -> Vec<KnownScalar> {
        let types = &self.vocabulary.types;
        let mut scalars = Vec::with_capacity(chosen.len());
        for scalar in chosen {
            let scalar = scalar.known();
            let (name, ty) = &scalar.root;
            if !known.knows(name) && !known.declare(types, name, ty.clone()) {
                continue;
            }
            if set(known, &scalar) {
                scalars.push(scalar);
            }
        }
        scalars
    }
}

/// The scalars that the code around a statement uses, the others of its function, and
/// all others.
fn pools(
    program: &Program,
    statement: StatementId,
    known: &[SiteScalar],
    variable: impl Fn(&SiteScalar) -> VariableId,
) -> [Vec<usize>; 3] {
    let near = program.used_near(statement);
    let function = program.statement(statement).function;
    let mut pools = [const { Vec::new() }; 3];
    for (at, scalar) in known.iter().enumerate() {
        let variable = variable(scalar);
        let pool = if near.contains(&variable) {
            0
        } else if program.variable(variable).function == Some(function) {
            1
        } else {
            2
        };
        pools[pool].push(at);
    }
    pools
}

/// A recorded range as `code/` sees it.
fn range(range: &crate::variant::profile::ObservedRange, signed: bool) -> Option<Range> {
    let (lo, hi) = if signed {
        (range.signed_min.into(), range.signed_max.into())
    } else {
        (range.unsigned_min.into(), range.unsigned_max.into())
    };
    Range::observed(lo, hi, range.known_zeros, range.known_ones)
}

fn is_empty(sample: &Sample) -> bool {
    matches!(&sample.values, SampledValues::Rows(rows) if rows.is_empty())
}

/// Whether a column has more than one value.
fn differs(sample: &Sample, column: usize) -> bool {
    match &sample.values {
        SampledValues::Rows(rows) => rows.iter().any(|row| row[column] != rows[0][column]),
        SampledValues::Ranges(ranges) => {
            let range = &ranges[column];
            range.unsigned_min != range.unsigned_max
        }
    }
}
