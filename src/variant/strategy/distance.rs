//! How far a variant is from its seed, without looking at its text.
//!
//! The statements of a variant are those of the seed that are left, and those that
//! mutations put in, which always count as new. Its control-flow edges are those of the
//! seed's graph (`program/flow`), except that control continues after a deleted
//! statement, and that an edge to a statement with new code before it becomes one to
//! the new code and one from there. The distance is the Jaccard distance of both sets
//! from the seed's. Only functions whose mutations have changed since the last call
//! are looked at again.

use super::objective::Objective;
use crate::source::program::{Flow, FlowStep, FunctionId, Program, StatementId};
use crate::variant::mutation::{Effect, Mutation, Size};
use anyhow::Result;
use std::collections::BTreeMap;

/// The weights of the terms of the distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Different statements.
    pub alpha: f64,
    /// Different control flow.
    pub beta: f64,
    /// The penalty for more statements than before.
    pub gamma: f64,
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            alpha: 1.0,
            beta: 1.0,
            gamma: 0.5,
        }
    }
}

/// Sizes of a seed's and a variant's sets, of one function or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// In the variant.
    statements: usize,
    edges: usize,
    /// In both.
    common_statements: usize,
    common_edges: usize,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.statements += other.statements;
        self.edges += other.edges;
        self.common_statements += other.common_statements;
        self.common_edges += other.common_edges;
    }
}

/// The distance from one seed.
#[derive(Debug)]
pub struct Distance<'p> {
    program: &'p Program,
    measure: Measure,
    graphs: BTreeMap<FunctionId, Graph>,
    /// The counts of each function, with the mutations they are for.
    known: BTreeMap<FunctionId, (Vec<u32>, Counts)>,
    seed: Counts,
}

/// The control flow of a function of the seed.
#[derive(Debug)]
struct Graph {
    flow: Flow,
    statements: usize,
    /// Sorted.
    edges: Vec<(u32, u32)>,
}

/// What mutations put in before a statement.
#[derive(Clone, Copy, Debug, Default)]
struct Added {
    statements: usize,
    edges: usize,
    /// Whether control may pass by the statement.
    is_guarded: bool,
}

impl<'p> Distance<'p> {
    pub fn new(program: &'p Program, measure: Measure) -> Distance<'p> {
        let graphs: BTreeMap<FunctionId, Graph> = program
            .definitions()
            .map(|(id, _, definition)| {
                let flow = Flow::new(program, definition);
                let mut edges = Vec::new();
                for (from, node) in flow.nodes.iter().enumerate() {
                    edges.extend(node.successors.iter().map(|to| (from as u32, *to)));
                }
                edges.sort_unstable();
                let statements = definition.statements.len();
                let graph = Graph {
                    flow,
                    statements,
                    edges,
                };
                (id, graph)
            })
            .collect();
        let mut seed = Counts::default();
        for graph in graphs.values() {
            seed.add(graph.unchanged());
        }
        Distance {
            program,
            measure,
            graphs,
            known: BTreeMap::new(),
            seed,
        }
    }

    /// The distance of the variant with these mutations from the seed.
    pub fn of(&mut self, mutations: &[Mutation]) -> f64 {
        let mut by_function: BTreeMap<FunctionId, Vec<&Mutation>> = BTreeMap::new();
        for mutation in mutations {
            let function = self.program.statement(mutation.statement()).function;
            by_function.entry(function).or_default().push(mutation);
        }
        let mut sum = Counts::default();
        for (id, graph) in &self.graphs {
            let Some(mutations) = by_function.get(id) else {
                sum.add(graph.unchanged());
                continue;
            };
            let ids: Vec<u32> = mutations.iter().map(|mutation| mutation.id).collect();
            let counts = match self.known.get(id) {
                Some((known, counts)) if *known == ids => *counts,
                _ => graph.changed(self.program, mutations),
            };
            self.known.insert(*id, (ids, counts));
            sum.add(counts);
        }
        let Measure { alpha, beta, gamma } = self.measure;
        let growth = sum.statements as f64 / self.seed.statements.max(1) as f64 - 1.0;
        alpha * apart(sum.common_statements, sum.statements, self.seed.statements)
            + beta * apart(sum.common_edges, sum.edges, self.seed.edges)
            - gamma * growth.max(0.0)
    }
}

impl Objective for Distance<'_> {
    fn score(&mut self, mutations: &[Mutation]) -> Result<f64> {
        Ok(self.of(mutations))
    }
}

/// The Jaccard distance of two sets by their sizes.
fn apart(common: usize, one: usize, other: usize) -> f64 {
    match one + other - common {
        0 => 0.0,
        union => 1.0 - common as f64 / union as f64,
    }
}

impl Graph {
    fn unchanged(&self) -> Counts {
        Counts {
            statements: self.statements,
            edges: self.edges.len(),
            common_statements: self.statements,
            common_edges: self.edges.len(),
        }
    }

    fn changed(&self, program: &Program, mutations: &[&Mutation]) -> Counts {
        let mut roots: BTreeMap<u32, StatementId> = BTreeMap::new();
        for mutation in mutations {
            if mutation.kind().effect() == Effect::Deletes {
                let deleted = mutation.statement();
                for inner in program.within(deleted) {
                    let root = roots.entry(inner).or_insert(deleted);
                    // Of nested deletions the outermost counts: it has the least number.
                    *root = deleted.min(*root);
                }
            }
        }
        let mut added: BTreeMap<StatementId, Added> = BTreeMap::new();
        for mutation in mutations {
            let at = mutation.statement();
            let is_swallowed = roots.get(&at.0).is_some_and(|root| *root != at);
            let effect = mutation.kind().effect();
            if is_swallowed || effect == Effect::Deletes {
                continue;
            }
            let Size { statements, edges } = mutation.size();
            let sum = added.entry(at).or_default();
            sum.statements += statements as usize;
            sum.edges += edges as usize;
            sum.is_guarded |= effect == Effect::Guards;
        }
        self.count(&roots, &added)
    }

    fn count(
        &self,
        roots: &BTreeMap<u32, StatementId>,
        added: &BTreeMap<StatementId, Added>,
    ) -> Counts {
        let nodes = self.flow.nodes.len() as u32;
        // A new node for all that is put in before one statement.
        let entries: BTreeMap<u32, u32> = added
            .keys()
            .enumerate()
            .filter_map(|(index, at)| Some((self.flow.before(*at)? as u32, nodes + index as u32)))
            .collect();
        let root = |node: u32| {
            let node = &self.flow.nodes[node as usize];
            let is_end = node.step == FlowStep::Return;
            roots.get(&node.statement.0).filter(|_| !is_end)
        };
        // Where control really gets to when it was to get to a node.
        let reached = |mut node: u32, passes_entry: bool| {
            let mut may_enter = !passes_entry;
            // A loop without condition whose body is gone leads to itself.
            for _ in 0..64 {
                if let Some(entry) = entries.get(&node).filter(|_| may_enter) {
                    return *entry;
                }
                may_enter = true;
                let next = root(node).and_then(|root| self.flow.after(*root));
                match next {
                    Some(next) => node = next as u32,
                    None => break,
                }
            }
            node
        };
        let left = self.edges.iter().filter(|(from, _)| root(*from).is_none());
        let mut edges: Vec<(u32, u32)> = left
            .map(|(from, to)| (*from, reached(*to, false)))
            .collect();
        for (index, (at, what)) in added.iter().enumerate() {
            let new = nodes + index as u32;
            edges.extend(
                self.flow
                    .before(*at)
                    .map(|to| (new, reached(to as u32, true))),
            );
            if what.is_guarded {
                edges.extend(
                    self.flow
                        .after(*at)
                        .map(|to| (new, reached(to as u32, false))),
                );
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let is_old = |edge: &&(u32, u32)| self.edges.binary_search(edge).is_ok();
        let common_edges = edges.iter().filter(is_old).count();
        let left = self.statements - roots.len();
        Counts {
            statements: left + added.values().map(|added| added.statements).sum::<usize>(),
            edges: edges.len() + added.values().map(|added| added.edges).sum::<usize>(),
            common_statements: left,
            common_edges,
        }
    }
}
